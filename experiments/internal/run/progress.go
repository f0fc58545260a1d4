package run

import (
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// progress shows how far a run is. finished is called by one goroutine at a time,
// product and logf by any number.
type progress interface {
	finished(c *spec.Cell, r *record.Record)
	// product says how many blocks of something that cells share are there; it is
	// over when done is total.
	product(label string, done, total int)
	// logf shows a line that must not be lost.
	logf(format string, args ...any)
	stop()
}

// lineEvery is the least time between two plain lines of progress.
const lineEvery = 10 * time.Second

// newProgress shows a live line where w is a terminal, plain lines elsewhere.
// before is the number of cells that were done already; f knows the time that is left, nil does not.
func newProgress(w io.Writer, before, pending int, f *forecast) progress {
	t := &tally{started: time.Now(), before: before, total: pending, forecast: f}
	if f, ok := w.(*os.File); ok {
		// A terminal of no width shows no bar.
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return newLive(w, t)
		}
	}
	return &plain{w: w, tally: t, last: t.started}
}

// tally counts, and says what it has counted.
type tally struct {
	started       time.Time
	before, total int
	forecast      *forecast

	mu                    sync.Mutex
	done, failed, skipped int
	products              []partial
	told                  map[string]bool // reasons of failures
}

// partial is a product under way.
type partial struct {
	label       string
	done, total int
}

// product takes note of a product's blocks until all are there.
func (t *tally) product(label string, done, total int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := slices.IndexFunc(t.products, func(p partial) bool { return p.label == label })
	switch {
	case at >= 0 && done == total:
		t.products = slices.Delete(t.products, at, at+1)
	case at >= 0:
		t.products[at].done = done
	case done < total:
		t.products = append(t.products, partial{label, done, total})
	}
}

func (t *tally) count(r *record.Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch r.Status {
	case record.OK:
		t.done++
	case record.Skipped:
		t.skipped++
	case record.Failed, record.Timeout:
		t.failed++
	}
}

// String is the line: cells done, failed and pending, rate and time left.
func (t *tally) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	ended := t.done + t.failed + t.skipped
	s := fmt.Sprintf("%d done, %d failed, %d pending", t.before+t.done, t.failed, t.total-ended)
	if t.skipped > 0 {
		s += fmt.Sprintf(", %d skipped", t.skipped)
	}
	passed := time.Since(t.started)
	if ended > 0 && passed > 0 {
		s += ", " + rateText(float64(ended)/passed.Seconds())
	}
	if left := t.forecast.remaining(); ended < t.total && left > 0 {
		s += fmt.Sprintf(", about %s left", max(left, time.Second).Round(time.Second))
	}
	for _, p := range t.products {
		s += fmt.Sprintf("; %s: %d/%d blocks", p.label, p.done, p.total)
	}
	return s
}

func rateText(perSecond float64) string {
	if perSecond >= 1 {
		return fmt.Sprintf("%.1f cells/s", perSecond)
	}
	return fmt.Sprintf("%.1f cells/min", 60*perSecond)
}

// trouble is the line about a cell that did not end well; "" for the others, and for a reason that
// has been told: one bad file fails all cells on it.
func (t *tally) trouble(c *spec.Cell, r *record.Record) string {
	if r.Status != record.Failed && r.Status != record.Timeout {
		return ""
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.told[r.Reason] {
		return ""
	}
	if t.told == nil {
		t.told = map[string]bool{}
	}
	t.told[r.Reason] = true
	return fmt.Sprintf("%s %s (%s): %s\n", r.Status, r.ID, c, r.Reason)
}

// plain writes lines, for logs: failures at once, the state now and then.
type plain struct {
	tally *tally

	mu   sync.Mutex
	w    io.Writer
	last time.Time
}

func (p *plain) finished(c *spec.Cell, r *record.Record) {
	p.tally.count(r)
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprint(p.w, p.tally.trouble(c, r))
	p.now()
}

func (p *plain) product(label string, done, total int) {
	p.tally.product(label, done, total)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now()
}

func (p *plain) logf(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.w, format+"\n", args...)
}

// now writes the state if it is time.
func (p *plain) now() {
	if time.Since(p.last) >= lineEvery {
		p.last = time.Now()
		fmt.Fprintln(p.w, p.tally)
	}
}

func (p *plain) stop() { p.logf("%s", p.tally) }

// live keeps one line up to date on a terminal.
type live struct {
	tally *tally
	bars  *mpb.Progress
	bar   *mpb.Bar
}

func newLive(w io.Writer, t *tally) *live {
	bars := mpb.New(mpb.WithOutput(w), mpb.WithWidth(24), mpb.WithRefreshRate(200*time.Millisecond))
	bar := bars.AddBar(int64(t.total), mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + t.String() })))
	return &live{tally: t, bars: bars, bar: bar}
}

func (l *live) finished(c *spec.Cell, r *record.Record) {
	l.tally.count(r)
	if s := l.tally.trouble(c, r); s != "" {
		// Above the bar; a terminal that is gone has nobody to tell.
		_, _ = l.bars.Write([]byte(s))
	}
	l.bar.Increment()
}

func (l *live) product(label string, done, total int) { l.tally.product(label, done, total) }

func (l *live) logf(format string, args ...any) { _, _ = fmt.Fprintf(l.bars, format+"\n", args...) }

func (l *live) stop() {
	if !l.bar.Completed() {
		l.bar.Abort(false)
	}
	l.bars.Wait()
}
