package paper

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ogdl/internal/artifact"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"

	"github.com/BurntSushi/toml"
)

// Our copy of the paper's numbers against the one read off its LaTeX.
func TestPrintedNumbersAreThePapers(t *testing.T) {
	type source struct {
		Cell    []map[string]any
		Runtime []map[string]any
		Dataset []map[string]any
	}
	var theirs, ours source
	must.Do(t, must.Err(toml.DecodeFile(filepath.Join(sharedtest.Dir(t), "paper", "printed_numbers.toml"), &theirs)))
	must.Do(t, must.Err(toml.Decode(printedTOML, &ours)))
	for _, cells := range [][]map[string]any{theirs.Cell, ours.Cell} { // theirs stand table by table
		slices.SortFunc(cells, func(a, b map[string]any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	}
	for _, d := range ours.Dataset {
		delete(d, "tu")
		delete(d, "remark")
		delete(d, "splits")
	}
	must.Same(t, ours, theirs, "printed.toml, and the paper")
}

// TestClassificationIsTheLaTeXs: every accuracy of the paper's three tables of classification stands where its LaTeX has it, in its
// order and category, and what is set in bold and in italics there is the best of all rows, and of those that are no neural nets.
func TestClassificationIsTheLaTeXs(t *testing.T) {
	text := must.Get(os.ReadFile(filepath.Join(sharedtest.Dir(t), "paper", "online-graph-dictionary-learning.tex")))
	p, found := Numbers(), 0
	number := regexp.MustCompile(`^(?:\\text(bf|it)\{)?([\d.]+)\(([\d.]+)\)\}?$`)
	for _, label := range []string{"tab:res1", "tab:res2", "tab:res3"} {
		_, body, _ := strings.Cut(string(text), `\label{`+label+`}`)
		body, _, _ = strings.Cut(body, `\end{tabular}`)
		_, body, _ = strings.Cut(body, `category &`)
		var datasets, rows []string
		category, set, all, others := "", map[string]string{}, map[string]float64{}, map[string]float64{}
		for i, line := range strings.Split(strings.ReplaceAll(body, `\hline`, ""), `\\`) {
			fields := strings.Split(line, "&")
			for k := range fields {
				fields[k] = strings.Join(strings.Fields(fields[k]), " ")
			}
			if i == 0 {
				datasets = fields[1:]
				continue
			}
			if len(fields) != len(datasets)+2 {
				continue // what stands behind the last row
			}
			if fields[0] != "" {
				category = strings.ReplaceAll(fields[0], "Ours", "ours")
			}
			row := strings.Replace(fields[1], "GK (K=3)", "GK", 1)
			for k, name := range datasets {
				at := number.FindStringSubmatch(strings.ReplaceAll(fields[k+2], " ", ""))
				c, ok := p.Score("classification", row, name)
				if at == nil {
					if ok || fields[k+2] != "-" {
						t.Errorf("%s %s: %q, and ours %v", name, row, fields[k+2], c)
					}
					continue
				}
				mean, _ := strconv.ParseFloat(at[2], 64)
				std, _ := strconv.ParseFloat(at[3], 64)
				if !ok || c.Mean != mean || c.Std != std || p.Category("classification", c.Method).Name != category {
					t.Errorf("%s %s in %s: %v (%v); ours %+v", name, row, category, mean, std, c)
				}
				found++
				rows = append(rows, row)
				set[name+at[1]] = row
				best := func(of map[string]float64, what string) {
					if mean > of[name] {
						of[name], set[name+what] = mean, row
					}
				}
				best(all, " of all")
				if category != "GNN" {
					best(others, " of others")
				}
			}
		}
		rows = slices.Compact(rows)
		want := slices.DeleteFunc(p.ScoreRows("classification"), func(row string) bool { return !slices.Contains(rows, row) })
		must.Same(t, rows, want, "%s: rows", label)
		for _, name := range datasets {
			if set[name+"bf"] != set[name+" of all"] || set[name+"it"] != "" && set[name+"it"] != set[name+" of others"] {
				t.Errorf("%s: bold %s of %s, italic %s of %s", name, set[name+"bf"], set[name+" of all"], set[name+"it"], set[name+" of others"])
			}
		}
	}
	if printed := len(p.ScoresOf("classification")); found != 108 || printed != 108 {
		t.Errorf("%d numbers in the LaTeX, %d of ours", found, printed)
	}
}

func TestPrintedNumbers(t *testing.T) {
	p := Numbers()
	if len(p.ScoreRows("clustering")) != 6 || len(p.ScoreDatasets("clustering")) != 8 || len(p.Datasets) != 8 || len(p.Runtimes) != 4 {
		t.Errorf("%v, %v, %d data sets, %d runtimes", p.ScoreRows("clustering"), p.ScoreDatasets("clustering"), len(p.Datasets), len(p.Runtimes))
	}
	for _, name := range []string{"PROTEIN", "PROTEINS_full"} {
		if c, ok := p.Score("clustering", "GDL_lambda", name); !ok || c.Mean != 60.49 || c.Std != 0.71 {
			t.Errorf("%s: %+v", name, c)
		}
	}
	if _, ok := p.Score("clustering", "GDL", "D1"); ok {
		t.Error("the paper prints no Rand Index for D1")
	}
	must.Within(t, p.Runtimes[0].GDL, 52, 0, "runtime %+v", p.Runtimes[0])
}

// TestPrintedNumbersAreWhole: every entry has its names and numbers in range, and stands once.
func TestPrintedNumbersAreWhole(t *testing.T) {
	p := Numbers()
	seen := map[string]bool{}
	want := func(ok bool, entry any, key ...any) {
		if k := fmt.Sprint(key...); !ok || seen[k] {
			t.Errorf("%+v: twice %v", entry, seen[k])
		} else {
			seen[k] = true
		}
	}
	percent := func(v float64) bool { return v >= 0 && v <= 100 }
	for _, c := range p.Scores {
		want(c.Table != "" && c.Method != "" && c.Dataset != "" && percent(c.Mean) && percent(c.Std), c, "score ", c.Table, " ", c.Method, " ", c.Dataset, " ", c.Lambda, " ", c.Representation)
	}
	for _, c := range p.ScoresOf("classification") {
		k := p.Category(c.Table, c.Method)
		want(k.Name != "", c, "category ", c.Row(), c.Dataset)
	}
	for _, r := range p.Runtimes {
		want(r.Dataset != "" && r.Atoms > 0 && r.GDL > 0 && r.GWF > 0, r, "time ", r.Dataset, " ", r.Atoms)
	}
	for _, d := range p.Datasets {
		want(d.Name != "" && d.TU != "" && d.Graphs > 0 && d.Classes > 0 && d.MeanNodes > 0 && d.Connectivity > 0, d, "data ", d.Name)
	}
	for _, c := range p.Correlations {
		want(c.Dataset != "" && slices.Contains(artifact.DistancePairs(), c.Pair()) && math.Abs(c.Pearson) <= 1 && c.Decimals > 0 && c.Decimals < 16, c,
			"correlation ", c.Dataset, " ", c.X, " ", c.Y)
	}
}
