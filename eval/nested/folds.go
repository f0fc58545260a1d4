package nested

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/mathext/prng"
)

// Folds is the number of inner folds in the paper.
const Folds = 10

// ClassError is the error of a class with too few examples. Callers whose labels are indices can
// look up the class's name by Label.
type ClassError struct {
	Label   int
	Problem string // the class's number of points, and the expected one
}

// Error names the class by its label.
func (e *ClassError) Error() string { return fmt.Sprintf("nested: class %d %s", e.Label, e.Problem) }

// Split divides examples into a training and a test part, and the training part into inner folds.
type Split struct {
	// Train and Test list examples. Some may be in neither. An SVM sees the examples in the order
	// of Train.
	Train, Test []int
	// Fold[k] in 0, 1, ... is the inner fold that holds Train[k] out.
	Fold []int
}

// Source is a source of random bits, for example a *rand.Rand of math/rand/v2.
type Source interface{ Uint32() uint32 }

// Released returns the split of a seed in the paper's released code, in the same order. That code
// uses scikit-learn's train_test_split (a tenth to test, stratified) and then StratifiedKFold
// (folds of the training part, shuffled), both with random_state = seed and numpy's legacy
// generator. labels[i] is the class of example i, any integer. The paper has [Folds].
//
// The test part has a tenth of the examples, rounded up, and each class its share. Test parts of
// different seeds overlap. As in scikit-learn, a class with fewer examples in the training part
// than there are inner folds is missing in some of them. It is an error if there are no labels, one
// class only, a class of one example, fewer test examples than classes, or more folds than examples
// of every class in the training part. [LeastTraining] shows whether this can happen.
func Released(labels []int, seed uint32, folds int) (*Split, error) {
	outer, inner := prng.NewMT19937(), prng.NewMT19937()
	outer.Seed(uint64(seed))
	inner.Seed(uint64(seed))
	return split(labels, folds, outer, inner)
}

// Drawn returns a split of the same kind as Released, drawn from src, with the same errors.
func Drawn(labels []int, folds int, src Source) (*Split, error) {
	if src == nil {
		return nil, errNoSource
	}
	return split(labels, folds, src, src)
}

var errNoSource = errors.New("nested: src is nil, expected a source of random numbers")

func split(labels []int, folds int, outer, inner Source) (*Split, error) {
	classes, members := group(labels)
	switch len(classes) {
	case 0:
		return nil, errors.New("nested: no labels, expected one for each example")
	case 1:
		return nil, fmt.Errorf("nested: all examples (%d) are of class %d, expected two classes at least", len(labels), classes[0])
	}
	left := make([]int, len(classes))
	for c := range left {
		left[c] = len(members[c])
	}
	if c := slices.Index(left, 1); c >= 0 {
		return nil, &ClassError{classes[c], "has 1 example, expected 2 at least: one to learn from, one to test"}
	}
	tested := testing(len(labels))
	if tested < len(classes) {
		return nil, fmt.Errorf("nested: %d of %d examples to test, expected one for each of the %d classes", tested, len(labels), len(classes))
	}
	train := allot(left, len(labels)-tested, outer)
	for c, n := range train {
		left[c] -= n
	}
	test := allot(left, tested, outer)
	s := &Split{}
	for c, m := range members {
		order := permutation(len(m), outer)
		for k, i := range order[:train[c]+test[c]] {
			if k < train[c] {
				s.Train = append(s.Train, m[i])
			} else {
				s.Test = append(s.Test, m[i])
			}
		}
	}
	shuffle(s.Train, outer)
	shuffle(s.Test, outer)
	of := make([]int, len(s.Train))
	for k, i := range s.Train {
		of[k] = labels[i]
	}
	var err error
	s.Fold, err = Stratified(of, folds, inner)
	return s, err
}

// LeastTraining returns the number of examples of each class that the training part of every split
// of [Released] and [Drawn] has at least. A class that ties with others for the last place may have
// one more. counts are the sizes of the classes.
func LeastTraining(counts []int) []int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return allot(counts, n-testing(n), nil)
}

