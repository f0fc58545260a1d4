package gdl

import (
	"context"
	"fmt"
	"math"

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
		for _, other := range known[h] {
			if identical(g, graphs[other]) {
				first[k] = other
				break
			}
		}
		if first[k] == k {
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
	for k := range x {
		if len(x[k]) != len(y[k]) {
			return false
		}
		for i, v := range x[k] {
			if math.Float64bits(v) != math.Float64bits(y[k][i]) {
				return false
			}
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
	l.plan(index)
	err := parallel.Each(len(l.workers), len(l.todo), func(worker, i int) error {
		k := l.todo[i]
		if err := l.workers[worker].unmix(ctx, graphs[index[k]], &l.unmix, gap, &l.slots[k]); err != nil {
			return fmt.Errorf("graph %d: %w", index[k], err)
		}
		return nil
	})
	if l.first != nil {
		for k, i := range index {
			if same := l.at[l.first[i]] - 1; same != k && err == nil {
				l.slots[k].copy(&l.slots[same])
			}
		}
		for _, i := range index {
			l.at[l.first[i]] = 0
		}
	}
	return err
}

// plan lists the places in a batch that are to be unmixed.
func (l *learner) plan(index []int) {
	l.todo = l.todo[:0]
	if l.first != nil && l.at == nil {
		l.at = make([]int, len(l.first))
	}
	for k, i := range index {
		if l.first == nil {
			l.todo = append(l.todo, k)
		} else if f := l.first[i]; l.at[f] == 0 {
			l.at[f] = k + 1
			l.todo = append(l.todo, k)
		}
	}
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
