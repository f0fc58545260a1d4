package method

import (
	"testing"

	"ogdl/datasets"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// TestKeptGraphs counts by class, and over the whole set where it has none.
func TestKeptGraphs(t *testing.T) {
	for _, c := range []struct {
		keep    any
		classes []int
		want    []int
	}{
		{int64(0), []int{2, 0, 2, 2}, nil},
		{int64(1), []int{2, 0, 2, 2}, []int{0, 1}},
		{int64(2), []int{2, 0, 2, 2}, []int{0, 1, 2}},
		{int64(9), []int{2, 0, 2, 2}, []int{0, 1, 2, 3}},
		{int64(3), nil, []int{0, 1, 2}},
		{keepAll, nil, []int{0, 1, 2, 3}},
		{keepAll, []int{0, 0, 0, 0}, []int{0, 1, 2, 3}},
	} {
		x := &Task{Params: spec.Values{"keep_graphs": c.keep}, Data: &datasets.Dataset{Classes: c.classes}, Spaces: make([]*gw.Space, 4)}
		must.Same(t, x.keptGraphs(), c.want, "keep_graphs = %v of classes %v", c.keep, c.classes)
	}
}
