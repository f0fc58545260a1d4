package main

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// scales compare what was measured with what was estimated, by kind of cells or of products.
type scales struct {
	half  float64 // the measured amount from which a kind has half a vote on others
	kinds map[kindKey]*scale
}

// scale holds the measurements of one kind.
type scale struct {
	total  course
	late   course // in which an earlier measurement counts a little less than a later one
	ratios []float64
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

func (s *scales) add(k kindKey, actual, model float64) {
	if s.kinds == nil {
		s.kinds = map[kindKey]*scale{}
	}
	x := s.kinds[k]
	if x == nil {
		x = &scale{}
		s.kinds[k] = x
	}
	x.total.add(actual, model, 1, 1)
	x.late.add(actual, model, 1, fading)
	x.ratios = append(x.ratios, actual/model)
}

// lately turns the model's estimate of a kind into an expectation within a run: by what has been measured of the kind of
// late, beside as much as one measurement of its method, which stands beside one of all methods, and that beside the model.
// Cells come in the order of their cost, so what has just run resembles what comes next.
func (s *scales) lately(k kindKey) float64 {
	var late, method, all course
	for other, x := range s.kinds {
		all.add(x.total.actual, x.total.model, x.total.n, 1)
		if other.method == k.method {
			method.add(x.total.actual, x.total.model, x.total.n, 1)
		}
		if other == k {
			late = x.late
		}
	}
	return late.beside(method.beside(all.beside(1)))
}

// Where the factor of an estimate comes from.
const (
	fromKind   = "kind"   // cells of the same method and data set
	fromMethod = "method" // of the same method, on other data
	fromOthers = "others" // of other methods
	fromNone   = "none"
)

// basis is the factor that turns the model's estimate into an expectation, and what it
// rests on.
type basis struct {
	ratio float64
	from  string
	n     int // measurements
	// low and high are the 10th and 90th percentiles of measured over expected, of the kind's own.
	low, high float64
}

// enough is the number of measurements that a calibration asks of a kind.
const enough = 3

// speaks tells whether a kind has enough measurements of its own.
func (s *scales) speaks(k kindKey) bool { return s.kinds[k] != nil && len(s.kinds[k].ratios) >= enough }

// basis returns the factor of a kind for a plan. Within a kind it is total over total, which predicts totals without bias, from
// the first measurement on. For a kind without measurements the others of its method vote, beside one vote for the factor that
// all kinds come to beside one vote for the model as it is: the factor is the geometric mean. A kind that was measured
// for long has one vote, one that was hardly measured next to none.
func (s *scales) basis(k kindKey) basis {
	if x := s.kinds[k]; x != nil {
		r := x.total.ratio()
		return basis{r, fromKind, len(x.ratios), quantile(x.ratios, 0.1) / r, quantile(x.ratios, 0.9) / r}
	}
	all, n := s.elect(0, func(kindKey) bool { return true })
	if mean, n := s.elect(all, func(other kindKey) bool { return other.method == k.method }); n > 0 {
		return basis{ratio: math.Exp(mean), from: fromMethod, n: n}
	}
	if n > 0 {
		return basis{ratio: math.Exp(all), from: fromOthers, n: n}
	}
	return basis{ratio: 1, from: fromNone}
}

// elect is the mean of the logarithms of some kinds' ratios, by their votes and one vote for what stands beside them, and how
// many measurements that rests on.
func (s *scales) elect(beside float64, of func(kindKey) bool) (mean float64, n int) {
	sum, votes := beside, 1.0
	for _, k := range slices.SortedFunc(maps.Keys(s.kinds), compareKinds) { // sums hang on the order
		if x := s.kinds[k]; of(k) {
			vote := x.total.actual / (x.total.actual + s.half)
			sum += float64(vote * math.Log(x.total.ratio()))
			votes += vote
			n += len(x.ratios)
		}
	}
	return sum / votes, n
}

func compareKinds(a, b kindKey) int {
	return cmp.Or(cmp.Compare(a.method, b.method), cmp.Compare(a.dataset, b.dataset))
}

// quantile returns the q-quantile of the values, the nearest of them.
func quantile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(float64(q*float64(len(sorted)-1))+0.5)]
}
