package svm

import (
	"context"
	"math"

	"ogdl/internal/vec"
)

// tau replaces a curvature that is not positive, as in LIBSVM.
const tau = 1e-12

// smo solves the dual problem of one pair of classes,
//
//	min 1/2 a'Qa - 1'a,  0 <= a_k <= C,  y'a = 0,  Q_kl = y_k y_l K_kl,
//
// by sequential minimal optimisation with working sets of the second order
// (Fan, Chen & Lin 2005) and shrinking (Chang & Lin 2011), in the order of LIBSVM's sums.
//
// The signs of y are kept out of the loops: with v = -y G, G the gradient, an iteration needs K and
// the bounds alone. A sign changes no rounding, so that every number is LIBSVM's but for its sign.
//
// Examples have positions, which shrinking permutes. Vectors by position are padded to a multiple
// of four.
type smo struct {
	pair *pair
	c    float64
	tol  float64

	// By position.
	at     []int32 // the example in each position
	y      []float64
	alpha  []float64
	v      []float64
	diag   []float64
	active int // positions from here on are shrunk

	up  []float64 // 0 at the active positions where y a may grow (I_up), elsewhere -Inf
	low []float64 // 0 at those where it may shrink (I_low), elsewhere +Inf

	peak     float64 // the largest a, and the largest sum of two a of one class, that was met
	unshrunk bool    // whether all positions were made active again near the end

	// By example.
	fixed    []float64 // what those at C make of v, but for flips
	flips    []flip    // those that reached C or left it since
	permuted []float32 // rows of K by position, where stamp has the epoch
	stamp    []uint32
	epoch    uint32 // counts the orders of positions
	moved    bool   // whether positions were swapped in this fit
}

// flip says that an example reached C, or left it.
type flip struct {
	example int32
	reached bool
}

// resize makes room for n examples.
func (s *smo) resize(n int) {
	ld := vec.Pad(n)
	if cap(s.at) < n {
		s.at, s.stamp, s.flips = make([]int32, n), make([]uint32, n), make([]flip, 0, 4*n)
		for _, x := range [...]*[]float64{&s.y, &s.alpha, &s.v, &s.diag, &s.up, &s.low, &s.fixed} {
			*x = make([]float64, ld)
		}
		s.permuted = make([]float32, n*ld)
	}
	s.at, s.stamp, s.fixed = s.at[:n], s.stamp[:n], s.fixed[:n]
	for _, x := range [...]*[]float64{&s.y, &s.alpha, &s.v, &s.diag, &s.up, &s.low} {
		*x = (*x)[:ld]
	}
}

// solve runs until no pair of examples violates optimality by tol.
func (s *smo) solve(ctx context.Context, p *pair, c float64, set *Settings) (iterations int, status Status, err error) {
	if err := ctx.Err(); err != nil {
		return 0, Capped, err
	}
	s.pair, s.c, s.tol = p, c, set.Tol
	n := len(p.rows)
	s.resize(n)
	s.start()
	counter := min(n, 1000) + 1
	i, m := s.first()
	for {
		if iterations >= set.MaxIter {
			return iterations, Capped, nil
		}
		if counter--; counter == 0 {
			counter = min(n, 1000)
			if err := ctx.Err(); err != nil {
				return iterations, Capped, err
			}
			if !set.NoShrinking {
				s.shrink()
				i, m = s.first()
			}
		}
		j := s.second(i, m)
		if j < 0 {
			s.unshrink()
			i, m = s.first()
			if j = s.second(i, m); j < 0 {
				return iterations, Converged, nil
			}
			counter = 1
		}
		iterations++
		i, m = s.step(i, j)
	}
}

// start sets all a to 0.
func (s *smo) start() {
	n := len(s.at)
	s.active, s.peak, s.unshrunk, s.moved = n, 0, false, false
	s.flips = s.flips[:0]
	clear(s.fixed)
	copy(s.diag, s.pair.diag)
	for k := range n {
		s.at[k], s.alpha[k] = int32(k), 0
		s.y[k] = 1
		if k >= s.pair.positive {
			s.y[k] = -1
		}
		s.v[k] = s.y[k]
	}
	s.list()
}

// list fills up and low.
func (s *smo) list() {
	for k := range s.up {
		s.up[k], s.low[k] = math.Inf(-1), math.Inf(1)
	}
	for k := range s.active {
		s.mark(k)
	}
}

