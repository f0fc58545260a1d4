package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"ogdl/internal/disk"
)

// verifiedName is the file that remembers which npz files have been read and found whole,
// DIR/store/verified: the SHA-256 of its text, then a line for each with id, SHA-256, bytes and time
// of change. It is outside the promise of equal bytes, and belongs to its folder: where it is
// absent, damaged or out of date, files are read again. Of several programs that write it the last one's stays,
// with what the others had written before.
const verifiedName = "verified"

const verifiedHead = "ogdl verified 1 "

// seen is what an npz was when it was found whole.
type seen struct {
	sum      string // SHA-256, hexadecimal
	size     int64
	modified int64 // nanoseconds since 1970
}

// verified is the memory of a store. Safe for concurrent use.
type verified struct {
	mu    sync.Mutex
	files map[string]seen // by id; nil: not loaded
	// changed are the ids that this process has learned of or forgotten since the index was written.
	changed map[string]bool
}

func (s *Store) verifiedPath() string { return filepath.Join(s.root, verifiedName) }

// Trusted is [Store.Get] for callers that need no bytes of the npz now: one whose size and time of
// change are those with which it was last found whole is not read. One that has been damaged
// without a change of either is found when something reads it: [Store.NPZ] and Get do.
func (s *Store) Trusted(id string) (*Record, State, error) {
	r, info, state, err := s.head(id)
	if state == Whole && r.NPZSum != "" && !s.remembers(r, info) {
		r, state, err = s.verify(r, info)
	}
	return s.orKept(id, r, state, err)
}

// ForgetVerified makes [Store.Trusted] read every npz anew, whatever is remembered.
func (s *Store) ForgetVerified() {
	s.verified.mu.Lock()
	defer s.verified.mu.Unlock()
	s.verified.files, s.verified.changed = map[string]seen{}, map[string]bool{}
}

// verify reads the npz of a record, of which info was told before.
func (s *Store) verify(r *Record, info fs.FileInfo) (*Record, State, error) {
	path := s.NPZPath(r)
	f, err := s.fs.Open(path)
	if err != nil {
		return nil, Unreadable, fmt.Errorf("record: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return nil, Unreadable, fmt.Errorf("record: %w", err)
	}
	if hex.EncodeToString(h.Sum(nil)) != r.NPZSum {
		s.forget(r.ID)
		return nil, Corrupt, fmt.Errorf("record: %s: %w: checksum does not match its record's", path, ErrCorrupt)
	}
	s.learn(r, info)
	return r, Whole, nil
}

// remembers reports whether the npz of r was found whole as info describes it.
func (s *Store) remembers(r *Record, info fs.FileInfo) bool {
	v := &s.verified
	v.mu.Lock()
	defer v.mu.Unlock()
	s.loadVerified()
	return v.files[r.ID] == seenOf(r, info)
}

// loadVerified reads the index on the first call. The caller holds the lock.
func (s *Store) loadVerified() {
	if v := &s.verified; v.files == nil {
		v.files, v.changed = s.readVerified(), map[string]bool{}
	}
}

func seenOf(r *Record, info fs.FileInfo) seen {
	return seen{r.NPZSum, info.Size(), info.ModTime().UnixNano()}
}

// learn takes note of an npz that is whole.
func (s *Store) learn(r *Record, info fs.FileInfo) { s.note(r.ID, seenOf(r, info)) }

// forget drops what is remembered of an id.
func (s *Store) forget(id string) { s.note(id, seen{}) }

func (s *Store) note(id string, now seen) {
	v := &s.verified
	v.mu.Lock()
	defer v.mu.Unlock()
	s.loadVerified()
	if now != (seen{}) && v.files[id] == now {
		return
	}
	v.files[id], v.changed[id] = now, true
}

// Remember writes down which npz files were found whole, so that the next program does not read
// them to see as much. Nothing is written if nothing is new. A store is whole without it.
func (s *Store) Remember() error {
	v := &s.verified
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.changed) == 0 {
		return nil
	}
	all := s.readVerified() // with what others have written meanwhile
	for id := range v.changed {
		if now := v.files[id]; now != (seen{}) {
			all[id] = now
		} else {
			delete(all, id)
		}
	}
	ids := make([]string, 0, len(all))
	for id := range all {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	var text bytes.Buffer
	for _, id := range ids {
		x := all[id]
		fmt.Fprintf(&text, "%s %s %d %d\n", id, x.sum, x.size, x.modified)
	}
	sum := sha256.Sum256(text.Bytes())
	file := append([]byte(verifiedHead+hex.EncodeToString(sum[:])+"\n"), text.Bytes()...)
	if err := disk.Put(s.fs, disk.Data{Path: s.verifiedPath(), Bytes: file}); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	v.files, v.changed = all, map[string]bool{}
	return nil
}

// readVerified reads the index; what cannot be used is as if it were not there.
func (s *Store) readVerified() map[string]seen {
	files := map[string]seen{}
	file, state, _ := s.load(s.verifiedPath())
	if state != Whole {
		return files
	}
	head, text, _ := bytes.Cut(file, []byte("\n"))
	if sum := sha256.Sum256(text); string(head) != verifiedHead+hex.EncodeToString(sum[:]) {
		return files
	}
	for line := range strings.Lines(string(text)) {
		part := strings.Fields(line)
		if len(part) != 4 {
			continue
		}
		size, errSize := strconv.ParseInt(part[2], 10, 64)
		modified, errTime := strconv.ParseInt(part[3], 10, 64)
		if errors.Join(errSize, errTime) == nil {
			files[part[0]] = seen{part[1], size, modified}
		}
	}
	return files
}
