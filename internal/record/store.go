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

// State says what the store holds under an id.
type State int

// The states. Each but Missing and Whole comes with an error that names the file and says why.
const (
	Missing    State = iota
	Whole            // present and intact, whatever the record's status
	Corrupt          // truncated, altered, of another id, or its npz is; to be computed again
	Foreign          // intact, but of another schema: the error is a *SchemaError
	Unreadable       // the file system rejected
)

func (s State) String() string {
	switch s {
	case Missing:
		return "missing"
	case Whole:
		return "whole"
	case Corrupt:
		return "corrupt"
	case Foreign:
		return "foreign"
	}
	return "unreadable"
}

// maxFile bounds the bytes of a record file that is read into memory.
const maxFile = 256 << 20

// Store is a folder of records,
//
//	DIR/store/<id[:2]>/<id>.json          the record
//	DIR/store/<id[:2]>/<id>-<sum>.npz     its arrays; sum = the first 12 digits of NPZSum
//	DIR/store/<id[:2]>/<id>.timing.json   its timing
//	DIR/store/<id[:2]>/<id>.checkpoint    what an unfinished cell goes on from
//	DIR/store/lock                        which process computes there; see package lock
//
// shared by any number of goroutines, processes and machines: every file appears by a rename,
// complete and synced, the record last. So whatever is interrupted, a record that can be seen
// is whole, and replacing one leaves the old or the new one. The npz carries its sum in its
// name so that two processes that put different results of one cell never mix them up.
type Store struct {
	fs     disk.FS
	root   string // DIR/store
	ledger Ledger // answers for what is not there; nil: none does
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

// Path returns where the record of that id is, or would be.
func (s *Store) Path(id string) string { return filepath.Join(s.shard(id), id+".json") }

func (s *Store) shard(id string) string      { return filepath.Join(s.root, id[:2]) }
func (s *Store) timingPath(id string) string { return filepath.Join(s.shard(id), id+".timing.json") }

// NPZPath returns where the npz of a stored record is, "" if it has none.
func (s *Store) NPZPath(r *Record) string {
	if r.NPZSum == "" {
		return ""
	}
	return filepath.Join(s.root, filepath.FromSlash(r.NPZFile()))
}

// NPZFile is the path of the npz beside the record below the store's folder, with slashes; "" if it has none.
func (r *Record) NPZFile() string {
	if r.NPZSum == "" {
		return ""
	}
	return r.ID[:2] + "/" + npzName(r.ID, r.NPZSum)
}

func npzName(id, sum string) string { return id + "-" + sum[:12] + ".npz" }

// Get reads the record of that id and verifies it whole, its npz included, which costs
// reading that once. The record is non-nil exactly if the state is Whole; the error is nil
// exactly if the state is Whole or Missing (an id that can be none is Missing with an error that
// says so). A caller that recomputes what is not there treats
// Corrupt and Foreign like Missing, after saying why.
func (s *Store) Get(id string) (*Record, State, error) {
	r, state, err := s.Head(id)
	if state == Whole && r.NPZSum != "" {
		if _, err := s.npz(r); errors.Is(err, ErrCorrupt) {
			return nil, Corrupt, err
		} else if err != nil {
			return nil, Unreadable, err
		}
	}
	return r, state, err
}

// Head is Get without reading the npz: only its presence and size are checked. It is enough for
// lists, reports and the start of a run.
func (s *Store) Head(id string) (*Record, State, error) {
	if err := checkID(id); err != nil {
		return nil, Missing, err
	}
	r, state, err := read[Record](s, s.Path(id))
	if state == Whole {
		if state, err = s.intact(r, id); err != nil {
			r = nil
		}
	}
	return s.orKept(id, r, state, err)
}

// intact reports whether a record is the one of the id, and whether the size of its npz is as it says.
func (s *Store) intact(r *Record, id string) (State, error) {
	r.Schema = Schema
	if err := r.check(); err != nil {
		return Corrupt, fmt.Errorf("record: %s: %w: %w", s.Path(id), ErrCorrupt, err)
	}
	if r.ID != id {
		return Corrupt, fmt.Errorf("record: %s: %w: holds the record %s", s.Path(id), ErrCorrupt, r.ID)
	}
	if r.NPZSum == "" {
		return Whole, nil
	}
	if len(r.NPZSum) != 2*sha256.Size || checkID(r.NPZSum) != nil {
		return Corrupt, fmt.Errorf("record: %s: %w: npz_sum %q", s.Path(id), ErrCorrupt, r.NPZSum)
	}
	info, err := s.fs.Stat(s.NPZPath(r))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Corrupt, fmt.Errorf("record: %s: %w: its npz is gone", s.NPZPath(r), ErrCorrupt)
	case err != nil:
		return Unreadable, fmt.Errorf("record: %w", err)
	case info.Size() != r.NPZSize:
		return Corrupt, fmt.Errorf("record: %s: %w: %d bytes instead of %d", s.NPZPath(r), ErrCorrupt, info.Size(), r.NPZSize)
	}
	return Whole, nil
}

