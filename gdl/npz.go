package gdl

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"ogdl/internal/npz"
)

// schema is the version of the file that WriteNPZ writes.
const schema = 1

// WriteNPZ writes the dictionary as an npz archive that numpy.load reads, without
// pickling:
//
//	schema      int, 1
//	C           S x N x N structures
//	A           S x N x D features (absent for GW)
//	q           N node weights
//	alpha       float
//	meta_keys, meta_values   strings: the metadata, sorted by key
//
// Equal dictionaries with equal metadata give equal bytes. meta may be nil. The
// error is the writer's, or that of a dictionary that Check refuses.
func (d *Dictionary) WriteNPZ(w io.Writer, meta map[string]string) error {
	if err := d.Check(); err != nil {
		return err
	}
	return writeNPZ(w, d, npz.Array{Name: "q", Shape: []int{d.N}, Float: d.Q}, meta)
}

// writeNPZ writes the atoms of a checked dictionary with the given node weights,
// and what else is given.
func writeNPZ(w io.Writer, d *Dictionary, weights npz.Array, meta map[string]string, more ...npz.Array) error {
	arrays := []npz.Array{
		{Name: "schema", Int: []int{schema}},
		{Name: "C", Shape: []int{d.S, d.N, d.N}, Float: slices.Concat(d.C...)},
	}
	if d.D > 0 {
		arrays = append(arrays, npz.Array{Name: "A", Shape: []int{d.S, d.N, d.D}, Float: slices.Concat(d.A...)})
	}
	keys := slices.Sorted(maps.Keys(meta))
	values := make([]string, len(keys))
	for i, k := range keys {
		values[i] = meta[k]
	}
	arrays = append(arrays,
		weights,
		npz.Array{Name: "alpha", Float: []float64{d.Alpha}},
		npz.Array{Name: "meta_keys", Shape: []int{len(keys)}, Text: append([]string{}, keys...)},
		npz.Array{Name: "meta_values", Shape: []int{len(values)}, Text: values},
	)
	if err := npz.Write(w, append(arrays, more...)); err != nil {
		return fmt.Errorf("gdl: writing a dictionary: %w", err)
	}
	return nil
}

// ReadNPZ reads what WriteNPZ wrote, from an archive of size bytes, and checks it
// as Check does. Other arrays in the archive are let be. Errors name the array
// and what was expected of it.
func ReadNPZ(r io.ReaderAt, size int64) (d *Dictionary, meta map[string]string, err error) {
	f, err := openNPZ(r, size)
	if err != nil {
		return nil, nil, err
	}
	return f.plain()
}

// plain reads a dictionary with shared node weights, checked.
func (f *file) plain() (d *Dictionary, meta map[string]string, err error) {
	if f.arrays["h"] != nil && f.arrays["q"] == nil {
		f.fail("q", "is missing; with \"h\" in its place this is a dictionary of the extended model (ReadExtendedNPZ)")
	}
	q := f.floats("q", 1, false)
	d, meta = f.dictionary()
	if f.err == nil && len(q.Float) != d.N {
		f.fail("q", fmt.Sprintf("has %d entries, expected the order %d of C", len(q.Float), d.N))
	}
	if f.err != nil {
		return nil, nil, f.err
	}
	d.Q = q.Float
	if err := d.Check(); err != nil {
		return nil, nil, err
	}
	return d, meta, nil
}

func openNPZ(r io.ReaderAt, size int64) (*file, error) {
	arrays, err := npz.Read(r, size)
	if err != nil {
		return nil, fmt.Errorf("gdl: reading a dictionary: %w", err)
	}
	f := &file{arrays: map[string]*npz.Array{}}
	for k := range arrays {
		f.arrays[arrays[k].Name] = &arrays[k]
	}
	return f, nil
}

// dictionary reads everything but the node weights.
func (f *file) dictionary() (d *Dictionary, meta map[string]string) {
	if v := f.get("schema", 0, false); f.err == nil && (len(v.Int) != 1 || v.Int[0] != schema) {
		f.fail("schema", fmt.Sprintf("expected the integer %d; was it written by a later version?", schema))
	}
	c, a := f.floats("C", 3, false), f.floats("A", 3, true)
	alpha := f.floats("alpha", 0, false)
	keys, values := f.get("meta_keys", 1, true), f.get("meta_values", 1, true)
	if f.err != nil {
		return nil, nil
	}
	d = &Dictionary{S: c.Shape[0], N: c.Shape[1], Alpha: alpha.Float[0]}
	switch {
	case d.S < 1 || d.N < 1 || c.Shape[2] != d.N:
		f.fail("C", fmt.Sprintf("has shape %v, expected S x N x N with S, N >= 1", c.Shape))
	case a != nil && (a.Shape[0] != d.S || a.Shape[1] != d.N || a.Shape[2] < 1):
		f.fail("A", fmt.Sprintf("has shape %v, expected %d x %d x D with D >= 1", a.Shape, d.S, d.N))
	case (keys == nil) != (values == nil) || keys != nil && (keys.Text == nil || values.Text == nil || len(keys.Text) != len(values.Text)):
		f.fail("meta_keys", "does not pair with meta_values: expected as many strings in both")
	}
	if f.err != nil {
		return nil, nil
	}
	d.C = split(c.Float, d.S)
	if a != nil {
		d.D = a.Shape[2]
		d.A = split(a.Float, d.S)
	}
	meta = map[string]string{}
	if keys != nil {
		for i, k := range keys.Text {
			meta[k] = values.Text[i]
		}
	}
	return d, meta
}

// file looks arrays up and keeps the first error.
type file struct {
	arrays map[string]*npz.Array
	err    error
}

func (f *file) fail(name, problem string) {
	if f.err == nil {
		f.err = fmt.Errorf("gdl: reading a dictionary: array %q: %s", name, problem)
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

// split cuts x into s slices of equal length.
func split(x []float64, s int) [][]float64 {
	out, n := make([][]float64, s), len(x)/s
	for k := range out {
		out[k] = x[k*n : (k+1)*n : (k+1)*n]
	}
	return out
}
