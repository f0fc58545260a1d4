package protocol

import (
	"context"
	"fmt"
	"slices"

	"ogdl/baselines/spectral"
	"ogdl/eval/nested"
	"ogdl/eval/svm"
	"ogdl/experiments/internal/classify"
	"ogdl/experiments/internal/method"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/words"
)

// predict predicts the classes of the split's test part: by an SVM on the method's kernel, whose parameters are chosen within
// the training part, or as the method did by itself.
func predict(ctx context.Context, t *method.Task, out *method.Result) error {
	split, err := classify.Split(t, t.Cell.Repetition)
	if err != nil {
		return err
	}
	predictions := out.Predictions
	if predictions == nil {
		if predictions, err = search(ctx, t, split, out); err != nil {
			return err
		}
	}
	if len(predictions) != len(split.Test) {
		return fmt.Errorf("the method predicted the classes of %d of %d test graphs", len(predictions), len(split.Test))
	}
	classes, tests := t.Data.Classes, slices.Sorted(slices.Values(split.Test))
	sorted := make([]int, len(tests))
	for k, i := range split.Test {
		place, _ := slices.BinarySearch(tests, i)
		sorted[place] = predictions[k]
	}
	members := func(classes []int) []int { return classify.Members(classes, t.Data.NumClasses()) }
	truth, inTrain := method.At(classes, tests), members(method.At(classes, split.Train))
	largest, size := slices.Index(inTrain, slices.Max(inTrain)), float64(len(tests))
	out.Scores[artifact.Accuracy], out.Scores[artifact.TestSize] = float64(classify.Right(sorted, classes, tests))/size, size
	out.Scores[artifact.Majority] = float64(members(truth)[largest]) / size
	out.Scores[artifact.MajorityAll] = float64(slices.Max(members(classes))) / float64(len(classes))
	out.Arrays = append(out.Arrays, npz.Vector(artifact.Predictions, sorted), npz.Vector(artifact.Truth, truth),
		npz.Vector(artifact.TestGraphs, tests))
	return nil
}

// search chooses C and gamma and returns the predictions for the test part.
func search(ctx context.Context, t *method.Task, split *nested.Split, out *method.Result) ([]int, error) {
	n, v := len(t.Data.Graphs), t.Params
	set := &nested.Settings{C: v.List("C"), Gamma: []float64{0}, SVM: svm.Settings{MaxIter: v.Integer("svm_iterations")}}
	kernel := nested.Kernel(func(float64) ([]float64, error) { return out.Kernel, nil })
	if out.Kernel == nil {
		set.Gamma = v.List("gamma")
		var err error
		if kernel, err = nested.Exponential(scaled(out.Distances, n, v.Text("distance_scale")), n); err != nil {
			return nil, err
		}
	}
	got, err := nested.Search(ctx, kernel, t.Data.Classes, split, set)
	if err != nil {
		return nil, err
	}
	K, err := kernel(got.Gamma)
	if err != nil {
		return nil, err
	}
	eigenvalues, err := spectral.Eigenvalues(ctx, K, n)
	if err != nil {
		return nil, err
	}
	out.Notes = append(out.Notes, classify.FewInFolds(t, split)...)
	s := out.Scores
	s[artifact.InnerAccuracy], _ = got.Inner.Float64()
	s[artifact.InnerNumerator], s[artifact.InnerDenominator] = float64(slices.Max(got.Numerators)), float64(got.Denominator)
	s[artifact.ChosenC], s[artifact.Fits], s[artifact.CappedFits] = got.C, float64(got.Fits), float64(got.Capped)
	s[artifact.LeastEigenvalue] = eigenvalues[0]
	if out.Kernel == nil {
		s[artifact.ChosenGamma] = got.Gamma
	}
	out.NoteIf(got.Capped > 0, "%d of %s stopped at svm_iterations = %d", got.Capped, words.Plural(got.Fits, "SVM", "SVMs"), set.SVM.MaxIter)
	out.Arrays = append(out.Arrays,
		npz.Array{Name: artifact.InnerCorrect, Shape: []int{len(set.C), len(set.Gamma)}, Int: got.Numerators},
		npz.Vector(artifact.InnerC, set.C), npz.Vector(artifact.InnerGamma, set.Gamma))
	return got.Predictions, nil
}

// scaled returns the distances divided by their maximum or median over pairs, as distance_scale
// says. Distances that are all 0 are unchanged.
func scaled(d []float64, n int, scale string) []float64 {
	if scale == classify.ScaleNone {
		return d
	}
	pairs := method.Upper(d, n)
	slices.Sort(pairs)
	by := pairs[len(pairs)-1]
	if m := len(pairs); scale == classify.ScaleMedian {
		by = float64(pairs[(m-1)/2]/2) + float64(pairs[m/2]/2)
	}
	out := make([]float64, len(d))
	for i, x := range d {
		if out[i] = x; by > 0 {
			out[i] = x / by
		}
	}
	return out
}
