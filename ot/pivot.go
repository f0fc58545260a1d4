package ot

import (
	"math"

	"ogdl/internal/vec"
)

// pivot brings the arc from row i to column j (node numbers) with reduced cost
// rc into the basis.
//
// The arc closes a cycle: up from j to the join, the lowest common ancestor, and
// down to i. Sending flow along the arc takes it from the arcs of rows on i's
// side and of columns on j's. The leaving arc is the last that runs empty when
// the cycle is walked from the join in the arc's direction (Cunningham's rule).
// Rows and columns alternate along a path, so paths are walked two nodes a step.
func (t *tree) pivot(i, j int, rc float64) {
	// Indices of one byte need no check.
	nd, path := (*[1 << 8]node)(t.node[:1<<8]), &t.path
	jw, jb := j>>6&1, uint64(1)<<(j&63)

	// From i up to the join: first smallest flow on rows.
	du := int64(math.MaxInt64)
	k, at := uint8(i), uint8(0)
	for {
		x := &nd[k]
		if x.mask[jw]&jb != 0 {
			break
		}
		path[at] = k
		du = min(du, x.flow<<8|int64(at))
		at++
		k = uint8(x.parent)
		x = &nd[k]
		if x.mask[jw]&jb != 0 {
			break
		}
		path[at] = k
		at++
		k = uint8(x.parent)
	}
	// From j up to the join: last smallest flow on columns.
	dv, join, half := int64(math.MaxInt64), k, at
	for k = uint8(j); k != join; {
		x := &nd[k]
		path[at] = k
		dv = min(dv, x.flow<<8|int64(^at))
		at++
		if k = uint8(x.parent); k == join {
			break
		}
		path[at] = k
		at++
		k = uint8(nd[k].parent)
	}

	// The subtree below the leaving arc turns over: first is its end of the
	// entering arc, last the end of the leaving one.
	delta, first, last, parent, sigma := du>>8, uint8(0), uint8(du), uint8(j), -rc
	if dv>>8 <= delta {
		delta, first, last, parent, sigma = dv>>8, half, ^uint8(dv), uint8(i), rc
	}
	s0, s1 := nd[path[last]].mask[0], nd[path[last]].mask[1]
	// Subtrees on the cycle gain what turns over or lose it. Along the path from i
	// rows' arcs to the parent lose delta and columns' gain it; from j it is
	// the reverse.
	d := -delta
	for l := uint8(0); l < at; l++ {
		if l == half {
			d = -delta
		}
		x := &nd[path[l]]
		x.mask[0] ^= s0
		x.mask[1] ^= s1
		x.flow += d
		d = -d
	}
	// In what turns over parents become children: arcs, and subtrees less what was
	// below, move on by one node.
	p0, p1, flow := s0, s1, delta
	for l := first; l <= last; l++ {
		k := path[l]
		x := &nd[k]
		p0, p1, flow, x.mask[0], x.mask[1], x.flow = x.mask[0], x.mask[1], x.flow, p0, p1, flow
		x.parent = int32(parent)
		parent = k
	}
	t.ordered = false
	vec.Shift(t.pi, s0, sigma)
	if s1 != 0 {
		vec.Shift(t.pi[64:], s1, sigma)
	}
}

// pivotWide is pivot for trees whose masks are in t.wide.
func (t *tree) pivotWide(i, j int, rc float64) {
	nd, wide, words := t.node, t.wide, t.words
	jw, jb := j>>6, uint64(1)<<(j&63)

	du, out := int64(math.MaxInt64), -1
	join := i
	for wide[join*words+jw]&jb == 0 {
		if f := nd[join].flow; f < du {
			du, out = f, join
		}
		join = int(nd[join].parent)
		if wide[join*words+jw]&jb != 0 {
			break
		}
		join = int(nd[join].parent)
	}
	dv, outV := int64(math.MaxInt64), -1
	for k := j; k != join; {
		if f := nd[k].flow; f <= dv {
			dv, outV = f, k
		}
		k = int(nd[k].parent)
		if k == join {
			break
		}
		k = int(nd[k].parent)
	}

	u, v, delta, sigma := i, j, du, -rc
	if dv <= du {
		u, v, out, delta, sigma = j, i, outV, dv, rc
	}
	// Only the words where the subtree has nodes are touched: none of the masks
	// below changes elsewhere.
	cut, at, count := t.cut, t.cutAt, 0
	for w, c := range t.mask(out) {
		if c != 0 {
			cut[count], at[count] = c, int32(w)
			count++
		}
	}
	cut, at = cut[:count], at[:count]
	prev := t.prev[:count]

	d := -delta
	for k := v; k != join; k = int(nd[k].parent) {
		mask := t.mask(k)
		for q, w := range at {
			mask[w] |= cut[q]
		}
		nd[k].flow += d
		d = -d
	}
	clear(prev)
	d = -delta
	flow, parent, k := delta, v, u
	for {
		x := &nd[k]
		f, up := x.flow+d, int(x.parent)
		x.flow, x.parent = flow, int32(parent)
		mask := t.mask(k)
		for q, w := range at {
			prev[q], mask[w] = mask[w], cut[q]&^prev[q]
		}
		d = -d
		flow, parent = f, k
		last := k == out
		k = up
		if last {
			break
		}
	}
	for ; k != join; k = int(nd[k].parent) {
		mask := t.mask(k)
		for q, w := range at {
			mask[w] &^= cut[q]
		}
		nd[k].flow += d
		d = -d
	}
	t.ordered = false
	for q, w := range at {
		vec.Shift(t.pi[w*64:], cut[q], sigma)
	}
}
