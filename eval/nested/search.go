// Package nested chooses the parameters of an SVM on kernels by nested cross-validation, and tells
// its accuracy on examples that had no part in the choice. Splits come from the paper's released
// code ([Released]) or are drawn ([Drawn]).
package nested

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"ogdl/eval/svm"
)

// Kernel returns the n x n kernel matrix of all n examples, row by row, for a parameter. It may
// return the same memory again: Search reads a matrix before it asks for the next.
type Kernel func(gamma float64) ([]float64, error)

// Settings are the candidates and the stopping rules of a search; nil means all defaults.
type Settings struct {
	// C holds the bounds that are tried, distinct positive numbers. Default: 10^-7, 10^-6, ...,
	// 10^7.
	C []float64
	// Gamma holds the parameters of the kernel that are tried, distinct numbers. Default: 2^-10,
	// 2^-9, ..., 2^10. A kernel without a parameter has a list of one number, whichever.
	Gamma []float64
	// SVM stops each fit, the last one included. Its own defaults hold: 5,000,000 iterations.
	SVM svm.Settings
}

func (s *Settings) resolve() (Settings, error) {
	r := *cmp.Or(s, &Settings{})
	if r.C == nil {
		r.C = []float64{1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7}
	}
	if r.Gamma == nil {
		for k := -10; k <= 10; k++ {
			r.Gamma = append(r.Gamma, math.Ldexp(1, k))
		}
	}
	for k, C := range r.C {
		if !(C > 0) {
			return r, fmt.Errorf("nested: C[%d] is %v, expected a positive number", k, C)
		}
	}
	if err := checkList("C", r.C); err != nil {
		return r, err
	}
	return r, checkList("Gamma", r.Gamma)
}

func checkList(name string, list []float64) error {
	if len(list) == 0 {
		return fmt.Errorf("nested: %s is empty, expected a number at least", name)
	}
	for k, x := range list {
		switch {
		case math.IsNaN(x) || math.IsInf(x, 0):
			return fmt.Errorf("nested: %s[%d] is %v, expected a finite number", name, k, x)
		case slices.Contains(list[:k], x):
			return fmt.Errorf("nested: %s[%d] is %v, which %s has already", name, k, x, name)
		}
	}
	return nil
}

// Result is the result of a search.
type Result struct {
	// C and Gamma are the choice.
	C, Gamma float64
	// Inner is the inner accuracy of the choice: the mean over the inner folds of the share that is
	// right, exactly.
	Inner *big.Rat
	// Predictions are the classes that the chosen machine gives the examples of the split's Test,
	// in that order.
	Predictions []int
	// Correct is the number of right predictions, Accuracy their share.
	Correct  int
	Accuracy float64
	// Table holds the inner accuracies, rounded: of C[c] and Gamma[g] at c*len(Gamma)+g. Exactly
	// they are Numerators / Denominator.
	Table       []float64
	Numerators  []int
	Denominator int
	// Fits counts the fits, the last one included, Capped those that ended at the cap of iterations
	// in some pair of classes.
	Fits, Capped int
}

// Search chooses C and gamma on the training part of a split and classifies its test part. For
// every gamma, inner fold and C it trains on the other folds' examples and counts who is right in
// the fold. The highest mean of the shares over the folds wins; of equal ones the smaller C, then
// the smaller gamma. Shares are compared as fractions: floating-point means of the same fractions
// may differ in the last bit, and would decide such ties at random. Then one machine is trained on
// the whole training part.
//
// labels[i] is the class of example i. Labels of the test part are used only for Correct and
// Accuracy.
//
// The kernel is asked for every gamma once, and for the chosen one again. It is an error, with the
// reason and the place, if a matrix is not n x n, not finite or not symmetric (in single
// precision), if the split names examples that are not there, has one twice, an empty fold or no
// test part, if the examples outside a fold are of one class, if the folds' sizes have no common
// multiple that float64 holds, if a list of settings is bad, and if the context ends, which is
// looked at within every fit.
func Search(ctx context.Context, kernel Kernel, labels []int, split *Split, set *Settings) (*Result, error) {
	switch {
	case ctx == nil:
		return nil, errors.New("nested: ctx is nil, expected a context")
	case kernel == nil:
		return nil, errors.New("nested: kernel is nil, expected a kernel")
	case split == nil:
		return nil, errors.New("nested: split is nil, expected a split")
	}
	resolved, err := set.resolve()
	if err != nil {
		return nil, err
	}
	size, err := split.check(len(labels))
	if err != nil {
		return nil, err
	}
	s := &search{ctx: ctx, kernel: kernel, labels: labels, split: split, set: resolved, size: size}
	return s.run()
}

// check returns the sizes of the inner folds.
func (s *Split) check(n int) ([]int, error) {
	switch {
	case n == 0:
		return nil, errors.New("nested: no labels, expected one for each example")
	case len(s.Fold) != len(s.Train):
		return nil, fmt.Errorf("nested: Fold has %d entries, expected one for each of Train's %d", len(s.Fold), len(s.Train))
	case len(s.Test) == 0:
		return nil, errors.New("nested: the test part is empty")
	}
	seen := make([]bool, n)
	for part, list := range [][]int{s.Train, s.Test} {
		for k, i := range list {
			if i < 0 || i >= n || seen[i] {
				return nil, fmt.Errorf("nested: %s[%d] is %d, expected an example below %d that is nowhere else", [...]string{"Train", "Test"}[part], k, i, n)
			}
			seen[i] = true
		}
	}
	size, folds := make([]int, len(s.Fold)), 0
	for k, f := range s.Fold {
		if f < 0 || f >= len(size) {
			return nil, fmt.Errorf("nested: Fold[%d] is %d, expected a fold below %d", k, f, len(size))
		}
		size[f]++
		folds = max(folds, f+1)
	}
	for f, n := range size[:folds] {
		if n == 0 {
			return nil, fmt.Errorf("nested: inner fold %d is empty", f)
		}
	}
	if folds < 2 {
		return nil, fmt.Errorf("nested: %d inner folds in Fold, expected 2 at least", folds)
	}
	return size[:folds], nil
}

