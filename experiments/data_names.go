package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ogdl/datasets"
	"ogdl/internal/record"
	"ogdl/reports"
)

// shownData says under which name the data of cells stand in tables where that is not the data
// set's own: one name with several digests has a row for each, and data that are not the published
// ones do not stand in the row, and beside the paper's numbers, of those that are.
type shownData struct {
	names    map[string]string // of a cell, by its id
	warnings map[string]string // by the name shown
}

// digestLetters is how much of a digest a name holds.
const digestLetters = 8

// unknownData stands before the path of a folder that cannot be read or is not there, in the place of
// its digest: its cells are not those of another folder of its name.
const unknownData = "data not known, path = "

// beginning is what a name holds of a digest.
func beginning(digest string) string {
	if strings.HasPrefix(digest, unknownData) {
		return digest
	}
	return digest[:min(len(digest), digestLetters)]
}

// dataNames finds what cells and their records are about.
func dataNames(cells []*cell, recs []record.Record) shownData {
	type kind struct{ dataset, weights string }
	kindOf := func(c *cell) kind {
		if c.own != nil {
			return kind{c.dataset, c.own.weights}
		}
		return kind{c.dataset, ""}
	}
	found := map[kind]map[string]string{} // digests, and the folders they were given by
	ways := map[string]map[string]bool{}  // of weighing the edges of a data set
	note := func(c *cell, digest, folder string) {
		if digest == "" || isSimulated(c.dataset) || c.dataset == nameDrawn {
			return
		}
		k := kindOf(c)
		if found[k] == nil {
			found[k] = map[string]string{}
		}
		if ways[k.dataset] == nil {
			ways[k.dataset] = map[string]bool{}
		}
		found[k][digest] = folder
		ways[k.dataset][k.weights] = true
	}
	digests := map[string]string{}
	for i := range recs {
		if recs[i].Status == record.OK {
			digests[recs[i].ID] = recs[i].Digest
		}
	}
	for _, c := range cells {
		if c.own != nil {
			digests[c.id] = cmp.Or(c.own.digest, unknownData+c.own.written)
			note(c, digests[c.id], c.own.written)
			continue
		}
		note(c, digests[c.id], "")
	}
	s := shownData{names: map[string]string{}, warnings: map[string]string{}}
	for _, c := range cells {
		digest, all := digests[c.id], found[kindOf(c)]
		if _, counts := all[digest]; !counts {
			continue
		}
		published := datasets.PublishedDigest(c.dataset)
		if c.own != nil {
			published = ""
		}
		begin := beginning(digest)
		set := c.dataset
		if c.own != nil && c.own.weights != "" && len(ways[c.dataset]) > 1 {
			set += ", edge_weights = " + c.own.weights
		}
		name := set + " [" + begin + "]"
		switch {
		case published != "" && digest != published:
			name = c.dataset + " [not the published data, " + begin + "]"
			s.warnings[name] = fmt.Sprintf("Warning: %s: these cells were computed on files whose digest is %s, and that of the published %s is %s. "+
				"Their numbers do not stand beside the paper's.", name, digest, c.dataset, published)
		case len(all) > 1 && published == "":
			var others []string
			for _, d := range slices.Sorted(maps.Keys(all)) {
				text := beginning(d)
				if all[d] != "" && !strings.HasPrefix(d, unknownData) {
					text += " (path = " + all[d] + ")"
				}
				others = append(others, text)
			}
			s.warnings[name] = fmt.Sprintf("Warning: %d data sets are called %s; their rows are told apart by the beginnings of their digests: %s.",
				len(all), c.dataset, strings.Join(others, ", "))
		case set != c.dataset:
			name = set
		default:
			continue
		}
		s.names[c.id] = name
	}
	return s
}

// rename puts the names where reports read them.
func (s shownData) rename(expected []reports.Expected, recs []record.Record) {
	for i := range expected {
		if name := s.names[expected[i].ID]; name != "" {
			expected[i].Dataset = name
		}
	}
	for i := range recs {
		if name := s.names[recs[i].ID]; name != "" {
			recs[i].Dataset = name
		}
	}
}

// warn adds to every table what there is to say of the names in it.
func (s shownData) warn(groups ...[]reports.Table) {
	for _, tables := range groups {
		for i := range tables {
			t := &tables[i]
			there := map[string]bool{} // warnings: several names share one
			for _, name := range slices.Sorted(maps.Keys(s.warnings)) {
				if w := s.warnings[name]; !there[w] && holds(t, name) {
					there[w] = true
					t.Notes = append([]string{w}, t.Notes...)
				}
			}
		}
	}
}

// holds tells whether a column or a cell of a table is a name.
func holds(t *reports.Table, name string) bool {
	if slices.ContainsFunc(t.Columns, func(c reports.Column) bool { return c.Name == name }) {
		return true
	}
	return t.Holds(name)
}
