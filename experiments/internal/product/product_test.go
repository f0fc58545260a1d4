package product

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ogdl/internal/disktest"
	"ogdl/internal/guard"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

// total is the sum of squares.
type total float64

// squares is a product whose block b is b^2, for tests of how it is shared.
type squares struct {
	calls [12]atomic.Int64
	// before runs at the start of every computation of a block.
	before func(ctx context.Context, b int) error
}

func (q *squares) recipe() *recipe[float64, total] {
	return &recipe[float64, total]{
		blocks: len(q.calls),
		compute: func(ctx context.Context, b int) (float64, error) {
			q.calls[b].Add(1)
			if q.before != nil {
				if err := q.before(ctx, b); err != nil {
					return 0, err
				}
			}
			return float64(b * b), nil
		},
		pack: func(x float64) []npz.Array { return []npz.Array{{Name: "x", Shape: []int{1}, Float: []float64{x}}} },
		unpack: func(b int, arrays []npz.Array) (float64, error) {
			a, err := npz.Find(arrays, "x")
			if err != nil {
				return 0, err
			}
			return a.Float[0], nil
		},
		finish: func(blocks []float64) (sum total, err error) {
			for b, x := range blocks {
				if x != float64(b*b) {
					return 0, fmt.Errorf("block %d is %v", b, x)
				}
				sum += total(x)
			}
			return sum, nil
		},
	}
}

const sumOfSquares = 506 // of 0..11

func (q *squares) total() (n int64) {
	for b := range q.calls {
		n += q.calls[b].Load()
	}
	return n
}

func (q *squares) shared(b *Cache) (*shared[float64, total], error) {
	return newShared(b, record.NewProduct("squares", map[string]any{"n": len(q.calls)}, len(q.calls)), "squares", q.recipe())
}

// start starts the product on a cache. A cache without a store gets a new one.
func start(t *testing.T, b *Cache, q *squares) *shared[float64, total] {
	t.Helper()
	if b.Store == nil {
		b.Store = openStore(t)
	}
	return must.Get(q.shared(b))
}

func openStore(t *testing.T) *record.Store {
	t.Helper()
	return must.Get(record.Open(t.TempDir()))
}

// TestProductIsComputedOnce: however many workers wait for a product, each block is
// computed once, by several of them.
func TestProductIsComputedOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		var together, most atomic.Int64
		q := &squares{before: func(context.Context, int) error {
			if n := together.Add(1); n > most.Load() {
				most.Store(n)
			}
			time.Sleep(5 * time.Millisecond)
			together.Add(-1)
			return nil
		}}
		var shown atomic.Int64
		s := start(t, &Cache{Show: func(_ string, done, total int) { shown.Add(1) }}, q)
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				if got, err := s.get(context.Background()); got != sumOfSquares || err != nil {
					t.Errorf("%v, %v", got, err)
				}
			})
		}
		wg.Wait()
		for b := range q.calls {
			must.Check(t, q.calls[b].Load(), 1, "%d workers: computations of block %d", workers, b)
		}
		if workers > 1 && most.Load() < 2 {
			t.Errorf("%d workers never worked side by side", workers)
		}
		must.Check(t, shown.Load(), 12, "shows of the progress")
	}
}

// TestProductGivesBlocksBack: a worker whose context ends leaves at once; the others
// compute its block, and a later one goes on where all have left.
func TestProductGivesBlocksBack(t *testing.T) {
	stuck := make(chan struct{})
	var first atomic.Bool
	q := &squares{}
	q.before = func(ctx context.Context, _ int) error {
		if first.CompareAndSwap(false, true) {
			close(stuck)
			<-ctx.Done()
			return fmt.Errorf("solving: %w", ctx.Err())
		}
		return nil
	}
	s := start(t, &Cache{}, q)
	ctx, cancel := context.WithCancel(context.Background())
	left := make(chan error)
	go func() { _, err := s.get(ctx); left <- err }()
	<-stuck
	done := make(chan total)
	go func() { got, _ := s.get(context.Background()); done <- got }()
	waiting, stop := context.WithCancel(context.Background())
	idle := make(chan error)
	go func() { _, err := s.get(waiting); idle <- err }()
	for q.total() < 12 { // all but the stuck block are computed
		time.Sleep(time.Millisecond)
	}
	if !s.taken() {
		t.Error("a block is left, and not taken")
	}
	stop()
	if err := <-idle; err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("a worker that waited: %v", err)
	}
	cancel()
	before := time.Now()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if got := <-done; got != sumOfSquares || time.Since(before) > time.Second {
		t.Errorf("%v after %s", got, time.Since(before))
	}
	if s.taken() {
		t.Error("taken after all is done")
	}
	must.Check(t, q.total(), 13, "blocks computed, the given-back one twice and the others once")
}

// TestProductFailsForAll: an error and a panic reach everybody who waits or comes later, and the product is not under way any more.
func TestProductFailsForAll(t *testing.T) {
	for name, before := range map[string]func(context.Context, int) error{
		"error": func(_ context.Context, b int) error {
			if b == 7 {
				return errors.New("no solution")
			}
			time.Sleep(time.Millisecond)
			return nil
		},
		"panic": func(_ context.Context, b int) error {
			var none []int
			if b == 7 {
				return fmt.Errorf("%d", none[b])
			}
			time.Sleep(time.Millisecond)
			return nil
		},
	} {
		under := map[string]bool{}
		s := start(t, &Cache{Show: func(label string, done, total int) { under[label] = done < total }}, &squares{before: before})
		var wg sync.WaitGroup
		failed := func() {
			_, err := s.get(context.Background())
			var p *guard.Panicked
			if err == nil || errors.As(err, &p) != (name == "panic") {
				t.Errorf("%s: %v", name, err)
			}
			if name == "panic" && !strings.Contains(p.Stack, "product_test.go") {
				t.Errorf("stack %s", p.Stack)
			}
			if name == "error" && !strings.Contains(err.Error(), "squares, block 7: no solution") {
				t.Error(err)
			}
		}
		for range 4 {
			wg.Go(failed)
		}
		wg.Wait()
		failed()
		if len(under) != 1 || under["squares"] {
			t.Errorf("%s: under way %v", name, under)
		}
	}
}

