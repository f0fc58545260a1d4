package main

import (
	"sync"
	"time"
)

// forecast estimates how long a run still takes: the model of costs (cost.go) over what is left, by kinds of cells
// and of matrices, each corrected by what has run of it so far, in this run and before. Seconds are of the
// clock. Safe for concurrent use; a nil forecast knows nothing.
type forecast struct {
	workers int
	now     func() time.Time

	mu       sync.Mutex
	kinds    map[kindKey]*course
	methods  map[string]*course
	all      course
	cells    map[kindKey]float64 // of the model, cells that have not ended
	alone    map[kindKey]float64 // likewise, cells that run one after the other at the end
	left     int                 // cells that do not run alone and have not ended
	matrices map[string]*ahead   // by label
	running  map[*cell]time.Time
}

// ahead is a matrix that cells of the run need.
type ahead struct {
	kind    kindKey
	model   float64
	missing float64 // part of it
}

// newForecast expects these cells on so many workers. there is the part of each matrix that the store holds,
// by productText.
func newForecast(cells []*cell, workers int, there map[string]float64) *forecast {
	f := &forecast{workers: workers, now: time.Now, cells: map[kindKey]float64{}, alone: map[kindKey]float64{},
		kinds: map[kindKey]*course{}, methods: map[string]*course{},
		matrices: map[string]*ahead{}, running: map[*cell]time.Time{}}
	for _, c := range cells {
		if c.method.alone {
			f.alone[c.kind()] += c.cost()
			continue
		}
		f.cells[c.kind()] += c.cost()
		f.left++
		for _, p := range c.products() {
			if label := p.Label(); f.matrices[label] == nil {
				kind := p.Kind()
				f.matrices[label] = &ahead{kindKey{kind.name, c.dataset}, kind.cost(p.Content(), c.size()), 1 - there[productText(c, p)]}
			}
		}
	}
	return f
}

// learn takes note of what a cell took, in this run or earlier.
func (f *forecast) learn(c *cell, seconds float64) {
	if f == nil || seconds <= 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.add(c.kind(), seconds, c.cost())
}

// started says that a worker is at a cell.
func (f *forecast) started(c *cell) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.running[c] = f.now()
}

// ended says that a cell is over.
func (f *forecast) ended(c *cell) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.running, c)
	if c.method.alone {
		f.alone[c.kind()] -= c.cost()
		return
	}
	f.cells[c.kind()] -= c.cost()
	f.left--
}

// computed takes note of what a block of a matrix took.
func (f *forecast) computed(label string, seconds float64, blocks int) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if m := f.matrices[label]; m != nil && seconds > 0 {
		f.add(m.kind, seconds, m.model/float64(blocks))
	}
}

// product says how many blocks of a matrix are there.
func (f *forecast) product(label string, done, total int) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if m := f.matrices[label]; m != nil {
		m.missing = min(m.missing, 1-float64(done)/float64(total))
	}
}

// remaining is the time that the run still takes; 0 if that is not known.
func (f *forecast) remaining() time.Duration {
	if f == nil {
		return 0
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	// A cell that takes longer than expected tells so before it ends.
	least := map[kindKey]float64{}
	for c, since := range f.running {
		if c.method.products == nil { // else it waits for its matrix, whose blocks count
			k := c.kind()
			least[k] = max(least[k], now.Sub(since).Seconds()/c.cost())
		}
	}
	ratio := func(k kindKey) float64 { return max(least[k], f.ratio(k)) }
	var together, alone float64
	for k, model := range f.cells {
		together += float64(max(0, model) * ratio(k))
	}
	for k, model := range f.alone {
		alone += float64(max(0, model) * ratio(k))
	}
	for _, m := range f.matrices {
		together += float64(m.missing * m.model * ratio(m.kind))
	}
	for c, since := range f.running {
		switch spent := min(now.Sub(since).Seconds(), 0.95*c.cost()*ratio(c.kind())); {
		case c.method.products != nil:
		case c.method.alone:
			alone -= spent
		default:
			together -= spent
		}
	}
	workers := max(1, min(f.workers, f.left))
	return time.Duration(1e9 * (max(0, together)/float64(workers) + max(0, alone)))
}

// course is how a model has fared of late: sums of what was measured and of what the model says, in which an earlier
// measurement counts a little less than a later one. Cells come in the order of their cost, so what has just run
// resembles what comes next.
type course struct{ actual, model, n float64 }

// fading is what a measurement counts in comparison with the next one of its kind.
const fading = 0.9

func (x *course) add(actual, model, fading float64) {
	x.actual, x.model, x.n = float64(fading*x.actual)+actual, float64(fading*x.model)+model, float64(fading*x.n)+1
}

// beside is total over total with one more measurement of the mean size and of that ratio.
func (x *course) beside(ratio float64) float64 {
	if x == nil || x.n == 0 {
		return ratio
	}
	return (x.actual + float64(x.model/x.n*ratio)) / (x.model + x.model/x.n)
}

// add takes note of a measurement. The caller holds the lock.
func (f *forecast) add(k kindKey, actual, model float64) {
	if f.kinds[k] == nil {
		f.kinds[k] = &course{}
	}
	if f.methods[k.method] == nil {
		f.methods[k.method] = &course{}
	}
	f.kinds[k].add(actual, model, fading)
	f.methods[k.method].add(actual, model, 1)
	f.all.add(actual, model, 1)
}

// ratio turns the model's estimate of a kind into an expectation: by what has been measured of the kind, beside as much as
// one measurement of its method, which stands beside one of all methods, and that beside the model.
func (f *forecast) ratio(k kindKey) float64 {
	return f.kinds[k].beside(f.methods[k.method].beside(f.all.beside(1)))
}
