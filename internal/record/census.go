package record

import (
	"path/filepath"
	"strconv"
	"strings"
)

// Bytes returns what a stored record takes on disk: itself, its npz and its timing. Files
// that are not there count nothing.
func (s *Store) Bytes(r *Record) int64 {
	n := s.fileSize(s.Path(r.ID)) + s.fileSize(s.timingPath(r.ID))
	if path := s.NPZPath(r); path != "" {
		n += s.fileSize(path)
	}
	return n
}

func (s *Store) fileSize(path string) int64 {
	info, err := s.fs.Lstat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// ProductFiles sums up the files of a product.
type ProductFiles struct {
	Blocks int   // that are there
	Bytes  int64 // of all files
}

// Products sums up all products that the store holds some of, by id, without
// opening them. The error joins those of folders that could not be listed.
func (s *Store) Products() (map[string]ProductFiles, error) {
	out := map[string]ProductFiles{}
	last := "" // the files of a block follow each other
	err := s.productFiles(func(dir, name string) error {
		id := filepath.Base(dir)
		if checkID(id) != nil {
			return nil
		}
		x := out[id]
		x.Bytes += s.fileSize(filepath.Join(dir, name))
		number, _, found := strings.Cut(name, "-")
		if _, err := strconv.Atoi(number); found && err == nil && strings.HasSuffix(name, ".npz") {
			if last != id+number {
				last = id + number
				x.Blocks++
			}
		}
		out[id] = x
		return nil
	})
	return out, err
}
