package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/internal/record"
)

// TestNothingIsEmpty holds that an empty value of a flag is an error: it counted as not given.
func TestNothingIsEmpty(t *testing.T) {
	t.Parallel()
	s := newSession(t, unconfirmed)
	for _, args := range []string{"run -cell", "run -ledger", "run -rerun", "run -data", "list -filter", "run -log", "report -out", "fit -graphs", "embed -dict"} {
		verb, name, _ := strings.Cut(args, " ")
		if code := s.program(t.Context(), verb, name, ""); code != exitFatal {
			t.Errorf("%s '': exit code %d", args, code)
		}
		s.wantErr(name + " \"\": must not be empty")
	}
	for args, want := range map[string]string{
		"plan -limit 0s":                "must be a time above 0",
		"run -workers 1025":             "from 1 to 1024",
		"gc -out " + s.dir + "/nowhere": "nowhere: no such file",
		"run -conf x":                   "did you mean -config?",
		"ledger add " + s.dir + " x":    "has no store",
		"ledger":                        "expected add OUT PATH",
	} {
		if code := s.program(t.Context(), strings.Fields(args)...); code != exitFatal {
			t.Errorf("%s: exit code %d", args, code)
		}
		s.wantErr(want)
	}
}

// TestForged holds that a report takes no record that a run would not take: of another version, seed or repetition, or with a score that cannot be.
func TestForged(t *testing.T) {
	t.Parallel()
	s := newSession(t, unconfirmed)
	s.run(exitOK)
	store := s.store()
	ids, err := store.List()
	must(t, err)
	for i, change := range []func(r *record.Record){
		func(r *record.Record) { r.MethodVersion++ }, func(r *record.Record) { r.Repetition++ }, func(r *record.Record) { r.BaseSeed++ },
		func(r *record.Record) { r.Scores["ri"] = 2.5 }, func(r *record.Record) { r.Dataset = "D2" },
	} {
		r, err := store.Get(ids[i])
		must(t, err)
		change(r)
		must(t, store.Put(r, nil, nil))
	}
	s.run(exitOK, "-list").wantOut("5 pending")
	s.run(exitOK, "-report")
	s.wantErr("its record is of version of the method", "its record is of repetition", "its record is of seed", "its record says ri = 2.5", "its record is of data set D2")
	if text, err := os.ReadFile(filepath.Join(s.dir, "out", "grid", "clustering.csv")); err != nil || strings.Contains(string(text), "250") {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestTerminal holds that no escape of a name reaches a terminal.
func TestTerminal(t *testing.T) {
	t.Parallel()
	s := newSession(t, unconfirmed)
	s.program(t.Context(), "run", "-config", "\x1b[31mred")
	s.wantErr(`x1b[31mred`)
	if strings.ContainsRune(s.stdout+s.stderr, '\x1b') {
		t.Errorf("%q", s.stderr)
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
		must(t, s.store().Put(r, &record.Timing{ID: id, Seconds: 360, CPUSeconds: 360}, nil))
	}
	s.run(exitOK, "-filter", "repetition<2", "-workers", "1").wantErr("done already", "hours of one core), 1 worker")
}
