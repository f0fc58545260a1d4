package page

import (
	"fmt"
	"ogdl/reports/paper"
	"ogdl/reports/table"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// Deviation is one place where the project does otherwise than the paper, or than the code
// released with it.
type Deviation struct {
	About  string `toml:"about"`
	Paper  string `toml:"paper"` // what the paper or its code says
	Ours   string `toml:"ours"`
	Reason string `toml:"reason"`
}

// Deviations lists them: what is done otherwise on purpose, then the numbers of data sets
// that cannot be those of the files.
func Deviations() []Deviation {
	list, err := parseDeviations(pageFile("deviations.toml"))
	if err != nil {
		panic("reports: deviations.toml: " + err.Error()) // built in, and tested
	}
	for _, d := range paper.Numbers().Datasets {
		if d.Remark != "" {
			list = append(list, Deviation{
				About:  "statistics of " + d.Name,
				Paper:  fmt.Sprintf("as its table of data sets prints them (attribute dimension %d, %.2f nodes, connectivity %.2f %%)", d.AttributeDim, d.MeanNodes, d.Connectivity),
				Ours:   "those of the files",
				Reason: d.Remark,
			})
		}
	}
	return list
}

// parseDeviations reads the list strictly: unknown keys and empty entries are errors.
func parseDeviations(text string) ([]Deviation, error) {
	var file struct {
		Deviation []Deviation `toml:"deviation"`
	}
	meta, err := toml.Decode(text, &file)
	if err != nil {
		return nil, err
	}
	if extra := meta.Undecoded(); len(extra) > 0 {
		return nil, fmt.Errorf("unknown key %s", extra[0])
	}
	var seen []string
	for _, d := range file.Deviation {
		for _, s := range []string{d.About, d.Paper, d.Ours, d.Reason} {
			if strings.TrimSpace(s) == "" {
				return nil, fmt.Errorf("deviation %+v: about, paper, ours and reason must all be there", d)
			}
		}
		if slices.Contains(seen, d.About) {
			return nil, fmt.Errorf("%s comes twice", d.About)
		}
		seen = append(seen, d.About)
	}
	return file.Deviation, nil
}

// DeviationsTable is the table of [Deviations].
func DeviationsTable() table.Table {
	t := table.Table{
		Name:    "deviations",
		Title:   "Where this departs from the paper or its released code",
		Columns: []table.Column{{Name: "about", Key: true}, {Name: "the paper or its code"}, {Name: "ours"}, {Name: "reason"}},
	}
	for _, d := range Deviations() {
		t.Rows = append(t.Rows, []table.Cell{table.Txt(d.About), table.Txt(d.Paper), table.Txt(d.Ours), table.Txt(d.Reason)})
	}
	return t
}
