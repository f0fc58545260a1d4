package main

import (
	"context"
	"fmt"
	"math"

	"ogdl/baselines/spectral"
	"ogdl/internal/npz"
	"ogdl/ot/gw"
	"ogdl/reports/summary"
)

// spectralMethod is the paper's SC: the pairwise distances are shared by all cells of
// one data set and alpha, which differ in gamma, labels and repetition.
func spectralMethod() row {
	return row{fit: fitSpectral, method: method{
		name:     "SC",
		version:  3,
		doc:      "spectral clustering of pairwise (F)GW distances, affinity exp(-gamma D)",
		tables:   []string{summary.TableClustering},
		params:   spectralParams(),
		protocol: clusteredBy(spectralClustering(), nil),
		check:    checkAlpha,
		products: spectralDistances,
		shares:   func(v values) string { return short(v.number("gamma")) },
		cost:     costSpectral,
	}}
}

func spectralParams() []param {
	return []param{
		alphaParam(),
		{name: "gamma", kind: number, def: 1.0, min: 0, max: 1e6, open: true, doc: "coefficient of the affinity exp(-gamma D)"},
		choice("labels", "how eigenvectors become labels: k-means of their rows, as they are or of unit length, or the discretisation of Yu & Shi",
			spectral.KMeans, spectral.KMeansUnit, spectral.Discretise),
		{name: "gw_tol_rel", kind: number, def: 1e-9, min: 0, max: 1, open: true, doc: "relative change that ends a GW solve"},
		{name: "gw_tol_abs", kind: number, def: 0.0, min: 0, max: 1, doc: "absolute change that ends a GW solve; 0 = 1e-9 of the scale of the two graphs"},
		{name: "gw_iterations", kind: integer, def: int64(200), min: 1, max: 1e7, doc: "iterations of a GW solve at most"},
	}
}

// spectralClustering leaves the settings of k-means to where it is used.
func spectralClustering() []param {
	ps := clustersParam()
	for _, q := range clusteringParams()[1:] {
		if q.name == "kmeans_tol" {
			continue // the package's own
		}
		q.applies = func(v values) bool { return v.text("labels") != string(spectral.Discretise) }
		q.condition = `labels = "kmeans" or "kmeans_unit"`
		ps = append(ps, q)
	}
	return ps
}

func spectralDistances(c *cell) []product {
	v := c.params
	return []product{distances{of: c, alpha: v.number("alpha"),
		gw: gw.Settings{TolRel: v.number("gw_tol_rel"), TolAbs: v.number("gw_tol_abs"), MaxIter: v.integer("gw_iterations")}}}
}

// fitSpectral clusters the graphs by their distances.
func fitSpectral(ctx context.Context, t *task) (*fitted, error) {
	k := t.clusters()
	if k == 0 {
		return nil, errNoClusters
	}
	d, err := t.distances(ctx)
	if err != nil {
		return nil, err
	}
	gamma := t.params.number("gamma")
	embedding, err := d.embeddings.get(ctx, embeddingKey{gamma, k}, func() (*spectral.Embedding, error) {
		return spectral.Embed(ctx, d.values, d.n, k, gamma)
	})
	if err != nil {
		return nil, err
	}
	set := &spectral.Settings{Gamma: gamma, Labels: spectral.Labels(t.params.text("labels")),
		Restarts: t.params.integer("kmeans_restarts"), MaxIter: t.params.integer("kmeans_iterations")}
	got, err := embedding.Cluster(set, t.rng("kmeans"))
	if err != nil {
		return nil, err
	}
	out := &fitted{labels: got.Labels, scores: map[string]float64{}}
	if got.Capped > 0 {
		out.notes = append(out.notes, fmt.Sprintf("%d starts of %s stopped at their iteration cap", got.Capped, set.Labels))
	}
	out.scores["ncut"] = normalisedCut(d.values, d.n, gamma, got.Labels)
	if len(got.Eigenvalues) > k {
		out.scores["eigengap"] = got.Eigenvalues[k] - got.Eigenvalues[k-1]
	}
	out.arrays = []npz.Array{{Name: "eigenvalues", Shape: []int{len(got.Eigenvalues)}, Float: got.Eigenvalues}}
	return out, nil
}

// normalisedCut is sum_c cut(c, rest) / vol(c) of a clustering in the graph of the
// affinities exp(-gamma D), which spectral clustering minimises approximately (Shi &
// Malik 2000). It lies between 0 and the number of clusters less 1; it compares
// clusterings under one gamma, not gammas.
func normalisedCut(d []float64, n int, gamma float64, labels []int) float64 {
	k := 0
	for _, l := range labels {
		k = max(k, l+1)
	}
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
