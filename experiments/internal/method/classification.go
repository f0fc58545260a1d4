package method

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"ogdl/eval/nested"
	"ogdl/experiments/internal/product"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/reports/summary"
)

// ProtocolClassification is the name of the protocol that predicts the classes of a tenth of the graphs from the others'.
const ProtocolClassification = "classification"

// How distances are scaled before they become kernels.
const (
	ScaleNone   = "none"
	ScaleMax    = "max"
	ScaleMedian = "median"
)

// Where splits come from.
const (
	foldsReleased  = "released"
	foldsDrawn     = "drawn"
	foldsPartition = "partition"
)

// classifiedBy is the protocol of classification with these parameters, beside those of all.
func classifiedBy(cost func(c *spec.Cell) float64, params ...spec.Param) spec.Protocol {
	folds := spec.Choice("folds", "splits: repetition i is split i of the released code, or drawn", foldsReleased, foldsDrawn)
	return spec.Protocol{Name: ProtocolClassification, Params: append([]spec.Param{folds}, params...), Counts: checkClasses, Cost: cost}
}

// svmParams are the settings of the search for an SVM on a kernel.
func svmParams() []spec.Param {
	return []spec.Param{
		spec.Numbers("C", "bounds of the SVM that are tried; one list is one search", 0, 1e12,
			1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7),
		spec.Int("svm_iterations", "iterations of an SVM's fit, for each pair of classes, at most", 5000000, 1, 1e12),
	}
}

// distanceParams are svmParams for kernels exp(-gamma D).
func distanceParams() []spec.Param {
	var twos []float64
	for k := -10; k <= 10; k++ {
		twos = append(twos, math.Ldexp(1, k))
	}
	return append(svmParams(),
		spec.Numbers("gamma", "coefficients of the kernel exp(-gamma D) that are tried; one list is one search", 0, 1e12, twos...),
		spec.Choice("distance_scale", "what D is divided by: nothing, or the largest or the median distance of two graphs", ScaleNone, ScaleMax,
			ScaleMedian))
}

// checkClasses wants classes to predict, and members enough for the folds.
func checkClasses(v spec.Values, d spec.Counts) (key, want string) {
	const least = nested.Folds + 1 // one of them goes to the test part
	name := v.Text(spec.DatasetKey)
	switch {
	case d.Classes == 0:
		return spec.DatasetKey, name + " has no classes, of which there must be two at least to predict them"
	case d.Classes == 1:
		return spec.DatasetKey, name + " has one class only, of which there must be two at least to predict them"
	case d.Graphs < d.Classes*least:
		return spec.DatasetKey, fmt.Sprintf("%s has %d graphs of %d classes: each must have %d at least, one to test and one in each of %d folds",
			name, d.Graphs, d.Classes, least, nested.Folds)
	case d.Data == nil:
		return "", ""
	}
	members := make([]int, d.Classes)
	for _, c := range d.Data.Classes {
		members[c]++
	}
	for c, n := range members {
		if n < least {
			return spec.DatasetKey, fmt.Sprintf("%s has %s of class %d: must be %d at least, one to test and one in each of %d folds",
				name, spec.Plural(n, "graph", "graphs"), d.Data.ClassValues[c], least, nested.Folds)
		}
	}
	return "", ""
}

// Split is the split of the cell's graphs: its repetition says which.
func (t *Task) Split() (*nested.Split, error) { return t.split(t.Cell.Repetition) }

// split is that of a repetition.
func (t *Task) split(repetition int) (s *nested.Split, err error) {
	c := t.Cell
	drawn := func(stage string, i int) *rand.Rand { return source.Rand(c.Seed, c.Dataset, i, stage) }
	switch {
	case t.Data.Classes == nil:
		err = errors.New("the data set has no classes")
	case t.Params.Text("folds") == foldsDrawn:
		s, err = nested.Drawn(t.Data.Classes, drawn("folds", repetition))
	case t.Params.Text("folds") == foldsPartition:
		s, err = partition(t.Data.Classes, repetition%nested.Folds, drawn("partition", repetition/nested.Folds), drawn("folds", repetition))
	default:
		s, err = nested.Released(t.Data.Classes, uint32(repetition))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Dataset, err)
	}
	return s, nil
}

// partition is the split that tests on one fold of a partition, and deals the rest to inner folds.
func partition(classes []int, test int, outer, inner *rand.Rand) (*nested.Split, error) {
	fold, err := nested.Stratified(classes, nested.Folds, outer)
	if err != nil {
		return nil, err
	}
	s := &nested.Split{}
	var of []int
	for i, f := range fold {
		if f == test {
			s.Test = append(s.Test, i)
		} else {
			s.Train, of = append(s.Train, i), append(of, classes[i])
		}
	}
	s.Fold, err = nested.Stratified(of, nested.Folds, inner)
	return s, err
}

// fgwkMethod classifies by the (F)GW distances of the graphs themselves.
func fgwkMethod() Row {
	return Row{Fit: fitFGWK, Method: spec.Method{
		Name:     "FGWK",
		Version:  1,
		Doc:      "SVM with the kernel exp(-gamma D) of the graphs' (F)GW objectives (Vayer et al. 2019)",
		Tables:   []string{summary.TableClassification},
		Params:   append([]spec.Param{alphaParam()}, pairParams()...),
		Protocol: classifiedBy(costDistanceSearch, distanceParams()...),
		Check:    checkAlpha,
		Products: spectralDistances,
	}}
}

// sgwkMethod is FGWK with many starts.
func sgwkMethod() Row {
	r := fgwkMethod()
	r.Name, r.Doc = "S-GWK", "FGWK, each objective the least over starts from a Markov chain (Chowdhury & Needham 2020)"
	r.Params = append(r.Params,
		spec.Int("starts", "couplings of the chain that a pair of graphs is solved from, besides p q'", 10, 1, 1e6),
		spec.Int("skip", "steps of the chain from one start to the next", 10, 1, 1e6))
	r.Products = func(c *spec.Cell) []spec.Product {
		d := spectralDistances(c)[0].(product.Distances)
		d.Starts, d.Skip = c.Params.Integer("starts"), c.Params.Integer("skip")
		return []spec.Product{d}
	}
	return r
}

func fitFGWK(ctx context.Context, t *Task) (*Result, error) {
	d, err := t.distances(ctx)
	if err != nil {
		return nil, err
	}
	return &Result{Distances: Squares(d.Values)}, nil
}

// Squares are the objectives of distances that are roots of them.
func Squares(d []float64) []float64 {
	out := make([]float64, len(d))
	for i, x := range d {
		out[i] = x * x
	}
	return out
}
