package kernels_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/baselines/kernels"
	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"
)

var ctx = context.Background()

// fromEdges is the graph of the given edges, each given once.
func fromEdges(n int, edges [][2]int) kernels.Graph {
	joined := make([]bool, n*n)
	for _, e := range edges {
		joined[e[0]*n+e[1]], joined[e[1]*n+e[0]] = true, true
	}
	g := kernels.Graph{Neighbors: make([][]int32, n)}
	for i := range n {
		for j := range n {
			if joined[i*n+j] {
				g.Neighbors[i] = append(g.Neighbors[i], int32(j))
			}
		}
	}
	return g
}

func field(t testing.TB, ref map[string]json.RawMessage, key string, v any) {
	t.Helper()
	raw, ok := ref[key]
	if !ok {
		t.Fatalf("the reference has no %s", key)
	}
	if err := json.Unmarshal(raw, v); err != nil {
		t.Fatalf("%s: %v", key, err)
	}
}

// triangle is the upper triangle of a matrix, row by row: flat, or in rows.
type triangle []float64

func (u *triangle) UnmarshalJSON(data []byte) error {
	var rows [][]float64
	if json.Unmarshal(data, &rows) == nil {
		for _, row := range rows {
			*u = append(*u, row...)
		}
		return nil
	}
	return json.Unmarshal(data, (*[]float64)(u))
}

// compare holds a matrix to an upper triangle, within a relative tolerance; 0 means equal.
func compare(t *testing.T, what string, K []float64, want triangle, tol float64) {
	t.Helper()
	n := int(math.Sqrt(float64(len(K))))
	must.Equal(t, len(want), n*(n+1)/2, "%s: numbers for %d graphs", what, n)
	at, worst := 0, 0.0
	for i := range n {
		for j := i; j < n; j++ {
			got, w := K[i*n+j], want[at]
			must.Equal(t, got, K[j*n+i], "%s: entry (%d, %d), and its mirror", what, i, j)
			if !(math.Abs(got-w) <= tol*math.Abs(w)) {
				t.Fatalf("%s: entry (%d, %d) is %v, want %v within %v", what, i, j, got, w, tol)
			}
			if w != 0 {
				worst = max(worst, math.Abs(got-w)/math.Abs(w))
			}
			at++
		}
	}
	if tol > 0 {
		t.Logf("%s: largest relative error %.1e", what, worst)
	}
}

// inner is the upper triangle of the inner products of rows.
func inner(rows [][4]float64) (u triangle) {
	for i := range rows {
		for j := i; j < len(rows); j++ {
			sum := 0.0
			for k, x := range rows[i] {
				sum += x * rows[j][k]
			}
			u = append(u, sum)
		}
	}
	return u
}

// published are graphs of a published set: the first column of labels, attributes of a kind.
func published(t testing.TB, name string, features datasets.FeatureKind) []kernels.Graph {
	t.Helper()
	d := must.Get(loader.Load(sharedtest.Data(t, name), name))
	rows, _ := must.Get2(datasets.Features{Kind: features}.Of(d))
	graphs := make([]kernels.Graph, len(d.Graphs))
	for i := range graphs {
		graphs[i] = kernels.Graph{Neighbors: d.Graphs[i].Neighbors}
		if len(d.LabelValues) > 0 {
			graphs[i].Labels = d.Graphs[i].Labels[0]
		}
		if rows != nil {
			graphs[i].Attributes = rows[i]
		}
	}
	return graphs
}

