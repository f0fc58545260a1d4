package summary

import "slices"

// Choice names the selected settings of a row.
type Choice struct {
	Dataset, Method string // as the tables name them: "MUTAG", "GDL_lambda"
	// Chosen holds the id of a cell of each chosen configuration, its first: the one chosen with the
	// labels, then the one chosen without where that is another. Empty where nothing has run.
	Chosen []string
}

// Choices are the choices that the tables make for each row of a configuration, from the
// cells of the grid alone. The same records give the same choices.
func (f *Frame) Choices() []Choice {
	var out []Choice
	for _, l := range f.Rows {
		c := Choice{Dataset: l.Dataset, Method: l.Method}
		for _, x := range slices.Compact([]*Config{l.Oracle, l.Free}) {
			if x != nil {
				c.Chosen = append(c.Chosen, x.Runs[0].ID)
			}
		}
		out = append(out, c)
	}
	return out
}
