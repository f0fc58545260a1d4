package reports

import (
	"fmt"
	"math"
	"math/rand/v2"

	"ogdl/internal/record"
)

const (
	// maxExactFlips is the number of differences up to which all 2^n sign flips are
	// tried; with more, sampledFlips are drawn.
	maxExactFlips = 20
	sampledFlips  = 100_000
)

// signFlip is the two-sided permutation test of paired differences: under the
// hypothesis that either sign of each is as likely, the probability of a sum as far from 0
// as theirs. With up to maxExactFlips differences it is exact, over all 2^n sign flips, and
// never below 2/2^n; with more it is estimated from sampledFlips draws of a
// fixed seed, as (hits + 1) / (draws + 1). It is 1 without differences. (Fisher 1935; Good,
// Permutation Tests, 2000.)
func signFlip(d []float64) float64 {
	observed, size := 0.0, 0.0
	for _, x := range d {
		observed += x
		size += math.Abs(x)
	}
	// Sums of other orders differ by rounding; equal ones count as being as far.
	reach := math.Abs(observed) - 1e-12*size
	hits := 0
	if n := len(d); n <= maxExactFlips {
		for mask := range 1 << n {
			if math.Abs(flipped(d, uint64(mask))) >= reach {
				hits++
			}
		}
		return float64(hits) / float64(int(1)<<n)
	}
	draw := rand.New(rand.NewPCG(1, uint64(len(d))))
	for range sampledFlips {
		sum, bits := 0.0, uint64(0)
		for i, x := range d {
			if i%64 == 0 {
				bits = draw.Uint64()
			}
			if bits&1 == 1 {
				x = -x
			}
			bits >>= 1
			sum += x
		}
		if math.Abs(sum) >= reach {
			hits++
		}
	}
	return float64(hits+1) / float64(sampledFlips+1)
}

func flipped(d []float64, mask uint64) float64 {
	sum := 0.0
	for i, x := range d {
		if mask>>i&1 == 1 {
			x = -x
		}
		sum += x
	}
	return sum
}

// paired are the differences in percent of the chosen configurations of two rows,
// a - b, over the seeds that both have on the same data.
func paired(a, b *summary) []float64 {
	if a.oracle == nil || b.oracle == nil {
		return nil
	}
	type draw struct {
		seed       int64
		repetition int
	}
	of := map[draw]run{}
	for _, r := range b.oracle.runs {
		if r.scored() {
			of[draw{r.BaseSeed, r.Repetition}] = r
		}
	}
	var d []float64
	for _, r := range a.oracle.runs {
		other, ok := of[draw{r.BaseSeed, r.Repetition}]
		if !ok || !r.scored() || other.rec.Digest != r.rec.Digest {
			continue
		}
		x, _ := r.score("ri")
		y, _ := other.score("ri")
		d = append(d, 100*(x-y))
	}
	return d
}

// PairedTable compares every two rows of a clustering table on each data set, and over
// all data sets, by the Rand Indices of paired seeds; false where no two have any. Its name
// is "clustering_paired" and so on.
func PairedTable(spec Spec, recs []record.Record) (Table, bool) {
	if spec.Table == TableRuntimes || spec.Table == TableDatasets || IsFigure(spec.Table) {
		return Table{}, false
	}
	k := kindOf(PaperNumbers(), spec.Table)
	t := Table{
		Name:  k.name + "_paired",
		Title: title(spec, k.title+": paired tests between methods"),
		Columns: []Column{
			{Name: "data set", Key: true}, {Name: "method", Key: true}, {Name: "against", Key: true},
			{Name: "pairs", Right: true}, {Name: "mean difference of RI, %", Right: true}, {Name: "higher in", Right: true},
			{Name: "p", Right: true}, {Name: "least p possible", Right: true},
		},
	}
	type pair struct{ a, b string }
	pooled := map[pair][]float64{}
	sets := map[pair]int{}
	var order []pair
	add := func(dataset string, p pair, d []float64) {
		higher := 0
		for _, x := range d {
			if x > 0 {
				higher++
			}
		}
		least := 1 / float64(sampledFlips+1)
		if len(d) <= maxExactFlips {
			least = min(1, 2/float64(int(1)<<len(d)))
		}
		t.Rows = append(t.Rows, []Cell{Txt(dataset), Txt(p.a), Txt(p.b), Int(len(d)), Diff(statOf(d).mean),
			count(higher, len(d)), Num(signFlip(d), 4), Num(least, -1)})
	}
	rows := summaries(k, spec, recs)
	for i, a := range rows {
		for _, b := range rows[i+1:] {
			if a.dataset != b.dataset {
				break // rows are ordered by data set
			}
			d := paired(a, b)
			if len(d) == 0 {
				continue
			}
			p := pair{a.method, b.method}
			if pooled[p] == nil {
				order = append(order, p)
			}
			pooled[p] = append(pooled[p], d...)
			sets[p]++
			add(a.dataset, p, d)
		}
	}
	if len(t.Rows) == 0 {
		return Table{}, false
	}
	for _, p := range order {
		if n := sets[p]; n > 1 {
			add(fmt.Sprintf("%d data sets together", n), p, pooled[p])
		}
	}
	t.Notes = append(t.Notes,
		"Seeds are paired: methods see the same draws. p: two-sided sign-flip permutation test of the differences of the "+
			"Rand Indices, exact over all 2^n flips of n pairs up to n = 20, above that from 100000 draws of a fixed seed. With n pairs no p is "+
			"below 2/2^n: five seeds resolve 0.0625, so none can fall below 0.05 on one data set.",
		"The configurations were chosen by the highest mean Rand Index, with the labels; a method with more of "+
			"them to choose from has the advantage. No correction for the number of tests is made. Over several data sets the "+
			"differences are taken together, each weighing the same.")
	return t, true
}
