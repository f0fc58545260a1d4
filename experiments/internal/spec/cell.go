package spec

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ogdl/datasets/loader"
	"ogdl/internal/record"
)

// Cell is one number to compute: a method with all its parameters on one data
// set, under one base seed and repetition.
type Cell struct {
	ID         string
	Place      string // identity without the data's digest, the same on every machine; shards hash it. See IdentifyBy
	Method     *Method
	Dataset    string // the paper's name, or the base name of a user's folder
	Own        *Own   // the user's folder; nil for the data sets known by name
	Params     Values // every parameter that applies, defaults included
	Setting    int    // of the configuration: cells of one setting repeat each other, and share Params
	Seed       int64
	Repetition int
	Confirm    bool // confirms a choice: no cell of the grid
	Race       bool // its row races: it is computed only while its setting can still be selected
}

// Identify sets the id, and the place.
func (c *Cell) Identify() { c.IdentifyBy(c.Content()) }

// IdentifyBy is Identify with the content of the cell, or of one that differs in seed and repetition alone.
//
// The identity hashes the cell's own content: method and version, the parameters that differ from
// their defaults, data set, loader version, seed and repetition, and of a user's folder the digest
// of its graphs. Neither the position in a grid nor the location of a folder matters. Place is the
// identity without data: for a user's folder it has the written path instead of the digest. Shards
// are cut by it, so that they are the same on a machine without the data; and it replaces the
// identity where the digest is not known.
func (c *Cell) IdentifyBy(content map[string]any) {
	content["seed"], content["repetition"] = c.Seed, c.Repetition
	with := func(key, value string) string {
		content[key] = value
		defer delete(content, key)
		return record.ID(content)
	}
	if c.Own == nil {
		c.Place = record.ID(content)
	} else {
		c.Place = with("path", c.Own.Written)
	}
	c.ID = c.Place
	if c.Own != nil && c.Known() {
		c.ID = with("digest", c.Own.Digest)
	}
}

// Known reports whether the cell has an identity: without the data of a user's folder it has none.
func (c *Cell) Known() bool { return c.Own == nil || c.Own.Digest != "" }

// CheckData makes sure that a cell never computes on other graphs than its identity says.
func (c *Cell) CheckData(digest string) error {
	if c.Own != nil && digest != c.Own.Digest {
		return fmt.Errorf("the files of %s have changed since this program began; run it again", c.Dataset)
	}
	return nil
}

// Differing yields the parameters that differ from their defaults, in the order of the table.
func (c *Cell) Differing() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for _, q := range c.Method.Parameters() {
			if v, ok := c.Params[q.Name]; ok && v != q.Def && !yield(q.Name, v) {
				return
			}
		}
	}
}

// Content returns the content that a cell's id hashes, without the digest of a user's folder.
func (c *Cell) Content() map[string]any {
	return map[string]any{
		"method":     c.Method.Name,
		"version":    c.Method.Version,
		"params":     record.Canonical(maps.Collect(c.Differing())),
		"dataset":    c.Dataset,
		"loader":     loader.Version,
		"seed":       c.Seed,
		"repetition": c.Repetition,
	}
}

// Record returns a record of the cell, with a copy of its parameters and without a status.
func (c *Cell) Record() *record.Record {
	return &record.Record{ID: c.ID, Method: c.Method.Name, MethodVersion: c.Method.Version, Dataset: c.Dataset, LoaderVersion: loader.Version,
		Params: maps.Clone(map[string]any(c.Params)), BaseSeed: c.Seed, Repetition: c.Repetition}
}

// Stored returns the cell of a record, to estimate its work. It returns nil if the method's version
// is old or the size of the data is unknown.
func Stored(ms []Method, r *record.Record) *Cell {
	i := slices.IndexFunc(ms, func(m Method) bool { return m.Name == r.Method && m.Version == r.MethodVersion })
	if _, known := Sizes[r.Dataset]; i < 0 || !known && !IsSimulated(r.Dataset) {
		return nil
	}
	v := Values{}
	for _, q := range ms[i].Parameters() {
		if x, ok := r.Params[q.Name]; ok {
			v[q.Name] = q.Restored(x)
		}
	}
	return &Cell{Method: &ms[i], Dataset: r.Dataset, Params: v}
}

// String names the cell for messages: method, data set, parameters, repetition.
func (c *Cell) String() string {
	s := c.Method.Name + " " + c.Dataset
	for name, v := range c.Differing() {
		text, isText := v.(string)
		if !isText {
			text = Show(v)
		}
		s += " " + name + "=" + text
	}
	if !c.Method.Once {
		s += " seed=" + strconv.FormatInt(c.Seed, 10) + " repetition=" + strconv.Itoa(c.Repetition)
	}
	return s
}

// DataKeys are the parameters that decide how a data set's graphs become spaces.
var DataKeys = []string{"representation", "unreachable", "heat_time", "node_weights", "weight_a", "weight_b", "features", "scaling", EdgeWeightsKey}

// Source says where a cell's graphs come from.
type Source struct {
	Name, path string
	weights    string // of edges; "" for none
	simulation string // the drawn sets' settings and base seed; "" for files
}

// Source returns the cell's source of data.
func (c *Cell) Source() Source {
	s := Source{Name: c.Dataset}
	if c.Own != nil {
		s.path, s.weights = c.Own.Folder, c.Own.Weights
	}
	if IsSimulated(c.Dataset) {
		// One draw per base seed: clusterings of all repetitions can be compared graph by graph.
		s.simulation = fmt.Sprint(c.Seed)
		for _, q := range simulationParams() {
			s.simulation += fmt.Sprintf(" %v", c.Params[q.Name])
		}
	}
	return s
}

// SpacesKey names a source under one representation.
func (c *Cell) SpacesKey() string {
	key := fmt.Sprintf("%q", c.Source())
	for _, k := range DataKeys {
		key += fmt.Sprintf(" %s=%v", k, c.Params[k])
	}
	return key
}

// Work returns the amount of computation relative to other cells of the method on the data set.
func (c *Cell) Work() float64 {
	if c.Method.Work == nil {
		return 1
	}
	return c.Method.Work(c.Params)
}

// Products returns the products that the cell shares with others.
func (c *Cell) Products() []Product {
	if c.Method.Products == nil {
		return nil
	}
	return c.Method.Products(c)
}

// Shared names the products that the cell shares: cells of one name go together. It is "" for none.
func (c *Cell) Shared() string {
	key := ""
	for _, p := range c.Products() {
		key += p.Key()
	}
	return key
}

// KindKey is the key of times: cells of a method on a data set, or products of a kind on it.
type KindKey struct{ Method, Dataset string }

// Kind returns the key under which times of such cells are summed up.
func (c *Cell) Kind() KindKey { return KindKey{c.Method.Name, c.Dataset} }

// ContentText writes a product's content in a form that can be compared. It has the digest of a
// user's folder, but not of data known by name: that digest needs the files.
func ContentText(content map[string]any) string {
	name, _ := content["dataset"].(string)
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(content)) {
		x := content[key]
		switch n := x.(type) { // as they come back from a store
		case int:
			x = float64(n)
		case int64:
			x = float64(n)
		}
		if key != "digest" || !slices.Contains(KnownDatasets(), name) {
			parts = append(parts, fmt.Sprintf("%s=%v", key, x))
		}
	}
	return strings.Join(parts, " ")
}

// ProductText is ContentText for a product that a cell needs; for simulated sets, whose draws only
// the digest tells apart, the key of the product.
func ProductText(c *Cell, p Product) string {
	if IsSimulated(c.Dataset) {
		return p.Key()
	}
	return ContentText(p.Content)
}
