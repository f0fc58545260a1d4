package cost

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"ogdl/experiments/internal/spec"
)

// Scales compare what was measured with what was estimated, by kind of cells or of products.
type Scales struct {
	Half  float64 // the measured amount from which a kind has half a vote on others
	Kinds map[spec.KindKey]*scale
}

// scale holds the measurements of one kind.
type scale struct {
	total  course
	late   course // in which an earlier measurement counts a little less than a later one
	Ratios []float64
}

// course has the sums of what was measured and of what the model says.
type course struct{ actual, model, n float64 }

// fading is what a measurement counts in comparison with the next one of its kind.
const fading = 0.9

func (x *course) add(actual, model, n, fading float64) {
	x.actual, x.model, x.n = float64(fading*x.actual)+actual, float64(fading*x.model)+model, float64(fading*x.n)+n
}

func (x *course) ratio() float64 { return x.actual / x.model }

// beside is total over total with one more measurement of the mean size and of that ratio.
func (x *course) beside(ratio float64) float64 {
	if x.n == 0 {
		return ratio
	}
	return (x.actual + float64(x.model/x.n*ratio)) / (x.model + x.model/x.n)
}

// Add takes note of a measurement. One of nothing, as clocks tell it of tiny work, says nothing.
func (s *Scales) Add(k spec.KindKey, actual, model float64) {
	if !(actual > 0) {
		return
	}
	if s.Kinds == nil {
		s.Kinds = map[spec.KindKey]*scale{}
	}
	x := s.Kinds[k]
	if x == nil {
		x = &scale{}
		s.Kinds[k] = x
	}
	x.total.add(actual, model, 1, 1)
	x.late.add(actual, model, 1, fading)
	x.Ratios = append(x.Ratios, actual/model)
}

// Lately turns the model's estimate of a kind into an expectation within a run: by what has been measured of the kind of
// late, beside as much as one measurement of its method, which stands beside one of all methods, and that beside the model.
// Cells come in the order of their cost, so what has just run resembles what comes next.
func (s *Scales) Lately(k spec.KindKey) float64 {
	var late, method, all course
	for other, x := range s.Kinds {
		all.add(x.total.actual, x.total.model, x.total.n, 1)
		if other.Method == k.Method {
			method.add(x.total.actual, x.total.model, x.total.n, 1)
		}
		if other == k {
			late = x.late
		}
	}
	return late.beside(method.beside(all.beside(1)))
}

// Prefer takes the measurements of near in the place of those of the kinds that have enough there.
func (s *Scales) Prefer(near *Scales) {
	for k, x := range near.Kinds {
		if near.Speaks(k) {
			s.Kinds[k] = x
		}
	}
}

// Where the factor of an estimate comes from.
const (
	FromKind   = "kind"   // cells of the same method and data set
	FromMethod = "method" // of the same method, on other data
	FromOthers = "others" // of other methods
	FromNone   = "none"
)

// Basis is the factor that turns the model's estimate into an expectation, and what it
// rests on.
type Basis struct {
	Ratio float64
	From  string
	N     int // measurements
	// Low and high are the 10th and 90th percentiles of measured over expected, of the kind's own.
	Low, High float64
}

// Enough is the number of measurements that a calibration asks of a kind.
const Enough = 3

// Speaks reports whether a kind has enough measurements of its own.
func (s *Scales) Speaks(k spec.KindKey) bool {
	return s.Kinds[k] != nil && len(s.Kinds[k].Ratios) >= Enough
}

// Basis returns the factor of a kind for a plan. Within a kind it is total over total, which predicts totals without bias, from
// the first measurement on. For a kind without measurements the others of its method vote, beside one vote for the factor that
// all kinds come to beside one vote for the model as it is: the factor is the geometric mean. A kind that was measured
// for long has one vote, one that was hardly measured next to none.
func (s *Scales) Basis(k spec.KindKey) Basis {
	if x := s.Kinds[k]; x != nil {
		r := x.total.ratio()
		return Basis{r, FromKind, len(x.Ratios), quantile(x.Ratios, 0.1) / r, quantile(x.Ratios, 0.9) / r}
	}
	all, n := s.elect(0, func(spec.KindKey) bool { return true })
	if mean, n := s.elect(all, func(other spec.KindKey) bool { return other.Method == k.Method }); n > 0 {
		return Basis{Ratio: math.Exp(mean), From: FromMethod, N: n}
	}
	if n > 0 {
		return Basis{Ratio: math.Exp(all), From: FromOthers, N: n}
	}
	return Basis{Ratio: 1, From: FromNone}
}

// elect is the mean of the logarithms of some kinds' ratios, by their votes and one vote for what stands beside them, and how
// many measurements that rests on.
func (s *Scales) elect(beside float64, of func(spec.KindKey) bool) (mean float64, n int) {
	sum, votes := beside, 1.0
	for _, k := range slices.SortedFunc(maps.Keys(s.Kinds), compareKinds) { // sums depend on the order
		if x := s.Kinds[k]; of(k) {
			vote := x.total.actual / (x.total.actual + s.Half)
			sum += float64(vote * math.Log(x.total.ratio()))
			votes += vote
			n += len(x.Ratios)
		}
	}
	return sum / votes, n
}

func compareKinds(a, b spec.KindKey) int {
	return cmp.Or(cmp.Compare(a.Method, b.Method), cmp.Compare(a.Dataset, b.Dataset))
}

// quantile returns the q-quantile of the values, the nearest of them.
func quantile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(float64(q*float64(len(sorted)-1))+0.5)]
}

// Spread is measured over expected, where the kind itself was measured.
func (b *Basis) Spread() string {
	if b.From != FromKind {
		return "-"
	}
	return fmt.Sprintf("%.2f to %.2f", b.Low, b.High)
}
