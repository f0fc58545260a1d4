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
	for _, o := range c.Folders {
		if o.Written == path && o.Weights == weights {
			return o
		}
	}
	o := &spec.Own{Name: spec.OwnName(path), Written: path, Folder: path, Weights: weights}
	c.Folders = append(c.Folders, o)
	return o
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

// Place returns the file and line of a key in the block of a cell on a user's folder.
func (c *Config) Place(x *spec.Cell, key string) (file string, line int) {
	p := parser{src: []byte(c.text)}
	for i, b := range c.blocks {
		if slices.ContainsFunc(b.settings, func(y spec.Cell) bool {
			return y.Method.Name == x.Method.Name && y.Own == x.Own && y.Params[key] == x.Params[key]
		}) {
			return strings.TrimPrefix(c.Source, "embedded "), p.line(i, key)
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
