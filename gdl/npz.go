package gdl

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"

	"ogdl/internal/disk"
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
//	q           N node weights that all atoms share; or
//	h           S x N node weights of the atoms' own
//	alpha       float
//	meta_keys, meta_values   strings: the metadata, sorted by key
//
// Equal dictionaries with equal metadata give equal bytes. meta may be nil; its keys and values must
// be UTF-8 and must not end with a NUL. Other metadata are an error, and so are Check's and the
// writer's errors.
func (d *Dictionary) WriteNPZ(w io.Writer, meta map[string]string) error {
	arrays, err := d.arrays(meta)
	if err != nil {
		return err
	}
	return write(w, "a dictionary", arrays)
}

// write writes arrays. what names the content of the file in errors.
func write(w io.Writer, what string, arrays []npz.Array) error {
	if err := npz.Write(w, arrays); err != nil {
		return fmt.Errorf("gdl: writing %s: %w", what, err)
	}
	return nil
}

// Arrays returns the arrays that WriteNPZ writes, without metadata. They share the node weights q with
// the dictionary. The error is Check's.
func (d *Dictionary) Arrays() ([]npz.Array, error) { return d.arrays(nil) }

func (d *Dictionary) arrays(meta map[string]string) ([]npz.Array, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	arrays := []npz.Array{
		{Name: "schema", Int: []int{schema}},
		{Name: "C", Shape: []int{d.S, d.N, d.N}, Float: slices.Concat(d.C...)},
	}
	if d.D > 0 {
		arrays = append(arrays, npz.Array{Name: "A", Shape: []int{d.S, d.N, d.D}, Float: slices.Concat(d.A...)})
	}
	weights := npz.Array{Name: "q", Shape: []int{d.N}, Float: d.Q}
	if d.H != nil {
		weights = npz.Array{Name: "h", Shape: []int{d.S, d.N}, Float: slices.Concat(d.H...)}
	}
	arrays = append(arrays, weights, npz.Array{Name: "alpha", Float: []float64{d.Alpha}})
	return append(arrays, npz.Meta(meta)...), nil
}

// ReadNPZ reads what WriteNPZ wrote, from an archive of size bytes, and checks it
// as Check does. Other arrays in the archive are let be, so that a checkpoint of
// [Online] is read as its dictionary. Errors name the array
// and what was expected of it.
func ReadNPZ(r io.ReaderAt, size int64) (d *Dictionary, meta map[string]string, err error) {
	f, err := npz.Open(r, size, readingDictionary)
	if err != nil {
		return nil, nil, err
	}
	return readDictionary(f)
}

// readingDictionary begins errors about dictionaries.
const readingDictionary = "gdl: reading a dictionary"

// FromArrays is ReadNPZ for arrays that have been read, which the dictionary then shares.
func FromArrays(arrays []npz.Array) (*Dictionary, error) {
	d, _, err := readDictionary(npz.Among(arrays, readingDictionary))
	return d, err
}

// SaveNPZ writes the dictionary to a file, which appears whole or not at all: [Dictionary.WriteNPZ]
// with a path and its rules for meta. It makes folders that are missing.
func (d *Dictionary) SaveNPZ(path string, meta map[string]string) error {
	var file bytes.Buffer
	if err := d.WriteNPZ(&file, meta); err != nil {
		return err
	}
	return disk.Put(disk.OS{}, disk.Data{Path: path, Bytes: file.Bytes()})
}

// LoadNPZ reads the dictionary of a file: [ReadNPZ] with a path, which errors name.
func LoadNPZ(path string) (d *Dictionary, meta map[string]string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("gdl: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, fmt.Errorf("gdl: %w", err)
	}
	if d, meta, err = ReadNPZ(f, info.Size()); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return d, meta, nil
}

func readDictionary(f *npz.Fields) (*Dictionary, map[string]string, error) {
	f.Schema(schema)
	c, a := f.Floats("C", 3, false), f.Floats("A", 3, true)
	q, h := f.Floats("q", 1, true), f.Floats("h", 2, true)
	alpha, meta := f.Floats("alpha", 0, false), f.Meta()
	if f.Err() != nil {
		return nil, nil, f.Err()
	}
	d := &Dictionary{S: c.Shape[0], N: c.Shape[1], Alpha: alpha.Float[0]}
	switch {
	case d.S < 1 || d.N < 1 || c.Shape[2] != d.N:
		f.Fail("C", "has shape %v, expected S x N x N with S, N >= 1", c.Shape)
	case a != nil && (a.Shape[0] != d.S || a.Shape[1] != d.N || a.Shape[2] < 1):
		f.Fail("A", "has shape %v, expected %d x %d x D with D >= 1", a.Shape, d.S, d.N)
	case q == nil && h == nil:
		f.Fail("q", "is missing, and so is \"h\": expected node weights, shared or of the atoms' own")
	case q != nil && h != nil:
		f.Fail("h", "was not expected with \"q\": node weights are either shared (q) or the atoms' own (h)")
	case q != nil && len(q.Float) != d.N:
		f.Fail("q", "has %d entries, expected the order %d of C", len(q.Float), d.N)
	case h != nil && (h.Shape[0] != d.S || h.Shape[1] != d.N):
		f.Fail("h", "has shape %v, expected %d x %d as C has it", h.Shape, d.S, d.N)
	}
	if f.Err() != nil {
		return nil, nil, f.Err()
	}
	d.C = split(c.Float, d.S)
	if a != nil {
		d.D, d.A = a.Shape[2], split(a.Float, d.S)
	}
	if q != nil {
		d.Q = q.Float
	} else {
		d.H = split(h.Float, d.S)
	}
	if err := d.Check(); err != nil {
		return nil, nil, err
	}
	return d, meta, nil
}

// split cuts x into s slices of equal length.
func split(x []float64, s int) [][]float64 {
	out, n := make([][]float64, s), len(x)/s
	for k := range out {
		out[k] = x[k*n : (k+1)*n : (k+1)*n]
	}
	return out
}
