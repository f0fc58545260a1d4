package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/protocol"
	"ogdl/internal/ledger"
	"ogdl/internal/record"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"
	"ogdl/reports/paper"
)

var recompute = flag.Bool("recompute", false, "compute ten cells of the committed ledger again, whatever they take, and not two cheap ones")

// recomputed computes up to n cells of a ledger again, those first whose SHA-256 is least, of the configurations' grids and of those that may be, and
// says which came out otherwise. The ledger is not written to.
func recomputed(t *testing.T, path string, configs []string, data string, n int,
	may func(*record.Record, *record.Timing) bool) (done int, problems []string) {
	t.Helper()
	kept := must.Get(ledger.Open(path))
	of := map[string]string{} // the configuration of a cell
	for _, name := range configs {
		src, from := must.Get2(grid.Open(name))
		c := must.Get(grid.Parse(src, from, protocol.Methods().Described()))
		for _, x := range c.Cells() {
			of[x.ID] = cmp.Or(of[x.ID], name)
		}
	}
	ids := kept.IDs()
	sum := func(id string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(id))) }
	slices.SortFunc(ids, func(a, b string) int { return strings.Compare(sum(a), sum(b)) })
	out := t.TempDir()
	for _, id := range ids {
		r, tm := kept.Find(id)
		if of[id] == "" || r.Kept.NPZ == "" || !may(r, tm) {
			continue
		}
		if done == n {
			break
		}
		done++
		// A ledger of this cell alone: no time goes into pages of all the others.
		mine := filepath.Join(out, id)
		alone := must.Get(ledger.Open(mine))
		_, err := alone.Add(r, r.Kept, tm, nil)
		must.Do(t, cmp.Or(err, alone.Save()))
		s := &session{t: t, dir: out, methods: protocol.Methods()}
		code := s.program(context.Background(), "-config", of[id], "-cell", id, "-out", filepath.Join(out, "out"), "-data", data, "-ledger", mine,
			"-workers", "1")
		if code != exitOK || !strings.Contains(s.stdout, ", the same arrays as the ledger says") {
			problems = append(problems, fmt.Sprintf("%s %s on %s: exit code %d\n%s%s", id, r.Method, r.Dataset, code, s.stdout, s.stderr))
		}
	}
	return done, problems
}

// TestLedgerIsReproduced computes cells of the ledger that the project is published with again: they must have the same numbers and the same bytes.
func TestLedgerIsReproduced(t *testing.T) {
	if testing.Short() {
		t.Skip("computes cells of the published ledger")
	}
	t.Parallel()
	path, names := filepath.Join("..", "docs", reproductionFolder, "ledger"), []string(nil)
	for _, part := range published() {
		if !part.Choices {
			names = append(names, part.Config)
		}
	}
	if !*recompute { // the whole ledger and its grids take seconds to read
		path, names = filepath.Join(t.TempDir(), "ledger"), []string{"clustering-quick"}
		publishedOf(t, path, "MUTAG_GDL")
	}
	data := os.Getenv("OGDL_DATA")
	if data == "" {
		var sets []string
		for _, d := range paper.Numbers().Datasets {
			sets = append(sets, d.TU)
		}
		slices.Sort(sets)
		data = sharedtest.Data(t, slices.Compact(sets)...)
	}
	n, may := 2, func(r *record.Record, tm *record.Timing) bool {
		return tm.Seconds > 0 && tm.Seconds < 2 && r.Products == nil && tm.Embed == nil
	}
	if *recompute {
		n, may = 10, func(_ *record.Record, tm *record.Timing) bool { return tm.Embed == nil }
	}
	done, problems := recomputed(t, path, names, data, n, may)
	for _, p := range problems {
		t.Error(p)
	}
	if done < n {
		t.Errorf("%d of the ledger's cells could be computed again, want %d", done, n)
	}
}
