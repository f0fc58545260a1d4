package spec

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"ogdl/datasets"
	"ogdl/datasets/loader"
)

// Own is a user's data set: a folder, or a file of JSON Lines, that a configuration names under path. The digest of its
// graphs is part of the identity of its cells, so that equal data find their cells wherever they
// lie, and other data under one name never do.
type Own struct {
	Name    string // see OwnName
	Written string // path as the configuration has it
	Weights string // edge_weights of the cells; "" for none
	Loaded  bool   // some method needs all its graphs at once
	Folder  string // where it is
	Missing error  // error if the folder does not exist; wraps loader.ErrMissing
	Digest  string // of the graphs; "" where it is not known
}

// OwnName returns the name of a user's data set: see loader.SetName, and -own after the name of a
// known data set. Its cells never have the ids of the known set's cells, whatever the folder holds.
func OwnName(path string) string {
	name := loader.SetName(path)
	if slices.Contains(KnownDatasets(), datasets.PaperName(name)) {
		return name + "-own"
	}
	return name
}

// Load reads the data set.
func (o *Own) Load() (*datasets.Dataset, error) {
	return loader.Options{EdgeWeights: o.Weights}.LoadFolder(o.Folder)
}

// Find looks for the folder next to the configuration, and then in the folder of the data sets.
func (o *Own) Find(beside, data string) {
	places, where := []string{data}, " in the folder of the data sets (-data)"
	switch {
	case filepath.IsAbs(o.Written):
		places, where = []string{""}, ""
	case beside != "":
		places, where = []string{beside, data}, " beside the configuration or"+where
	}
	for _, place := range places {
		o.Folder = filepath.Join(place, o.Written)
		if _, err := os.Stat(o.Folder); !errors.Is(err, os.ErrNotExist) {
			return
		}
	}
	o.Folder = filepath.Join(places[0], o.Written)
	o.Missing = fmt.Errorf("%w: path = %q does not exist%s", loader.ErrMissing, o.Written, where)
}

// ReadDigest reads the graphs, one by one where their edges have no weights.
func (o *Own) ReadDigest(ctx context.Context) (string, error) {
	if o.Weights != "" {
		d, err := o.Load()
		if err != nil {
			return "", err
		}
		return d.Digest, nil
	}
	s, err := loader.OpenStream(o.Folder)
	if err != nil {
		return "", err
	}
	digest, err := s.Digest(ctx)
	return digest, errors.Join(err, s.Close())
}
