package main

import (
	"path/filepath"
	"slices"
	"strings"

	"ogdl/datasets/loader"
)

// folder returns the user's folder of that path, its edges weighed by that parameter.
func (c *config) folder(path, weights string) *own {
	if weights == loader.EdgesUnweighted {
		weights = ""
	}
	key := ownKey{path, weights}
	o := c.owned[key]
	if o == nil {
		o = &own{name: filepath.Base(path), written: path, folder: path, weights: weights}
		if c.owned == nil {
			c.owned = map[ownKey]*own{}
		}
		c.owned[key] = o
	}
	return o
}

// folders lists the user's folders that the configuration names, each once for all ways of weighing
// edges.
func (c *config) folders() []*own {
	var out []*own
	seen := map[*own]bool{}
	for _, b := range c.blocks {
		weights := b.values(edgeWeightsKey)
		if weights == nil {
			weights = []any{""}
		}
		for _, name := range b.values(datasetKey) {
			path, isOwn := strings.CutPrefix(name.(string), pathPrefix)
			if !isOwn {
				continue
			}
			for _, w := range weights {
				o := c.folder(path, w.(string))
				o.loaded = o.loaded || b.method.input != inputStream
				if !seen[o] {
					seen[o] = true
					out = append(out, o)
				}
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

// values lists what a block gives a key.
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

// place is where the configuration gives the key its value for a cell on a user's folder.
func (c *config) place(x *cell, key string) (file string, line int) {
	p := parser{src: []byte(c.text)}
	for i, b := range c.blocks {
		given := b.values(key)
		if b.method.name == x.method.name && slices.Contains(b.values(datasetKey), any(pathPrefix+x.own.written)) &&
			(given == nil || slices.Contains(given, x.params[key])) {
			return b.file, p.line(i, key)
		}
	}
	return c.source, 0
}

// beside is the folder of the configuration's file; "" for an embedded one.
func (c *config) beside() string {
	if strings.HasPrefix(c.source, "embedded ") {
		return ""
	}
	return filepath.Dir(c.source)
}
