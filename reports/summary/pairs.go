package summary

import (
	"fmt"

	"ogdl/internal/words"
	"ogdl/reports/paper"
)

// Pair is two rows of a data set over the splits that both have.
type Pair struct {
	A, B *Row
	// Scores are theirs on each of these splits, as shown: of A, of B.
	Scores [][2]float64
	// Of sums up the differences, A's less B's, and Interval is Student's for them, with the overlap of splits: the corrected resampled t.
	Of paper.Stat
	paper.Interval
	Higher, Lower int // splits in which A scores higher, lower than B
	// Near is set for rows of one method, or of one representation.
	Near bool
}

// Pairs compares the nested choices of the rows of every data set with each other, as far as they share splits of the same data.
func (f *Frame) Pairs() (out []Pair) {
	for i, a := range f.Rows {
		for _, b := range f.Rows[i+1:] {
			if a.Dataset != b.Dataset || a.Nested.Config == nil || b.Nested.Config == nil {
				continue
			}
			if p := pairOf(a, b); len(p.Scores) > 0 {
				out = append(out, p)
			}
		}
	}
	return out
}

// Text compares A with B.
func (p Pair) Text() string {
	m, n := p.A.Metric, len(p.Scores)
	text := fmt.Sprintf("%s: higher on %d of %s, equal on %d; %+.1f points on average", p.A.Method, p.Higher,
		words.Plural(n, m.Repetition, m.Repetitions()), n-p.Higher-p.Lower, p.Of.Mean)
	return text + words.If(p.Known, " (95 %%: %+.1f to %+.1f)", p.Low, p.High)
}

func pairOf(a, b *Row) Pair {
	p := Pair{A: a, B: b}
	var differences []float64
	splits := map[int]bool{} // the same ones under another base seed are no more of them
	for _, x := range a.Nested.Runs {
		for _, y := range b.Nested.Runs {
			v, ok := x.Score(a.Metric.Score)
			w, also := y.Score(b.Metric.Score)
			if !ok || !also || x.BaseSeed != y.BaseSeed || x.Repetition != y.Repetition || x.Record.Digest != y.Record.Digest ||
				Params(x.Params).At(paramFolds) != Params(y.Params).At(paramFolds) {
				continue
			}
			if v > w {
				p.Higher++
			} else if v < w {
				p.Lower++
			}
			splits[x.Repetition] = true
			p.Scores = append(p.Scores, [2]float64{a.Metric.Scale * v, a.Metric.Scale * w})
			differences = append(differences, a.Metric.Scale*(v-w))
		}
	}
	p.Of = paper.StatOf(differences)
	sample := p.Of
	sample.N = len(splits)
	p.Interval = a.Metric.Sampling(a.Dataset).Student(sample, 0)
	x, y := a.First(), b.First()
	p.Near = x.Method == y.Method || Represented(x) == Represented(y)
	return p
}
