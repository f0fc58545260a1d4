package nested

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Classification is the result of Classify.
type Classification struct {
	// Accuracy is the share of the labelled points whose class was predicted by a machine that had
	// not seen them. Low and High bound a 95 % interval of it, in [0, 1]: Student's, of the mean
	// over the folds, with the variance that Nadeau & Bengio (2003) correct for training parts that
	// overlap, or the exact one of Clopper and Pearson where that is wider.
	Accuracy, Low, High float64
	// Majority is the share of the largest class.
	Majority float64
	// Folds is the number of folds: 10, or as many as the smallest class of 4 points or more has.
	// Rare lists the labels of classes with fewer points, which are missing in some folds.
	Folds int
	Rare  []int
	// HeldOut[i] is the class of labelled point i as predicted without it, Unlabelled[k] the class
	// of the k-th point behind the labelled ones.
	HeldOut, Unlabelled []int
}

// fewestPoints of a class are in the other folds' other folds.
const fewestPoints = 4

// Classes returns the labels of the classes with fewer than 4 members. Fewer than two other classes are an error.
func Classes(labels []int) (rare []int, err error) {
	classes, members := group(labels)
	if len(classes) < 2 {
		return nil, fmt.Errorf("nested: labels of %d classes, expected two at least", len(classes))
	}
	few := func(m []int) bool { return len(m) < fewestPoints }
	for c, m := range members {
		if few(m) {
			rare = append(rare, classes[c])
		}
	}
	if len(classes)-len(rare) < 2 {
		c := slices.IndexFunc(members, few)
		return nil, &ClassError{classes[c], fmt.Sprintf("is too small: two classes need %d members each, it has %d", fewestPoints, len(members[c]))}
	}
	return rare, nil
}

// Classify classifies points, rows of so many coordinates, by an SVM on the kernel exp(-gamma D /
// median), with D their Euclidean distances and the median over different labelled points. The
// first len(labels) points have these labels. Their accuracy is cross-validated: each fold is
// predicted from the others, within which C and gamma are chosen by folds of their own. The points
// behind them are predicted by a machine that is trained on all labelled points, its C and gamma
// chosen in the same way.
//
// Folds are drawn from src; equal draws give equal results. Without Settings of the lists, C is
// 10^-2..10^4 and gamma every second power of two from 2^-10 to 2^10. Errors: points that are not
// whole rows or not finite, or whose squared distances overflow or vanish (coordinates that differ by
// less than 1e-150 alone), fewer rows than labels, fewer than two classes of 4 points or more, and
// the errors of [Search].
func Classify(ctx context.Context, points []float64, width int, labels []int, src Source, set *Settings) (*Classification, error) {
	if src == nil {
		return nil, errNoSource
	}
	if width < 1 || len(points)%width != 0 || len(points)/width < len(labels) {
		return nil, fmt.Errorf("nested: %d coordinates for %d labels, expected rows of %d, one for each label at least", len(points), len(labels), width)
	}
	rare, err := Classes(labels)
	if err != nil {
		return nil, err
	}
	classes, members := group(labels)
	folds, largest := Folds, 0
	for c, m := range members {
		largest = max(largest, len(m))
		if !slices.Contains(rare, classes[c]) {
			folds = min(folds, len(m))
		}
	}
	s := *cmp.Or(set, &Settings{})
	if s.C == nil {
		s.C = []float64{1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4}
	}
	if s.Gamma == nil {
		for k := -10; k <= 10; k += 2 {
			s.Gamma = append(s.Gamma, math.Ldexp(1, k))
		}
	}
	n, all := len(labels), len(points)/width
	D, err := distances(points, width, n)
	if err != nil {
		return nil, err
	}
	kernel, err := Exponential(D, all)
	if err != nil {
		return nil, err
	}
	outer, err := Stratified(labels, folds, src)
	if err != nil {
		return nil, err
	}
	known := append(slices.Clone(labels), make([]int, all-n)...) // labels of a test part are looked at to count only
	search := func(fold int) ([]int, *Result, error) {           // holds a fold out, or the points without labels
		split := &Split{}
		var of []int
		for i := range all {
			switch {
			case i < n && outer[i] != fold:
				split.Train, of = append(split.Train, i), append(of, labels[i])
			case i < n || fold < 0:
				split.Test = append(split.Test, i)
			}
		}
		inner := Folds
		names, left := group(of)
		for c, m := range left {
			if !slices.Contains(rare, names[c]) {
				inner = min(inner, len(m))
			}
		}
		var err error
		if split.Fold, err = Stratified(of, inner, src); err != nil {
			return nil, nil, err
		}
		r, err := Search(ctx, kernel, known, split, &s)
		return split.Test, r, err
	}
	out := &Classification{Majority: float64(largest) / float64(n), Folds: folds, Rare: rare, HeldOut: make([]int, n)}
	var right float64
	shares := make([]float64, folds)
	for f := range folds {
		test, r, err := search(f)
		if err != nil {
			return nil, err
		}
		for k, i := range test {
			out.HeldOut[i] = r.Predictions[k]
		}
		right += float64(r.Correct)
		shares[f] = r.Accuracy
	}
	out.Accuracy = right / float64(n)
	half := halfWidth(shares)
	low, high := exact(right, float64(n))
	out.Low, out.High = max(0, min(low, out.Accuracy-half)), min(1, max(high, out.Accuracy+half))
	if all > n {
		_, r, err := search(-1)
		if err != nil {
			return nil, err
		}
		out.Unlabelled = r.Predictions
	}
	return out, nil
}

