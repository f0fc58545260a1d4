package paper

import (
	"math"

	"ogdl/reports/table"

	"gonum.org/v1/gonum/stat/distuv"
)

const (
	// confidence of the intervals.
	confidence = 0.95
	// paperRuns is how many runs stand behind a mean that the paper prints.
	paperRuns = 5
	// WidestReproduced is how wide the interval of a number that counts as reproduced may be: points of a
	// Rand Index in percent.
	WidestReproduced = 6
)

// Interval is the interval of a difference of two means, ours less the paper's.
type Interval struct {
	Diff, Low, High float64
	// Paper is the width that the paper's own spread would leave if our mean were known
	// exactly.
	Paper float64
	Known bool // it takes two runs of ours
}

func (i Interval) width() float64 { return i.High - i.Low }

// Welch is Welch's interval of the difference of our mean and the paper's at the level
// confidence: Student's t with the degrees of freedom of Welch and Satterthwaite. The paper's
// deviation is that of the population over paperRuns, as ours; both become those of the
// sample. It is the difference itself where neither varies.
func Welch(ours Stat, mean, std float64) Interval {
	out := Interval{Diff: ours.Mean - mean, Paper: 2 * halfWidth(0, 0, std)}
	if ours.N < 2 {
		return out
	}
	half := halfWidth(ours.Std, ours.N, std)
	out.Low, out.High, out.Known = out.Diff-half, out.Diff+half, true
	return out
}

// halfWidth is half the width of Welch's interval for our deviation over n runs and the paper's
// over paperRuns, both of the population; n = 0 is infinitely many.
func halfWidth(ours float64, n int, paper float64) float64 {
	// Squared errors of the means: std^2 n/(n-1) / n.
	p := float64(paper*paper) / (paperRuns - 1)
	o, freedom := 0.0, float64(p*p)/(paperRuns-1)
	if n > 1 {
		o = float64(ours*ours) / float64(n-1)
		freedom += float64(o*o) / float64(n-1)
	}
	if o+p == 0 {
		return 0
	}
	return studentT(float64((o+p)*(o+p))/freedom) * math.Sqrt(o+p)
}

// Student is Student's interval of our mean less a number that is printed without a
// deviation.
func Student(ours Stat, printed float64) Interval {
	out := Interval{Diff: ours.Mean - printed}
	if ours.N < 2 {
		return out
	}
	half := studentT(float64(ours.N-1)) * ours.Std / math.Sqrt(float64(ours.N-1)) // std sqrt(n/(n-1)) / sqrt(n)
	out.Low, out.High, out.Known = out.Diff-half, out.Diff+half, true
	return out
}

func studentT(freedom float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile((1 + confidence) / 2)
}

// Judge says how a number of ours stands beside the printed one. A difference of up to rounding counts
// as 0: it is for numbers that the paper prints without a deviation. most is the width up to
// which a number counts as reproduced.
func (i Interval) Judge(rounding, most float64) Outcome {
	const slack = 1e-9 // of subtractions: 0.3 apart is within 0.3
	switch {
	case !i.Known:
		return NoVerdict
	case i.Low > slack && i.Diff > rounding+slack:
		return Higher
	case i.High < -slack && i.Diff < -rounding-slack:
		return Lower
	case i.width() > most+slack:
		return NotSettled
	}
	return Reproduced
}

// Enough is the least number of repetitions whose interval, with this deviation of ours, would
// be no wider than most; 0 if not even manyRuns are enough.
func Enough(ours Stat, paper, most float64) int {
	for n := ours.N + 1; n <= ManyRuns; n++ {
		if 2*halfWidth(ours.Std, n, paper) <= most {
			return n
		}
	}
	return 0
}

// ManyRuns is more than anyone repeats.
const ManyRuns = 1000

// Stat is a mean with the standard deviation of the population, over n values.
type Stat struct {
	Mean, Std float64
	N         int
}

// StatOf adds in the order given, deviations from the mean in a second pass.
func StatOf(values []float64) Stat {
	if len(values) == 0 {
		return Stat{}
	}
	n := float64(len(values))
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	mean := sum / n
	squares := 0.0
	for _, v := range values {
		squares += float64((v - mean) * (v - mean))
	}
	return Stat{mean, math.Sqrt(squares / n), len(values)}
}

// Cell is "mean (std)" with a mark; missing without values.
func (s Stat) Cell(mark string) table.Cell {
	if s.N == 0 {
		return table.None()
	}
	c := table.MeanStd(s.Mean, s.Std)
	c.Mark = mark
	return c
}

// Rounded is the statistic as a cell with so many decimals.
func (s Stat) Rounded(n int) table.Cell {
	c := s.Cell("")
	c.Decimals = n
	return c
}

// Plain is the mean alone.
func (s Stat) Plain(decimals int) table.Cell {
	if s.N == 0 {
		return table.None()
	}
	return table.Num(s.Mean, decimals)
}
