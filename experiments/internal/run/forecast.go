package run

import (
	"time"

	"ogdl/experiments/internal/product"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/words"
)

// forecast estimates how long a run still takes, from the times of cells and products of each kind, in this run and before. Seconds are
// of the clock.
type forecast struct {
	workers int
	took    Times
	left    map[spec.KindKey]rest // cells that have not ended
	needs   map[string]*Need      // by label
}

// rest counts the cells of a kind that have not ended.
type rest struct {
	work  float64
	cells int
	alone bool // they run one after the other when all others are done
}

// newForecast returns a forecast for cells with their needs on a number of workers.
func newForecast(cells []*spec.Cell, needs []*Need, workers int) *forecast {
	f := &forecast{workers: workers, took: Times{}, left: map[spec.KindKey]rest{}, needs: map[string]*Need{}}
	for _, c := range cells {
		x := f.left[c.Kind()]
		f.left[c.Kind()] = rest{x.work + c.Work(), x.cells + 1, c.Method.Alone}
	}
	for _, n := range needs {
		f.needs[n.Label] = n
	}
	return f
}

// ended removes a finished cell. seconds is 0 if its time is unknown.
func (f *forecast) ended(c *spec.Cell, seconds float64) {
	f.took.Add(c.Kind(), seconds, c.Work(), 0)
	if x, there := f.left[c.Kind()]; there {
		f.left[c.Kind()] = rest{max(0, x.work-c.Work()), x.cells - 1, x.alone}
	}
}

// computed records the seconds of one block of a product.
func (f *forecast) computed(label string, seconds float64, blocks int) {
	if n := f.needs[label]; n != nil {
		f.took.Add(n.KindKey, seconds, n.Work/float64(blocks), 0)
	}
}

// product updates the number of finished blocks of a product.
func (f *forecast) product(label string, done, total int) {
	if n := f.needs[label]; n != nil {
		n.Missing = min(n.Missing, 1-float64(done)/float64(total))
	}
}

// remaining returns the time that the run still takes, and the time on one core. Both omit cells and products of kinds that were never
// measured, which unknown counts.
func (f *forecast) remaining() (left, work time.Duration, unknown int) {
	var together, alone float64
	cells := 0 // of those that run side by side
	for k, x := range f.left {
		rate, known := f.took.Rate(k)
		if !known {
			unknown += x.cells
		}
		if x.alone {
			alone += float64(rate * x.work)
		} else {
			together += float64(rate * x.work)
			cells += x.cells
		}
	}
	for _, n := range f.needs {
		rate, known := f.took.Rate(n.KindKey)
		if !known && n.Missing > 0 {
			unknown++
		}
		together += float64(rate * n.Missing * n.Work)
	}
	side := together / float64(max(1, min(f.workers, cells)))
	return time.Duration(1e9 * (side + alone)), time.Duration(1e9 * (together + alone)), unknown
}

// without names the number of cells and products that a time omits; "" for none.
func without(unknown int) string {
	return words.If(unknown != 0, " without %d cells and products of kinds not measured yet", unknown)
}

// Wall returns the wall-clock seconds of cells with their needs on a number of workers.
func Wall(cells []*spec.Cell, needs []*Need, times Times, workers int) float64 {
	f := newForecast(cells, needs, workers)
	f.took = times
	left, _, _ := f.remaining()
	return left.Seconds()
}

// Times holds the times of cells and products by kind: a method, or kind of product, on a data set.
type Times map[spec.KindKey]Took

// Took sums up the measurements of a kind.
type Took struct {
	N             int     // measurements of time
	Seconds, Work float64 // of these
	Files         int     // cells or products whose files have a size
	Bytes         float64 // of these
	Elsewhere     bool    // in other configurations
}

// Add takes note of the seconds for some work, and of the size of its files. 0 seconds and 0 bytes say nothing.
func (t Times) Add(k spec.KindKey, seconds, work, bytes float64) {
	x := t[k]
	if seconds > 0 {
		x.N++
		x.Seconds += seconds
		x.Work += work
	}
	if bytes > 0 {
		x.Files++
		x.Bytes += bytes
	}
	t[k] = x
}

// Rate returns the seconds for a unit of work. It is false where none of the kind was measured.
func (t Times) Rate(k spec.KindKey) (float64, bool) {
	x := t[k]
	if x.N == 0 {
		return 0, false
	}
	return x.Seconds / x.Work, true
}

// Of returns the seconds that a cell is expected to take, 0 where none of its kind was measured.
func (t Times) Of(c *spec.Cell) float64 {
	rate, _ := t.Rate(c.Kind())
	return float64(rate * c.Work())
}

// Need is a product that cells share and that is not whole yet.
type Need struct {
	spec.KindKey
	Label   string
	Missing float64 // the part that is not there
	Work    float64 // of the whole
}

// Needs lists the missing products of cells, each once. there has the parts of products that the store holds, by spec.ProductText.
// It takes seconds for large grids.
func Needs(cells []*spec.Cell, there map[string]float64) (out []*Need) {
	seen := map[string]bool{}
	for _, c := range cells {
		for _, p := range c.Products() {
			if key := p.Key(); !seen[key] {
				seen[key] = true
				if missing := 1 - there[spec.ProductText(c, p)]; missing > 0 {
					out = append(out, &Need{spec.KindKey{Method: p.Kind, Dataset: c.Dataset}, p.Label, missing, product.Work(p.Kind, p.Of.Params)})
				}
			}
		}
	}
	return out
}