// halfWidth returns half the 95 % interval of the mean of accuracies over folds, whose training
// parts overlap.
func halfWidth(shares []float64) float64 {
	k := float64(len(shares))
	mean, sum := 0.0, 0.0
	for _, x := range shares {
		mean += x / k
	}
	for _, x := range shares {
		sum += float64((x - mean) * (x - mean))
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: k - 1}.Quantile(0.975)
	return t * math.Sqrt(sum/(k-1)*(1/k+1/(k-1)))
}

// exact returns the 95 % interval of Clopper and Pearson for k cases of n.
func exact(k, n float64) (low, high float64) {
	high = 1
	if k > 0 {
		low = distuv.Beta{Alpha: k, Beta: n - k + 1}.Quantile(0.025)
	}
	if k < n {
		high = distuv.Beta{Alpha: k + 1, Beta: n - k}.Quantile(0.975)
	}
	return low, high
}

// distances returns the distances of all points, divided by the median of different ones among the
// first n.
func distances(points []float64, width, n int) ([]float64, error) {
	all := len(points) / width
	D := make([]float64, all*all)
	var apart []float64
	spread := 0.0 // of a coordinate
	for i, x := range points {
		spread = max(spread, math.Abs(x-points[i%width]))
	}
	if spread > 0 && spread < 1e-150 { // squares would be lost
		return nil, fmt.Errorf("nested: no coordinate differs by more than %v, expected 0 or 1e-150 at least", spread)
	}
	for i := range all {
		for j := range i {
			sum := 0.0
			for k := range width {
				x := points[i*width+k] - points[j*width+k]
				sum += float64(x * x)
			}
			if math.IsNaN(sum) || math.IsInf(sum, 0) {
				return nil, fmt.Errorf("nested: the distance of points %d and %d is no finite number", j, i)
			}
			D[i*all+j] = math.Sqrt(sum)
			D[j*all+i] = D[i*all+j]
			if i < n && sum > 0 {
				apart = append(apart, D[i*all+j])
			}
		}
	}
	if len(apart) == 0 {
		return D, nil
	}
	slices.Sort(apart)
	median := apart[len(apart)/2]
	for i := range D {
		D[i] /= median
	}
	return D, nil
}
