package gdl

import (
	"io"
	"slices"

	"ogdl/internal/npz"
)

// WriteNPZ writes the dictionary as Dictionary.WriteNPZ does, with the atoms' node
// weights in the place of shared ones:
//
//	h           S x N node weights (there is no q)
//
// so that neither reader takes the other's files.
func (d *ExtendedDictionary) WriteNPZ(w io.Writer, meta map[string]string) error {
	if err := d.Check(); err != nil {
		return err
	}
	h := npz.Array{Name: "h", Shape: []int{d.S, d.N}, Float: slices.Concat(d.H...)}
	return writeNPZ(w, "a dictionary", d.plain(), h, meta)
}

// ReadExtendedNPZ reads what ExtendedDictionary.WriteNPZ wrote, from an archive of
// size bytes, and checks it as Check does. Other arrays in the archive are let be,
// but for shared node weights q, which are an error. Errors name the array and what
// was expected of it.
func ReadExtendedNPZ(r io.ReaderAt, size int64) (d *ExtendedDictionary, meta map[string]string, err error) {
	f, err := npz.Open(r, size, readingDictionary)
	if err != nil {
		return nil, nil, err
	}
	if f.Has("q") {
		f.Fail("q", "was not expected: this is a dictionary with shared node weights (ReadNPZ)")
	}
	h := f.Floats("h", 2, false)
	p, meta := readAtoms(f)
	if f.Err() == nil && (h.Shape[0] != p.S || h.Shape[1] != p.N) {
		f.Fail("h", "has shape %v, expected %d x %d as C has it", h.Shape, p.S, p.N)
	}
	if f.Err() != nil {
		return nil, nil, f.Err()
	}
	d = &ExtendedDictionary{S: p.S, N: p.N, D: p.D, Alpha: p.Alpha, C: p.C, A: p.A, H: split(h.Float, p.S)}
	if err := d.Check(); err != nil {
		return nil, nil, err
	}
	return d, meta, nil
}
