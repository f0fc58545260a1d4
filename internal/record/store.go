package record

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"ogdl/internal/disk"
)

// maxFile bounds the bytes of a record file that is read into memory.
const maxFile = 256 << 20

// Store is a folder of records,
//
//	DIR/store/<id[:2]>/<id>.json          the record of a result (status ok)
//	DIR/store/<id[:2]>/<id>.failed.json   the record of a failed, skipped or interrupted cell
//	DIR/store/<id[:2]>/<id>-<sum>.npz     its arrays; sum = the first 12 digits of NPZSum
//	DIR/store/<id[:2]>/<id>.timing.json   its timing
//	DIR/store/<id[:2]>/<id>.checkpoint    state of an unfinished cell
//	DIR/store/lock                        which process computes there; see package lock
//
// shared by any number of goroutines, processes and machines: every file appears by a rename,
// complete and synced, the record last. So whatever is interrupted, a record that can be seen
// is whole, and replacing one leaves the old or the new one. The npz carries its sum in its
// name so that two processes that put different results of one cell never mix them up. A failure has
// a name of its own, so that no copy of one store over another replaces a result by it.
type Store struct {
	fs     disk.FS
	root   string // DIR/store
	ledger Ledger // answers for cells without a record; nil: none
}

// Folder is the name of a store's folder below a program's -out folder.
const Folder = "store"

// Open returns the store below dir (a program's -out folder). Nothing is created before the
// first Put, so a read-only or absent folder can be opened and read. It fails where dir/store, or
// something above it, is a file.
func Open(dir string) (*Store, error) { return OpenOn(disk.OS{}, dir) }

// OpenOn is Open on another file system than the system's.
func OpenOn(fsys disk.FS, dir string) (*Store, error) {
	root := filepath.Join(dir, Folder)
	for path, above := root, ""; path != above; path, above = filepath.Dir(path), path {
		info, err := fsys.Stat(path)
		switch {
		case err == nil && info.IsDir():
			return &Store{fs: fsys, root: root}, nil
		case err == nil:
			return nil, fmt.Errorf("record: %s is a file, expected a folder", path)
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
			return nil, fmt.Errorf("record: %w", err)
		}
	}
	return &Store{fs: fsys, root: root}, nil
}

// Dir returns the store's folder.
func (s *Store) Dir() string { return s.root }

// Path returns where the record of the result of that id is, or would be.
func (s *Store) Path(id string) string { return filepath.Join(s.shard(id), id+".json") }

// FailurePath returns where the record of that id without a result is, or would be.
func (s *Store) FailurePath(id string) string { return filepath.Join(s.shard(id), id+".failed.json") }

func (s *Store) shard(id string) string      { return filepath.Join(s.root, id[:min(2, len(id))]) }
func (s *Store) timingPath(id string) string { return filepath.Join(s.shard(id), id+".timing.json") }

// NPZPath returns where the npz of a stored record is, "" if it has none.
func (s *Store) NPZPath(r *Record) string {
	if r.NPZSum == "" {
		return ""
	}
	return filepath.Join(s.shard(r.ID), npzName(r.ID, r.NPZSum))
}

func npzName(id, sum string) string { return id + "-" + sum[:12] + ".npz" }

// Get returns the record of an id and verifies it whole; that reads its npz once. Both results are
// nil for an id without a record. A file that is truncated, altered or of another id gives an error
// that wraps [ErrCorrupt]. An intact file of another schema gives a [*SchemaError]. Both name the
// file. A caller that recomputes missing records does so after these two, and reports why. Other
// errors come from the file system, or from a malformed id.
func (s *Store) Get(id string) (*Record, error) {
	r, err := s.Head(id)
	if r != nil && r.NPZSum != "" {
		if _, err := s.npz(r); err != nil {
			return nil, err
		}
	}
	return r, err
}

// Head is Get without reading the npz: only its presence and size are checked. It is enough for
// lists, reports and the start of a run. Of a result and a failure it returns the result.
func (s *Store) Head(id string) (*Record, error) {
	own := func(r *Record) bool { return r.ID == id }
	r, err := read(s, s.Path(id), id, own)
	if err == nil && (r == nil || r.Status != OK) { // earlier versions had failures there
		failure, errFailure := read(s, s.FailurePath(id), id, own)
		if err = errFailure; failure != nil {
			r = failure
		}
	}
	if r != nil {
		if err = s.intact(r); err != nil {
			return nil, err
		}
	}
	return s.orKept(id, r, err)
}

// intact returns an error if a record cannot be, or if the size of its npz is not as it says.
func (s *Store) intact(r *Record) error {
	if err := r.check(); err != nil {
		return corrupt(s.Path(r.ID), "%v", err)
	}
	if r.NPZSum == "" {
		return nil
	}
	if len(r.NPZSum) != 2*sha256.Size || checkID(r.NPZSum) != nil {
		return corrupt(s.Path(r.ID), "npz_sum %q", r.NPZSum)
	}
	path := s.NPZPath(r)
	info, err := s.fs.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return corrupt(path, "its npz is gone")
	case err == nil && info.Size() != r.NPZSize:
		return corrupt(path, "%d bytes instead of %d", info.Size(), r.NPZSize)
	}
	return failed(err)
}

