package tables

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/internal/record"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// DatasetRows reads the rows that are asked for out of records whose scores
// were written by [DatasetRow.Scores]. A cell without a record, not ok, or
// lacking a score gives a row that says so in Missing.
func DatasetRows(f *summary.Frame) []artifact.DatasetRow {
	var rows []artifact.DatasetRow
	for _, l := range f.Rows {
		for r := range l.Runs() {
			rows = append(rows, datasetRow(r))
		}
	}
	return rows
}

func datasetRow(r summary.Run) artifact.DatasetRow {
	row := artifact.DatasetRow{Name: r.Dataset}
	if r.Record == nil {
		row.Missing = "not run"
		return row
	}
	if r.Record.Status != record.OK {
		row.Missing = r.Record.Status
		if r.Record.Reason != "" {
			row.Missing += ": " + summary.FirstLine(r.Record.Reason)
		}
		return row
	}
	s := r.Record.Scores
	for _, k := range slices.Sorted(maps.Keys(row.Scores())) {
		if _, ok := s[k]; !ok {
			row.Missing = "the record has no " + k
			return row
		}
	}
	row.Graphs, row.Classes = int(s["graphs"]), int(s["classes"])
	row.MeanNodes, row.MedianNodes = s["mean_nodes"], s["median_nodes"]
	row.MinNodes, row.MaxNodes = int(s["min_nodes"]), int(s["max_nodes"])
	row.MeanEdges, row.Connectivity = s["mean_edges"], s["connectivity"]
	row.AttributeDim = int(s["attribute_dim"])
	switch {
	case s["attributes_real"] == 1:
		row.Attributes = "real"
	case s["attributes_discrete"] == 1:
		row.Attributes = "discrete"
	default:
		row.Attributes = "none"
	}
	return row
}

// Datasets returns the table of data sets ("datasets"): ours and, where the paper
// has the data set, the paper's row above it. The last column names what
// differs by more than the paper's rounding: its two decimals are partly
// rounded, partly cut, so one unit of the last is allowed.
func Datasets(rows []artifact.DatasetRow) []table.Table {
	printed := paper.Numbers()
	t := table.Table{
		Name:  "datasets",
		Title: "Data sets: ours beside the paper's",
		Columns: []table.Column{
			{Name: "data set", Key: true}, {Name: "source", Key: true},
			{Name: "graphs", Right: true}, {Name: "classes", Right: true},
			{Name: "mean nodes", Right: true}, {Name: "min", Right: true}, {Name: "max", Right: true},
			{Name: "median", Right: true}, {Name: "mean edges", Right: true}, {Name: "connectivity, %", Right: true},
			{Name: "attributes"}, {Name: "dimension", Right: true}, {Name: "differs in"},
		},
		Notes: []string{"Connectivity: 100 times the mean over graphs of 2|E| / (n-1)^2, the definition that reproduces the paper's column."},
	}
	rank := func(name string) int {
		i := slices.IndexFunc(printed.Datasets, func(d paper.PrintedDataset) bool { return d.Name == name || d.TU == name })
		if i < 0 {
			return len(printed.Datasets)
		}
		return i
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b artifact.DatasetRow) int {
		return cmp.Or(cmp.Compare(rank(a.Name), rank(b.Name)), cmp.Compare(a.Name, b.Name))
	})
	for _, r := range rows {
		p, known := printed.Dataset(r.Name)
		if known {
			t.Rows = append(t.Rows, []table.Cell{table.Txt(r.Name), table.Txt("paper"), table.Int(p.Graphs), table.Int(p.Classes), table.Num(p.MeanNodes, 2),
				table.Int(p.MinNodes), table.Int(p.MaxNodes), table.Num(p.MedianNodes, 1), {}, table.Num(p.Connectivity, 2),
				table.Txt(p.Attributes), table.Int(p.AttributeDim), {}})
		}
		if r.Missing != "" {
			row := []table.Cell{table.Txt(r.Name), table.Txt("ours")}
			for len(row) < len(t.Columns)-1 {
				row = append(row, table.None())
			}
			t.Rows = append(t.Rows, append(row, table.Cell{}))
			t.Notes = append(t.Notes, r.Name+": "+r.Missing+".")
			continue
		}
		differs := table.Cell{}
		if known {
			if d := differences(r, p); len(d) > 0 {
				differs = table.Txt(strings.Join(d, ", "))
				if p.Remark != "" {
					t.Notes = append(t.Notes, r.Name+": "+p.Remark+".")
				}
			} else {
				differs = table.Txt("nothing")
			}
		}
		t.Rows = append(t.Rows, []table.Cell{table.Txt(r.Name), table.Txt("ours"), table.Int(r.Graphs), table.Int(r.Classes), table.Num(r.MeanNodes, 2),
			table.Int(r.MinNodes), table.Int(r.MaxNodes), table.Num(r.MedianNodes, 1), table.Num(r.MeanEdges, 2), table.Num(r.Connectivity, 2),
			table.Txt(r.Attributes), table.Int(r.AttributeDim), differs})
	}
	return []table.Table{t}
}

// differences names the columns in which the data and the paper disagree.
func differences(r artifact.DatasetRow, p paper.PrintedDataset) []string {
	var out []string
	whole := func(name string, ours, paper int) {
		if ours != paper {
			out = append(out, fmt.Sprintf("%s (%+d)", name, ours-paper))
		}
	}
	real := func(name string, ours, paper float64) {
		if !(math.Abs(ours-paper) <= 0.01+1e-9) {
			out = append(out, fmt.Sprintf("%s (%+.2f)", name, ours-paper))
		}
	}
	whole("graphs", r.Graphs, p.Graphs)
	whole("classes", r.Classes, p.Classes)
	real("mean nodes", r.MeanNodes, p.MeanNodes)
	whole("min", r.MinNodes, p.MinNodes)
	whole("max", r.MaxNodes, p.MaxNodes)
	real("median", r.MedianNodes, p.MedianNodes)
	real("connectivity", r.Connectivity, p.Connectivity)
	if r.Attributes != p.Attributes {
		out = append(out, "attributes")
	}
	whole("dimension", r.AttributeDim, p.AttributeDim)
	return out
}
