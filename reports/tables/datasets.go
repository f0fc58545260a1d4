package tables

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// statistic is a number that the paper's table of data sets prints.
type statistic struct {
	title, csv string // of its column
	score      string // among the scores of [artifact.DatasetRow]
	decimals   int    // 0: a whole number, which must be the same
}

// statistics are in the order of the table's columns.
var statistics = []statistic{
	{"graphs", "", "graphs", 0}, {"classes", "", "classes", 0}, {"mean nodes", "", "mean_nodes", 2}, {"min", "min_nodes", "min_nodes", 0},
	{"max", "max_nodes", "max_nodes", 0}, {"median", "median_nodes", "median_nodes", 1},
	{"connectivity", "connectivity_percent", "connectivity", 2}, {"dimension", "attribute_dimension", "attribute_dim", 0},
}

// meanEdges is the score of a statistic of ours that the paper does not print.
const meanEdges = "mean_edges"

// printedScores are the paper's numbers of a data set as scores.
func printedScores(p paper.PrintedDataset) map[string]float64 {
	scores := p.Scores()
	delete(scores, meanEdges)
	return scores
}

// datasetsOf lists the data sets that are asked for with their scores, nil where there are none, in the order of the paper's table.
func datasetsOf(f *summary.Frame) (runs []summary.Run, scores []map[string]float64) {
	printed := f.Family.Printed
	order := paper.Distinct(printed.Datasets, func(d paper.PrintedDataset) string { return d.Name })
	rank := func(name string) int { return summary.Rank(order, printed.DatasetName(name)) }
	runs = slices.SortedStableFunc(f.All(), func(a, b summary.Run) int {
		return cmp.Or(cmp.Compare(rank(a.Dataset), rank(b.Dataset)), cmp.Compare(a.Dataset, b.Dataset))
	})
	for _, r := range runs {
		var of map[string]float64
		if r.OK() {
			of = r.Record.Scores
		}
		scores = append(scores, of)
	}
	return runs, scores
}

// statisticCells are the cells of a row.
func statisticCells(scores map[string]float64, absent table.Cell) []table.Cell {
	cell := func(score string, decimals int) table.Cell {
		if v, ok := scores[score]; ok {
			return table.Num(v, decimals)
		}
		return absent
	}
	out := table.Map(statistics, func(s statistic) table.Cell { return cell(s.score, s.decimals) })
	attributes := absent
	if scores != nil {
		attributes = table.Txt(artifact.AttributesOf(scores))
	}
	return append(out, cell(meanEdges, 2), attributes)
}

// datasetRounding is one unit of the last of the two decimals that the paper prints of a
// data set: they are partly rounded, partly cut.
const datasetRounding = 0.01 + 1e-9

// datasetVerdicts compares the statistics of a data set with the paper's.
func datasetVerdicts(p paper.PrintedDataset, scores map[string]float64) (out []paper.Verdict) {
	inPaper := printedScores(p)
	for _, s := range statistics {
		v := paper.Verdict{Dataset: p.Name, Row: s.title, Paper: inPaper[s.score], Outcome: paper.NoRun}
		if ours, ok := scores[s.score]; ok {
			v.Ours, v.Outcome = ours, paper.Agrees
			if d := math.Abs(ours - v.Paper); s.decimals == 0 && d != 0 || !(d <= datasetRounding) {
				v.Outcome, v.Remark = paper.Differs, fmt.Sprintf("%s (%+.*f)", s.title, s.decimals, ours-v.Paper)
			}
		}
		out = append(out, v)
	}
	return out
}

// Datasets returns the table of data sets ("datasets"): our row and, where the paper
// has the data set, the paper's row above it. The last columns have the verdict, and name the statistics that
// differ by more than the paper's rounding.
func Datasets(f *summary.Frame) []table.Table {
	t := table.Table{Name: "datasets", Printed: true, Title: "Data sets: the paper's rows and ours",
		Notes: []string{"Connectivity, in percent: 100 times the mean over graphs of 2|E| / (n-1)^2, the definition that reproduces the paper's column."}}
	t.Columns = slices.Concat(table.Columns{table.Dataset, {Title: "source", Key: true}},
		table.Map(statistics, func(s statistic) table.Column { return table.Column{Title: s.title, CSV: s.csv, Right: true} }),
		table.Columns{{Title: "mean edges", Right: true}, {Title: "attributes"}, paper.VerdictColumn,
			{Title: "differs in", NoCSV: true}})
	runs, scores := datasetsOf(f)
	for i, r := range runs {
		p, known := f.Family.Printed.Dataset(r.Dataset)
		verdict, differs := paper.Outcome(""), []string(nil)
		if known {
			t.AddUpTo(table.Cell{}, r.Dataset, "paper", statisticCells(printedScores(p), table.Cell{}))
			verdict = paper.Agrees
			for _, v := range datasetVerdicts(p, scores[i]) {
				if v.Outcome == paper.Agrees {
					continue
				}
				if verdict != paper.Differs {
					verdict = v.Outcome
				}
				differs = append(differs, table.When(v.Remark != "", v.Remark)...)
			}
			t.Note(table.When(verdict == paper.Differs && p.Remark != "", r.Dataset+": "+p.Remark+".")...)
		}
		t.Note(unfinished(r.Dataset, slices.Values([]summary.Run{r}))...)
		t.Add(r.Dataset, "ours", statisticCells(scores[i], table.None()), string(verdict), strings.Join(differs, ", "))
	}
	if verdicts, unasked := DatasetVerdicts(f); len(verdicts) > 0 {
		t.Note(paper.Sentence(verdicts, unasked),
			"Agrees: equal, or within one unit of the paper's second decimal, which is partly rounded and partly cut.")
	}
	return []table.Table{t}
}

// DatasetVerdicts compares the statistics of the paper's data sets.
func DatasetVerdicts(f *summary.Frame) (asked []paper.Verdict, unasked int) {
	runs, scores := datasetsOf(f)
	for i, r := range runs {
		if p, known := f.Family.Printed.Dataset(r.Dataset); known {
			asked = append(asked, datasetVerdicts(p, scores[i])...)
		}
	}
	if len(asked) == 0 {
		return nil, 0
	}
	return asked, len(statistics)*len(f.Family.Printed.Datasets) - len(asked)
}
