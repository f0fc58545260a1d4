package spec

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"ogdl/datasets"
	"ogdl/datasets/loader"
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
	return append(Texts(datasets.PaperSets(), datasets.PaperName), NameTriangles, NameTwitch, namePartial, NameDrawn, NameD1, NameD2)
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

// Only restricts a parameter to configurations where another has one of these values.
func Only[T ~string](p Param, name string, want ...T) Param {
	texts := Texts(want, func(w T) string { return string(w) })
	p.Applies, p.Condition = func(v Values) bool { return slices.Contains(texts, v.Text(name)) }, name+" = "+Quoted(texts)
	return p
}

// WithFeatures restricts a parameter to configurations with node features.
func WithFeatures(p Param) Param {
	return Only(p, "features", datasets.KindLabels, datasets.KindAttributes, datasets.KindDegree)
}

// DatasetKey holds the cell's data set among its values, for conditions only.
const DatasetKey = "dataset"

var unbounded = math.Inf(1)

// simulationParams describe the stochastic block models behind D1 and D2.
func simulationParams() []Param {
	ps := []Param{
		Int("sbm_order_min", "smallest order drawn (released code: 15)", 10, 2, 1000),
		Int("sbm_order_max", "largest order drawn", 60, 2, 1000),
		Int("sbm_order_step", "step between orders", 5, 1, 1000),
		Int("sbm_graphs", "number of graphs (D1: per class); 0 = the paper's 100 or 150", 0, 0, 100000),
		Num("sbm_p_in", "probability of an edge inside a block", 0.9, 0, 1),
		Num("sbm_p_out", "probability of an edge between blocks", 0.1, 0, 1),
	}
	for i := range ps {
		ps[i] = Only(ps[i], DatasetKey, NameD1, NameD2)
	}
	return ps
}

// DataParams say how graphs become gw.Spaces.
func DataParams() []Param {
	return []Param{
		Choice("representation", "structure matrix of a graph",
			datasets.KindAdjacency, datasets.KindSelfLoops, datasets.KindShortestPath, datasets.KindLaplacian, datasets.KindHeatKernel),
		Only(Choice("unreachable", "distance of nodes without a path",
			datasets.UnreachableTenTimesMax, datasets.UnreachableMaxPlusOne, datasets.UnreachableError), "representation", datasets.KindShortestPath),
		Only(Above("heat_time", "t of exp(-tL)", 10.0, 0, datasets.LongestTime), "representation", datasets.KindHeatKernel),
		Choice("node_weights", "weights of a graph's nodes", datasets.KindUniform, datasets.KindPower),
		Only(Num("weight_a", "a of (deg + a)^b", 0.0, 0, unbounded), "node_weights", datasets.KindPower),
		Only(Num("weight_b", "b of (deg + a)^b", 1.0, 0, 1), "node_weights", datasets.KindPower),
		Choice("features", "node features", datasets.KindNone, datasets.KindLabels, datasets.KindAttributes, datasets.KindDegree),
		Only(Choice("scaling", "scaling of real attributes", datasets.ScalingNone, datasets.ScalingStandardise), "features", datasets.KindAttributes),
		{Name: EdgeWeightsKey, Kind: Text, Def: loader.EdgesUnweighted,
			Words: []string{loader.EdgesUnweighted, loader.EdgesAttribute, loader.EdgesAttribute + ":K"},
			Doc:   "weights of edges: their one attribute, or the K-th of several, counted from 0; a length in shortest paths, else a strength"},
	}
}

// EdgeWeightsKey is the parameter of edge weights.
const EdgeWeightsKey = "edge_weights"

// streamDataParams returns those [DataParams] that do not need all graphs, and that streams read.
func streamDataParams() []Param {
	ps := slices.DeleteFunc(DataParams(), func(q Param) bool { return q.Name == "scaling" })
	for i := range ps {
		if ps[i].Name == EdgeWeightsKey {
			ps[i].Words, ps[i].Doc = []string{loader.EdgesUnweighted}, "weights of edges, which streams do not read"
		}
	}
	return ps
}

// CheckData checks the data parameters against each other and the data set's name, without data.
func CheckData(v Values) (key, want string) {
	name := v.Text(DatasetKey)
	if IsSimulated(name) && v.Integer("sbm_order_max") < v.Integer("sbm_order_min") {
		return "sbm_order_max", fmt.Sprintf("must be at least sbm_order_min = %d", v.Integer("sbm_order_min"))
	}
	if name == NameD2 && v.Integer("sbm_order_min") < 6 {
		return "sbm_order_min", "must be at least 6 for D2, whose first block holds less than half of the nodes"
	}
	if w := v.Text(EdgeWeightsKey); w != "" && w != loader.EdgesUnweighted && slices.Contains(KnownDatasets(), name) {
		return EdgeWeightsKey, "must be \"none\" for " + name + ", whose edges have no attributes"
	}
	labels, attributes := HasOnNodes(name)
	allowed := []datasets.FeatureKind{datasets.KindNone, datasets.KindDegree}
	if labels {
		allowed = append(allowed, datasets.KindLabels)
	}
	if attributes {
		allowed = append(allowed, datasets.KindAttributes)
	}
	if features := datasets.FeatureKind(v.Text("features")); features != "" && !slices.Contains(allowed, features) {
		return "features", "must be " + Quoted(Texts(allowed, func(k datasets.FeatureKind) string { return string(k) })) + " for " + name
	}
	return "", ""
}

// HasOnNodes reports whether nodes of a known set have labels and real attributes; true if unknown.
func HasOnNodes(dataset string) (labels, attributes bool) {
	if IsSimulated(dataset) || strings.HasPrefix(dataset, "IMDB-") || dataset == NameTwitch || dataset == namePartial {
		return false, false
	}
	return dataset != NameTriangles && dataset != NameDrawn, dataset != "MUTAG" && dataset != "PTC-MR"
}
