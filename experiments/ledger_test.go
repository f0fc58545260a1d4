package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/internal/disktest"
	"ogdl/internal/ledger"
	"ogdl/internal/record"
	"ogdl/internal/test/must"

	"github.com/google/go-cmp/cmp"
)

// ledgerGrid has methods that share a matrix of distances, and choices that are confirmed.
var ledgerGrid = confirmGrid + exptest.D1("method = \"SC\"\ngamma = [1, 16]\n")

// tablesOf are the tables of the session's configuration as CSV, by name.
func (s *session) tablesOf() map[string]string {
	s.t.Helper()
	out := map[string]string{}
	for _, path := range s.files("out/grid/*.csv") {
		out[filepath.Base(path)] = read(s.t, path)
	}
	if len(out) < 3 {
		s.t.Fatalf("%d tables", len(out))
	}
	return out
}

// TestLedger: what stands in a ledger is done, for runs, lists, plans and tables alike, when the store is gone; what is new is added.
func TestLedger(t *testing.T) {
	t.Parallel()
	s := newSession(t, ledgerGrid)
	path := filepath.Join(s.dir, "ledger")
	with := func(args ...string) []string { return append(args, "-ledger", path) }
	for _, reads := range []string{"-list", "-plan", "-report", "-cell=0123"} {
		if code := s.try(t.Context(), with(reads)...); code != exitFatal {
			t.Errorf("%s with a ledger that is not there: exit code %d", reads, code)
		}
		s.wantErr("-ledger " + path + ": no such file or folder")
	}
	s.run(exitOK, with("-filter", "method=GDL repetition=0")...)
	s.wantErr("ledger: "+path+", a new one", "ledger: 8 cells added")
	s.run(exitOK, with()...)
	n := len(s.records())
	s.wantErr("ledger: "+path+", 8 cells", fmt.Sprintf("ledger: %d cells added to %s, %d in all", n-8, path, n))
	want, files := s.tablesOf(), disktest.Folder(t, path)
	s.run(exitOK, with("-report")...)
	another := filepath.Join(s.dir, "another")
	grid := filepath.Join(s.dir, "out", "grid")
	away := filepath.Join(s.dir, "away")
	must.Do(t, errors.Join(os.Rename(grid, away), os.RemoveAll(filepath.Join(s.dir, "out", "store", ranFolder)))) // no configuration is known
	s.verb(exitOK, "ledger", "add", filepath.Join(s.dir, "out"), another)
	s.wantErr(fmt.Sprintf("%d cells are not added: failed, damaged, or of no configuration that is known here", n))
	must.Do(t, os.Rename(away, grid))
	code := s.program(t.Context(), "ledger", "add", filepath.Join(s.dir, "out"), another)
	if code != exitOK || len(files) != len(disktest.Folder(t, another)) {
		t.Errorf("ledger add: exit code %d, %s%s", code, s.stdout, s.stderr)
	}
	s.wantOut(fmt.Sprintf("ledger: %d cells added to %s, %d in all", n, another, n))
	if !cmp.Equal(files, disktest.Folder(t, path)) {
		t.Error("adding the same cells again changed the ledger")
	}
	kept := filepath.Join(s.dir, "kept")
	must.Do(t, os.Rename(filepath.Join(s.dir, "out"), kept))
	s.run(exitOK, with("-list")...).wantOut(fmt.Sprintf("%d cells: %d done, 0 pending, 0 failed\n", n, n))
	if s.run(exitOK, with("-plan", "-json")...); !strings.Contains(s.stdout, `"pending": 0`) {
		t.Errorf("%s", s.stdout)
	}
	s.run(exitOK, with()...)
	s.wantErr("computed 0 cells", "ledger: 0 cells added", "left out: clusters of 4 rows: only the ledger has these cells")
	if files, err := os.ReadDir(filepath.Join(s.dir, "out", "grid", "clusters")); len(files) > 0 {
		t.Errorf("clusters of records that have none: %v, %v", files, err)
	}
	must.Same(t, s.tablesOf(), want, "tables from the ledger")
	if len(s.records()) != 0 || !cmp.Equal(files, disktest.Folder(t, path)) {
		t.Error("a run that computes nothing left records, or changed the ledger")
	}
	// A ledger that lacks some, and one that lacks all that confirm: the rest is computed, once, and added, and the tables are of both.
	whole := must.Get(ledger.Open(path))
	for name, dropped := range map[string]func(i int, r *record.Record) bool{
		"every third": func(i int, _ *record.Record) bool { return i%3 == 0 },
		"confirming":  func(_ int, r *record.Record) bool { return r.Repetition > 1 }, // those of the grid are 0 and 1
	} {
		some, missing := filepath.Join(t.TempDir(), "some"), 0
		l := must.Get(ledger.Open(some))
		for i, id := range whole.IDs() {
			r, tm := whole.Find(id)
			if dropped(i, r) {
				missing++
			} else if _, err := l.Add(r, r.Kept, tm, whole.ProductSeconds); err != nil {
				t.Fatal(err)
			}
		}
		must.Do(t, l.Save())
		must.Do(t, os.RemoveAll(filepath.Join(s.dir, "out")))
		s.run(exitOK, "-ledger", some)
		s.wantErr(fmt.Sprintf("computed %d cells", missing), fmt.Sprintf("ledger: %d cells added to %s, %d in all", missing, some, n))
		s.run(exitOK, with("-report")...)
		must.Same(t, s.tablesOf(), want, "%s: tables from a store and a ledger together", name)
	}
	// A cell alone, again, without a store: its arrays are those that the ledger has the sum of.
	must.Do(t, os.RemoveAll(filepath.Join(s.dir, "out")))
	s.run(exitOK, with("-cell", whole.IDs()[1])...).wantOut(", the same arrays as the ledger says")
}

