package method

import (
	"fmt"
	"math"
	"slices"

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

// Values of cluster_by, and of centroid_weights.
const (
	byEmbedding = "embedding"      // in the method's own distance: Mahalanobis for GDL
	byWeights   = "weights"        // in the Euclidean distance of the weights
	byScaled    = "scaled_weights" // the same, each weight scaled to deviation 1
	ByGWKMeans  = "gw_kmeans"
	ByNothing   = "none"

	centroidsUniform = "uniform"
	centroidsMean    = "mean"
)

// clusteredBy is the protocol of clustering with these parameters.
func clusteredBy(params []spec.Param) spec.Protocol {
	return spec.Protocol{Name: ProtocolClustering, Params: params, Check: checkTable, Counts: checkClusters}
}

// checkTable checks cluster_by against the kind of table. It returns the key at fault and the
// allowed values, or "".
func checkTable(table string, v spec.Values) (key, want string) {
	switch {
	case !v.Has("cluster_by") || summary.IsFigure(table):
	case table == summary.TableGWKMeans && v.Text("cluster_by") != ByGWKMeans:
		return "cluster_by", fmt.Sprintf("must be %q in the table %q", ByGWKMeans, table)
	case table != summary.TableGWKMeans && v.Text("cluster_by") != byEmbedding && !InOtherDistance(v): // not by k-means
		return "cluster_by", fmt.Sprintf("must be %q, or another k-means of embeddings, in the table %q", byEmbedding, table)
	}
	return "", ""
}

// InOtherDistance says that k-means clusters the embeddings in another distance than the method's own.
func InOtherDistance(v spec.Values) bool {
	by := v.Text("cluster_by")
	return by == byWeights || by == byScaled
}

// checkClusters wants no more clusters than graphs. A method that does nothing but cluster needs their number on data without classes.
func checkClusters(v spec.Values, d spec.Counts) (key, want string) {
	switch k := v.Integer("clusters"); {
	case k > d.Graphs:
		return "clusters", fmt.Sprintf("%s of %s: must be at most the number of graphs of %s",
			words.Plural(k, "cluster", "clusters"), words.Plural(d.Graphs, "graph", "graphs"), v.Text(spec.DatasetKey))
	case d.Classes == 0 && v.Text("clusters") == wordClasses && !v.Has("cluster_by"):
		return "clusters", v.Text(spec.DatasetKey) + " has no classes; must be a number"
	}
	return "", ""
}

// clustersParam returns the parameter of a method that clusters by itself.
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

// embeddedClustering returns the parameters of a method that embeds graphs. k-means clusters the
// embeddings, or GW k-means the models.
func embeddedClustering(others ...string) []spec.Param {
	doc := "k-means of the embeddings, GW k-means of the embedded graphs, or no clustering (figures)"
	if len(others) > 0 {
		doc = "k-means of the embeddings in the method's own distance, in the Euclidean distance of their weights or of these scaled to deviation 1; " +
			"GW k-means of the embedded graphs; or no clustering (figures)"
	}
	kmeans := append([]string{byEmbedding}, others...)
	ps := append(clustersParam(), spec.Choice("cluster_by", doc, slices.Concat(kmeans, []string{ByGWKMeans, ByNothing})...))
	for _, p := range kmeansParams() {
		ps = append(ps, spec.Only(p, "cluster_by", kmeans...))
	}
	return append(ps, modelsClustering()...)
}

// modelsClustering are the parameters of GW k-means on embedded graphs.
func modelsClustering() []spec.Param {
	weights := spec.Choice("centroid_weights", "node weights of the centroids: uniform, or the mean of the embedded graphs' (of one order)",
		centroidsUniform, centroidsMean)
	ps := append(gwkParams(), weights)
	for i := range ps {
		ps[i] = spec.Only(ps[i], "cluster_by", ByGWKMeans)
	}
	return ps
}

// clustered returns the coordinates for cluster_by = "weights" or "scaled_weights", width per
// graph; nil otherwise. Scaled weights have deviation 1 over the graphs; constant ones become 0.
func clustered(v spec.Values, weights []float64, width int) []float64 {
	switch v.Text("cluster_by") {
	case byWeights:
		return weights
	case byScaled:
		x := slices.Clone(weights)
		n := float64(len(x) / width)
		for j := range width {
			mean, sum := 0.0, 0.0
			for i := j; i < len(x); i += width {
				mean += x[i] / n
			}
			for i := j; i < len(x); i += width {
				x[i] -= mean
				sum += float64(x[i] * x[i])
			}
			deviation := math.Sqrt(sum / n)
			for i := j; i < len(x); i += width {
				if x[i] = x[i] / deviation; deviation < 1e-12 {
					x[i] = 0
				}
			}
		}
		return x
	}
	return nil
}
