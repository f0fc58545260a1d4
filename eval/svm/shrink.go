package svm

import "math"

// flush brings fixed up to date. Only shrinking needs it, so that a fit that ends before has none
// of its cost.
func (s *smo) flush() {
	for _, f := range s.flips {
		by := s.c
		if (int(f.example) < s.pair.positive) != f.reached {
			by = -by
		}
		row := s.example(f.example)
		for k := range s.fixed {
			s.fixed[k] -= float64(by * float64(row[k]))
		}
	}
	s.flips = s.flips[:0]
}

// unshrink makes all positions active, with their v computed anew.
func (s *smo) unshrink() {
	n := len(s.at)
	if s.active == n {
		return
	}
	s.flush()
	free := 0
	for k := range s.active {
		if s.free(k) {
			free++
		}
	}
	for k := s.active; k < n; k++ {
		e := s.at[k]
		s.v[k] = s.fixed[e] + s.y[k]
	}
	// LIBSVM goes by rows or by columns, whichever costs less, and so are the sums.
	if free*n > 2*s.active*(n-s.active) {
		for k := s.active; k < n; k++ {
			row := s.example(s.at[k])
			v := s.v[k]
			for l := range s.active {
				if s.free(l) {
					v -= float64(float64(s.y[l]*s.alpha[l]) * float64(row[s.at[l]]))
				}
			}
			s.v[k] = v
		}
	} else {
		for l := range s.active {
			if !s.free(l) {
				continue
			}
			row, a := s.example(s.at[l]), float64(s.y[l]*s.alpha[l])
			for k := s.active; k < n; k++ {
				s.v[k] -= float64(a * float64(row[s.at[k]]))
			}
		}
	}
	s.active = n
	s.list()
}

// free reports whether a of position k is at neither bound.
func (s *smo) free(k int) bool { return s.alpha[k] > 0 && s.alpha[k] < s.c }

// shrink drops examples at a bound that are likely to stay there.
func (s *smo) shrink() {
	up, low := math.Inf(-1), math.Inf(1) // the largest v that may grow and the least that may shrink
	for k, v := range s.v[:s.active] {
		up, low = max(up, v+s.up[k]), min(low, v+s.low[k])
	}
	if !s.unshrunk && up-low <= 10*s.tol {
		s.unshrunk = true
		s.unshrink()
	}
	stays := func(k int) bool {
		switch {
		case s.free(k):
			return false
		case s.low[k] == 0:
			return s.v[k] > up
		}
		return s.v[k] < low
	}
	swapped := false
	for k := 0; k < s.active; k++ {
		if !stays(k) {
			continue
		}
		s.active--
		for s.active > k {
			if !stays(s.active) {
				s.swap(k, s.active)
				swapped = true
				break
			}
			s.active--
		}
	}
	if swapped {
		s.moved = true
		if s.epoch++; s.epoch == 0 { // after 2^32 of them
			clear(s.stamp)
			s.epoch = 1
		}
	}
	s.list()
}

func (s *smo) swap(k, l int) {
	s.at[k], s.at[l] = s.at[l], s.at[k]
	for _, x := range [...][]float64{s.y, s.alpha, s.v, s.diag} {
		x[k], x[l] = x[l], x[k]
	}
}

// rho returns the mean of -v over the free positions; without any, the middle of the interval that
// the bounds allow.
func (s *smo) rho() float64 {
	free, sum := 0, 0.0
	top, bottom := math.Inf(1), math.Inf(-1)
	for k, v := range s.v[:s.active] {
		switch {
		case s.free(k):
			free++
			sum -= v
		case s.up[k] == 0:
			top = min(top, -v)
		default:
			bottom = max(bottom, -v)
		}
	}
	if free > 0 {
		return sum / float64(free)
	}
	return (top + bottom) / 2
}
