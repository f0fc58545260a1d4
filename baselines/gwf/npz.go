package gwf

import (
	"fmt"
	"io"
	"slices"

	"ogdl/internal/npz"
)

// schema is the version of the file that WriteNPZ writes.
const schema = 1

// WriteNPZ writes the model as an npz archive that numpy.load reads, without pickling:
//
//	schema      int, 1
//	alpha       float
//	orders      K ints, the atoms' orders
//	C0, C1 ...  structures, N_k x N_k
//	A0, A1 ...  features, N_k x D (absent for GW)
//	p0, p1 ...  node weights, N_k
//	meta_keys, meta_values   strings: the metadata, sorted by key
//
// Equal models with equal metadata give equal bytes. meta may be nil. A model that [Model.Check]
// rejects is an error.
func (m *Model) WriteNPZ(w io.Writer, meta map[string]string) error {
	if err := m.Check(); err != nil {
		return err
	}
	head := []npz.Array{{Name: "schema", Int: []int{schema}}}
	if err := npz.Write(w, slices.Concat(head, m.Arrays(), npz.Meta(meta))); err != nil {
		return fmt.Errorf("gwf: writing a model: %w", err)
	}
	return nil
}

// Arrays returns the model alone as the arrays that WriteNPZ describes, for an
// archive that holds more. They are views into the model; a nil one has none.
func (m *Model) Arrays() []npz.Array {
	if m == nil {
		return nil
	}
	orders := make([]int, len(m.Atoms))
	for k := range m.Atoms {
		orders[k] = m.Atoms[k].N
	}
	arrays := []npz.Array{
		{Name: "alpha", Float: []float64{m.Alpha}},
		{Name: "orders", Shape: []int{len(orders)}, Int: orders},
	}
	for k, a := range m.Atoms {
		arrays = append(arrays, npz.Array{Name: fmt.Sprint("C", k), Shape: []int{a.N, a.N}, Float: a.C})
		if m.D > 0 {
			arrays = append(arrays, npz.Array{Name: fmt.Sprint("A", k), Shape: []int{a.N, m.D}, Float: a.A})
		}
		arrays = append(arrays, npz.Array{Name: fmt.Sprint("p", k), Shape: []int{a.N}, Float: a.P})
	}
	return arrays
}

// ReadNPZ reads what WriteNPZ wrote, from an archive of size bytes, and checks it as Check does.
// Other arrays in the archive are let be. Errors name the array and what was expected of it.
func ReadNPZ(r io.ReaderAt, size int64) (m *Model, meta map[string]string, err error) {
	f, err := npz.Open(r, size, "gwf: reading a model")
	if err != nil {
		return nil, nil, err
	}
	f.Schema(schema)
	alpha, orders := f.Floats("alpha", 0, false), f.Get("orders", 1, false)
	if f.Err() != nil {
		return nil, nil, f.Err()
	}
	switch {
	case orders.Int == nil:
		f.Fail("orders", "does not hold integers")
	case len(orders.Int) == 0:
		f.Fail("orders", "is empty, expected the order of every atom")
	}
	meta = f.Meta()
	m = &Model{Alpha: alpha.Float[0]}
	for k := 0; k < len(orders.Int) && f.Err() == nil; k++ {
		m.Atoms = append(m.Atoms, readAtom(f, k, orders.Int[k], m))
	}
	if f.Err() != nil {
		return nil, nil, f.Err()
	}
	if err := m.Check(); err != nil {
		return nil, nil, err
	}
	return m, meta, nil
}

// readAtom reads atom k of order n; the first one sets the model's dimension.
func readAtom(f *npz.Fields, k, n int, m *Model) Atom {
	nameC, nameA, nameP := fmt.Sprint("C", k), fmt.Sprint("A", k), fmt.Sprint("p", k)
	c, a, p := f.Floats(nameC, 2, false), f.Floats(nameA, 2, true), f.Floats(nameP, 1, false)
	if f.Err() != nil {
		return Atom{}
	}
	out := Atom{N: n, C: c.Float, P: p.Float}
	switch {
	case n < 1 || c.Shape[0] != n || c.Shape[1] != n:
		f.Fail(nameC, "has shape %v, expected n x n with n = orders[%d] = %d >= 1", c.Shape, k, n)
	case p.Shape[0] != n:
		f.Fail(nameP, "has %d entries, expected the order %d", p.Shape[0], n)
	case a != nil && (a.Shape[0] != n || a.Shape[1] < 1):
		f.Fail(nameA, "has shape %v, expected %d x D with D >= 1", a.Shape, n)
	}
	if f.Err() != nil {
		return Atom{}
	}
	d := 0
	if a != nil {
		d, out.A = a.Shape[1], a.Float
	}
	if k == 0 {
		m.D = d
	} else if d != m.D {
		f.Fail(nameA, "gives dimension %d (0 if it is missing), expected %d as A0", d, m.D)
	}
	return out
}
