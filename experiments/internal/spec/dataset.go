package spec

import (
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

// KnownDatasets lists the names a configuration may use, in the order of the
// paper's table.
func KnownDatasets() []string {
	var out []string
	for _, n := range datasets.PaperSets() {
		out = append(out, datasets.PaperName(n))
	}
	return append(out, NameTriangles, NameTwitch, namePartial, NameDrawn, NameD1, NameD2)
}

// Size is what is known of a data set without opening it.
type Size struct{ Graphs, Classes int }

// Sizes of the known data sets, as datasets.toml prints them.
var Sizes = map[string]Size{
	"IMDB-B": {1000, 2}, "IMDB-M": {1500, 3}, "MUTAG": {188, 2}, "PTC-MR": {344, 2}, "BZR": {405, 2}, "COX2": {467, 2},
	"ENZYMES": {600, 6}, "PROTEIN": {1113, 2}, "TRIANGLES": {45000, 10},
	NameTwitch: {127094, 2}, namePartial: {800, 2}, NameDrawn: {45000, 10},
}

// simulatedSize is the size of D1 or D2 by its settings.
func simulatedSize(dataset string, v Values) Size {
	graphs := v.Integer("sbm_graphs")
	switch {
	case dataset == NameD2 && graphs == 0:
		return Size{Graphs: 150}
	case dataset == NameD2:
		return Size{Graphs: graphs}
	case graphs == 0:
		graphs = 100
	}
	return Size{3 * graphs, 3}
}

// KnownSize returns the size of the data set among the values, where it is known without
// opening any data.
func KnownSize(v Values) (s Size, known bool) {
	name := v.Text(DatasetKey)
	if IsSimulated(name) {
		return simulatedSize(name, v), true
	}
	s, known = Sizes[name]
	return s, known
}
