// Package optim holds the first-order updates and the projections that
// dictionary learning and the factorization baselines share: Adam, SGD, the
// Euclidean projection on the simplex, and the projection on symmetric
// (non-negative) matrices.
//
// An optimizer belongs to one tensor of fixed length and updates it in place.
// Nothing here allocates after construction.
package optim

import "ogdl/internal/vec"

// Optimizer moves a tensor against a gradient.
type Optimizer interface {
	// Step updates x in place with the gradient g at x. Both have the length
	// the optimizer was made for.
	Step(x, g []float64)
}

// Defaults of Adam in the reference code of online graph dictionary learning
// (not of Kingma & Ba 2015, who have beta2 = 0.999 and epsilon = 1e-8).
const (
	DefaultBeta1   = 0.9
	DefaultBeta2   = 0.99
	DefaultEpsilon = 1e-15
)

// Adam is the method of Kingma & Ba (2015):
//
//	m = beta1 m + (1 - beta1) g        v = beta2 v + (1 - beta2) g o g
//	x = x - Rate * (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon)
//
// with epsilon outside the root. The moments start at zero.
type Adam struct {
	Rate                  float64 // step size; it may change between steps
	beta1, beta2, epsilon float64
	m, v                  []float64
	power1, power2        float64 // beta1^t, beta2^t
}

// NewAdam returns Adam for a tensor of n entries, with a step size and the
// two decay rates in [0, 1) and epsilon >= 0.
func NewAdam(n int, rate, beta1, beta2, epsilon float64) *Adam {
	return &Adam{
		Rate: rate, beta1: beta1, beta2: beta2, epsilon: epsilon,
		m: make([]float64, n), v: make([]float64, n),
		power1: 1, power2: 1,
	}
}

// Step makes one update. An entry whose gradient has been zero in every step
// so far stays where it is, even when epsilon is 0.
func (a *Adam) Step(x, g []float64) {
	a.power1 = float64(a.power1 * a.beta1)
	a.power2 = float64(a.power2 * a.beta2)
	vec.Adam(x, a.m, a.v, g, &vec.AdamRules{
		Beta1: a.beta1, Beta2: a.beta2, By1: 1 / (1 - a.power1), By2: 1 / (1 - a.power2), Step: a.Rate, Epsilon: a.epsilon,
	})
}

// SGD is plain gradient descent, x = x - Rate * g.
type SGD struct{ Rate float64 }

// Step makes one update.
func (s SGD) Step(x, g []float64) {
	for i, gi := range g {
		x[i] -= float64(s.Rate * gi)
	}
}
