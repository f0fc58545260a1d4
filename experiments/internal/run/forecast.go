package run

import (
	"ogdl/experiments/internal/cost"
	"ogdl/experiments/internal/spec"
	"sync"
	"time"
)

// forecast estimates how long a run still takes: the burdens of what is left, by kinds of cells
// and of products, each corrected by what has run of it so far, in this run and before. Seconds are of the
// clock. Safe for concurrent use; a nil forecast knows nothing.
type forecast struct {
	workers int
	now     func() time.Time

	mu      sync.Mutex
	took    cost.Scales
	left    map[turn]float64      // by the model, cells that have not ended
	cells   int                   // those of them that do not run alone
	needs   map[string]*cost.Need // by label
	running map[*spec.Cell]time.Time
}

// turn tells cells of one kind apart that run side by side, and one after the other at the end.
type turn struct {
	spec.KindKey
	alone bool
}

// newForecast expects these cells on so many workers.
func newForecast(cells []cost.Burden, workers int) *forecast {
	f := &forecast{workers: workers, now: time.Now, left: map[turn]float64{}, needs: map[string]*cost.Need{}, running: map[*spec.Cell]time.Time{}}
	for _, b := range cells {
		f.expect(b.Cell, 1)
	}
	for n := range cost.Unmet(cells) {
		f.needs[n.Label()] = n
	}
	return f
}

// expect adds so many cells of that cost.
func (f *forecast) expect(c *spec.Cell, sign int) {
	f.left[turn{c.Kind(), c.Method.Alone}] += float64(float64(sign) * c.Cost())
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
	f.locked(func() { f.took.Add(c.Kind(), seconds, c.Cost()) })
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
			f.took.Add(n.Like(), seconds, n.Seconds/float64(blocks))
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

// remaining is the time that the run still takes; 0 if that is not known.
func (f *forecast) remaining() (left time.Duration) {
	f.locked(func() { left = f.estimate() })
	return left
}

// estimate is remaining for who holds the lock.
func (f *forecast) estimate() time.Duration {
	now := f.now()
	// A cell that takes longer than expected tells so before it ends.
	ratios := map[spec.KindKey]float64{}
	for c, since := range f.running {
		if len(c.Products()) == 0 { // else it waits for its product, whose blocks count
			ratios[c.Kind()] = max(ratios[c.Kind()], now.Sub(since).Seconds()/c.Cost())
		}
	}
	ratio := func(k spec.KindKey) float64 { return max(ratios[k], f.took.Lately(k)) }
	var sums [2]float64 // side by side, alone
	at := map[bool]int{true: 1}
	for t, model := range f.left {
		sums[at[t.alone]] += float64(max(0, model) * ratio(t.KindKey))
	}
	for _, n := range f.needs {
		sums[0] += float64(n.Missing * n.Seconds * ratio(n.Like()))
	}
	for c, since := range f.running {
		if len(c.Products()) == 0 {
			sums[at[c.Method.Alone]] -= min(now.Sub(since).Seconds(), 0.95*c.Cost()*ratio(c.Kind()))
		}
	}
	workers := max(1, min(f.workers, f.cells))
	return time.Duration(1e9 * (max(0, sums[0])/float64(workers) + max(0, sums[1])))
}
