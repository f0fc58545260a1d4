package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ogdl/datasets"
	"ogdl/internal/record"
	"ogdl/reports/summary"
)

// shownData says under which name the data of cells stand in tables where that is not the data
// set's own: one name with several digests has a row for each, and data that are not the published
// ones do not stand in the row, and beside the paper's numbers, of those that are.
type shownData struct {
	found    map[dataKind]map[string]string // digests, and the folders they were given by
	ways     map[string]map[string]bool     // of weighing the edges of a data set
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

func (c *cell) dataKind() dataKind {
	if c.own != nil {
		return dataKind{c.dataset, c.own.weights}
	}
	return dataKind{c.dataset, ""}
}

func newShownData() *shownData {
	return &shownData{found: map[dataKind]map[string]string{}, ways: map[string]map[string]bool{}, names: map[digested]string{}, warnings: map[string]string{}}
}

// digest is that of the data of a cell, of which r is known; "" where it plays no part.
func (s *shownData) digest(c *cell, r *summary.Run) string {
	switch {
	case isSimulated(c.dataset) || c.dataset == nameDrawn:
		return ""
	case c.own != nil:
		return cmp.Or(c.own.digest, unknownData+c.own.written)
	case r.Record != nil && r.Record.Status == record.OK:
		return r.Record.Digest
	}
	return ""
}

// name finds what cells and their records are about, and puts the names where reports read them. Those of cells that were
// named before stay.
func (s *shownData) name(cells []*cell, runs []summary.Run) {
	for i, c := range cells {
		digest, folder := s.digest(c, &runs[i]), ""
		if digest == "" {
			continue
		}
		if c.own != nil {
			folder = c.own.written
		}
		k := c.dataKind()
		if s.found[k] == nil {
			s.found[k] = map[string]string{}
		}
		if s.ways[k.dataset] == nil {
			s.ways[k.dataset] = map[string]bool{}
		}
		s.found[k][digest] = folder
		s.ways[k.dataset][k.weights] = true
	}
	for i, c := range cells {
		if digest := s.digest(c, &runs[i]); digest != "" {
			runs[i].Dataset = s.nameOf(c, digest)
		}
	}
}

// nameOf is the name under which data stand.
func (s *shownData) nameOf(c *cell, digest string) string {
	at := digested{c.dataKind(), digest}
	if name, known := s.names[at]; known {
		return name
	}
	all := s.found[at.dataKind]
	published := datasets.PublishedDigest(c.dataset)
	if c.own != nil {
		published = ""
	}
	begin := beginning(digest)
	set := c.dataset
	if c.own != nil && c.own.weights != "" && len(s.ways[c.dataset]) > 1 {
		set += ", edge_weights = " + c.own.weights
	}
	name := set
	switch {
	case published != "" && digest != published:
		name = c.dataset + " [not the published data, " + begin + "]"
		s.warnings[name] = fmt.Sprintf("Warning: %s: these cells were computed on files whose digest is %s, and that of the published %s is %s. "+
			"Their numbers do not stand beside the paper's.", name, digest, c.dataset, published)
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
			len(all), c.dataset, strings.Join(others, ", "))
	}
	s.names[at] = name
	return name
}
