package fit

import (
	"math"
	"strings"
	"testing"

	"ogdl/datasets"
	"ogdl/eval"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/artifact"
)

// made are trials with these labels, seed by seed, for one number of clusters.
func made(clusters int, objective float64, labels ...string) (out []*trial) {
	for _, text := range labels {
		var l []int
		for _, r := range text {
			l = append(l, int(r-'0'))
		}
		out = append(out, &trial{&method.Result{Scores: map[string]float64{artifact.Objective: objective}}, map[int]eval.Clustering{clusters: {K: clusters, Labels: l}}})
	}
	return out
}

// chosen is what is taken of trials by number of atoms, from 2 on.
func chosen(clusters []int, byAtoms ...[]*trial) *Fit {
	f := &Fit{Placed: method.Placed{Data: &datasets.Dataset{}}}
	var values []spec.Values
	var all []*trial
	for i, trials := range byAtoms {
		values, all = append(values, spec.Values{"atoms": int64(i + 2)}), append(all, trials...)
	}
	f.choose(values, all, clusters)
	return f
}

func TestChoose(t *testing.T) {
	const a, b, one = "001122", "010212", "000000"
	stable := made(3, 1, a, a, a, a, a)
	if f := chosen([]int{3}, made(3, 1, a, b, a, b, a), stable, stable); f.Chosen.Atoms != 3 || f.Chosen.Stability != 1 || f.Warnings() != nil {
		t.Errorf("the most stable, of those the fewest atoms: %+v", f.Chosen)
	}
	// Two clusterings that hold (nearly) all graphs in one cluster are left out, three are too many.
	if c := chosen([]int{3}, made(3, 1, a, one, a, one, a)).Chosen; c.Stability != 1 || c.LeftOut != 2 {
		t.Errorf("two left out: %+v", c)
	}
	f := chosen([]int{3}, made(3, 1, a, one, one, one, a))
	if !math.IsNaN(f.Chosen.Stability) || len(f.Warnings()) != 1 || !strings.Contains(f.Warnings()[0], "95 %") {
		t.Errorf("three left out: %+v, %q", f.Chosen, f.Warnings())
	}
	f = chosen([]int{3}, made(3, 1, a, b, "012012", "021021", "011220"))
	if f.Chosen.Stable() || !strings.Contains(strings.Join(f.Warnings(), ""), "No clustering is stable") {
		t.Errorf("unstable: %+v, %q", f.Chosen, f.Warnings())
	}
	// Of two and three clusters that are found again by every seed the three are taken.
	both := made(3, 1, a, a, a, a, a)
	for k, x := range made(2, 1, "001111", "001111", "001111", "001111", "001111") {
		both[k].clusterings[2] = x.clusterings[2]
	}
	if c := chosen([]int{2, 3}, both).Chosen; c.Clusters != 3 {
		t.Errorf("two or three clusters: %+v", c)
	}
	// Of unstable ones the most stable is taken, not the most clusters; ties go to fewer.
	const u2, v2, u3, v3 = "000111", "001011", "001122", "010212"
	unstable := func(three ...string) []*trial {
		out := made(3, 1, three...)
		for k, x := range made(2, 1, u2, v2, u2, v2, u2) {
			out[k].clusterings[2] = x.clusterings[2]
		}
		return out
	}
	f = chosen([]int{2, 3}, unstable(u3, v3, "012012", "021021", "011220"), unstable(u3, v3, "012012", "021021", "011220"))
	best := f.Tried[0]
	if c := f.Chosen; c.Clusters != 2 || c.Atoms != 2 || c.Stable() || c.Stability != best.Stability {
		t.Errorf("the most stable of unstable ones: %+v of %+v", c, f.Tried)
	}
	// None takes part: the first without an empty cluster in the kept one, else the first.
	f = chosen([]int{3}, made(3, 1, one, one, one, one, one), made(3, 1, a, one, one, one, one))
	if f.Chosen.Atoms != 3 || len(f.Warnings()) != 1 {
		t.Errorf("none takes part: %+v, %q", f.Chosen, f.Warnings())
	}
	if f = chosen([]int{3}, made(3, 1, one, one, one, one, one), made(3, 1, one, one, one, one, one)); f.Chosen.Atoms != 2 {
		t.Errorf("all have empty clusters: %+v", f.Chosen)
	}
	// The kept seed is that of the lowest objective.
	low := made(3, 1, a, a, a, a, a)
	low[3].Scores[artifact.Objective] = 0.5
	if f := chosen([]int{3}, low); f.best != 3 {
		t.Errorf("seed %d is kept", f.best)
	}
}
