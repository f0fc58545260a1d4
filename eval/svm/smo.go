package svm

import (
	"context"
	"math"
	"slices"
)

// tau stands in for a curvature that is not positive, as in LIBSVM.
const tau = 1e-12

// smo solves the dual problem of one pair of classes,
//
//	min 1/2 a'Qa - 1'a,  0 <= a_k <= C,  y'a = 0,  Q_kl = y_k y_l K_kl,
//
// by sequential minimal optimisation with working sets of the second order
// (Fan, Chen & Lin 2005) and shrinking (Chang & Lin 2011), in the order of LIBSVM's sums.
//
// The signs of y are kept out of the loops: with v = -y G, G the gradient, an iteration needs K and the bounds
// alone. A sign changes no rounding, so that every number is LIBSVM's but for its sign.
//
// Examples stand in positions, which shrinking permutes.
type smo struct {
	pair *pair
	c    float64
	tol  float64

	// By position.
	at     []int32 // the example that stands there
	y      []float64
	alpha  []float64
	v      []float64
	diag   []float64
	active int // positions from here on are shrunk

	ups  []int32 // I_up: the active positions where y a may grow, ascending
	lows []int32 // I_low: those where it may shrink

	peak     float64 // the largest a, and the largest sum of two a of one class, that was met
	unshrunk bool    // whether all positions were made active again near the end

	// By example.
	fixed    []float64 // what those at C make of v, but for flips
	flips    []flip    // those that reached C or left it since
	permuted []float64 // rows of K by position, where stamp has the epoch
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
	if cap(s.at) < n {
		s.at, s.stamp, s.flips = make([]int32, n), make([]uint32, n), make([]flip, 0, 4*n)
		s.ups, s.lows = make([]int32, 0, n), make([]int32, 0, n)
		f := make([]float64, 5*n)
		cut := func(k int) []float64 { return f[k*n : (k+1)*n : (k+1)*n] }
		s.y, s.alpha, s.v, s.diag, s.fixed = cut(0), cut(1), cut(2), cut(3), cut(4)
		s.permuted = make([]float64, n*n)
	}
	s.at, s.stamp = s.at[:n], s.stamp[:n]
	s.y, s.alpha, s.v, s.diag, s.fixed = s.y[:n], s.alpha[:n], s.v[:n], s.diag[:n], s.fixed[:n]
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

// up and low report whether y a of position k may grow, and whether it may shrink, if a is alpha.
func (s *smo) up(k int, alpha float64) bool {
	if s.y[k] > 0 {
		return alpha < s.c
	}
	return alpha > 0
}

func (s *smo) low(k int, alpha float64) bool {
	if s.y[k] > 0 {
		return alpha > 0
	}
	return alpha < s.c
}

// list fills ups and lows.
func (s *smo) list() {
	s.ups, s.lows = s.ups[:0], s.lows[:0]
	for k, a := range s.alpha[:s.active] {
		if s.up(k, a) {
			s.ups = append(s.ups, int32(k))
		}
		if s.low(k, a) {
			s.lows = append(s.lows, int32(k))
		}
	}
}

// example returns row e of K in the order of examples.
func (s *smo) example(e int32) []float64 {
	n := len(s.at)
	return s.pair.q[int(e)*n : (int(e)+1)*n]
}

// row returns the row of K of position i in the order of positions.
func (s *smo) row(i int) []float64 {
	e := s.at[i]
	own := s.example(e)
	if !s.moved {
		return own
	}
	n := len(s.at)
	row := s.permuted[int(e)*n : (int(e)+1)*n]
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
	v := s.v
	for _, k := range s.ups {
		if x := v[k]; x >= m {
			i, m = int(k), x
		}
	}
	return i, m
}

// second returns the last position whose step together with i lowers the objective most, by the quadratic
// model, or -1 if i and no position violate optimality by tol.
func (s *smo) second(i int, m float64) int {
	j, t := pick(s.lows, s.v, s.diag, s.row(i), s.diag[i], m)
	if j < 0 || t >= s.tol {
		return j
	}
	// The worst violation may be another position's.
	for _, k := range s.lows {
		if m-s.v[k] >= s.tol {
			return j
		}
	}
	return -1
}

// pick looks for the last maximum of (m - v_k)^2 / (d + diag_k - 2 row_k) among the positions of low with v_k < m. It returns the position,
// or -1, and its m - v_k.
func pick(lows []int32, v, diag, row []float64, d, m float64) (j int, violation float64) {
	j = -1
	var best, bar float64 // bar is best, lowered by more than the rounding of a quotient
	diag, row = diag[:len(v)], row[:len(v)]
	for _, k := range lows {
		t, a := m-v[k], d+diag[k]-float64(2*row[k])
		// A quotient is needed only where a product tells that it may be the best.
		if float64(t*t) < float64(bar*a) || t <= 0 {
			continue
		}
		if a <= 0 {
			a = tau
		}
		if gain := float64(t*t) / a; gain >= best {
			j, violation, best, bar = int(k), t, gain, gain*(1-0x1p-50)
		}
	}
	return j, violation
}

// step moves a along the positions i and j as far as their bounds allow, carries v along, and returns what first would.
func (s *smo) step(i, j int) (int, float64) {
	ki, kj := s.row(i), s.row(j)
	oldI, oldJ := s.alpha[i], s.alpha[j]
	a := s.diag[i] + s.diag[j] - float64(2*ki[j])
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
	update(s.v[:s.active], ki, kj, float64(s.y[i]*(ai-oldI)), float64(s.y[j]*(aj-oldJ)))
	return s.first()
}

// update takes di ki + dj kj off v.
func update(v, ki, kj []float64, di, dj float64) {
	ki, kj = ki[:len(v)], kj[:len(v)]
	for k, x := range v {
		v[k] = x - (float64(ki[k]*di) + float64(kj[k]*dj))
	}
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
	a := s.alpha[k]
	s.ups = member(s.ups, k, s.up(k, old), s.up(k, a))
	s.lows = member(s.lows, k, s.low(k, old), s.low(k, a))
	if reached := a >= s.c; reached != (old >= s.c) {
		if len(s.flips) == cap(s.flips) {
			s.flush()
		}
		s.flips = append(s.flips, flip{s.at[k], reached})
	}
}

// member puts k into an ascending list or takes it out.
func member(list []int32, k int, was, is bool) []int32 {
	if was == is {
		return list
	}
	at, _ := slices.BinarySearch(list, int32(k))
	if is {
		return slices.Insert(list, at, int32(k))
	}
	return slices.Delete(list, at, at+1)
}
