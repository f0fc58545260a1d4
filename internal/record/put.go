package record

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"ogdl/internal/disk"
)

// Put stores a record with its npz (nil if there is none) and its timing (nil if there is
// none), in place of what is there under rec.ID. It sets rec's Schema, NPZSum and NPZSize, and
// timing's ID. All three files are written and synced under temporary names first, then
// renamed, the record last: a full disk or a kill leaves what was there before, or the new
// record, whole. The checkpoint of a cell that is ok now is removed.
//
// Errors: a bad id or status, a missing reason (failed, skipped), NaN or infinite scores,
// losses, gaps and parameters (nothing is written then); and those of the file system, which
// name the path.
func (s *Store) Put(rec *Record, timing *Timing, npz []byte) error {
	if err := rec.check(); err != nil {
		return err
	}
	rec.Schema, rec.NPZSum, rec.NPZSize = Schema, "", 0
	if npz != nil {
		sum := sha256.Sum256(npz)
		rec.NPZSum, rec.NPZSize = hex.EncodeToString(sum[:]), int64(len(npz))
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
	var timingFile []byte
	if timing != nil {
		timing.ID = rec.ID
		if timingFile, err = encode(timing); err != nil {
			return fmt.Errorf("record: timing of %s: %w", rec.ID, err)
		}
	}
	// In the order in which they appear.
	var files []disk.Data
	if npz != nil {
		files = append(files, disk.Data{Path: s.NPZPath(rec), Bytes: npz})
	}
	if timing != nil {
		files = append(files, disk.Data{Path: s.timingPath(rec.ID), Bytes: timingFile})
	}
	files = append(files, disk.Data{Path: s.Path(rec.ID), Bytes: recordFile})
	if err := disk.PutInOrder(s.fs, files...); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	if npz != nil {
		if info, err := s.fs.Stat(s.NPZPath(rec)); err == nil {
			s.learn(rec, info)
		}
	}
	if rec.Status == OK {
		if err := s.fs.Remove(s.checkpointPath(rec.ID)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("record: %w", err)
		}
	}
	return nil
}

// Join creates the store's folder and puts a sign into it that stays until leave removes it: a
// run that cannot write there fails before it has computed anything, and others counts the
// other processes that are at work on the store, as far as can be seen.
func (s *Store) Join() (leave func() error, others int, err error) {
	leave, others, err = disk.Join(s.fs, s.root)
	if err != nil {
		return nil, 0, fmt.Errorf("record: %w", err)
	}
	return leave, others, nil
}

// Claim says to the other processes of this host that this one computes a cell, until release is
// called; busy tells that one of them does. It is a hint, see [disk.Claim].
func (s *Store) Claim(id string) (release func(), busy bool) {
	return disk.Claim(s.fs, s.shard(id), id)
}

// sweepAge is when an npz that no record names is removed.
const sweepAge = disk.TempAge

// Sweep removes what interrupted processes left behind: temporary files whose process, on this
// host, is gone, or that are older than an hour; and npz files older than an hour that no
// record names (their record was replaced, or never written), and checkpoints of that age whose
// cell is ok. Running processes that share the store lose nothing. It returns the number of
// files removed, and the joined errors of those that could not be.
func (s *Store) Sweep() (removed int, err error) {
	visit := func(dir, name string) error {
		if !s.leftover(dir, name) {
			return nil
		}
		switch err := s.fs.Remove(filepath.Join(dir, name)); {
		case errors.Is(err, fs.ErrNotExist): // another process was faster
		case err != nil:
			return fmt.Errorf("record: %w", err)
		default:
			removed++
		}
		return nil
	}
	// The signs of Join are beside the shards.
	var errs []error
	top, err := s.fs.ReadDir(s.root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("record: %w", err)
	}
	for _, f := range top {
		if !f.IsDir() {
			errs = append(errs, visit(s.root, f.Name()))
		}
	}
	errs = append(errs, s.files(visit), s.productFiles(visit))
	return removed, errors.Join(errs...)
}

// leftover reports whether a file may be swept.
func (s *Store) leftover(dir, name string) bool {
	if disk.Leftover(s.fs, dir, name) {
		return true
	}
	if s.finished(dir, name) {
		return disk.Older(s.fs, filepath.Join(dir, name), sweepAge)
	}
	base, ok := strings.CutSuffix(name, ".npz")
	if !ok {
		return false
	}
	id, _, ok := strings.Cut(base, "-")
	if !ok || checkID(id) != nil || !disk.Older(s.fs, filepath.Join(dir, name), sweepAge) {
		return false
	}
	// Only an intact record, or its absence, tells that the npz is not needed: a record under
	// another schema may name it in a way this code does not know.
	r, state, _ := read[Record](s, filepath.Join(dir, id+".json"))
	switch state {
	case Missing:
		return true
	case Whole:
		return len(r.NPZSum) < 12 || npzName(id, r.NPZSum) != name
	}
	return false
}
