package main

import (
	"path/filepath"
	"strings"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/spec"
)

// TestGridIsExpandedOnce: a run, with what confirms its choices and its report, completes each combination of its grid
// once.
func TestGridIsExpandedOnce(t *testing.T) {
	t.Parallel()
	s := newSession(t, strings.Replace(confirmGrid, "[1, 2, 3, 4]", "[1]", 1))
	completed := 0
	for i := range s.methods {
		if s.methods[i].Name == "GDL" {
			s.methods[i].Params = append(s.methods[i].Params, spec.Param{Name: "counted", Kind: spec.Boolean, Def: false, Doc: "x",
				Applies: func(spec.Values) bool { completed++; return false }})
		}
	}
	s.run(exitOK)
	c := exptest.Config(t, filepath.Join(s.dir, "grid.toml"))
	if want := len(c.Cells()) / len(c.Seeds) / c.Repetitions; completed != want || want < 2 {
		t.Errorf("%d combinations of %d were completed", completed, want)
	}
}
