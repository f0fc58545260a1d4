package run

import (
	"fmt"
	"io"

	"ogdl/datasets/loader"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"
)

// current reports whether a stored record holds the cell's number: computed, by
// this version of the method, from this version of the loader, with the parameters that the cell asks for. (The id
// says as much, but for defaults; a record that contradicts it is not trusted.)
func current(c *spec.Cell, r *record.Record) bool {
	return Matches(c, r) && Contradiction(c, r) == ""
}

// Matches is current but for the parameters.
func Matches(c *spec.Cell, r *record.Record) bool {
	return r != nil && r.Status == record.OK && r.Method == c.Method.Name && r.MethodVersion == c.Method.Version &&
		r.LoaderVersion == loader.Version && r.Dataset == c.Dataset
}

// Contradiction says which parameter a record was computed with that the cell does not ask for; "" for
// none. The id leaves defaults out: a default that was changed while the method's version was not gives
// new cells the ids of old records. A parameter that the record does not name is younger than it, and its default
// leaves numbers as they were; a word such as "median" stands for whatever number it became.
func Contradiction(c *spec.Cell, r *record.Record) string {
	for _, q := range c.Method.Parameters() {
		asked, ok := c.Params[q.Name]
		if !ok {
			continue
		}
		found, ok := r.Params[q.Name]
		if !ok {
			continue
		}
		switch x := asked.(type) {
		case int64:
			asked = float64(x)
		case string:
			if _, isNumber := found.(float64); isNumber && q.Kind != spec.Text {
				continue
			}
		}
		switch x := found.(type) { // as they are before they have been in a store
		case int64:
			found = float64(x)
		case int:
			found = float64(x)
		}
		if found != asked {
			return fmt.Sprintf("its record says %s = %s, and %s is asked for", q.Name, spec.Show(found), spec.Show(asked))
		}
	}
	return ""
}

// Contradictions reports to w the records that do not say what cells ask for, each kind once.
type Contradictions map[string]bool

// Report writes to w what a record of c says against it; "" for nothing.
func (known Contradictions) Report(c *spec.Cell, what string, w io.Writer) {
	if key := c.Method.Name + what; what != "" && !known[key] {
		known[key] = true
		fmt.Fprintf(w, "%s version %d: cell %s, and perhaps others, are not taken as done: %s; "+
			"a default has changed and the method's version has not\n", c.Method.Name, c.Method.Version, c.ID, what)
	}
}
