package main

import (
	"fmt"

	"ogdl/baselines/gwkmeans"
	"ogdl/reports/summary"
)

// protocolClustering is the name of the protocol that groups graphs and compares the groups with the classes.
const protocolClustering = "clustering"

const (
	wordClasses = "classes"
	wordMedian  = "median"
	wordByAlpha = "by_alpha"
)

// What groups the graphs of a method that embeds them.
const (
	byEmbedding = "embedding"
	byGWKMeans  = "gw_kmeans"
	byNothing   = "none"

	centroidsUniform = "uniform"
	centroidsMean    = "mean"
)

// clusteredBy is the protocol of clustering with these parameters.
func clusteredBy(params []param, cost func(c *cell) float64) protocol {
	return protocol{name: protocolClustering, params: params, check: checkTable, counts: checkClusters, cost: cost}
}

// checkTable holds the rule between a kind of table and the parameters; it returns
// the key at fault and what is allowed, or "".
func checkTable(table string, v values) (key, want string) {
	switch {
	case !v.has("cluster_by") || summary.IsFigure(table):
	case table == summary.TableGWKMeans && v.text("cluster_by") != byGWKMeans:
		return "cluster_by", fmt.Sprintf("must be %q in the table %q", byGWKMeans, table)
	case table != summary.TableGWKMeans && v.text("cluster_by") != byEmbedding:
		return "cluster_by", fmt.Sprintf("must be %q in the table %q", byEmbedding, table)
	}
	return "", ""
}

// checkClusters wants no more clusters than graphs.
func checkClusters(v values, graphs, _ int) (key, want string) {
	if k := v.integer("clusters"); k > graphs {
		return "clusters", fmt.Sprintf("%s of %s: must be at most the number of graphs of %s", plural(k, "cluster", "clusters"), plural(graphs, "graph", "graphs"), v.text(datasetKey))
	}
	return "", ""
}

// clustersParam is all that a method needs which gives labels itself.
func clustersParam() []param {
	return []param{{name: "clusters", kind: integer, def: wordClasses, min: 1, max: 100000, words: []string{wordClasses},
		doc: "number of clusters; data without classes are not clustered by default"}}
}

// clusteringParams say how embeddings become clusters.
func clusteringParams() []param {
	return append(clustersParam(), []param{
		{name: "kmeans_restarts", kind: integer, def: int64(100), min: 1, max: 100000, doc: "runs of k-means++, the best is kept"},
		{name: "kmeans_tol", kind: number, def: 1e-9, min: 0, max: 1, doc: "relative tolerance of k-means"},
		{name: "kmeans_iterations", kind: integer, def: int64(100000), min: 1, max: 10000000, doc: "iterations of one run at most"},
	}...)
}

// gwkParams are the settings of GW k-means.
func gwkParams() []param {
	return []param{
		{name: "gwk_restarts", kind: integer, def: int64(1), min: 1, max: 100000, doc: "runs of GW k-means, the one with the lowest inertia is kept"},
		{name: "gwk_iterations", kind: integer, def: int64(gwkmeans.DefaultMaxIter), min: 1, max: 1e6, doc: "iterations of one run at most"},
		{name: "gwk_tol", kind: number, def: gwkmeans.DefaultTol, min: 0, max: 1, open: true, doc: "relative change of the inertia that ends a run"},
		{name: "barycentre_rounds", kind: integer, def: int64(gwkmeans.DefaultBarycentreMaxIter), min: 1, max: 1e6, doc: "rounds of a barycentre at most"},
		{name: "barycentre_tol", kind: number, def: gwkmeans.DefaultBarycentreTol, min: 0, max: 1, open: true, doc: "relative change that ends a barycentre"},
		{name: "gwk_gw_tol_rel", kind: number, def: gwkmeans.DefaultGWTolRel, min: 0, max: 1, open: true, doc: "relative change that ends a GW solve of GW k-means"},
		{name: "gwk_gw_iterations", kind: integer, def: int64(10000), min: 1, max: 1e7, doc: "iterations of a GW solve of GW k-means at most"},
	}
}

// embeddedClustering are the parameters of methods whose embeddings k-means may
// cluster, or GW k-means what the method makes of the graphs.
func embeddedClustering() []param {
	ps := clustersParam()
	ps = append(ps, param{name: "cluster_by", kind: text, def: byEmbedding, words: []string{byEmbedding, byGWKMeans, byNothing},
		doc: "k-means of the embeddings, GW k-means of the embedded graphs, or no clustering (figures)"})
	for _, q := range clusteringParams()[1:] {
		ps = append(ps, only(q, "cluster_by", byEmbedding))
	}
	for _, q := range modelsClustering() {
		ps = append(ps, only(q, "cluster_by", byGWKMeans))
	}
	return ps
}

// modelsClustering are the parameters of GW k-means on embedded graphs.
func modelsClustering() []param {
	return append(gwkParams(), param{name: "centroid_weights", kind: text, def: centroidsUniform, words: []string{centroidsUniform, centroidsMean},
		doc: "node weights of the centroids: uniform, or the mean of the embedded graphs' (of one order)"})
}
