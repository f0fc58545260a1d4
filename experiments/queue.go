package main

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"sync"
)

// queue hands out cells to workers. Results do not depend on its order.
type queue struct {
	mu       sync.Mutex
	cells    []*cell // those that are left
	seed     uint64
	shuffled bool
}

func newQueue(cells []*cell, seed uint64) *queue {
	return &queue{cells: slices.Clone(cells), seed: seed}
}

// next returns the next cell, nil if there is none.
func (q *queue) next() *cell {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.cells) == 0 {
		return nil
	}
	c := q.cells[0]
	q.cells = q.cells[1:]
	return c
}

// shuffle puts what is left into a random order, once. Neighbours that need one matrix of
// distances stay together, so that few matrices are in memory at a time.
func (q *queue) shuffle() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shuffled {
		return
	}
	q.shuffled = true
	rng := rand.New(rand.NewPCG(q.seed, 1))
	rank, of := map[string]float64{}, map[*cell][2]float64{}
	for _, c := range q.cells {
		own, key := rng.Float64(), c.distancesKey()
		if _, known := rank[key]; !known || key == "" {
			rank[key] = rng.Float64()
		}
		of[c] = [2]float64{rank[key], own}
	}
	slices.SortFunc(q.cells, func(a, b *cell) int {
		return cmp.Or(cmp.Compare(of[a][0], of[b][0]), cmp.Compare(of[a][1], of[b][1]))
	})
}

// spread reorders neighbours that need one matrix of distances: first one cell of each
// kind that shares more than the matrix, then the next of each, and so on, so that
// workers do not stand in line for what one of them computes.
func spread(cells []*cell) {
	for from := 0; from < len(cells); {
		key, to := cells[from].distancesKey(), from+1
		for to < len(cells) && cells[to].distancesKey() == key {
			to++
		}
		if key != "" && cells[from].method.shares != nil {
			before, rank := map[string]int{}, map[*cell]int{}
			for _, c := range cells[from:to] {
				kind := c.method.shares(c.params)
				rank[c] = before[kind]
				before[kind]++
			}
			slices.SortStableFunc(cells[from:to], func(a, b *cell) int { return cmp.Compare(rank[a], rank[b]) })
		}
		from = to
	}
}
