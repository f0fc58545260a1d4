package run

import (
	"cmp"
	"context"
	"math/rand/v2"
	"ogdl/experiments/internal/spec"
	"slices"
	"sync"
	"time"
)

// queue hands out cells to workers. Results do not depend on its order.
type queue struct {
	mu       sync.Mutex
	cells    []*spec.Cell // those that are left
	seed     uint64
	shuffled bool
	offs     int // cells put off since one was taken up
	// waits tells whether a cell would wait now for what others compute; nil where none does.
	waits func(*spec.Cell) bool
}

func newQueue(cells []*spec.Cell, seed uint64) *queue {
	return &queue{cells: slices.Clone(cells), seed: seed}
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

// longestWait is between two looks at a cell that another process computes.
const longestWait = time.Second

// putOff puts a cell that another process computes behind all others, and waits a while: the
// longer the less else there was to do.
func (q *queue) putOff(ctx context.Context, c *spec.Cell) {
	q.shuffle()
	q.mu.Lock()
	q.cells = append(q.cells, c)
	q.offs++
	wait := time.Millisecond
	if q.offs > len(q.cells) { // nothing else is left
		wait = min(longestWait, time.Duration(q.offs)*5*time.Millisecond)
	}
	q.mu.Unlock()
	select {
	case <-ctx.Done():
	case <-time.After(wait):
	}
}

// taken says that a cell has been taken up.
func (q *queue) taken() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.offs = 0
}

// shuffle puts what is left of each wave into a random order, once. Neighbours that need one matrix of
// distances stay together, so that few matrices are in memory at a time.
func (q *queue) shuffle() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shuffled {
		return
	}
	q.shuffled = true
	rng := rand.New(rand.NewPCG(q.seed, 1))
	rank, of := map[string]float64{}, map[*spec.Cell][3]float64{}
	for _, c := range q.cells {
		own, key := rng.Float64(), c.Shared()
		if _, known := rank[key]; !known || key == "" {
			rank[key] = rng.Float64()
		}
		of[c] = [3]float64{float64(c.Wave()), rank[key], own}
	}
	slices.SortFunc(q.cells, func(a, b *spec.Cell) int {
		x, y := of[a], of[b]
		return slices.Compare(x[:], y[:])
	})
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
