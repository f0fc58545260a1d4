package gwf

import (
	"math"
	"slices"

	"ogdl/internal/vec"
)

// maxSteps caps the search for the weights; some ten steps are the rule.
const maxSteps = 200

// weigher minimises w'Gw - 2c'w + r over the simplex by a primal-dual interior point method. Its
// iterates are positive, so that each is the softmax of its logarithms, and it needs no more than
// ten steps or so where plain gradient descent in these logarithms stalls (a weight that should
// vanish sends its parameter to minus infinity).
//
// Let g = 2(Gw - c). The method follows the central path of
//
//	g + nu 1 = x,  w_k x_k = mu,  sum w = 1,  w, x > 0
//
// from w = 1/K: each Newton step solves (2G + diag(x/w)) dw + dnu 1 = mu/w - x,
// 1'dw = 0, by one Cholesky factorization; as the first and the third equation are
// linear and hold from the start, only the products change, and w'x falls to zero.
type weigher struct {
	x, g, dw, dx, one, chol []float64
}

// solve sets w to weights whose objective exceeds the minimum by at most precision
// times itself, proved by the Frank-Wolfe gap g'w - min g, unless maxSteps or rounding end
// the search first. It returns the objective, a lower bound on the minimum and the number of steps.
func (s *weigher) solve(f *fit, w []float64, precision float64) (loss, bound float64, steps int) {
	K := len(w)
	s.x, s.g, s.dw, s.dx, s.one = vec.Grow(s.x, K), vec.Grow(s.g, K), vec.Grow(s.dw, K), vec.Grow(s.dx, K), vec.Grow(s.one, K)
	s.chol = vec.Grow(s.chol, K*K)
	for k := range w {
		w[k] = 1 / float64(K)
	}
	loss = f.loss(w, s.g)
	low, high := slices.Min(s.g), slices.Max(s.g)
	scale := math.Abs(f.own)
	for k := range K {
		scale = max(scale, math.Abs(f.gram[k*K+k]))
	}
	// Below this a gap, a difference of numbers of size scale, is rounding.
	floor := 1e-14 * scale
	shift := float64(0.1*(high-low)) + float64(1e-3*scale)
	for k, g := range s.g {
		s.x[k] = 2 * (g - low + shift)
	}
	for ; ; steps++ {
		gap := 0.0
		low = slices.Min(s.g)
		for k, g := range s.g {
			gap += float64(2 * w[k] * (g - low))
		}
		if gap <= max(precision*loss, floor) || steps == maxSteps {
			return loss, max(loss-gap, 0), steps
		}
		if !s.step(f, w) {
			return loss, max(loss-gap, 0), steps
		}
		loss = f.loss(w, s.g)
	}
}

// step moves w and x along the central path; false where rounding leaves no room.
func (s *weigher) step(f *fit, w []float64) bool {
	K := len(w)
	mu := 0.0
	for k, x := range s.x {
		mu += float64(x * w[k])
	}
	mu = float64(mu * (0.1 / float64(K)))
	for k := range K {
		for l := range k + 1 {
			s.chol[k*K+l] = 2 * f.gram[k*K+l]
		}
		s.chol[k*K+k] += s.x[k] / w[k]
		s.dw[k] = mu/w[k] - s.x[k]
		s.one[k] = 1
	}
	if !factor(s.chol, K) {
		return false
	}
	substitute(s.chol, K, s.dw)
	substitute(s.chol, K, s.one)
	sum, ones := 0.0, 0.0
	for k, d := range s.dw {
		sum += d
		ones += s.one[k]
	}
	nu := sum / ones
	for k := range s.dw {
		s.dw[k] -= float64(nu * s.one[k])
	}
	length := 1.0
	for k, d := range s.dw {
		// From w dx + x dw = mu - w x.
		s.dx[k] = (mu-float64(s.x[k]*d))/w[k] - s.x[k]
		if d < 0 {
			length = min(length, -0.95*w[k]/d)
		}
		if s.dx[k] < 0 {
			length = min(length, -0.95*s.x[k]/s.dx[k])
		}
	}
	total := 0.0
	for k, d := range s.dw {
		w[k] += float64(length * d)
		s.x[k] += float64(length * s.dx[k])
		if !(w[k] > 0) || !(s.x[k] > 0) {
			w[k], s.x[k] = max(w[k], 1e-300), max(s.x[k], 1e-300)
		}
		total += w[k]
	}
	for k := range w {
		w[k] /= total
	}
	return true
}

// factor replaces the lower triangle of a positive definite K x K matrix by its
// Cholesky factor; false where a pivot is not positive.
func factor(a []float64, K int) bool {
	for i := range K {
		for j := range i + 1 {
			v := a[i*K+j] - vec.Dot(a[i*K:i*K+j], a[j*K:j*K+j])
			if i != j {
				a[i*K+j] = v / a[j*K+j]
				continue
			}
			if !(v > 0) {
				return false
			}
			a[i*K+i] = math.Sqrt(v)
		}
	}
	return true
}

// substitute solves L L' y = x in place.
func substitute(l []float64, K int, x []float64) {
	for i := range K {
		x[i] = (x[i] - vec.Dot(l[i*K:i*K+i], x[:i])) / l[i*K+i]
	}
	for i := K - 1; i >= 0; i-- {
		x[i] /= l[i*K+i]
		for j := range i {
			x[j] -= float64(l[i*K+j] * x[i])
		}
	}
}

// softmax writes exp(z)/sum exp(z) to w.
func softmax(z, w []float64) {
	top, sum := slices.Max(z), 0.0
	for k, x := range z {
		w[k] = math.Exp(x - top)
		sum += w[k]
	}
	for k := range w {
		w[k] /= sum
	}
}

// pull turns half the gradient in w into the one in z, w = softmax(z): dz_k = w_k (g_k - <w, g>).
func pull(w, half, dz []float64) {
	mean := vec.Dot(w, half)
	for k, h := range half {
		dz[k] = 2 * float64(w[k]*(h-mean))
	}
}
