package gwf

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"ogdl/internal/npz"
)

// schema is the version of the file that WriteNPZ writes.
const schema = 1

// WriteNPZ writes the model as an npz archive that numpy.load reads, without
// pickling:
//
//	schema      int, 1
//	alpha       float
//	orders      K ints, the atoms' orders
//	C0, C1 ...  structures, N_k x N_k
//	A0, A1 ...  features, N_k x D (absent for GW)
//	p0, p1 ...  node weights, N_k
//	meta_keys, meta_values   strings: the metadata, sorted by key
//
// Equal models with equal metadata give equal bytes. meta may be nil. The error is
// the writer's, or that of a model that Check refuses.
func (m *Model) WriteNPZ(w io.Writer, meta map[string]string) error {
	if err := m.Check(); err != nil {
		return err
	}
	arrays := append([]npz.Array{{Name: "schema", Int: []int{schema}}}, m.Arrays()...)
	keys := slices.Sorted(maps.Keys(meta))
	values := make([]string, len(keys))
	for i, k := range keys {
		values[i] = meta[k]
	}
	arrays = append(arrays,
		npz.Array{Name: "meta_keys", Shape: []int{len(keys)}, Text: append([]string{}, keys...)},
		npz.Array{Name: "meta_values", Shape: []int{len(values)}, Text: values},
	)
	if err := npz.Write(w, arrays); err != nil {
		return fmt.Errorf("gwf: writing a model: %w", err)
	}
	return nil
}

// Arrays returns the model alone as the arrays that WriteNPZ describes, for an
// archive that holds more. They are views into the model.
func (m *Model) Arrays() []npz.Array {
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

// ReadNPZ reads what WriteNPZ wrote, from an archive of size bytes, and checks it
// as Check does. Other arrays in the archive are let be. Errors name the array
// and what was expected of it.
func ReadNPZ(r io.ReaderAt, size int64) (m *Model, meta map[string]string, err error) {
	arrays, err := npz.Read(r, size)
	if err != nil {
		return nil, nil, fmt.Errorf("gwf: reading a model: %w", err)
	}
	f := file{arrays: map[string]*npz.Array{}}
	for k := range arrays {
		f.arrays[arrays[k].Name] = &arrays[k]
	}
	if v := f.get("schema", 0, false); f.err == nil && (len(v.Int) != 1 || v.Int[0] != schema) {
		f.fail("schema", fmt.Sprintf("expected the integer %d; was it written by a later version?", schema))
	}
	alpha, orders := f.floats("alpha", 0, false), f.get("orders", 1, false)
	keys, values := f.get("meta_keys", 1, true), f.get("meta_values", 1, true)
	if f.err != nil {
		return nil, nil, f.err
	}
	switch {
	case orders.Int == nil:
		f.fail("orders", "does not hold integers")
	case len(orders.Int) == 0:
		f.fail("orders", "is empty, expected the order of every atom")
	case (keys == nil) != (values == nil) || keys != nil && (keys.Text == nil || values.Text == nil || len(keys.Text) != len(values.Text)):
		f.fail("meta_keys", "does not pair with meta_values: expected as many strings in both")
	}
	m = &Model{Alpha: alpha.Float[0]}
	for k, n := range orders.Int {
		m.Atoms = append(m.Atoms, f.atom(k, n, m))
		if f.err != nil {
			return nil, nil, f.err
		}
	}
	if f.err != nil {
		return nil, nil, f.err
	}
	if err := m.Check(); err != nil {
		return nil, nil, err
	}
	meta = map[string]string{}
	if keys != nil {
		for i, k := range keys.Text {
			meta[k] = values.Text[i]
		}
	}
	return m, meta, nil
}

// file looks arrays up and keeps the first error.
type file struct {
	arrays map[string]*npz.Array
	err    error
}

// atom reads atom k of order n; the first one sets the model's dimension.
func (f *file) atom(k, n int, m *Model) Atom {
	nameC, nameA, nameP := fmt.Sprint("C", k), fmt.Sprint("A", k), fmt.Sprint("p", k)
	c, a, p := f.floats(nameC, 2, false), f.floats(nameA, 2, true), f.floats(nameP, 1, false)
	if f.err != nil {
		return Atom{}
	}
	out := Atom{N: n, C: c.Float, P: p.Float}
	switch {
	case n < 1 || c.Shape[0] != n || c.Shape[1] != n:
		f.fail(nameC, fmt.Sprintf("has shape %v, expected n x n with n = orders[%d] = %d >= 1", c.Shape, k, n))
	case p.Shape[0] != n:
		f.fail(nameP, fmt.Sprintf("has %d entries, expected the order %d", p.Shape[0], n))
	case a != nil && (a.Shape[0] != n || a.Shape[1] < 1):
		f.fail(nameA, fmt.Sprintf("has shape %v, expected %d x D with D >= 1", a.Shape, n))
	}
	if f.err != nil {
		return Atom{}
	}
	d := 0
	if a != nil {
		d, out.A = a.Shape[1], a.Float
	}
	if k == 0 {
		m.D = d
	} else if d != m.D {
		f.fail(nameA, fmt.Sprintf("gives dimension %d (0 if it is missing), expected %d as A0", d, m.D))
	}
	return out
}

func (f *file) fail(name, problem string) {
	if f.err == nil {
		f.err = fmt.Errorf("gwf: reading a model: array %q: %s", name, problem)
	}
}

func (f *file) get(name string, dims int, optional bool) *npz.Array {
	a := f.arrays[name]
	if a == nil {
		if !optional {
			f.fail(name, "is missing")
		}
		return nil
	}
	if len(a.Shape) != dims {
		f.fail(name, fmt.Sprintf("has %d dimensions, expected %d", len(a.Shape), dims))
	}
	return a
}

func (f *file) floats(name string, dims int, optional bool) *npz.Array {
	a := f.get(name, dims, optional)
	if a != nil && a.Float == nil {
		f.fail(name, "does not hold floats")
	}
	return a
}
