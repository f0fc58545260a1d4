package run

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/internal/test/must"
)

func TestParseShard(t *testing.T) {
	for text, want := range map[string]Shard{"0/1": {0, 1}, "2/3": {2, 3}, "99999/100000": {99999, 100000}} {
		must.Check(t, must.Get(ParseShard(text)), want, "%q", text)
	}
	for _, text := range []string{"1", "/", "1/", "/2", "3/3", "-1/3", "0/0", "1/3/5", "a/3", "0/100001", "0x1/3", " 0/3", "+0/3"} {
		must.Fail(t, must.Err(ParseShard(text)), "must be i/n", text)
	}
}

// TestShards: shards are disjoint and together they are all cells, whatever the order of the cells and whichever others there are; cells on
// one matrix are in one shard. Four shards for each of four machines leave no machine with twice the mean.
func TestShards(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"clustering-quick", "rivals"} {
		cells := exptest.Config(t, name).Cells()
		mixed := slices.Clone(cells)
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		for _, n := range []int{1, 2, 16} {
			at, matrices, load := map[string]int{}, map[string]int{}, [4]int{}
			for i := range n {
				for _, c := range (Shard{i, n}).Pick(mixed[:len(mixed)/2]) {
					at[c.ID] = i
				}
			}
			seen := map[string]bool{}
			for i := range n {
				for _, c := range (Shard{i, n}).Pick(cells) {
					if before, there := at[c.ID]; seen[c.ID] || there && before != i {
						t.Fatalf("%s is in two shards of %d", c, n)
					}
					seen[c.ID] = true
					key := c.Shared()
					if other, there := matrices[key]; key != "" && there && other != i {
						t.Fatalf("the matrix of %s is needed in two shards of %d", c, n)
					}
					matrices[key] = i
					load[i%4]++
				}
			}
			must.Check(t, len(seen), len(cells), "cells in %d shards of %s", n, name)
			if n == 16 && name == "clustering-quick" && slices.Max(load[:]) > len(cells)/2 {
				t.Errorf("four machines have %v of %d cells", load, len(cells))
			}
		}
	}
}
