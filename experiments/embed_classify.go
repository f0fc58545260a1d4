package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/eval/nested"
	"ogdl/experiments/internal/spec"
)

// classify predicts the classes of the embedded graphs of d, each by an SVM that has not seen it, and those of new graphs, which it embeds.
func (o *embedding) classify(ctx context.Context, m *model, d *datasets.Dataset, e *embedded) (*nested.Classification, *embedded, error) {
	if e.coordinates == nil {
		return nil, nil, errors.New("-classify: atoms with node weights of their own have no distance between embeddings")
	}
	points, more := e.coordinates, (*embedded)(nil)
	if o.unknown != "" {
		others, err := loader.Options{EdgeWeights: m.params.Text(spec.EdgeWeightsKey)}.LoadFolder(o.unknown)
		if err != nil {
			return nil, nil, err
		}
		if more, err = m.embed(ctx, others, o.workers); err != nil {
			return nil, nil, fmt.Errorf("-new: %w", err)
		}
		points = slices.Concat(points, more.coordinates)
	}
	classes := make([]int, len(e.order))
	for i, graph := range e.order {
		classes[i] = d.Classes[graph]
	}
	c, err := nested.Classify(ctx, points, e.width, classes, rand.New(rand.NewPCG(1, 0)), nil)
	if err != nil {
		return nil, nil, fmt.Errorf("-classify: %w", err)
	}
	name := func(of []int) []string {
		out := make([]string, len(of))
		for i, k := range of {
			if out[i] = strconv.Itoa(d.ClassValues[k]); d.ClassTexts != nil {
				out[i] = d.ClassTexts[k]
			}
		}
		return out
	}
	e.classes, e.predicted = name(classes), name(c.HeldOut)
	if more != nil {
		more.predicted = name(c.Unlabelled)
	}
	return c, more, nil
}