// testing returns the number of tested examples among n.
func testing(n int) int { return int(math.Ceil(0.1 * float64(n))) }

// group lists the classes, ascending, and the members of each, ascending.
func group(labels []int) (classes []int, members [][]int) {
	classes = slices.Compact(slices.Sorted(slices.Values(labels)))
	members = make([][]int, len(classes))
	for i, l := range labels {
		c, _ := slices.BinarySearch(classes, l)
		members[c] = append(members[c], i)
	}
	return classes, members
}

// allot divides draws among the classes in proportion to their counts. Each class gets the whole
// part of its share; the rest goes to the largest remainders, and ties are drawn. Without a source,
// classes that tie for too few places get none.
func allot(counts []int, draws int, src Source) []int {
	sum := 0
	for _, n := range counts {
		sum += n
	}
	out, rest := make([]int, len(counts)), make([]float64, len(counts))
	missing := draws
	for c, n := range counts {
		share := float64(float64(n) / float64(max(sum, 1)) * float64(draws))
		out[c] = int(share)
		rest[c] = share - math.Floor(share)
		missing -= out[c]
	}
	for _, largest := range slices.Backward(slices.Compact(slices.Sorted(slices.Values(rest)))) {
		if missing <= 0 {
			break
		}
		var tied []int
		for c, r := range rest {
			if r == largest {
				tied = append(tied, c)
			}
		}
		switch {
		case src != nil:
			shuffle(tied, src) // even where all get one
		case missing < len(tied):
			return out
		}
		for _, c := range tied[:min(missing, len(tied))] {
			out[c]++
			missing--
		}
	}
	return out
}

// Stratified deals examples to folds 0..folds-1 so that each has nearly its share of every class,
// drawn from src. It does the same as scikit-learn's StratifiedKFold with shuffling, draw for draw
// if src is numpy's generator. The fold of example i is the i-th of the result. A class with fewer
// examples than folds is missing in some of them. Fewer than two folds, no labels, and more folds
// than examples of every class are errors.
func Stratified(labels []int, folds int, src Source) ([]int, error) {
	classes, members := group(labels)
	switch {
	case src == nil:
		return nil, errNoSource
	case folds < 2:
		return nil, fmt.Errorf("nested: folds is %d, expected 2 at least", folds)
	case len(classes) == 0:
		return nil, errors.New("nested: no labels, expected one for each example")
	}
	largest := slices.MaxFunc(members, func(a, b []int) int { return len(a) - len(b) })
	if len(largest) < folds {
		return nil, &ClassError{labels[largest[0]], fmt.Sprintf("is the largest and has %d examples, expected at least one for each of the %d folds",
			len(largest), folds)}
	}
	// Classes come in the order in which they appear, sorted examples are dealt in turn, and so a
	// class gets its numbers of folds, which are shuffled.
	slices.SortFunc(members, func(a, b []int) int { return a[0] - b[0] })
	out := make([]int, len(labels))
	place := 0
	for _, m := range members {
		share := make([]int, folds)
		for range m {
			share[place%folds]++
			place++
		}
		var deck []int
		for f, n := range share {
			deck = append(deck, slices.Repeat([]int{f}, n)...)
		}
		shuffle(deck, src)
		for k, i := range m {
			out[i] = deck[k]
		}
	}
	return out, nil
}

// interval draws from 0..top as numpy's legacy generator does.
func interval(top uint32, src Source) uint32 {
	mask := uint32(1)<<bits.Len32(top) - 1
	for {
		if x := src.Uint32() & mask; x <= top {
			return x
		}
	}
}

func shuffle(x []int, src Source) {
	for i := len(x) - 1; i > 0; i-- {
		j := interval(uint32(i), src)
		x[i], x[j] = x[j], x[i]
	}
}

func permutation(n int, src Source) []int {
	x := make([]int, n)
	for i := range x {
		x[i] = i
	}
	shuffle(x, src)
	return x
}
