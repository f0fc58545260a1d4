package paper

import (
	"fmt"
	"math"
	"strings"

	"ogdl/internal/words"
	"ogdl/reports/table"

	"gonum.org/v1/gonum/stat/distuv"
)

// Outcome is the result of the comparison of a number of ours with the paper's.
type Outcome string

// The outcomes of a comparison with a printed number.
const (
	// Agrees: the 95 % interval of the difference of means contains 0 and is at most 6 points wide, of accuracies 15
	// (a statistic of a data set: equal up to the paper's rounding).
	Agrees    Outcome = "agrees"
	Higher    Outcome = "higher"     // the interval is above 0: our number is higher
	Lower     Outcome = "lower"      // the interval is below 0
	Undecided Outcome = "undecided"  // the interval contains 0 and is wider
	NoVerdict Outcome = "no verdict" // one repetition of ours, or fewer than the configuration asks for
	Differs   Outcome = "differs"    // a statistic of a data set that is another number
	NoRun     Outcome = "missing"    // the configuration asks for it, and there is no number of ours
)

// Outcomes lists the outcomes in the order in which they are counted.
func Outcomes() []Outcome {
	return []Outcome{Agrees, Higher, Lower, Undecided, Differs, NoVerdict, NoRun}
}

// The rules of the verdicts on Rand Indices, as the page states them with the table.
const (
	VerdictRule = "The verdict rests on the 95 % interval of the difference of means, ours minus the paper's. Agrees: it contains 0 and is at most 6 " +
		"points wide. Undecided: it contains 0 and is wider. Else higher or lower. The interval is Welch's, from the paper's deviation over " +
		"its five runs and from ours."
	SelectionRule = "The paper's value is itself the best of a grid, selected with the labels. So a re-run on fresh repetitions is expected to " +
		"be somewhat lower. The table has both differences."
	IntervalNote = "95 %: the interval of re-run - paper if there is a re-run value, else of selected - paper. Tables have population " +
		"deviations. The interval divides by n - 1 on both sides and uses Student's t with Welch and Satterthwaite's degrees of freedom. " +
		"One repetition has no interval. If neither side varies, the values agree when they round to the same printed value."
)

// The rules of the verdicts on accuracies.
const (
	AccuracyRule = "The verdict rests on the 95 % interval of the difference of means, ours minus the paper's. Agrees: it contains 0 and is at most 15 " +
		"points wide. Undecided: it contains 0 and is wider. Else higher or lower. The limit is 15 points here and 6 in the clustering " +
		"tables, because over ten splits that share graphs most intervals are about 12 points wide."
	AccuracyInterval = "95 %: the interval of nested - paper. The test sets of two splits share graphs, so on both sides the variance of a mean over " +
		"r splits is (1/r + n_test/n_train) times the variance of one split (Nadeau and Bengio 2003). The paper's r is 10, as its text " +
		"says; the released code has 50 splits of MUTAG and PTC-MR. The interval uses Student's t with Welch and Satterthwaite's degrees of " +
		"freedom. Tables have population deviations. One split has no interval and no verdict."
)

// Verdict is the comparison of one printed number with ours.
type Verdict struct {
	Dataset, Row string  // as the paper spells them
	Paper        float64 // the paper's value
	Ours         float64 // that the verdict is made on, in the units of Paper; 0 where Outcome is NoRun
	OursStd      float64 // of the population, as printed in the tables
	Repetitions  int     // repetitions that Ours is a mean of
	Confirmed    bool    // Ours is a re-run, on repetitions that did not select the setting
	Interval             // of Ours - Paper
	Outcome      Outcome
	Remark       string // why there is no number, or a warning about it
}

// VerdictColumn is the column of verdicts in any table; the others are the columns of [Verdict.IntervalCells].
var (
	VerdictColumn = table.Column{Title: "verdict"}
	LowColumn     = table.Column{Title: "95 % from", CSV: "interval_low", Right: true}
	HighColumn    = table.Column{Title: "to", CSV: "interval_high", Right: true}
	WidthColumn   = table.Column{Title: "width", CSV: "interval_width", Right: true}
)

// plural is the outcome of several values: "agree", "higher".
func (o Outcome) plural() string { return strings.TrimSuffix(string(o), "s") }

// Of is the outcome with the number of values that have it: "1 agrees", "2 agree", "2 higher".
func (o Outcome) Of(n int) string { return words.Plural(n, string(o), o.plural()) }

// Class is the outcome, also of several values, as the name of a style on the page: "v-agree".
func (o Outcome) Class() string { return "v-" + strings.ReplaceAll(o.plural(), " ", "-") }

// Counts are the numbers of verdicts by outcome.
type Counts map[Outcome]int

// CountOutcomes counts verdicts.
func CountOutcomes(verdicts []Verdict) Counts {
	c := Counts{}
	for _, v := range verdicts {
		c[v.Outcome]++
	}
	return c
}

// Sentence returns "Of 14 values of the paper: 9 agree, 1 lower, 2 undecided, 2 missing. The paper has 34 more, which this configuration
// does not ask for.". It names agreements and missing values even where there are none.
func Sentence(verdicts []Verdict, unasked int) string {
	counts := CountOutcomes(verdicts)
	var parts []string
	for _, o := range Outcomes() {
		if counts[o] > 0 || o == Agrees || o == NoRun {
			parts = append(parts, o.Of(counts[o]))
		}
	}
	return fmt.Sprintf("Of %s: %s.%s", words.Plural(len(verdicts), "value of the paper", "values of the paper"), strings.Join(parts, ", "), UnaskedNote(unasked))
}

