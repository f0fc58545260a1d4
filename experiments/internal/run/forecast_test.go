package run

import (
	"fmt"
	"math"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/protocol"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/test/must"
)

// played is a run of recorded cells on a simulated clock: the real order of cells, workers that compute blocks of a
// matrix together as cells wait for it, and the forecast that a run has.
type played struct {
	exptest.Recording
	forecast *forecast
	queue    *queue
	clock    float64
	work     float64 // seconds of all workers that are over
	looks    []look

	free    map[string][]float64 // blocks of a matrix that nobody has begun
	missing map[string]int       // blocks that are not there yet
	total   map[string]int
}

// look is what the forecast said.
type look struct {
	clock, work, left float64
	unknown           int // cells and products of kinds that were not measured yet
}

// playedWorker is what one worker is at until a time; busy with nothing, it waits for blocks of others.
type playedWorker struct {
	cell  *spec.Cell
	block string // label, while it computes a block
	until float64
	since float64
	waits bool
}

func (s *played) begin(w *playedWorker, seconds float64) {
	w.since, w.until, w.waits = s.clock, s.clock+seconds, false
}

// next gives a worker something to do; false if nothing is left.
func (s *played) next(w *playedWorker) bool {
	if w.cell == nil {
		if w.cell = s.queue.next(); w.cell == nil {
			return false
		}
	}
	w.block = ""
	label := ""
	for _, p := range w.cell.Products() {
		label = p.Label
	}
	switch {
	case label == "" || s.missing[label] == 0:
		s.begin(w, s.Cells[w.cell.String()])
	case len(s.free[label]) > 0:
		w.block = label
		s.begin(w, s.free[label][0])
		s.free[label] = s.free[label][1:]
	default:
		w.waits, w.until = true, math.Inf(1)
	}
	return true
}

// end is over what a worker was at.
func (s *played) end(w *playedWorker) {
	took := s.clock - w.since
	s.work += took
	if label := w.block; label != "" {
		s.missing[label]--
		s.forecast.computed(label, took, s.total[label])
		s.forecast.product(label, s.total[label]-s.missing[label], s.total[label])
		return
	}
	s.forecast.ended(w.cell, took)
	w.cell = nil
}

// play runs the cells; those that are done have run before.
func play(r exptest.Recording, done, pending []*spec.Cell, workers int) *played {
	s := &played{Recording: r, free: map[string][]float64{}, missing: map[string]int{}, total: map[string]int{}}
	there := map[string]float64{}
	whole := map[string]bool{}
	for _, c := range done {
		for _, p := range c.Products() {
			whole[p.Label] = true
			there[spec.ProductText(c, p)] = 1
		}
	}
	for label, blocks := range r.Blocks {
		if !whole[label] {
			s.free[label], s.missing[label] = blocks, len(blocks)
		}
		s.total[label] = len(blocks)
	}
	s.forecast = newForecast(pending, Needs(pending, there), workers)
	for _, c := range done {
		s.forecast.took.Add(c.Kind(), r.Cells[c.String()], c.Work(), 0)
	}
	together, _ := order(pending)
	s.queue = &queue{cells: together, waits: func(*spec.Cell) bool { return false }}
	all := make([]*playedWorker, workers)
	for i := range all {
		all[i] = &playedWorker{}
	}
	for {
		busy := all[:0:0]
		for _, w := range all {
			if w.until > s.clock && !w.waits || s.next(w) {
				busy = append(busy, w)
			}
		}
		if len(busy) == 0 {
			return s
		}
		running := 0.0
		first := math.Inf(1)
		for _, w := range busy {
			if !w.waits {
				running += s.clock - w.since
				first = min(first, w.until)
			}
		}
		left, _, unknown := s.forecast.remaining()
		s.looks = append(s.looks, look{s.clock, s.work + running, left.Seconds(), unknown})
		s.clock = first
		for _, w := range busy {
			if w.until == first {
				s.end(w)
			}
		}
	}
}

// TestForecast: with the times of real cells and matrices on a simulated clock, the time that is said to be left is within a factor of 2 of
// what comes once a tenth of the work is done and all kinds are measured, and of 1.3 from the half on, or to a second and a half: the
// line counts whole seconds, and nothing can tell when the very last cell ends.
func TestForecast(t *testing.T) {
	for _, c := range []struct {
		name   string
		resume int // of so many cells, one was done before; 0: none
	}{{"rivals", 0}, {"rivals", 3}, {"clustering-quick", 0}, {"clustering-quick", 5}, {"clustering-quick", 2}} {
		for _, workers := range []int{1, 2} {
			t.Run(fmt.Sprintf("%s, 1 of %d done, %d workers", c.name, c.resume, workers), func(t *testing.T) {
				r := exptest.Recorded(t, c.name)
				var done, pending []*spec.Cell
				for i, x := range r.Of(t, c.name) {
					if c.resume > 0 && i%c.resume == 0 {
						done = append(done, x)
					} else {
						pending = append(pending, x)
					}
				}
				s := play(r, done, pending, workers)
				worst := [2]float64{1, 1}
				judged := 0
				for _, l := range s.looks {
					part, left := l.work/s.work, s.clock-l.clock
					if part < 0.1 || l.unknown > 0 {
						continue
					}
					judged++
					half, limit := 0, 2.0
					if part >= 0.5 {
						half, limit = 1, 1.3
					}
					factor := max(l.left/left, left/l.left)
					if math.Abs(l.left-left) <= 1.5 {
						factor = 1
					}
					worst[half] = max(worst[half], factor)
					if factor > limit {
						t.Errorf("after %.0f %% of the work %.1f s are said to be left, %.1f s are", 100*part, l.left, left)
					}
				}
				if judged == 0 {
					t.Error("some kinds are not measured until the end")
				}
				t.Logf("%d cells in %.0f s: within %.2f from a tenth on, %.2f from the half on", len(pending), s.clock, worst[0], worst[1])
			})
		}
	}
}

// TestWall: cells and blocks of products share the cores. Cells that measure time run alone.
func TestWall(t *testing.T) {
	plain := &spec.Cell{Method: &spec.Method{Name: "a"}}
	long, alone := &spec.Cell{Method: &spec.Method{Name: "b"}}, &spec.Cell{Method: &spec.Method{Name: "c", Alone: true}}
	times := Times{}
	for c, seconds := range map[*spec.Cell]float64{plain: 3, long: 6, alone: 10} {
		times.Add(c.Kind(), seconds, 1, 0)
	}
	for n, want := range map[int]float64{1: 12 + 10, 2: 6 + 10, 100: 4 + 10} {
		must.Check(t, Wall([]*spec.Cell{plain, plain, long, alone}, nil, times, n), want, "%d cores: s", n)
	}
}

// TestStoredProductsAreNotExpected: a run finds the products of simulated sets in the store.
func TestStoredProductsAreNotExpected(t *testing.T) {
	config := "table = \"clustering\"\nrepetitions = 2\n" + exptest.D1("method = \"SC\"\ngamma = 1\n")
	computed, store := exptest.Compute(t, t.TempDir(), config)
	cells := exptest.Parse(t, config).Cells()
	r := &Run{Env: protocol.Env{Store: store}, Options: Options{Workers: 1}}
	for _, known := range []Known{{}, {products: computed[0].Products}} {
		f := must.Get(r.expected(t.Context(), cells, cells[1:], []Known{known, {}}))
		if stored := known.products != nil; (len(f.needs) == 0) != stored {
			t.Errorf("a cell uses the product: %v, and %d products are missing", stored, len(f.needs))
		}
	}
}
