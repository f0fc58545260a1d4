package gdl

import (
	"context"
	"crypto/sha256"
	"fmt"

	"ogdl/internal/parallel"
	"ogdl/ot/gw"
)

// firsts gives every graph the place of the first that equals it, bit for bit: structure,
// features and weights. Unmixings are functions of these, so equals need one. A nil graph
// equals no other. Cost O(n (n + d)) per graph.
func firsts(graphs []*gw.Space) []int {
	first, known := make([]int, len(graphs)), map[[sha256.Size]byte]int{}
	for k, g := range graphs {
		first[k] = k
		if g == nil {
			continue
		}
		digest := g.Digest()
		if at, there := known[digest]; there {
			first[k] = at
		} else {
			known[digest] = k
		}
	}
	return first
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
