package parallel_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ogdl/internal/parallel"

	"pgregory.net/rapid"
)

// TestEach: every task once, none begun twice, no workspace in two hands, and the
// error of the lowest task that has one.
func TestEach(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(t, "n")
		count := rapid.IntRange(-1, 9).Draw(t, "workers")
		bad := rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "bad")
		if rapid.Bool().Draw(t, "all good") {
			clear(bad)
		}
		first := n
		for k := n - 1; k >= 0; k-- {
			if bad[k] {
				first = k
			}
		}
		calls, busy := make([]atomic.Int32, n), make([]atomic.Bool, max(count, 1))
		err := parallel.Each(count, n, func(worker, k int) error {
			if !busy[worker].CompareAndSwap(false, true) {
				return fmt.Errorf("worker %d has two tasks", worker)
			}
			defer busy[worker].Store(false)
			calls[k].Add(1)
			if bad[k] {
				return fmt.Errorf("task %d", k)
			}
			return nil
		})
		want := ""
		if first < n {
			want = fmt.Sprint("task ", first)
		}
		if got := fmt.Sprint(err); err != nil && got != want || err == nil && want != "" {
			t.Fatalf("error %v, want %q", err, want)
		}
		for k := range calls {
			got := calls[k].Load()
			if got > 1 || got == 0 && k <= first {
				t.Fatalf("task %d was run %d times, the first bad one is %d", k, got, first)
			}
			if count <= 1 && k > first && got != 0 {
				t.Fatalf("task %d was begun after the error of task %d", k, first)
			}
		}
	})
}

// TestNothingNewAfterAnError: the second worker finishes what it has and begins no
// more. In the bubble a sleep ends when all others are blocked or done.
func TestNothingNewAfterAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var begun atomic.Int32
		err := parallel.Each(2, 1000, func(_, k int) error {
			begun.Add(1)
			if k == 0 {
				return fmt.Errorf("task 0")
			}
			time.Sleep(time.Second)
			return nil
		})
		if err == nil || begun.Load() > 2 {
			t.Errorf("error %v after %d tasks", err, begun.Load())
		}
	})
}
