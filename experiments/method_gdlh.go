package main

import (
	"ogdl/gdl"
	"ogdl/reports/summary"
)

// gdlhMethod is the paper's extended model, which learns node weights too. Its
// embedded graphs have weights of their own, so that no Mahalanobis distance bounds
// theirs: GW k-means clusters them.
func gdlhMethod() row {
	clustering := append(clustersParam(), param{name: "cluster_by", kind: text, def: byGWKMeans, words: []string{byGWKMeans, byNothing},
		doc: "GW k-means of the embedded graphs, or no clustering (figures)"})
	for _, q := range modelsClustering() {
		clustering = append(clustering, only(q, "cluster_by", byGWKMeans))
	}
	return row{fit: fitGDL, method: method{
		name:    "GDL_h",
		version: 4,
		doc:     "graph dictionary learning with node weights (the paper's extended model)",
		tables:  []string{summary.TableGWKMeans, summary.FigureWeights},
		params: append(gdlParams(), keepParam(),
			param{name: "mu", kind: number, def: 0.0, min: 0, max: 1e6, doc: "weight of the negative quadratic regularisation of the node weights' embedding"},
			param{name: "step_weights", kind: number, def: gdl.DefaultStepH, min: 0, max: 1e6, open: true, doc: "step size on the atoms' node weights"},
		),
		check:    checkGDL,
		resolve:  resolveGDL,
		counts:   checkStarts,
		protocol: clusteredBy(clustering, costClustering),
		cost:     costGDLH,
		disk:     diskAtoms,
	}}
}
