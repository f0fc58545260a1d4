// Package spec describes computations: parameters and their values, methods, data sets by name and
// size, users' folders, shared products, and cells with their identity. It computes nothing.
package spec

import (
	"fmt"
	"maps"
	"slices"

	"ogdl/datasets"
)

// Input is the kind of input of a method.
type Input int

const (
	InputSpaces Input = iota // graphs as gw.Spaces, by the data parameters
	InputGraphs              // graphs as they were read or drawn
	InputStream              // graphs one by one: nothing is loaded
)

// Method is a row of the table of methods: all that is known of an algorithm but its computation.
type Method struct {
	Name string
	// Version is part of every cell's identity. Raise it when a default or the
	// algorithm changes, so that numbers of the old one are not reused.
	Version int
	Doc     string
	// Tables are the kinds of table that the method's numbers may go to.
	Tables []string
	// Params are the method's own parameters. Parameters() adds the data's and the protocol's.
	Params []Param
	Input  Input
	// Once marks a method without draws: one cell per data set. Graphs without nodes count.
	Once bool
	// Alone is set if cells measure time. They run one after the other when all other cells are
	// done, and times of another machine are not reused.
	Alone bool
	// Check holds rules between parameters; it returns the key at fault and what is
	// allowed, or "". nil where there are none.
	Check func(v Values) (key, want string)
	// Counts checks the parameters against the known sizes of the data; nil without such rules.
	Counts func(v Values, d Counts) (key, want string)
	// Resolve, if set, replaces values that depend on the data set, such as order = "median".
	Resolve func(v Values, d *datasets.Dataset) error
	// Protocol computes the scores from the method's result.
	Protocol Protocol
	// Products returns the products that a cell shares with others; nil for none.
	Products func(c *Cell) []Product
	// Work says how much a cell computes in comparison with others of the method on one data set, such as epochs times atoms; always above 0.
	// Times that were measured are scaled by it. nil: all cells are alike.
	Work func(v Values) float64

	// All caches Parameters() for the many cells of a grid.
	All []Param
}

// Rules returns a check that applies rules in order and returns the first violation.
func Rules(rules ...func(v Values) (key, want string)) func(v Values) (key, want string) {
	return func(v Values) (key, want string) {
		for _, rule := range rules {
			if key, want = rule(v); want != "" {
				break
			}
		}
		return key, want
	}
}

// Protocol describes how a method's result is scored.
type Protocol struct {
	Name   string  // by which it is evaluated; "": the method's own scores are all
	Params []Param // as they apply to the method
	// Check checks the parameters against a kind of table, and counts checks them against the known
	// sizes of the data, as in a method; nil without such rules.
	Check  func(table string, v Values) (key, want string)
	Counts func(v Values, d Counts) (key, want string)
}

// Product describes something that several cells need, and that takes longer to compute than to read.
type Product struct {
	Kind    string         // by which stored products are found
	Label   string         // in messages
	Of      *Cell          // one of the cells
	Content map[string]any // everything that decides the product, except the digest of data known by name
}

// Key names a product among those of a run.
func (p *Product) Key() string { return fmt.Sprintf("%s %q %v", p.Kind, p.Of.Source(), p.Content) }

// Parameters returns all parameters of the method: its own, the data's and the protocol's.
func (m *Method) Parameters() []Param {
	if m.All != nil {
		return m.All
	}
	all := slices.Clone(m.Params)
	if m.Input == InputStream {
		return append(all, streamDataParams()...)
	}
	all = append(all, simulationParams()...)
	if m.Input == InputSpaces {
		all = append(all, DataParams()...)
	}
	return append(all, m.Protocol.Params...)
}

// Names lists the names of the parameters.
func (m *Method) Names() []string {
	return Texts(m.Parameters(), func(q Param) string { return q.Name })
}

// Parameter returns the parameter of that name; nil if the method has none.
func (m *Method) Parameter(name string) *Param {
	all := m.Parameters()
	if i := slices.IndexFunc(all, func(q Param) bool { return q.Name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// Complete adds the defaults to the given values, in the order of the table, so that conditions see
// the parameters before them. unused lists the given parameters that have no meaning here.
func (m *Method) Complete(given Values) (v Values, unused []Param) {
	params := m.Parameters()
	v = make(Values, len(params))
	maps.Copy(v, given)
	for _, q := range params {
		if q.Def != nil && !v.Has(q.Name) {
			v[q.Name] = q.Def
		}
	}
	var out []string
	for _, q := range params {
		if q.Applies == nil || q.Applies(v) {
			continue
		}
		if given.Has(q.Name) {
			unused = append(unused, q)
		}
		out = append(out, q.Name)
	}
	for _, name := range out {
		delete(v, name)
	}
	return v, unused
}

// FromSet returns the method's defaults with the -set values of the allowed keys.
func (m *Method) FromSet(keys []string, given map[string]any) (Values, error) {
	v := Values{}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		q := m.Parameter(key)
		if q == nil || !slices.Contains(keys, key) {
			known := slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return m.Parameter(k) == nil })
			what := "unknown key"
			if q != nil {
				what = "not a key here"
			}
			return nil, fmt.Errorf("-set %s: %s%s", key, what, Expected(key, known))
		}
		x, ok := q.Parse(given[key])
		if !ok {
			return nil, fmt.Errorf("-set %s=%v: must be %s%s", key, given[key], q.Allowed(), q.Suggest(given[key]))
		}
		v[key] = x
	}
	v, unused := m.Complete(v)
	for _, q := range unused {
		return nil, fmt.Errorf("-set %s: needs %s", q.Name, q.Condition)
	}
	return v, nil
}

// Datasets lists the known data sets that the method can use.
func (m *Method) Datasets() []string {
	return slices.DeleteFunc(KnownDatasets(), func(name string) bool {
		return m.Input == InputStream && IsSimulated(name) || m.Input != InputStream && name == NameDrawn
	})
}

// Counts has the facts of a data set that are known before its cells begin.
type Counts struct {
	Graphs, Classes int
	Data            *datasets.Dataset // of a user's folder; nil for those that are known by name
}

// CheckCounts checks parameters against the size of the data before any cell starts.
func (m *Method) CheckCounts(v Values, d Counts) (key, want string) {
	for _, rule := range []func(Values, Counts) (string, string){m.Protocol.Counts, m.Counts} {
		if rule != nil && want == "" {
			key, want = rule(v, d)
		}
	}
	return key, want
}
