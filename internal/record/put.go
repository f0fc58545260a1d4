package record

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"ogdl/internal/disk"
)

// Put stores a record, its npz (nil for none) and its timing (nil for none), and replaces a record
// of the same ID. A record of another status than OK has a file of its own, without npz and timing.
// It removes a result on other data or of another version of the method, and no other result;
// skipped and cancelled cells with a result are not stored. Put sets rec's NPZSum and NPZSize, and
// the ID of a timing that it stores. All files are
// written and synced under temporary names first, then renamed, the record last. So after a full
// disk or a kill either the old or the new record is there, whole. The checkpoint of a cell that is
// ok now is removed.
//
// Errors: a bad id or status, a missing reason (failed, skipped), NaN or infinite scores, losses,
// gaps and parameters (nothing is written then); and errors of the file system, which name the
// path.
func (s *Store) Put(rec *Record, timing *Timing, npz []byte) error {
	if err := rec.check(); err != nil {
		return err
	}
	rec.NPZSum, rec.NPZSize = "", 0
	if npz != nil && rec.Status == OK {
		rec.NPZSum, rec.NPZSize = sumOf(npz), int64(len(npz))
	}
	recordFile, err := encode(rec)
	if err != nil {
		for name, v := range rec.Params {
			if _, bad := CanonicalJSON(v); bad != nil {
				return fmt.Errorf("record: %s: parameter %q: %w", rec.ID, name, bad)
			}
		}
		return fmt.Errorf("record: %s: %w", rec.ID, err)
	}
	if rec.Status != OK {
		return s.putFailure(rec, recordFile)
	}
	// In the order in which they appear.
	var files []disk.Data
	if npz != nil {
		files = append(files, disk.Data{Path: s.NPZPath(rec), Bytes: npz})
	}
	if timing != nil {
		timing.ID = rec.ID
		timingFile, err := encode(timing)
		if err != nil {
			return fmt.Errorf("record: timing of %s: %w", rec.ID, err)
		}
		files = append(files, disk.Data{Path: s.timingPath(rec.ID), Bytes: timingFile})
	}
	if err := s.put(append(files, disk.Data{Path: s.Path(rec.ID), Bytes: recordFile})...); err != nil {
		return err
	}
	_, err = s.drop(s.checkpointPath(rec.ID))
	_, errFailure := s.drop(s.FailurePath(rec.ID))
	return cmp.Or(err, errFailure)
}

// putFailure stores the record of a cell without a result, encoded in a file.
func (s *Store) putFailure(rec *Record, file []byte) error {
	old, errOld := s.Head(rec.ID)
	result := old != nil && old.Status == OK
	if result && (rec.Status == Cancelled || rec.Status == Skipped) {
		return nil
	}
	err := s.put(disk.Data{Path: s.FailurePath(rec.ID), Bytes: file})
	stays := result && old.Digest == cmp.Or(rec.Digest, old.Digest) && old.MethodVersion == rec.MethodVersion
	if err != nil || stays || errOld != nil && !errors.Is(errOld, ErrCorrupt) {
		return err
	}
	_, err = s.drop(s.Path(rec.ID))
	return err
}

// put writes files in order: later ones vouch for earlier ones.
func (s *Store) put(files ...disk.Data) error {
	return failed(disk.PutUntil(context.Background(), s.fs, true, files...))
}

// drop removes a file, and counts it: one that is gone already is 0.
func (s *Store) drop(path string) (removed int, err error) {
	switch err := s.fs.Remove(path); {
	case errors.Is(err, fs.ErrNotExist):
		return 0, nil
	case err != nil:
		return 0, failed(err)
	}
	return 1, nil
}

// MakeDir creates the store's folder.
func (s *Store) MakeDir() error { return failed(disk.MakeDir(s.fs, s.root)) }

// Writable writes a file into the store's folder and removes it again: a run that cannot write there fails before
// it has computed anything.
func (s *Store) Writable() error { return failed(disk.Writable(s.fs, s.root)) }

// Sweep removes files of interrupted processes: temporary files, npz files that no
// record names (their record was replaced, or never written), and checkpoints whose
// cell is ok. No other process may be writing into the store. It returns the number of
// files removed, and the joined errors of those that could not be.
func (s *Store) Sweep() (removed int, err error) {
	removed, err = disk.Sweep(s.fs, s.root, disk.Temporary)
	errs := []error{failed(err)}
	drop := func(path string) {
		n, err := s.drop(path)
		removed += n
		errs = append(errs, err)
	}
	arrays, records := map[string][]string{}, map[string]bool{} // of cells, by id
	errs = append(errs, s.cellFiles(func(dir, name string) error {
		id, ok := strings.CutSuffix(name, ".json")
		records[id] = records[id] || ok
		id, sum, _ := strings.Cut(name, "-")
		switch {
		case disk.Temporary(name), s.finished(dir, name):
			drop(filepath.Join(dir, name))
		case strings.HasSuffix(sum, ".npz") && checkID(id) == nil:
			arrays[id] = append(arrays[id], name)
		}
		return nil
	}))
	for _, id := range slices.Sorted(maps.Keys(arrays)) {
		names := arrays[id]
		if len(names) == 1 && records[id] {
			continue // not worth reading the record
		}
		for _, name := range names {
			if s.unnamed(id, name) {
				drop(filepath.Join(s.shard(id), name))
			}
		}
	}
	errs = append(errs, s.productFiles(func(dir, name string) error {
		if disk.Temporary(name) {
			drop(filepath.Join(dir, name))
		}
		return nil
	}))
	return removed, errors.Join(errs...)
}

// unnamed reports whether no record names an npz. Only an intact record, or its absence, tells: a record under
// another schema may name it in a way this code does not know.
func (s *Store) unnamed(id, name string) bool {
	r, err := read(s, s.Path(id), id, func(*Record) bool { return true })
	return err == nil && (r == nil || len(r.NPZSum) < 12 || npzName(id, r.NPZSum) != name)
}
