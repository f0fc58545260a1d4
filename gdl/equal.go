package gdl

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ogdl/internal/parallel"
	"ogdl/ot/gw"
)

// firsts gives every graph the place of the first that equals it, bit for bit: structure,
// features and weights. Unmixings are functions of these, so equals need one. A nil graph
// equals no other. Cost O(n (n + d)) per graph.
func firsts(graphs []*gw.Space) []int {
	first := make([]int, len(graphs))
	known := map[uint64][]int{}
	for k, g := range graphs {
		first[k] = k
		if g == nil {
			continue
		}
		h := digest(g)
		if at := slices.IndexFunc(known[h], func(other int) bool { return identical(g, graphs[other]) }); at >= 0 {
			first[k] = known[h][at]
		} else {
			known[h] = append(known[h], k)
		}
	}
	return first
}

// parts returns the numbers that make up a graph.
func parts(g *gw.Space) [3][]float64 {
	c, _ := g.C()
	return [3][]float64{c, g.A(), g.P()}
}

// digest returns a hash of a graph (FNV-1a over words).
func digest(g *gw.Space) uint64 {
	h := uint64(14695981039346656037)
	for _, part := range parts(g) {
		for _, x := range part {
			h = (h ^ math.Float64bits(x)) * 1099511628211
		}
	}
	return h ^ h>>32
}

func identical(a, b *gw.Space) bool {
	x, y := parts(a), parts(b)
	same := func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }
	for k := range x {
		if !slices.EqualFunc(x[k], y[k], same) {
			return false
		}
	}
	return a.N() == b.N() && a.D() == b.D()
}

// distinct returns the indices of graphs that equal no earlier graph.
func distinct(first []int) (todo []int) {
	for k, f := range first {
		if f == k {
			todo = append(todo, k)
		}
	}
	return todo
}

// embed fills the slots with the unmixed graphs at index. Workers do so in any
// order; everything that sums over slots takes them in their order.
func (l *learner) embed(ctx context.Context, graphs []*gw.Space, index []int, gap bool) error {
	first := func(i int) int {
		if l.first == nil {
			return i
		}
		return l.first[i]
	}
	l.todo = l.todo[:0]
	clear(l.at)
	for k, i := range index {
		if _, there := l.at[first(i)]; !there {
			l.at[first(i)] = k
			l.todo = append(l.todo, k)
		}
	}
	err := parallel.Each(len(l.workers), len(l.todo), func(worker, i int) error {
		k := l.todo[i]
		if err := l.workers[worker].unmix(ctx, graphs[index[k]], &l.unmix, gap, &l.slots[k]); err != nil {
			return fmt.Errorf("graph %d: %w", index[k], err)
		}
		return nil
	})
	for k, i := range index {
		if same := l.at[first(i)]; same != k && err == nil {
			l.slots[k].copy(&l.slots[same])
		}
	}
	return err
}

// copy copies the contribution of an equal graph.
func (k *slot) copy(from *slot) {
	k.e = from.e
	copy(k.w, from.w)
	copy(k.structure, from.structure)
	copy(k.features, from.features)
	copy(k.v, from.v)
	copy(k.potentials, from.potentials)
}
