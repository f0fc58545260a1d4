package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ogdl/datasets"
	"ogdl/datasets/loader"
)

func equals(name, want string) (func(values) bool, string) {
	return func(v values) bool { return v.text(name) == want }, name + ` = "` + want + `"`
}

// only restricts a parameter to configurations where another has a given value.
func only(p param, name, want string) param {
	p.applies, p.condition = equals(name, want)
	return p
}

// withFeatures restricts a parameter to configurations with node features.
func withFeatures(p param) param {
	p.applies = func(v values) bool { return v.text("features") != datasets.KindNone }
	p.condition = `features = "labels", "attributes" or "degree"`
	return p
}

// datasetKey holds the cell's data set among its values, for conditions only.
const datasetKey = "dataset"

// simulated restricts a parameter to the simulated data sets named.
func simulated(p param) param {
	p.applies = func(v values) bool { return isSimulated(v.text(datasetKey)) }
	p.condition = `dataset = "D1" or "D2"`
	return p
}

var unbounded = math.Inf(1)

// simulationParams describe the stochastic block models behind D1 and D2.
func simulationParams() []param {
	ps := []param{
		{name: "sbm_order_min", kind: integer, def: int64(10), min: 2, max: 1000, doc: "smallest order drawn (released code: 15)"},
		{name: "sbm_order_max", kind: integer, def: int64(60), min: 2, max: 1000, doc: "largest order drawn"},
		{name: "sbm_order_step", kind: integer, def: int64(5), min: 1, max: 1000, doc: "step between orders"},
		{name: "sbm_graphs", kind: integer, def: int64(0), min: 0, max: 100000, doc: "number of graphs (D1: per class); 0 = the paper's 100 or 150"},
		{name: "sbm_p_in", kind: number, def: 0.9, min: 0, max: 1, doc: "probability of an edge inside a block"},
		{name: "sbm_p_out", kind: number, def: 0.1, min: 0, max: 1, doc: "probability of an edge between blocks"},
	}
	for i := range ps {
		ps[i] = simulated(ps[i])
	}
	return ps
}

// dataParams say how graphs become gw.Spaces.
func dataParams() []param {
	return []param{
		{name: "representation", kind: text, def: datasets.KindAdjacency, doc: "structure matrix of a graph",
			words: []string{datasets.KindAdjacency, datasets.KindShortestPath, datasets.KindLaplacian, datasets.KindHeatKernel}},
		only(param{name: "unreachable", kind: text, def: datasets.UnreachableTenTimesMax, doc: "distance of nodes without a path",
			words: []string{datasets.UnreachableTenTimesMax, datasets.UnreachableMaxPlusOne, datasets.UnreachableError}},
			"representation", datasets.KindShortestPath),
		only(param{name: "heat_time", kind: number, def: 10.0, min: 0, max: unbounded, open: true, doc: "t of exp(-tL)"},
			"representation", datasets.KindHeatKernel),
		{name: "node_weights", kind: text, def: datasets.KindUniform, words: []string{datasets.KindUniform, datasets.KindPower},
			doc: "weights of a graph's nodes"},
		only(param{name: "weight_a", kind: number, def: 0.0, min: 0, max: unbounded, doc: "a of (deg + a)^b"},
			"node_weights", datasets.KindPower),
		only(param{name: "weight_b", kind: number, def: 1.0, min: 0, max: 1, doc: "b of (deg + a)^b"},
			"node_weights", datasets.KindPower),
		{name: "features", kind: text, def: datasets.KindNone, doc: "node features",
			words: []string{datasets.KindNone, datasets.KindLabels, datasets.KindAttributes, datasets.KindDegree}},
		only(param{name: "scaling", kind: text, def: datasets.ScalingNone, doc: "scaling of real attributes",
			words: []string{datasets.ScalingNone, datasets.ScalingStandardise}},
			"features", datasets.KindAttributes),
		{name: edgeWeightsKey, kind: text, def: loader.EdgesUnweighted, words: []string{loader.EdgesUnweighted, loader.EdgesAttribute, loader.EdgesAttribute + ":K"},
			doc: "weights of edges: their one attribute, or the K-th of several, counted from 0; a length in shortest paths, else a strength"},
	}
}

// edgeWeightsKey is the parameter that says what weighs edges.
const edgeWeightsKey = "edge_weights"

// streamDataParams are dataParams without what needs a look at all graphs first, or what streams do
// not read.
func streamDataParams() []param {
	ps := slices.DeleteFunc(dataParams(), func(q param) bool { return q.name == "scaling" })
	for i := range ps {
		if ps[i].name == edgeWeightsKey {
			ps[i].words, ps[i].doc = []string{loader.EdgesUnweighted}, "weights of edges, which streams do not read"
		}
	}
	return ps
}

// checkData holds the rules between the data parameters that can be told without
// opening any data.
func checkData(v values) (key, want string) {
	name := v.text(datasetKey)
	if isSimulated(name) && v.integer("sbm_order_max") < v.integer("sbm_order_min") {
		return "sbm_order_max", fmt.Sprintf("must be at least sbm_order_min = %d", v.integer("sbm_order_min"))
	}
	if name == nameD2 && v.integer("sbm_order_min") < 6 {
		return "sbm_order_min", "must be at least 6 for D2, whose first block holds less than half of the nodes"
	}
	if w := v.text(edgeWeightsKey); w != "" && w != loader.EdgesUnweighted && slices.Contains(knownDatasets(), name) {
		return edgeWeightsKey, "must be \"none\" for " + name + ", whose edges have no attributes"
	}
	switch features := v.text("features"); {
	case features == "" || features == datasets.KindNone || features == datasets.KindDegree:
	case isSimulated(name) || strings.HasPrefix(name, "IMDB-") || name == nameTwitch || name == namePartial:
		return "features", "must be \"none\" or \"degree\" for " + name + ", which has no node features"
	case features == datasets.KindAttributes && (name == "MUTAG" || name == "PTC-MR"):
		return "features", "must be \"none\" or \"labels\" for " + name + ", which has no real attributes"
	}
	return "", ""
}
