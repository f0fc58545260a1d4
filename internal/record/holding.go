package record

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ogdl/internal/disk"
)

// Holding is all that a store holds under one id: the files of a cell (record, npz, timing),
// or those of a product.
type Holding struct {
	ID     string
	Files  []string  // paths; the one that vouches for the others first. Temporary files are not among them
	Bytes  int64     // of the files
	Newest time.Time // when the youngest of them was written, temporary ones included

	product bool
}

// Holdings lists everything in the store by id, in the order of ids, without opening files.
// Files of other names are nobody's. The error joins those of folders that could not be listed; what
// could be is returned.
func (s *Store) Holdings() (cells, products []Holding, err error) {
	byID := map[string]*Holding{}
	errCells := s.files(func(dir, name string) error {
		end := strings.IndexAny(name, ".-")
		if end < 0 || checkID(name[:end]) != nil || !strings.HasPrefix(name, filepath.Base(dir)) {
			return nil
		}
		id := name[:end]
		if byID[id] == nil {
			byID[id] = &Holding{ID: id}
		}
		return s.hold(byID[id], filepath.Join(dir, name))
	})
	for _, h := range byID {
		h.first(s.Path(h.ID))
		cells = append(cells, *h)
	}
	byDir := map[string]*Holding{}
	errProducts := s.productFiles(func(dir, name string) error {
		id := filepath.Base(dir)
		if checkID(id) != nil {
			return nil
		}
		if byDir[id] == nil {
			byDir[id] = &Holding{ID: id, product: true}
		}
		return s.hold(byDir[id], filepath.Join(dir, name))
	})
	for _, h := range byDir {
		h.first(s.ProductPath(h.ID))
		products = append(products, *h)
	}
	order := func(a, b Holding) int { return strings.Compare(a.ID, b.ID) }
	slices.SortFunc(cells, order)
	slices.SortFunc(products, order)
	return cells, products, errors.Join(errCells, errProducts)
}

// hold adds a file to a holding, also one that cannot be looked at: without it Remove could
// take away what a record vouches for and leave the record.
func (s *Store) hold(h *Holding, path string) error {
	info, err := s.fs.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil // removed since it was listed, or not ours
	}
	temporary := strings.HasPrefix(filepath.Base(path), disk.TempPrefix)
	if !temporary {
		h.Files = append(h.Files, path)
	}
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	if info.ModTime().After(h.Newest) {
		h.Newest = info.ModTime()
	}
	if !temporary {
		h.Bytes += info.Size()
	}
	return nil
}

// first moves a path to the front of the files.
func (h *Holding) first(path string) {
	if i := slices.Index(h.Files, path); i > 0 {
		copy(h.Files[1:i+1], h.Files[:i])
		h.Files[0] = path
	}
}

// Remove deletes the files of a holding, the one that vouches for the others first: what a
// kill or a power cut leaves is swept later. If any of the files is younger than it was when listed, another
// process is at work there, and nothing is deleted; removed says how many were.
func (s *Store) Remove(h Holding) (removed int, err error) {
	for _, path := range h.Files {
		info, err := s.fs.Lstat(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, fmt.Errorf("record: %w", err)
		}
		if err == nil && info.ModTime().After(h.Newest) {
			return 0, nil
		}
	}
	for i, path := range h.Files {
		switch err := s.fs.Remove(path); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return removed, fmt.Errorf("record: %w", err)
		default:
			removed++
		}
		// No power cut may bring a record back and not the files that it vouches for.
		if i == 0 {
			if err := s.fs.SyncDir(filepath.Dir(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return removed, fmt.Errorf("record: %w", err)
			}
		}
	}
	if h.product {
		// The folder goes if nothing else is in it.
		if left, err := s.fs.ReadDir(s.productDir(h.ID)); err == nil && len(left) == 0 {
			if err := s.fs.Remove(s.productDir(h.ID)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return removed, fmt.Errorf("record: %w", err)
			}
		}
	}
	return removed, nil
}
