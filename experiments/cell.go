package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"ogdl/datasets/loader"
	"ogdl/internal/record"
)

// cell is one number to compute: a method with all its parameters on one data
// set, under one base seed and repetition.
type cell struct {
	id         string
	place      string // orders cells, the same on every machine, whatever data it has; see key
	method     *method
	dataset    string // the paper's name, or the base name of a user's folder
	own        *own   // the user's folder; nil for the data sets known by name
	params     values // every parameter that applies, defaults included
	seed       int64
	repetition int
	confirm    bool // confirms a choice: no cell of the grid
}

// identify sets the id, and the place.
func (c *cell) identify() { c.identifyBy(c.content()) }

// identifyBy is identify with the content of the cell, or of one that differs in seed and repetition alone.
func (c *cell) identifyBy(content map[string]any) {
	if c.own != nil {
		c.id, c.place = c.identity(), c.key()
		return
	}
	content["seed"], content["repetition"] = c.seed, c.repetition
	c.id = record.ID(content)
	c.place = c.id
}

// identity hashes the cell's own content: method and version, the parameters that
// differ from their defaults, data set, loader version, seed and repetition, and of a
// user's folder the digest of its graphs. Where the cell stands in which grid plays no
// part, nor does where the folder lies.
func (c *cell) identity() string {
	if !c.known() {
		return c.key()
	}
	content := c.content()
	if c.own != nil {
		content["digest"] = c.own.digest
	}
	return record.ID(content)
}

// known tells whether the cell has an identity: without the data of a user's folder it
// has none.
func (c *cell) known() bool { return c.own == nil || c.own.digest != "" }

// checkData makes sure that a cell never computes on other graphs than its identity says.
func (c *cell) checkData(digest string) error {
	if c.own != nil && digest != c.own.digest {
		return fmt.Errorf("the files of %s have changed since this program began; run it again", c.dataset)
	}
	return nil
}

// key is the identity as far as it can be told without looking at data: of a user's
// folder it holds the path as the configuration has it. Shards are cut by it, so that they are the same
// on a machine without the data; and it stands for the identity where the digest is not known.
func (c *cell) key() string {
	content := c.content()
	if c.own != nil {
		content["path"] = c.own.written
	}
	return record.ID(content)
}

// content is what identifies a cell, but for the data of a user's folder.
func (c *cell) content() map[string]any {
	differ := map[string]any{}
	for _, q := range c.method.parameters() {
		if v, ok := c.params[q.name]; ok && v != q.def {
			differ[q.name] = v
		}
	}
	return map[string]any{
		"method":     c.method.name,
		"version":    c.method.version,
		"params":     record.Canonical(differ),
		"dataset":    c.dataset,
		"loader":     loader.Version,
		"seed":       c.seed,
		"repetition": c.repetition,
	}
}

// configuration renders the parameters that differ from their defaults, in the
// order of the table: how a cell is named in messages and lists.
func (c *cell) configuration() string {
	var parts []string
	for _, q := range c.method.parameters() {
		v, ok := c.params[q.name]
		if !ok || v == q.def {
			continue
		}
		if s, isText := v.(string); isText {
			parts = append(parts, q.name+"="+s)
			continue
		}
		parts = append(parts, q.name+"="+show(v))
	}
	return strings.Join(parts, " ")
}

// repeats tells whether both are cells of one configuration: those of a grid share their parameters.
func (c *cell) repeats(other *cell) bool {
	return c.method == other.method && c.dataset == other.dataset && c.own == other.own &&
		reflect.ValueOf(c.params).Pointer() == reflect.ValueOf(other.params).Pointer()
}

// String names the cell for messages: method, data set, parameters, repetition.
func (c *cell) String() string {
	s := c.method.name + " " + c.dataset
	if p := c.configuration(); p != "" {
		s += " " + p
	}
	if !c.method.once {
		s += " seed=" + strconv.FormatInt(c.seed, 10) + " repetition=" + strconv.Itoa(c.repetition)
	}
	return s
}

