package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ogdl/datasets"
	"ogdl/reports"

	"github.com/BurntSushi/toml"
)

// scope is what a configuration is about: its table, data sets and methods. The values of
// parameters are left out, so that an edited grid keeps its scope.
type scope struct {
	table             string
	datasets, methods []string
}

// scopeOf reads the scope of a configuration's text, be it one that this program would refuse. ok is false
// if it is no TOML.
func scopeOf(text string) (s scope, ok bool) {
	var doc struct {
		Table any              `toml:"table"`
		Grid  []map[string]any `toml:"grid"`
	}
	if _, err := toml.Decode(text, &doc); err != nil {
		return scope{}, false
	}
	s.table, _ = doc.Table.(string)
	add := func(to *[]string, name string) {
		if !slices.Contains(*to, name) {
			*to = append(*to, name)
		}
	}
	for _, b := range doc.Grid {
		for _, v := range listed(b["method"]) {
			add(&s.methods, v)
		}
		for _, v := range listed(b["dataset"]) {
			add(&s.datasets, datasets.PaperName(v))
		}
		for _, v := range listed(b["path"]) {
			add(&s.datasets, filepath.Base(filepath.Clean(v)))
		}
	}
	return s, true
}

// listed returns the texts of a value or list of values.
func listed(raw any) (out []string) {
	items, _ := asList(raw)
	for _, e := range items {
		if s, isText := e.(string); isText {
			out = append(out, s)
		}
	}
	return out
}

// covers says in words what of an older scope is not in this one: "" if nothing. A grid
// may grow.
func (s scope) covers(old scope) (missing string) {
	var parts []string
	if s.table != old.table {
		parts = append(parts, fmt.Sprintf("table = %q", old.table))
	}
	for _, x := range []struct {
		what     string
		now, old []string
	}{{"data set", s.datasets, old.datasets}, {"method", s.methods, old.methods}} {
		for _, name := range x.old {
			if !slices.Contains(x.now, name) {
				parts = append(parts, x.what+" "+name)
			}
		}
	}
	return strings.Join(parts, ", ")
}

// checkFolder is an error if the folder of the tables was rendered from a configuration about
// something else, whose tables the run would replace. -force replaces them.
func checkFolder(o *options, c *config) error {
	if o.force {
		return nil
	}
	path := filepath.Join(folder(o, c), reports.ConfigFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	before, ok := scopeOf(string(text))
	now, _ := scopeOf(c.text)
	if !ok {
		return nil // nobody can tell any more what it was
	}
	if missing := now.covers(before); missing != "" {
		return fmt.Errorf("%s holds the tables of another configuration named %s, which also has %s (it is kept in %s): give this one another -out, "+
			"or a name of its own (name = \"...\"), or replace those tables by -report -force; with -force alone the cells are computed again too",
			folder(o, c), c.name, missing, path)
	}
	return nil
}
