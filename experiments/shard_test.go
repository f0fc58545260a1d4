package main

import (
	"fmt"
	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/run"
	"strings"
	"testing"
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
	golden(t, "shards.golden", strings.Join(lines, "\n")+"\n")
}

func TestShardFlags(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Tiny)
	for _, bad := range []struct{ args, want string }{
		{"-shard 3/3", "must be i/n"},
		{"-shard 0/3 -report", "-shard: report has no such flag; it belongs to run, list, plan"},
		{"-shard 0/3 -cell 0123", "leave out -filter, -shard"},
		{"-json", "-json: run has no such flag; it belongs to plan"},
		{"-limit 1h", "belongs to plan"},
		{"-plan -limit -1h", "must be a time above 0"},
		{"-shards 3", "belongs to plan"},
		{"-list -shards 3", "-shards: list has no such flag; it belongs to plan"},
		{"-plan -shards 3 -shard 0/3", "leave out -shard"},
		{"-plan -shards 0", "from 1 to 100000"},
		{"-plan -shards 100001", "from 1 to 100000"},
		{"-plan -shards many", "from 1 to 100000"},
	} {
		s.run(exitFatal, strings.Fields(bad.args)...).wantErr(bad.want)
	}
	total := 0
	for i := range 3 {
		s.run(exitOK, "-list", "-shard", fmt.Sprintf("%d/3", i), "-filter", "lambda=0,0.01")
		total += strings.Count(s.stdout, "pending  ")
	}
	if total != 4 {
		t.Errorf("the shards list %d cells", total)
	}
}
