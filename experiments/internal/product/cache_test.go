package product

import (
	"ogdl/experiments/internal/spec"
	"testing"
)

// TestCacheFreesMatrices: a matrix is kept while cells need it, and no longer.
func TestCacheFreesMatrices(t *testing.T) {
	s := &Cache{}
	var cells []*spec.Cell
	shares := &spec.Method{Products: func(c *spec.Cell) []spec.Product { return []spec.Product{Distances{Of: c, Alpha: 1}} }}
	for range 8 {
		cells = append(cells, &spec.Cell{Method: shares, Dataset: spec.NameD1})
	}
	s.Expect(cells)
	if _, err := s.made.Get(t.Context(), cells[0].Shared(), func() (any, error) { return 1, nil }); err != nil {
		t.Fatal(err)
	}
	for i, c := range cells {
		if s.made.Len() != 1 {
			t.Fatalf("freed after %d of %d cells", i, len(cells))
		}
		s.Release(c)
	}
	if s.made.Len() != 0 {
		t.Error("kept after the last cell")
	}
}