// ErrInLedger is wrapped by the errors about arrays of a cell that a ledger alone has.
var ErrInLedger = fmt.Errorf("in the ledger alone, without its arrays (%w)", fs.ErrNotExist)

// NPZ returns the bytes of the npz beside the record of that id, verified; nil if the record
// has none. The error is fs.ErrNotExist if there is no such record, ErrInLedger if a ledger alone has it, and ErrCorrupt if
// record or npz are corrupt.
func (s *Store) NPZ(id string) ([]byte, error) {
	r, state, err := s.Head(id)
	if r != nil && r.NPZSum == "" && r.Kept != nil && r.Kept.NPZ != "" {
		return nil, fmt.Errorf("record: cell %s is %w; a run with -cell %[1]s computes them", id, ErrInLedger)
	}
	if state == Missing && err == nil {
		return nil, fmt.Errorf("record: %s: %w", s.Path(id), fs.ErrNotExist)
	}
	if err != nil || r.NPZSum == "" {
		return nil, err
	}
	return s.npz(r)
}

// npz returns the bytes of the npz of a record, verified.
func (s *Store) npz(r *Record) ([]byte, error) {
	f, err := s.fs.Open(s.NPZPath(r))
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	if sumOf(data) != r.NPZSum {
		return nil, fmt.Errorf("record: %s: %w: checksum does not match its record's; run -verify computes it again", s.NPZPath(r), ErrCorrupt)
	}
	return data, nil
}

// Timing reads the timing of that id, with the states and errors of Get.
func (s *Store) Timing(id string) (*Timing, State, error) {
	if err := checkID(id); err != nil {
		return nil, Missing, err
	}
	t, state, err := read[Timing](s, s.timingPath(id))
	if kept := s.keptTiming(id); state == Missing && kept != nil {
		return kept, Whole, nil
	}
	if state != Whole {
		return nil, state, err
	}
	if t.ID != id {
		return nil, Corrupt, fmt.Errorf("record: %s: %w: holds the timing of %s", s.timingPath(id), ErrCorrupt, t.ID)
	}
	return t, Whole, nil
}

// load reads a file of bounded size; Whole says that there are bytes, not that they are right.
func (s *Store) load(path string) ([]byte, State, error) {
	f, err := s.fs.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, Missing, nil
	}
	if err != nil {
		return nil, Unreadable, fmt.Errorf("record: %w", err)
	}
	defer f.Close()
	file, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, Unreadable, fmt.Errorf("record: %w", err)
	}
	if len(file) > maxFile {
		return nil, Corrupt, fmt.Errorf("record: %s: %w: more than %d bytes", path, ErrCorrupt, maxFile)
	}
	return file, Whole, nil
}

// read decodes one framed file; nil unless it is whole.
func read[T Record | Timing | Product | BlockTiming](s *Store, path string) (*T, State, error) {
	file, state, err := s.load(path)
	if state != Whole {
		return nil, state, err
	}
	content := new(T)
	err = decode(path, file, content)
	var other *SchemaError
	switch {
	case err == nil:
		return content, Whole, nil
	case errors.As(err, &other):
		return nil, Foreign, err
	}
	return nil, Corrupt, err
}

// Entry is one record file of a store.
type Entry struct {
	ID     string
	State  State
	Record *Record // non-nil exactly if State is Whole
	Err    error   // nil exactly if State is Whole
}

// All yields every record file in the order of ids, read as Head reads them: those that cannot
// be used too, with the reason. A record that disappears meanwhile is left out. If the folder
// itself cannot be listed, an entry without id says so.
func (s *Store) All() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		ids, err := s.List()
		for _, id := range ids {
			r, state, err := s.Head(id)
			if state == Missing {
				continue
			}
			if !yield(Entry{ID: id, State: state, Record: r, Err: err}) {
				return
			}
		}
		if err != nil {
			yield(Entry{State: Unreadable, Err: err})
		}
	}
}

// List returns the ids of all record files, sorted, without opening them.
func (s *Store) List() ([]string, error) {
	var ids []string
	err := s.files(func(_, name string) error {
		id, ok := strings.CutSuffix(name, ".json")
		if ok && checkID(id) == nil {
			ids = append(ids, id)
		}
		return nil
	})
	slices.Sort(ids)
	return ids, err
}

// list returns what is in a folder, nothing of one that is not there.
func (s *Store) list(dir string) ([]fs.DirEntry, error) {
	entries, err := s.fs.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return entries, fmt.Errorf("record: %w", err)
	}
	return entries, nil
}

// files calls visit for every file of every shard, in order. The error joins those of
// folders that could not be listed and of visit.
func (s *Store) files(visit func(dir, name string) error) error {
	shards, err := s.list(s.root)
	errs := []error{err}
	for _, shard := range shards {
		if len(shard.Name()) != 2 || !shard.IsDir() {
			continue
		}
		dir := filepath.Join(s.root, shard.Name())
		files, err := s.list(dir)
		errs = append(errs, err)
		for _, f := range files {
			if err := visit(dir, f.Name()); err != nil {
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}
