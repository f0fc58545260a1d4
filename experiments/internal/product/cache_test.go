package product

import (
	"ogdl/experiments/internal/spec"
	"testing"
)

// TestCacheFreesMatrices: a matrix is kept while cells need it, and no longer.
func TestCacheFreesMatrices(t *testing.T) {
	s := &Cache{entries: map[string]*entry{}}
	var cells []*spec.Cell
	shares := &spec.Method{Products: func(c *spec.Cell) []spec.Product { return []spec.Product{Distances{Of: c, Alpha: 1}} }}
	for range 8 {
		cells = append(cells, &spec.Cell{Method: shares, Dataset: spec.NameD1})
	}
	s.Expect(cells)
	s.entries[cells[0].Shared()] = &entry{}
	for i, c := range cells {
		if len(s.entries) != 1 {
			t.Fatalf("freed after %d of %d cells", i, len(cells))
		}
		s.Release(c)
	}
	if len(s.entries)+len(s.left) != 0 {
		t.Error("kept after the last cell")
	}
}
