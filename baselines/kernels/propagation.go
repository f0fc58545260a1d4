package kernels

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Draws are the random numbers of [Propagation]: at each step a factor u and a shift b
// for each attribute, and the width of the bins.
type Draws struct {
	Width float64
	// U[t] and B[t] belong to step t, one number for each attribute.
	U, B [][]float64
}

// NewDraws draws the numbers of some steps for attributes of the given width, for bins of width w >
// 0: each u is a quotient of two normal numbers, which keeps distances in the sum of absolute
// differences, each b is w times a normal number. Step by step it takes from rng first the
// quotients, numerator before denominator, then the shifts, so that more steps begin with the same
// draws. No steps, no attributes, another w and a nil rng are errors.
func NewDraws(steps, attributes int, w float64, rng *rand.Rand) (*Draws, error) {
	switch {
	case steps < 1:
		return nil, fmt.Errorf("kernels: steps is %d, expected at least 1", steps)
	case attributes < 1:
		return nil, fmt.Errorf("kernels: attributes is %d, expected at least 1", attributes)
	case !(w > 0) || math.IsInf(w, 1):
		return nil, fmt.Errorf("kernels: w is %v, expected a finite number above 0", w)
	case rng == nil:
		return nil, errors.New("kernels: rng is nil, expected a source of random numbers")
	}
	d := &Draws{Width: w}
	for range steps {
		u, b := make([]float64, attributes), make([]float64, attributes)
		for k := range u {
			above, below := rng.NormFloat64(), rng.NormFloat64()
			for below == 0 {
				below = rng.NormFloat64()
			}
			u[k] = above / below
		}
		for k := range b {
			b[k] = w * rng.NormFloat64()
		}
		d.U, d.B = append(d.U, u), append(d.B, b)
	}
	return d, nil
}

// check takes 0 attributes for graphs without nodes, which fit all draws.
func (d *Draws) check(attributes int) error {
	switch {
	case d == nil:
		return errors.New("kernels: draws is nil, expected those of NewDraws")
	case !(d.Width > 0) || math.IsInf(d.Width, 1):
		return fmt.Errorf("kernels: draws have bins of width %v, expected a finite number above 0", d.Width)
	case len(d.U) != len(d.B):
		return fmt.Errorf("kernels: draws have factors for %d steps and shifts for %d, expected the same", len(d.U), len(d.B))
	}
	for t := range d.U {
		if u, b := len(d.U[t]), len(d.B[t]); attributes > 0 && (u != attributes || b != attributes) {
			return fmt.Errorf("kernels: draws have %d factors and %d shifts at step %d, expected one of each for %d attributes", u, b, t, attributes)
		}
		for _, x := range slices.Concat(d.U[t], d.B[t]) {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("kernels: draws have %v at step %d, expected finite numbers", x, t)
			}
		}
	}
	return nil
}

// Propagation computes the propagation kernel of attributes (Neumann et al., "Propagation kernels:
// efficient graph kernels from propagated information", Machine Learning 2016) for several numbers
// of steps at once. Matrix s of the result is
//
//	K(G, G') = sum over t < steps[s] and bins c of N_G,t(c) N_G',t(c),
//
// N_G,t(c) being the number of nodes of G in bin c at step t. A node with attributes x is in the
// bin floor((x_k u_k + b_k) / w), over all k: the whole vector is the bin, which all graphs share.
// From one step to the next the attributes spread, x <- D^-1 A x: a node takes the mean of its
// neighbours, and zeros if it has none.
//
// Draws come from [NewDraws], for steps and attributes enough; one set of draws gives comparable
// kernels of any number of steps. Entries are integers, exact below 2^53. A step costs O(e d) for e
// edges and d attributes, a sort of all nodes of the set, and a sum for every two graphs that share
// a bin. Attributes that are missing or not finite, widths that differ and draws that do not fit
// are errors.
func Propagation(ctx context.Context, graphs []Graph, draws *Draws, steps []int) ([][]float64, error) {
	d, err := width(ctx, graphs)
	if err != nil {
		return nil, err
	}
	if err := draws.check(d); err != nil {
		return nil, err
	}
	for _, s := range steps {
		if s < 1 || s > len(draws.U) {
			return nil, fmt.Errorf("kernels: steps are %v, expected numbers from 1 to the %d of the draws", steps, len(draws.U))
		}
	}
	if len(steps) == 0 {
		return nil, errors.New("kernels: steps is empty, expected one at least")
	}
	var x []float64 // of all nodes, graph after graph
	first := make([]int, len(graphs)+1)
	for i := range graphs {
		first[i+1] = first[i] + graphs[i].Order()
		x = append(x, graphs[i].Attributes...)
	}
	n := len(graphs)
	var (
		out       = make([][]float64, len(steps))
		sum       = make([]float64, n*n)
		bin, next = make([]float64, len(x)), make([]float64, len(x))
		c         counts
	)
	for t := range slices.Max(steps) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if t > 0 {
			propagate(graphs, x, next, d)
			x, next = next, x
		}
		for i, v := range x {
			k := i % d
			bin[i] = math.Floor((float64(v*draws.U[t][k]) + draws.B[t][k]) / draws.Width)
			if math.IsNaN(bin[i]) || math.IsInf(bin[i], 0) {
				g, _ := slices.BinarySearch(first, i/d+1)
				return nil, fmt.Errorf("kernels: graph %d: attribute %d of node %d is %v at step %d, too large for a bin of width %v",
					g-1, k, i/d-first[g-1], v, t, draws.Width)
			}
		}
		rank := ranks(first[n], func(a, b int) int { return slices.Compare(bin[a*d:(a+1)*d], bin[b*d:(b+1)*d]) })
		c = c.ofRanks(rank, first)
		c.gram(sum, n)
		for s, last := range steps {
			if last == t+1 {
				out[s] = slices.Clone(sum)
				mirror(out[s], n)
			}
		}
	}
	return out, nil
}

// propagate sets next to D^-1 A x.
func propagate(graphs []Graph, x, next []float64, d int) {
	clear(next)
	for i := range graphs {
		g := &graphs[i]
		for v, list := range g.Neighbors {
			to := next[v*d : (v+1)*d]
			for _, w := range list {
				for k, a := range x[int(w)*d : (int(w)+1)*d] {
					to[k] += a
				}
			}
			for k := range to {
				if len(list) > 0 {
					to[k] /= float64(len(list))
				}
			}
		}
		x, next = x[g.Order()*d:], next[g.Order()*d:]
	}
}
