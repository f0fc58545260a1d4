package ot

import (
	"math"

	"ogdl/internal/vec"
)

// node is a line of the core problem in the spanning tree. Flow lives on the arc
// to the parent; the arc points up if the node is a row, down if it is a column,
// so its orientation needs no storage.
type node = vec.Node

// narrow is the number of nodes whose subtrees fit node.Mask. Beyond it they are
// kept in tree.wide.
const narrow = vec.MaxNodes

// tree is a basis: a spanning tree over rows 0..rows-1 and columns
// rows..rows+cols-1, whose subtrees are known as bit sets. It holds the costs
// and node potentials pi: the reduced cost of (i, j) is c_ij + pi_i - pi_j.
type tree struct {
	rows, cols int
	node       []node
	wide       []uint64 // subtree masks, words each, if there are > narrow nodes
	words      int
	path       vec.Path // of a pivot
	prev, cut  []uint64 // working masks of a wide pivot, only words cutAt
	cutAt      []int32

	pi      []float64
	order   []int32 // all nodes but the root, parents before children
	ordered bool    // order fits the tree
	done    []bool  // nodes that initPi, reorder or span have been at
	hung    int     // while a start builds the tree: order is filled from its end
	root    int

	c  []float64 // costs, row stride ld; nil between solves
	ld int
	// scale is the magnitude of the costs and potentials that went into pi; a
	// reduced cost counts as negative if it is below -tolerance*scale.
	scale float64
	// mixed tells that the costs of the last cold start were of very different
	// sizes.
	mixed bool
	// witness is the node that uneven found last time, where it looks first.
	witness int
	// forbidden is the cost of a forbidden pair, 0 if there is none.
	forbidden float64
	exact     exact
	// round is the number of pivots after which optimise doubts its progress.
	round int
}

const (
	// tolerance times the scale bounds the rounding error of reduced costs: pi
	// is a sum along a path of the tree, each term rounded to 1.1e-16.
	tolerance = 2e-13
	// maxTolerance is what optimise may raise it to.
	maxTolerance = 2e-10
	// flowSpread is how many times larger than the largest cost that carries
	// flow the scale may be for the tolerance to be good enough; see uneven.
	flowSpread = 1 << 10
	// maxRounds limits the pivots to this times tree.round.
	maxRounds = 20
	// roundPerNode is tree.round per node: random problems need about 8 pivots
	// per node at 512 x 512, and fewer below.
	roundPerNode = 50
)

func (t *tree) resize(rows, cols int) {
	t.rows, t.cols = rows, cols
	n := rows + cols
	t.order, t.done = grow(t.order, n), grow(t.done, n)
	t.exact.pi = grow(t.exact.pi, n)
	// As vec.Turn has it.
	t.node = grow(t.node, max(n, 1<<8))[:n]
	// Potentials are shifted by whole words of a mask, and rows of costs priced by fours: what lies
	// beyond the last column never enters.
	t.pi = grow(t.pi, (n+3+63)&^63)
	for k := n; k < len(t.pi); k++ {
		t.pi[k] = math.Inf(-1)
	}
	t.round = roundPerNode * n
	t.words, t.witness = 0, 0
	if n > narrow {
		t.words = max((n+63)/64, vec.WideMask)
		t.wide = grow(t.wide, n*t.words)
		t.prev, t.cut = grow(t.prev, t.words), grow(t.cut, t.words)
		t.cutAt = grow(t.cutAt, t.words)
	}
	t.clear()
}

// clear makes every node a tree of its own, as starts need it.
func (t *tree) clear() {
	if t.words > 0 {
		clear(t.wide)
	}
	for k := range t.node {
		nd := node{Parent: -1}
		if t.words > 0 {
			t.wide[k*t.words+k>>6] = 1 << (k & 63)
		} else {
			nd.Mask[k>>6] = 1 << (k & 63)
		}
		t.node[k] = nd
	}
	t.hung = len(t.node)
}

// hang makes k, whose subtree is complete, a child of p.
func (t *tree) hang(k, p int, flow int64) {
	nd := &t.node[k]
	nd.Parent, nd.Flow = int32(p), flow
	if t.words > 0 {
		or(t.mask(p), t.mask(k))
	} else {
		t.node[p].Mask[0] |= nd.Mask[0]
		t.node[p].Mask[1] |= nd.Mask[1]
	}
	t.hung--
	t.order[t.hung] = int32(k)
}

