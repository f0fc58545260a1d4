package paper

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Paired is Student's interval of a mean of paired differences, of which are given the statistics, at that level of confidence. It takes
// two pairs; where the differences do not vary it is their mean.
func Paired(differences Stat, confidence float64) Interval {
	out := Interval{Diff: differences.Mean}
	if differences.N < 2 {
		return out
	}
	freedom := float64(differences.N - 1)
	half := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile((1+confidence)/2) * differences.Std / math.Sqrt(freedom)
	out.Low, out.High, out.Known = out.Diff-half, out.Diff+half, true
	return out
}
