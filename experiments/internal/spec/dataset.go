package spec

import (
	"cmp"

	"ogdl/datasets"
)

// Data sets that are drawn, not read.
const (
	NameD1 = "D1"
	NameD2 = "D2"
	// NameDrawn is drawn graph by graph, as TRIANGLES was: for machines without the
	// files. Only methods that read streams can use it.
	NameDrawn = "TRIANGLES-simulated"
)

const (
	NameTriangles = "TRIANGLES"
	NameTwitch    = "TWITCH-EGOS"
	namePartial   = "twitch_egos_partial"
)

// IsSimulated reports whether a data set is drawn: D1 or D2.
func IsSimulated(name string) bool { return name == NameD1 || name == NameD2 }

// KnownDatasets lists the names a configuration may use, in the order of the paper's table.
func KnownDatasets() []string {
	var out []string
	for _, n := range datasets.PaperSets() {
		out = append(out, datasets.PaperName(n))
	}
	return append(out, NameTriangles, NameTwitch, namePartial, NameDrawn, NameD1, NameD2)
}

// Size has the counts of a data set that are known without opening it.
type Size struct{ Graphs, Classes int }

// Sizes of the known data sets, as datasets.toml prints them.
var Sizes = map[string]Size{
	"IMDB-B": {1000, 2}, "IMDB-M": {1500, 3}, "MUTAG": {188, 2}, "PTC-MR": {344, 2}, "BZR": {405, 2}, "COX2": {467, 2},
	"ENZYMES": {600, 6}, "PROTEIN": {1113, 2}, "TRIANGLES": {45000, 10},
	NameTwitch: {127094, 2}, namePartial: {800, 2}, NameDrawn: {45000, 10},
}

// KnownSize returns the size of the data set among the values, if it is known without the data.
func KnownSize(v Values) (s Size, known bool) {
	switch name, graphs := v.Text(DatasetKey), v.Integer("sbm_graphs"); name {
	case NameD1:
		return Size{3 * cmp.Or(graphs, 100), 3}, true
	case NameD2:
		return Size{Graphs: cmp.Or(graphs, 150)}, true
	default:
		s, known = Sizes[name]
		return s, known
	}
}
