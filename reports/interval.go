package reports

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

const (
	// confidence of the intervals.
	confidence = 0.95
	// paperRuns is how many runs stand behind a mean that the paper prints.
	paperRuns = 5
	// widestReproduced is how wide the interval of a number that counts as reproduced may be: points of a
	// Rand Index in percent.
	widestReproduced = 6
)

// interval is the interval of a difference of two means, ours less the paper's.
type interval struct {
	diff, low, high float64
	// paper is the width that the paper's own spread would leave if our mean were known
	// exactly.
	paper float64
	known bool // it takes two runs of ours
}

func (i interval) width() float64 { return i.high - i.low }

// welch is Welch's interval of the difference of our mean and the paper's at the level
// confidence: Student's t with the degrees of freedom of Welch and Satterthwaite. The paper's
// deviation is that of the population over paperRuns, as ours; both become those of the
// sample. It is the difference itself where neither varies.
func welch(ours stat, mean, std float64) interval {
	out := interval{diff: ours.mean - mean, paper: 2 * halfWidth(0, 0, std)}
	if ours.n < 2 {
		return out
	}
	half := halfWidth(ours.std, ours.n, std)
	out.low, out.high, out.known = out.diff-half, out.diff+half, true
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

// student is Student's interval of our mean less a number that is printed without a
// deviation.
func student(ours stat, printed float64) interval {
	out := interval{diff: ours.mean - printed}
	if ours.n < 2 {
		return out
	}
	half := studentT(float64(ours.n-1)) * ours.std / math.Sqrt(float64(ours.n-1)) // std sqrt(n/(n-1)) / sqrt(n)
	out.low, out.high, out.known = out.diff-half, out.diff+half, true
	return out
}

func studentT(freedom float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile((1 + confidence) / 2)
}

// judge says how a number of ours stands beside the printed one. A difference of up to rounding counts
// as 0: it is for numbers that the paper prints without a deviation. most is the width up to
// which a number counts as reproduced.
func (i interval) judge(rounding, most float64) Outcome {
	const slack = 1e-9 // of subtractions: 0.3 apart is within 0.3
	switch {
	case !i.known:
		return NoVerdict
	case i.low > slack && i.diff > rounding+slack:
		return Higher
	case i.high < -slack && i.diff < -rounding-slack:
		return Lower
	case i.width() > most+slack:
		return NotSettled
	}
	return Reproduced
}

// enough is the least number of repetitions whose interval, with this deviation of ours, would
// be no wider than most; 0 if not even manyRuns are enough.
func enough(ours stat, paper, most float64) int {
	for n := ours.n + 1; n <= manyRuns; n++ {
		if 2*halfWidth(ours.std, n, paper) <= most {
			return n
		}
	}
	return 0
}

// manyRuns is more than anyone repeats.
const manyRuns = 1000

// stat is a mean with the standard deviation of the population, over n values.
type stat struct {
	mean, std float64
	n         int
}

// statOf adds in the order given, deviations from the mean in a second pass.
func statOf(values []float64) stat {
	if len(values) == 0 {
		return stat{}
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
	return stat{mean, math.Sqrt(squares / n), len(values)}
}

func (s stat) cell(mark string) Cell {
	if s.n == 0 {
		return None()
	}
	c := MeanStd(s.mean, s.std)
	c.Mark = mark
	return c
}

// decimals is the statistic as a cell with so many decimals.
func (s stat) decimals(n int) Cell {
	c := s.cell("")
	c.Decimals = n
	return c
}

// plain is the mean alone.
func (s stat) plain(decimals int) Cell {
	if s.n == 0 {
		return None()
	}
	return Num(s.mean, decimals)
}
