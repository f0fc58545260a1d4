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

// Size is what an estimate knows of a data set.
type Size struct {
	Graphs, Classes int
	Distinct        int     // graphs whose adjacency matrices differ
	Order           float64 // mean number of nodes
	Median          float64
	Density         float64 // 2 edges / (n-1)^2, mean
}

// Sizes of the known data sets, as datasets.toml prints them.
var Sizes = map[string]Size{
	"IMDB-B":    {1000, 2, 825, 19.77, 17, 0.555},
	"IMDB-M":    {1500, 3, 705, 13.00, 10, 0.864},
	"MUTAG":     {188, 2, 164, 17.93, 17, 0.148},
	"PTC-MR":    {344, 2, 284, 14.29, 13, 0.251},
	"BZR":       {405, 2, 361, 35.75, 35, 0.067},
	"COX2":      {467, 2, 407, 41.22, 41, 0.054},
	"ENZYMES":   {600, 6, 595, 32.63, 32, 0.171},
	"PROTEIN":   {1113, 2, 1067, 39.06, 26, 0.236},
	"TRIANGLES": {45000, 10, 45000, 20.85, 17, 0.267},

	NameTwitch:  {127094, 2, 127094, 29.67, 29, 0.21},
	namePartial: {800, 2, 800, 36.84, 37, 0.227},
	NameDrawn:   {45000, 10, 45000, 14.5, 14, 0.3},
}

// unknownSize stands for a user's folder, which is not opened.
var unknownSize = Size{500, 2, 500, 30, 30, 0.2}

// simulatedSize is the size of D1 or D2 by its settings.
func simulatedSize(dataset string, v Values) Size {
	s := Size{Graphs: v.Integer("sbm_graphs"), Order: float64(v.Integer("sbm_order_min")+v.Integer("sbm_order_max")) / 2}
	s.Median = s.Order
	s.Density = (v.Number("sbm_p_in") + v.Number("sbm_p_out")) / 2
	if dataset == NameD2 {
		if s.Graphs == 0 {
			s.Graphs = 150
		}
	} else {
		if s.Graphs == 0 {
			s.Graphs = 100
		}
		s.Graphs, s.Classes = 3*s.Graphs, 3
	}
	s.Distinct = s.Graphs
	return s
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
