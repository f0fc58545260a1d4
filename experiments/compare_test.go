package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

// TestCompare: a store is the same as itself, by rows and by bytes. Differences are named, with an
// exit code of their own. A folder without records is a mistake.
func TestCompare(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Tiny)
	s.run(exitOK)
	grid, out := filepath.Join(s.dir, "grid.toml"), filepath.Join(s.dir, "out")
	other, part := filepath.Join(s.dir, "other"), filepath.Join(s.dir, "part")
	s.verb(exitOK, "run", "-config", grid, "-out", other, "-workers", "1")
	s.verb(exitOK, "run", "-config", grid, "-set", "lambda=0", "-out", part)
	s.verb(exitOK, "compare", out, other).wantOut("4 records")
	if !strings.HasPrefix(s.stdout, "2 rows: 2 same.\n") {
		t.Errorf("of equal folders it says %q", s.stdout)
	}
	s.verb(exitOK, "compare", "-all", out, other).wantOut("lambda 0.01", "ri")
	s.verb(exitOK, "compare", out, other, "-all").wantOut(s.stdout)
	s.verb(exitOK, "compare", "-bytes", out, other).wantOut("the same bytes in", "SHA-256")
	s.verb(exitOK, "compare", part, out).wantOut("1 only in B, 1 same.")
	apart := filepath.Join(s.dir, "apart")
	s.verb(exitOK, "run", "-config", grid, "-set", "lambda=0.5", "-out", apart)
	s.verb(exitFatal, "compare", apart, part).wantErr("no row is in both folders")
	s.verb(exitMoved, "compare", "-bytes", part, out).wantOut("only in B: ")

	files := s.files("other/grid/clusters/*")
	must.Do(t, os.WriteFile(files[0], []byte("altered"), 0o644))
	s.verb(exitMoved, "compare", "-bytes", out, other).wantOut("differs: file grid/clusters/" + filepath.Base(files[0]))
	store := must.Get(record.Open(other))
	for r := range store.All() {
		r.Scores["ri"] /= 2
		data := must.Get(store.NPZ(r.ID))
		must.Do(t, store.Put(r, &record.Timing{ID: r.ID}, data))
		break
	}
	s.verb(exitMoved, "compare", out, other).wantOut("MOVED: other numbers in 1 of 2 cells", "1 MOVED, 1 same.")
	must.Do(t, os.WriteFile(s.files("part/store/??/*[0-9a-f].json")[0], []byte("altered"), 0o644))
	s.verb(exitFatal, "compare", part, out).wantOut("left out of A: ").wantErr("records that cannot be used are left out")

	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{out, out, out, "-all"}, "3 arguments are given"},
		{[]string{out}, "compare: expected A B, as in: ogdl compare results nightly/results; 1 argument is given"},
		{[]string{out, out, "-al"}, "did you mean -all?"},
		{[]string{out, filepath.Join(s.dir, "absent")}, "absent/store holds no record"},
		{[]string{out, grid}, "is a file"},
		{[]string{"-by", "lambdas", out, out}, `no record has a parameter "lambdas"`},
		{[]string{"-by", "lambda", out, out}, "as lambda; rows are paired across one value in each folder"},
	} {
		s.verb(exitFatal, "compare", c.args...).wantErr(c.want)
	}
}
