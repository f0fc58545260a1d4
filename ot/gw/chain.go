package gw

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
)

// Chain is a hit-and-run random walk over the couplings of two weight vectors. It supplies starts
// for a problem with many local minima (Chowdhury & Needham, "Generalized spectral clustering via
// Gromov-Wasserstein learning", AISTATS 2021; S-GWK in "Online Graph Dictionary Learning"). From T
// in U(p, q) a step draws a direction d, a matrix of normal numbers whose row and column sums are
// made zero, and goes to T + r d with r uniform on the interval where T + r d >= 0. Its stationary
// distribution is uniform over all couplings.
//
// The zero value is ready for [Chain.Reset]; once it has seen the largest problem it allocates
// nothing. It must not be used by two goroutines at once.
type Chain struct {
	p, q       []float64
	rows, cols []int     // where the weights are above 0: elsewhere T is 0 and stays so
	t, d       []float64 // T, and the direction by rows and cols
	sums       []float64 // of the columns of d
	best       Result    // of Solve
}

// ChainSettings says which couplings of a [Chain] are starts. Rand must be given; any
// other field that is zero means its default.
type ChainSettings struct {
	// Starts is the number of couplings that are taken from the chain. Default 10.
	Starts int
	// Skip is the number of steps from p q' to the first of them, and from each to the next.
	// Default 10.
	Skip int
	// Rand draws the steps.
	Rand *rand.Rand
}

const defaultStarts = 10

// check returns an error if Starts or Skip is negative.
func (c *ChainSettings) check() error {
	if c.Starts < 0 || c.Skip < 0 {
		return fmt.Errorf("gw: %d starts of a chain, %d steps apart, expected numbers >= 0", c.Starts, c.Skip)
	}
	return nil
}

// Reset puts the chain at p q'. It returns an error for bad weights (see [SumWeights]), which
// leaves the chain as it was.
func (c *Chain) Reset(p, q []float64) error {
	for _, w := range []struct {
		name    string
		weights []float64
	}{{"p", p}, {"q", q}} {
		if _, err := SumWeights(w.weights); err != nil {
			return inArgument(w.name, err)
		}
	}
	c.p, c.rows = support(p, c.p, c.rows)
	c.q, c.cols = support(q, c.q, c.cols)
	c.t = grow(c.t, len(p)*len(q))
	for i, a := range c.p {
		for j, b := range c.q {
			c.t[i*len(c.q)+j] = float64(a * b)
		}
	}
	c.d, c.sums = grow(c.d, len(c.rows)*len(c.cols)), grow(c.sums, len(c.cols))
	return nil
}

// support copies weights, with a sum of 1, and lists those above 0.
func support(w, out []float64, at []int) ([]float64, []int) {
	sum, _ := SumWeights(w)
	out, at = append(out[:0], w...), at[:0]
	for i := range out {
		if out[i] /= sum; out[i] > 0 {
			at = append(at, i)
		}
	}
	return out, at
}

// Coupling returns the current coupling of the chain: n x m row-major, entries >= 0, row and column
// sums within rounding of p and q. It is a view, which the next step changes.
func (c *Chain) Coupling() []float64 { return c.t }

// normals is what a step draws from.
type normals interface {
	NormFloat64() float64
	Float64() float64
}

// Step goes one step: a normal number for every entry with weight, row by row, and then a uniform
// one. Where p or q has all its mass at one node there is one coupling only, and nothing is drawn.
// A nil rng is an error, and so is a chain before Reset. Cost O(nm).
//
// In the released code entries with |d| <= 1e-6 do not bound r, so that they may fall some 1e-9
// below 0. Here all entries bound r.
func (c *Chain) Step(rng *rand.Rand) error {
	switch {
	case rng == nil:
		return errors.New("gw: rng is nil, expected a source of random numbers")
	case c.t == nil:
		return errors.New("gw: Step of a chain before Reset")
	}
	c.step(rng)
	return nil
}

