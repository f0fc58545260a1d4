package svm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"ogdl/internal/vec"
)

// Problem is the training of machines on one kernel matrix for any number of C. It holds the
// matrices Q of all pairs of classes, which Reset gathers and every Fit uses. The zero value is
// ready for Reset. Reset again for another matrix: memory is reused, and nothing is allocated after
// the first Fit of a size. It is for one goroutine at a time.
type Problem struct {
	labels []int // distinct, ascending
	order  []int // rows of K by class
	first  []int // order[first[c]:first[c+1]] are the examples of class c
	all    []int
	pairs  []pair
	solver smo
	model  Model
}

// pair is the problem of two classes.
type pair struct {
	rows     []int     // of K: the first class, which is +1, then the second
	positive int       // the size of the first
	q        []float32 // K on rows, in single precision as in LIBSVM, without the signs of y; rows are padded to a multiple of four
	diag     []float64 // of K, not rounded

	// What the last fit was, where there is one.
	fitted bool
	set    Settings
	c      float64
	peak   float64
}

// Reset takes examples of a kernel matrix to train on: K is n x n for n = len(labels), row by row,
// and labels[i] the class of row i, any integer. rows lists the examples, in the order in which the
// algorithm sees them; nil means all. K and labels outside rows are not looked at, and neither is
// kept.
//
// It is an error if K has not n x n entries, if an entry of rows is not a row, if all examples are
// of one class, and if K is, on rows, not finite in single precision, or not symmetric to 1e-5 of
// its largest entry.
//
// The cost is gathering one or, for k classes, about 2 (k - 1) / k times len(rows)^2 entries.
func (p *Problem) Reset(K []float64, labels, rows []int) error {
	p.pairs, p.model.Pairs, p.model.n = p.pairs[:0], p.model.Pairs[:0], len(labels)
	n := len(labels)
	if len(K) != n*n {
		return fmt.Errorf("svm: the kernel matrix has %d entries, expected %d x %d for %d labels", len(K), n, n, n)
	}
	if rows == nil {
		p.all = p.all[:0]
		for i := range n {
			p.all = append(p.all, i)
		}
		rows = p.all
	}
	for k, r := range rows {
		if r < 0 || r >= n {
			return fmt.Errorf("svm: rows[%d] is %d, expected a row of the %d x %d kernel matrix", k, r, n, n)
		}
	}
	p.sort(labels, rows)
	k := len(p.labels)
	switch {
	case k == 0:
		return errors.New("svm: no examples, expected some of two classes at least")
	case k == 1:
		return fmt.Errorf("svm: all examples (%d) are of class %d, expected two classes at least", len(rows), p.labels[0])
	}
	count := k * (k - 1) / 2
	p.pairs = slices.Grow(p.pairs, count)[:count]
	p.model.Labels, p.model.Pairs = p.labels, slices.Grow(p.model.Pairs, count)[:count]
	at := 0
	for a := range k {
		for b := a + 1; b < k; b++ {
			if err := p.pairs[at].gather(K, n, p.class(a), p.class(b)); err != nil {
				p.pairs = p.pairs[:0]
				return err
			}
			m := &p.model.Pairs[at]
			m.First, m.Second = a, b
			at++
		}
	}
	return nil
}

// sort finds the classes and orders the rows by them.
func (p *Problem) sort(labels, rows []int) {
	p.labels, p.order, p.first = p.labels[:0], p.order[:0], p.first[:0]
	for _, r := range rows {
		if at, found := slices.BinarySearch(p.labels, labels[r]); !found {
			p.labels = slices.Insert(p.labels, at, labels[r])
		}
	}
	for _, l := range p.labels {
		p.first = append(p.first, len(p.order))
		for _, r := range rows {
			if labels[r] == l {
				p.order = append(p.order, r)
			}
		}
	}
	p.first = append(p.first, len(p.order))
}

func (p *Problem) class(c int) []int { return p.order[p.first[c]:p.first[c+1]] }

// row returns row e of q.
func (p *pair) row(e int) []float32 {
	ld := vec.Pad(len(p.rows))
	return p.q[e*ld : (e+1)*ld : (e+1)*ld]
}

