//go:build unix

package main

import (
	"regexp"
	"strconv"
	"strings"
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
	t.Logf("8 processes computed %d cells of a grid of %d: %d in vain", sum, cells, sum-cells)
}
