package reproduction

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ogdl/internal/words"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// commands is the table of the numbers of a clustering by the settings of the released commands,
// next to those by the settings of the text.
func (p *Page) commands(text []*Number) table.Table {
	parts := summary.Pick(p.Parts, func(part Part) bool { return part.Commands })
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
			ours = append(ours, table.Cells(of.Selected.Cell, string(of.Selected.Outcome), of.Rerun.Cell, string(of.Rerun.Outcome))...)
		}
		t.Add(n.Dataset, n.method(), n.printedCell(), ours)
	}
	t.Note(table.MarkNotes(t, "repetitions")...)
	return t
}

// CommandRows are the rows of [content.Commands] with signs for verdicts.
func (c *content) CommandRows() (rows [][]string) {
	for _, r := range c.Commands.Rows {
		row := []string{dash(r[0]), dash(r[1]), dash(r[2])}
		for k := 3; k < len(r); k += 2 {
			row = append(row, strings.TrimSpace(signs[paper.Outcome(r[k+1].Plain())]+dash(r[k])))
		}
		rows = append(rows, row)
	}
	return rows
}

// fewestRuns of each program make a setting of the authors' code comparable.
const fewestRuns = 3

// authors is the table of the runs of the authors' code and of ogdl at the same settings: a row for
// each setting, in the order of the file.
func authors(text []byte) (t table.Table, err error) {
	t = table.Table{Name: "released", Columns: table.Columns{
		table.Dataset, table.Method, {Title: "setting", Key: true}, {Title: "paper", Spread: true},
		{Title: "released code", Spread: true}, {Title: "runs", Right: true}, {Title: "ogdl", Spread: true},
		{Title: "runs", Right: true}, {Title: "processor time, released / ogdl", Right: true},
	}}
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return t, fmt.Errorf("released.csv: %w", err)
	}
	if len(lines) == 0 {
		return t, nil
	}
	type of struct{ scores, seconds []float64 }
	type setting struct {
		key  []string
		tool map[string]*of
	}
	var settings []*setting
	for _, line := range lines[1:] {
		if len(line) != 15 {
			return t, fmt.Errorf("released.csv: %d columns, expected 15", len(line))
		}
		at := slices.IndexFunc(settings, func(s *setting) bool { return slices.Equal(s.key, line[:9]) })
		if at < 0 {
			at = len(settings)
			settings = append(settings, &setting{line[:9], map[string]*of{"released": {}, "ogdl": {}}})
		}
		one := settings[at].tool[line[9]]
		seconds, err1 := strconv.ParseFloat(line[13], 64)
		score, err2 := strconv.ParseFloat(line[14], 64)
		if one == nil || err1 != nil || err2 != nil {
			return t, fmt.Errorf("released.csv: %q: expected a tool, released or ogdl, seconds and a Rand Index", line[9:])
		}
		one.scores, one.seconds = append(one.scores, score), append(one.seconds, seconds)
	}
	compared, apart := 0, 0
	for _, s := range settings {
		k := s.key
		what := fmt.Sprintf("%s atoms of order %s%s, steps %s%s, batches of %s, %s epoch%s", k[2], k[3],
			words.If(k[4] != "", ", alpha %s", k[4]), k[5], words.If(k[6] != "", " / %s", k[6]), k[7], k[8], words.If(k[8] != "1", "s"))
		inPaper, ratio, ours := table.Cell{}, table.Cell{}, []table.Cell(nil)
		in := summary.TableClustering
		if k[1] == "GDL_h" {
			in = summary.TableGWKMeans
		} else if k[7] == "64" {
			in = summary.TableEnzymes
		}
		printed := paper.Numbers().ScoresOf(in)
		if at := slices.IndexFunc(printed, func(x paper.PrintedScore) bool { return x.Dataset == k[0] && x.Row() == k[1] }); at >= 0 {
			inPaper = table.MeanStd(printed[at].Mean, printed[at].Std)
		}
		for _, tool := range []string{"released", "ogdl"} {
			score := paper.StatOf(s.tool[tool].scores)
			ours = append(ours, score.Cell("").If(score.N > 0), table.Int(score.N))
		}
		if a, b := paper.StatOf(s.tool["released"].scores), paper.StatOf(s.tool["ogdl"].scores); min(a.N, b.N) >= fewestRuns {
			compared++
			if i := (paper.Sampling{Printed: a.N}).Welch(b, a.Mean, a.Std); i.Low > 0 || i.High < 0 {
				apart++
			}
		}
		if a, b := s.tool["released"].seconds, s.tool["ogdl"].seconds; len(a) > 0 && len(b) > 0 {
			times := paper.StatOf(a).Mean / paper.StatOf(b).Mean // two digits: ours is a second, measured to a tenth
			digit := math.Pow(10, math.Floor(math.Log10(times))-1)
			ratio = table.Num(math.Round(times/digit)*digit, 0)
		}
		t.Add(k[0], k[1], what, inPaper, ours, ratio)
	}
	t.Note(fmt.Sprintf("Is it the paper or the implementation? The means of the two programs differ in %d of %d settings with at least %d "+
		"runs of each (95 %% interval, which is wide where deviations are large).", apart, compared, fewestRuns))
	return t, nil
}
