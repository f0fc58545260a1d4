package method

import (
	"context"
	"fmt"
	"maps"
	"math"

	"ogdl/experiments/internal/product"
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