// mark sets up and low of position k.
func (s *smo) mark(k int) {
	s.up[k], s.low[k] = math.Inf(-1), math.Inf(1)
	grows, shrinks := s.alpha[k] < s.c, s.alpha[k] > 0 // what a may do, and y a where y is 1
	if s.y[k] < 0 {
		grows, shrinks = shrinks, grows
	}
	if grows {
		s.up[k] = 0
	}
	if shrinks {
		s.low[k] = 0
	}
}

// example returns row e of K in the order of examples.
func (s *smo) example(e int32) []float32 { return s.pair.row(int(e)) }

// row returns the row of K of position i in the order of positions.
func (s *smo) row(i int) []float32 {
	e := s.at[i]
	own := s.example(e)
	if !s.moved {
		return own
	}
	row := s.permuted[int(e)*len(own) : (int(e)+1)*len(own)]
	if s.stamp[e] != s.epoch {
		s.stamp[e] = s.epoch
		for k, l := range s.at {
			row[k] = own[l]
		}
	}
	return row
}

// first returns the last position of the largest v among those that may grow, and that v.
func (s *smo) first() (i int, m float64) {
	m = math.Inf(-1)
	for k, x := range s.v[:s.active] {
		if x += s.up[k]; x >= m {
			i, m = k, x
		}
	}
	return i, m
}

// second returns the last position whose step together with i lowers the objective most, by the
// quadratic model, or -1 if i and no position violate optimality by tol.
func (s *smo) second(i int, m float64) int {
	n := vec.Pad(s.active)
	j := vec.BestGain(s.v[:n], s.low, s.diag, s.row(i), s.diag[i], m, tau)
	if j < 0 || m-s.v[j] >= s.tol {
		return j
	}
	// The worst violation may be another position's.
	for k, x := range s.v[:s.active] {
		if m-(x+s.low[k]) >= s.tol {
			return j
		}
	}
	return -1
}

// step moves a along the positions i and j as far as their bounds allow, carries v along, and
// returns what first would.
func (s *smo) step(i, j int) (int, float64) {
	ki, kj := s.row(i), s.row(j)
	oldI, oldJ := s.alpha[i], s.alpha[j]
	a := s.diag[i] + s.diag[j] - float64(2*float64(ki[j]))
	if a <= 0 {
		a = tau
	}
	delta := (s.v[i] - s.v[j]) / a
	ai, aj := oldI+float64(s.y[i]*delta), oldJ-float64(s.y[j]*delta)
	if s.y[i] != s.y[j] {
		ai, aj = alongDifference(ai, aj, oldI-oldJ, s.c)
		s.peak = max(s.peak, ai, aj)
	} else {
		sum := oldI + oldJ
		ai, aj = alongSum(ai, aj, sum, s.c)
		s.peak = max(s.peak, ai, aj, sum)
	}
	s.alpha[i], s.alpha[j] = ai, aj
	s.note(i, oldI)
	s.note(j, oldJ)
	return vec.LessMax(float64(s.y[i]*(ai-oldI)), float64(s.y[j]*(aj-oldJ)), ki, kj, s.v[:vec.Pad(s.active)], s.up)
}

// alongDifference clips a step that keeps ai - aj.
func alongDifference(ai, aj, difference, c float64) (float64, float64) {
	if difference > 0 {
		if aj < 0 {
			ai, aj = difference, 0
		}
	} else if ai < 0 {
		ai, aj = 0, -difference
	}
	if difference > 0 {
		if ai > c {
			ai, aj = c, c-difference
		}
	} else if aj > c {
		ai, aj = c+difference, c
	}
	return ai, aj
}

// alongSum clips a step that keeps ai + aj.
func alongSum(ai, aj, sum, c float64) (float64, float64) {
	if sum > c {
		if ai > c {
			ai, aj = c, sum-c
		}
	} else if aj < 0 {
		ai, aj = sum, 0
	}
	if sum > c {
		if aj > c {
			ai, aj = sum-c, c
		}
	} else if ai < 0 {
		ai, aj = 0, sum
	}
	return ai, aj
}

// note keeps track of the bounds that position k reached or left.
func (s *smo) note(k int, old float64) {
	s.mark(k)
	if reached := s.alpha[k] >= s.c; reached != (old >= s.c) {
		if len(s.flips) == cap(s.flips) {
			s.flush()
		}
		s.flips = append(s.flips, flip{s.at[k], reached})
	}
}
