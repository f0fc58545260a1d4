package main

import (
	"fmt"
	"reflect"
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

// cells expands the configuration: blocks in order, then data set and parameters,
// then seeds, then repetitions. The cells of a configuration follow each other, and one that two blocks
// share appears once.
func (c *config) cells() []*cell {
	var out []*cell
	seen := map[string]bool{}
	for _, b := range c.blocks {
		seeds, repetitions := c.seeds, c.repetitions
		if !b.method.fits {
			seeds, repetitions = []int64{0}, 1
		}
		for _, s := range b.combinations {
			x := cell{method: b.method, dataset: s.dataset, params: s.params}
			if path, isOwn := strings.CutPrefix(s.dataset, pathPrefix); isOwn {
				x.own = c.folder(path, s.params.text(edgeWeightsKey))
				x.dataset = x.own.name
			}
			same := make([]cell, 0, len(seeds)*repetitions)
			content := x.content() // of all, but for seeds and repetitions
			for _, x.seed = range seeds {
				for x.repetition = range repetitions {
					x.identifyBy(content)
					same = append(same, x)
				}
			}
			if seen[same[0].id] { // then all are
				continue
			}
			seen[same[0].id] = true
			for i := range same {
				out = append(out, &same[i])
			}
		}
	}
	return out
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
	if c.method.fits {
		s += " seed=" + strconv.FormatInt(c.seed, 10) + " repetition=" + strconv.Itoa(c.repetition)
	}
	return s
}
