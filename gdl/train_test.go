package gdl_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/test/must"
	"ogdl/internal/vec"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"
)

func TestTrainingDoesNotDependOnWorkers(t *testing.T) {
	ctx := context.Background()
	graphs := noisy(source(1), 30, 5, 12, 2)
	shared := start(source(2), 4, 6, 2, 0.5)
	for _, d := range []*gdl.Dictionary{shared, must.Get(gdl.Extend(shared, source(3)))} {
		before := archive(t, d)
		var first *gdl.Training
		var embedded []gdl.Embedding
		for _, workers := range []int{1, 2, 5} {
			set := gdl.TrainSettings{Epochs: 3, Batch: 7, Workers: workers, StepH: 0.01}
			if d.H != nil {
				set.Unmix.Mu = 1e-3
			}
			r := must.Get(gdl.Train(ctx, graphs, d, &set, source(3)))
			es := must.Get(r.Dictionary.Embed(ctx, graphs, nil, workers))
			if first == nil {
				first, embedded = r, es
				continue
			}
			must.Same(t, r, first, "training with %d workers", workers)
			must.Same(t, archive(t, r.Dictionary), archive(t, first.Dictionary), "bytes with %d workers", workers)
			must.Same(t, es, embedded, "embeddings with %d workers", workers)
		}
		must.Same(t, archive(t, d), before, "the start afterwards")
		// ceil(30/7) = 5 batches of 7 an epoch.
		if len(first.EpochLoss) != 3 || len(first.BatchLoss) != 15 || first.Stats.Unmixings != 15*7 {
			t.Errorf("%d epochs, %d batches, %d unmixings", len(first.EpochLoss), len(first.BatchLoss), first.Stats.Unmixings)
		}
		mean := 0.0
		for _, x := range first.BatchLoss[5:10] {
			mean += x / 5
		}
		must.Within(t, mean, first.EpochLoss[1], 1e-15, "epoch loss, and mean of its batches")
		must.Do(t, first.Dictionary.Check())
	}
}

// The released code multiplies only one term of the gradient by alpha: its atoms
// inflate, and the loss rises where alpha is small.
func TestLossFallsAtEveryAlpha(t *testing.T) {
	ctx := context.Background()
	graphs := noisy(source(4), 40, 6, 12, 2)
	mean := func(d *gdl.Dictionary) float64 {
		sum := 0.0
		for _, e := range must.Get(d.Embed(ctx, graphs, nil, 1)) {
			sum += e.Objective
		}
		return sum / float64(len(graphs))
	}
	for _, alpha := range []float64{0, 1e-6, 1e-3, 0.1, 0.5, 0.9, 0.999, 1} {
		for optimizer, step := range map[gdl.Optimizer]float64{gdl.Adam: 0.02, gdl.SGD: 0.5} {
			shared := must.First(gdl.InitSample(graphs, 3, 6, alpha, source(5)))
			for _, d := range []*gdl.Dictionary{shared, must.Get(gdl.Extend(shared, source(6)))} {
				own := d.H != nil
				if own && alpha != 1e-3 && alpha != 0.5 && alpha != 1 {
					continue // they take ten times as long
				}
				r := must.Get(gdl.Train(ctx, graphs, d, &gdl.TrainSettings{
					Epochs: 10, Batch: 8, StepC: step, StepA: step, StepH: step / 10, Optimizer: optimizer, NonNegative: true,
				}, source(6)))
				if before, after := mean(d), mean(r.Dictionary); !(after < 0.9*before) || own && !(after < 0.8*before) {
					t.Errorf("alpha %v, %s, own node weights %v: loss from %v to %v", alpha, optimizer, own, before, after)
				}
				for s, c := range r.Dictionary.C {
					if low, high := slices.Min(c), slices.Max(c); low < 0 || high > 3 {
						t.Errorf("alpha %v, %s: atoms have entries from %v to %v", alpha, optimizer, low, high)
					}
					if own && slices.Equal(r.Dictionary.H[s], d.H[s]) {
						t.Errorf("alpha %v, %s: the node weights have not moved", alpha, optimizer)
					}
				}
			}
		}
	}
}

