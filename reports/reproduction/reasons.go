package reproduction

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"ogdl/reports/paper"
)

// Reason is why a value differs, as found by looking.
type Reason struct {
	Table    string `toml:"table"` // as in printed.toml
	Dataset  string `toml:"dataset"`
	Method   string `toml:"method"` // the row: "GDL_lambda", "FGWK (SP)"
	Cause    string `toml:"cause"`
	Text     string `toml:"text"` // one sentence
	Evidence string `toml:"evidence"`
}

// maxWords bounds the sentence of a reason.
const maxWords = 30

// causes are the causes that a reason may name, with their meanings.
var causes = [][2]string{
	{"collapsed clusters", "nearly all graphs are in one cluster, and the score only measures how many"},
	{"selection", "other settings of the grid give the paper's value; the paper's rule does not select them, or only on " +
		"five seeds"},
	{"error in the paper", "the value is impossible"},
	{"choice left open", "the paper does not state a choice that moves the value to, near or past the paper's"},
	{"departure", "done otherwise than the paper states, the value agrees or comes near"},
	{"not found", "no choice that was tried gives the paper's value"},
	{partGrid.cause(), "settings that have not run may give the paper's value"},
	{smallGrid.cause(), "a small grid of our own trains otherwise, and says nothing about the paper"},
}

// byHand is the content of the file of reasons.
type byHand struct {
	NotRun  string            `toml:"not_run"`
	Commits map[string]string `toml:"commits"` // by the digest of their sources, for cells of builds that knew none
	Reason  []*Reason         `toml:"reason"`
}

// join gives the numbers their reasons from the text of a file. Errors: a reason that is stale,
// misspelt, given twice or too long, an unknown key or cause.
func join(file, text string, numbers []*Number) (list byHand, err error) {
	meta, err := toml.Decode(text, &list)
	if err != nil {
		return list, fmt.Errorf("%s: %w", file, err)
	}
	var problems []error
	for _, key := range meta.Undecoded() {
		problems = append(problems, fmt.Errorf("%s: unknown key %s; allowed: not_run, [commits], and [[reason]] with "+
			"table, dataset, method, cause, "+
			"text, evidence", file, key))
	}
	var names []string
	for _, c := range causes {
		names = append(names, c[0])
	}
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
				"evidence", len(strings.Fields(r.Text)), maxWords)
		case numbers[k].Reason != nil:
			problem = "the number has a reason already"
		case !numbers[k].off() && !is(numbers[k].last(), paper.Undecided):
			problem = "stale: the verdict is " + string(numbers[k].last().Outcome)
		case numbers[k].off() && numbers[k].Grid.cause() != r.Cause && (numbers[k].Grid != wholeGrid || r.Cause == partGrid.cause() || r.Cause == smallGrid.cause()):
			problem = fmt.Sprintf("cause %q: the number has run on %s", r.Cause, numbers[k].Grid)
		default:
			numbers[k].Reason = r
			continue
		}
		problems = append(problems, fmt.Errorf("%s: reason %d (table %q, dataset %q, method %q): "+
			"%s", file, i+1, r.Table, r.Dataset, r.Method, problem))
	}
	return list, errors.Join(problems...)
}
