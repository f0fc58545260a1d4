package method

import (
	"context"
	"math"
	"slices"

	"ogdl/baselines/spectral"
	"ogdl/experiments/internal/product"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/words"
	"ogdl/reports/summary"
)

// spectralMethod is the paper's SC: the pairwise distances are shared by all cells of
// one data set and alpha, which differ in gamma, labels and repetition.
func spectralMethod() Row {
	return Row{Fit: fitSpectral, Method: spec.Method{
		Name:    "SC",
		Version: 3,
		Doc:     "spectral clustering of pairwise (F)GW distances, affinity exp(-gamma D)",
		Tables:  []string{summary.TableClustering},
		Params: append([]spec.Param{
			AlphaParam(),
			spec.Above("gamma", "coefficient of the affinity exp(-gamma D)", 1.0, 0, 1e6),
			spec.Choice("labels", "how eigenvectors become labels: k-means of their rows, as they are or of unit length, or the discretisation of Yu "+
				"& Shi",
				spectral.KMeans, spectral.KMeansUnit, spectral.Discretise),
		}, SolveParams("")...),
		Protocol: clusteredBy(spectralClustering()),
		Check:    CheckAlpha,
		Products: SharedDistances,
	}}
}

// spectralClustering returns the clustering parameters of SC; k-means has some if labels uses it.
func spectralClustering() []spec.Param {
	ps := clustersParam()
	for _, q := range kmeansParams() {
		if q.Name == "kmeans_tol" {
			continue // the package's own
		}
		ps = append(ps, spec.Only(q, "labels", spectral.KMeans, spectral.KMeansUnit))
	}
	return ps
}

// SharedDistances are the distances of all pairs of a cell's graphs as its products, for methods with [SolveParams].
func SharedDistances(c *spec.Cell) []spec.Product {
	return []spec.Product{product.Distances(c, GWSettings(c.Params, ""))}
}

// fitSpectral clusters the graphs by their distances.
func fitSpectral(ctx context.Context, t *Task) (*Result, error) {
	d, err := t.Distances(ctx, GWSettings(t.Params, ""))
	if err != nil {
		return nil, err
	}
	k, gamma := t.Clusters(), t.Params.Number("gamma")
	embedding, err := d.Embeddings.Get(ctx, product.EmbeddingKey{Gamma: gamma, Clusters: k}, func() (*spectral.Embedding, error) {
		return spectral.Embed(ctx, d.Values, d.N, k, gamma)
	})
	if err != nil {
		return nil, err
	}
	set := &spectral.Settings{Labels: spectral.Labels(t.Params.Text("labels")),
		Restarts: t.Params.Integer("kmeans_restarts"), MaxIter: t.Params.Integer("kmeans_iterations")}
	got, err := embedding.Cluster(set, t.Rand("kmeans"))
	if err != nil {
		return nil, err
	}
	out := &Result{Labels: got.Labels, Scores: map[string]float64{}}
	out.NoteIf(got.Capped > 0, "%s of %s stopped at their iteration cap", words.Plural(got.Capped, "start", "starts"), set.Labels)
	out.Scores[artifact.NCut] = normalisedCut(d.Values, d.N, gamma, got.Labels)
	if len(got.Eigenvalues) > k {
		out.Scores[artifact.Eigengap] = got.Eigenvalues[k] - got.Eigenvalues[k-1]
	}
	out.Arrays = []npz.Array{npz.Vector("eigenvalues", got.Eigenvalues)}
	return out, nil
}

// normalisedCut is sum_c cut(c, rest) / vol(c) of a clustering in the graph of the affinities
// exp(-gamma D), which spectral clustering minimises approximately (Shi & Malik 2000). It lies
// between 0 and the number of clusters less 1; it compares clusterings under one gamma, not gammas.
func normalisedCut(d []float64, n int, gamma float64, labels []int) float64 {
	k := slices.Max(labels) + 1
	inside, volume := make([]float64, k), make([]float64, k)
	for i, l := range labels {
		for j, x := range d[i*n : (i+1)*n] {
			w := math.Exp(-gamma * x)
			volume[l] += w
			if labels[j] == l {
				inside[l] += w
			}
		}
	}
	var sum float64
	for c := range k {
		if volume[c] > 0 {
			sum += 1 - inside[c]/volume[c]
		}
	}
	return sum
}