// dataKeys are the parameters that decide what a data set's graphs become.
var dataKeys = []string{"representation", "unreachable", "heat_time", "node_weights", "weight_a", "weight_b", "features", "scaling", edgeWeightsKey}

// source says where a cell's graphs come from.
type source struct {
	name, path string
	weights    string // of edges; "" for none
	simulation string // the drawn sets' settings and base seed; "" for files
}

func (c *cell) source() source {
	s := source{name: c.dataset}
	if c.own != nil {
		s.path, s.weights = c.own.folder, c.own.weights
	}
	if isSimulated(c.dataset) {
		// One draw per base seed, shared by all repetitions, whose clusterings can
		// then be compared graph by graph.
		s.simulation = fmt.Sprint(c.seed)
		for _, q := range simulationParams() {
			s.simulation += fmt.Sprintf(" %v", c.params[q.name])
		}
	}
	return s
}

// spacesKey names a source under one representation.
func (c *cell) spacesKey() string {
	key := fmt.Sprintf("%q", c.source())
	for _, k := range dataKeys {
		key += fmt.Sprintf(" %s=%v", k, c.params[k])
	}
	return key
}

// wave is the part of a run that a cell belongs to: repetition 0 of every configuration comes first, then 1, and so on,
// so that a run that is stopped has the widest table. Cells on a matrix of distances belong to the first, whatever
// their repetition: the matrix takes longer than they do, and is in memory until the last of them is done.
func (c *cell) wave() int {
	if c.shared() != "" {
		return 0
	}
	return c.repetition
}

// size is what is known of the cell's data without opening any; simulated sets tell it by their settings.
func (c *cell) size() size {
	if isSimulated(c.dataset) {
		return simulatedSize(c.dataset, c.params)
	}
	if s, ok := sizes[c.dataset]; ok && c.own == nil {
		return s
	}
	return unknownSize
}

// costStart is what storing any cell takes, in seconds.
const costStart = 0.002

// cost estimates the CPU seconds of the cell by its parameters and the size of its data alone, without the products
// that it shares.
func (c *cell) cost() float64 {
	total := costStart
	if c.method.cost != nil {
		total = c.method.cost(c)
	}
	if c.method.protocol.cost != nil {
		total += c.method.protocol.cost(c)
	}
	return total
}

// disk estimates the bytes that the cell leaves in the store, the products that it shares apart.
func (c *cell) disk() float64 {
	if c.method.disk != nil {
		return c.method.disk(c)
	}
	return diskOf(c.size().graphs)
}

// diskOf are the bytes of a record and its timing, with a cluster per graph.
func diskOf(graphs int) float64 { return 5000 + float64(10*graphs) }

// products are what the cell shares with others.
func (c *cell) products() []product {
	if c.method.products == nil {
		return nil
	}
	return c.method.products(c)
}

// shared names the products that the cell shares: cells of one name go together. It is "" for none.
func (c *cell) shared() string {
	key := ""
	for _, p := range c.products() {
		key += p.Key()
	}
	return key
}

// kindKey says what is alike: cells of one method on one data set, or products of one kind.
type kindKey struct{ method, dataset string }

func (c *cell) kind() kindKey { return kindKey{c.method.name, c.dataset} }

// contentText writes a product's content in a form that can be compared. The digest is part of it for
// users' folders alone: that of data known by name is not known without them.
func contentText(content map[string]any) string {
	name, _ := content["dataset"].(string)
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(content)) {
		x := content[key]
		if n, isInt := x.(int); isInt {
			x = float64(n) // as it comes back from a store
		}
		if key != "digest" || !slices.Contains(knownDatasets(), name) {
			parts = append(parts, fmt.Sprintf("%s=%v", key, x))
		}
	}
	return strings.Join(parts, " ")
}

// productText is contentText for a product that a cell needs; for simulated sets, whose draws only
// the digest tells apart, the key of the product.
func productText(c *cell, p product) string {
	if isSimulated(c.dataset) {
		return p.Key()
	}
	return contentText(p.Content())
}