// finish ends a start: all nodes but the root hang. order is then filled from 1.
func (t *tree) finish(root int) {
	t.root = root
	t.node[root].Parent = -1
	t.node[root].Flow = 0
	t.ordered = true
}

func (t *tree) mask(k int) []uint64 { return t.wide[k*t.words : (k+1)*t.words] }

func or(dst, src []uint64) {
	for i, w := range src[:len(dst)] {
		dst[i] |= w
	}
}

// reorder lists the nodes so that parents come before children.
func (t *tree) reorder() {
	if t.ordered {
		return
	}
	t.ordered = true
	clear(t.done)
	t.done[t.root] = true
	at := 1
	order := t.order
	for k := range t.node {
		// Climb to a listed node; the path comes out children first, so it is
		// written and then reversed.
		from := at
		for x := k; !t.done[x]; x = int(t.node[x].Parent) {
			t.done[x] = true
			order[at] = int32(x)
			at++
		}
		for a, b := from, at-1; a < b; a, b = a+1, b-1 {
			order[a], order[b] = order[b], order[a]
		}
	}
}

// initPi computes the potentials of the tree for the costs c, zero at the root.
func (t *tree) initPi() {
	var scale uint64 // as bits: integers compare faster
	rows, pi, done, path := t.rows, t.pi, t.done, t.order
	clear(done)
	done[t.root], pi[t.root] = true, 0
	for k := range done {
		// Climb to a node that has its potential, and come down again.
		at := 0
		for x := k; !done[x]; x = int(t.node[x].Parent) {
			done[x] = true
			path[at] = int32(x)
			at++
		}
		for at--; at >= 0; at-- {
			x := int(path[at])
			p := int(t.node[x].Parent)
			v := pi[p]
			if x < rows {
				c := t.c[x*t.ld+p-rows]
				scale = max(scale, math.Float64bits(c)&^(1<<63))
				v -= c
			} else {
				c := t.c[p*t.ld+x-rows]
				scale = max(scale, math.Float64bits(c)&^(1<<63))
				v += c
			}
			pi[x] = v
			scale = max(scale, math.Float64bits(v)&^(1<<63))
		}
	}
	t.ordered = false
	t.scale = math.Float64frombits(scale)
}

// prices returns the potentials of the columns, padded like the rows of costs where these are.
func (t *tree) prices() []float64 {
	cols := vec.Pad(t.cols)
	if cols > t.ld || (t.rows-1)*t.ld+cols > len(t.c) {
		cols = t.cols
	}
	return t.pi[t.rows : t.rows+cols]
}

// optimise pivots until no reduced cost is negative, and counts the pivots.
//
// Pricing goes over the rows in turn; the first row with a negative reduced cost
// enters its most negative one. Strongly feasible bases cannot cycle, but
// rounding in the potentials could keep a solve busy with noise: after each
// round of pivots potentials are computed afresh and the tolerance grows.
func (t *tree) optimise(pivots *int) Status {
	rows, v := t.rows, t.prices()
	tol, left, rounds := float64(tolerance), t.round, 0
	eps := tol * t.scale
	t.ordered = false
	var masks []uint64
	if t.words > 0 {
		masks = t.wide
	}
	for i := 0; ; {
		j, clean := 0, 0
		if t.words == 0 || t.words == vec.WideMask {
			var done int
			i, clean, done = vec.Pivots(t.c, t.ld, rows, len(v), t.pi, t.node, masks, &t.path, eps, t.scale, i, left-1)
			left -= done
			*pivots += done
		}
		if i, j, _ = vec.Price(t.c, t.ld, v, t.pi[:rows], eps, i, clean); j < 0 {
			return Optimal
		}
		c := t.c[i*t.ld+j]
		if x := math.Abs(c); x > t.scale {
			t.scale = x
			eps = tol * x
		}
		rc := c - v[j] + t.pi[i]
		if t.words > 0 {
			t.pivotWide(i, rows+j, rc)
		} else {
			t.pivot(i, rows+j, rc)
		}
		*pivots++
		if left--; left == 0 {
			left = t.round
			if rounds++; rounds == maxRounds {
				return PivotLimit
			}
			t.initPi()
			tol = min(10*tol, maxTolerance)
			eps = tol * t.scale
		}
		if i++; i == rows {
			i = 0
		}
	}
}
