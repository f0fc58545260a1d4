package record

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ogdl/internal/disk"
)

// Holding is all that a store holds under one id: the files of a cell (record, npz, timing,
// checkpoint), or the files of a product.
type Holding struct {
	ID     string
	Files  []string  // paths; the one that vouches for the others first. Temporary files are not among them
	Bytes  int64     // of the files
	Newest time.Time // when the youngest of them was written, temporary ones included
}

// Blocks returns the number of blocks of a product, counted by its files. The files of one block
// are adjacent.
func (h *Holding) Blocks() (n int) {
	last := ""
	for _, path := range h.Files {
		number, _, found := strings.Cut(filepath.Base(path), "-")
		if found && strings.HasSuffix(path, ".npz") && number != last {
			last = number
			n++
		}
	}
	return n
}

// Cells lists the files of all cells in the store, in the order of ids, without opening them. It
// skips files with other names. Folders that cannot be listed are in the error; the rest is
// returned.
func (s *Store) Cells() (cells []Holding, err error) {
	err = s.cellFiles(func(dir, name string) error {
		end := strings.IndexAny(name, ".-")
		if end < 0 || checkID(name[:end]) != nil || !strings.HasPrefix(name, filepath.Base(dir)) {
			return nil
		}
		return s.hold(&cells, name[:end], s.Path(name[:end]), filepath.Join(dir, name))
	})
	return cells, err
}

// Products is [Store.Cells] of products.
func (s *Store) Products() (products []Holding, err error) {
	err = s.productFiles(func(dir, name string) error {
		id := filepath.Base(dir)
		return s.hold(&products, id, s.ProductPath(id), filepath.Join(dir, name))
	})
	return products, err
}

// hold adds a file to the holding of its id, the last one: files are visited in the order of ids.
// It adds a file even if Lstat fails; otherwise Remove could delete the npz and leave the record.
func (s *Store) hold(all *[]Holding, id, voucher, path string) error {
	info, err := s.fs.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil // removed since it was listed, or not ours
	}
	if n := len(*all); n == 0 || (*all)[n-1].ID != id {
		*all = append(*all, Holding{ID: id})
	}
	h := &(*all)[len(*all)-1]
	temporary := strings.HasPrefix(filepath.Base(path), disk.TempPrefix)
	switch {
	case path == voucher:
		h.Files = slices.Insert(h.Files, 0, path)
	case !temporary:
		h.Files = append(h.Files, path)
	}
	if err != nil {
		return failed(err)
	}
	if info.ModTime().After(h.Newest) {
		h.Newest = info.ModTime()
	}
	if !temporary {
		h.Bytes += info.Size()
	}
	return nil
}

// Remove deletes the files of a holding, the record or head first, so that the files left by a kill
// or a power cut are swept later. If a file is younger than when it was listed, another process is
// at work, and nothing is deleted. removed is the number of deleted files.
func (s *Store) Remove(h Holding) (removed int, err error) {
	for _, path := range h.Files {
		info, err := s.fs.Lstat(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, failed(err)
		}
		if err == nil && info.ModTime().After(h.Newest) {
			return 0, nil
		}
	}
	for i, path := range h.Files {
		gone, err := s.drop(path)
		removed += gone
		if err != nil {
			return removed, err
		}
		// No power cut may bring a record back and not the files that it vouches for.
		if i == 0 {
			if err := s.fs.SyncDir(filepath.Dir(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return removed, failed(err)
			}
		}
	}
	// The folder of a product goes if nothing else is in it.
	if dir := s.productDir(h.ID); len(h.Files) > 0 && filepath.Dir(h.Files[0]) == dir {
		if left, err := s.fs.ReadDir(dir); err == nil && len(left) == 0 {
			_, err = s.drop(dir)
			return removed, err
		}
	}
	return removed, nil
}

// Bytes returns the size of a stored record on disk, with its npz and its timing. Missing files
// count as 0.
func (s *Store) Bytes(r *Record) (n int64) {
	for _, path := range []string{s.Path(r.ID), s.timingPath(r.ID), s.NPZPath(r)} {
		if info, err := s.fs.Lstat(path); err == nil && path != "" {
			n += info.Size()
		}
	}
	return n
}