// TestProductIsKept: blocks are read where they are, computed where they are not or
// cannot be used, and taken where another process stores them meanwhile.
func TestProductIsKept(t *testing.T) {
	t.Parallel()
	store := openStore(t)
	where := record.Provenance{Revision: "abc"}
	var reported []string
	logf := func(format string, args ...any) { reported = append(reported, fmt.Sprintf(format, args...)) }
	get := func(q *squares) *Cache {
		t.Helper()
		b := &Cache{Store: store, Where: where, Logf: logf}
		if got, err := start(t, b, q).get(context.Background()); got != sumOfSquares || err != nil {
			t.Fatal(got, err)
		}
		return b
	}
	files := func() map[string]string {
		all := disktest.Folder(t, store.Dir())
		maps.DeleteFunc(all, func(path, _ string) bool { return strings.Contains(path, "timing") })
		return all
	}

	// A run that is cut off keeps its blocks.
	ctx, cancel := context.WithCancel(context.Background())
	cut := &squares{}
	cut.before = func(context.Context, int) error {
		if cut.total() == 5 {
			cancel()
		}
		return ctx.Err()
	}
	if _, err := start(t, &Cache{Store: store, Where: where}, cut).get(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	rest := &squares{}
	b := get(rest)
	for i := range rest.calls {
		if rest.calls[i].Load() == 1 && cut.calls[i].Load() == 1 && cut.total() != 5 {
			t.Errorf("block %d was computed again", i)
		}
	}
	if rest.total() != 8 || b.Computed != 8 || b.Read != 4 || !strings.Contains(b.Summary(), "8 blocks computed") {
		t.Errorf("%d computed, want those that were missing: %s", rest.total(), b.Summary())
	}
	whole := files()
	must.Equal(t, len(whole), 13, "files, a head and 12 blocks")
	again := &squares{}
	if get(again); again.total() != 0 {
		t.Errorf("%d blocks computed again", again.total())
	}

	// A block with another byte and a head cut off are reported and mended.
	damaged := 0
	for path, text := range whole {
		if strings.Contains(path, "00003-") {
			text = text[:len(text)-40] + "x" + text[len(text)-39:]
		} else if strings.HasSuffix(path, "head.json") {
			text = text[:20]
		} else {
			continue
		}
		damaged++
		must.Do(t, os.WriteFile(filepath.Join(store.Dir(), path), []byte(text), 0o666))
	}
	mend := &squares{}
	if get(mend); damaged != 2 || mend.total() != 1 || mend.calls[3].Load() != 1 {
		t.Errorf("%d blocks computed for %d damaged files", mend.total(), damaged)
	}
	slices.Sort(reported)
	if len(reported) != 2 || !strings.HasPrefix(reported[0], "squares: block 3 cannot be used") || !strings.HasPrefix(reported[1], "squares: its description cannot be used") {
		t.Errorf("reported %q", reported)
	}
	if got := files(); !maps.Equal(got, whole) {
		t.Errorf("%d files, or their bytes, differ from the %d before", len(got), len(whole))
	}
}

// TestProductThatIsRefused: a store that takes no blocks ends the run.
func TestProductThatIsRefused(t *testing.T) {
	dir := t.TempDir()
	store := must.Get(record.Open(dir))
	var rejected error
	b := &Cache{Store: store, Rejected: func(err error) { rejected = err }}
	q := &squares{before: func(context.Context, int) error {
		// The folder turns into a file.
		if err := os.RemoveAll(store.Dir()); err != nil {
			return err
		}
		return os.WriteFile(store.Dir(), nil, 0o666)
	}}
	if _, err := start(t, b, q).get(context.Background()); err == nil || rejected == nil || !strings.Contains(rejected.Error(), store.Dir()) {
		t.Errorf("error %v, rejected %v", err, rejected)
	}
	if _, err := q.shared(b); err == nil {
		t.Error("a head was stored in a file")
	}
}

// TestStopwatch: a pause does not run the timeout down, the rest does.
func TestStopwatch(t *testing.T) {
	runtime.LockOSThread() // as the scheduler does: CPU time is the thread's
	defer runtime.UnlockOSThread()
	ctx, w, stop := NewStopwatch(context.Background(), 150*time.Millisecond)
	defer stop()
	time.Sleep(10 * time.Millisecond)
	w.Pause(func() { time.Sleep(400 * time.Millisecond) })
	if ctx.Err() != nil {
		t.Fatal("the pause was counted")
	}
	if w.left > 140*time.Millisecond {
		t.Errorf("%v left of 150 ms: what ran before does not count", w.left)
	}
	if w.Seconds < 0.4 || w.CPUSeconds > 0.2 {
		t.Errorf("%v s paused, %v s of CPU", w.Seconds, w.CPUSeconds)
	}
	select {
	case <-ctx.Done():
	case <-time.After(5 * time.Second):
		t.Fatal("the timeout was lost")
	}
	if !errors.Is(context.Cause(ctx), ErrTimeout) {
		t.Error(context.Cause(ctx))
	}
	w.Pause(func() {}) // run down: nothing to start again
	ctx, w, stop = NewStopwatch(context.Background(), 0)
	w.Pause(func() {})
	stop()
	if ctx.Err() != nil {
		t.Error("no timeout, but the context ended")
	}
}
