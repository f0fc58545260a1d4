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
	"ogdl/experiments/internal/fit"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/spec"
	"ogdl/reports"
	"ogdl/reports/paper"

	"github.com/BurntSushi/toml"
)

// scopeOf reads the table, the data sets and the methods of a configuration's text, even if this
// program would reject the configuration. It omits parameter values, so that an edited grid keeps
// its scope. A text that is not TOML is an error.
func scopeOf(text string) (s [3]string, err error) {
	var doc struct {
		Table any              `toml:"table"`
		Lists map[string]any   `toml:"lists"`
		Grid  []map[string]any `toml:"grid"`
	}
	if _, err := toml.Decode(text, &doc); err != nil {
		return s, err
	}
	all := [3][]string{listed(doc.Table)}
	for _, b := range doc.Grid {
		for key, value := range b {
			text, _ := value.(string)
			if name, isName := strings.CutPrefix(text, "@"); isName {
				b[key] = doc.Lists[name]
			}
		}
		for _, v := range listed(b["dataset"]) {
			all[1] = append(all[1], datasets.PaperName(v))
		}
		for _, v := range listed(b["path"]) {
			all[1] = append(all[1], filepath.Base(filepath.Clean(v)))
		}
		all[2] = append(all[2], listed(b["method"])...)
	}
	for i, names := range all {
		slices.Sort(names)
		s[i] = strings.Join(slices.Compact(names), ", ")
	}
	return s, nil
}

// listed returns the texts of a value or list of values.
func listed(raw any) (out []string) {
	items, _ := grid.AsList(raw)
	for _, e := range items {
		if s, isText := e.(string); isText {
			out = append(out, s)
		}
	}
	return out
}

// checkFolder returns an error if the tables would replace files of the user, tables of another scope,
// or tables whose configuration cannot be read; with -force none of these. A folder of a fit is an error in
// any case.
func (j *job) checkFolder(grid []*spec.Cell) error {
	dir := j.folder()
	if exists(filepath.Join(dir, fit.ConfigFile)) {
		return fmt.Errorf("%s holds a fit (%s), and tables would replace it: give this configuration another -out, "+
			"or a name of its own (name = \"...\")", dir, fit.ConfigFile)
	}
	if line := reports.Without(dir); line != "" {
		fmt.Fprintln(j.stderr, line)
	}
	rows := paper.Distinct(grid, func(x *spec.Cell) [2]string { return [2]string{x.Dataset, x.Method.Name} })
	occupied := reports.Occupied(dir, rows, j.o.Force, reports.ReportForce)
	path := filepath.Join(dir, reports.ConfigFile)
	text, err := os.ReadFile(path)
	switch {
	case j.o.Force || errors.Is(err, fs.ErrNotExist):
		return occupied
	case err != nil:
		return err
	}
	const wayOn = "give this one another -out, or a name of its own (name = \"...\"), or replace those tables: by report -force, " +
		"or, if the store has none of its cells yet, by -force, which computes cells that are there again"
	before, err := scopeOf(string(text))
	if err != nil {
		return fmt.Errorf("%s should be the configuration that the tables next to it were made from, but cannot be read (%w): %s", path, err, wayOn)
	}
	now, _ := scopeOf(j.config.Ran)
	var differs []string
	for i, what := range []string{"table", "data sets", "methods"} {
		if now[i] != before[i] {
			differs = append(differs, fmt.Sprintf("%s %s (here %s)", what, before[i], now[i]))
		}
	}
	if differs != nil {
		return fmt.Errorf("%s holds the tables of another configuration named %s, with %s; it is kept in %s: %s", dir, j.config.Name,
			strings.Join(differs, ", "), path, wayOn)
	}
	return occupied
}

// settingsOf returns the -set settings of the run that wrote the tables in dir, for reports without.
func settingsOf(dir string) (set grid.Settings) {
	text, err := os.ReadFile(filepath.Join(dir, reports.ConfigFile))
	if err != nil {
		return nil // checkFolder reports it
	}
	for line := range strings.Lines(string(text)) {
		if given, isSet := strings.CutPrefix(strings.TrimSpace(line), grid.SetLine); isSet && set.Set(given) != nil {
			return nil
		}
		if !strings.HasPrefix(line, "#") {
			break
		}
	}
	return set
}
