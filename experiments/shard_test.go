package main

import (
	"fmt"
	"strings"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/run"
	"ogdl/internal/test/golden"
)

// TestShardsStay: the split of a configuration is part of what machines agree on. Whoever
// changes it accepts it anew with -update, and says so:
// machines of a run have to be of one revision.
func TestShardsStay(t *testing.T) {
	t.Parallel()
	c := exptest.Config(t, "clustering-quick.toml")
	cells := c.Cells()
	var lines []string
	for i, x := range cells {
		if i%40 == 0 {
			lines = append(lines, fmt.Sprintf("%s %d", x.ID, run.ShardOf(x, 7)))
		}
	}
	golden.Check(t, "testdata/shards.golden", strings.Join(lines, "\n")+"\n")
}
