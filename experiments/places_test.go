package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/method"
	"ogdl/internal/test/must"
)

// TestNoAbsolutePaths: what is promised to be equal byte for byte does not say where data, results and
// program are, however cells end.
func TestNoAbsolutePaths(t *testing.T) {
	var all []map[string]string
	for range 2 {
		s := newSession(t, "")
		i := slices.IndexFunc(s.methods, func(r method.Row) bool { return r.Name == "GWF-f" })
		s.methods[i].Fit = func(context.Context, *method.Task) (*method.Result, error) { panic("on purpose") }
		s.write("data/PTC_MR/PTC_MR_A.txt", "1, 2, 3\n")
		s.writeTU(filepath.Join("data", "OWN"), 1, 3)
		s.write("data/OWN/OWN_A.txt", "not an edge\n")
		t.Chdir(s.dir) // the configuration itself names no place
		s.write("grid.toml", exptest.Tiny+`[[grid]]
dataset = ["D1", "MUTAG", "PTC-MR"]
method = "GWF-f"
atoms = 2
order = 5
[[grid]]
path = "data/OWN"
method = "SC"
gamma = 1
`)
		s.run(exitFailed).wantErr("skipped 2 cells: loader: "+filepath.Join(s.dir, "data", "MUTAG"), "on purpose")
		results := s.results()
		for name, text := range results {
			for _, place := range []string{s.dir, "/experiments/cell.go", "/src/runtime"} {
				if i := strings.Index(text, place); i >= 0 {
					t.Errorf("%s: ...%.200s", name, text[max(0, i-60):])
				}
			}
		}
		all = append(all, results)
	}
	for name, text := range all[0] {
		must.Same(t, all[1][name], text, "%s in two folders", name)
	}
}