// UnaskedNote returns a sentence on the n values of the paper without a row; "" where n is 0.
func UnaskedNote(n int) string {
	return words.If(n != 0, " The paper has %d more, which this configuration does not ask for.", n)
}

// IntervalCells are the interval of the difference and its width; blank where there is none.
func (v Verdict) IntervalCells() []table.Cell {
	return []table.Cell{table.Diff(v.Low).If(v.Known), table.Diff(v.High).If(v.Known), table.Num(v.High-v.Low, 2).If(v.Known)}
}

const (
	// confidence of the intervals.
	confidence = 0.95
	// WidestRandIndex is how wide the interval of a number that agrees may be: points of a
	// Rand Index in percent.
	WidestRandIndex = 6
	// WidestAccuracy is the widest interval of an accuracy in percent: over ten overlapping splits most intervals are about 12 points wide.
	WidestAccuracy = 15
)

// Sampling says how the numbers behind two means of a family of tables were drawn, the paper's and ours, and how well a number must be
// known.
type Sampling struct {
	// Printed is the number of runs in a mean of the paper.
	Printed int
	// Overlap is the size of a test set over the size of its training set, where a run is a random split into these: such runs share graphs,
	// and the variance of a mean over r of them is (1/r + Overlap) times the variance of one (Nadeau and Bengio 2003). 0: independent runs.
	Overlap float64
	// Widest is how wide the interval of a number that agrees may be.
	Widest float64
}

// Overlap is the size of a test set over the size of its training set where a tenth of n graphs, rounded up, is tested.
func Overlap(n int) float64 {
	test := (n + 9) / 10
	return float64(test) / float64(n-test)
}

// errorOf is the squared error of a mean over n runs whose population has this deviation, as a table shows it.
func (s Sampling) errorOf(std float64, n int) float64 {
	v := float64(std * std)
	return float64(v*(1+float64(float64(n)*s.Overlap))) / float64(n-1) // v n/(n-1) (1/n + overlap)
}

// StdError is the standard error of a mean; false for fewer than two runs, which have none.
func (s Sampling) StdError(of Stat) (float64, bool) {
	if of.N < 2 {
		return 0, false
	}
	return of.Std / math.Sqrt(float64(of.N-1)/(1+float64(float64(of.N)*s.Overlap))), true // std sqrt(n/(n-1)) sqrt(1/n + overlap)
}

// Interval is the interval of a difference of two means, ours less the paper's.
type Interval struct {
	Diff, Low, High float64
	Known           bool // it takes two runs of ours
}

// Welch is Welch's interval of the difference of our mean and the paper's at the level
// confidence: Student's t with the degrees of freedom of Welch and Satterthwaite. The paper's
// deviation is of the population over its runs, as ours; both become deviations of the
// sample. It is the difference itself where neither varies.
func (s Sampling) Welch(ours Stat, mean, std float64) Interval {
	diff := ours.Mean - mean
	if ours.N < 2 {
		return Interval{Diff: diff}
	}
	o, p, half := s.errorOf(ours.Std, ours.N), s.errorOf(std, s.Printed), 0.0
	if inverse := float64(p*p)/float64(s.Printed-1) + float64(o*o)/float64(ours.N-1); inverse > 0 {
		half = studentT(float64((o+p)*(o+p))/inverse, confidence) * math.Sqrt(o+p)
	}
	return Interval{diff, diff - half, diff + half, true}
}

// Student is Student's interval of our mean less a number that is printed without a
// deviation, or of a mean of differences less 0.
func (s Sampling) Student(ours Stat, printed float64) Interval {
	ours.Mean -= printed
	return s.Paired(ours, confidence)
}

// Paired is Student's interval of a mean of paired differences, at that level. It takes two pairs; where the differences do not vary it is
// their mean.
func (s Sampling) Paired(differences Stat, level float64) Interval {
	diff := differences.Mean
	e, ok := s.StdError(differences)
	if !ok {
		return Interval{Diff: diff}
	}
	half := studentT(float64(differences.N-1), level) * e
	return Interval{diff, diff - half, diff + half, true}
}

func studentT(freedom, level float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile((1 + level) / 2)
}

// Judge compares a number of ours with the paper's. A difference of up to rounding counts
// as 0: it is for numbers that the paper prints without a deviation. most is the width up to
// which a number agrees.
func (i Interval) Judge(rounding, most float64) Outcome {
	const slack = 1e-9 // of subtractions: 0.3 apart is within 0.3
	switch {
	case !i.Known:
		return NoVerdict
	case i.Low > slack && i.Diff > rounding+slack:
		return Higher
	case i.High < -slack && i.Diff < -rounding-slack:
		return Lower
	case i.High-i.Low > most+slack:
		return Undecided
	}
	return Agrees
}

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

// OrNaN returns the statistic, with NaN for both numbers if there are no values.
func (s Stat) OrNaN() Stat {
	if s.N == 0 {
		return Stat{Mean: math.NaN(), Std: math.NaN()}
	}
	return s
}

// Cell is "mean (std)" with a mark; missing without values.
func (s Stat) Cell(mark string) table.Cell {
	c := table.MeanStd(s.Mean, s.Std)
	c.Mark, c.N = mark, s.N
	return c.Known(s.N > 0)
}

// Rounded is the statistic as a cell with so many decimals.
func (s Stat) Rounded(n int) table.Cell {
	c := s.Cell("")
	c.Decimals = n
	return c
}

// Plain is the mean alone.
func (s Stat) Plain(decimals int) table.Cell { return table.Num(s.Mean, decimals).Known(s.N > 0) }
