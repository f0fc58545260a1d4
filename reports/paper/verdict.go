package paper

import (
	"fmt"
	"strings"

	"ogdl/internal/words"
	"ogdl/reports/table"
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
	NoVerdict Outcome = "no verdict" // one repetition of ours has no interval
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
	if !v.Known {
		return []table.Cell{{}, {}, {}}
	}
	return []table.Cell{table.Diff(v.Low), table.Diff(v.High), table.Num(v.High-v.Low, 2)}
}
