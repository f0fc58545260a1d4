package gdl

import (
	"math"

	"ogdl/internal/vec"
)

// frankWolfe is the paper's step in w: conditional gradient with exact line
// search in Gram form, O(S) a step. With Z = x - w
//
//	a = Z'MZ - lambda |Z|^2    b = 2 Z'(Mw - c) - 2 lambda w'Z
//
// (the paper's printed feature part of b lacks its factor 2).
type frankWolfe struct {
	mw, x, mx []float64
}

// solve improves w in place. It stops after opt.MaxInner steps, or when one
// changes J by at most opt.Tol of |J|, J with the graph's own term. Where
// several atoms share the lowest gradient the step heads for their mean.
func (f *frankWolfe) solve(m, c, w []float64, own float64, opt *UnmixSettings) {
	s := len(w)
	f.mw, f.x, f.mx = vec.Grow(f.mw, s), vec.Grow(f.x, s), vec.Grow(f.mx, s)
	value := own
	for i := range s {
		f.mw[i] = vec.Dot(m[i*s:i*s+s], w)
		value += float64(w[i] * (f.mw[i] - float64(2*c[i]) - float64(opt.Lambda*w[i])))
	}
	for range opt.MaxInner {
		low, ties := math.Inf(1), 0
		for i := range s {
			g := f.mw[i] - c[i] - float64(opt.Lambda*w[i])
			f.x[i] = g
			if g < low {
				low, ties = g, 1
			} else if g == low {
				ties++
			}
		}
		clear(f.mx)
		for i := range s {
			if f.x[i] != low {
				f.x[i] = 0
				continue
			}
			f.x[i] = 1 / float64(ties)
			for k, y := range m[i*s : i*s+s] {
				f.mx[k] += float64(f.x[i] * y)
			}
		}
		a, b := 0.0, 0.0
		for i := range s {
			z := f.x[i] - w[i]
			a += float64(z * (f.mx[i] - f.mw[i] - float64(opt.Lambda*z)))
			b += float64(z * (f.mw[i] - c[i] - float64(opt.Lambda*w[i])))
		}
		b *= 2
		gamma := 0.0
		switch {
		case b >= 0: // stationary
		case a > 0:
			gamma = min(1, -b/(2*a))
		case a+b < 0:
			gamma = 1
		}
		if gamma == 0 {
			return
		}
		for i := range s {
			w[i] += float64(gamma * (f.x[i] - w[i]))
			f.mw[i] += float64(gamma * (f.mx[i] - f.mw[i]))
		}
		change := float64(gamma * (float64(gamma*a) + b))
		value += change
		if -change <= opt.Tol*math.Abs(value) {
			return
		}
	}
}
