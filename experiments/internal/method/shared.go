package method

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"ogdl/experiments/internal/product"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/gdl"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
)

// ShareKey asks for a dictionary that cells with other clusterings share. It has no default, so
// that ids of cells without it do not change.
const ShareKey = "share"

// arrayLoss is the mean loss of every epoch in the product.
const arrayLoss = "epoch_loss"

func shareParam() spec.Param {
	return spec.Param{Name: ShareKey, Kind: spec.Boolean, Doc: "learn the dictionary once for cells that differ in their clusters alone, as fit does"}
}

// shared returns the dictionary product of a cell, without the parameters of the clustering. on is as in [product.Dictionary].
func shared(c *spec.Cell, on string) spec.Product {
	of := *c
	of.Params = maps.Clone(c.Params)
	delete(of.Params, ShareKey)
	delete(of.Params, HeldOutKey)
	for _, q := range c.Method.Protocol.Params {
		delete(of.Params, q.Name)
	}
	return product.Dictionary(&of, on)
}

// sharedOf are the products of a cell of GDL.
func sharedOf(c *spec.Cell) []spec.Product {
	if !c.Params.Flag(ShareKey) {
		return nil
	}
	out := []spec.Product{shared(c, "")}
	if c.Params.Flag(HeldOutKey) {
		out = append(out, heldOut(c))
	}
	return out
}

// fitShared is learnGDL on the dictionary that the cell shares.
func fitShared(ctx context.Context, t *Task) (*Result, error) {
	got, err := t.Cache.Dictionary(ctx, shared(t.Cell, ""), t.Data.Digest, func(ctx context.Context) (*product.Learned, error) {
		r, err := learnGDL(ctx, t)
		if err != nil {
			return nil, err
		}
		r.Arrays = append(r.Arrays, npz.Vector(artifact.Reconstruction, r.Reconstruction), npz.Vector(arrayLoss, r.EpochLoss))
		return r.Learned()
	})
	if err != nil {
		return nil, err
	}
	d, err := gdl.FromArrays(got.Arrays)
	if err != nil {
		return nil, err
	}
	n, f := len(t.Spaces), npz.Among(got.Arrays, "a dictionary")
	w, errs, loss := f.FloatsOf(artifact.Weights, n, d.S), f.FloatsOf(artifact.Reconstruction, n), f.Floats(arrayLoss, 1, false)
	var v []float64
	if d.H != nil {
		v = f.FloatsOf(artifact.NodeWeights, n, d.S)
	}
	if f.Err() != nil {
		return nil, f.Err()
	}
	embeddings := EmbeddingsOf(w, d.S)
	for i := range embeddings {
		embeddings[i].Reconstruction = errs[i]
		if v != nil {
			embeddings[i].V = v[i*d.S : (i+1)*d.S]
		}
	}
	out, err := resultGDL(t, d, embeddings, loss.Float, &gdl.SolveStats{}, got.Notes)
	if err != nil {
		return nil, err
	}
	out.Scores[artifact.Objective] = got.Objective
	out.Arrays = append(out.Arrays, npz.Vector(artifact.Reconstruction, errs))
	if t.Params.Flag(HeldOutKey) {
		return out, out.holdOut(ctx, t)
	}
	return out, nil
}

// Learned is the result as a product. One whose training diverged is an error.
func (out *Result) Learned() (*product.Learned, error) {
	x := out.Scores[artifact.Objective]
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil, fmt.Errorf("training diverged: the mean objective is %v; smaller steps may help", x)
	}
	return &product.Learned{Arrays: out.Arrays, Objective: x, Notes: out.Notes, Convergence: out.Convergence}, nil
}

// HeldOutKey asks for the reconstruction errors of graphs that a dictionary was not learned on. It has no default, as [ShareKey].
const HeldOutKey = "held_out"

// Folds is the number of parts that the graphs are divided into: repetition r holds out part r modulo this.
const Folds = 5

// heldOut returns the product of a cell's dictionary without the graphs that it holds out.
func heldOut(c *spec.Cell) spec.Product {
	return shared(c, fmt.Sprintf("all but part %d of %d", c.Repetition%Folds, Folds))
}

// holdOut adds the arrays of held-out graphs and their errors. They are empty if fewer graphs than
// atoms remain to learn from.
func (out *Result) holdOut(ctx context.Context, t *Task) error {
	got, err := t.Cache.Dictionary(ctx, heldOut(t.Cell), t.Data.Digest, func(ctx context.Context) (*product.Learned, error) {
		graphs, errs, err := heldOutErrors(ctx, t)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", HeldOutKey, err)
		}
		return &product.Learned{Arrays: []npz.Array{
			npz.Vector(artifact.HeldOutGraphs, graphs), npz.Vector(artifact.HeldOutErrors, errs)}}, nil
	})
	if err != nil {
		return err
	}
	out.Arrays = append(out.Arrays, got.Arrays...)
	return nil
}

// heldOutErrors learns on the graphs of the other parts, and embeds the rest.
func heldOutErrors(ctx context.Context, t *Task) (graphs []int, errs []float64, err error) {
	var rest []int
	for k, i := range source.Rand(t.Cell.Seed, t.Cell.Dataset, 0, HeldOutKey).Perm(len(t.Spaces)) {
		if k%Folds == t.Cell.Repetition%Folds {
			graphs = append(graphs, i)
		} else {
			rest = append(rest, i)
		}
	}
	if t.Params.Text("init") != string(gdl.RandomInit) && len(rest) < t.Params.Integer("atoms") || len(graphs) == 0 {
		return nil, nil, nil
	}
	slices.Sort(graphs)
	slices.Sort(rest)
	on, data := *t, *t.Data
	on.Data, on.Spaces = &data, At(t.Spaces, rest)
	if data.Classes != nil {
		data.Classes = At(data.Classes, rest)
	}
	training, _, err := trainGDL(ctx, &on)
	if err != nil {
		return nil, nil, err
	}
	set := UnmixSettings(t.Params)
	embeddings, err := training.Dictionary.Embed(ctx, At(t.Spaces, graphs), &set, 1)
	for _, e := range embeddings {
		errs = append(errs, e.Reconstruction)
	}
	return graphs, errs, err
}
