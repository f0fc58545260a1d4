package product

import (
	"context"
	"errors"
	"time"

	"ogdl/internal/record"
	"ogdl/internal/usage"
)

// Stopwatch ends a context after a cell's timeout. It pauses while the cell waits for shared
// products or computes their blocks; otherwise the first user of a product would time out. It
// belongs to the goroutine of its cell.
type Stopwatch struct {
	timer   *time.Timer // nil: no timeout
	started time.Time   // of the stretch that runs
	left    time.Duration

	Seconds, CPUSeconds float64 // spent standing still

	Used []record.Used // products that the cell rests on
}

// watchKey is the key of the watch in the context of its cell.
type watchKey struct{}

// NewStopwatch returns a context that carries the watch, and ends with the cause [ErrTimeout] once timeout has
// run down; never for a timeout of 0. The returned function frees it.
func NewStopwatch(ctx context.Context, timeout time.Duration) (context.Context, *Stopwatch, func()) {
	w := &Stopwatch{}
	ctx = context.WithValue(ctx, watchKey{}, w)
	if timeout <= 0 {
		return ctx, w, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	w.left, w.started = timeout, time.Now()
	w.timer = time.AfterFunc(timeout, func() { cancel(ErrTimeout) })
	return ctx, w, func() {
		w.timer.Stop()
		cancel(nil)
	}
}

// ErrTimeout is the cause of a context whose cell has run out of time.
var ErrTimeout = errors.New("timeout")

// Pause runs f on the calling thread while the watch is stopped, and adds up f's time separately.
func (w *Stopwatch) Pause(f func()) {
	if w == nil {
		f()
		return
	}
	begun, cpu := time.Now(), usage.ThreadCPU()
	stopped := w.timer != nil && w.timer.Stop()
	if stopped {
		w.left -= begun.Sub(w.started)
	}
	defer func() {
		now := time.Now()
		w.Seconds += now.Sub(begun).Seconds()
		w.CPUSeconds += usage.ThreadCPU() - cpu
		if stopped {
			w.started = now
			w.timer.Reset(max(w.left, 0))
		}
	}()
	f()
}
