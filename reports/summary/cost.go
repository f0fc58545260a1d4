package summary

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"ogdl/internal/record"
	"ogdl/reports/paper"
)

// Processor is processor time, or the wall clock where it is not known.
func Processor(cpu, wall float64) float64 { return cmp.Or(max(cpu, 0), wall) }

// ProductCost returns the number of timed blocks of products and their processor seconds; known is
// false if a product has no timed block. A block that was timed on two machines counts once.
func (f *Frame) ProductCost(ids map[string]bool) (blocks int, cpu float64, known bool) {
	known = true
	for _, id := range slices.Sorted(maps.Keys(ids)) { // sums depend on the order
		all := f.blocks[id]
		slices.SortFunc(all, func(a, b record.BlockTiming) int {
			return cmp.Or(cmp.Compare(a.Block, b.Block), cmp.Compare(a.Seconds, b.Seconds), cmp.Compare(a.CPUSeconds, b.CPUSeconds))
		})
		all = slices.CompactFunc(slices.Clone(all), func(a, b record.BlockTiming) bool { return a.Block == b.Block })
		known = known && len(all) > 0
		for _, b := range all {
			blocks++
			cpu += Processor(b.CPUSeconds, b.Seconds)
		}
	}
	return blocks, cpu, known
}

// Cost is the processor time of the runs that ended well and, once each, of the products that they rest on; false where
// not all of it is known.
func (f *Frame) Cost(runs iter.Seq[Run]) (seconds float64, known bool) {
	products := map[string]bool{}
	known = true
	for r := range runs {
		if !r.OK() {
			continue
		}
		if known = known && r.Timing != nil; r.Timing != nil {
			seconds += Processor(r.Timing.CPUSeconds, r.Timing.Seconds)
		}
		for _, u := range r.Record.Products {
			products[u.ID] = true
		}
	}
	_, cpu, all := f.ProductCost(products)
	return seconds + cpu, known && all
}

// MeanCost is the mean cost of a configuration's runs that ended well, each with all products that it rests on; false where
// not all of it is known.
func (f *Frame) MeanCost(c *Config) (seconds float64, known bool) {
	var all []float64
	for _, r := range Pick(c.Runs, Run.OK) {
		s, ok := f.Cost(slices.Values([]Run{r}))
		if !ok {
			return 0, false
		}
		all = append(all, s)
	}
	return paper.StatOf(all).Mean, len(all) > 0
}
