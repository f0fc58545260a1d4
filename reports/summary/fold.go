package summary

import (
	"cmp"
	"math"
	"slices"

	"ogdl/eval"
	"ogdl/internal/record"
)

// Fold computes cluster sizes and agreements of the runs of one setting; runs must hold all of
// them. The labels may be dropped afterwards: 80,000 cells have 100 MB. [NewFrame] folds runs that
// were not folded before.
func Fold(runs []Run) {
	var with []*Run
	for i := range runs {
		if r := &runs[i]; r.clustered() {
			with = append(with, r)
		}
	}
	slices.SortFunc(with, func(a, b *Run) int { return compareRuns(*a, *b) })
	for i, r := range with {
		r.folded = &record.Kept{Sizes: SizesOf(r.Record.Assignment)}
		if len(r.Record.Assignment) == 0 {
			r.folded.Sizes = r.Record.Kept.Sizes
		}
		for _, b := range with[:i] {
			if v, known := agreement(r.Record, b.Record); known {
				r.folded.Agree = append(r.folded.Agree, record.Agreement{ID: b.ID, Index: v})
			}
		}
	}
}

// clustered reports whether a run has a clustering, as labels or as a ledger keeps it.
func (r Run) clustered() bool {
	return r.OK() && (len(r.Record.Assignment) > 0 || r.Record.Kept != nil && len(r.Record.Kept.Sizes) > 0)
}

// agreement is the adjusted Rand Index of the clusterings of two cells. It is NaN where they have other numbers of graphs.
// It is not known where they saw other data, or where a ledger has one of them and they were never compared.
func agreement(a, b *record.Record) (index float64, known bool) {
	switch {
	case a.Digest != b.Digest:
		return 0, false
	case len(a.Assignment) == 0 || len(b.Assignment) == 0:
		if index, known = a.Kept.With(b.ID); known {
			return index, known
		}
		return b.Kept.With(a.ID)
	case len(a.Assignment) != len(b.Assignment):
		return math.NaN(), true
	}
	return record.ARI(eval.AdjustedRandIndex(a.Assignment, b.Assignment)), true
}

// Keep returns the data that a ledger stores for each run instead of its labels; nil for a run
// without labels.
func Keep(runs []Run) []*record.Kept {
	out := make([]*record.Kept, len(runs))
	for i, r := range runs {
		if r.folded != nil {
			out[i] = &record.Kept{Sizes: r.folded.Sizes,
				Agree: Pick(r.folded.Agree, func(a record.Agreement) bool { return !math.IsNaN(a.Index) })}
		}
	}
	return out
}

// Graphs returns the number of graphs with a label.
func (r Run) Graphs() (n int) {
	if r.folded != nil {
		for _, size := range r.folded.Sizes {
			n += size
		}
	}
	return n
}

// Sizes counts the graphs of each cluster, by its number.
func Sizes[T int | uint16](labels []T) (sizes []int) {
	for _, k := range labels {
		for int(k) >= len(sizes) {
			sizes = append(sizes, 0)
		}
		sizes[k]++
	}
	return sizes
}

// SizesOf counts the graphs of each cluster, from the largest on; clusters without any are left out.
func SizesOf[T int | uint16](labels []T) []int {
	sizes := Sizes(labels)
	slices.SortFunc(sizes, func(a, b int) int { return cmp.Compare(b, a) })
	return slices.DeleteFunc(sizes, func(n int) bool { return n == 0 })
}

// Clustered are the runs that left a clustering.
func Clustered(runs []Run) []Run { return Pick(runs, func(r Run) bool { return r.folded != nil }) }

// LargestShare is the mean share of the graphs in a clustering's largest cluster.
func LargestShare(runs []Run) float64 {
	sum := 0.0
	for _, r := range runs {
		sum += float64(r.folded.Sizes[0]) / float64(r.Graphs())
	}
	return sum / float64(len(runs)) // NaN without any
}

// meanSizes are the sizes of the clusters in descending order, mean over the clusterings; a
// clustering with fewer clusters has empty ones.
func meanSizes(runs []Run) []float64 {
	var mean []float64
	for _, r := range runs {
		for i, n := range r.folded.Sizes {
			if i == len(mean) {
				mean = append(mean, 0)
			}
			mean[i] += float64(n)
		}
	}
	for i := range mean {
		mean[i] /= float64(len(runs))
	}
	return mean
}

// Stability is the mean adjusted Rand Index over all pairs of clusterings of the same data (a
// simulated set is drawn anew for every base seed): 1 where every seed finds the same clusters,
// about 0 where they share nothing. It is NaN where there is no pair, or one of unequal length.
// Pairs that need a ledger, and are not in it, are unknown and omitted.
func Stability(runs []Run) (mean float64, unknown int) {
	sum, pairs := 0.0, 0
	for i, a := range runs {
		for _, b := range runs[:i] {
			if v, known := a.folded.With(b.ID); known {
				sum += v
				pairs++
			} else if a.Record.Digest == b.Record.Digest {
				unknown++
			}
		}
	}
	return sum / float64(pairs), unknown
}
