package tables

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// dataset holds the statistics of a data set, or in missing the reason why there are none.
type dataset struct {
	artifact.DatasetRow
	missing string
}

// datasetsOf reads the statistics that are asked for out of records whose scores
// were written by [artifact.DatasetRow.Scores], in the order of the paper's table.
func datasetsOf(f *summary.Frame) []dataset {
	var out []dataset
	for r := range f.All() {
		out = append(out, datasetOf(r))
	}
	printed := f.Family.Printed.Datasets
	rank := func(name string) int {
		i := slices.IndexFunc(printed, func(d paper.PrintedDataset) bool { return d.Name == name || d.TU == name })
		return (i + len(printed) + 1) % (len(printed) + 1) // others behind
	}
	slices.SortStableFunc(out, func(a, b dataset) int {
		return cmp.Or(cmp.Compare(rank(a.Name), rank(b.Name)), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// datasetOf reads the statistics of one record; one that is not there, not ok, or lacks a score says so.
func datasetOf(r summary.Run) dataset {
	d := dataset{DatasetRow: artifact.DatasetRow{Name: r.Dataset}}
	switch {
	case r.Record == nil:
		d.missing = "not run"
	case !r.OK():
		d.missing = r.Record.Status
		if r.Record.Reason != "" {
			d.missing += ": " + summary.FirstLine(r.Record.Reason)
		}
	default:
		for _, k := range slices.Sorted(maps.Keys(d.Scores())) {
			if _, ok := r.Record.Scores[k]; !ok {
				d.missing = "the record has no " + k
				return d
			}
		}
		d.DatasetRow = artifact.DatasetRowOf(r.Dataset, r.Record.Scores)
	}
	return d
}

// statistic is a number that the paper's table of data sets prints.
type statistic struct {
	column   string // in the table
	of       func(artifact.DatasetRow) float64
	decimals int // 0: a whole number, which must be the same
}

// statistics are in the order of the table's columns.
func statistics() []statistic {
	type row = artifact.DatasetRow
	return []statistic{
		{"graphs", func(r row) float64 { return float64(r.Graphs) }, 0},
		{"classes", func(r row) float64 { return float64(r.Classes) }, 0},
		{"mean nodes", func(r row) float64 { return r.MeanNodes }, 2},
		{"min", func(r row) float64 { return float64(r.MinNodes) }, 0},
		{"max", func(r row) float64 { return float64(r.MaxNodes) }, 0},
		{"median", func(r row) float64 { return r.MedianNodes }, 1},
		{"connectivity", func(r row) float64 { return r.Connectivity }, 2},
		{"dimension", func(r row) float64 { return float64(r.AttributeDim) }, 0},
	}
}

// printedRow is the paper's row of a data set, which has no mean number of edges.
func printedRow(p paper.PrintedDataset) artifact.DatasetRow {
	return artifact.DatasetRow{Name: p.Name, Graphs: p.Graphs, Classes: p.Classes, MeanNodes: p.MeanNodes, MinNodes: p.MinNodes,
		MaxNodes: p.MaxNodes, MedianNodes: p.MedianNodes, Connectivity: p.Connectivity, Attributes: p.Attributes, AttributeDim: p.AttributeDim}
}

// statisticCells are the cells of a row.
func statisticCells(r artifact.DatasetRow, edges table.Cell) []table.Cell {
	return table.Cells(r.Graphs, r.Classes, table.Num(r.MeanNodes, 2), r.MinNodes, r.MaxNodes, table.Num(r.MedianNodes, 1), edges,
		table.Num(r.Connectivity, 2), r.Attributes, r.AttributeDim)
}

// datasetRounding is one unit of the last of the two decimals that the paper prints of a
// data set: they are partly rounded, partly cut.
const datasetRounding = 0.01 + 1e-9

// differs returns our value minus the paper's, such as "+1"; "" if it is within the paper's
// rounding.
func (s statistic) differs(r, p artifact.DatasetRow) string {
	d := s.of(r) - s.of(p)
	switch {
	case s.decimals == 0 && d != 0:
		return fmt.Sprintf("%+.0f", d)
	case s.decimals > 0 && !(math.Abs(d) <= datasetRounding):
		return fmt.Sprintf("%+.2f", d)
	}
	return ""
}

// Datasets returns the table of data sets ("datasets"): our row and, where the paper
// has the data set, the paper's row above it. The last columns have the verdict, and name the statistics that
// differ by more than the paper's rounding.
func Datasets(f *summary.Frame) []table.Table {
	t := table.Table{Name: "datasets", Printed: true, Title: "Data sets: the paper's rows and ours",
		Columns: table.Columns{
			table.Dataset, {Title: "source", Key: true}, {Title: "graphs", Right: true}, {Title: "classes", Right: true},
			{Title: "mean nodes", Right: true}, {Title: "min", CSV: "min_nodes", Right: true}, {Title: "max", CSV: "max_nodes", Right: true},
			{Title: "median", CSV: "median_nodes", Right: true}, {Title: "mean edges", Right: true}, {Title: "connectivity, %", Right: true},
			{Title: "attributes"}, {Title: "dimension", CSV: "attribute_dimension", Right: true}, paper.VerdictColumn,
			{Title: "differs in", NoCSV: true},
		},
		Notes: []string{"Connectivity: 100 times the mean over graphs of 2|E| / (n-1)^2, the definition that reproduces the paper's column."}}
	for _, r := range datasetsOf(f) {
		p, known := f.Family.Printed.Dataset(r.Name)
		printed, ours := printedRow(p), statisticCells(r.DatasetRow, table.Num(r.MeanEdges, 2))
		var parts []string
		for _, s := range statistics() {
			by := s.differs(r.DatasetRow, printed)
			parts = append(parts, table.When(by != "", fmt.Sprintf("%s (%s)", s.column, by))...)
		}
		parts = append(parts, table.When(r.Attributes != p.Attributes, "attributes")...)
		if known {
			t.AddUpTo(table.Cell{}, r.Name, "paper", statisticCells(printed, table.Cell{}))
		}
		verdict, differs := "", ""
		switch {
		case !known:
		case r.missing != "":
			verdict = string(paper.NoRun)
		case len(parts) > 0:
			verdict, differs = string(paper.Differs), strings.Join(parts, ", ")
			t.Note(table.When(p.Remark != "", r.Name+": "+p.Remark+".")...)
		default:
			verdict = string(paper.Agrees)
		}
		if r.missing != "" {
			ours = slices.Repeat([]table.Cell{table.None()}, len(ours))
			t.Note(r.Name + ": " + r.missing + ".")
		}
		t.Add(r.Name, "ours", ours, verdict, differs)
	}
	if verdicts, unasked := DatasetVerdicts(f); len(verdicts) > 0 {
		t.Note(paper.Sentence(verdicts, unasked),
			"Agrees: equal, or within one unit of the paper's second decimal, which is partly rounded and partly cut.")
	}
	return []table.Table{t}
}

// DatasetVerdicts compares the statistics of the paper's data sets.
func DatasetVerdicts(f *summary.Frame) (asked []paper.Verdict, unasked int) {
	printed := f.Family.Printed
	byName := map[string]dataset{}
	for _, r := range datasetsOf(f) {
		if p, known := printed.Dataset(r.Name); known {
			byName[p.Name] = r
		}
	}
	if len(byName) == 0 {
		return nil, 0
	}
	for _, p := range printed.Datasets {
		r, there := byName[p.Name]
		for _, s := range statistics() {
			v := paper.Verdict{Dataset: p.Name, Row: "data", Paper: s.of(printedRow(p)), Outcome: paper.NoRun}
			switch {
			case !there:
				unasked++
				continue
			case r.missing != "":
				v.Remark = r.missing
			case s.differs(r.DatasetRow, printedRow(p)) == "":
				v.Ours, v.Outcome = s.of(r.DatasetRow), paper.Agrees
			default:
				v.Ours, v.Outcome, v.Remark = s.of(r.DatasetRow), paper.Differs, p.Remark
			}
			asked = append(asked, v)
		}
	}
	return asked, unasked
}
