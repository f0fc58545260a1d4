// Package classify has the methods that predict the classes of graphs: SVMs on kernels of graphs,
// embeddings and models, networks on graphs, and a network on the weights of a dictionary.
package classify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"ogdl/baselines/gwf"
	"ogdl/datasets"
	"ogdl/eval/nested"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/words"
	"ogdl/reports/summary"

	"gonum.org/v1/gonum/floats"
)

// Protocol is the name of the protocol that predicts the classes of a tenth of the graphs from the others'.
const Protocol = "classification"

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

// Rows are the rows of all methods that classify.
func Rows() method.Table {
	return append(method.Table{
		fgwkMethod(), sgwkMethod(), gdlwMethod(), gdlgMethod(), ginMethod(), pscnMethod(),
		gwfSVM("GWF-r", gwf.RandomOrder), gwfSVM("GWF-f", gwf.FixedOrder),
		gwfMLP("GWF-r", gwf.RandomOrder), gwfMLP("GWF-f", gwf.FixedOrder),
	}, kernelMethods()...)
}

// classifiedBy returns the protocol of classification with these parameters after the common ones.
func classifiedBy(params ...spec.Param) spec.Protocol {
	folds := spec.Choice("folds", "splits: repetition i is split i of the released code, or drawn", foldsReleased, foldsDrawn)
	return spec.Protocol{Name: Protocol, Params: append([]spec.Param{folds}, params...), Counts: checkClasses}
}

// leastCoefficient is the least C and gamma: smaller ones fit on no axis, and change nothing.
const leastCoefficient = 1e-50

// svmParams are the settings of the search for an SVM on a kernel.
func svmParams() []spec.Param {
	return []spec.Param{
		spec.Numbers("C", "bounds of the SVM that are tried; one list is one search", leastCoefficient, 1e12,
			1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7),
		spec.Int("svm_iterations", "iterations of an SVM's fit, for each pair of classes, at most", 5000000, 1, 1e12),
		spec.Int(innerFoldsKey, "inner folds of the training part, 10 unless given; a class with fewer graphs is missing in some", nil, 2, 1000),
	}
}

// distanceParams are svmParams for kernels exp(-gamma D).
func distanceParams() []spec.Param {
	var twos []float64
	for k := -10; k <= 10; k++ {
		twos = append(twos, math.Ldexp(1, k))
	}
	return append(svmParams(),
		spec.Numbers("gamma", "coefficients of the kernel exp(-gamma D) that are tried; one list is one search", leastCoefficient, 1e12, twos...),
		spec.Choice("distance_scale", "what D is divided by: nothing, or the largest or the median distance of two graphs", ScaleNone, ScaleMax,
			ScaleMedian))
}

// innerFoldsKey has no default, so that cells without it keep their ids.
const innerFoldsKey = "inner_folds"

// innerFolds returns the number of inner folds.
func innerFolds(v spec.Values) int { return cmp.Or(v.Integer(innerFoldsKey), nested.Folds) }

// checkClasses wants classes to predict, and so many members of them that every split can be made and learned from.
func checkClasses(v spec.Values, d spec.Counts) (key, want string) {
	name := v.Text(spec.DatasetKey)
	if d.Classes < 2 {
		return spec.DatasetKey, fmt.Sprintf("%s has %s, of which there must be two at least to predict them", name,
			[]string{"no classes", "one class only"}[d.Classes])
	}
	members := slices.Repeat([]int{d.Graphs / d.Classes}, d.Classes) // of sets that are drawn; classes of published sets are large
	named := func(int) string { return "each class" }
	if d.Data != nil {
		members = Members(d.Data.Classes, d.Classes)
		named = func(c int) string { return fmt.Sprintf("class %q", d.Data.ClassNames([]int{c})[0]) }
	}
	n, large := 0, slices.Index(members, slices.Max(members))
	for _, m := range members {
		n += m
	}
	partition := v.Text("folds") == foldsPartition
	tested, folds, lone := (n+nested.Folds-1)/nested.Folds, innerFolds(v), slices.Index(members, 1)
	learned := nested.LeastTraining(members)[large]
	if partition {
		learned = members[large] - (members[large]+nested.Folds-1)/nested.Folds
	}
	learned = max(learned, (n-tested+d.Classes-1)/d.Classes) // some class has as many
	switch key = spec.DatasetKey; {
	case lone >= 0 && !partition:
		return key, fmt.Sprintf("%s has 1 graph of %s: must be 2 at least, one to learn from and one to test", name, named(lone))
	case tested < d.Classes && !partition:
		return key, fmt.Sprintf("%s has %d graphs, of which %d are tested: must be one at least for each of its %d classes", name, n, tested, d.Classes)
	case learned < folds:
		if v.Has(innerFoldsKey) {
			key = innerFoldsKey
		}
		return key, fmt.Sprintf("%s has %s of %s, of which a training part may have %d: must be one at least for each of the %d inner folds", name,
			words.Plural(members[large], "graph", "graphs"), named(large), learned, folds)
	}
	return "", ""
}

