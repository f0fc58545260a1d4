package ot

import (
	"math"

	"ogdl/internal/vec"
)

// pivot brings the arc from row i to column j (node numbers) with reduced cost
// rc into the basis.
func (t *tree) pivot(i, j int, rc float64) {
	set, down := vec.Turn(t.node, &t.path, i, j)
	if !down {
		rc = -rc
	}
	vec.ShiftSet(t.pi, set, rc)
	t.ordered = false
}

// pivotWide is pivot for trees whose masks are in t.wide. See vec.Turn.
func (t *tree) pivotWide(i, j int, rc float64) {
	nd, wide, words := t.node, t.wide, t.words
	jw, jb := j>>6, uint64(1)<<(j&63)

	du, out := int64(math.MaxInt64), -1
	join := i
	for wide[join*words+jw]&jb == 0 {
		if f := nd[join].Flow; f < du {
			du, out = f, join
		}
		join = int(nd[join].Parent)
		if wide[join*words+jw]&jb != 0 {
			break
		}
		join = int(nd[join].Parent)
	}
	dv, outV := int64(math.MaxInt64), -1
	for k := j; k != join; {
		if f := nd[k].Flow; f <= dv {
			dv, outV = f, k
		}
		k = int(nd[k].Parent)
		if k == join {
			break
		}
		k = int(nd[k].Parent)
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
	for k := v; k != join; k = int(nd[k].Parent) {
		mask := t.mask(k)
		for q, w := range at {
			mask[w] |= cut[q]
		}
		nd[k].Flow += d
		d = -d
	}
	clear(prev)
	d = -delta
	flow, parent, k := delta, v, u
	for {
		x := &nd[k]
		f, up := x.Flow+d, int(x.Parent)
		x.Flow, x.Parent = flow, int32(parent)
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
	for ; k != join; k = int(nd[k].Parent) {
		mask := t.mask(k)
		for q, w := range at {
			mask[w] &^= cut[q]
		}
		nd[k].Flow += d
		d = -d
	}
	t.ordered = false
	for q, w := range at {
		vec.Shift(t.pi[w*64:], cut[q], sigma)
	}
}
