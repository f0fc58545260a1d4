package cost

import (
	"cmp"
	"container/heap"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"ogdl/experiments/internal/spec"
)

// Shard is one part of a configuration, for one of several machines.
type Shard struct{ Index, Of int }

// MaxShards bounds -shard.
const MaxShards = 100_000

// ParseShard reads "i/n", 0 <= i < n; "" is the whole.
func ParseShard(s string) (Shard, error) {
	if s == "" {
		return Shard{0, 1}, nil
	}
	bad := fmt.Errorf("-shard %q: must be i/n with 0 <= i < n <= %d, as in 0/4, 1/4, 2/4 and 3/4", s, MaxShards)
	first, second, found := strings.Cut(s, "/")
	i, errI := strconv.ParseUint(first, 10, 31)
	n, errN := strconv.ParseUint(second, 10, 31)
	if !found || errI != nil || errN != nil || i >= n || n > MaxShards {
		return Shard{}, bad
	}
	return Shard{int(i), int(n)}, nil
}

// portion is what goes to one shard as a whole: a cell, or cells on one product.
type portion struct {
	wave  int   // of its cells
	cells []int // places in the list that is split
	cost  int64 // the product included
}

// Split says for every cell which of n shards it belongs to. That depends on the cells
// alone, in whatever order, not on what is done: machines that are given the same
// configuration and filter agree. Cells that confirm a choice are drawn by their id.
//
// Wave by wave portions go, the most expensive first, to the shard that has the least so far: the shards
// end a wave at about the same time, and together have the widest table whenever they are stopped. Cells
// that share a product stay together, since every shard that holds one of them has to
// compute it; only where their own costs exceed half of a shard's mean are they cut into
// pieces of that size, each of which is charged the product anew.
func Split(cells []Burden, n int) []int {
	out := make([]int, len(cells))
	if n <= 1 {
		return out
	}
	for i, b := range cells {
		if b.Cell.Confirm {
			out[i] = drawn(b.Cell.Place, n)
		}
	}
	all := portions(cells, n)
	slices.SortFunc(all, func(a, b portion) int {
		return cmp.Or(cmp.Compare(a.wave, b.wave), cmp.Compare(b.cost, a.cost),
			cmp.Compare(cells[a.cells[0]].Cell.Place, cells[b.cells[0]].Cell.Place))
	})
	shards := NewLoads(n)
	for _, p := range all {
		for _, i := range p.cells {
			out[i] = shards[0].index
		}
		shards.Add(p.cost)
	}
	return out
}

// drawn is the shard of a cell that confirms a choice. It depends on the cell alone: which others
// are known depends on the store.
func drawn(place string, n int) int {
	h := fnv.New64a()
	h.Write([]byte(place))
	return int(h.Sum64() % uint64(n))
}

// portions cuts the cells of the grid into what is not to be torn apart.
func portions(cells []Burden, n int) []portion {
	var out []portion
	var total int64
	groups := map[string][]int{}
	for i, b := range cells {
		if b.Cell.Confirm {
			continue
		}
		own := Microseconds(b.Seconds)
		total += own
		if b.Shared == "" {
			out = append(out, portion{b.Cell.Wave(), []int{i}, own})
			continue
		}
		if groups[b.Shared] == nil {
			total += Microseconds(b.Products())
		}
		groups[b.Shared] = append(groups[b.Shared], i)
	}
	piece := max(1, total/int64(2*n))
	for _, group := range groups {
		slices.SortFunc(group, func(a, b int) int { return cmp.Compare(cells[a].Cell.Place, cells[b].Cell.Place) })
		product := Microseconds(cells[group[0]].Products())
		p := portion{cost: product}
		for _, i := range group {
			own := Microseconds(cells[i].Seconds)
			if len(p.cells) > 0 && p.cost-product+own > piece {
				out = append(out, p)
				p = portion{cost: product}
			}
			p.cells = append(p.cells, i)
			p.cost += own
		}
		out = append(out, p)
	}
	return out
}

// loads is a heap of shards or cores, the one with the least cost first.
type loads []load

type load struct {
	index int
	Cost  int64
}

// NewLoads are n shards or cores that have nothing yet.
func NewLoads(n int) loads {
	l := make(loads, n)
	for i := range l {
		l[i].index = i
	}
	return l
}

func (l loads) Len() int      { return len(l) }
func (l loads) Swap(a, b int) { l[a], l[b] = l[b], l[a] }
func (l loads) Push(any)      {} // their number stays
func (l loads) Pop() any      { return nil }
func (l loads) Less(a, b int) bool {
	return cmp.Or(cmp.Compare(l[a].Cost, l[b].Cost), cmp.Compare(l[a].index, l[b].index)) < 0
}

// Add gives the first so much more and moves it to where it then belongs.
func (l loads) Add(cost int64) {
	l[0].Cost += cost
	heap.Fix(l, 0)
}

// Pick returns the cells of the shard, in their order.
func (s Shard) Pick(cells []*spec.Cell) []*spec.Cell {
	if s.Of <= 1 {
		return cells
	}
	var out []*spec.Cell
	for i, at := range Split(Burdens(cells, nil), s.Of) {
		if at == s.Index {
			out = append(out, cells[i])
		}
	}
	return out
}

// String is the form that -shard takes.
func (s Shard) String() string { return strconv.Itoa(s.Index) + "/" + strconv.Itoa(s.Of) }
