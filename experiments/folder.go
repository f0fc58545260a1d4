package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

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
