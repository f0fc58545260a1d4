package datasets

import (
	"errors"
	"fmt"
	"math"
)

// WeightKind names node weights.
type WeightKind string

// Kinds of node weights.
const (
	// KindUniform gives every node the weight 1/n.
	KindUniform WeightKind = "uniform"
	// KindPower is the power law of the degrees of the paper's section 2.4.
	KindPower WeightKind = "power"
)

// Weights says how a graph gets the probability vector over its nodes.
type Weights struct {
	// Kind is KindUniform or KindPower; "" means KindUniform.
	Kind WeightKind
	// A >= 0 and B in [0, 1] are the parameters of KindPower:
	// h_i proportional to (deg(i) + A)^B.
	A, B float64
}

// Validate reports a kind or a parameter that is not allowed.
func (w Weights) Validate() error {
	switch w.Kind {
	case "", KindUniform:
		return nil
	case KindPower:
		if !(w.A >= 0) || math.IsInf(w.A, 1) {
			return fmt.Errorf("datasets: node weights a = %v, want a finite number of at least 0", w.A)
		}
		if !(w.B >= 0 && w.B <= 1) {
			return fmt.Errorf("datasets: node weights b = %v, want a number in [0, 1]", w.B)
		}
		return nil
	}
	return fmt.Errorf("datasets: node weights %q, want %q or %q", w.Kind, KindUniform, KindPower)
}

// Of returns the weights of the graph's nodes: n values >= 0 that sum to 1
// (none for a graph without nodes). Under the power law with a = 0 and b > 0
// an isolated node weighs 0, and a graph of isolated nodes only is an error;
// so is an invalid Weights. Uniform weights never fail.
func (w Weights) Of(g *Graph) ([]float64, error) {
	if err := w.Validate(); err != nil {
		return nil, err
	}
	n := g.Order()
	h := make([]float64, n)
	if w.Kind != KindPower {
		for i := range h {
			h[i] = 1 / float64(n)
		}
		return h, nil
	}
	sum := 0.0
	for i := range h {
		h[i] = math.Pow(float64(g.Degree(i))+w.A, w.B)
		sum += h[i]
	}
	if sum == 0 && n > 0 {
		return nil, errors.New("datasets: power-law node weights with a = 0 on a graph without edges: all are 0, take a > 0")
	}
	if math.IsInf(sum, 1) {
		return nil, fmt.Errorf("datasets: power-law node weights with a = %v and b = %v overflow, expected smaller numbers", w.A, w.B)
	}
	for i := range h {
		h[i] /= sum
	}
	return h, nil
}
