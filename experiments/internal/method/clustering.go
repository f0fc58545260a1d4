package method

import (
	"fmt"

	"ogdl/baselines/gwkmeans"
	"ogdl/experiments/internal/spec"
	"ogdl/reports/summary"
)

// ProtocolClustering is the name of the protocol that groups graphs and compares the groups with the classes.
const ProtocolClustering = "clustering"

const (
	wordClasses = "classes"
	wordMedian  = "median"
	wordByAlpha = "by_alpha"
)

// What groups the graphs of a method that embeds them.
const (
	byEmbedding = "embedding"
	ByGWKMeans  = "gw_kmeans"
	ByNothing   = "none"

	centroidsUniform = "uniform"
	centroidsMean    = "mean"
)

// clusteredBy is the protocol of clustering with these parameters.
func clusteredBy(params []spec.Param, cost func(c *spec.Cell) float64) spec.Protocol {
	return spec.Protocol{Name: ProtocolClustering, Params: params, Check: checkTable, Counts: checkClusters, Cost: cost}
}

// checkTable holds the rule between a kind of table and the parameters; it returns
// the key at fault and what is allowed, or "".
func checkTable(table string, v spec.Values) (key, want string) {
	switch {
	case !v.Has("cluster_by") || summary.IsFigure(table):
	case table == summary.TableGWKMeans && v.Text("cluster_by") != ByGWKMeans:
		return "cluster_by", fmt.Sprintf("must be %q in the table %q", ByGWKMeans, table)
	case table != summary.TableGWKMeans && v.Text("cluster_by") != byEmbedding:
		return "cluster_by", fmt.Sprintf("must be %q in the table %q", byEmbedding, table)
	}
	return "", ""
}

// checkClusters wants no more clusters than graphs.
func checkClusters(v spec.Values, graphs, _ int) (key, want string) {
	if k := v.Integer("clusters"); k > graphs {
		return "clusters", fmt.Sprintf("%s of %s: must be at most the number of graphs of %s", spec.Plural(k, "cluster", "clusters"), spec.Plural(graphs, "graph", "graphs"), v.Text(spec.DatasetKey))
	}
	return "", ""
}

// clustersParam is all that a method needs which gives labels itself.
func clustersParam() []spec.Param {
	return []spec.Param{{Name: "clusters", Kind: spec.Integer, Def: wordClasses, Min: 1, Max: 100000, Words: []string{wordClasses},
		Doc: "number of clusters; data without classes are not clustered by default"}}
}

// kmeansParams are the settings of k-means.
func kmeansParams() []spec.Param {
	return []spec.Param{
		{Name: "kmeans_restarts", Kind: spec.Integer, Def: int64(100), Min: 1, Max: 100000, Doc: "runs of k-means++, the best is kept"},
		{Name: "kmeans_tol", Kind: spec.Number, Def: 1e-9, Min: 0, Max: 1, Doc: "relative tolerance of k-means"},
		{Name: "kmeans_iterations", Kind: spec.Integer, Def: int64(100000), Min: 1, Max: 10000000, Doc: "iterations of one run at most"},
	}
}

// gwkParams are the settings of GW k-means.
func gwkParams() []spec.Param {
	return []spec.Param{
		{Name: "gwk_restarts", Kind: spec.Integer, Def: int64(1), Min: 1, Max: 100000, Doc: "runs of GW k-means, the one with the lowest inertia is kept"},
		{Name: "gwk_iterations", Kind: spec.Integer, Def: int64(gwkmeans.DefaultMaxIter), Min: 1, Max: 1e6, Doc: "iterations of one run at most"},
		{Name: "gwk_tol", Kind: spec.Number, Def: gwkmeans.DefaultTol, Min: 0, Max: 1, Open: true, Doc: "relative change of the inertia that ends a run"},
		{Name: "barycentre_rounds", Kind: spec.Integer, Def: int64(gwkmeans.DefaultBarycentreMaxIter), Min: 1, Max: 1e6, Doc: "rounds of a barycentre at most"},
		{Name: "barycentre_tol", Kind: spec.Number, Def: gwkmeans.DefaultBarycentreTol, Min: 0, Max: 1, Open: true, Doc: "relative change that ends a barycentre"},
		{Name: "gwk_gw_tol_rel", Kind: spec.Number, Def: gwkmeans.DefaultGWTolRel, Min: 0, Max: 1, Open: true, Doc: "relative change that ends a GW solve of GW k-means"},
		{Name: "gwk_gw_iterations", Kind: spec.Integer, Def: int64(10000), Min: 1, Max: 1e7, Doc: "iterations of a GW solve of GW k-means at most"},
	}
}

// embeddedClustering are the parameters of methods whose embeddings k-means may
// cluster, or GW k-means what the method makes of the graphs.
func embeddedClustering() []spec.Param {
	ps := append(clustersParam(), spec.Param{Name: "cluster_by", Kind: spec.Text, Def: byEmbedding, Words: []string{byEmbedding, ByGWKMeans, ByNothing},
		Doc: "k-means of the embeddings, GW k-means of the embedded graphs, or no clustering (figures)"})
	return append(append(ps, spec.OnlyAll(kmeansParams(), "cluster_by", byEmbedding)...), modelsClustering()...)
}

// modelsClustering are the parameters of GW k-means on embedded graphs.
func modelsClustering() []spec.Param {
	weights := spec.Choice("centroid_weights", "node weights of the centroids: uniform, or the mean of the embedded graphs' (of one order)",
		centroidsUniform, centroidsMean)
	return spec.OnlyAll(append(gwkParams(), weights), "cluster_by", ByGWKMeans)
}
