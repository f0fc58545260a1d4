package grid

import (
	"path/filepath"
	"slices"
	"strings"

	"ogdl/datasets/loader"
	"ogdl/experiments/internal/spec"
)

// folder returns the user's folder of that path, its edges weighed by that parameter.
func (c *Config) folder(path, weights string) *spec.Own {
	if weights == loader.EdgesUnweighted {
		weights = ""
	}
	key := spec.OwnKey{Path: path, Weights: weights}
	o := c.owned[key]
	if o == nil {
		o = &spec.Own{Name: spec.OwnName(path), Written: path, Folder: path, Weights: weights}
		c.owned[key] = o
	}
	return o
}

// Folders returns the users' folders of the configuration, one for each way of weighing edges.
func (c *Config) Folders() []*spec.Own {
	var out []*spec.Own
	for _, b := range c.blocks {
		weights := b.values(spec.EdgeWeightsKey)
		if weights == nil {
			weights = []any{""}
		}
		for _, name := range b.values(spec.DatasetKey) {
			path, isOwn := strings.CutPrefix(name.(string), pathPrefix)
			if !isOwn {
				continue
			}
			for _, w := range weights {
				o := c.folder(path, w.(string))
				o.Loaded = o.Loaded || b.method.Input != spec.InputStream
				out = distinct(out, o)
			}
		}
	}
	return out
}

// keys lists the keys of a block that are in no pair.
func (b *block) keys() []string {
	var out []string
	for _, a := range b.axes {
		if len(a.keys) == 1 {
			out = append(out, a.keys[0])
		}
	}
	return out
}

// values returns the values of a key in a block.
func (b *block) values(key string) []any {
	var out []any
	for _, a := range b.axes {
		for i, k := range a.keys {
			if k == key {
				for _, t := range a.tuples {
					out = append(out, t[i])
				}
			}
		}
	}
	return out
}

// Place returns the file and line of a key in the block of a cell on a user's folder.
func (c *Config) Place(x *spec.Cell, key string) (file string, line int) {
	p := parser{src: []byte(c.text)}
	for i, b := range c.blocks {
		given := b.values(key)
		if b.method.Name == x.Method.Name && slices.Contains(b.values(spec.DatasetKey), any(pathPrefix+x.Own.Written)) &&
			(given == nil || slices.Contains(given, x.Params[key])) {
			return b.file, p.line(i, key)
		}
	}
	return c.Source, 0
}

// Beside returns the folder of the configuration's file; "" for an embedded configuration.
func (c *Config) Beside() string {
	if strings.HasPrefix(c.Source, "embedded ") {
		return ""
	}
	return filepath.Dir(c.Source)
}
