// Package fuzztest helps fuzz targets: it builds archives out of text that a mutation leaves
// readable, and holds seed corpora to what their names say.
package fuzztest

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ogdl/internal/npz"
)

// Archive builds the npz archive that a recipe asks for, good or bad:
//
//	recipe = { line "\n" }                       one array each, other lines say nothing
//	line   = name " " kind { " " extent } ": " { value " " }
//
// kind is f (floats), i (integers), s (texts, in Go's double quotes) or any dtype, whose elements
// are then floats. Values that are too few for the extents are repeated up to 4096 elements; if
// they are too many, or the extents ask for more, the array claims a shape that it does not have.
// Texts that are not numbers count as 0. So a mutated recipe is an archive with good checksums:
// mutating archives themselves tests little but CRC-32.
func Archive(recipe []byte) []byte {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for line := range strings.SplitSeq(string(recipe), "\n") {
		head, values, ok := strings.Cut(line, ":")
		if fields := strings.Fields(head); ok && len(fields) >= 2 {
			w, err := z.CreateHeader(&zip.FileHeader{Name: fields[0] + ".npy", Method: zip.Store})
			if err == nil {
				w.Write(npy(fields[1], fields[2:], values)) // into memory: no error
			}
		}
	}
	if err := z.Close(); err != nil {
		panic("fuzztest: " + err.Error())
	}
	return out.Bytes()
}

// maxRepeated bounds the elements that repetition makes.
const maxRepeated = 4096

// npy is the file of one array.
func npy(kind string, extents []string, list string) []byte {
	count := 1
	for _, e := range extents {
		n, err := strconv.Atoi(e)
		if err != nil || n < 0 || n > maxRepeated || count*n > maxRepeated {
			count = 0 // as they are
			break
		}
		count *= n
	}
	repeat := func(given int) (times int) {
		if given == 0 || given >= count {
			return given
		}
		return count
	}
	var data []byte
	descr := kind
	switch kind {
	case "s":
		texts := unquote(list)
		width := 1
		for _, s := range texts {
			width = max(width, utf8.RuneCountInString(s))
		}
		descr = fmt.Sprintf("<U%d", width)
		for k := range repeat(len(texts)) {
			end := len(data) + 4*width
			for _, r := range texts[k%len(texts)] {
				data = binary.LittleEndian.AppendUint32(data, uint32(r))
			}
			data = append(data, make([]byte, end-len(data))...)
		}
	case "i":
		descr = "<i8"
		words := strings.Fields(list)
		for k := range repeat(len(words)) {
			x, _ := strconv.ParseInt(words[k%len(words)], 10, 64)
			data = binary.LittleEndian.AppendUint64(data, uint64(x))
		}
	default:
		if kind == "f" {
			descr = "<f8"
		}
		words := strings.Fields(list)
		for k := range repeat(len(words)) {
			x, _ := strconv.ParseFloat(words[k%len(words)], 64)
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
		}
	}
	shape := strings.Join(extents, ", ")
	if len(extents) == 1 {
		shape += ","
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", descr, shape)
	out := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header)))
	return append(append(out, header...), data...)
}

// unquote reads quoted texts up to the first that is none.
func unquote(list string) []string {
	var out []string
	for {
		list = strings.TrimLeft(list, " ")
		quoted, err := strconv.QuotedPrefix(list)
		if err != nil {
			return out
		}
		s, err := strconv.Unquote(quoted)
		if err != nil {
			return out
		}
		out = append(out, s)
		list = list[len(quoted):]
	}
}

// Recipe is the recipe of an archive, which must be one that [npz.Read] takes, with names
// without blanks and colons. Of a NaN only that it is one is kept.
func Recipe(archive []byte) ([]byte, error) {
	arrays, err := npz.Read(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for _, a := range arrays {
		kind, words := "f", make([]string, 0, len(a.Float)+len(a.Int)+len(a.Text))
		for _, x := range a.Float {
			words = append(words, strconv.FormatFloat(x, 'g', -1, 64))
		}
		switch {
		case a.Int != nil:
			kind = "i"
			for _, x := range a.Int {
				words = append(words, strconv.Itoa(x))
			}
		case a.Text != nil:
			kind = "s"
			for _, x := range a.Text {
				words = append(words, strconv.Quote(x))
			}
		}
		head := []string{a.Name, kind}
		for _, e := range a.Shape {
			head = append(head, strconv.Itoa(e))
		}
		fmt.Fprintln(&out, strings.Join(slices.Concat([]string{strings.Join(head, " ") + ":"}, words), " "))
	}
	return out.Bytes(), nil
}
