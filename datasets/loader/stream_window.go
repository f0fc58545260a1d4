package loader

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// windowSize is what a file is read by. A longer line makes the window grow.
const windowSize = 64 << 10

// window is the part of a file that a table has in memory.
type window struct {
	from io.Reader
	buf  []byte
	err  error // of reading
	done bool  // nothing is left beyond the window
}

// fill brings more of the file behind what the table has left of it, and
// reports whether there was any. Slices of earlier records become invalid.
func (w *window) fill(t *table) bool {
	if w.done {
		return false
	}
	if 2*len(t.data) > len(w.buf) {
		grown := make([]byte, 2*len(w.buf))
		copy(grown, t.data)
		w.buf = grown
	} else {
		copy(w.buf, t.data)
	}
	left := len(t.data)
	n, err := io.ReadFull(w.from, w.buf[left:])
	t.data = w.buf[:left+n]
	if err != nil {
		w.done = true
		if err != io.EOF && err != io.ErrUnexpectedEOF {
			w.err = err
		}
	}
	return n > 0
}

// file is one file of a data set that stays open.
type file struct {
	path string
	size int64
	f    fs.File
	at   io.ReaderAt
}

// openFile opens a file of the data set; it returns nil if there is none.
func (s *source) openFile(suffix string) (*file, error) {
	size, err := s.stat(suffix)
	if size < 0 || err != nil {
		return nil, err
	}
	path := s.path(suffix)
	f, err := s.fsys.Open(s.name + suffix)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	at, ok := f.(io.ReaderAt)
	if !ok { // such as a file of an archive
		data, err := io.ReadAll(f)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
		}
		at, size = bytes.NewReader(data), int64(len(data))
	}
	return &file{path: path, size: size, f: f, at: at}, nil
}

// must is openFile for the files without which there is no data set.
func (s *source) must(suffix string) (*file, error) {
	f, err := s.openFile(suffix)
	if err == nil && f == nil {
		err = fmt.Errorf("%s: %w", s.path(suffix), fs.ErrNotExist)
	}
	return f, err
}

// table returns the table of a file from its beginning.
func (f *file) table(buf []byte) *table {
	t := &table{path: f.path, size: int(f.size)}
	t.window = &window{from: io.NewSectionReader(f.at, 0, f.size), buf: buf}
	t.window.fill(t)
	rest := bytes.TrimPrefix(t.data, []byte("\xef\xbb\xbf")) // without a byte order mark
	t.end += int64(len(t.data) - len(rest))
	t.data = rest
	return t
}

// walk hands over the table of a file and each of its records; what each
// returns ends the walk. A failure to read comes before what would be made of
// the end of the file.
func (f *file) walk(buf []byte, record func(t *table, record []byte) error) (*table, error) {
	t := f.table(buf)
	for r := t.next(); r != nil; r = t.next() {
		if err := record(t, r); err != nil {
			return nil, err
		}
	}
	if t.window.err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, t.window.err)
	}
	return t, nil
}
