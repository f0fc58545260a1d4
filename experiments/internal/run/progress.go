package run

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"ogdl/internal/words"
)

// progress counts, and shows how far a run is: in a line below all others where it writes to a terminal, in plain lines
// now and then elsewhere. Safe for concurrent use.
type progress struct {
	started       time.Time
	before, total int // cells that were done already, and that are to be computed

	mu                    sync.Mutex // not held while anything is written: the bar asks for the line
	forecast              *forecast  // of the time that is left
	done, failed, skipped int
	products              []partial
	reported              map[string]bool // reasons of failures

	writing sync.Mutex
	w       io.Writer
	last    time.Time // of the plain lines
	bars    *mpb.Progress
	bar     *mpb.Bar // nil without a terminal
}

// lineEvery is the least time between two plain lines of progress.
const lineEvery = 10 * time.Second

// newProgress shows a run of pending cells, before which others were done already.
func newProgress(w io.Writer, before, pending int, f *forecast) *progress {
	now := time.Now()
	p := &progress{started: now, before: before, total: pending, forecast: f, reported: map[string]bool{}, w: w, last: now}
	if terminal, _ := words.Terminal(w); terminal != nil {
		p.addBar(terminal)
	}
	return p
}

// addBar shows a bar, and lines above it. Errors of the terminal are ignored.
func (p *progress) addBar(terminal io.Writer) {
	p.bars = mpb.New(mpb.WithOutput(terminal), mpb.WithWidth(24), mpb.WithRefreshRate(200*time.Millisecond))
	p.bar = p.bars.AddBar(int64(p.total), mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + p.String() })))
	p.w = words.Screen{W: p.bars}
}

// partial is a product under way.
type partial struct {
	label       string
	done, total int
}

// product shows the number of finished blocks of a product, which disappears with its last block.
func (p *progress) product(label string, done, total int) {
	p.mu.Lock()
	p.forecast.product(label, done, total)
	at := slices.IndexFunc(p.products, func(x partial) bool { return x.label == label })
	switch {
	case at >= 0 && done == total:
		p.products = slices.Delete(p.products, at, at+1)
	case at >= 0:
		p.products[at].done = done
	case done < total:
		p.products = append(p.products, partial{label, done, total})
	}
	p.mu.Unlock()
	p.show("", true)
}

// computed records the seconds of one block of a product.
func (p *progress) computed(label string, seconds float64, blocks int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forecast.computed(label, seconds, blocks)
}

// String is the line: cells done, failed and pending, rate and time left.
func (p *progress) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	ended := p.done + p.failed + p.skipped
	s := fmt.Sprintf("%d done, %d failed, %d pending", p.before+p.done, p.failed, p.total-ended) +
		words.If(p.skipped > 0, ", %d skipped", p.skipped)
	passed := time.Since(p.started)
	if ended > 0 && passed > 0 {
		if perSecond := float64(ended) / passed.Seconds(); perSecond >= 1 {
			s += fmt.Sprintf(", %.1f cells/s", perSecond)
		} else {
			s += fmt.Sprintf(", %.1f cells/min", 60*perSecond)
		}
	}
	if left, _, unknown := p.forecast.remaining(); ended < p.total && left > 0 {
		s += fmt.Sprintf(", about %s left%s", max(left, time.Second).Round(time.Second), without(unknown))
	}
	for _, x := range p.products {
		s += fmt.Sprintf("; %s: %d/%d blocks", x.label, x.done, x.total)
	}
	return s
}

// finished counts a cell and its time. It prints a failure, unless its reason was printed before:
// one bad file fails many cells.
func (p *progress) finished(c *spec.Cell, r *record.Record, seconds float64) {
	trouble, took := "", 0.0
	p.mu.Lock()
	switch r.Status {
	case record.OK:
		p.done++
		took = seconds
	case record.Skipped:
		p.skipped++
	case record.Failed, record.Timeout:
		p.failed++
		if !p.reported[r.Reason] {
			p.reported[r.Reason] = true
			trouble = fmt.Sprintf("%s %s (%s): %s\n", r.Status, r.ID, c, r.Reason)
		}
	}
	p.forecast.ended(c, took)
	p.mu.Unlock()
	p.show(trouble, true)
	if p.bar != nil {
		p.bar.Increment()
	}
}

// logf shows a line that must not be lost.
func (p *progress) logf(format string, args ...any) { p.show(fmt.Sprintf(format+"\n", args...), false) }

// show writes lines, and the state after them if it is time; a bar shows that by itself.
func (p *progress) show(lines string, state bool) {
	p.writing.Lock()
	defer p.writing.Unlock()
	if lines != "" {
		_, _ = io.WriteString(p.w, lines)
	}
	if state && p.bar == nil && time.Since(p.last) >= lineEvery {
		p.last = time.Now()
		fmt.Fprintln(p.w, p)
	}
}

// stop prints the final state.
func (p *progress) stop() {
	if p.bar == nil {
		p.logf("%s", p)
		return
	}
	if !p.bar.Completed() {
		p.bar.Abort(false)
	}
	p.bars.Wait()
}
