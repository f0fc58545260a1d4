package ot

import (
	"math"
	"math/bits"
)

// Costs of very different sizes (forbidden pairs) leave no digits of the small
// ones in floating-point potentials. Here a solve ends in integers: costs are
// multiples of one power of two, 100 bits or more below the largest, and
// potentials are sums of them without any error. Strongly feasible bases cannot
// cycle then, and no tolerance is needed.

// int128 is a signed integer in two's complement.
type int128 struct {
	hi int64
	lo uint64
}

func (x int128) plus(y int128) int128 {
	lo, carry := bits.Add64(x.lo, y.lo, 0)
	return int128{x.hi + y.hi + int64(carry), lo}
}

func (x int128) minus(y int128) int128 {
	lo, borrow := bits.Sub64(x.lo, y.lo, 0)
	return int128{x.hi - y.hi - int64(borrow), lo}
}

func (x int128) less(y int128) bool { return x.hi < y.hi || x.hi == y.hi && x.lo < y.lo }

// fixed is a unit of 2^exp, with which numbers below 2^(exp+room) are integers.
type fixed struct{ exp int }

// newFixed returns the unit for costs up to most in magnitude, in sums of up
// to 4 nodes of them.
func newFixed(most float64, nodes int) fixed {
	room := 124 - bits.Len(uint(nodes))
	_, e := math.Frexp(most)
	return fixed{e - room}
}

// of rounds x towards zero.
func (f fixed) of(x float64) int128 {
	b := math.Float64bits(x)
	e, m := int(b>>52&0x7ff), b&(1<<52-1)
	if e == 0 {
		e = 1
	} else {
		m |= 1 << 52
	}
	var r int128
	switch s := e - 1075 - f.exp; {
	case s >= 64:
		r.hi = int64(m << (s - 64))
	case s >= 0:
		r.hi, r.lo = int64(m>>(64-s)), m<<s
	default:
		r.lo = m >> -s
	}
	if b>>63 != 0 {
		r = int128{}.minus(r)
	}
	return r
}

// float returns x within 2^-52, relatively.
func (f fixed) float(x int128) float64 {
	if x.hi < 0 {
		return -f.float(int128{}.minus(x))
	}
	return math.Ldexp(float64(float64(x.hi)*0x1p64)+float64(x.lo), f.exp)
}

// exact is the working state of settle.
type exact struct {
	unit fixed
	pi   []int128
	// band bounds the rounding error of reduced costs from t.pi, which holds
	// the potentials rounded.
	band, most float64
}

// settle goes on from the basis until no reduced cost is negative in exact
// arithmetic, counts the pivots, and leaves the potentials in pi, rounded once.
// With near it chooses potentials near zero among those that belong to the plan:
// the basis' potentials hold every empty arc of it, forbidden ones too. A cost that
// is not finite ends it at once. Cost O(rows cols) and what the pivots take.
func (t *tree) settle(near bool, pivots *int) Status {
	x := &t.exact
	x.most = 0
	for i := range t.rows {
		for _, c := range t.c[i*t.ld : i*t.ld+t.cols] {
			c = math.Abs(c)
			if !(c <= math.MaxFloat64) {
				return Optimal
			}
			x.most = max(x.most, c)
		}
	}
	x.unit = newFixed(x.most, len(t.node))
	t.exactPi()
	left := maxRounds * t.round
	for i, clean := 0, 0; clean < t.rows; {
		if j, rc := t.leastExact(i); j < 0 {
			clean++
		} else {
			t.pivotExact(i, t.rows+j, rc)
			clean = 0
			*pivots++
			if left--; left == 0 {
				return PivotLimit
			}
		}
		if i++; i == t.rows {
			i = 0
		}
	}
	if near {
		t.nearPi()
	}
	return Optimal
}

// exactPi computes the potentials of the tree, zero at the root.
func (t *tree) exactPi() {
	t.reorder()
	x := &t.exact
	x.band = 0
	t.setPi(t.root, int128{})
	for _, k := range t.order[1:] {
		p := int(t.node[k].Parent)
		c := x.unit.of(t.c[t.arc(int(k))])
		if int(k) < t.rows {
			t.setPi(int(k), x.pi[p].minus(c))
		} else {
			t.setPi(int(k), x.pi[p].plus(c))
		}
	}
}