// TestPublished compares with another implementation (GraKeL 0.1.8) on the first 30 graphs of three sets.
func TestPublished(t *testing.T) {
	for _, set := range []struct {
		name     string
		features datasets.FeatureKind
		depths   []int
		walks    []walks
		steps    []int
	}{
		{"MUTAG", datasets.KindLabels, []int{1, 3, 5, 9},
			[]walks{{"RWK_labels_lam0.0001", 1e-4, kernels.WithLabels, 1e-6}, {"RWK_labels_lam0.01_baseline", 1e-2, kernels.WithLabels, 1e-10},
				{"RWK_nolabels_lam0.01", 1e-2, kernels.WithoutLabels, 1e-10}}, []int{1, 5, 15}},
		{"PTC_MR", datasets.KindLabels, []int{2, 4, 8},
			[]walks{{"RWK_labels_lam1e-06", 1e-6, kernels.WithLabels, 1e-6}, {"RWK_nolabels_lam0.001", 1e-3, kernels.WithoutLabels, 1e-10}}, []int{3, 8, 20}},
		{"ENZYMES", datasets.KindAttributes, []int{1, 7},
			[]walks{{"RWK_labels_lam1e-05", 1e-5, kernels.WithLabels, 1e-6}, {"RWK_labels_lam0.01_baseline", 1e-2, kernels.WithLabels, 1e-10}}, []int{1, 10}},
	} {
		t.Run(set.name, func(t *testing.T) {
			graphs := published(t, set.name, set.features)[:30]
			var ref map[string]json.RawMessage
			sharedtest.JSON(t, "classification/kernels_"+set.name+".json", &ref)
			want := func(key string) (u triangle) { field(t, ref, key, &u); return u }

			for key, labels := range map[string]kernels.Labels{"SPK_labels": kernels.WithLabels, "SPK_nolabels": kernels.WithoutLabels} {
				if _, ok := ref[key]; ok {
					K := must.Get(kernels.ShortestPath(ctx, graphs, labels))
					compare(t, key, K, want(key), 0)
				}
			}
			all := must.Get(kernels.WeisfeilerLehman(ctx, graphs, 9))
			for _, h := range set.depths {
				compare(t, fmt.Sprint("WLK ", h), all[h], want(fmt.Sprint("WLK_h", h)), 0)
			}
			graphletsMatch(t, graphs, ref)
			for _, w := range set.walks {
				all := must.Get(kernels.RandomWalk(ctx, graphs, []float64{w.lambda}, w.labels, 2))
				compare(t, w.key, all[0], want(w.key), w.tol)
			}
			if _, ok := ref["HOPPERK_linear"]; ok {
				K := must.Get(kernels.GraphHopper(ctx, graphs))
				compare(t, "HOPPERK", K, want("HOPPERK_linear"), 1e-10)
			}
			if _, ok := ref["HOPPERK_gaussian_mu1"]; ok {
				K := must.Get(kernels.GraphHopperGaussian(ctx, graphs, 1, 2))
				compare(t, "HOPPERK, gaussian", K, want("HOPPERK_gaussian_mu1"), 1e-10)
			}
			var p map[string]json.RawMessage
			field(t, ref, "PROPAK_attr", &p)
			var draws kernels.Draws
			var stored struct {
				W    float64
				U, B [][]float64
			}
			field(t, p, "draws_t20", &stored)
			draws = kernels.Draws{Width: stored.W, U: stored.U, B: stored.B}
			all = must.Get(kernels.Propagation(ctx, graphs, &draws, set.steps))
			for s, steps := range set.steps {
				var u triangle
				field(t, p, fmt.Sprint("t_max_", steps), &u)
				compare(t, fmt.Sprint("PROPAK, steps ", steps), all[s], u, 0)
			}
		})
	}
}

// walks is a reference matrix of random walks.
type walks struct {
	key    string
	lambda float64
	labels kernels.Labels
	tol    float64
}

