package method

import (
	"context"
	"fmt"
	"slices"

	"ogdl/experiments/internal/product"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/gdl"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
)

// HeldOutKey asks for the reconstruction errors of graphs that a dictionary was not learned on. It has no default, as [ShareKey].
const HeldOutKey = "held_out"

// Folds is the number of parts that the graphs are divided into: repetition r holds out part r modulo this.
const Folds = 5

func heldOutParam() spec.Param {
	return spec.Param{Name: HeldOutKey, Kind: spec.Boolean,
		Doc: "with share: also learn on four fifths of the graphs, and keep the reconstruction errors of the others, as fit does"}
}

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
	graphs, errs = []int{}, []float64{}
	var rest []int
	for k, i := range source.Rand(t.Cell.Seed, t.Cell.Dataset, 0, HeldOutKey).Perm(len(t.Spaces)) {
		if k%Folds == t.Cell.Repetition%Folds {
			graphs = append(graphs, i)
		} else {
			rest = append(rest, i)
		}
	}
	if t.Params.Text("init") != string(gdl.RandomInit) && len(rest) < t.Params.Integer("atoms") || len(graphs) == 0 {
		return []int{}, errs, nil
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
