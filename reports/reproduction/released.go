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

// commands compares the numbers of a clustering by the settings of the released commands with those by the settings of the text.
func commands(name, title string, text, released []*Number) table.Table {
	t := table.Table{Name: name, Title: title, Columns: table.Columns{
		table.Dataset, table.Method, {Title: "paper", Spread: true}, {Title: "text", Spread: true},
		{Title: "text, verdict"}, {Title: "text, re-run", Spread: true}, {Title: "text, verdict on re-run"},
		{Title: "commands", Spread: true}, {Title: "commands, verdict"}, {Title: "commands, re-run", Spread: true},
		{Title: "commands, verdict on re-run"},
	}}
	var agree, ran [4]int
	for k, n := range released {
		if n.Row == nil {
			continue
		}
		var ours []table.Cell
		for i, of := range []value{text[k].Selected, text[k].Rerun, n.Selected, n.Rerun} {
			ours = append(ours, of.Cell, table.Txt(string(of.Outcome)))
			if !is(of, paper.NoRun, paper.NoVerdict) {
				ran[i]++
			}
			if is(of, paper.Agrees) {
				agree[i]++
			}
		}
		t.Add(n.Dataset, n.method(), summary.FamilyOf(n.Table).PrintedCell(n.method(), n.Dataset), ours)
	}
	for i, of := range []string{"text", "released commands"} {
		t.Note(words.If(ran[2*i] == 0, "The settings of the %s have not run.", of) + words.If(ran[2*i] > 0,
			"By the settings of the %s %d of %d values agree, and %d of %d on fresh repetitions.", of, agree[2*i], ran[2*i], agree[2*i+1], ran[2*i+1]))
	}
	t.Note(table.MarkNotes(t, "repetitions")...)
	return t
}

// commandRows are the rows of a table of [content.Commands] with signs for verdicts.
func commandRows(t table.Table) (rows [][]string) {
	for _, r := range t.Rows {
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

// code has the runs of the authors' code and of ogdl at the same settings: a row for each setting, by data set.
type code struct {
	table.Table
	Whole, Short      int // settings with fewestRuns of each program: with the paper's epochs, 20 and with node features 40, and with fewer
	Lower, ShortLower int // of Whole and of Short in which the authors' code is lower than the paper
	Higher            int // in which it is higher
	// Agree, Undecided and Apart count these settings by the verdict on the means of the two programs: Apart are different.
	Agree, Undecided, Apart int
	Widest                  float64 // interval of the difference of these means, in points
	Few                     string  // settings with fewer, with the lower number of runs
}

// Below is the number of settings in which the authors' code is lower than the paper.
func (c code) Below() int { return c.Lower + c.ShortLower }

// Compared is the number of settings that are compared.
func (c code) Compared() int { return c.Whole + c.Short }

// authors reads the runs of the authors' code.
func authors(text []byte) (t code, err error) {
	t.Table = table.Table{Name: "released", Columns: table.Columns{
		table.Dataset, table.Method, {Title: "setting", Key: true}, {Title: "paper", Spread: true},
		{Title: "released code", Spread: true}, {Title: "runs", Right: true}, {Title: "processor seconds a run", Right: true},
		{Title: "ogdl", Spread: true}, {Title: "runs", Right: true}, {Title: "processor seconds a run", Right: true}, {Title: "times faster", Right: true},
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
	var few []string
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
	for _, s := range slices.Concat(summary.Groups(settings, func(s *setting) string { return s.key[0] })...) {
		k := s.key
		what := fmt.Sprintf("%s atoms of order %s%s, steps %s%s, batches of %s, %s epoch%s", k[2], k[3],
			words.If(k[4] != "", ", alpha %s", k[4]), k[5], words.If(k[6] != "", " / %s", k[6]), k[7], k[8], words.If(k[8] != "1", "s"))
		inPaper, ratio, ours := paper.Stat{}, table.Cell{}, []table.Cell(nil)
		in := summary.TableClustering
		if k[1] == "GDL_h" {
			in = summary.TableGWKMeans
		} else if k[7] == "64" {
			in = summary.TableEnzymes
		}
		printed := paper.Numbers().ScoresOf(in)
		if at := slices.IndexFunc(printed, func(x paper.PrintedScore) bool { return x.Dataset == k[0] && x.Row() == k[1] }); at >= 0 {
			inPaper = paper.Stat{Mean: printed[at].Mean, Std: printed[at].Std, N: summary.RandIndex().Sampling(k[0]).Printed}
		}
		for _, tool := range []string{"released", "ogdl"} {
			score := paper.StatOf(s.tool[tool].scores)
			seconds := table.Num(paper.StatOf(s.tool[tool].seconds).Mean, 1).If(score.N > 0)
			ours = append(ours, score.Cell("").If(score.N > 0), table.Int(score.N), seconds)
		}
		if a, b := paper.StatOf(s.tool["released"].scores), paper.StatOf(s.tool["ogdl"].scores); min(a.N, b.N) >= fewestRuns {
			i := (paper.Sampling{Printed: a.N}).Welch(b, a.Mean, a.Std)
			t.Widest = max(t.Widest, i.High-i.Low)
			switch i.Judge(0, paper.WidestRandIndex) {
			case paper.Agrees:
				t.Agree++
			case paper.Undecided:
				t.Undecided++
			default:
				t.Apart++
			}
			of, lower := &t.Whole, &t.Lower
			if epochs, _ := strconv.Atoi(k[8]); epochs < 20 || epochs < 40 && k[4] != "" {
				of, lower = &t.Short, &t.ShortLower
			}
			*of++
			switch above(a, inPaper) {
			case 1:
				t.Higher++
			case -1:
				*lower++
			}
		} else {
			few = append(few, fmt.Sprintf("%s %s, %s epoch%s (%d)", k[0], escape(k[1]), k[8], words.If(k[8] != "1", "s"), min(a.N, b.N)))
		}
		if a, b := s.tool["released"].seconds, s.tool["ogdl"].seconds; len(a) > 0 && len(b) > 0 {
			times := paper.StatOf(a).Mean / paper.StatOf(b).Mean // two digits: ours is a second, measured to a tenth
			digit := math.Pow(10, math.Floor(math.Log10(times))-1)
			ratio = table.Num(math.Round(times/digit)*digit, 0)
		}
		t.Add(k[0], k[1], what, table.MeanStd(inPaper.Mean, inPaper.Std).If(inPaper.N > 0), ours, ratio)
	}
	t.Few = strings.Join(few, "; ")
	return t, nil
}
