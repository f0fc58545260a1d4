package reports

// Choice is what the tables choose for one row: a method on a data set.
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
	for _, l := range f.lines {
		c := Choice{Dataset: l.dataset, Method: l.method}
		for _, x := range l.choices() {
			c.Chosen = append(c.Chosen, x.runs[0].ID)
		}
		out = append(out, c)
	}
	return out
}

// choices are the line's chosen configurations: with labels, then without where that is
// another.
func (l *line) choices() []*configuration {
	var out []*configuration
	if l.oracle != nil {
		out = append(out, l.oracle)
	}
	if c := l.free.configuration; c != nil && c != l.oracle {
		out = append(out, c)
	}
	return out
}

// RowNames returns the function that names the row of a kind of tables to which a cell belongs: its
// method as the paper spells it, lambda > 0 apart ("GDL_lambda").
func RowNames(tab string) func(method string, parameters map[string]any) string {
	k := kindOf(PaperNumbers(), tab)
	return func(method string, parameters map[string]any) string {
		return k.row(method, parameters)
	}
}

// Confirms reports whether a kind of tables has choices that can be confirmed: whether it is a
// clustering table.
func Confirms(tab string) bool { return isClustering(tab) }
