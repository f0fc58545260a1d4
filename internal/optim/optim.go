// Package optim holds the first-order updates and the projections that
// dictionary learning and the factorization baselines share: Adam, SGD, the
// Euclidean projection on the simplex, and the projection on symmetric
// (non-negative) matrices.
//
// An optimizer belongs to one tensor of fixed length and updates it in place.
// Nothing here allocates after construction, apart from ProjectSimplex's
// caller-owned scratch.
package optim

import (
	"math"

	"ogdl/internal/vec"
)

// Optimizer moves a tensor against a gradient.
type Optimizer interface {
	// Step updates x in place with the gradient g at x. Both have the length
	// the optimizer was made for; another length panics.
	Step(x, g []float64)
}

// Defaults of Adam in the reference code of online graph dictionary learning
// (not of Kingma & Ba 2015, who have beta2 = 0.999 and epsilon = 1e-8).
const (
	DefaultBeta1   = 0.9
	DefaultBeta2   = 0.99
	DefaultEpsilon = 1e-15
)

// Adam is the method of Kingma & Ba (2015) with constant step:
//
//	m = beta1 m + (1 - beta1) g        v = beta2 v + (1 - beta2) g o g
//	x = x - step * (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon)
//
// with epsilon outside the root. The moments start at zero.
type Adam struct {
	step, beta1, beta2, epsilon float64
	m, v                        []float64
	power1, power2              float64 // beta1^t, beta2^t
}

// NewAdam returns Adam for a tensor of n entries, with a step size and the
// two decay rates in [0, 1) and epsilon >= 0. It panics on other values.
func NewAdam(n int, step, beta1, beta2, epsilon float64) *Adam {
	if n < 0 || !(beta1 >= 0 && beta1 < 1) || !(beta2 >= 0 && beta2 < 1) || !(epsilon >= 0) || math.IsNaN(step) {
		panic("optim: Adam needs n >= 0, decay rates in [0, 1), epsilon >= 0 and a step")
	}
	return &Adam{
		step: step, beta1: beta1, beta2: beta2, epsilon: epsilon,
		m: make([]float64, n), v: make([]float64, n),
		power1: 1, power2: 1,
	}
}

// Step makes one update. An entry whose gradient has been zero in every step
// so far stays where it is, even when epsilon is 0.
func (a *Adam) Step(x, g []float64) {
	if len(x) != len(a.m) || len(g) != len(a.m) {
		panic("optim: tensor and gradient differ from the optimizer's length")
	}
	a.power1 = float64(a.power1 * a.beta1)
	a.power2 = float64(a.power2 * a.beta2)
	vec.Adam(x, a.m, a.v, g, &vec.AdamRules{
		Beta1: a.beta1, Beta2: a.beta2, By1: 1 / (1 - a.power1), By2: 1 / (1 - a.power2), Step: a.step, Epsilon: a.epsilon,
	})
}

// SGD is x = x - step * g.
type SGD struct {
	step float64
	n    int
}

// NewSGD returns plain gradient descent for a tensor of n entries. It panics
// on a negative n or a step that is not a number.
func NewSGD(n int, step float64) *SGD {
	if n < 0 || math.IsNaN(step) {
		panic("optim: SGD needs n >= 0 and a step")
	}
	return &SGD{step: step, n: n}
}

// Step makes one update.
func (s *SGD) Step(x, g []float64) {
	if len(x) != s.n || len(g) != s.n {
		panic("optim: tensor and gradient differ from the optimizer's length")
	}
	for i, gi := range g {
		x[i] -= float64(s.step * gi)
	}
}