// TestLedgerConflict: a store with another number under the same id gives tables, names the cell and ends with an exit code of its own; the ledger stays as it was.
func TestLedgerConflict(t *testing.T) {
	t.Parallel()
	s := newSession(t, unconfirmed)
	path := filepath.Join(s.dir, "all"+ledger.Ending)
	s.run(exitOK, "-ledger", path)
	before, store := read(t, path), s.store()
	ids := must.Get(store.List())
	r := must.Get(store.Get(ids[3]))
	arrays := must.Get(store.NPZ(ids[3]))
	r.Scores["objective"] += 1
	must.Do(t, store.Put(r, nil, arrays))
	s.run(exitOK, "-ledger", path, "-report") // adds nothing
	tables := filepath.Join(s.dir, "out", "grid", "index.html")
	must.Do(t, os.Remove(tables))
	s.run(exitFailed, "-ledger", path).wantErr(ids[3], "objective is", path)
	if code := s.program(t.Context(), "ledger", "add", filepath.Join(s.dir, "out"), path); code != exitFailed {
		t.Errorf("ledger add: exit code %d: %s", code, s.stderr)
	}
	s.wantOut(ids[3], "objective is", path, "ledger: 0 cells added")
	if _, err := os.Stat(tables); err != nil {
		t.Error("no tables:", err)
	}
	must.Same(t, read(t, path), before, "the ledger afterwards")
	s.write("broken"+ledger.Ending, "not a ledger")
	s.run(exitFatal, "-ledger", filepath.Join(s.dir, "broken"+ledger.Ending)).wantErr("-ledger", "broken")
}

// TestLedgerAtOnce: what several processes add at once is in the ledger, whoever is first.
func TestLedgerAtOnce(t *testing.T) {
	t.Parallel()
	s := newSession(t, unconfirmed)
	path, cells := filepath.Join(s.dir, "ledger"), 0
	var outs []string
	for i := range 4 {
		outs = append(outs, filepath.Join(s.dir, fmt.Sprint("part", i)))
		s.run(exitOK, "-out", outs[i], "-shard", fmt.Sprintf("%d/4", i))
		cells += len(must.Get(must.Get(record.Open(outs[i])).List()))
	}
	var all sync.WaitGroup
	for _, out := range outs {
		all.Go(func() {
			p := program{methods: s.methods}
			if code := p.run(t.Context(), []string{"ledger", "add", out, path}, io.Discard, os.Stderr); code != exitOK {
				t.Errorf("%s: exit code %d", out, code)
			}
		})
	}
	all.Wait()
	if n := must.Get(ledger.Open(path)).Len(); n != cells || cells < 8 {
		t.Errorf("%d cells of %d", n, cells)
	}
}
