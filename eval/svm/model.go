package svm

import (
	"fmt"
	"math"
	"slices"
)

// Model is a trained classifier. Any number of goroutines may use it at a time.
type Model struct {
	// Labels are the classes, ascending.
	Labels []int
	// Pairs has a machine for every pair of classes: (0,1), (0,2), ..., (1,2), ...
	Pairs []Pair

	n int // columns of K
}

// Pair is the machine of two classes: f(x) = sum Coef[k] K(x_s, x) - Rho with s = Support[k] is
// above 0 for the first.
type Pair struct {
	// First < Second are the two classes, by their places in Labels.
	First, Second int
	// Support lists the support vectors by their rows of K, the class First before Second, each in
	// the order of training.
	Support []int
	// Coef[k] is a y of Support[k]: above 0 for First, below for Second, at most C in size.
	Coef []float64
	// Rho is the offset.
	Rho float64
	// Iterations is the number of steps that LIBSVM takes to this machine, even if it was reused
	// from another C.
	Iterations int
	// Status reports whether the fit was capped.
	Status Status
}

// coefficients writes what the solver found to m.
func (s *smo) coefficients(m *Pair) {
	n := len(s.at)
	a := s.fixed // of no more use
	for k, e := range s.at {
		a[e] = float64(s.y[k] * s.alpha[k])
	}
	m.Support, m.Coef = slices.Grow(m.Support[:0], n), slices.Grow(m.Coef[:0], n)
	for e, x := range a {
		if x != 0 {
			m.Support, m.Coef = append(m.Support, s.pair.rows[e]), append(m.Coef, x)
		}
	}
}

// Status returns Capped if the fit of any pair was.
func (m *Model) Status() Status {
	for i := range m.Pairs {
		if m.Pairs[i].Status == Capped {
			return Capped
		}
	}
	return Converged
}

// Decision returns f of a row of kernel values as for [Model.Label].
func (p *Pair) Decision(row []float64) float64 {
	sum := 0.0
	for k, r := range p.Support {
		sum += float64(p.Coef[k] * row[r])
	}
	return sum - p.Rho
}

// Label returns the class of an example. row holds its kernel values with the n examples of the
// matrix of training: row[i] = K(x_i, x); only the support vectors' count. Each pair has a vote;
// the class with the most wins, of equal ones the smallest.
//
// It is an error if a decision is not a number, from a row that is not finite. It panics if row has
// not n entries.
func (m *Model) Label(row []float64) (int, error) {
	if len(row) != m.n {
		panic(fmt.Sprintf("svm: a row of %d kernel values, expected %d", len(row), m.n))
	}
	var few [16]int
	votes := few[:]
	if len(m.Labels) > len(few) {
		votes = make([]int, len(m.Labels))
	}
	for i := range m.Pairs {
		p := &m.Pairs[i]
		f := p.Decision(row)
		switch {
		case math.Abs(f) > math.MaxFloat64 || f != f:
			for _, r := range p.Support {
				if x := row[r]; !(math.Abs(x) <= math.MaxFloat64) {
					return 0, fmt.Errorf("svm: the kernel value with example %d is %v, expected a finite number", r, x)
				}
			}
			return 0, fmt.Errorf("svm: the decision between classes %d and %d is %v", m.Labels[p.First], m.Labels[p.Second], f)
		case f > 0:
			votes[p.First]++
		default:
			votes[p.Second]++
		}
	}
	return m.Labels[slices.Index(votes, slices.Max(votes))], nil
}

// Predict returns the classes of some examples: K holds one row of n kernel values for each, as for
// Label. It panics if K has not whole rows.
func (m *Model) Predict(K []float64) ([]int, error) {
	if m.n == 0 || len(K)%m.n != 0 {
		panic(fmt.Sprintf("svm: %d kernel values, expected rows of %d", len(K), m.n))
	}
	labels := make([]int, len(K)/m.n)
	for i := range labels {
		var err error
		if labels[i], err = m.Label(K[i*m.n : (i+1)*m.n]); err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
	}
	return labels, nil
}
