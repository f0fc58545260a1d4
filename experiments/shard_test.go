package main

import (
	"fmt"
	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/run"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/internal/lock"
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

// TestShardsOfARun: shards in any order leave what one run leaves, in one folder or
// copied together, and -report writes the same tables.
func TestShardsOfARun(t *testing.T) {
	t.Parallel()
	whole := newSession(t, exptest.Tiny)
	whole.run(exitOK)
	want := whole.results()

	together := newSession(t, exptest.Tiny)
	for _, part := range []string{"2/3", "0/3", "1/3"} {
		together.run(exitOK, "-shard", part)
		together.wantErr("shard "+part+": ", "0 done already")
		together.wantOut("report writes the tables")
	}
	if _, err := os.Stat(filepath.Join(together.dir, "out", "grid")); err == nil {
		t.Error("a shard has written tables")
	}
	together.run(exitOK, "-report")
	together.same(want)

	// More shards than cells: some have nothing to do, which is no error.
	merged := newSession(t, exptest.Tiny)
	for i := range 7 {
		one := newSession(t, exptest.Tiny)
		one.run(exitOK, "-shard", fmt.Sprintf("%d/7", i))
		from := filepath.Join(one.dir, "out", "store")
		if err := os.Remove(filepath.Join(from, lock.Name)); err != nil { // CopyFS replaces nothing
			t.Fatal(err)
		}
		if err := os.CopyFS(filepath.Join(merged.dir, "out", "store"), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	merged.run(exitOK, "-report")
	merged.same(want)
	merged.run(exitOK)
	merged.wantErr("4 done already, 0 to compute")
	merged.same(want)
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
		s.run(exitFatal, strings.Fields(bad.args)...)
		s.wantErr(bad.want)
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
