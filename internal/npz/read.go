package npz

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

const magic = "\x93NUMPY"

// The unpacked size of an archive is bounded by maxRatio times the file's plus slack, whatever
// its directory claims, and a text takes at most a few times its unpacked bytes: memory stays
// proportional to the input.
const (
	maxRatio  = 64
	slack     = 1 << 20
	maxHeader = 1 << 16
)

// ErrFormat is wrapped by every error of Read that is due to the content, as against the
// reading of it.
var ErrFormat = errors.New("not a usable npz")

// Read reads every array of the npz archive of the given size in bytes, in the order of the
// archive. Sizes are checked against the data before anything of their size is allocated, and
// each array against its CRC; malformed input gives an error, never a panic.
//
// Errors name the array and the reason: other dtypes than '<f8', '<i8' and '<U*', Fortran order,
// entries that are no arrays, sizes that do not agree, archives that unpack to more than 64 times
// their size plus 1 MiB.
func Read(r io.ReaderAt, size int64) ([]Array, error) {
	if r == nil {
		return nil, fmt.Errorf("npz: %w: the reader is nil", ErrFormat)
	}
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("npz: %w: %w", ErrFormat, err)
	}
	budget := uint64(size)*maxRatio + slack
	arrays := make([]Array, 0, len(z.File))
	seen := make(map[string]bool, len(z.File))
	for _, f := range z.File {
		name, ok := strings.CutSuffix(f.Name, ".npy")
		if !ok || seen[name] {
			return nil, fmt.Errorf("npz: %w: entry %q is no array or appears twice", ErrFormat, f.Name)
		}
		seen[name] = true
		if f.UncompressedSize64 > budget {
			return nil, fmt.Errorf("npz: %w: array %q: unpacks to more than %d times the file's size", ErrFormat, name, maxRatio)
		}
		budget -= f.UncompressedSize64
		a, err := readArray(f)
		if err != nil {
			return nil, fmt.Errorf("npz: %w: array %q: %w", ErrFormat, name, err)
		}
		a.Name = name
		if err := a.check(); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrFormat, err)
		}
		arrays = append(arrays, a)
	}
	return arrays, nil
}

func readArray(f *zip.File) (Array, error) {
	rc, err := f.Open()
	if err != nil {
		return Array{}, err
	}
	defer rc.Close()

	var head [12]byte
	if _, err := io.ReadFull(rc, head[:10]); err != nil {
		return Array{}, err
	}
	if string(head[:6]) != magic {
		return Array{}, errors.New("does not begin as an npy file does")
	}
	n, used := int(binary.LittleEndian.Uint16(head[8:10])), uint64(10)
	switch head[6] {
	case 1:
	case 2, 3:
		if _, err := io.ReadFull(rc, head[10:]); err != nil {
			return Array{}, err
		}
		long := binary.LittleEndian.Uint32(head[8:12])
		if long > maxHeader {
			return Array{}, fmt.Errorf("npy header of %d bytes, more than %d", long, maxHeader)
		}
		n, used = int(long), 12
	default:
		return Array{}, fmt.Errorf("npy version %d.%d, want 1 to 3", head[6], head[7])
	}
	header := make([]byte, n)
	if _, err := io.ReadFull(rc, header); err != nil {
		return Array{}, err
	}
	used += uint64(n)

	descr, shape, err := parseHeader(string(header))
	if err != nil {
		return Array{}, err
	}
	count, ok := product(shape)
	if !ok || len(shape) > maxDims {
		return Array{}, fmt.Errorf("shape %v is too large", shape)
	}
	width := uint64(8)
	if text, ok := strings.CutPrefix(descr, "<U"); ok {
		chars, err := strconv.ParseUint(text, 10, 28)
		if err != nil || chars == 0 {
			return Array{}, fmt.Errorf("dtype %q: want '<U1' or wider", descr)
		}
		width = 4 * chars
	} else if descr != "<f8" && descr != "<i8" {
		return Array{}, fmt.Errorf("dtype %q: want '<f8', '<i8' or '<U*'", descr)
	}
	if f.UncompressedSize64 < used || uint64(count) > (f.UncompressedSize64-used)/width || uint64(count)*width != f.UncompressedSize64-used {
		return Array{}, fmt.Errorf("shape %v of %s does not fit the %d bytes of the entry", shape, descr, f.UncompressedSize64)
	}

	// The stated size can still exceed the content of a deflated stream. So the bytes are read
	// first, into a growing buffer, and then the elements are allocated.
	data, err := io.ReadAll(rc) // checks the CRC at its end; zip stops at UncompressedSize64
	if err != nil {
		return Array{}, err
	}
	if uint64(len(data)) != uint64(count)*width {
		return Array{}, fmt.Errorf("%d bytes for shape %v of %s", len(data), shape, descr)
	}
	a := Array{Shape: shape}
	switch descr {
	case "<f8":
		a.Float = make([]float64, count)
		for i := range a.Float {
			a.Float[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
		}
	case "<i8":
		a.Int = make([]int, count)
		for i := range a.Int {
			x := int64(binary.LittleEndian.Uint64(data[8*i:]))
			if int64(int(x)) != x {
				return Array{}, fmt.Errorf("element %d = %d exceeds this machine's int", i, x)
			}
			a.Int[i] = int(x)
		}
	default:
		a.Text = make([]string, count)
		for i := range a.Text {
			if a.Text[i], err = decodeText(data[uint64(i)*width : uint64(i+1)*width]); err != nil {
				return Array{}, fmt.Errorf("element %d: %w", i, err)
			}
		}
	}
	return a, nil
}

// decodeText reads NUL-padded UTF-32.
func decodeText(data []byte) (string, error) {
	for len(data) > 0 && binary.LittleEndian.Uint32(data[len(data)-4:]) == 0 {
		data = data[:len(data)-4]
	}
	var s strings.Builder
	for ; len(data) > 0; data = data[4:] {
		c := binary.LittleEndian.Uint32(data)
		if c > utf8.MaxRune || !utf8.ValidRune(rune(c)) {
			return "", fmt.Errorf("%#x is no Unicode character", c)
		}
		s.WriteRune(rune(c))
	}
	return s.String(), nil
}

// npyHeader is the dictionary as numpy (and Write) renders it: keys sorted.
var npyHeader = regexp.MustCompile(`^\{'descr': '([^']*)', 'fortran_order': (True|False), 'shape': \(([0-9L, ]*)\),? *\} *\n?$`)

func parseHeader(h string) (descr string, shape []int, err error) {
	m := npyHeader.FindStringSubmatch(h)
	if m == nil {
		return "", nil, fmt.Errorf("npy header %.100q not understood", h)
	}
	shape = []int{}
	list := strings.TrimSpace(m[3])
	list = strings.TrimSuffix(list, ",")
	if list != "" {
		for part := range strings.SplitSeq(list, ",") {
			if len(shape) == maxDims {
				return "", nil, fmt.Errorf("more than %d dimensions", maxDims)
			}
			e, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(part), "L")) // Python 2 wrote 3L
			if err != nil {
				return "", nil, fmt.Errorf("shape (%.100s): %w", m[3], err)
			}
			shape = append(shape, e)
		}
	}
	if m[2] == "True" {
		return "", nil, errors.New("saved in Fortran order; save numpy.ascontiguousarray of it")
	}
	return m[1], shape, nil
}