// Split returns a repetition's split of a cell's graphs.
func Split(t *method.Task, repetition int) (s *nested.Split, err error) {
	c := t.Cell
	drawn := func(stage string, i int) *rand.Rand { return source.Rand(c.Seed, c.Dataset, i, stage) }
	switch {
	case t.Data.Classes == nil:
		err = errors.New("the data set has no classes")
	case t.Params.Text("folds") == foldsDrawn:
		s, err = nested.Drawn(t.Data.Classes, innerFolds(t.Params), drawn("folds", repetition))
	case t.Params.Text("folds") == foldsPartition:
		s, err = partition(t.Data.Classes, repetition%nested.Folds, drawn("partition", repetition/nested.Folds), drawn("folds", repetition))
	default:
		s, err = nested.Released(t.Data.Classes, uint32(repetition), innerFolds(t.Params))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Dataset, NameClass(err, t.Data))
	}
	return s, nil
}

// NameClass returns an error about a class, by its index, as one about its name in the data.
func NameClass(err error, d *datasets.Dataset) error {
	var of *nested.ClassError
	if !errors.As(err, &of) || of.Label < 0 || of.Label >= d.NumClasses() {
		return err
	}
	return fmt.Errorf("class %q %s", d.ClassNames([]int{of.Label})[0], of.Problem)
}

// FewInFolds names the classes that are missing in some inner folds of a cell's split.
func FewInFolds(t *method.Task, s *nested.Split) (notes []string) {
	for c, n := range Members(method.At(t.Data.Classes, s.Train), t.Data.NumClasses()) {
		if folds := innerFolds(t.Params); n < folds {
			notes = append(notes, fmt.Sprintf("class %q has %s to learn from: some of the %d inner folds are without it", t.Data.ClassNames([]int{c})[0],
				words.Plural(n, "graph", "graphs"), folds))
		}
	}
	return notes
}

// Right counts the graphs whose class is predicted; the k-th prediction is of graph graphs[k].
func Right(predicted, classes, graphs []int) (n int) {
	for k, i := range graphs {
		if predicted[k] == classes[i] {
			n++
		}
	}
	return n
}

// innerParts divides the training part of a split into its first inner fold, which is held out, and the rest.
func innerParts(s *nested.Split) (learned, held []int) {
	for k, i := range s.Train {
		if s.Fold[k] == 0 {
			held = append(held, i)
		} else {
			learned = append(learned, i)
		}
	}
	return learned, held
}

// Members counts the members of so many classes.
func Members(classes []int, count int) []int {
	out := make([]int, count)
	for _, c := range classes {
		out[c]++
	}
	return out
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
func fgwkMethod() method.Row {
	return method.Row{Fit: fitFGWK, Method: spec.Method{
		Name:     "FGWK",
		Version:  1,
		Doc:      "SVM with the kernel exp(-gamma D) of the graphs' (F)GW objectives (Vayer et al. 2019)",
		Tables:   []string{summary.TableClassification},
		Params:   append([]spec.Param{method.AlphaParam()}, method.SolveParams("")...),
		Protocol: classifiedBy(distanceParams()...),
		Check:    method.CheckAlpha,
		Products: method.SharedDistances,
	}}
}

// sgwkMethod is FGWK with many starts.
func sgwkMethod() method.Row {
	r := fgwkMethod()
	r.Name, r.Doc = "S-GWK", "FGWK, each objective the least over starts from a Markov chain (Chowdhury & Needham 2020)"
	r.Params = append(r.Params,
		spec.Int("starts", "couplings of the chain that a pair of graphs is solved from, besides p q'", 10, 1, 1e6),
		spec.Int("skip", "steps of the chain from one start to the next", 10, 1, 1e6))
	return r
}

func fitFGWK(ctx context.Context, t *method.Task) (*method.Result, error) {
	d, err := t.Distances(ctx, method.GWSettings(t.Params, ""))
	if err != nil {
		return nil, err
	}
	return &method.Result{Distances: floats.MulTo(make([]float64, len(d.Values)), d.Values, d.Values)}, nil // roots of the objectives
}
