package summary

import (
	"cmp"
	"maps"
	"slices"

	"ogdl/internal/record"
	"ogdl/reports/paper"
)

// Processor is processor time, or the wall clock where it is not known.
func Processor(cpu, wall float64) float64 {
	if cpu > 0 {
		return cpu
	}
	return wall
}

// ProductCost is the processor time of products, and of how many of their blocks it is; false where nothing is known of
// one of them. A block that was timed on two machines counts once.
func (f *Frame) ProductCost(ids map[string]bool) (blocks int, cpu float64, known bool) {
	known = true
	byProduct := map[string][]record.BlockTiming{}
	for _, b := range f.blocks {
		if ids[b.ID] {
			byProduct[b.ID] = append(byProduct[b.ID], b)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) { // sums depend on the order
		all := byProduct[id]
		slices.SortFunc(all, func(a, b record.BlockTiming) int {
			return cmp.Or(cmp.Compare(a.Block, b.Block), cmp.Compare(a.Seconds, b.Seconds), cmp.Compare(a.CPUSeconds, b.CPUSeconds))
		})
		all = slices.CompactFunc(all, func(a, b record.BlockTiming) bool { return a.Block == b.Block })
		known = known && len(all) > 0
		for _, b := range all {
			blocks++
			cpu += Processor(b.CPUSeconds, b.Seconds)
		}
	}
	return blocks, cpu, known
}

// Costs returns the function that gives the mean processor time of a configuration's scored cells, with the products that each of
// them rests on; false where that is not known of all.
func (f *Frame) Costs() func(*Config) (seconds float64, known bool) {
	products := map[string]float64{}
	for _, b := range f.blocks {
		if _, seen := products[b.ID]; !seen {
			_, products[b.ID], _ = f.ProductCost(map[string]bool{b.ID: true})
		}
	}
	return func(c *Config) (float64, bool) {
		var all []float64
		for _, r := range c.Runs {
			if !r.OK() {
				continue
			}
			if r.Timing == nil {
				return 0, false
			}
			s := Processor(r.Timing.CPUSeconds, r.Timing.Seconds)
			for _, u := range r.Record.Products {
				p, ok := products[u.ID]
				if !ok {
					return 0, false
				}
				s += p
			}
			all = append(all, s)
		}
		return paper.StatOf(all).Mean, len(all) > 0
	}
}

// RowCost is the processor time of a row's cells and, once each, of the products that they rest on; false where that is not known of all.
func (f *Frame) RowCost(l *Row) (seconds float64, known bool) {
	products := map[string]bool{}
	known = true
	for r := range l.All() {
		if r.OK() && r.Timing == nil {
			return 0, false
		}
		if !r.OK() {
			continue
		}
		seconds += Processor(r.Timing.CPUSeconds, r.Timing.Seconds)
		for _, u := range r.Record.Products {
			products[u.ID] = true
		}
	}
	if len(products) > 0 {
		var cpu float64
		_, cpu, known = f.ProductCost(products)
		seconds += cpu
	}
	return seconds, known && seconds > 0
}
