package summary

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"

	"ogdl/internal/artifact"
	"ogdl/internal/words"
	"ogdl/reports/paper"
)

// nested holds the settings that each split selects by its training part.
type nested struct {
	// Config holds the chosen cell of every split, or, where a split has none, one that did not end well; it has no parameters. nil:
	// nothing has run.
	*Config
	Of []*Config // the configuration of each of its runs; nil where none is chosen
}

// Chose counts the splits that chose a configuration.
func (n nested) Chose(c *Config) (splits int) {
	return len(Pick(n.Of, func(of *Config) bool { return of == c }))
}

// innerAccuracy returns the inner accuracy of a cell as a fraction. A cell without inner folds, whose epoch test labels chose, has 0/1,
// and is taken where it is the only setting. ok is false for a cell that cannot be selected.
func innerAccuracy(r *Run, only bool) (of *big.Rat, ok bool) {
	if !r.Has(artifact.InnerNumerator) && !r.Has(artifact.InnerDenominator) {
		return new(big.Rat), only && r.Has(artifact.Accuracy)
	}
	var parts [2]int64
	for i, name := range []string{artifact.InnerNumerator, artifact.InnerDenominator} {
		v, there := r.Score(name)
		if !there || v < 0 || v >= 1<<53 || v != math.Trunc(v) {
			return nil, false
		}
		parts[i] = int64(v)
	}
	if parts[1] == 0 {
		return nil, false
	}
	return big.NewRat(parts[0], parts[1]), r.Has(artifact.Accuracy)
}

// candidate is the best cell of a split so far.
type candidate struct {
	Run
	of    *Config // nil where none ended well yet
	inner *big.Rat
}

// nestedOf chooses a configuration for every split: the highest inner accuracy, compared as a fraction, since means in floating point of
// equal answers differ in the last bit. Ties go to the order of the grid. No choice sees a test label. (Which alpha a dictionary has, its
// cell has chosen by the objective.)
func nestedOf(configs []*Config) nested {
	best := map[[2]int64]candidate{}
	for _, c := range configs {
		for i := range c.Runs {
			r := &c.Runs[i]
			at := [2]int64{r.BaseSeed, int64(r.Repetition)}
			inner, ok := innerAccuracy(r, len(configs) == 1)
			switch b := best[at]; {
			case ok && (b.of == nil || cmp.Or(inner.Cmp(b.inner), cmp.Compare(b.Place, r.Place)) > 0):
				best[at] = candidate{*r, c, inner}
			case b.of == nil:
				best[at] = candidate{Run: Run{Expected: r.Expected}}
			}
		}
	}
	out := nested{Config: &Config{}}
	for _, b := range slices.SortedFunc(maps.Values(best), func(a, b candidate) int { return compareRuns(a.Run, b.Run) }) {
		out.Runs, out.Of = append(out.Runs, b.Run), append(out.Of, b.of)
	}
	if out.finish(); out.Done == 0 {
		return nested{}
	}
	return out
}

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
