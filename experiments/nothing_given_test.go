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

// TestForged holds that neither a run nor a report takes a record of another version, seed, repetition or default,
// or with a score that cannot be.
func TestForged(t *testing.T) {
	t.Parallel()
	s := newSession(t, unconfirmed)
	s.run(exitOK)
	store := s.store()
	ids := must.Get(store.List())
	for i, change := range []func(r *record.Record){
		func(r *record.Record) { r.MethodVersion++ }, func(r *record.Record) { r.Repetition++ }, func(r *record.Record) { r.BaseSeed++ },
		func(r *record.Record) { r.Scores["ri"] = 2.5 }, func(r *record.Record) { r.Dataset = "D2" },
	} {
		r := must.Get(store.Get(ids[i]))
		change(r)
		must.Do(t, store.Put(r, nil, nil))
	}
	s.run(exitOK, "-list").wantOut("5 pending")
	s.run(exitOK, "-report")
	s.wantErr("its record is of version of the method", "its record is of repetition", "its record is of seed", "its record says ri = 2.5", "its record is of data set D2")
	if text, err := os.ReadFile(filepath.Join(s.dir, "out", "grid", "clustering.csv")); err != nil || strings.Contains(string(text), "250") {
		t.Errorf("%v\n%s", err, text)
	}
	// All of another default, whose method's version was not raised.
	const other = 5.0
	for _, x := range exptest.Parse(t, unconfirmed).Cells() {
		r := exptest.Record(x, "")
		r.Params["step_structure"] = other
		must.Do(t, store.Put(r, nil, nil))
	}
	s.run(exitOK, "-list").wantOut("0 done, 16 pending")
	s.wantErr("step_structure = 5, and 0.1 is asked for", "version has not")
	must.Check(t, strings.Count(s.stderr, "is asked for"), 1, "reports in %s", s.stderr)
	s.run(exitFatal, "-report") // nothing of it is there
	s.run(exitOK, "-filter", "lambda=0").wantErr("0 done already, 8 to compute")
	s.run(exitOK).wantErr("8 done already, 8 to compute")
	for _, r := range s.records() {
		if x, _ := r.Number("step_structure"); x == other {
			t.Errorf("%s: step_structure = %v", r.ID, x)
		}
	}
}

// TestMeasured holds that a run says in its first line what is missing, and the hours by the times of the ledger.
func TestMeasured(t *testing.T) {
	t.Parallel()
	s := newSession(t, strings.Replace(unconfirmed, "repetitions = 2", "repetitions = 200", 1))
	s.run(exitOK, "-filter", "repetition=0")
	for _, id := range s.ids() {
		r, err := s.store().Get(id)
		if err != nil || r == nil {
			continue
		}
		must.Do(t, s.store().Put(r, &record.Timing{ID: id, Seconds: 360, CPUSeconds: 360}, nil))
	}
	s.run(exitOK, "-filter", "repetition<2", "-workers", "1").wantErr("done already", "hours of one core), 1 worker")
}
