package main

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// TestQueue: a run that is alone takes its cells in their order; shuffled, nothing is lost or
// comes twice, and cells on one matrix of distances stay together.
func TestQueue(t *testing.T) {
	t.Parallel()
	config := strings.Replace(tiny, "repetitions = 2", "repetitions = 9", 1)
	cells := mustParse(t, config+strings.TrimPrefix(sc, sc[:strings.Index(sc, "[[grid]]")])).cells()
	drain := func(q *queue) (out []*cell) {
		for c := q.next(); c != nil; c = q.next() {
			out = append(out, c)
		}
		return out
	}
	if got := drain(newQueue(cells, 1)); !slices.Equal(got, cells) {
		t.Error("another order without a reason")
	}
	orders := map[string]bool{}
	for seed := range uint64(5) {
		q := newQueue(cells, seed)
		first := q.next()
		q.shuffle()
		after := slices.Clone(q.cells)
		q.shuffle()
		if !slices.Equal(after, q.cells) {
			t.Error("shuffled twice")
		}
		got := append([]*cell{first}, drain(q)...)
		seen, order, switches := map[string]bool{}, "", 0
		for i, c := range got {
			seen[c.id] = true
			order += c.id
			if i > 0 && c.shared() != got[i-1].shared() {
				switches++
			}
		}
		if len(got) != len(cells) || len(seen) != len(cells) {
			t.Errorf("%d cells, %d different ones, want %d", len(got), len(seen), len(cells))
		}
		if switches > 2 {
			t.Errorf("the cells on one matrix are in %d pieces", switches)
		}
		orders[order] = true
	}
	if len(orders) != 5 {
		t.Errorf("%d orders of five seeds", len(orders))
	}
}

// TestPutOff: a cell that another process computes comes last, and nobody waits long for it
// while there is other work or when the run ends.
func TestPutOff(t *testing.T) {
	t.Parallel()
	cells := mustParse(t, tiny).cells()
	q := newQueue(cells, 1)
	first := q.next()
	q.putOff(context.Background(), first)
	for i := range cells {
		c := q.next()
		if (c == first) != (i == len(cells)-1) {
			t.Errorf("cell %d of %d: the one put off: %v", i, len(cells), c == first)
		}
		q.taken()
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for range 1000 {
		q.putOff(ctx, first)
		if q.next() != first {
			t.Fatal("lost")
		}
	}
}