func (c *Chain) step(rng normals) {
	k, m := len(c.cols), len(c.q)
	if len(c.rows) < 2 || k < 2 {
		return
	}
	// T - p q' with zero sums, so that rounding does not build up.
	for a, i := range c.rows {
		for b, j := range c.cols {
			c.d[a*k+b] = c.t[i*m+j] - float64(c.p[i]*c.q[j])
		}
	}
	c.centre()
	for a, i := range c.rows {
		for b, j := range c.cols {
			c.t[i*m+j] = max(0, float64(c.p[i]*c.q[j])+c.d[a*k+b])
		}
	}
	for e := range c.d {
		c.d[e] = rng.NormFloat64()
	}
	c.centre()
	// T + r d >= 0 where 1 + r s >= 0 for all quotients s = d / T. The length of d does not matter.
	least, most := 0.0, 0.0
	for a, i := range c.rows {
		for b, j := range c.cols {
			s := c.d[a*k+b] / c.t[i*m+j]
			least, most = min(least, s), max(most, s)
		}
	}
	low, high := -1/most, -1/least
	r := float64((high-low)*rng.Float64()) + low
	if math.IsNaN(r) || math.IsInf(r, 0) {
		return // d is 0 somewhere at the border, which has probability 0
	}
	for a, i := range c.rows {
		for b, j := range c.cols {
			c.t[i*m+j] = max(0, c.t[i*m+j]+float64(r*c.d[a*k+b]))
		}
	}
}

// centre makes the row and column sums of d zero: the projection onto what couplings differ by.
func (c *Chain) centre() {
	k := len(c.cols)
	clear(c.sums)
	for a := range c.rows {
		row, mean := c.d[a*k:(a+1)*k], 0.0
		for _, x := range row {
			mean += x
		}
		mean /= float64(k)
		for b := range row {
			row[b] -= mean
			c.sums[b] += row[b]
		}
	}
	for b := range c.sums {
		c.sums[b] /= float64(len(c.rows))
	}
	for a := range c.rows {
		for b, mean := range c.sums {
			c.d[a*k+b] -= mean
		}
	}
}

// Solve is [Solver.Solve] with solver from p q' and from couplings of the chain, and returns the
// best end; so its value is never above the value from p q' alone. chain says which couplings are
// starts, set stops each descent (its Starts and Rand are not looked at). Iterations counts over
// all starts, Status belongs to the best. The result is a view into c, good until its next Solve.
//
// Besides the errors of [Solver.Solve] a nil solver, settings of the chain without Rand, and Starts
// or Skip below 0 are errors. When the context ends first its error is returned, with the best so
// far. A start costs a solve and Skip steps.
func (c *Chain) Solve(ctx context.Context, solver *Solver, x, y *Space, alpha float64, chain *ChainSettings, set *Settings) (Result, error) {
	switch {
	case solver == nil:
		return Result{}, errors.New("gw: solver is nil, expected a solver")
	case chain == nil || chain.Rand == nil:
		return Result{}, errors.New("gw: a chain needs ChainSettings.Rand")
	case chain.check() != nil:
		return Result{}, chain.check()
	}
	rules := *cmp.Or(set, &Settings{})
	rules.Starts, rules.Rand = 1, nil
	r, err := solver.Solve(ctx, x, y, alpha, nil, &rules)
	c.keep(r)
	if err != nil {
		return c.best, err
	}
	if err := c.Reset(x.p, y.p); err != nil {
		return Result{}, err
	}
	iterations := r.Iterations
	for range cmp.Or(chain.Starts, defaultStarts) {
		for range cmp.Or(chain.Skip, 10) {
			c.step(chain.Rand)
		}
		r, err := solver.Solve(ctx, x, y, alpha, c.t, &rules)
		iterations += r.Iterations
		if r.T != nil && r.Value < c.best.Value {
			c.keep(r)
		}
		if err != nil {
			c.best.Status, c.best.Iterations = r.Status, iterations
			return c.best, err
		}
	}
	c.best.Iterations = iterations
	return c.best, nil
}

// keep copies a result.
func (c *Chain) keep(r Result) {
	T, U, V := append(c.best.T[:0], r.T...), append(c.best.U[:0], r.U...), append(c.best.V[:0], r.V...)
	c.best = r
	c.best.T, c.best.U, c.best.V = T, U, V
}
