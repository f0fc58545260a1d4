//go:build unix

package main

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// How a run tells how many cells it computed, and how many of those another run was faster with.
var (
	computedCells = regexp.MustCompile(`(?m)^computed (\d+) cells`)
	vainCells     = regexp.MustCompile(`(?m)^computed .* (\d+) of them here too`)
)

// TestEightProcesses starts eight processes on one folder at once: none fails, nothing is
// left behind, and the bytes are those of one process alone.
func TestEightProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program again and again")
	}
	config := strings.Replace(killable, "repetitions = 2", "repetitions = 8", 1)
	reference := newSession(t, config)
	cutDistances(reference.methods)
	reference.run(exitOK)

	s := newSession(t, config)
	var children []*child
	for range 8 {
		children = append(children, s.start("-workers", "1"))
	}
	sum := 0
	for i, c := range children {
		if code := c.wait(); code != exitOK {
			t.Errorf("process %d: exit code %d\n%s", i, code, c.output())
			continue
		}
		for _, what := range []*regexp.Regexp{computedCells, vainCells} {
			if m := what.FindStringSubmatch(c.output()); m != nil {
				n, err := strconv.Atoi(m[1])
				if err != nil {
					t.Error(err)
				}
				sum += n
			}
		}
	}
	s.same(reference.results())
	cells := len(s.records())
	t.Logf("8 processes computed %d cells of a grid of %d: %d duplicated", sum, cells, sum-cells)
}

// TestFileLimit: a process whose files may not grow ends with an error that names the path,
// without the tables, keeps what fitted, and one without the limit goes on.
func TestFileLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program again and again")
	}
	reference := newSession(t, killable)
	cutDistances(reference.methods)
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
	err := filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && temporary(path) {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return out
}
