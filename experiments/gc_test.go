package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ogdl/experiments/internal/exptest"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

// gc runs that verb.
func (s *session) gc(want int, args ...string) {
	s.t.Helper()
	s.verb(want, "gc", append([]string{"-config", filepath.Join(s.dir, "grid.toml"), "-out", filepath.Join(s.dir, "out")}, args...)...)
}

// age makes every file of the store older than what gc leaves alone.
func (s *session) age() {
	s.t.Helper()
	old := time.Now().Add(-2 * gcAge)
	must.Do(s.t, filepath.Walk(filepath.Join(s.dir, "out", "store"), func(path string, _ os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, old, old)
	}))
}

// named finds what the store has besides the cells of a configuration.
func (s *session) named(config string) *named {
	s.t.Helper()
	n, store := newNamed(), s.store()
	must.Do(s.t, errors.Join(n.add(exptest.Parse(s.t, config)), n.sortAll(s.t.Context(), store)))
	return n
}

// TestGC: what no configuration names goes, and only if that was asked for; a matrix goes with
// the last cell that rests on it.
func TestGC(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector, and has nothing for it")
	}
	t.Parallel()
	s := newSession(t, exptest.Mixed)
	s.run(exitOK)
	whole := s.results()
	s.age()

	smaller := exptest.Mixed[:strings.LastIndex(exptest.Mixed, "[[grid]]")] // without SC
	smaller = strings.Replace(smaller, "[2, 3, 4, 5]", "[2, 3]", 1)
	// While its tables are there, the larger grid names its cells.
	s.write("grid.toml", "name = \"b\"\n"+smaller)
	s.gc(exitOK, "-yes")
	s.wantOut("nothing to remove")
	s.same(whole)
	must.Do(t, os.RemoveAll(filepath.Join(s.dir, "out", "grid")))
	s.write("grid.toml", smaller)
	s.gc(exitOK) // nor while the store has the grid that ran, as after a kill
	s.wantOut("nothing to remove")
	must.Do(t, os.RemoveAll(filepath.Join(s.dir, "out", "store", ranFolder)))
	before := s.results()
	s.gc(exitOK)
	s.wantOut("store: 6 cells and products, ", "named by none: 4 cells and products, ", "GDL version", "SC version", "named by none: 1 cell or product, ", "products gw_distances", "gc -yes removes")
	s.same(before)

	s.gc(exitOK, "-yes")
	s.wantOut("removed: 9 cells and products, ")
	must.Check(t, len(s.records()), 6, "records are left")
	if left := s.stored("products/*/*"); len(left) != 0 {
		t.Errorf("%v is left", left)
	}
	if files := s.stored("??/*"); len(files) != 18 {
		t.Errorf("%d files are left, want a record, an npz and a timing of 6 cells", len(files))
	}

	// Nothing that stayed is computed again; what went comes back the same.
	s.write("grid.toml", exptest.Mixed)
	s.run(exitOK).wantErr("14 cells: 6 done already, 8 to compute")
	s.same(whole)
}

// TestGCKeepsDictionariesOfReruns: a re-run that was stopped has its dictionary in the store, and no record yet.
func TestGCKeepsDictionariesOfReruns(t *testing.T) {
	t.Parallel()
	config := strings.Replace(confirmGrid, "atoms = [1, 2, 3, 4]\n", "atoms = 1\nshare = true\n", 1)
	s := newSession(t, config)
	s.run(exitOK)
	products, reruns := len(s.stored("products/*/*")), s.idsOf(true)
	for _, id := range reruns {
		for _, file := range s.files("out/store/*/" + id + "*") {
			must.Do(t, os.Remove(file))
		}
	}
	s.age()
	if g := s.named(config); len(reruns) == 0 || len(g.garbage) > 0 || g.kept.n != len(s.records())+products {
		t.Errorf("%d re-runs; %v of %d products and of the cells are kept, %v would go", len(reruns), g.kept, products, g.kinds)
	}
	n := newNamed()
	must.Do(t, n.add(exptest.Parse(t, confirmGrid)))
	for key, first := range n.fresh {
		if !n.reruns("GDL", key.of.Dataset, key.version, first) || n.reruns("GDL", key.of.Dataset, key.version-1, first) {
			t.Error("re-runs of another version count")
		}
	}
}

// TestGCLeavesAlone: what is young, what cannot be understood, and what an embedded
// configuration or one under ./configs names.
func TestGCLeavesAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector, and has nothing for it")
	}
	s := newSession(t, exptest.Mixed)
	s.run(exitOK)
	s.write("grid.toml", exptest.Tiny)
	store := s.store()
	find := func() *named { return s.named(exptest.Tiny) }
	if g := find(); g.alone.n != 12 || g.kept.n != 3 || len(g.garbage) != 0 {
		t.Errorf("%d young, %d kept; want 12 cells, the 2 of both grids and the matrix of those that stay", g.alone.n, g.kept.n)
	}
	s.age()
	if g := find(); g.alone.n != 0 || len(g.garbage) != 13 || g.kept.n != 2 || g.kinds["products gw_distances"].n != 1 {
		t.Errorf("%d cells and products", len(g.garbage))
	}

	// A record under another schema may be anything; a corrupt one is nothing.
	r := s.records()[slices.IndexFunc(s.records(), func(r *record.Record) bool { return r.Method == "GW-k" })]
	text := read(t, store.Path(r.ID))
	_, payload, _ := strings.Cut(strings.TrimSuffix(text, "}\n"), `"record":`)
	sum := sha256.Sum256([]byte("ogdl record 99\n" + payload))
	s.write(store.Path(r.ID)[len(s.dir):], fmt.Sprintf(`{"schema":99,"sha256":"%x","record":%s}`+"\n", sum, payload))
	s.age()
	if g := find(); g.alone.n != 1 || len(g.garbage) != 12 {
		t.Errorf("%d foreign, %d cells and products", g.alone.n, len(g.garbage))
	}
	s.write(store.Path(r.ID)[len(s.dir):], text[:len(text)/2])
	s.age()
	if g := find(); g.alone.n != 0 || g.kinds["cells without a record that can be read"].n != 1 {
		t.Errorf("%d foreign", g.alone.n)
	}
	s.write(store.Path(r.ID)[len(s.dir):], text)

	// One of another run that appears between the list and its removal.
	cells, err := store.Cells()
	if err != nil || len(cells) != 14 {
		t.Fatalf("%d cells, %v", len(cells), err)
	}
	later := time.Now().Add(time.Hour)
	must.Do(t, os.Chtimes(store.Path(cells[0].ID), later, later))
	if removed, err := store.Remove(cells[0]); removed != 0 || err != nil {
		t.Errorf("removed %d, %v", removed, err)
	}

	s.age()
	s.write("work/configs/deep/er/own.toml", exptest.Mixed)
	t.Chdir(filepath.Join(s.dir, "work"))
	s.gc(exitOK)
	s.wantOut("nothing to remove")
	s.write("work/configs/deep/er/own.toml", "table = ")
	s.gc(exitFatal, "-yes")
	s.wantErr("own.toml")
	must.Check(t, len(s.records()), 14, "records kept where a configuration could not be read")
	for _, args := range []string{"-filter lambda=0", "-shard 0/2", "-force", "-list"} {
		s.gc(exitFatal, strings.Fields(args)...)
	}
}
