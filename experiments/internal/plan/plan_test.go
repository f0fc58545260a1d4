package plan

import (
	"math"
	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/run"
	"ogdl/experiments/internal/spec"
	"slices"
	"testing"
	"time"
)

// TestWall: cells share the cores, longest first; those that measure time run alone.
func TestWall(t *testing.T) {
	plain, alone := &spec.Cell{Method: &spec.Method{}}, &spec.Cell{Method: &spec.Method{Alone: true}}
	pending := []planned{{plain, 0, 3}, {plain, 1, 5}, {plain, 2, 4}, {alone, 3, 10}}
	for n, want := range map[int]float64{1: 12 + 6 + 10, 2: 7 + 3 + 10, 3: 5 + 2 + 10, 100: 5 + 0.06 + 10} {
		if got := wall(pending, 6, n); math.Abs(got-want) > 1e-9 {
			t.Errorf("%d cores: %v s, want %v", n, got, want)
		}
	}
}

// TestShardsForLimit: every shard ends within the limit.
func TestShardsForLimit(t *testing.T) {
	t.Parallel()
	c := exptest.Config(t, "clustering-quick.toml")
	cells := c.Cells()
	known := &knowledge{}
	p, err := MakePlan(t.Context(), cells, known)
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []time.Duration{time.Hour, 10 * time.Minute, 5 * time.Minute} {
		n, longest := p.shardsFor(limit, 2)
		if longest > limit.Seconds() || longest != p.longestShard(n, 2) {
			t.Errorf("%s: %d shards, the longest takes %v s", limit, n, longest)
		}
	}
	// No number of shards makes a cell shorter.
	if n, longest := p.shardsFor(time.Second, 2); longest < p.LongestCellSeconds || n < 1 || n > len(cells) {
		t.Errorf("%d shards, the longest takes %v s", n, longest)
	}
}

// TestCalibration: as many of the cheapest kinds as the budget pays for.
func TestCalibration(t *testing.T) {
	known := &knowledge{States: map[string]run.State{}}
	all, err := MakePlan(t.Context(), exptest.Parse(t, exptest.Mixed).Cells(), known)
	if err != nil {
		t.Fatal(err)
	}
	run, left := Calibration(all, math.Inf(1))
	if len(run) != 3 || len(left) != 0 || !slices.IsSortedFunc(run, func(a, b sampleKind) int { return int(math.Copysign(1, a.Cost-b.Cost)) }) {
		t.Errorf("%v, %v", run, left)
	}
	run, left = Calibration(all, run[0].Cost*1.01)
	if len(run) != 1 || len(left) != 2 {
		t.Errorf("%v, %v", run, left)
	}
}
