// Package npz writes and reads NumPy's npz archives: named n-dimensional arrays of
// float64, int64 and text.
//
// Writing is deterministic: equal arrays give equal bytes, on every machine and at any
// time (entries are stored uncompressed, with a fixed date, in the order given).
// numpy.load reads what Write writes; Read reads what numpy.savez and
// numpy.savez_compressed write for the dtypes '<f8', '<i8' and '<U*' in C order.
// Format: NEP 1, https://numpy.org/neps/nep-0001-npy-format.html.
package npz

import (
	"fmt"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// Array is one named array in row-major (C) order. Exactly one of Float, Int and Text is
// non-nil (an array without elements has an empty, non-nil one) and its length is the
// product of Shape.
type Array struct {
	Name  string    // key in numpy's mapping, without ".npy"
	Shape []int     // extents; empty for a scalar, which has one element
	Float []float64 // dtype '<f8'; every bit pattern survives, NaN and infinities too
	Int   []int     // dtype '<i8'
	Text  []string  // dtype '<U*'; valid UTF-8 that does not end in NUL, which numpy would cut off
}

// Scalar returns the 0-dimensional text array that holds s, the form metadata are kept in.
func Scalar(name, s string) Array { return Array{Name: name, Text: []string{s}} }

// Vector returns the 1-dimensional array of these elements.
func Vector[T float64 | int | string](name string, x []T) Array {
	return Arrays(SlotOf(name, &x, len(x)))[0]
}

// Find returns the array of that name, or an error that names it and those there are.
func Find(arrays []Array, name string) (*Array, error) {
	names := make([]string, len(arrays))
	for k := range arrays {
		if arrays[k].Name == name {
			return &arrays[k], nil
		}
		names[k] = arrays[k].Name
	}
	return nil, fmt.Errorf("npz: no array %q; there are %q", name, names)
}

// maxText bounds the bytes of one text array: its entries are padded to the longest, so
// that one long string among many would otherwise blow up silently.
const maxText = 1 << 30

// check reports why a cannot be written.
func (a *Array) check() error {
	if a.Name == "" || !utf8.ValidString(a.Name) || strings.ContainsAny(a.Name, "/\\\x00") || strings.HasSuffix(a.Name, ".npy") {
		return fmt.Errorf("npz: array name %q: want valid UTF-8 without slashes, NUL and the ending .npy, not empty", a.Name)
	}
	kinds, length := 0, 0
	if a.Float != nil {
		kinds, length = kinds+1, len(a.Float)
	}
	if a.Int != nil {
		kinds, length = kinds+1, len(a.Int)
	}
	if a.Text != nil {
		kinds, length = kinds+1, len(a.Text)
	}
	if kinds != 1 {
		return fmt.Errorf("npz: array %q: %d of Float, Int and Text are set, want exactly one", a.Name, kinds)
	}
	if count, ok := product(a.Shape); !ok || count != length {
		return fmt.Errorf("npz: array %q: %d elements for shape %v", a.Name, length, a.Shape)
	}
	if len(a.Shape) > maxDims {
		return fmt.Errorf("npz: array %q: %d dimensions, numpy takes at most %d", a.Name, len(a.Shape), maxDims)
	}
	return nil
}

// maxDims is NumPy's own bound on the number of dimensions (before NumPy 2).
const maxDims = 32

// product returns the number of elements of a shape, and whether it is one: no negative
// extent, no overflow (not even in a shape that has a zero further on).
func product(shape []int) (int, bool) {
	count := uint64(1)
	for _, e := range shape {
		if e < 0 {
			return 0, false
		}
		if e == 0 {
			count = 0
		}
		hi, lo := bits.Mul64(count, uint64(e))
		if hi != 0 || lo > 1<<62 {
			return 0, false
		}
		count = lo
	}
	if uint64(int(count)) != count {
		return 0, false
	}
	return int(count), true
}
