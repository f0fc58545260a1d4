package reproduction

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"ogdl/reports/paper"
)

// Reason is why a printed number does not hold, as somebody found who looked.
type Reason struct {
	Table   string `toml:"table"` // as in printed.toml
	Dataset string `toml:"dataset"`
	Method  string `toml:"method"` // the row: "GDL_lambda", "FGWK (SP)"
	Cause   string `toml:"cause"`
	Text    string `toml:"text"`
}

// cause is one that a reason may name.
type cause struct{ name, meaning string }

// causes of numbers that do not hold. What the paper leaves open is what neither it nor its supplement says; what they say, done otherwise, is a
// departure.
var causes = []cause{
	{"collapsed clusters", "nearly all graphs are in one cluster, ours or, by its score, the paper's, and the score says how many"},
	{"trivial level", "the paper's number is what a clustering without any knowledge of the graphs scores"},
	{"selection", "other settings of the same grid reach the paper's number; the rule by which it says it chose does not take them, or takes them on five runs and not on twenty"},
	{"error in the paper", "the number cannot be what it is said to be"},
	{"error in the released code", "the code that the authors published computes something else than the paper says"},
	{"choice left open", "the paper does not say how something is done, and it moves the number to the paper's, near it, or past it"},
	{"departure", "done otherwise than the paper says, it comes back, or near; as the paper says, it does not"},
	{"not found", "nothing that was tried brings the number back"},
	{partGrid.cause(), "the settings that have not run may bring the number back"},
	{smallGrid.cause(), "it trains otherwise than the paper, and nothing follows"},
}

// byHand is what the file of reasons holds.
type byHand struct {
	NotRun  string            `toml:"not_run"` // by which budget the parts that have run were taken
	Commits map[string]string `toml:"commits"` // by the digest of their sources, for cells of builds that knew none
	Reason  []*Reason         `toml:"reason"`
}

// join gives every number that does not hold, or is not settled, its reason, of the text of a file of them. A reason of no printed number, of
// one that holds or was not computed, or that comes twice is an error: it is stale, or misspelt. So is a key or a cause that is not known.
func join(file, text string, numbers []*Number) (list byHand, err error) {
	meta, err := toml.Decode(text, &list)
	if err != nil {
		return list, fmt.Errorf("%s: %w", file, err)
	}
	var problems []error
	for _, key := range meta.Undecoded() {
		problems = append(problems, fmt.Errorf("%s: unknown key %s; allowed: not_run, [commits], and [[reason]] with table, dataset, method, cause, text",
			file, key))
	}
	for i, r := range list.Reason {
		at := fmt.Sprintf("%s: reason %d (table %q, dataset %q, method %q)", file, i+1, r.Table, r.Dataset, r.Method)
		k := slices.IndexFunc(numbers, func(n *Number) bool {
			return n.Table == r.Table && n.Dataset == r.Dataset && n.PrintedScore.Row() == r.Method
		})
		switch {
		case k < 0:
			problems = append(problems, fmt.Errorf("%s: the paper prints no such number", at))
		case !slices.ContainsFunc(causes, func(c cause) bool { return c.name == r.Cause }):
			var names []string
			for _, c := range causes {
				names = append(names, c.name)
			}
			problems = append(problems, fmt.Errorf("%s: cause %q: want one of %s", at, r.Cause, strings.Join(names, ", ")))
		case strings.TrimSpace(r.Text) == "":
			problems = append(problems, fmt.Errorf("%s: text is missing", at))
		case numbers[k].Reason != nil:
			problems = append(problems, fmt.Errorf("%s: the number has a reason already", at))
		case !numbers[k].off() && numbers[k].Verdict().Outcome != paper.NotSettled:
			problems = append(problems, fmt.Errorf("%s: stale: the number is %s", at, numbers[k].Verdict().Outcome))
		case numbers[k].off() && !numbers[k].Grid.may(r.Cause):
			problems = append(problems, fmt.Errorf("%s: cause %q: the number has run on %s; %q and %q are the causes of numbers on such grids, and of no others",
				at, r.Cause, numbers[k].Grid.name(), partGrid.cause(), smallGrid.cause()))
		default:
			numbers[k].Reason = r
		}
	}
	return list, errors.Join(problems...)
}