// TestTrainingEnds: a context that ends loses nothing of the training so far.
func TestTrainingEnds(t *testing.T) {
	graphs := noisy(source(1), 10, 5, 8, 0)
	for _, keep := range []gdl.Keep{gdl.KeepLast, gdl.KeepBest} {
		ctx, cancel := context.WithCancel(context.Background())
		set := gdl.TrainSettings{Epochs: 5, Batch: 4, Keep: keep, OnEpoch: func(epoch int, _ float64) {
			if epoch == 2 {
				cancel()
			}
		}}
		r, err := gdl.Train(ctx, graphs, start(source(2), 3, 6, 0, 1), &set, source(3))
		must.Fail(t, err, "epoch 3, batch 1: ")
		set.Epochs, set.OnEpoch = 2, nil
		want := must.Get(gdl.Train(context.Background(), graphs, start(source(2), 3, 6, 0, 1), &set, source(3)))
		must.Same(t, archive(t, r.Dictionary), archive(t, want.Dictionary), "dictionary, keep %s", keep)
		must.Same(t, r.BatchLoss, want.BatchLoss, "losses, keep %s", keep)
	}
}

func TestKeepBest(t *testing.T) {
	graphs := noisy(source(7), 16, 5, 8, 0)
	d := start(source(8), 2, 5, 0, 1)
	// A step that is too large: the loss goes up and down.
	set := gdl.TrainSettings{Epochs: 12, Batch: 4, StepC: 0.5, Keep: gdl.KeepBest}
	best := must.Get(gdl.Train(context.Background(), graphs, d, &set, source(9)))
	low := slices.Index(best.EpochLoss, slices.Min(best.EpochLoss))
	if low == 11 {
		t.Fatal("the last epoch is the best: the test shows nothing")
	}
	set.Keep, set.Epochs = gdl.KeepLast, low+1
	short := must.Get(gdl.Train(context.Background(), graphs, d, &set, source(9)))
	if !bytes.Equal(archive(t, best.Dictionary), archive(t, short.Dictionary)) {
		t.Errorf("the dictionary kept is not that of epoch %d", low+1)
	}
}

func TestBatchLargerThanTheSet(t *testing.T) {
	graphs := noisy(source(1), 3, 5, 8, 0)
	r := must.Get(gdl.Train(context.Background(), graphs, start(source(2), 2, 5, 0, 1), &gdl.TrainSettings{Epochs: 2, Batch: 16}, source(3)))
	if len(r.BatchLoss) != 2 || r.Stats.Unmixings != 6 {
		t.Errorf("%d batches with %d unmixings, want 2 of all three graphs", len(r.BatchLoss), r.Stats.Unmixings)
	}
}

// kernels draws graphs with positive definite structures: against atoms of the
// same kind GW is concave in T, so that solves end at vertices.
func kernels(rng *rand.Rand, count, low, high, dim int) []*gw.Space {
	graphs := make([]*gw.Space, count)
	for k := range graphs {
		n := low + rng.IntN(high-low+1)
		graphs[k] = space(kernel(rng, n), normal(rng, n*dim), n, dim, nil)
	}
	return graphs
}

func kernel(rng *rand.Rand, n int) []float64 {
	b, c := normal(rng, n*n), make([]float64, n*n)
	for i := range n {
		for j := range n {
			c[i*n+j] = vec.Dot(b[i*n:i*n+n], b[j*n:j*n+n]) / float64(n)
		}
	}
	return c
}

func normal(rng *rand.Rand, n int) []float64 { return gwtest.Slice(n, rng.NormFloat64) }

// TestTrainOnEpoch: who listens is told the loss of every epoch.
func TestTrainOnEpoch(t *testing.T) {
	var told []float64
	r, err := gdl.Train(t.Context(), noisy(source(1), 4, 3, 3, 0), start(source(2), 2, 3, 0, 1), &gdl.TrainSettings{Epochs: 3, OnEpoch: func(epoch int, loss float64) {
		if told = append(told, loss); epoch != len(told) {
			t.Errorf("epoch %d is told as the %dth", epoch, len(told))
		}
	}}, source(3))
	if err != nil || !slices.Equal(told, r.EpochLoss) {
		t.Errorf("told %v, the losses are %v: %v", told, r.EpochLoss, err)
	}
}
