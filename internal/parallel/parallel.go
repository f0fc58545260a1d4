// Package parallel spreads independent tasks over goroutines.
package parallel

import (
	"sync"
	"sync/atomic"
)

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
	var (
		wg     sync.WaitGroup
		next   atomic.Int64
		failed atomic.Bool
		mu     sync.Mutex
		first  = n
		err    error
	)
	for worker := range workers {
		wg.Go(func() {
			for !failed.Load() {
				k := int(next.Add(1)) - 1
				if k >= n {
					return
				}
				if e := f(worker, k); e != nil {
					failed.Store(true)
					mu.Lock()
					if k < first {
						first, err = k, e
					}
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	return err
}
