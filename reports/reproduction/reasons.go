package reproduction

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"ogdl/internal/words"
	"ogdl/reports/paper"
	"ogdl/reports/table"
	"ogdl/reports/tables"
)

// Reason is why a value differs, as found by looking.
type Reason struct {
	Table    string `toml:"table"` // as in printed.toml
	Dataset  string `toml:"dataset"`
	Method   string `toml:"method"` // the row: "GDL_lambda", "FGWK (SP)"
	Cause    string `toml:"cause"`
	Text     string `toml:"text"` // a sentence or two
	Runs     string `toml:"runs"` // evidence: scores of the runs, the nearest choice, and choices that are not the cause
	Nearest  string `toml:"nearest"`
	RuledOut string `toml:"ruled_out"`
}

// maxWords bounds the sentence of a reason.
const maxWords = 30

// causes are the causes that a reason may name, with their meanings.
var causes = [][2]string{
	{"selection", "the selected runs agree and the fresh ones do not, or other settings of the grid agree and the rule does not select them"},
	{"narrower interval", "the selected runs agree; the mean of the fresh runs is as near or nearer, and 20 runs give a narrower interval than five"},
	{"choice left open", "the paper does not state this choice; with another choice one setting at least agrees, or is undecided where none can agree"},
	{"against the text", "with a choice that contradicts the paper's text one setting at least agrees"},
	{"impossible value", "no clustering into as many clusters as classes has this Rand Index"},
	{"not found", "no choice that was tried agrees"},
	{partGrid.cause(), "settings that have not run may give the paper's value"},
	{smallGrid.cause(), "the value is from our small grid with other steps; it says nothing about the paper"},
}

// byHand is the content of the file of reasons.
type byHand struct {
	NotRun string    `toml:"not_run"`
	Reason []*Reason `toml:"reason"`
}

// agreeing counts the settings of the grid that agree with the paper, the settings that were tried beyond the grid, and how many of these agree.
func (n *Number) agreeing(parts []Part) (grid, tried, choices int) {
	seen := map[string]bool{} // first runs of settings
	if n.Row != nil {
		for _, c := range n.Row.Configs {
			seen[c.Runs[0].ID] = true
			if tables.Agrees(n.Row, c, n.PrintedScore) {
				grid++
			}
		}
	}
	for _, part := range parts {
		if part.Frame == nil || !part.Choices && !part.Commands {
			continue
		}
		for _, row := range part.Frame.Rows {
			if part.Frame.Family.Name != n.Table || tables.WithoutSVM(row) != n.method() || paper.Numbers().DatasetName(row.Dataset) != n.Dataset {
				continue
			}
			for _, c := range row.Configs {
				if seen[c.Runs[0].ID] || c.Done == 0 {
					continue
				}
				seen[c.Runs[0].ID] = true
				tried++
				if tables.Agrees(row, c, n.PrintedScore) {
					choices++
				}
			}
		}
	}
	return grid, tried, choices
}

// unfounded says why a cause contradicts the settings of the grid, and of the choices; "" if it does not.
func (n *Number) unfounded(cause string, grid, choices int) string {
	wrong := cause == "selection" && grid == 0 || cause == "narrower interval" && !is(n.Selected, paper.Agrees) ||
		cause == "choice left open" && grid+choices == 0 || cause == "against the text" && (choices == 0 || grid > 0) || cause == "not found" && grid+choices > 0
	return words.If(wrong, "cause %q: %s of the grid and %d of the choices agree", cause, words.Plural(grid, "setting", "settings"), choices)
}

// join gives the numbers their reasons from the text of a file. Errors: a reason that is stale,
// misspelt, given twice or too long, an unknown key or cause, a cause that the scores contradict.
func join(file, text string, numbers []*Number, parts []Part) (list byHand, err error) {
	meta, err := toml.Decode(text, &list)
	if err != nil {
		return list, fmt.Errorf("%s: %w", file, err)
	}
	var problems []error
	for _, key := range meta.Undecoded() {
		problems = append(problems, fmt.Errorf("%s: unknown key %s; allowed: not_run, and [[reason]] with "+
			"table, dataset, method, cause, "+
			"text, runs, nearest, ruled_out", file, key))
	}
	names := table.Map(causes, func(c [2]string) string { return c[0] })
	for i, r := range list.Reason {
		k := slices.IndexFunc(numbers, func(n *Number) bool { return n.Table == r.Table && n.Dataset == r.Dataset && n.method() == r.Method })
		problem := ""
		switch {
		case k < 0:
			problem = "the paper prints no such number"
		case !slices.Contains(names, r.Cause):
			problem = fmt.Sprintf("cause %q: want one of %s", r.Cause, strings.Join(names, ", "))
		case strings.TrimSpace(r.Text) == "" || len(strings.Fields(r.Text)) > maxWords:
			problem = fmt.Sprintf("text has %d words: want 1 to %d; the rest belongs to "+
				"runs, nearest and ruled_out", len(strings.Fields(r.Text)), maxWords)
		case numbers[k].Reason != nil:
			problem = "the number has a reason already"
		case !numbers[k].off() && !is(numbers[k].last(), paper.Undecided):
			problem = "stale: the verdict is " + string(numbers[k].last().Outcome)
		case numbers[k].off() && numbers[k].Grid.cause() != r.Cause && (numbers[k].Grid != wholeGrid || r.Cause == partGrid.cause() || r.Cause == smallGrid.cause()):
			problem = fmt.Sprintf("cause %q: the number has run on %s", r.Cause, numbers[k].Grid)
		default:
			grid, tried, choices := numbers[k].agreeing(parts)
			if problem = numbers[k].unfounded(r.Cause, grid, choices); problem == "" {
				numbers[k].Reason, numbers[k].Tried, numbers[k].Agree = r, tried, choices
				continue
			}
		}
		problems = append(problems, fmt.Errorf("%s: reason %d (table %q, dataset %q, method %q): "+
			"%s", file, i+1, r.Table, r.Dataset, r.Method, problem))
	}
	return list, errors.Join(problems...)
}