// arc returns the place in c of the arc from k to its parent.
func (t *tree) arc(k int) int {
	p := int(t.node[k].Parent)
	if k < t.rows {
		return k*t.ld + p - t.rows
	}
	return p*t.ld + k - t.rows
}

func (t *tree) setPi(k int, pi int128) {
	x := &t.exact
	x.pi[k] = pi
	t.pi[k] = x.unit.float(pi)
	// Two potentials of 2^-52 each, a cost, and two roundings of their sums.
	x.band = max(x.band, 0x1p-49*(x.most+math.Abs(t.pi[k])))
}

// reduced returns the reduced cost of row i and column j (from zero).
func (t *tree) reduced(i, j int) int128 {
	x := &t.exact
	return x.unit.of(t.c[i*t.ld+j]).plus(x.pi[i]).minus(x.pi[t.rows+j])
}

// leastExact returns the first column with the least negative reduced cost in row
// i, or -1 if none is negative.
func (t *tree) leastExact(i int) (int, int128) {
	best, least := -1, int128{}
	v, pii, band := t.pi[t.rows:t.rows+t.cols], t.pi[i], t.exact.band
	for j, c := range t.c[i*t.ld : i*t.ld+t.cols] {
		if c-v[j]+pii > band {
			continue
		}
		if rc := t.reduced(i, j); rc.less(least) {
			best, least = j, rc
		}
	}
	return best, least
}

// pivotExact is pivot with exact potentials.
func (t *tree) pivotExact(i, j int, rc int128) {
	if t.words > 0 {
		t.pivotWide(i, j, 0)
	} else {
		t.pivot(i, j, 0)
	}
	// The subtree that turned over hangs from the entering arc now.
	u, sigma := j, rc
	if int(t.node[i].Parent) == j {
		u, sigma = i, int128{}.minus(rc)
	}
	mask := t.node[u].Mask[:]
	if t.words > 0 {
		mask = t.mask(u)
	}
	for w, b := range mask {
		for ; b != 0; b &= b - 1 {
			k := w<<6 + bits.TrailingZeros64(b)
			t.setPi(k, t.exact.pi[k].plus(sigma))
		}
	}
}

// nearPi replaces the potentials by distances from zero in the residual graph: the
// largest that are at most zero, feasible, and tight where mass flows. So no empty
// arc of the basis draws them apart. Each round is O(rows cols).
func (t *tree) nearPi() {
	x := &t.exact
	x.band = 0
	for k := range x.pi {
		t.setPi(k, int128{})
	}
	for again := true; again; {
		again = false
		for i := range t.rows {
			row := t.c[i*t.ld : i*t.ld+t.cols]
			for j, c := range row {
				if c-t.pi[t.rows+j]+t.pi[i] > x.band {
					continue
				}
				if rc := t.reduced(i, j); rc.hi < 0 {
					t.setPi(t.rows+j, x.pi[t.rows+j].plus(rc))
					again = true
				}
			}
		}
		for k, nd := range t.node {
			if nd.Flow == 0 || t.forbidden > 0 && t.c[t.arc(k)] == t.forbidden {
				continue
			}
			i, j := k, int(nd.Parent)
			if k >= t.rows {
				i, j = j, k
			}
			if rc := t.reduced(i, j-t.rows); rc.hi > 0 || rc.hi == 0 && rc.lo > 0 {
				t.setPi(i, x.pi[i].minus(rc))
				again = true
			}
		}
	}
}

// uneven reports whether the tolerance, a part of the scale, may hide what decides:
// where no arc with flow costs a fair part of the scale, or where the costs were
// mixed from the start. (There a pair may be so dear and carry mass all the same.)
func (t *tree) uneven() bool {
	if t.mixed {
		return true
	}
	limit := t.scale / flowSpread
	if t.carries(t.witness, limit) {
		return false
	}
	for k := range t.node {
		if t.carries(k, limit) {
			t.witness = k
			return false
		}
	}
	return true
}

// carries reports whether the arc from k to its parent has flow and costs at least
// limit in magnitude.
func (t *tree) carries(k int, limit float64) bool {
	return t.node[k].Flow > 0 && math.Abs(t.c[t.arc(k)]) >= limit
}
