package main

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/artifact"
	"ogdl/internal/record"
)

// networks is a grid of GIN-0 on graphs of three classes, by both choices of the epoch.
const networks = `table = "classification"
repetitions = 11

[[grid]]
dataset = "D1"
sbm_graphs = 13
sbm_order_max = 15
method = "GIN-0"
hidden = 6
layers = 2
epochs = 12
batch = 16
epoch_chosen_on = ["test", "train_tenth"]
`

// TestNetworks holds what GIN-0 reports to its arrays: the epoch is that of the highest mean accuracy of ten folds, the same for all of them, or that
// of the highest inner accuracy of each; the folds are a partition; accuracies are those at the epoch; and all is the same
// bytes by one worker, by two, and in shards.
func TestNetworks(t *testing.T) {
	t.Parallel()
	s := newSession(t, networks)
	s.run(exitOK, "-workers", "2")
	want := s.results()
	s.run(exitOK)
	s.wantErr("22 done already, 0 to compute")

	ints := func(r *record.Record, name string) []int {
		a, ok := s.arraysOf(r)[name]
		if !ok {
			t.Fatalf("%s has no %s", r.ID, name)
		}
		return a.Int
	}
	printed := map[int]*record.Record{}
	for _, r := range s.records() {
		right, epoch := ints(r, artifact.RightByEpoch), int(r.Scores[artifact.Epoch])
		if got, want := r.Scores[artifact.Accuracy]*r.Scores[artifact.TestSize], float64(right[epoch-1]); got < want-1e-9 || got > want+1e-9 {
			t.Errorf("%v: %v right at epoch %d, the accuracy says %v", r.Params, want, epoch, got)
		}
		if len(r.EpochLoss) != 12 || !(r.EpochLoss[11] < r.EpochLoss[0]) {
			t.Errorf("losses %v", r.EpochLoss)
		}
		if r.Params["epoch_chosen_on"] == "test" {
			printed[r.Repetition] = r
			if _, ok := r.Scores[artifact.InnerAccuracy]; ok {
				t.Error("an inner accuracy where nothing is held out")
			}
			continue
		}
		inner := ints(r, artifact.InnerByEpoch)
		if most := slices.Max(inner); epoch != 1+slices.Index(inner, most) || r.Scores[artifact.InnerNumerator] != float64(most) {
			t.Errorf("epoch %d of %v", epoch, inner)
		}
		if got := r.Scores[artifact.InnerDenominator]; got != 4 && got != 3 {
			t.Errorf("%v graphs held out of about 35", got)
		}
	}
	var tested []int
	means := make([]*big.Rat, 12)
	for f := range 10 {
		r := printed[f]
		tests := ints(r, artifact.TestGraphs)
		tested = append(tested, tests...)
		for e, n := range ints(r, artifact.RightByEpoch) {
			if means[e] == nil {
				means[e] = new(big.Rat)
			}
			means[e].Add(means[e], big.NewRat(int64(n), int64(len(tests))))
		}
		if r.Scores[artifact.Epoch] != printed[0].Scores[artifact.Epoch] {
			t.Error("the epoch differs between folds")
		}
	}
	best := 0
	for e, m := range means {
		if m.Cmp(means[best]) > 0 {
			best = e
		}
	}
	if got := printed[0].Scores[artifact.Epoch]; got != float64(best+1) {
		t.Errorf("epoch %v, the highest mean is that of %d: %v", got, best+1, means)
	}
	slices.Sort(tested)
	if len(tested) != 39 || len(slices.Compact(tested)) != 39 {
		t.Errorf("%d graphs are tested, expected each of 39 once", len(tested))
	}
	if slices.Equal(ints(printed[0], artifact.TestGraphs), ints(printed[10], artifact.TestGraphs)) {
		t.Error("repetition 10 has the fold of repetition 0")
	}

	one := newSession(t, networks)
	one.run(exitOK, "-workers", "1", "-shard", "0/2")
	one.run(exitOK, "-workers", "1", "-shard", "1/2")
	for name, text := range one.results() {
		if strings.HasPrefix(name, "store") && want[name] != text {
			t.Errorf("%s differs", name)
		}
	}
}

// TestNetworksAsked: inputs that are not there, and a partition for which a class is too small, are told before anything runs.
func TestNetworksAsked(t *testing.T) {
	t.Parallel()
	small := newSession(t, strings.Replace(networks, "sbm_graphs = 13", "sbm_graphs = 10", 1))
	small.run(exitFatal)
	small.wantErr("grid.toml:5", "dataset", "10 graphs of each class", "10 inner folds")
	for _, c := range []struct{ set, key, want string }{
		{`inputs = "attributes"`, "inputs", "which has no real attributes"},
		{`inputs = "colours"`, "inputs", "labels_or_degrees"},
		{`scaling = "standardise"`, "scaling", `inputs = "attributes"`},
		{`folds = "some"`, "folds", "partition"},
		{`batches_per_epoch = 0`, "batches_per_epoch", "one_pass"},
	} {
		s := newSession(t, fmt.Sprintf("table = \"classification\"\n[[grid]]\ndataset = \"MUTAG\"\nmethod = \"GIN-0\"\n%s\n", c.set))
		s.run(exitFatal)
		s.wantErr("grid.toml:5", c.key, c.want)
	}
}

// TestFieldsOfNodes: PSCN gives the same bytes with one worker and with two, in shards, and after an end of which nothing is lost.
func TestFieldsOfNodes(t *testing.T) {
	t.Parallel()
	sameHowever(t, strings.NewReplacer("GIN-0", "PSCN", "layers = 2", "width = 12", `["test", "train_tenth"]`, `"test"`, "repetitions = 11", "repetitions = 2").
		Replace(networks))
}

// TestSupervisedGWF does the same with supervised GWF.
func TestSupervisedGWF(t *testing.T) {
	t.Parallel()
	sameHowever(t, `table = "classification"
repetitions = 2

[[grid]]
dataset = "D1"
sbm_graphs = 13
sbm_order_max = 15
method = "GWF-f + MLP"
atoms = 3
epochs = 3
`)
}

// sameHowever runs the two cells of a grid in several ways.
func sameHowever(t *testing.T, grid string) {
	s := newSession(t, grid)
	s.run(exitOK, "-workers", "2")
	want := s.results()
	s.run(exitOK)
	s.wantErr("2 done already, 0 to compute")
	one := newSession(t, grid)
	one.run(exitOK, "-workers", "1", "-shard", "0/2")
	one.run(exitOK, "-workers", "1", "-shard", "1/2")
	for name, text := range one.results() {
		if strings.HasPrefix(name, "store") && want[name] != text {
			t.Errorf("%s differs", name)
		}
	}
}
