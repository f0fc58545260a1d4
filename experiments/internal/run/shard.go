package run

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"ogdl/experiments/internal/spec"
)

// Shard is one part of a configuration, for one of several machines; the zero value is the whole.
type Shard struct{ Index, Of int }

// MaxShards bounds -shard.
const MaxShards = 100_000

// ParseShard reads "i/n", 0 <= i < n.
func ParseShard(s string) (Shard, error) {
	bad := fmt.Errorf("must be i/n with 0 <= i < n <= %d, as in 0/4, 1/4, 2/4 and 3/4", MaxShards)
	first, second, found := strings.Cut(s, "/")
	i, errI := strconv.ParseUint(first, 10, 31)
	n, errN := strconv.ParseUint(second, 10, 31)
	if !found || errI != nil || errN != nil || i >= n || n > MaxShards {
		return Shard{}, bad
	}
	return Shard{int(i), int(n)}, nil
}

// ShardOf returns the shard of n that a cell belongs to, by a hash of its place in the grid. Cells that share a product are hashed by the
// product, since every shard with one of them computes it. Machines agree, whatever is done and whichever other cells there are.
func ShardOf(c *spec.Cell, n int) int {
	h := fnv.New64a()
	if c.Own != nil { // machines may not have the digest and the path of a user's folder
		anywhere, own := *c, *c.Own
		own.Digest, own.Folder = "", own.Written
		anywhere.Own = &own
		c = &anywhere
	}
	h.Write([]byte(cmp.Or(c.Shared(), c.Place)))
	x := h.Sum64() // differences of similar texts are spread over all bits
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	return int(x % uint64(max(1, n)))
}

// Pick returns the cells of the shard, in their order.
func (s Shard) Pick(cells []*spec.Cell) []*spec.Cell {
	if s.Of <= 1 {
		return cells
	}
	return slices.DeleteFunc(slices.Clone(cells), func(c *spec.Cell) bool { return ShardOf(c, s.Of) != s.Index })
}

// String is the form that -shard takes.
func (s Shard) String() string { return strconv.Itoa(s.Index) + "/" + strconv.Itoa(s.Of) }
