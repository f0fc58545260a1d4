package run

import (
	"sync"
	"time"

	"ogdl/experiments/internal/spec"
)

// forecast estimates how long a run still takes, from what cells and products of each kind took, in this run and before. Seconds are
// of the clock. Safe for concurrent use; a nil forecast knows nothing.
type forecast struct {
	workers int
	now     func() time.Time

	mu      sync.Mutex
	took    Times
	left    map[turn]*rest   // of cells that have not ended
	cells   int              // cells that do not run alone
	needs   map[string]*Need // by label
	running map[*spec.Cell]time.Time
}

// turn tells cells of one kind apart that run side by side, and one after the other at the end.
type turn struct {
	spec.KindKey
	alone bool
}

type rest struct {
	work  float64
	cells int
}

// newForecast expects these cells on so many workers. there has the parts of products that the store holds.
func newForecast(cells []*spec.Cell, there map[string]float64, workers int) *forecast {
	f := &forecast{workers: workers, now: time.Now, took: Times{}, left: map[turn]*rest{}, needs: map[string]*Need{}, running: map[*spec.Cell]time.Time{}}
	for _, c := range cells {
		f.expect(c, 1)
	}
	for _, n := range Needs(cells, there) {
		f.needs[n.Label] = n
	}
	return f
}

// expect adds a cell, or with -1 takes it away.
func (f *forecast) expect(c *spec.Cell, sign int) {
	t := turn{c.Kind(), c.Method.Alone}
	if f.left[t] == nil {
		f.left[t] = &rest{}
	}
	f.left[t].work += float64(float64(sign) * c.Work())
	f.left[t].cells += sign
	if !c.Method.Alone {
		f.cells += sign
	}
}

// locked does something to a forecast that there is.
func (f *forecast) locked(do func()) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	do()
}

// learn takes note of what a cell took, in this run or earlier.
func (f *forecast) learn(c *spec.Cell, seconds float64) {
	f.locked(func() { f.took.Add(c.Kind(), seconds, c.Work()) })
}

// started says that a worker is at a cell, ended that the cell is over.
func (f *forecast) started(c *spec.Cell) { f.locked(func() { f.running[c] = f.now() }) }

func (f *forecast) ended(c *spec.Cell) {
	f.locked(func() {
		delete(f.running, c)
		f.expect(c, -1)
	})
}

// computed takes note of what a block of a product took.
func (f *forecast) computed(label string, seconds float64, blocks int) {
	f.locked(func() {
		if n := f.needs[label]; n != nil {
			f.took.Add(n.KindKey, seconds, 1/float64(blocks))
		}
	})
}

// product says how many blocks of a product are there.
func (f *forecast) product(label string, done, total int) {
	f.locked(func() {
		if n := f.needs[label]; n != nil {
			n.Missing = min(n.Missing, 1-float64(done)/float64(total))
		}
	})
}

// remaining returns the time that the run still takes, and how many cells and products that time omits because none of their kind has ended.
func (f *forecast) remaining() (left time.Duration, unknown int) {
	f.locked(func() { left, unknown = f.estimate() })
	return left, unknown
}

// estimate is remaining for who holds the lock.
func (f *forecast) estimate() (left time.Duration, unknown int) {
	now := f.now()
	// A cell that takes longer than expected tells so before it ends. One that needs products may wait for them.
	longest := map[spec.KindKey]float64{}
	for c, since := range f.running {
		if len(c.Products()) == 0 {
			longest[c.Kind()] = max(longest[c.Kind()], now.Sub(since).Seconds()/c.Work())
		}
	}
	rate := func(k spec.KindKey) (float64, bool) {
		r, known := f.took.Rate(k)
		return max(r, longest[k]), known
	}
	var sums [2]float64 // side by side, alone
	at := map[bool]int{true: 1}
	for t, x := range f.left {
		r, known := rate(t.KindKey)
		if !known {
			unknown += x.cells
			continue
		}
		sums[at[t.alone]] += float64(max(0, x.work) * r)
	}
	for _, n := range f.needs {
		r, known := rate(n.KindKey)
		if !known && n.Missing > 0 {
			unknown++
		}
		sums[0] += float64(n.Missing * r)
	}
	var last float64 // no number of workers makes a cell shorter
	for c, since := range f.running {
		if r, known := rate(c.Kind()); known && len(c.Products()) == 0 {
			whole := float64(c.Work() * r)
			over := min(now.Sub(since).Seconds(), 0.95*whole)
			sums[at[c.Method.Alone]] -= over
			last = max(last, whole-over)
		}
	}
	workers := max(1, min(f.workers, f.cells))
	return time.Duration(1e9 * (max(last, sums[0]/float64(workers)) + max(0, sums[1]))), unknown
}
