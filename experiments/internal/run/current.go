package run

import (
	"fmt"
	"io"

	"ogdl/datasets/loader"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/artifact"
	"ogdl/internal/record"
)

// current reports whether a stored record holds the cell's number: computed, by
// this version of the method, from this version of the loader, with the parameters that the cell asks for. (The id
// says as much, but for defaults; a record that contradicts it is not trusted.)
func current(c *spec.Cell, r *record.Record) bool {
	return r != nil && r.Status == record.OK && Contradiction(c, r) == ""
}

// Contradiction returns, in words, why a record is not the cell's: its method, version, data set,
// seed, repetition or a parameter differs, or a score is out of range. It returns "" for a record
// that fits. The id omits defaults. If a default was changed without the method's version, new
// cells have the ids of old records. A parameter that the record does not name was added later; its
// default keeps the numbers. A word such as "median" matches whatever number it became.
func Contradiction(c *spec.Cell, r *record.Record) string {
	for _, x := range []struct {
		what        string
		found, want any
	}{
		{"method", r.Method, c.Method.Name}, {"version of the method", r.MethodVersion, c.Method.Version},
		{"version of the loader", r.LoaderVersion, loader.Version}, {"data set", r.Dataset, c.Dataset},
		{"seed", r.BaseSeed, c.Seed}, {"repetition", r.Repetition, c.Repetition},
	} {
		if x.found != x.want {
			return fmt.Sprintf("its record is of %s %v, and %v is asked for", x.what, x.found, x.want)
		}
	}
	for _, x := range []struct {
		score string
		least float64
	}{{artifact.RI, 0}, {artifact.ARI, -1}, {artifact.Accuracy, 0}} {
		if v, ok := r.Scores[x.score]; ok && !(v >= x.least && v <= 1) {
			return fmt.Sprintf("its record says %s = %v, and scores are from %v to 1", x.score, v, x.least)
		}
	}
	for _, q := range c.Method.Parameters() {
		asked, there := c.Params[q.Name]
		found, known := r.Params[q.Name]
		if !there || !known {
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
		if found != asked {
			return fmt.Sprintf("its record says %s = %s, and %s is asked for; a default has changed and the method's version has not", q.Name, spec.Show(found), spec.Show(asked))
		}
	}
	return ""
}

// Contradictions reports records that do not fit their cells, each kind once.
type Contradictions map[string]bool

// Report writes to w why a record does not fit c; what is "" for a record that fits.
func (known Contradictions) Report(c *spec.Cell, what string, w io.Writer) {
	if key := c.Method.Name + what; what != "" && !known[key] {
		known[key] = true
		fmt.Fprintf(w, "%s version %d: cell %s, and perhaps others, are not taken as done: %s\n", c.Method.Name, c.Method.Version, c.ID, what)
	}
}
