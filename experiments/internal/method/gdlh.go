package method

import (
	"ogdl/experiments/internal/spec"
	"ogdl/gdl"
	"ogdl/reports/summary"
)

// GDLH is the paper's extended model, which learns node weights too. Its models have different node
// weights, so no Mahalanobis distance bounds their distances. GW k-means clusters the models.
func GDLH() Row {
	clustering := append(clustersParam(),
		spec.Choice("cluster_by", "GW k-means of the embedded graphs, or no clustering (figures)", ByGWKMeans, ByNothing))
	return gdlRow(fitGDL, gdlParams(stepCorrective), spec.Method{
		Name:     "GDL_h",
		Version:  5,
		Doc:      "graph dictionary learning with node weights (the paper's extended model)",
		Tables:   []string{summary.TableGWKMeans, summary.FigureWeights},
		Products: sharedOf,
		Params: []spec.Param{keepParam(), shareParam(),
			spec.Num("mu", "weight of the negative quadratic regularisation of the node weights' embedding", 0.0, 0, 1e6),
			spec.Above("step_weights", "step size on the atoms' node weights", gdl.DefaultStepH, 0, 1e6),
		},
		Protocol: clusteredBy(append(clustering, modelsClustering()...)),
		Work:     atomsAndEpochs,
	})
}
