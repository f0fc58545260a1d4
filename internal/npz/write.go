package npz

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// firstDay is 1980-01-01 in the DOS date format, the first day that zip knows and the one
// numpy writes as well.
const firstDay = 1<<5 | 1

// Write writes the arrays, in their order, as one npz archive. Names must be distinct. It
// holds one array's bytes in memory besides the arrays themselves.
//
// Errors: an array that breaks the rules of Array (nothing of it is written, though earlier
// arrays may have been), and errors of w.
func Write(w io.Writer, arrays []Array) error {
	seen := make(map[string]bool, len(arrays))
	for k := range arrays {
		if err := arrays[k].check(); err != nil {
			return err
		}
		if seen[arrays[k].Name] {
			return fmt.Errorf("npz: array name %q appears twice", arrays[k].Name)
		}
		seen[arrays[k].Name] = true
	}
	z := zip.NewWriter(w)
	var data []byte
	for k := range arrays {
		var err error
		if data, err = encode(data[:0], &arrays[k]); err != nil {
			return err
		}
		// CreateRaw with sizes known beforehand: no data descriptors, so that streaming
		// readers can follow, and every header byte is set here.
		h := &zip.FileHeader{
			Name:               arrays[k].Name + ".npy",
			CreatorVersion:     20,
			ReaderVersion:      20,
			Flags:              0x800, // the name is UTF-8
			Method:             zip.Store,
			CRC32:              crc32.ChecksumIEEE(data),
			CompressedSize64:   uint64(len(data)),
			UncompressedSize64: uint64(len(data)),
		}
		//lint:ignore SA1019 CreateRaw writes this field; Modified is for CreateHeader alone.
		h.ModifiedDate = firstDay
		f, err := z.CreateRaw(h)
		if err != nil {
			return fmt.Errorf("npz: array %q: %w", arrays[k].Name, err)
		}
		if _, err := f.Write(data); err != nil {
			return fmt.Errorf("npz: array %q: %w", arrays[k].Name, err)
		}
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("npz: %w", err)
	}
	return nil
}

// encode appends the npy form of a: magic, version 1.0, header padded to 64 bytes, elements.
func encode(dst []byte, a *Array) ([]byte, error) {
	width, descr := 0, ""
	switch {
	case a.Float != nil:
		descr = "<f8"
	case a.Int != nil:
		descr = "<i8"
	default:
		for i, s := range a.Text {
			if !utf8.ValidString(s) || strings.HasSuffix(s, "\x00") {
				return nil, fmt.Errorf("npz: array %q: text %d (%q): want valid UTF-8 that does not end in NUL", a.Name, i, s)
			}
			width = max(width, utf8.RuneCountInString(s))
		}
		width = max(width, 1) // numpy has no '<U0'
		if len(a.Text) > 0 && width > maxText/4/len(a.Text) {
			return nil, fmt.Errorf("npz: array %q: %d texts padded to %d characters exceed %d bytes", a.Name, len(a.Text), width, maxText)
		}
		descr = "<U" + strconv.Itoa(width)
	}

	var h strings.Builder
	fmt.Fprintf(&h, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr)
	for k, e := range a.Shape {
		if k > 0 {
			h.WriteByte(' ')
		}
		h.WriteString(strconv.Itoa(e))
		if k < len(a.Shape)-1 || k == 0 { // a tuple of one needs its comma
			h.WriteByte(',')
		}
	}
	h.WriteString("), }")
	pad := (64 - (len(magic)+4+h.Len()+1)%64) % 64
	h.WriteString(strings.Repeat(" ", pad))
	h.WriteByte('\n')

	dst = append(dst, magic...)
	dst = append(dst, 1, 0)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(h.Len()))
	dst = append(dst, h.String()...)
	for _, x := range a.Float {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(x))
	}
	for _, x := range a.Int {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(int64(x)))
	}
	for _, s := range a.Text {
		n := 0
		for _, r := range s {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(r))
			n++
		}
		for ; n < width; n++ {
			dst = binary.LittleEndian.AppendUint32(dst, 0)
		}
	}
	return dst, nil
}

// Pack returns arrays as one npz; nil for none.
func Pack(arrays []Array) ([]byte, error) {
	if len(arrays) == 0 {
		return nil, nil
	}
	var b bytes.Buffer
	if err := Write(&b, arrays); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
