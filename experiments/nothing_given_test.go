package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

// TestForged holds that a report takes no record that a run would not take: of another version, seed or repetition, or with a score that cannot be.
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
