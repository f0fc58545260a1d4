package method

import (
	"fmt"

	"ogdl/baselines/gwkmeans"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/words"
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
func checkClusters(v spec.Values, d spec.Counts) (key, want string) {
	if k := v.Integer("clusters"); k > d.Graphs {
		return "clusters", fmt.Sprintf("%s of %s: must be at most the number of graphs of %s",
			words.Plural(k, "cluster", "clusters"), words.Plural(d.Graphs, "graph", "graphs"), v.Text(spec.DatasetKey))
	}
	return "", ""
}

// clustersParam is all that a method needs which gives labels itself.
func clustersParam() []spec.Param {
	return []spec.Param{
		spec.Int("clusters", "number of clusters; data without classes are not clustered by default", wordClasses, 1, 100000, wordClasses),
	}
}

// kmeansParams are the settings of k-means.
func kmeansParams() []spec.Param {
	return []spec.Param{
		spec.Int("kmeans_restarts", "runs of k-means++, the best is kept", 100, 1, 100000),
		spec.Num("kmeans_tol", "relative tolerance of k-means", 1e-9, 0, 1),
		spec.Int("kmeans_iterations", "iterations of one run at most", 100000, 1, 10000000),
	}
}

// gwkParams are the settings of GW k-means.
func gwkParams() []spec.Param {
	return []spec.Param{
		spec.Int("gwk_restarts", "runs of GW k-means, the one with the lowest inertia is kept", 1, 1, 100000),
		spec.Int("gwk_iterations", "iterations of one run at most", gwkmeans.DefaultMaxIter, 1, 1e6),
		spec.Above("gwk_tol", "relative change of the inertia that ends a run", gwkmeans.DefaultTol, 0, 1),
		spec.Int("barycentre_rounds", "rounds of a barycentre at most", gwkmeans.DefaultBarycentreMaxIter, 1, 1e6),
		spec.Above("barycentre_tol", "relative change that ends a barycentre", gwkmeans.DefaultBarycentreTol, 0, 1),
		spec.Above("gwk_gw_tol_rel", "relative change that ends a GW solve of GW k-means", gwkmeans.DefaultGWTolRel, 0, 1),
		spec.Int("gwk_gw_iterations", "iterations of a GW solve of GW k-means at most", 10000, 1, 1e7),
	}
}

// embeddedClustering are the parameters of methods whose embeddings k-means may
// cluster, or GW k-means what the method makes of the graphs.
func embeddedClustering() []spec.Param {
	ps := append(clustersParam(), spec.Choice("cluster_by",
		"k-means of the embeddings, GW k-means of the embedded graphs, or no clustering (figures)", byEmbedding, ByGWKMeans, ByNothing))
	return append(append(ps, spec.OnlyAll(kmeansParams(), "cluster_by", byEmbedding)...), modelsClustering()...)
}

// modelsClustering are the parameters of GW k-means on embedded graphs.
func modelsClustering() []spec.Param {
	weights := spec.Choice("centroid_weights", "node weights of the centroids: uniform, or the mean of the embedded graphs' (of one order)",
		centroidsUniform, centroidsMean)
	return spec.OnlyAll(append(gwkParams(), weights), "cluster_by", ByGWKMeans)
}
