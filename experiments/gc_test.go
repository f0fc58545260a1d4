package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ogdl/internal/record"
)

// age makes every file of the store older than what -gc leaves alone.
func (s *session) age() {
	s.t.Helper()
	old := time.Now().Add(-2 * gcAge)
	err := filepath.Walk(filepath.Join(s.dir, "out", "store"), func(path string, _ os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, old, old)
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// TestGC: what no configuration names goes, and only if that was asked for; a matrix goes with
// the last cell that rests on it.
func TestGC(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector, and has nothing for it")
	}
	t.Parallel()
	s := newSession(t, mixed)
	s.run(exitOK)
	whole := s.results()
	s.age()

	smaller := mixed[:strings.LastIndex(mixed, "[[grid]]")] // without SC
	smaller = strings.Replace(smaller, "[2, 3, 4, 5]", "[2, 3]", 1)
	s.write("grid.toml", smaller)
	before := s.results()
	s.run(exitOK, "-gc")
	s.wantOut("holds 6 cells and matrices", "named by none: 4 cells", "GDL version", "SC version", "needed by none: 1 matrix of distances", "-gc -yes removes these 9")
	s.same(before)

	s.run(exitOK, "-gc", "-yes")
	s.wantOut("removed 9 cells and matrices: ")
	if n := len(s.records()); n != 6 {
		t.Errorf("%d records are left", n)
	}
	if left, _ := filepath.Glob(filepath.Join(s.dir, "out", "store", "products", "*", "*")); len(left) != 0 {
		t.Errorf("%v is left", left)
	}
	files, err := filepath.Glob(filepath.Join(s.dir, "out", "store", "??", "*"))
	if err != nil || len(files) != 18 {
		t.Errorf("%d files are left, want a record, an npz and a timing of 6 cells", len(files))
	}
	s.run(exitOK, "-gc", "-yes")
	s.wantOut("nothing to remove")

	// Nothing that stayed is computed again; what went comes back the same.
	s.write("grid.toml", mixed)
	s.run(exitOK)
	s.wantErr("14 cells: 6 done already, 8 to compute")
	s.same(whole)
}

// TestGCLeavesAlone: what is young, what cannot be understood, and what an embedded
// configuration or one under ./configs names.
func TestGCLeavesAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector, and has nothing for it")
	}
	s := newSession(t, mixed)
	s.run(exitOK)
	s.write("grid.toml", tiny)
	store := s.store()
	n := &named{cells: map[string]bool{}, products: map[string]bool{}}
	if err := n.name(t.Context(), mustParse(t, tiny), store); err != nil {
		t.Fatal(err)
	}
	find := func(at time.Time) *garbage {
		t.Helper()
		g, err := findGarbage(t.Context(), store, n, at)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	if g := find(time.Now()); g.young.n != 12 || g.kept.n != 3 || len(g.cells)+len(g.products) != 0 {
		t.Errorf("%d young, %d kept; want 12 cells, the 2 of both grids and the matrix of those that stay", g.young.n, g.kept.n)
	}
	later := time.Now().Add(2 * gcAge)
	if g := find(later); g.young.n != 0 || len(g.cells) != 12 || len(g.products) != 1 || g.kept.n != 2 {
		t.Errorf("%d cells, %d matrices", len(g.cells), len(g.products))
	}

	// A record under another schema may be anything; a corrupt one is nothing.
	r := s.records()[slices.IndexFunc(s.records(), func(r *record.Record) bool { return r.Method == "GW-k" })]
	text := read(t, store.Path(r.ID))
	_, payload, _ := strings.Cut(strings.TrimSuffix(text, "}\n"), `"record":`)
	sum := sha256.Sum256([]byte("ogdl record 99\n" + payload))
	s.write(store.Path(r.ID)[len(s.dir):], fmt.Sprintf(`{"schema":99,"sha256":"%x","record":%s}`+"\n", sum, payload))
	if g := find(later); g.foreign.n != 1 || len(g.cells) != 11 {
		t.Errorf("%d foreign, %d cells", g.foreign.n, len(g.cells))
	}
	s.write(store.Path(r.ID)[len(s.dir):], text[:len(text)/2])
	if g := find(later); g.foreign.n != 0 || g.kinds["without a record that can be read"].n != 1 {
		t.Errorf("%d foreign", g.foreign.n)
	}
	s.write(store.Path(r.ID)[len(s.dir):], text)

	// One of another run that appears between the list and its removal.
	cells, _, err := store.Holdings()
	if err != nil || len(cells) != 14 {
		t.Fatalf("%d cells, %v", len(cells), err)
	}
	if err := os.Chtimes(store.Path(cells[0].ID), later, later); err != nil {
		t.Fatal(err)
	}
	if removed, err := store.Remove(cells[0]); removed != 0 || err != nil {
		t.Errorf("removed %d, %v", removed, err)
	}

	s.age()
	s.write("work/configs/own.toml", mixed)
	t.Chdir(filepath.Join(s.dir, "work"))
	s.run(exitOK, "-gc")
	s.wantOut("nothing to remove")
	s.write("work/configs/own.toml", "table = ")
	s.run(exitFatal, "-gc", "-yes")
	s.wantErr("own.toml")
	if len(s.records()) != 14 {
		t.Error("something was removed although a configuration could not be read")
	}
	for _, args := range []string{"-gc -list", "-gc -report", "-gc -plan", "-gc -filter lambda=0", "-gc -shard 0/2", "-gc -force", "-yes"} {
		s.run(exitFatal, strings.Fields(args)...)
	}
	for _, args := range []string{"-also x", "-report -also x -also y", "-also=x -list", "-list -also"} {
		s.run(exitFatal, strings.Fields(args)...)
		if want := "experiments: " + goneAlso + "\n"; s.stderr != want {
			t.Errorf("%s says %q, want %q", args, s.stderr, want)
		}
	}
}
