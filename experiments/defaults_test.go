package main

import (
	"strings"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/test/must"
)

// TestChangedDefault: a record that says another value than the grid asks for is no result of the
// cell, though its id is the same; neither a run nor a report takes it.
func TestChangedDefault(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Tiny)
	s.run(exitOK)
	s.run(exitOK).wantErr("4 done already, 0 to compute")
	ids := s.ids()
	for i := range s.methods {
		if m := &s.methods[i]; m.Name == "GDL" {
			m.Params = append([]spec.Param{}, m.Params...)
			for j := range m.Params {
				switch m.Params[j].Name {
				case "step_structure":
					m.Params[j].Def = 5.0
				case "unmix_rounds":
					m.Params[j].Def = int64(21)
				}
			}
		}
	}
	s.run(exitOK, "-list").wantOut("0 done, 4 pending")
	s.wantErr("step_structure = 0.1, and 5 is asked for", "version has not")
	must.Check(t, strings.Count(s.stderr, "is asked for"), 1, "reports in %s", s.stderr)
	s.run(exitFatal, "-report") // nothing of it is there
	s.run(exitOK, "-filter", "lambda=0").wantErr("0 done already, 2 to compute")
	s.run(exitOK).wantErr("2 done already, 2 to compute")
	if got := s.ids(); strings.Join(got, " ") != strings.Join(ids, " ") {
		t.Errorf("other ids: %v, before %v", got, ids)
	}
	for _, r := range s.records() {
		if x, _ := r.Number("step_structure"); r.Method == "GDL" && x != 5 {
			t.Errorf("%s: step_structure = %v", r.ID, x)
		}
	}
}
