// Package parallel spreads independent tasks over goroutines.
package parallel

import (
	"cmp"
	"context"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Workers returns the number of goroutines that a caller asks for: n, and 1 for 0. A negative n is an error.
func Workers(n int) (int, error) {
	if n < 0 {
		return 0, fmt.Errorf("%d workers, expected a number >= 1, or 0 for one", n)
	}
	return max(n, 1), nil
}

// Each calls f(worker, k) once for every k in [0, n), on at most the given number
// of goroutines (below 2: on the caller's own), in rising order of k as workers
// come free. worker is in [0, workers) and no two calls with the same one run at
// once, so it may index workspaces.
//
// It returns when no call is running, with the error of the lowest k that has one.
// After an error no new k is begun; those below it have all been, so the error does not
// depend on the number of workers where f(worker, k) depends on k alone.
func Each(workers, n int, f func(worker, k int) error) error {
	if workers = min(workers, n); workers <= 1 {
		for k := range n {
			if err := f(0, k); err != nil {
				return err
			}
		}
		return nil
	}
	g, ctx := errgroup.WithContext(context.Background())
	var next atomic.Int64
	errs := make([]error, n)
	for worker := range workers {
		g.Go(func() error {
			for ctx.Err() == nil {
				k := int(next.Add(1)) - 1
				if k >= n {
					break
				}
				if errs[k] = f(worker, k); errs[k] != nil {
					return errs[k] // ends the context
				}
			}
			return nil
		})
	}
	_ = g.Wait() // the first in time, not of the lowest k
	return cmp.Or(errs...)
}
