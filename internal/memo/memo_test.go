package memo

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ogdl/internal/guard"
	"ogdl/internal/test/must"
)

// TestMemo: a value is computed once for all who ask, and a panic is everybody's.
func TestMemo(t *testing.T) {
	var m Memo[string, int]
	var calls atomic.Int64
	release := make(chan struct{})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := m.Get(context.Background(), "a", func() (int, error) {
				calls.Add(1)
				<-release
				return 7, nil
			})
			if got != 7 || err != nil {
				t.Error(got, err)
			}
		})
	}
	for calls.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Get(ctx, "a", nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(release)
	wg.Wait()
	must.Check(t, calls.Load(), 1, "computations")
	for range 2 {
		_, err := m.Get(context.Background(), "b", func() (int, error) { calls.Add(1); panic("no") })
		var p *guard.Panicked
		if !errors.As(err, &p) {
			t.Error(err)
		}
	}
	must.Check(t, calls.Load(), 2, "computations")
}

// TestMemoGivenUp: a caller whose context ends leaves the work to another.
func TestMemoGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m Memo[string, int]
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			_, err := m.Get(ctx, "a", func() (int, error) {
				<-ctx.Done()
				return 0, fmt.Errorf("embedding: %w", ctx.Err())
			})
			if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}()
		synctest.Wait()
		calls := 0
		for range 3 {
			go func() {
				if got, err := m.Get(t.Context(), "a", func() (int, error) { calls++; return 7, nil }); got != 7 || err != nil {
					t.Error(got, err)
				}
			}()
		}
		synctest.Wait() // they wait for the first
		must.Check(t, calls, 0, "computations beside the first")
		cancel()
		synctest.Wait()
		must.Check(t, calls, 1, "computations after the first")
	})
}

// TestMemoFrees: a value is kept while somebody needs it, and no longer.
func TestMemoFrees(t *testing.T) {
	var m Memo[string, int]
	for range 8 {
		m.Expect("a")
	}
	must.Do(t, must.Err(m.Get(t.Context(), "a", func() (int, error) { return 7, nil })))
	for i := range 8 {
		must.Equal(t, m.Len(), 1, "freed after %d of 8", i)
		m.Release("a")
	}
	must.Check(t, m.Len()+len(m.left), 0, "kept after the last")
}
