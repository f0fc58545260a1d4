package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ogdl/internal/record"

	"gonum.org/v1/gonum/stat/distuv"
)

// Outcome says how a number of ours stands beside the one that the paper prints.
type Outcome string

// The outcomes of a comparison with a printed number.
const (
	// Reproduced: the two differ by no more than the larger of the two
	// standard deviations (a statistic of a data set: by no more than the paper's
	// rounding).
	Reproduced Outcome = "reproduced"
	Better     Outcome = "better"  // a higher Rand Index, beyond that
	Worse      Outcome = "worse"   // a lower one, beyond that
	Differs    Outcome = "differs" // a statistic of a data set that is another number
	NoRun      Outcome = "missing" // the configuration asks for it, and there is no number of ours
)

// Outcomes lists the outcomes in the order in which they are counted.
func Outcomes() []Outcome { return []Outcome{Reproduced, Better, Worse, Differs, NoRun} }

// Verdict is the comparison of one printed number with ours.
type Verdict struct {
	Dataset, Row string  // as the paper spells them
	Quantity     string  // "Rand Index, %", or the statistic of a data set
	Paper        float64 // what is printed
	PaperStd     float64 // of a Rand Index; 0 for a statistic
	Ours         float64 // in the units of Paper; 0 where Outcome is NoRun
	OursStd      float64 // of the population, as printed in the tables
	Seeds        int     // that Ours is a mean of
	// Low and High are the 95 % confidence interval of our mean, where HasInterval is
	// set: Student's t over the seeds, which needs two of them.
	Low, High   float64
	HasInterval bool
	Outcome     Outcome
	Mark        string // MarkSeeds, MarkGrid
	Remark      string // why there is no number, or what to know of it
}

// Verdicts compares the numbers that the paper prints for a configuration's kind of
// table, and that the configuration asks for, with ours: the Rand Indices of the clustering tables, or the statistics of
// the data sets. unasked counts the printed numbers that it does not ask for. Ours is the configuration with the highest mean Rand Index, as in the
// paper. It is empty for a configuration that has none of the paper's data sets, and for
// [TableRuntimes], whose numbers are durations (see [Runtimes]), and for figures but
// [FigureDistances], with its correlations.
func Verdicts(spec Spec, recs []record.Record) (asked []Verdict, unasked int) {
	switch spec.Table {
	case TableRuntimes:
		return nil, 0
	case TableDatasets:
		return datasetVerdicts(DatasetRows(spec, recs))
	}
	switch {
	case spec.Table == FigureDistances:
		return distanceVerdicts(spec, recs)
	case IsFigure(spec.Table):
		return nil, 0
	}
	k := kindOf(PaperNumbers(), spec.Table)
	rows := summaries(k, spec, recs)
	ours := map[[2]string]*summary{}
	known := false
	for _, s := range rows {
		name := k.printed.datasetName(s.dataset)
		known = known || slices.Contains(k.datasets, name)
		ours[[2]string{s.method, name}] = s
	}
	if !known {
		return nil, 0
	}
	for _, d := range k.datasets {
		for _, m := range k.methods {
			p, ok := k.score(m, d)
			switch s := ours[[2]string{m, d}]; {
			case !ok:
			case s == nil:
				unasked++
			default:
				asked = append(asked, scoreVerdict(p, s))
			}
		}
	}
	return asked, unasked
}

func summaries(k kind, spec Spec, recs []record.Record) []*summary {
	var rows []*summary
	for _, l := range group(k, spec, recs) {
		rows = append(rows, summarise(l))
	}
	return rows
}

func scoreVerdict(p PrintedScore, s *summary) Verdict {
	v := Verdict{
		Dataset: p.Dataset, Row: p.row(), Quantity: "Rand Index, %",
		Paper: p.Mean, PaperStd: p.Std, Outcome: NoRun,
	}
	if s.oracle == nil {
		v.Remark = s.noRun()
		return v
	}
	of := s.oracle.stat("ri", 100)
	v.Ours, v.OursStd, v.Seeds, v.Mark = of.mean, of.std, of.n, s.mark(s.oracle)
	v.Low, v.High, v.HasInterval = of.interval()
	v.Outcome = outcome(v.Ours-v.Paper, max(v.PaperStd, v.OursStd))
	v.Remark = s.remarks(p)
	return v
}

