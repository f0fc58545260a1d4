// Package run computes the missing cells of a configuration, then re-runs of the selected settings.
package run

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"
)

// grace is how long an interrupted run waits for its cells to notice. Solvers look at the context
// in every outer iteration; a cell that has not looked by then is left behind.
const grace = 1500 * time.Millisecond

// ErrFailfast ends a run at its first failure.
var ErrFailfast = errors.New("a cell failed (-failfast)")

// run computes the cells and returns when all are done or the context has ended.
// Results do not depend on the number of workers or the order of cells.
func (s *Run) run(ctx context.Context, cells []*spec.Cell) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s.stop, s.closed = stop, false
	s.Cache.Expect(cells)
	together, alone := order(cells)
	compute := func(cells []*spec.Cell, workers int) {
		q := &queue{cells: cells, waits: s.Cache.Waits}
		var running sync.WaitGroup
		for range min(workers, len(cells)) {
			running.Go(func() {
				for c := q.next(); c != nil && ctx.Err() == nil; c = q.next() {
					s.one(ctx, c)
				}
			})
		}
		running.Wait()
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		compute(together, s.Workers)
		compute(alone, 1)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		select {
		case <-done:
		case <-time.After(grace):
		}
	}
	s.storing.Lock()
	s.closed = true
	s.storing.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	return cmp.Or(s.broken, context.Cause(ctx))
}

// order returns the cells in the order of the queue, and separately the cells that run alone at the
// end. One cell of each kind comes first: then the forecast knows how long the others take. Then
// comes repetition 0 of every configuration, then 1, and so on, so that a run that is stopped has
// the widest table; within it large data sets first, then in the order of the grid, cells on one
// product together. These come with repetition 0 whatever their own: a matrix of distances takes
// longer than they do, and is in memory until the last of them is done.
func order(cells []*spec.Cell) (together, alone []*spec.Cell) {
	type turn struct {
		*spec.Cell
		shares              bool
		wave, graphs, group int // group: the place of the first cell on the product; of others their own
	}
	turns, groups := make([]turn, len(cells)), map[string]int{}
	for i, c := range cells {
		turns[i] = turn{c, false, c.Repetition, spec.Sizes[c.Dataset].Graphs, i}
		if key := c.Shared(); key != "" {
			if _, there := groups[key]; !there {
				groups[key] = i
			}
			turns[i].shares, turns[i].wave, turns[i].group = true, 0, groups[key]
		}
	}
	slices.SortStableFunc(turns, func(x, y turn) int {
		return cmp.Or(cmp.Compare(x.wave, y.wave), cmp.Compare(y.graphs, x.graphs), cmp.Compare(x.group, y.group),
			cmp.Compare(x.Repetition, y.Repetition))
	})
	var ahead []*spec.Cell
	seen := map[spec.KindKey]bool{}
	for _, x := range turns {
		switch kind := x.Kind(); {
		case x.Method.Alone:
			alone = append(alone, x.Cell)
		case !x.shares && !seen[kind]:
			seen[kind] = true
			ahead = append(ahead, x.Cell)
		default:
			together = append(together, x.Cell)
		}
	}
	return append(ahead, together...), alone
}

// queue hands out cells to workers. Results do not depend on its order.
type queue struct {
	mu    sync.Mutex
	cells []*spec.Cell          // those that are left
	waits func(*spec.Cell) bool // whether a cell would wait now for products that others compute
}

// next returns the next cell, nil if there is none. One that would wait is left for later while there are others.
func (q *queue) next() *spec.Cell {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.cells) == 0 {
		return nil
	}
	at := max(0, slices.IndexFunc(q.cells, func(c *spec.Cell) bool { return !q.waits(c) }))
	c := q.cells[at]
	if at == 0 {
		q.cells = q.cells[1:]
	} else {
		q.cells = slices.Delete(q.cells, at, at+1)
	}
	return c
}

// one computes and stores a cell. A store that rejects it ends the run.
func (s *Run) one(ctx context.Context, c *spec.Cell) {
	// The thread's CPU time is the cell's.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer s.Data.Release(c)
	defer s.Cache.Release(c)
	r, t, arrays := s.Compute(ctx, c)
	s.storing.RLock()
	defer s.storing.RUnlock()
	if s.closed {
		return
	}
	if err := s.Store.Put(r, t, arrays); err != nil {
		s.breaks(err)
		return
	}
	s.progress.finished(c, r, t.Seconds)
	s.Log.add(r, t)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Counts[r.Status]++
	switch r.Status {
	case record.Skipped:
		s.skipped[r.Reason]++
	case record.Failed, record.Timeout:
		s.Failed = append(s.Failed, r)
		if s.Failfast {
			s.stop(ErrFailfast)
		}
	}
}

// breaks ends the run with the error of its store.
func (s *Run) breaks(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = cmp.Or(s.broken, err)
	s.stop(err)
}
