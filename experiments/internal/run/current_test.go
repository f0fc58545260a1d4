package run

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
	"ogdl/reports/summary"
)

// TestRecordAndCellAgree: what a record may differ in from what a cell asks for.
func TestRecordAndCellAgree(t *testing.T) {
	c := exptest.Parse(t, "table = \"clustering\"\nrepetitions = 2\nseed = 7\n"+"[[grid]]\nmethod = \"GDL\"\ndataset = \"MUTAG\"\natoms = 3\nfeatures = \"labels\"\nalpha = 0.5\n").Cells()[0]
	for name, x := range map[string]struct {
		key   string
		value any
		want  bool
	}{
		"as asked":          {"atoms", 3.0, true},
		"another number":    {"batch", 17.0, false},
		"a resolved word":   {"order", 17.0, true},
		"the word":          {"order", "median", true},
		"another word":      {"order", "mean", false},
		"a text":            {"init", "random", false},
		"a text, a number":  {"init", 3.0, false},
		"a flag":            {"non_negative", false, false},
		"younger parameter": {"unknown", 3.0, true},
	} {
		r := exptest.Record(c, "")
		r.Params = map[string]any{x.key: x.value}
		if got := Contradiction(c, r); (got == "") != x.want {
			t.Errorf("%s: %s = %v: %q", name, x.key, x.value, got)
		}
	}
}

// TestNoChoiceAmongDifferentData: means over two states of a data set choose nothing.
func TestNoChoiceAmongDifferentData(t *testing.T) {
	c := exptest.Parse(t, "confirm = 3\n"+strings.Replace(exptest.Tiny, "atoms = 3", "atoms = [1, 2, 3, 4]", 1))
	rows := RowsOf(c, c.Cells())
	must.Equal(t, len(rows), 2, "rows")
	store := must.Get(record.Open(t.TempDir()))
	put := func(r *record.Record) {
		t.Helper()
		must.Do(t, store.Put(r, nil, nil))
	}
	for i, x := range c.Cells() {
		r := exptest.Record(x, "data")
		r.Scores = map[string]float64{"ri": float64(i) / 100}
		put(r)
	}
	got, err := ConfirmationOf(t.Context(), c, rows, store, nil, nil)
	if err != nil || len(got.Open) != 0 || len(got.Cells) != 6 {
		t.Fatalf("%d rows wait, %d cells, %v", len(got.Open), len(got.Cells), err)
	}
	put(exptest.Record(c.Cells()[1], "other data"))
	if got, err = ConfirmationOf(t.Context(), c, rows, store, nil, nil); err != nil || len(got.Open) != 1 || len(got.Cells) != 3 {
		t.Errorf("%d rows wait, %d cells, %v", len(got.Open), len(got.Cells), err)
	}
	if got, err = ConfirmationOf(t.Context(), c, rows, store, func(*spec.Cell, *record.Record) bool { return false }, nil); err != nil || len(got.Open) != 2 {
		t.Errorf("%d rows wait, %v; none agrees with the data that are there", len(got.Open), err)
	}
}

// TestFailuresInARace: a race waits for cells that failed before, since a run computes them again, and goes on without those
// that failed in this run.
func TestFailuresInARace(t *testing.T) {
	c := exptest.Parse(t, "race = true\n"+strings.Replace(exptest.Tiny, "repetitions = 2", "repetitions = 4", 1))
	rows, tried := RowsOf(c, c.Cells()), map[string]bool{}
	store := must.Get(record.Open(t.TempDir()))
	waiting := func() (n int) {
		for _, chance := range must.Get(ConfirmationOf(t.Context(), c, rows, store, nil, tried)).Chances {
			if chance == summary.MayBe {
				n++
			}
		}
		return n
	}
	before := waiting()
	for _, x := range c.Cells() {
		r := exptest.Record(x, "data")
		r.Status, r.Reason = record.Failed, "no data"
		must.Do(t, store.Put(r, nil, nil))
	}
	must.Check(t, waiting(), before, "cells that wait for those that failed before")
	for _, x := range c.Cells() {
		tried[x.ID] = true
	}
	must.Check(t, waiting(), 0, "cells that wait for those that failed in this run")
	must.Check(t, before > 0, true, "a race")
}

// TestSurveyKeepsLittle: what a run holds of a finished cell does not grow with its graphs, epochs and
// parameters.
func TestSurveyKeepsLittle(t *testing.T) {
	const n = 300
	cells := exptest.Parse(t, strings.Replace(exptest.Tiny, "repetitions = 2", fmt.Sprintf("repetitions = %d", n/2), 1)).Cells()
	store := must.Get(record.Open(t.TempDir()))
	for _, c := range cells {
		r := exptest.Record(c, "data")
		r.Assignment, r.EpochLoss, r.Scores = make(record.Labels, 1000), make([]float64, 40), map[string]float64{"ri": 0.5}
		must.Do(t, store.Put(r, &record.Timing{}, []byte("arrays")))
	}
	before := exptest.Live()
	known, _ := Survey(t.Context(), store, cells, true, io.Discard)
	each := float64(exptest.Live()-before) / n // other tests may have let go of some meanwhile
	t.Logf("%.0f bytes for each of %d cells", each, n)
	if len(known) != n || each > 1500 {
		t.Errorf("%.0f bytes held for each of %d records", each, len(known))
	}
	runtime.KeepAlive(known)
	runtime.KeepAlive(cells)
}
