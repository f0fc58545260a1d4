package eval

import (
	"math"
	"math/rand/v2"
	"sort"
)

// lloyd is the workspace of KMeans. Points are held relative to their mean, which costs
// nothing and keeps the rounding of distances small for data far from the origin.
type lloyd struct {
	x       []float64 // n x d
	n, d, k int
	shift   []float64 // the mean that was taken off
	rest    float64   // squared distances up to this are rounding of a mean of equal points

	center, next []float64 // k x d
	sum          []float64 // k x d, of the members
	count        []int
	label        []int32

	// Hamerly's bounds on distances (not squared), with the rounding of their updates
	// allowed for: upper on that to the own centre, lower on that to any other.
	upper, lower []float64
	moved        []float64 // distance each centre moved
	half         []float64 // half the distance of each centre to its nearest neighbour

	near       []float64 // seeding: squared distance to the nearest centre so far
	trial, top []float64 // seeding: near with a candidate, and with the best one
	cumulative []float64
}

func newLloyd(X []float64, n, d, k int) *lloyd {
	l := &lloyd{
		x: make([]float64, n*d), n: n, d: d, k: k,
		shift:  make([]float64, d),
		center: make([]float64, k*d), next: make([]float64, k*d), sum: make([]float64, k*d),
		count: make([]int, k), label: make([]int32, n),
		upper: make([]float64, n), lower: make([]float64, n),
		moved: make([]float64, k), half: make([]float64, k),
		near: make([]float64, n), trial: make([]float64, n), top: make([]float64, n),
		cumulative: make([]float64, n),
	}
	for i, x := range X {
		l.shift[i%d] += x / float64(n)
	}
	var largest float64
	for i, x := range X {
		l.x[i] = x - l.shift[i%d]
		largest = max(largest, math.Abs(l.x[i]))
	}
	rounding := largest * float64(n) * 0x1p-52 // of a sum of n terms
	l.rest = float64(d) * rounding * rounding
	return l
}

func (l *lloyd) point(i int) []float64 { return l.x[i*l.d : (i+1)*l.d] }

// meanVariance returns the mean over the features of their variance (division by n).
func (l *lloyd) meanVariance() float64 {
	var v float64
	for _, x := range l.x {
		v += float64(x * x)
	}
	return v / float64(l.n*l.d)
}

// seed chooses the centres by greedy k-means++.
func (l *lloyd) seed(rng *rand.Rand) {
	n, d := l.n, l.d
	first := l.point(rng.IntN(n))
	copy(l.center, first)
	for i := range n {
		l.near[i] = distance2(l.point(i), first)
	}
	trials := 2 + int(math.Log(float64(l.k)))
	for c := 1; c < l.k; c++ {
		var acc float64
		for i, v := range l.near {
			acc += v
			l.cumulative[i] = acc
		}
		bestTotal, chosen := math.Inf(1), -1
		for range trials {
			candidate := l.draw(rng)
			y := l.point(candidate)
			var t float64
			for i := range n {
				v := min(l.near[i], distance2(l.point(i), y))
				l.trial[i] = v
				t += v
			}
			if t < bestTotal || chosen < 0 {
				bestTotal, chosen = t, candidate
				l.trial, l.top = l.top, l.trial
			}
		}
		copy(l.center[c*d:(c+1)*d], l.point(chosen))
		l.near, l.top = l.top, l.near
	}
}

// start puts the centres at the means of clusters that labels give.
func (l *lloyd) start(labels []int) {
	for i, c := range labels {
		l.label[i] = int32(c)
	}
	l.update()
}

// draw returns a point with probability proportional to its weight in l.cumulative, or
// any point if all weights are zero (fewer distinct points than centres).
func (l *lloyd) draw(rng *rand.Rand) int {
	total := l.cumulative[l.n-1]
	if !(total > 0) {
		return rng.IntN(l.n)
	}
	target := rng.Float64() * total
	if target >= total { // by rounding: the last point that has weight
		return sort.Search(l.n-1, func(i int) bool { return l.cumulative[i] >= total })
	}
	return sort.Search(l.n-1, func(i int) bool { return l.cumulative[i] > target })
}

// run iterates from the centres as they are until labels or centres rest. limit bounds the
// squared shift; negative: labels only.
func (l *lloyd) run(limit float64, maxIter int) (iterations int, converged bool) {
	l.assignAll()
	for iterations < maxIter {
		iterations++
		shift2 := l.update()
		changed := l.assign()
		// The labels now belong to the moved centres. If none changed, the next update would
		// move nothing but rounding.
		if !changed || shift2 <= limit {
			return iterations, true
		}
	}
	return iterations, false
}

// assignAll labels every point by its nearest centre and sets the bounds.
func (l *lloyd) assignAll() {
	for i := range l.n {
		c, own, other := nearest(l.point(i), l.center, l.k)
		l.label[i] = int32(c)
		l.upper[i], l.lower[i] = math.Sqrt(own), math.Sqrt(other)
	}
}