// noRun says why a row has no number.
func (s *summary) noRun() string {
	for _, r := range s.runs() {
		if r.rec != nil {
			return strings.Join(statusNotes([]*summary{s}), " ")
		}
	}
	return "no cell of it has run"
}

// outcome judges ours - paper against what it may be.
func outcome(diff, within float64) Outcome {
	const rounding = 1e-9 // of the subtraction: 0.3 apart is within 0.3
	switch {
	case math.Abs(diff) <= within+rounding:
		return Reproduced
	case diff > 0:
		return Better
	}
	return Worse
}

// remarks tell what a reader should know of a verdict: what it does not rest on, and
// whether the printed number says anything.
func (s *summary) remarks(p PrintedScore) string {
	var parts []string
	if c := s.oracle; !c.complete() {
		parts = append(parts, fmt.Sprintf("%d of %d seeds", c.done, len(c.runs)))
	}
	if s.complete < len(s.configs) {
		parts = append(parts, fmt.Sprintf("%d of %d configurations finished", s.complete, len(s.configs)))
	}
	one, _ := s.level("trivial_one")
	random, _ := s.level("trivial_independent")
	level := math.Inf(-1)
	for _, c := range []Cell{one, random} {
		if c.Kind == Number {
			level = max(level, c.Value)
		}
	}
	if p.Mean <= level {
		parts = append(parts, fmt.Sprintf("the paper's number is at or below %.2f, which a trivial clustering scores", level))
	}
	return strings.Join(parts, "; ")
}

const verdictColumn = "verdict"

// confidence of the intervals.
const confidence = 0.95

// datasetRounding is one unit of the last of the two decimals that the paper prints of a
// data set, as in [Datasets].
const datasetRounding = 0.01 + 1e-9

// interval is Student's t-interval of the mean at the level confidence; it needs two
// values. The deviation is that of the sample here (divided by n - 1), as the interval asks.
func (s stat) interval() (low, high float64, ok bool) {
	if s.n < 2 {
		return 0, 0, false
	}
	n := float64(s.n)
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile((1 + confidence) / 2)
	half := t * s.std / math.Sqrt(n-1) // std sqrt(n/(n-1)) / sqrt(n)
	return s.mean - half, s.mean + half, true
}

// datasetVerdicts compares the statistics of the paper's data sets.
func datasetVerdicts(rows []DatasetRow) (asked []Verdict, unasked int) {
	byName := map[string]DatasetRow{}
	known := false
	printed := PaperNumbers()
	for _, r := range rows {
		byName[printed.datasetName(r.Name)] = r
		_, paper := printed.dataset(r.Name)
		known = known || paper
	}
	if !known {
		return nil, 0
	}
	for _, p := range printed.Datasets {
		r, there := byName[p.Name]
		for _, q := range []struct {
			name        string
			paper, ours float64
			within      float64
		}{
			{"graphs", float64(p.Graphs), float64(r.Graphs), 0},
			{"classes", float64(p.Classes), float64(r.Classes), 0},
			{"mean nodes", p.MeanNodes, r.MeanNodes, datasetRounding},
			{"min nodes", float64(p.MinNodes), float64(r.MinNodes), 0},
			{"max nodes", float64(p.MaxNodes), float64(r.MaxNodes), 0},
			{"median nodes", p.MedianNodes, r.MedianNodes, datasetRounding},
			{"connectivity, %", p.Connectivity, r.Connectivity, datasetRounding},
			{"attribute dimension", float64(p.AttributeDim), float64(r.AttributeDim), 0},
		} {
			v := Verdict{Dataset: p.Name, Row: "data", Quantity: q.name, Paper: q.paper, Outcome: NoRun}
			switch {
			case !there:
				unasked++
				continue
			case r.Missing != "":
				v.Remark = r.Missing
			case math.Abs(q.ours-q.paper) <= q.within:
				v.Ours, v.Outcome = q.ours, Reproduced
			default:
				v.Ours, v.Outcome, v.Remark = q.ours, Differs, p.Remark
			}
			asked = append(asked, v)
		}
	}
	return asked, unasked
}