// ErrInLedger is wrapped by the errors about arrays of a cell that a ledger alone has.
var ErrInLedger = fmt.Errorf("in the ledger alone, without its arrays (%w)", fs.ErrNotExist)

// NPZ returns the verified bytes of the npz of a record; nil if the record has none. The error is
// fs.ErrNotExist if there is no such record, ErrInLedger if only a ledger has it, and ErrCorrupt if
// record or npz are corrupt.
func (s *Store) NPZ(id string) ([]byte, error) {
	r, err := s.Head(id)
	switch {
	case err != nil:
		return nil, err
	case r == nil:
		return nil, fmt.Errorf("record: %s: %w", s.Path(id), fs.ErrNotExist)
	case r.NPZSum != "":
		return s.npz(r)
	case r.Kept != nil && r.Kept.NPZ != "":
		return nil, fmt.Errorf("record: cell %s is %w; a run with -cell %[1]s computes them", id, ErrInLedger)
	}
	return nil, nil
}

// npz returns the bytes of the npz of a record, verified.
func (s *Store) npz(r *Record) ([]byte, error) {
	path := s.NPZPath(r)
	f, err := s.fs.Open(path)
	if err != nil {
		return nil, failed(err)
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, failed(err)
	}
	if sumOf(data) != r.NPZSum {
		return nil, corrupt(path, "checksum does not match its record's; run -verify computes it again")
	}
	return data, nil
}

// Timing reads the timing of that id, with the errors of Get.
func (s *Store) Timing(id string) (*Timing, error) {
	t, err := read(s, s.timingPath(id), id, func(t *Timing) bool { return t.ID == id })
	if t == nil && err == nil && s.ledger != nil {
		t = s.ledger.Timing(id)
	}
	return t, err
}

// load reads a file of bounded size; nil where it is not there.
func (s *Store) load(path string) ([]byte, error) {
	f, err := s.fs.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, failed(err)
	}
	defer f.Close()
	file, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, failed(err)
	}
	if len(file) > maxFile {
		return nil, corrupt(path, "more than %d bytes", maxFile)
	}
	return file, nil
}

// read decodes the framed file of an id; nil if it is not there. If holds rejects the content, the
// file belongs to another id.
func read[T Record | Timing | Product | BlockTiming](s *Store, path, id string, holds func(*T) bool) (*T, error) {
	if err := checkID(id); err != nil {
		return nil, err
	}
	file, err := s.load(path)
	if file == nil {
		return nil, err
	}
	content := new(T)
	if err := decode(path, file, content); err != nil {
		return nil, err
	}
	if !holds(content) {
		return nil, corrupt(path, "holds something else than its name says")
	}
	return content, nil
}

// corrupt returns the error about a file with wrong content.
func corrupt(path, why string, args ...any) error {
	return fmt.Errorf("record: %s: %w: %s", path, ErrCorrupt, fmt.Sprintf(why, args...))
}

// failed is the error of a file system; nil of nil.
func failed(err error) error {
	if err != nil {
		err = fmt.Errorf("record: %w", err)
	}
	return err
}

// All yields every record in the order of ids, read as [Store.Head] reads it, or the reason why it
// cannot be used. A record that disappears meanwhile is omitted. If the folder itself cannot be
// listed, the last pair is that error.
func (s *Store) All() iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		ids, err := s.List()
		for _, id := range ids {
			if r, err := s.Head(id); (r != nil || err != nil) && !yield(r, err) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// List returns the ids of all record files, sorted, without opening them.
func (s *Store) List() ([]string, error) {
	var ids []string
	err := s.cellFiles(func(_, name string) error {
		id, ok := strings.CutSuffix(name, ".json")
		id = strings.TrimSuffix(id, ".failed")
		if ok && checkID(id) == nil {
			ids = append(ids, id)
		}
		return nil
	})
	slices.Sort(ids)
	return slices.Compact(ids), err
}

// list returns the entries of a folder; none for a missing folder.
func (s *Store) list(dir string) ([]fs.DirEntry, error) {
	entries, err := s.fs.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return entries, failed(err)
}

// cellFiles calls visit for every file of every cell, in order, and productFiles for every file of
// every product. The error joins the errors of folders that could not be listed and of visit.
func (s *Store) cellFiles(visit func(dir, name string) error) error { return s.files(s.root, 1, visit) }

func (s *Store) productFiles(visit func(dir, name string) error) error {
	return s.files(filepath.Join(s.root, productFolder), 2, visit)
}

// files visits the files of all folders at a depth below dir.
func (s *Store) files(dir string, depth int, visit func(dir, name string) error) error {
	entries, err := s.list(dir)
	errs := []error{err}
	for _, e := range entries {
		switch {
		case depth == 0 && !e.IsDir():
			errs = append(errs, visit(dir, e.Name()))
		case depth > 0 && e.IsDir() && (len(e.Name()) == 2 || dir != s.root && checkID(e.Name()) == nil):
			errs = append(errs, s.files(filepath.Join(dir, e.Name()), depth-1, visit))
		}
	}
	return errors.Join(errs...)
}