// search is the state of one Search.
type search struct {
	ctx    context.Context
	kernel Kernel
	labels []int
	split  *Split
	set    Settings
	size   []int // of the inner folds

	problem svm.Problem
	rows    []int
	result  Result
}

func (s *search) run() (*Result, error) {
	set, r := &s.set, &s.result
	folds := len(s.size)
	var err error
	if r.Denominator, err = denominator(s.size); err != nil {
		return nil, err
	}
	right := make([]int, len(set.C)*len(set.Gamma)*folds) // by C, gamma and fold
	for g, gamma := range set.Gamma {
		K, err := s.matrix(gamma)
		if err != nil {
			return nil, err
		}
		for f := range folds {
			if err := s.fold(K, g, f, right); err != nil {
				return nil, fmt.Errorf("nested: gamma %v, inner fold %d: %w", gamma, f, err)
			}
		}
	}
	r.Table, r.Numerators = make([]float64, len(set.C)*len(set.Gamma)), make([]int, len(set.C)*len(set.Gamma))
	most := -1
	for at := range r.Table {
		sum := numerator(right[at*folds:(at+1)*folds], s.size, r.Denominator)
		r.Table[at], r.Numerators[at] = float64(sum)/float64(r.Denominator), sum
		C, gamma := set.C[at/len(set.Gamma)], set.Gamma[at%len(set.Gamma)]
		if sum > most || sum == most && (C < r.C || C == r.C && gamma < r.Gamma) {
			r.C, r.Gamma, most = C, gamma, sum
		}
	}
	r.Inner = big.NewRat(int64(most), int64(r.Denominator))
	return r, s.last()
}

// denominator returns a common denominator of the means of counts over the sizes. float64 has all
// integers up to 2^53.
func denominator(size []int) (int, error) {
	common := 1
	for _, n := range size {
		a, b := common, n
		for b != 0 {
			a, b = b, a%b
		}
		if common > 1<<53/len(size)/(n/a) {
			return 0, fmt.Errorf("nested: the sizes %v of the inner folds have no common multiple below 2^53 / %d", size, len(size))
		}
		common *= n / a
	}
	return common * len(size), nil
}

// numerator returns the mean of right_k / size_k times their denominator.
func numerator(right, size []int, denominator int) int {
	sum, unit := 0, denominator/len(size)
	for k, n := range right {
		sum += n * (unit / size[k])
	}
	return sum
}

// matrix asks for a kernel.
func (s *search) matrix(gamma float64) ([]float64, error) {
	K, err := s.kernel(gamma)
	if err != nil {
		return nil, fmt.Errorf("nested: the kernel of gamma %v: %w", gamma, err)
	}
	n := len(s.labels)
	if len(K) != n*n {
		return nil, fmt.Errorf("nested: the kernel of gamma %v has %d entries, expected %d x %d for %d labels", gamma, len(K), n, n, n)
	}
	for i, x := range K {
		if !(math.Abs(x) <= math.MaxFloat64) {
			return nil, fmt.Errorf("nested: the kernel of gamma %v: K[%d,%d] is %v, expected a finite number", gamma, i/n, i%n, x)
		}
	}
	return K, nil
}

// fold trains without inner fold f and counts who is right in it, for all C.
func (s *search) fold(K []float64, g, f int, right []int) error {
	s.rows = s.rows[:0]
	for k, i := range s.split.Train {
		if s.split.Fold[k] != f {
			s.rows = append(s.rows, i)
		}
	}
	if err := s.problem.Reset(K, s.labels, s.rows); err != nil {
		return err
	}
	for c, C := range s.set.C {
		m, err := s.fit(C)
		if err != nil {
			return err
		}
		n, count := len(s.labels), &right[(c*len(s.set.Gamma)+g)*len(s.size)+f]
		for k, i := range s.split.Train {
			if s.split.Fold[k] != f {
				continue
			}
			label, err := m.Label(K[i*n : (i+1)*n])
			if err != nil {
				return err
			}
			if label == s.labels[i] {
				*count++
			}
		}
	}
	return nil
}

func (s *search) fit(C float64) (*svm.Model, error) {
	m, err := s.problem.Fit(s.ctx, C, &s.set.SVM)
	if err != nil {
		return nil, fmt.Errorf("at C %v: %w", C, err)
	}
	s.result.Fits++
	if m.Status() == svm.Capped {
		s.result.Capped++
	}
	return m, nil
}

// last trains on the whole training part and classifies the test part.
func (s *search) last() error {
	r := &s.result
	K, err := s.matrix(r.Gamma)
	if err != nil {
		return err
	}
	where := func(err error) error {
		return fmt.Errorf("nested: gamma %v, the whole training part: %w", r.Gamma, err)
	}
	if err := s.problem.Reset(K, s.labels, s.split.Train); err != nil {
		return where(err)
	}
	m, err := s.fit(r.C)
	if err != nil {
		return where(err)
	}
	n := len(s.labels)
	for _, i := range s.split.Test {
		label, err := m.Label(K[i*n : (i+1)*n])
		if err != nil {
			return where(err)
		}
		r.Predictions = append(r.Predictions, label)
		if label == s.labels[i] {
			r.Correct++
		}
	}
	r.Accuracy = float64(r.Correct) / float64(len(s.split.Test))
	return nil
}
