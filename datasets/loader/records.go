package loader

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"strconv"
)

// table is one file of a data set, walked record by record. A record is a line
// that is not blank, without the spaces around it.
type table struct {
	path    string  // for messages
	data    []byte  // the unread rest, of the window where there is one
	size    int     // bytes of the whole file
	line    int     // of the current record, from 1
	records int     // so far, the current one included
	raw     []byte  // the line of the current record, as it is in the file
	end     int64   // where that line ends in the file
	window  *window // brings the rest of the file; nil where data is all of it
}

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// source is where the files of one data set are.
type source struct {
	fsys         fs.FS
	name, folder string
}

func (s *source) path(suffix string) string { return filepath.Join(s.folder, s.name+suffix) }

// stat returns the size of a file of the data set, -1 if there is none.
func (s *source) stat(suffix string) (int64, error) {
	info, err := fs.Stat(s.fsys, s.name+suffix)
	if err != nil {
		if isMissing(err) {
			if _, err := fs.Stat(s.fsys, s.name+suffix+".gz"); err == nil {
				return 0, contentError(fmt.Sprintf("%s: unpack %s.gz first (gunzip)", s.path(suffix), s.name+suffix))
			}
			return -1, nil
		}
		return 0, fmt.Errorf("%s: %w", s.path(suffix), err)
	}
	// A pipe would block, a device would never end.
	if !info.Mode().IsRegular() {
		return 0, contentError(s.path(suffix) + ": not a regular file")
	}
	return info.Size(), nil
}

// has reports whether there is such a file, whatever it holds.
func (s *source) has(suffix string) bool {
	_, err := fs.Stat(s.fsys, s.name+suffix)
	return err == nil
}

// next returns the next record, a view into the file that is valid until the
// next call, or nil at the end.
func (t *table) next() []byte {
	for {
		end := bytes.IndexByte(t.data, '\n') + 1
		if end == 0 {
			if t.window != nil && t.window.fill(t) {
				continue
			}
			// After a failed read the rest may be half a line.
			if end = len(t.data); end == 0 || t.window != nil && t.window.err != nil {
				return nil
			}
		}
		t.raw, t.data = t.data[:end], t.data[end:]
		t.end += int64(end)
		t.line++
		if record := trim(bytes.TrimSuffix(t.raw, newline)); len(record) > 0 {
			t.records++
			return record
		}
	}
}

var newline = []byte{'\n'}

// contentError is a mistake in a file that was read; other errors are failures to read.
type contentError string

func (e contentError) Error() string { return string(e) }

func (t *table) errorf(format string, args ...any) error {
	return contentError(fmt.Sprintf("%s:%d: %s", t.path, max(t.line, 1), fmt.Sprintf(format, args...)))
}

// trim removes spaces, tabs and carriage returns from both ends.
func trim(b []byte) []byte {
	for len(b) > 0 && blank(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && blank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// cut splits a record at its first comma; last reports that there was none.
func cut(record []byte) (field, rest []byte, last bool) {
	at := bytes.IndexByte(record, ',')
	if at < 0 {
		return trim(record), nil, true
	}
	return trim(record[:at]), record[at+1:], false
}

func fields(record []byte) int { return bytes.Count(record, []byte{','}) + 1 }

// show quotes a text of the file, shortened if it is long.
func show(b []byte) string {
	if len(b) > 40 {
		return strconv.Quote(string(b[:40])) + "..."
	}
	return strconv.Quote(string(b))
}

// integer parses a decimal integer, or a real that is one (1.0).
func integer(b []byte) (int, bool) {
	digits := b
	if len(digits) > 0 && (digits[0] == '-' || digits[0] == '+') {
		digits = digits[1:]
	}
	if len(digits) == 0 {
		return 0, false
	}
	v := 0
	for i, c := range digits {
		if c -= '0'; c > 9 || i == 18 {
			return integralReal(b)
		}
		v = 10*v + int(c)
	}
	if b[0] == '-' {
		v = -v
	}
	return v, true
}

func integralReal(b []byte) (int, bool) {
	x, problem := real(b)
	if problem != "" || x != math.Trunc(x) || math.Abs(x) >= 1<<53 {
		return 0, false
	}
	return int(x), true
}

// tens holds the powers of ten that float64 represents.
var tens = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// real parses a finite decimal number, correctly rounded. For any other text problem has the
// reason.
func real(b []byte) (x float64, problem string) {
	i, negative := 0, false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		negative = b[0] == '-'
		i = 1
	}
	mantissa, digits, decimals, point := uint64(0), 0, 0, false
	for ; i < len(b); i++ {
		c := b[i]
		switch {
		case '0' <= c && c <= '9':
			mantissa = 10*mantissa + uint64(c-'0')
			digits++
			if point {
				decimals++
			}
		case c == '.' && !point:
			point = true
		default:
			return slowReal(b)
		}
	}
	// Both factors exact: one division rounds once (Clinger).
	if digits == 0 || digits > 19 || mantissa > 1<<53 || decimals >= len(tens) {
		return slowReal(b)
	}
	x = float64(mantissa) / tens[decimals]
	if negative {
		x = -x
	}
	return x, ""
}

func slowReal(b []byte) (float64, string) {
	// ParseFloat would also take hexadecimal numbers and underscores.
	for _, c := range b {
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return 0, "is not a finite number"
		}
	}
	x, err := strconv.ParseFloat(string(b), 64)
	if math.IsInf(x, 0) {
		return 0, "is beyond float64"
	}
	if err != nil {
		return 0, "is not a finite number"
	}
	return x, ""
}