// VerdictTable is the table of the verdicts ("clustering_verdict" and so on), and false
// where there is none.
func VerdictTable(spec Spec, verdicts []Verdict, unasked int) (Table, bool) {
	if len(verdicts) == 0 {
		return Table{}, false
	}
	if spec.Table == FigureDistances {
		return distanceVerdictTable(spec, verdicts, unasked), true
	}
	name, what := TableDatasets, "Data sets"
	if spec.Table != TableDatasets {
		k := kindOf(PaperNumbers(), spec.Table)
		name, what = k.name, k.title
	}
	t := Table{
		Name:    name + "_verdict",
		Title:   title(spec, what+": verdict on each printed number"),
		Columns: []Column{{Name: "data set", Key: true}, {Name: "row", Key: true}, {Name: verdictColumn}},
	}
	scores := spec.Table != TableDatasets
	if scores {
		t.Title = title(spec, what+": verdict on each printed Rand Index, in percent, mean (std)")
		t.Columns = append(t.Columns, Column{Name: "paper", Right: true, Spread: true}, Column{Name: "ours", Right: true, Spread: true},
			Column{Name: "95 % from", Right: true}, Column{Name: "to", Right: true}, Column{Name: "seeds", Right: true})
	} else {
		t.Columns[1].Name = "statistic"
		t.Columns = append(t.Columns, Column{Name: "paper", Right: true}, Column{Name: "ours", Right: true})
	}
	t.Columns = append(t.Columns, Column{Name: "remark"})
	for _, v := range verdicts {
		row := []Cell{Txt(v.Dataset), Txt(v.Row), Txt(string(v.Outcome))}
		ours := None()
		if scores {
			low, high, n := Cell{}, Cell{}, Cell{}
			if v.Outcome != NoRun {
				ours, n = MeanStd(v.Ours, v.OursStd), Int(v.Seeds)
				ours.Mark = v.Mark
			}
			if v.HasInterval {
				low, high = Num(v.Low, 2), Num(v.High, 2)
			}
			row = append(row, MeanStd(v.Paper, v.PaperStd), ours, low, high, n)
		} else {
			row[1] = Txt(v.Quantity)
			if v.Outcome != NoRun {
				ours = Num(v.Ours, 2)
			}
			row = append(row, Num(v.Paper, 2), ours)
		}
		remark := Cell{}
		if v.Remark != "" {
			remark = Txt(v.Remark)
		}
		t.Rows = append(t.Rows, append(row, remark))
	}
	t.Notes = append(t.Notes, CountOutcomes(verdicts).Sentence(unasked))
	if !scores {
		t.Notes = append(t.Notes, "Reproduced: equal, or within one unit of the paper's second decimal, which is partly rounded and partly cut.")
	} else {
		t.Notes = append(t.Notes,
			"Reproduced: |ours - paper| is within the larger of the two standard deviations (both of the population). Better, "+
				"worse: a higher or lower Rand Index beyond that. Ours is the configuration with the highest mean Rand Index, as in the paper.",
			"95 %: Student's t-interval of our mean over the seeds. It holds for the configuration as if it had been fixed "+
				"beforehand; the choice by the highest mean shifts the mean upwards, which no interval here accounts for.")
	}
	t.Notes = append(t.Notes, markNotes(t)...)
	return t, true
}

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

// Sentence is "Of 14 printed numbers: 12 reproduced, 0 better, 0 worse, 2 missing. The paper prints
// 34 more, which this configuration does not ask for.".
func (c Counts) Sentence(unasked int) string {
	total := 0
	var parts []string
	for _, o := range Outcomes() {
		total += c[o]
		if o != Differs || c[o] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c[o], o))
		}
	}
	return fmt.Sprintf("Of %s: %s.%s", plural(total, "printed number", "printed numbers"), strings.Join(parts, ", "), unaskedNote(unasked))
}

// unaskedNote is what one line says of all the printed numbers that no row stands beside.
func unaskedNote(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" The paper prints %d more, which this configuration does not ask for.", n)
}
