package main

import (
	"maps"
	"slices"

	"ogdl/datasets"
)

// input is what a method works on.
type input int

const (
	inputSpaces input = iota // graphs as gw.Spaces, by the data parameters
	inputGraphs              // graphs as they were read or drawn
	inputStream              // graphs one by one: nothing is loaded
)

// method describes one row of the table of methods: everything the program knows about an algorithm but
// how it is computed.
type method struct {
	name string
	// version is part of every cell's identity. Raise it when a default or the
	// algorithm changes, so that numbers of the old one are not reused.
	version int
	doc     string
	// tables are the kinds of table that the method's numbers may go to.
	tables []string
	// params are the method's own parameters; those of the data and the protocol are
	// added by parameters().
	params []param
	input  input
	// once says that nothing is fitted: there are no seeds and repetitions, and graphs without nodes count.
	once bool
	// alone says that cells measure time: they run one after the other when all others
	// are done, and what another machine has measured is not reused.
	alone bool
	// check holds rules between parameters; it returns the key at fault and what is
	// allowed, or "". nil where there are none.
	check func(v values) (key, want string)
	// counts holds those between parameters and the numbers of graphs and classes; nil where there are none.
	counts func(v values, graphs, classes int) (key, want string)
	// resolve adds to v what depends on the data set (order = "median" becomes a
	// number); nil where nothing does.
	resolve func(v values, d *datasets.Dataset) error
	// protocol says how scores come of what the method hands back.
	protocol protocol
	// products are what a cell shares with others; nil where there are none.
	products func(c *cell) []product
	// shares names what cells on the same products share besides them, computed by the first of
	// them: they are spread, so that few wait for it. nil where there is nothing.
	shares func(v values) string
	// cost estimates the CPU seconds of a cell, costStart included, up to what its protocol makes of the result and without
	// the products that it shares; disk the bytes that it stores. nil: what the least of cells takes.
	cost, disk func(c *cell) float64

	// all caches parameters() for the many cells of a grid.
	all []param
}

// protocol describes how scores come of what a method hands back.
type protocol struct {
	name   string  // by which it is evaluated; "": the method's own scores are all
	params []param // as they apply to the method
	// check holds the rules between a kind of table and the parameters, counts those between parameters and
	// the numbers of graphs and classes, as those of a method do; nil where there are none.
	check  func(table string, v values) (key, want string)
	counts func(v values, graphs, classes int) (key, want string)
	cost   func(c *cell) float64 // of evaluating, in CPU seconds, as that of a method; nil: nothing
}

// product describes something that several cells need, and that takes longer to compute than to read.
type product interface {
	// Kind says what it is.
	Kind() *productKind
	// Key names it among the products of a run, and Label in messages.
	Key() string
	Label() string
	// Content is what decides it, but for the digest of data known by name.
	Content() map[string]any
}

// productKind is what is alike in the products of one kind.
type productKind struct {
	name string
	// cost estimates the CPU seconds of a product of that content on data of that size, and disk its bytes in the store.
	cost, disk func(content map[string]any, s size) float64
}

// parameters lists every parameter of the method: its own, those of the data and
// those of the protocol.
func (m *method) parameters() []param {
	if m.all != nil {
		return m.all
	}
	all := slices.Clone(m.params)
	if m.input == inputStream {
		return append(all, streamDataParams()...)
	}
	all = append(all, simulationParams()...)
	if m.input == inputSpaces {
		all = append(all, dataParams()...)
	}
	return append(all, m.protocol.params...)
}

// complete adds the defaults to what is given, in the order of the table so
// that conditions see the parameters before them, and returns the parameters
// that were given where they have no meaning.
func (m *method) complete(given values) (v values, unused []param) {
	v = values{}
	unused = m.completeIn(v, given)
	return v, unused
}

// completeIn is complete into v, whatever it held.
func (m *method) completeIn(v, given values) (unused []param) {
	params := m.parameters()
	clear(v)
	maps.Copy(v, given)
	for _, q := range params {
		if q.def != nil && !v.has(q.name) {
			v[q.name] = q.def
		}
	}
	var out []string
	for _, q := range params {
		if q.applies == nil || q.applies(v) {
			continue
		}
		if given.has(q.name) {
			unused = append(unused, q)
		}
		out = append(out, q.name)
	}
	for _, name := range out {
		delete(v, name)
	}
	return unused
}

// datasets lists the known data sets that the method can use.
func (m *method) datasets() []string {
	return slices.DeleteFunc(knownDatasets(), func(name string) bool {
		return m.input == inputStream && isSimulated(name) || m.input != inputStream && name == nameDrawn
	})
}

// checkCounts holds the rules between parameters and the numbers of graphs and classes, which would else
// be found when the cells have begun.
func (m *method) checkCounts(v values, graphs, classes int) (key, want string) {
	for _, rule := range []func(values, int, int) (string, string){m.protocol.counts, m.counts} {
		if rule != nil && want == "" {
			key, want = rule(v, graphs, classes)
		}
	}
	return key, want
}
