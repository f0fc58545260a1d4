package summary

import (
	"cmp"
	"math"
	"slices"

	"ogdl/eval"
	"ogdl/internal/record"
)

// folded holds the cluster sizes of a run and its agreement with earlier runs of the setting: all
// that tables need of its labels.
type folded struct {
	place int   // among the runs with labels that were folded together
	sizes []int // numbers of graphs in its clusters, from the largest on; empty clusters are left out
	// agree holds the adjusted Rand Index with each of the runs before it: NaN where they have other numbers of
	// graphs, [unknown] where a ledger has one of them and they were never compared, and nothing that counts where they saw other data.
	agree []float64
}

// unknown marks an agreement that the ledger does not have.
var unknown = math.Inf(1)

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
		labels := r.Record.Assignment
		f := &folded{place: i, sizes: sizesOf(labels), agree: make([]float64, i)}
		slices.SortFunc(f.sizes, func(a, b int) int { return cmp.Compare(b, a) })
		if len(labels) == 0 {
			f.sizes = r.Record.Kept.Sizes
		}
		for j, b := range with[:i] {
			others := b.Record.Assignment
			switch {
			case b.Record.Digest != r.Record.Digest:
			case len(labels) == 0 || len(others) == 0:
				f.agree[j] = keptAgreement(r.Record, b.Record)
			case len(others) != len(labels):
				f.agree[j] = math.NaN()
			default:
				f.agree[j] = record.ARI(eval.AdjustedRandIndex(labels, others))
			}
		}
		r.folded = f
	}
}

// clustered reports whether a run has a clustering, as labels or as a ledger keeps it.
func (r Run) clustered() bool {
	return r.OK() && (len(r.Record.Assignment) > 0 || r.Record.Kept != nil && len(r.Record.Kept.Sizes) > 0)
}

// keptAgreement is the agreement of two cells, one or both in a ledger.
func keptAgreement(a, b *record.Record) float64 {
	if v, known := a.Kept.With(b.ID); known {
		return v
	}
	if v, known := b.Kept.With(a.ID); known {
		return v
	}
	return unknown
}

// Keep returns the data that a ledger stores for each run instead of its labels; nil for a run
// without labels.
func Keep(runs []Run) []*record.Kept {
	with := Clustered(runs)
	out := make([]*record.Kept, len(runs))
	for i, r := range runs {
		if r.folded == nil {
			continue
		}
		out[i] = &record.Kept{Sizes: r.folded.sizes}
		for _, b := range with {
			if j := b.folded.place; j < r.folded.place && b.Record.Digest == r.Record.Digest {
				if v := r.folded.agree[j]; !math.IsNaN(v) && v != unknown {
					out[i].Agree = append(out[i].Agree, record.Agreement{ID: b.ID, Index: v})
				}
			}
		}
	}
	return out
}

// Graphs returns the number of graphs with a label.
func (r Run) Graphs() (n int) {
	if r.folded != nil {
		for _, size := range r.folded.sizes {
			n += size
		}
	}
	return n
}

// sizesOf counts the graphs of each cluster; clusters without any are left out.
func sizesOf(assignment record.Labels) []int {
	var sizes []int
	for _, k := range assignment {
		for int(k) >= len(sizes) {
			sizes = append(sizes, 0)
		}
		sizes[k]++
	}
	return slices.DeleteFunc(sizes, func(n int) bool { return n == 0 })
}

// Clustered are the runs that left a clustering.
func Clustered(runs []Run) []Run { return Pick(runs, func(r Run) bool { return r.folded != nil }) }

// LargestShare is the mean share of the graphs in a clustering's largest cluster.
func LargestShare(runs []Run) float64 {
	sum := 0.0
	for _, r := range runs {
		sum += float64(r.folded.sizes[0]) / float64(r.Graphs())
	}
	return sum / float64(len(runs)) // NaN without any
}

// meanSizes are the sizes of the clusters in descending order, mean over the clusterings; a
// clustering with fewer clusters has empty ones.
func meanSizes(runs []Run) []float64 {
	var mean []float64
	for _, r := range runs {
		for i, n := range r.folded.sizes {
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
// Pairs that need a ledger, and are not in it, are omitted.
func Stability(runs []Run) float64 {
	sum, pairs := 0.0, 0
	for i, a := range runs {
		for _, b := range runs[:i] {
			if v := a.folded.agree[b.folded.place]; a.Record.Digest == b.Record.Digest && v != unknown {
				sum += v
				pairs++
			}
		}
	}
	return sum / float64(pairs)
}
