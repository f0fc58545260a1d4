package vec

import "math"

// Node is a line of a transport problem in a spanning tree, as package ot has them: rows first, then
// columns.
type Node struct {
	Mask   [2]uint64 // its subtree, itself included, where there are up to 128 nodes
	Flow   int64     // on the arc to the parent, which points up from a row and down to a column
	Parent int32     // -1 at the root
}

// MaxNodes is how many nodes fit Node.Mask.
const MaxNodes = 128

// Masks of up to MaxWideNodes nodes have WideMask words.
const (
	MaxWideNodes = 256
	WideMask     = 4
)

// Path is room for the cycle of a pivot.
type Path [1 << 8]uint32

// Pivots goes on with a network simplex from row i until no row has a cost c_ij < v_j - pi_i - eps or most pivots are
// done, and stops before one whose cost is above scale in magnitude. It returns the row it is at, the number of rows without such a
// cost that it saw last, and the number of pivots. What enters is what Price finds, what leaves is Turn's.
//
// Rows of c have stride ld. pi holds the potentials of the rows, then the columns' potentials, and is padded to a multiple of 64; where
// cols goes beyond the columns there are, to pad rows of c, potentials are -Inf. nodes has a capacity of 256. wide is nil,
// or holds the masks of up to 256 nodes, WideMask words each; then there may be no kernel for them, and no
// pivot is made.
func Pivots(c []float64, ld, rows, cols int, pi []float64, nodes []Node, wide []uint64, path *Path, eps, scale float64, i, most int) (
	row, clean, done int) {
	if fast && cols%4 == 0 {
		c, pi := c[:(rows-1)*ld+cols], pi[:(rows+cols+7)&^7]
		switch {
		case wide != nil && rows+cols <= MaxWideNodes:
			wide = wide[:len(nodes)*WideMask]
			return widePivotsAVX2(&c[0], 8*ld, rows, cols, &pi[0], &nodes[0].Mask[0], &wide[0], &path[0], -eps, scale, i, most)
		case wide == nil && rows+cols <= MaxNodes && cols <= 64:
			return pivotsAVX2(&c[0], 8*ld, rows, cols, &pi[0], &nodes[0].Mask[0], &nodes[0].Mask[0], &path[0], -eps, scale, i, most)
		}
	}
	if wide != nil {
		return i, 0, 0
	}
	return pivots(c, ld, rows, cols, pi, nodes, path, eps, scale, i, most)
}

func pivots(c []float64, ld, rows, cols int, pi []float64, nodes []Node, path *Path, eps, scale float64, i, most int) (row, clean, done int) {
	u, v := pi[:rows], pi[rows:rows+cols]
	for clean < rows {
		var j int
		if fast {
			i, j, clean = Price(c, ld, v, u, eps, i, clean)
		} else if j = least(c[i*ld:i*ld+len(v)], v, -eps-u[i]); j < 0 {
			clean++
			if i++; i == rows {
				i = 0
			}
		}
		if j < 0 {
			continue
		}
		x := c[i*ld+j]
		if math.Abs(x) > scale || done == most {
			return i, 0, done
		}
		done++
		clean = 0
		rc := x - v[j] + u[i]
		set, down := Turn(nodes, path, i, rows+j)
		if !down {
			rc = -rc
		}
		ShiftSet(pi, set, rc)
		if i++; i == rows {
			i = 0
		}
	}
	return i, clean, done
}

// ShiftSet adds sigma to the entries of x in a set.
func ShiftSet(x []float64, set [2]uint64, sigma float64) {
	Shift(x, set[0], sigma)
	if set[1] != 0 {
		Shift(x[64:], set[1], sigma)
	}
}

// Turn brings the arc from row i to column j (node numbers) into the tree and returns the set of nodes that hang from it
// then, and whether they hang from i, by j.
//
// The arc closes a cycle: up from j to the join, the lowest common ancestor, and
// down to i. Sending flow along the arc takes it from the arcs of rows on i's
// side and of columns on j's. The leaving arc is the last that runs empty when
// the cycle is walked from the join in the arc's direction (Cunningham's rule).
// Rows and columns alternate along a path, so paths are walked two nodes a step.
func Turn(nodes []Node, path *Path, i, j int) (set [2]uint64, down bool) {
	nd := (*[1 << 8]Node)(nodes[:1<<8]) // so that indices of one byte need no check
	jw, jb := j>>6&1, uint64(1)<<(j&63)

	// From i up to the join: first smallest flow on rows.
	du := int64(math.MaxInt64)
	k, at := uint8(i), uint8(0)
	for {
		x := &nd[k]
		if x.Mask[jw]&jb != 0 {
			break
		}
		path[at] = uint32(k)
		du = min(du, x.Flow<<8|int64(at))
		at++
		k = uint8(x.Parent)
		x = &nd[k]
		if x.Mask[jw]&jb != 0 {
			break
		}
		path[at] = uint32(k)
		at++
		k = uint8(x.Parent)
	}
	// From j up to the join: last smallest flow on columns.
	dv, join, half := int64(math.MaxInt64), k, at
	for k = uint8(j); k != join; {
		x := &nd[k]
		path[at] = uint32(k)
		dv = min(dv, x.Flow<<8|int64(^at))
		at++
		if k = uint8(x.Parent); k == join {
			break
		}
		path[at] = uint32(k)
		at++
		k = uint8(nd[k].Parent)
	}

	// The subtree below the leaving arc turns over: first is its end of the
	// entering arc, last the end of the leaving one.
	delta, first, last, parent := du>>8, uint8(0), uint8(du), j
	if dv>>8 <= delta {
		delta, first, last, parent, down = dv>>8, half, ^uint8(dv), i, true
	}
	set = nd[uint8(path[last])].Mask
	// Subtrees on the cycle gain what turns over or lose it. Along the path from i
	// rows' arcs to the parent lose delta and columns' gain it; from j it is
	// the reverse.
	d := -delta
	for l := uint8(0); l < at; l++ {
		if l == half {
			d = -delta
		}
		x := &nd[uint8(path[l])]
		x.Mask[0] ^= set[0]
		x.Mask[1] ^= set[1]
		x.Flow += d
		d = -d
	}
	// In what turns over parents become children: arcs, and subtrees less what was
	// below, move on by one node.
	p0, p1, flow := set[0], set[1], delta
	for l := first; l <= last; l++ {
		k := uint8(path[l])
		x := &nd[k]
		p0, p1, flow, x.Mask[0], x.Mask[1], x.Flow = x.Mask[0], x.Mask[1], x.Flow, p0, p1, flow
		x.Parent = int32(parent)
		parent = int(k)
	}
	return set, down
}
