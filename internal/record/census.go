package record

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
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

// Products returns the ids of all products of which the store holds something, sorted,
// without opening them.
func (s *Store) Products() ([]string, error) {
	top := filepath.Join(s.root, productFolder)
	shards, err := s.fs.ReadDir(top)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	var ids []string
	var errs []error
	for _, shard := range shards {
		if !shard.IsDir() {
			continue
		}
		folders, err := s.fs.ReadDir(filepath.Join(top, shard.Name()))
		if err != nil {
			errs = append(errs, fmt.Errorf("record: %w", err))
		}
		for _, f := range folders {
			if f.IsDir() && checkID(f.Name()) == nil && strings.HasPrefix(f.Name(), shard.Name()) {
				ids = append(ids, f.Name())
			}
		}
	}
	slices.Sort(ids)
	return ids, errors.Join(errs...)
}

// ProductBlocks counts the blocks of a product that are there, without opening them, and
// the bytes of all its files.
func (s *Store) ProductBlocks(id string) (blocks int, bytes int64, err error) {
	if err := checkID(id); err != nil {
		return 0, 0, err
	}
	files, err := s.fs.ReadDir(s.productDir(id))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, fmt.Errorf("record: %w", err)
	}
	seen := map[int]bool{}
	for _, f := range files {
		info, err := f.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue // removed since it was listed, or not ours
		}
		bytes += info.Size()
		number, _, found := strings.Cut(f.Name(), "-")
		if b, err := strconv.Atoi(number); found && err == nil && strings.HasSuffix(f.Name(), ".npz") {
			seen[b] = true
		}
	}
	return len(seen), bytes, nil
}
