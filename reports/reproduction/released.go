package reproduction

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"

	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// commands is the table of the numbers of a clustering by the settings of the released commands,
// next to those by the settings of the text.
func (p *Page) commands(text []*Number) table.Table {
	var parts []Part
	for _, part := range p.Parts {
		if part.Commands {
			part.Scores = true
			parts = append(parts, part)
		}
	}
	t := table.Table{Name: "verdicts_clustering_released", Columns: table.Columns{
		table.Dataset, table.Method, {Title: "paper", Spread: true}, {Title: "text", Spread: true},
		{Title: "text, verdict"}, {Title: "text, re-run", Spread: true}, {Title: "text, verdict on re-run"},
		{Title: "commands", Spread: true}, {Title: "commands, verdict"}, {Title: "commands, re-run", Spread: true},
		{Title: "commands, verdict on re-run"},
	}}
	for k, n := range numbersOf(summary.TableClustering, parts) {
		if n.Row == nil {
			continue
		}
		var ours []table.Cell
		for _, of := range []*Number{text[k], n} {
			ours = append(ours, table.Cells(of.selectedCell(), string(of.Selected.Outcome), of.rerunCell(), string(of.Rerun.Outcome))...)
		}
		t.Add(n.Dataset, n.method(), n.printedCell(), ours)
	}
	t.Note(table.MarkNotes(t, "repetitions")...)
	return t
}

// authors is the table of the runs of the authors' code and of ogdl at the same settings: a row for
// each setting, in the order of the file.
func authors(text []byte) (t table.Table, err error) {
	t = table.Table{Name: "released", Columns: table.Columns{
		table.Dataset, {Title: "setting", Key: true}, {Title: "paper", Spread: true},
		{Title: "released code", Spread: true}, {Title: "runs", Right: true}, {Title: "ogdl", Spread: true},
		{Title: "runs", Right: true}, {Title: "processor time, released / ogdl", Right: true},
	}}
	if len(text) == 0 {
		return t, nil
	}
	file := csv.NewReader(bytes.NewReader(text))
	file.FieldsPerRecord = 14
	lines, err := file.ReadAll()
	if err != nil {
		return t, fmt.Errorf("released.csv: %w", err)
	}
	type of struct{ scores, seconds []float64 }
	runs := map[[9]string]of{} // by setting and tool
	var settings [][9]string
	for _, line := range lines[1:] {
		at := [9]string(line[:9])
		seconds, err1 := strconv.ParseFloat(line[12], 64)
		score, err2 := strconv.ParseFloat(line[13], 64)
		if err1 != nil || err2 != nil || at[8] != "released" && at[8] != "ogdl" {
			return t, fmt.Errorf("released.csv: %q: expected a tool, released or ogdl, seconds and a Rand Index", line[8:])
		}
		runs[at] = of{append(runs[at].scores, score), append(runs[at].seconds, seconds)}
		if at[8] = ""; !slices.Contains(settings, at) {
			settings = append(settings, at)
		}
	}
	family := summary.FamilyOf(summary.TableClustering)
	for _, k := range settings {
		var parts []any
		for _, text := range k[1:8] {
			parts = append(parts, cmp.Or(text, "-"))
		}
		row := table.Cells(k[0], fmt.Sprintf("%s atoms of order %s, alpha %s, steps %s / %s, batches of %s, %s epochs", parts...),
			family.PrintedCell("GDL", k[0]))
		var means []float64
		for _, tool := range []string{"released", "ogdl"} {
			k[8] = tool
			one, score := runs[k], table.Cell{}
			if len(one.scores) > 0 {
				score, means = paper.StatOf(one.scores).Cell(""), append(means, paper.StatOf(one.seconds).Mean)
			}
			row = append(row, score, table.Int(len(one.scores)))
		}
		ratio := table.Cell{}
		if len(means) == 2 {
			ratio = table.Num(means[0]/means[1], 0)
		}
		t.Add(row, ratio)
	}
	return t, nil
}
