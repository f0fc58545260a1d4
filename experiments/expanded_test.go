package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestGridIsExpandedOnce: a run, with what confirms its choices and its report, completes each combination of its grid
// once.
func TestGridIsExpandedOnce(t *testing.T) {
	t.Parallel()
	s := newSession(t, strings.Replace(confirming, "[1, 2, 3, 4]", "[1]", 1))
	completed := 0
	for i := range s.methods {
		if s.methods[i].name == "GDL" {
			s.methods[i].params = append(s.methods[i].params, param{name: "counted", kind: flagged, def: false, doc: "x",
				applies: func(values) bool { completed++; return false }})
		}
	}
	s.run(exitOK)
	if want := len(configOf(t, filepath.Join(s.dir, "grid.toml")).blocks[0].combinations); completed != want || want < 2 {
		t.Errorf("%d combinations of %d were completed", completed, want)
	}
}
