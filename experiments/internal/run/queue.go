package run

import (
	"cmp"
	"ogdl/experiments/internal/spec"
	"slices"
	"sync"
)

// queue hands out cells to workers. Results do not depend on its order.
type queue struct {
	mu    sync.Mutex
	cells []*spec.Cell // those that are left
	// waits tells whether a cell would wait now for what others compute; nil where none does.
	waits func(*spec.Cell) bool
}

// next returns the next cell, nil if there is none. One that would wait is left for later while there are others.
func (q *queue) next() *spec.Cell {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.cells) == 0 {
		return nil
	}
	at := 0
	if q.waits != nil {
		at = max(0, slices.IndexFunc(q.cells, func(c *spec.Cell) bool { return !q.waits(c) }))
	}
	c := q.cells[at]
	if at == 0 {
		q.cells = q.cells[1:]
	} else {
		q.cells = slices.Delete(q.cells, at, at+1)
	}
	return c
}

// spread reorders neighbours that need one matrix of distances: first one cell of each
// kind that shares more than the matrix, then the next of each, and so on, so that
// workers do not stand in line for what one of them computes.
func spread(cells []*spec.Cell) {
	for from := 0; from < len(cells); {
		key, to := cells[from].Shared(), from+1
		for to < len(cells) && cells[to].Shared() == key {
			to++
		}
		if key != "" && cells[from].Method.Shares != nil {
			before, rank := map[string]int{}, map[*spec.Cell]int{}
			for _, c := range cells[from:to] {
				kind := c.Method.Shares(c.Params)
				rank[c] = before[kind]
				before[kind]++
			}
			slices.SortStableFunc(cells[from:to], func(a, b *spec.Cell) int { return cmp.Compare(rank[a], rank[b]) })
		}
		from = to
	}
}
