// Package run computes the cells of a configuration that a store lacks, side by side, and then those that confirm what is chosen.
package run

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"time"

	"ogdl/experiments/internal/product"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"

	"golang.org/x/sync/errgroup"
)

// grace is how long an interrupted run waits for its cells to notice. Solvers
// look at the context in every outer iteration; a cell that has not looked by
// then is left behind.
const grace = 1500 * time.Millisecond

// ErrFailfast ends a run at its first failure.
var ErrFailfast = errors.New("a cell failed (-failfast)")

// run computes the cells and returns when all are done or the context has ended.
// Results do not depend on the number of workers or the order of cells.
func (s *Run) run(ctx context.Context, cells []*spec.Cell) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s.init()
	s.stop, s.closed = stop, false
	s.Cache.Expect(cells)
	together, alone := order(cells)
	s.queue = &queue{cells: together, waits: s.Cache.Waits}
	done := make(chan struct{})
	go func() {
		defer close(done)
		workers, together := errgroup.WithContext(ctx)
		for range min(s.Workers, max(1, len(cells))) {
			workers.Go(func() error {
				err := s.work(together)
				if err != nil {
					stop(err) // nobody is waited for longer than the grace
				}
				return err
			})
		}
		err := workers.Wait()
		for _, c := range alone {
			if err == nil && ctx.Err() == nil {
				err = s.one(ctx, c)
			}
		}
		if err != nil {
			stop(err)
		}
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
	if s.broken != nil {
		return s.broken
	}
	return context.Cause(ctx)
}

// order sorts the cells for the queue, and those apart that run alone when all others are done. One cell of each kind comes first: then the
// forecast knows how long the others take. Then comes wave by wave (see [spec.Cell.Wave]), large data sets first, then in the order of the grid,
// cells on one product together.
func order(cells []*spec.Cell) (together, alone []*spec.Cell) {
	type turn struct{ ahead, wave, graphs, group int } // group: the place of the first cell on the product; of others their own
	turns := make(map[*spec.Cell]turn, len(cells))
	groups := map[string]turn{}
	for i, c := range cells {
		t := turn{1, c.Wave(), spec.Sizes[c.Dataset].Graphs, i}
		if key := c.Shared(); key != "" {
			if first, there := groups[key]; there {
				t = first
			}
			groups[key] = t
		}
		turns[c] = t
	}
	cells = slices.Clone(cells)
	sort := func() {
		slices.SortStableFunc(cells, func(a, b *spec.Cell) int {
			x, y := turns[a], turns[b]
			return cmp.Or(cmp.Compare(x.ahead, y.ahead), cmp.Compare(x.wave, y.wave), cmp.Compare(y.graphs, x.graphs), cmp.Compare(x.group, y.group), cmp.Compare(a.Repetition, b.Repetition))
		})
	}
	sort()
	seen := map[spec.KindKey]bool{}
	for _, c := range cells {
		if t := turns[c]; c.Shared() == "" && !seen[c.Kind()] {
			seen[c.Kind()] = true
			t.ahead = 0
			turns[c] = t
		}
	}
	sort()
	spread(cells)
	together = slices.DeleteFunc(slices.Clone(cells), func(c *spec.Cell) bool { return c.Method.Alone })
	alone = slices.DeleteFunc(cells, func(c *spec.Cell) bool { return !c.Method.Alone })
	return together, alone
}

// work is one worker: it takes cells from the queue until none is left.
func (s *Run) work(ctx context.Context) error {
	for c := s.queue.next(); c != nil && ctx.Err() == nil; c = s.queue.next() {
		if err := s.one(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// one computes and stores a cell. Its error ends the run.
func (s *Run) one(ctx context.Context, c *spec.Cell) error {
	// The thread's CPU time is the cell's.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer s.Data.Release(c)
	defer s.Cache.Release(c)
	s.forecast.started(c)
	r, t, arrays := s.Compute(ctx, c)
	s.storing.RLock()
	defer s.storing.RUnlock()
	if s.closed {
		return nil
	}
	err := s.put(r, t, arrays)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.broken = cmp.Or(s.broken, err)
		return err
	}
	s.Counts[r.Status]++
	s.forecast.ended(c)
	if r.Status == record.OK {
		s.forecast.learn(c, t.Seconds)
	}
	if r.Status == record.Skipped {
		s.skipped[r.Reason]++
	}
	s.progress.finished(c, r)
	s.Log.add(r, t)
	if r.Status == record.Failed || r.Status == record.Timeout {
		s.Failed = append(s.Failed, r)
		if s.Failfast {
			return ErrFailfast
		}
	}
	return nil
}

// newCache is where the run computes what its cells share.
func (s *Run) newCache() *product.Cache {
	return &product.Cache{
		Store: s.Store, Where: s.Where,
		Show: func(label string, done, total int) {
			s.forecast.product(label, done, total)
			s.progress.product(label, done, total)
		},
		Spent: func(label string, seconds float64, blocks int) { s.forecast.computed(label, seconds, blocks) },
		Logf:  func(format string, args ...any) { s.progress.logf(format, args...) },
		Rejected: func(err error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.broken = cmp.Or(s.broken, err)
			s.stop(err)
		},
	}
}

// put stores a record. An interruption never takes the place of a result, nor
// does a cell that is skipped because its data are not there.
func (s *Run) put(r *record.Record, t *record.Timing, arrays []byte) error {
	if r.Status == record.Cancelled || r.Status == record.Skipped {
		if old, _, _ := s.Store.Head(r.ID); old != nil && old.Status == record.OK {
			return nil
		}
	}
	return s.Store.Put(r, t, arrays)
}