// gather takes the rows of two classes from the n x n matrix K.
func (p *pair) gather(K []float64, n int, first, second []int) error {
	p.rows = append(append(p.rows[:0], first...), second...)
	m, ld := len(p.rows), vec.Pad(len(p.rows))
	p.positive, p.fitted = len(first), false
	p.q = slices.Grow(p.q[:0], m*ld)[:m*ld]
	p.diag = p.diag[:0]
	inf := math.Float32bits(float32(math.Inf(1)))
	top := uint32(0) // the bits of the largest size, which are in the order of the sizes
	for i, r := range p.rows {
		p.diag = append(p.diag, K[r*n+r])
		row, to := K[r*n:(r+1)*n], p.row(i)
		for j, c := range p.rows {
			x := float32(row[c])
			to[j] = x
			size := math.Float32bits(x) &^ (1 << 31)
			if size >= inf {
				return fmt.Errorf("svm: K[%d,%d] is %v, expected a finite number of single precision", r, c, row[c])
			}
			top = max(top, size)
		}
		clear(to[m:])
	}
	return p.symmetric(K, n, 1e-5*float64(math.Float32frombits(top)))
}

// symmetric looks for entries of q that differ from their mirror images by more than tol.
func (p *pair) symmetric(K []float64, n int, tol float64) error {
	const tile = 64 // columns of a tile stay in the cache
	m, ld := len(p.rows), vec.Pad(len(p.rows))
	for from := 0; from < m; from += tile {
		for i := from; i < m; i++ {
			for j, x := range p.row(i)[from:min(from+tile, i)] {
				j += from
				if math.Abs(float64(x)-float64(p.q[j*ld+i])) > tol {
					r, c := p.rows[i], p.rows[j]
					return fmt.Errorf("svm: K[%d,%d] is %v and K[%d,%d] is %v, expected a symmetric matrix", r, c, K[r*n+c], c, r, K[c*n+r])
				}
			}
		}
	}
	return nil
}

// Fit trains for one C > 0. The model is the problem's own: the next Fit or Reset overwrites it.
//
// It is an error if ctx is nil, if C is not positive and finite, if settings are bad, if Reset was not
// called or failed, if the context ends, which is looked at every 1000 iterations or oftener, and if C K
// leaves the range of numbers.
//
// If all coefficients of the last fit are below its C and below this one, the bound has no effect,
// and Fit returns the same machine without work. So all large C of a separable problem cost one fit
// together. Call Fit with all C in ascending or descending order.
func (p *Problem) Fit(ctx context.Context, C float64, set *Settings) (*Model, error) {
	resolved, err := set.resolve()
	if err != nil {
		return nil, err
	}
	switch {
	case ctx == nil:
		return nil, errors.New("svm: ctx is nil, expected a context")
	case !(C > 0) || math.IsInf(C, 1):
		return nil, fmt.Errorf("svm: C is %v, expected a positive number", C)
	case len(p.pairs) == 0:
		return nil, errors.New("svm: Fit of a problem without examples, expected a Reset before it")
	}
	for k := range p.pairs {
		if err := p.pairs[k].fit(ctx, C, &resolved, &p.solver, &p.model.Pairs[k]); err != nil {
			return nil, err
		}
	}
	return &p.model, nil
}

// fit trains m.
func (p *pair) fit(ctx context.Context, c float64, set *Settings, s *smo, m *Pair) error {
	if p.fitted && p.set == *set && p.c > p.peak && c > p.peak {
		return nil
	}
	p.fitted = false
	var err error
	if m.Iterations, m.Status, err = s.solve(ctx, p, c, set); err != nil {
		return err
	}
	m.Rho = s.rho()
	if !(math.Abs(m.Rho) <= math.MaxFloat64) {
		largest := 0.0
		for _, x := range p.q {
			largest = max(largest, math.Abs(float64(x)))
		}
		return fmt.Errorf("svm: C %v with kernel entries of size up to %v leaves the range of numbers", c, largest)
	}
	s.coefficients(m)
	p.fitted, p.set, p.c, p.peak = true, *set, c, s.peak
	return nil
}