func (l *lloyd) add(c int, p []float64, sign int) {
	s := l.sum[c*l.d : (c+1)*l.d]
	for j, x := range p {
		s[j] += float64(float64(sign) * x)
	}
	l.count[c] += sign
}

// boundSlack widens the bounds by more than their rounding, so that a distance is skipped only
// if it cannot matter even in floating point; ties are always computed.
const boundSlack = 1e-9

// update moves the centres to the means of their members and returns the sum of the squared
// shifts.
func (l *lloyd) update() float64 {
	d := l.d
	l.sums()
	l.relocate()
	var total float64
	for c := range l.k {
		to, from := l.next[c*d:(c+1)*d], l.center[c*d:(c+1)*d]
		if l.count[c] == 0 {
			copy(to, from)
		} else {
			for j := range to {
				to[j] = l.sum[c*d+j] / float64(l.count[c])
			}
		}
		d2 := distance2(to, from)
		total += d2
		l.moved[c] = math.Sqrt(d2)
	}
	l.center, l.next = l.next, l.center
	return total
}

// sums computes the sums of the members afresh: running sums would drift, and make centres
// depend on the way that led to them.
func (l *lloyd) sums() {
	clear(l.sum)
	clear(l.count)
	for i, c := range l.label {
		l.add(int(c), l.point(i), 1)
	}
}

// relocate gives every empty cluster the point farthest from its centre, each another one.
// The centres are still from the last assignment.
func (l *lloyd) relocate() {
	for c := range l.k {
		if l.count[c] > 0 {
			continue
		}
		far, farthest := l.rest, -1 // else equal points would swap clusters for ever
		for i, own := range l.label {
			if l.count[own] < 2 {
				continue // it would leave another cluster empty
			}
			if v := distance2(l.point(i), l.center[int(own)*l.d:(int(own)+1)*l.d]); v > far {
				far, farthest = v, i
			}
		}
		if farthest < 0 {
			return // every point lies on its centre
		}
		p := l.point(farthest)
		l.add(int(l.label[farthest]), p, -1)
		l.label[farthest] = int32(c)
		l.add(c, p, 1)
		// The label changed outside assign: bounds that hold for nothing make it look again.
		l.upper[farthest], l.lower[farthest] = math.Inf(1), 0
	}
}

// assign labels every point by its nearest centre, and reports whether a label changed.
func (l *lloyd) assign() (changed bool) {
	d := l.d
	// The two largest moves: the lower bound sinks by the largest move of another centre.
	m1, m2, argmax := 0.0, 0.0, -1
	for c, m := range l.moved {
		if m > m1 {
			m1, m2, argmax = m, m1, c
		} else if m > m2 {
			m2 = m
		}
	}
	for c := range l.k {
		v := math.Inf(1)
		for e := range l.k {
			if e != c {
				v = min(v, distance2(l.center[c*d:(c+1)*d], l.center[e*d:(e+1)*d]))
			}
		}
		l.half[c] = math.Sqrt(v) / 2
	}
	for i, own := range l.label {
		sink := m1
		if int(own) == argmax {
			sink = m2
		}
		up := (l.upper[i] + l.moved[own]) * (1 + boundSlack)
		low := float64(l.lower[i]*(1-boundSlack)) - float64(sink*(1+boundSlack))
		l.upper[i], l.lower[i] = up, low
		safe := max(low, l.half[own]*(1-boundSlack))
		if up < safe {
			continue
		}
		p := l.point(i)
		c, own2, other2 := nearest(p, l.center, l.k)
		l.upper[i], l.lower[i] = math.Sqrt(own2), math.Sqrt(other2)
		if int32(c) != own {
			l.label[i] = int32(c)
			changed = true
		}
	}
	return changed
}

func (l *lloyd) inertia() float64 {
	var v float64
	for i, c := range l.label {
		v += distance2(l.point(i), l.center[int(c)*l.d:(int(c)+1)*l.d])
	}
	return v
}

// nearest returns the nearest of k centres, its squared distance, and that to the second.
func nearest(p, centers []float64, k int) (c int, own, other float64) {
	d := len(p)
	own, other = math.Inf(1), math.Inf(1)
	for e := range k {
		v := distance2(p, centers[e*d:(e+1)*d])
		if v < own {
			c, own, other = e, v, own
		} else if v < other {
			other = v
		}
	}
	return c, own, other
}

// distance2 returns the squared Euclidean distance, as differences squared: exact zeros for
// equal points, and no cancellation.
func distance2(x, y []float64) float64 {
	y = y[:len(x)]
	var s0, s1 float64
	j := 0
	for ; j+1 < len(x); j += 2 {
		a, b := x[j]-y[j], x[j+1]-y[j+1]
		s0 += float64(a * a)
		s1 += float64(b * b)
	}
	if j < len(x) {
		a := x[j] - y[j]
		s0 += float64(a * a)
	}
	return s0 + s1
}
