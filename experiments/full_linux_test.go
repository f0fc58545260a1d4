package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ogdl/internal/test/must"
	"ogdl/reports"
)

// mounted gives the session a file system of its own for its results, of that many bytes, and
// returns what changes it. The test is skipped where nothing may be mounted.
func (s *session) mounted(size int) (remount func(size int, readOnly bool)) {
	s.t.Helper()
	out := filepath.Join(s.dir, "out")
	must.Do(s.t, os.Mkdir(out, 0o755))
	if err := syscall.Mount("tmpfs", out, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		s.t.Skip("no small file system can be mounted here: ", err)
	}
	s.t.Cleanup(func() {
		if err := syscall.Unmount(out, 0); err != nil {
			s.t.Error("unmount: ", err)
		}
	})
	return func(size int, readOnly bool) {
		s.t.Helper()
		flags := uintptr(syscall.MS_REMOUNT)
		if readOnly {
			flags |= syscall.MS_RDONLY
		}
		if err := syscall.Mount("tmpfs", out, "tmpfs", flags, fmt.Sprintf("size=%d", size)); err != nil {
			s.t.Fatal("remount: ", err)
		}
	}
}

// storedWhole counts the session's records, all of which must be whole.
func (s *session) storedWhole() int {
	s.t.Helper()
	store := s.store()
	n := 0
	for r, err := range store.All() {
		if err == nil {
			_, err = store.Get(r.ID)
		}
		if err != nil {
			s.t.Error(err)
		}
		n++
	}
	return n
}

const roomy = 64 << 20

// TestDiskFull: a run on a disk that fills up says so, with the path, keeps what it has and
// the tables of before, and goes on when there is room.
func TestDiskFull(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program again and again")
	}
	reference := newSession(t, killable)
	reference.run(exitOK)

	s := newSession(t, killable)
	remount := s.mounted(100 << 10)
	s.run(exitFatal).wantErr("ogdl: record: ", filepath.Join(s.dir, "out", "store"), "no space left on device")
	kept := s.storedWhole()
	if kept == 0 || kept == 10 {
		t.Errorf("%d of 10 records fitted: the disk was not filled by cells", kept)
	}
	if names := s.leftBehind(); len(names) > 0 {
		t.Errorf("left behind: %q", names)
	}
	// A process that starts on a full disk computes nothing.
	if err := os.WriteFile(filepath.Join(s.dir, "out", "filler"), make([]byte, 100<<10), 0o644); err == nil {
		t.Fatal("there was room for a filler")
	}
	c := s.start("-workers", "1")
	if code := c.wait(); code != exitFatal || !strings.Contains(c.output(), "no space left on device") || strings.Contains(c.output(), "to compute") {
		t.Errorf("exit code %d\n%s", code, c.output())
	}
	must.Check(t, s.storedWhole(), kept, "records, and before")

	// All cells are there, and tables of part of them; now the new tables do not fit.
	remount(roomy, false)
	must.Do(t, os.Remove(filepath.Join(s.dir, "out", "filler")))
	s.run(exitOK, "-report")
	s.run(exitOK, "-shard", "0/2") // a shard writes no tables
	s.run(exitOK, "-shard", "1/2")
	before := s.results()
	used := s.used()
	filler := filepath.Join(s.dir, "out", "filler")
	must.Do(t, os.WriteFile(filler, make([]byte, roomy-used-16<<10), 0o644))
	s.run(exitFatal).wantErr("ogdl: reports: ", filepath.Join(s.dir, "out", "grid"), "no space left on device")
	must.Do(t, os.Remove(filler))
	sums := filepath.Join("grid", reports.SumsFile) // lists what was to be written too
	before[sums] = s.results()[sums]
	s.same(before)
	s.run(exitOK).wantErr("computed 0 cells")
	s.same(reference.results())
}

// used returns the bytes that are taken on the file system of the results.
func (s *session) used() int {
	s.t.Helper()
	var st syscall.Statfs_t
	must.Do(s.t, syscall.Statfs(filepath.Join(s.dir, "out"), &st))
	return int(st.Blocks-st.Bfree) * int(st.Bsize)
}

// TestReadOnly: a run that may not write says so at once, with the path; what only reads works.
func TestReadOnly(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program again and again")
	}
	s := newSession(t, killable)
	remount := s.mounted(roomy)
	s.run(exitOK, "-filter", "method=GDL")
	before := s.results()
	remount(roomy, true)
	started := time.Now()
	s.run(exitFatal)
	if took := time.Since(started); took > 5*time.Second {
		t.Errorf("ended after %s", took)
	}
	s.wantErr("ogdl: open ", filepath.Join(s.dir, "out", "store"), "read-only file system")
	if strings.Contains(s.stderr, "to compute") {
		t.Errorf("something was computed:\n%s", s.stderr)
	}
	s.run(exitFatal, "-report")
	s.wantErr("ogdl: reports: ", filepath.Join(s.dir, "out", "grid"), "read-only file system")
	s.run(exitOK, "-list").wantOut("10 cells: 4 done, 6 pending, 0 failed")
	s.same(before)

	remount(roomy, false)
	s.run(exitOK)
	reference := newSession(t, killable)
	reference.run(exitOK)
	s.same(reference.results())
}
