package npz

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

// Names of the arrays that hold metadata: as many strings in both, sorted by key.
const (
	metaKeys   = "meta_keys"
	metaValues = "meta_values"
)

// Meta returns metadata, which may be nil, as the two arrays that [Fields.Meta] reads.
func Meta(meta map[string]string) []Array {
	keys := slices.Sorted(maps.Keys(meta))
	values := make([]string, len(keys))
	for i, k := range keys {
		values[i] = meta[k]
	}
	return []Array{
		{Name: metaKeys, Shape: []int{len(keys)}, Text: append([]string{}, keys...)},
		{Name: metaValues, Shape: []int{len(values)}, Text: values},
	}
}

// Fields looks the arrays of an archive up by name and keeps the first mistake: a reader
// asks for all it needs and then looks at Err. Arrays that nobody asks for are let be.
type Fields struct {
	what   string
	arrays map[string]*Array
	err    error
}

// Open reads the archive of the given size in bytes, as [Read] does. what, as in "gdl: reading a
// dictionary", begins the text of every error.
func Open(r io.ReaderAt, size int64, what string) (*Fields, error) {
	arrays, err := Read(r, size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return Among(arrays, what), nil
}

// Among looks up arrays that have been read already.
func Among(arrays []Array, what string) *Fields {
	f := &Fields{what: what, arrays: make(map[string]*Array, len(arrays))}
	for k := range arrays {
		f.arrays[arrays[k].Name] = &arrays[k]
	}
	return f
}

// Err is the first mistake, or nil.
func (f *Fields) Err() error { return f.err }

// Has reports whether there is an array of that name.
func (f *Fields) Has(name string) bool { return f.arrays[name] != nil }

// Fail records an error about an array; only the first is kept.
func (f *Fields) Fail(name, format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf("%s: array %q: %s", f.what, name, fmt.Sprintf(format, args...))
	}
}

// Get returns an array of so many dimensions. One that is missing is a mistake unless it is
// optional, and nil either way; one of other dimensions is a mistake and returned as it is.
func (f *Fields) Get(name string, dims int, optional bool) *Array {
	a := f.arrays[name]
	if a == nil {
		if !optional {
			f.Fail(name, "is missing")
		}
		return nil
	}
	if len(a.Shape) != dims {
		f.Fail(name, "has %d dimensions, expected %d", len(a.Shape), dims)
	}
	return a
}

// Floats is Get of an array that must hold floats.
func (f *Fields) Floats(name string, dims int, optional bool) *Array {
	a := f.Get(name, dims, optional)
	if a != nil && a.Float == nil {
		f.Fail(name, "does not hold floats")
	}
	return a
}

// FloatsOf returns the elements of an array of floats of the given shape; nil after
// any mistake.
func (f *Fields) FloatsOf(name string, shape ...int) []float64 {
	a := f.Floats(name, len(shape), false)
	if !f.shaped(a, name, shape) {
		return nil
	}
	return a.Float
}

// IntsOf returns the elements of an array of integers of the given shape; nil after
// any mistake.
func (f *Fields) IntsOf(name string, shape ...int) []int {
	a := f.Get(name, len(shape), false)
	if a != nil && a.Int == nil {
		f.Fail(name, "does not hold integers")
	}
	if !f.shaped(a, name, shape) {
		return nil
	}
	return a.Int
}

// shaped reports another shape, and reports whether all has gone well so far.
func (f *Fields) shaped(a *Array, name string, shape []int) bool {
	if f.err == nil && !slices.Equal(a.Shape, shape) {
		f.Fail(name, "has shape %v, expected %v", a.Shape, shape)
	}
	return f.err == nil
}

// Schema wants the scalar "schema" to be the given version.
func (f *Fields) Schema(version int) {
	a := f.Get("schema", 0, false)
	if f.err == nil && (len(a.Int) != 1 || a.Int[0] != version) {
		f.Fail("schema", "expected the integer %d; was it written by a later version?", version)
	}
}

// Meta returns the metadata, empty where there are none or after any mistake.
func (f *Fields) Meta() map[string]string {
	meta := map[string]string{}
	keys, values := f.Get(metaKeys, 1, true), f.Get(metaValues, 1, true)
	switch {
	case f.err != nil || keys == nil && values == nil:
		return meta
	case keys == nil || values == nil || keys.Text == nil || values.Text == nil || len(keys.Text) != len(values.Text):
		f.Fail(metaKeys, "does not pair with %s: expected as many strings in both", metaValues)
		return meta
	}
	for i, k := range keys.Text {
		meta[k] = values.Text[i]
	}
	return meta
}
