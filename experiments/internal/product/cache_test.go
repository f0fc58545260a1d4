package product

import (
	"bytes"
	"testing"

	"ogdl/experiments/internal/spec"
	"ogdl/internal/npz"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// TestCacheFreesMatrices: a matrix is kept while cells need it, and no longer.
func TestCacheFreesMatrices(t *testing.T) {
	s := &Cache{}
	var cells []*spec.Cell
	shares := &spec.Method{Products: func(c *spec.Cell) []spec.Product { return []spec.Product{Distances(c, gw.Settings{})} }}
	for range 8 {
		cells = append(cells, &spec.Cell{Method: shares, Dataset: spec.NameD1})
	}
	s.Expect(cells)
	must.Do(t, must.Err(s.made.Get(t.Context(), cells[0].Shared(), func() (any, error) { return 1, nil })))
	for i, c := range cells {
		must.Equal(t, s.made.Len(), 1, "freed after %d of %d cells", i, len(cells))
		s.Release(c)
	}
	must.Check(t, s.made.Len(), 0, "kept after the last cell")
}

// TestNoKernel: a block without a matrix is stored and read like any other.
func TestNoKernel(t *testing.T) {
	packed := must.Get(npz.Pack(packKernels(Kernels{}, 3)))
	arrays := must.Get(npz.Read(bytes.NewReader(packed), int64(len(packed))))
	must.Check(t, len(must.Get(unpackKernels(arrays, 3))), 0, "matrices")
}
