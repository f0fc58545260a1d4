package record

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Put stores a record with its npz (nil if there is none) and its timing (nil if there is
// none), in place of what is there under rec.ID. It sets rec's Schema, NPZSum and NPZSize, and
// timing's ID. All three files are written and synced under temporary names first, then
// renamed, the record last: a full disk or a kill leaves what was there before, or the new
// record, whole.
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
	dir := s.shard(rec.ID)
	if err := makeDir(dir); err != nil {
		return err
	}

	// Staged in the order in which they appear.
	var staged []stagedFile
	defer func() {
		for _, f := range staged {
			os.Remove(f.temp) // those renamed are no longer there
		}
	}()
	add := func(path string, data []byte) error {
		temp, err := writeTemp(dir, data)
		if err == nil {
			staged = append(staged, stagedFile{temp, path})
		}
		return err
	}
	if npz != nil {
		if err := add(s.NPZPath(rec), npz); err != nil {
			return err
		}
	}
	if timing != nil {
		if err := add(s.timingPath(rec.ID), timingFile); err != nil {
			return err
		}
	}
	if err := add(s.Path(rec.ID), recordFile); err != nil {
		return err
	}
	for _, f := range staged {
		if err := os.Rename(f.temp, f.path); err != nil {
			return fmt.Errorf("record: %w", err)
		}
		// The directory is synced after each, so that a power cut cannot keep the record's
		// rename and lose its npz's.
		if err := syncDir(dir); err != nil {
			return err
		}
	}
	return nil
}

type stagedFile struct{ temp, path string }

// Writable creates the store's folder and checks that files can be written there, so that a
// run can fail before it has computed anything.
func (s *Store) Writable() error {
	if err := makeDir(s.root); err != nil {
		return err
	}
	temp, err := writeTemp(s.root, []byte("x"))
	if err != nil {
		return err
	}
	if err := os.Remove(temp); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	return nil
}

// Temporary names are .tmp.<place>.<pid>.<random>, where place stands for the set of
// processes among which a pid means something: the host and, where the system tells, the
// namespace of pids (containers may share the host's name).
const tempPrefix = ".tmp."

var place = func() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	host = strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') {
			return r
		}
		return '_'
	}, host)
	ns, err := os.Readlink("/proc/self/ns/pid") // pid:[4026531836]
	if err != nil {
		return host
	}
	return host + "+" + strings.Trim(ns, "pid:[]")
}()

// writeTemp writes and syncs data under a temporary name in dir. On failure nothing stays.
func writeTemp(dir string, data []byte) (path string, err error) {
	path = filepath.Join(dir, tempPrefix+place+"."+strconv.Itoa(os.Getpid())+"."+rand.Text())
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return "", fmt.Errorf("record: %w", err)
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		os.Remove(path)
		return "", fmt.Errorf("record: %w", err)
	}
	return path, nil
}

// makeDir is os.MkdirAll that syncs the parent of every folder it creates.
func makeDir(dir string) error {
	info, err := os.Stat(dir)
	if err == nil && info.IsDir() {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("record: %w", err)
	}
	parent := filepath.Dir(dir)
	if parent != dir {
		if err := makeDir(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		if info, statErr := os.Stat(dir); statErr == nil && info.IsDir() {
			return nil // another process was faster
		}
		return fmt.Errorf("record: %w", err)
	}
	return syncDir(parent)
}

// syncDir makes a folder's entries durable, where the file system can.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return fmt.Errorf("record: %w", err)
	}
	return nil
}

// sweepAge is when leftovers are removed whoever may own them.
const sweepAge = time.Hour

// Sweep removes what interrupted processes left behind: temporary files whose process, on this
// host, is gone, or that are older than an hour; and npz files older than an hour that no
// record names (their record was replaced, or never written). Running processes that share the
// store lose nothing. It returns the number of files removed, and the joined errors of those
// that could not be.
func (s *Store) Sweep() (removed int, err error) {
	visit := func(dir, name string) error {
		if !s.leftover(dir, name) {
			return nil
		}
		switch err := os.Remove(filepath.Join(dir, name)); {
		case errors.Is(err, fs.ErrNotExist): // another process was faster
		case err != nil:
			return fmt.Errorf("record: %w", err)
		default:
			removed++
		}
		return nil
	}
	// Writable leaves its temporary file beside the shards.
	var errs []error
	top, err := os.ReadDir(s.root)
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

// leftover tells whether a file may be swept.
func (s *Store) leftover(dir, name string) bool {
	old := func() bool {
		info, err := os.Lstat(filepath.Join(dir, name))
		return err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > sweepAge
	}
	if tail, ok := strings.CutPrefix(name, tempPrefix); ok {
		part := strings.Split(tail, ".")
		if len(part) != 3 {
			return false // not ours
		}
		pid, err := strconv.Atoi(part[1])
		if err != nil || pid <= 0 {
			return false
		}
		return part[0] == place && !alive(pid) || old()
	}
	base, ok := strings.CutSuffix(name, ".npz")
	if !ok {
		return false
	}
	id, _, ok := strings.Cut(base, "-")
	if !ok || checkID(id) != nil || !old() {
		return false
	}
	// Only an intact record, or its absence, tells that the npz is not needed: a record under
	// another schema may name it in a way this code does not know.
	r := new(Record)
	state, _ := read(filepath.Join(dir, id+".json"), r)
	switch state {
	case Missing:
		return true
	case Whole:
		return len(r.NPZSum) < 12 || npzName(id, r.NPZSum) != name
	}
	return false
}

// alive tells whether a process of this host is there. One that may not be signalled is.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	return !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