// graphletsMatch compares with exact counts; with counts of connected graphlets alone, many of which have one too
// many; and with the frequencies of sampled ones.
func graphletsMatch(t *testing.T, graphs []kernels.Graph, ref map[string]json.RawMessage) {
	t.Helper()
	found := false
	if _, ok := ref["GK3_census"]; ok {
		var census struct{ Counts [][4]float64 }
		field(t, ref, "GK3_census", &census)
		want, at := inner(census.Counts), 0
		for i := range graphs {
			for j := i; j < len(graphs); j++ {
				if i == j && graphs[i].Order() < 3 { // one graphlet by itself, which the counts leave out
					want[at]++
				}
				at++
			}
		}
		K := must.Get(kernels.Graphlets(ctx, graphs))
		compare(t, "GK", K, want, 0)
		found = true
	}
	if _, ok := ref["GK3_connected_phi"]; ok {
		var connected struct{ Phi [][]float64 }
		field(t, ref, "GK3_connected_phi", &connected)
		for i := range graphs {
			c := kernels.Census(&graphs[i])
			if more := connected.Phi[i][0] - c[2]; c[3] != 0 || more != 0 && more != 1 {
				t.Errorf("graph %d: census %v, connected ones with two edges %v", i, c, connected.Phi[i])
			}
		}
	}
	for _, c := range []struct {
		key    string
		within float64
	}{{"GK3_sampled_d0.05_e0.05", .03}, {"GK3_sampled_d0.1_e0.1", .07}} {
		if _, ok := ref[c.key]; !ok {
			continue
		}
		found = true
		var sampled struct {
			Samples int         `json:"n_samples"`
			Phi     [][]float64 `json:"phi"`
			Bins    [][2]int    `json:"bins_nodes_edges"`
		}
		field(t, ref, c.key, &sampled)
		for i := range graphs {
			if graphs[i].Order() < 3 {
				continue
			}
			exact, ours := share(kernels.Census(&graphs[i])), share(kernels.Sample(&graphs[i], sampled.Samples, rand.New(rand.NewPCG(1, uint64(i)))))
			var theirs [4]float64
			for k, bin := range sampled.Bins {
				if bin[0] == 3 {
					theirs[bin[1]] = sampled.Phi[i][k]
				}
			}
			theirs = share(theirs)
			for k := range exact {
				must.Within(t, theirs[k], exact[k], c.within, "%s: graph %d, %d edges: their sample", c.key, i, k)
				must.Within(t, ours[k], exact[k], c.within, "%s: graph %d, %d edges: our sample", c.key, i, k)
			}
		}
	}
	if !found {
		t.Error("no reference for graphlets")
	}
}

func share(x [4]float64) [4]float64 {
	sum := x[0] + x[1] + x[2] + x[3]
	for k := range x {
		x[k] /= sum
	}
	return x
}

// TestTwins counts the graphs of the IMDB sets that another graph of the set equals but for the order of its nodes, as far as five rounds of
// Weisfeiler and Lehman tell, and those whose class most of the equal graphs have: docs/reproduction/reasons.toml names these numbers.
func TestTwins(t *testing.T) {
	for name, want := range map[string][2]int{"IMDB-BINARY": {579, 417}, "IMDB-MULTI": {1212, 581}} {
		d := must.Get(loader.Load(sharedtest.Data(t, name), name))
		graphs := make([]kernels.Graph, len(d.Graphs))
		for i := range graphs {
			graphs[i] = kernels.Graph{Neighbors: d.Graphs[i].Neighbors, Labels: make([]int, d.Graphs[i].Order())}
		}
		n, all := len(graphs), must.Get(kernels.WeisfeilerLehman(ctx, graphs, 5))
		K, twins, right := all[5], 0, 0
		for i := range n {
			votes := make([]int, d.NumClasses())
			for j := range n {
				if i != j && K[i*n+i]+K[j*n+j] == 2*K[i*n+j] {
					votes[d.Classes[j]]++
				}
			}
			if most := slices.Max(votes); most > 0 {
				twins++
				if slices.Index(votes, most) == d.Classes[i] {
					right++
				}
			}
		}
		must.Equal(t, [2]int{twins, right}, want, "%s: graphs with a twin, of the class of most of them", name)
	}
}
