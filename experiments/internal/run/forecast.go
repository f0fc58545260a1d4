package run

import (
	"fmt"
	"time"

	"ogdl/experiments/internal/spec"
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

// newForecast returns a forecast for cells on a number of workers. there has the stored share of
// each product, by [spec.ProductText].
func newForecast(cells []*spec.Cell, there map[string]float64, workers int) *forecast {
	f := &forecast{workers: workers, took: Times{}, left: map[spec.KindKey]rest{}, needs: map[string]*Need{}}
	for _, c := range cells {
		x := f.left[c.Kind()]
		f.left[c.Kind()] = rest{x.work + c.Work(), x.cells + 1, c.Method.Alone}
	}
	for _, n := range Needs(cells, there) {
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
		f.took.Add(n.KindKey, seconds, 1/float64(blocks), 0)
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
		together += float64(rate * n.Missing)
	}
	side := together / float64(max(1, min(f.workers, cells)))
	return time.Duration(1e9 * (side + alone)), time.Duration(1e9 * (together + alone)), unknown
}

// without names the number of cells and products that a time omits; "" for none.
func without(unknown int) string {
	if unknown == 0 {
		return ""
	}
	return fmt.Sprintf(" without %d cells and products of kinds not measured yet", unknown)
}

// Wall returns the wall-clock seconds of cells on a number of workers, with products not in there.
func Wall(cells []*spec.Cell, there map[string]float64, times Times, workers int) float64 {
	f := newForecast(cells, there, workers)
	f.took = times
	left, _, _ := f.remaining()
	return left.Seconds()
}
