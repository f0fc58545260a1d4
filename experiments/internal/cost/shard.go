package cost

import (
	"cmp"
	"container/heap"
	"fmt"
	"hash/fnv"
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

// Split returns the shard of every cell, of n. A cell's shard is a hash of its place, or of the products that it shares: so cells on one
// product stay together, and every machine agrees, whatever filter, data and store it has.
func Split(cells []*spec.Cell, n int) []int {
	out := make([]int, len(cells))
	for i, c := range cells {
		h := fnv.New64a()
		h.Write([]byte(cmp.Or(sharedAnywhere(c), c.Place)))
		out[i] = int(mixed(h.Sum64()) % uint64(max(1, n)))
	}
	return out
}

// mixed spreads the differences of similar texts over all bits.
func mixed(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	return x ^ x>>33
}

// sharedAnywhere returns the products that a cell shares, in a form without the digest and the path of a user's folder, which
// machines may not have.
func sharedAnywhere(c *spec.Cell) string {
	if c.Own == nil {
		return c.Shared()
	}
	x, own := *c, *c.Own
	own.Digest, own.Folder = "", own.Written
	x.Own = &own
	return x.Shared()
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
	for i, at := range Split(cells, s.Of) {
		if at == s.Index {
			out = append(out, cells[i])
		}
	}
	return out
}

// String is the form that -shard takes.
func (s Shard) String() string { return strconv.Itoa(s.Index) + "/" + strconv.Itoa(s.Of) }
