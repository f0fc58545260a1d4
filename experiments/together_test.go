//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/internal/lock"
	"ogdl/internal/test/must"
)

// computedCells is how a run tells how many cells it computed.
var computedCells = regexp.MustCompile(`(?m)^computed (\d+) cells?`)

// TestEightProcesses starts eight processes on one folder at once, a shard each: none fails, nothing is
// left behind, and the bytes are those of one process alone.
func TestEightProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program again and again")
	}
	config := strings.Replace(killable, "repetitions = 2", "repetitions = 8", 1)
	reference := newSession(t, config)
	reference.run(exitOK)

	s := newSession(t, config)
	var children []*child
	for i := range 8 {
		children = append(children, s.start("-workers", "1", "-shard", fmt.Sprintf("%d/8", i)))
	}
	sum := 0
	for i, c := range children {
		if code := c.wait(); code != exitOK {
			t.Errorf("process %d: exit code %d\n%s", i, code, c.output())
			continue
		}
		if m := computedCells.FindStringSubmatch(c.output()); m != nil {
			n, err := strconv.Atoi(m[1])
			if err != nil {
				t.Error(err)
			}
			sum += n
		}
	}
	must.Check(t, sum, len(s.records()), "cells that 8 processes computed")
	s.run(exitOK)
	s.same(reference.results())
}

// TestLocked: of two runs on one folder the second says which process has it and ends; shards share it with each other alone, and
// what only reads needs no lock.
func TestLocked(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Tiny)
	s.run(exitOK)
	dir := filepath.Join(s.dir, "out", "store")
	for _, share := range []bool{false, true} {
		l := must.Get(lock.Take(dir, share, func() {}))
		who := fmt.Sprintf("%s: in use by process %d on ", dir, os.Getpid())
		for _, args := range [][]string{{"-force"}, {"-shard", "0/2"}, {"-list"}, {"-plan"}, {"-report"}} {
			want := exitOK
			if args[0] == "-force" || !share && args[0] == "-shard" {
				want = exitFatal
			}
			s.run(want, args...)
			if want == exitFatal {
				s.wantErr(who)
			}
		}
		if !share {
			s.verb(exitOK, "gc", "-out", filepath.Join(s.dir, "out"))
		}
		s.verb(exitFatal, "gc", "-yes", "-out", filepath.Join(s.dir, "out")).wantErr(who)
		l.Release()
	}
	s.run(exitOK, "-force")
}

// TestFileLimit: a process whose files may not grow ends with an error that names the path,
// without the tables, keeps what fitted, and one without the limit goes on.
func TestFileLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program again and again")
	}
	reference := newSession(t, killable)
	reference.run(exitOK)

	s := newSession(t, killable)
	c := s.startWith(fileLimit+"=3000", "-workers", "2")
	if code := c.wait(); code != exitFatal || !strings.Contains(c.output(), filepath.Join(s.dir, "out", "store")) || !strings.Contains(c.output(), syscall.EFBIG.Error()) {
		t.Errorf("exit code %d\n%s", code, c.output())
	}
	if names := s.leftBehind(); len(names) > 0 {
		t.Errorf("left behind: %q", names)
	}
	s.records() // all whole
	if c := s.start(); c.wait() != exitOK {
		t.Errorf("without the limit:\n%s", c.output())
	}
	s.same(reference.results())
}

// leftBehind lists the temporary files below the session's folder.
func (s *session) leftBehind() []string {
	s.t.Helper()
	var out []string
	must.Do(s.t, filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && temporary(path) {
			out = append(out, path)
		}
		return err
	}))
	return out
}
