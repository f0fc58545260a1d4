package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ogdl/datasets"
	"ogdl/datasets/loader"
)

// own is a user's data set: a folder that a configuration names under path. The digest of its
// graphs is part of the identity of its cells, so that equal data find their cells wherever they
// lie, and other data under one name never do.
type own struct {
	name    string // the folder's last part, the data set's name
	written string // path as the configuration has it
	weights string // edge_weights of the cells; "" for none
	loaded  bool   // some method needs all its graphs at once
	folder  string // where it is
	missing error  // that it is not there; wraps loader.ErrMissing
	digest  string // of the graphs; "" where it is not known
	unknown error  // why it is not known
}

// load reads the data set.
func (o *own) load() (*datasets.Dataset, error) {
	return loader.Options{EdgeWeights: o.weights}.LoadFolder(o.folder)
}

// ownKey tells the data sets of a configuration apart: graphs with weights are others than those
// without.
type ownKey struct{ path, weights string }

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

// find looks for the folder: relative to the configuration's, then to that of the data sets.
func (o *own) find(beside, data string) {
	if filepath.IsAbs(o.written) {
		o.folder = o.written
		if _, err := os.Stat(o.folder); errors.Is(err, os.ErrNotExist) {
			o.missing = fmt.Errorf("%w: there is no folder path = %q", loader.ErrMissing, o.written)
		}
		return
	}
	o.folder = filepath.Join(data, o.written)
	places := []string{o.folder}
	if beside != "" {
		o.folder = filepath.Join(beside, o.written)
		places = []string{o.folder, places[0]}
	}
	for _, place := range places {
		if _, err := os.Stat(place); !errors.Is(err, os.ErrNotExist) {
			o.folder = place
			return
		}
	}
	where := "in the folder of the data sets (-data)"
	if beside != "" {
		where = "beside the configuration or " + where
	}
	o.missing = fmt.Errorf("%w: there is no folder path = %q %s", loader.ErrMissing, o.written, where)
}

// why says in a few words why the digest is not known.
func (o *own) why() string {
	if o.missing != nil {
		return "data not there"
	}
	return "data cannot be read"
}

// beside is the folder of the configuration's file; "" for an embedded one.
func (c *config) beside() string {
	if strings.HasPrefix(c.source, "embedded ") {
		return ""
	}
	return filepath.Dir(c.source)
}

// know finds the user's folders of a configuration and the digests of their graphs. A run reads them
// all, keeping the graphs for its cells; for the others a digest is enough that is remembered from a reading of
// the same files. Of data that are not there all but -list take the digest
// last read there: what is done stays. What is not known is told to w.
func (l *library) know(ctx context.Context, o *options, c *config, w io.Writer) error {
	run := !o.list && !o.report && (!o.plan || o.calibrate)
	for _, x := range c.folders() {
		if err := ctx.Err(); err != nil {
			return err
		}
		x.find(c.beside(), l.dir)
		if err := l.knowOne(ctx, x, run, !o.list); err != nil {
			return err
		}
		if x.unknown != nil && !run { // the cells of a run tell it themselves
			fmt.Fprintf(w, "%s: %v\n", x.name, x.unknown)
		}
	}
	return nil
}

// knowOne finds the digest of one folder. Only the end of the context is an error.
func (l *library) knowOne(ctx context.Context, x *own, run, gone bool) (err error) {
	if x.missing != nil {
		x.unknown = x.missing
		if gone {
			x.digest = l.memory.last(x)
		}
		return nil
	}
	stamp, err := loader.Stamp(x.folder)
	if err == nil && !run {
		x.digest = l.memory.get(x, stamp)
	}
	switch {
	case err != nil || x.digest != "":
	case run:
		x.digest, err = l.digest(ctx, &cell{method: &method{input: reading(x)}, dataset: x.name, own: x})
	default:
		x.digest, err = x.readDigest(ctx)
	}
	if err != nil {
		x.unknown = err
		return ctx.Err()
	}
	if after, err := loader.Stamp(x.folder); err == nil && after == stamp {
		l.memory.put(x, stamp, x.digest)
	}
	return nil
}

// readDigest reads the graphs, one by one where their edges have no weights.
func (o *own) readDigest(ctx context.Context) (string, error) {
	if o.weights != "" {
		d, err := o.load()
		if err != nil {
			return "", err
		}
		return d.Digest, nil
	}
	s, err := loader.OpenStream(o.folder)
	if err != nil {
		return "", err
	}
	digest, err := s.Digest(ctx)
	return digest, errors.Join(err, s.Close())
}

// reading is how the graphs of a folder are read: one by one where no method needs all of them.
func reading(x *own) input {
	if x.loaded {
		return inputSpaces
	}
	return inputStream
}
