package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ogdl/datasets"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"
	"ogdl/reports/summary"
)

// shownData says under which name the data of cells stand in tables where that is not the data
// set's own: one name with several digests has a row for each, and data that are not the published
// ones do not stand in the row, and beside the paper's numbers, of those that are.
type shownData struct {
	found    map[dataKind]map[string]string // digests, and the folders they were given by
	names    map[digested]string
	warnings map[string]string // by the name shown
}

// digested is data with their digest.
type digested struct {
	dataKind
	digest string
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

// dataKind is what data are known by, besides their digest.
type dataKind struct{ dataset, weights string }

func dataKindOf(c *spec.Cell) dataKind {
	if c.Own != nil {
		return dataKind{c.Dataset, c.Own.Weights}
	}
	return dataKind{c.Dataset, ""}
}

func newShownData() *shownData {
	return &shownData{found: map[dataKind]map[string]string{}, names: map[digested]string{}, warnings: map[string]string{}}
}

// Digest is that of the data of a cell, of which r is known; "" where it plays no part.
func (s *shownData) digest(c *spec.Cell, r *summary.Run) string {
	switch {
	case spec.IsSimulated(c.Dataset) || c.Dataset == spec.NameDrawn:
		return ""
	case c.Own != nil:
		return cmp.Or(c.Own.Digest, unknownData+c.Own.Written)
	case r.Record != nil && r.Record.Status == record.OK:
		return r.Record.Digest
	}
	return ""
}

// name finds what cells and their records are about, and puts the names where reports read them. Those of cells that were
// named before stay.
func (s *shownData) name(cells []*spec.Cell, runs []summary.Run) {
	for i, c := range cells {
		digest, folder := s.digest(c, &runs[i]), ""
		if digest == "" {
			continue
		}
		if c.Own != nil {
			folder = c.Own.Written
		}
		k := dataKindOf(c)
		if s.found[k] == nil {
			s.found[k] = map[string]string{}
		}
		s.found[k][digest] = folder
	}
	for i, c := range cells {
		if digest := s.digest(c, &runs[i]); digest != "" {
			runs[i].Dataset = s.nameOf(c, digest)
		}
	}
}

// nameOf is the name under which data stand.
func (s *shownData) nameOf(c *spec.Cell, digest string) string {
	at := digested{dataKindOf(c), digest}
	if name, known := s.names[at]; known {
		return name
	}
	all := s.found[at.dataKind]
	published := datasets.PublishedDigest(c.Dataset)
	if c.Own != nil {
		published = ""
	}
	begin := beginning(digest)
	set := c.Dataset
	ways := 0 // of weighing the edges of the data set
	for k := range s.found {
		if k.dataset == c.Dataset {
			ways++
		}
	}
	if c.Own != nil && c.Own.Weights != "" && ways > 1 {
		set += ", edge_weights = " + c.Own.Weights
	}
	name := set
	switch {
	case published != "" && digest != published:
		name = c.Dataset + " [not the published data, " + begin + "]"
		s.warnings[name] = fmt.Sprintf("Warning: %s: these cells were computed on files whose digest is %s, and that of the published %s is %s. "+
			"Their numbers do not stand beside the paper's.", name, digest, c.Dataset, published)
	case len(all) > 1 && published == "":
		name = set + " [" + begin + "]"
		var others []string
		for _, d := range slices.Sorted(maps.Keys(all)) {
			text := beginning(d)
			if all[d] != "" && !strings.HasPrefix(d, unknownData) {
				text += " (path = " + all[d] + ")"
			}
			others = append(others, text)
		}
		s.warnings[name] = fmt.Sprintf("Warning: %d data sets are called %s; their rows are told apart by the beginnings of their digests: %s.",
			len(all), c.Dataset, strings.Join(others, ", "))
	}
	s.names[at] = name
	return name
}
