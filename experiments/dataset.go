package main

import (
	"ogdl/datasets"
)

// Data sets that are drawn, not read.
const (
	nameD1 = "D1"
	nameD2 = "D2"
	// nameDrawn is drawn graph by graph, as TRIANGLES was: for machines without the
	// files. Only methods that read streams can use it.
	nameDrawn = "TRIANGLES-simulated"
)

const (
	nameTriangles = "TRIANGLES"
	nameTwitch    = "TWITCH-EGOS"
	namePartial   = "twitch_egos_partial"
)

func isSimulated(name string) bool { return name == nameD1 || name == nameD2 }

// knownDatasets lists the names a configuration may use, in the order of the
// paper's table.
func knownDatasets() []string {
	var out []string
	for _, n := range datasets.PaperSets() {
		out = append(out, datasets.PaperName(n))
	}
	return append(out, nameTriangles, nameTwitch, namePartial, nameDrawn, nameD1, nameD2)
}

// size is what an estimate knows of a data set.
type size struct {
	graphs, classes int
	distinct        int     // graphs whose adjacency matrices differ
	order           float64 // mean number of nodes
	median          float64
	density         float64 // 2 edges / (n-1)^2, mean
}

// sizes of the known data sets, as datasets.toml prints them.
var sizes = map[string]size{
	"IMDB-B":    {1000, 2, 825, 19.77, 17, 0.555},
	"IMDB-M":    {1500, 3, 705, 13.00, 10, 0.864},
	"MUTAG":     {188, 2, 164, 17.93, 17, 0.148},
	"PTC-MR":    {344, 2, 284, 14.29, 13, 0.251},
	"BZR":       {405, 2, 361, 35.75, 35, 0.067},
	"COX2":      {467, 2, 407, 41.22, 41, 0.054},
	"ENZYMES":   {600, 6, 595, 32.63, 32, 0.171},
	"PROTEIN":   {1113, 2, 1067, 39.06, 26, 0.236},
	"TRIANGLES": {45000, 10, 45000, 20.85, 17, 0.267},

	nameTwitch:  {127094, 2, 127094, 29.67, 29, 0.21},
	namePartial: {800, 2, 800, 36.84, 37, 0.227},
	nameDrawn:   {45000, 10, 45000, 14.5, 14, 0.3},
}

// unknownSize stands for a user's folder, which is not opened.
var unknownSize = size{500, 2, 500, 30, 30, 0.2}

// simulatedSize is the size of D1 or D2 by its settings.
func simulatedSize(dataset string, v values) size {
	s := size{graphs: v.integer("sbm_graphs"), order: float64(v.integer("sbm_order_min")+v.integer("sbm_order_max")) / 2}
	s.median = s.order
	s.density = (v.number("sbm_p_in") + v.number("sbm_p_out")) / 2
	if dataset == nameD2 {
		if s.graphs == 0 {
			s.graphs = 150
		}
	} else {
		if s.graphs == 0 {
			s.graphs = 100
		}
		s.graphs, s.classes = 3*s.graphs, 3
	}
	s.distinct = s.graphs
	return s
}

// knownSize returns the size of the data set among the values, where it is known without
// opening any data.
func knownSize(v values) (s size, known bool) {
	name := v.text(datasetKey)
	if isSimulated(name) {
		return simulatedSize(name, v), true
	}
	s, known = sizes[name]
	return s, known
}
