package plots_test

import (
	"math"
	"math/rand/v2"

	"ogdl/reports/plots"
)

// samples are figures with every kind of panel.
func samples() []plots.Figure {
	r := rand.New(rand.NewPCG(1, 2))
	var w [][3]float64
	var grp []int
	for i := range 90 {
		a, b, c := r.Float64(), r.Float64(), r.Float64()
		k := i % 3
		v := [3]float64{a * a * .3, b * b * .3, c * c * .3}
		v[k] += 1
		w = append(w, v)
		grp = append(grp, k)
	}
	var xs, ys, lo, hi, zs []float64
	for i := range 50 {
		x := float64(i) / 10
		xs = append(xs, x)
		ys = append(ys, math.Sin(x))
		lo = append(lo, math.Sin(x)-.2)
		hi = append(hi, math.Sin(x)+.2)
		zs = append(zs, math.Cos(x))
	}
	var px, py []float64
	for range 1500 {
		x := r.Float64() * 3
		px = append(px, x)
		py = append(py, x+r.NormFloat64()*.05)
	}
	n := 12
	wt := make([]float64, n*n)
	ng := make([]int, n)
	nc := make([]float64, n)
	for i := range n {
		ng[i] = i/4 + 1
		nc[i] = float64(i) / float64(n)
		for j := range n {
			if i/4 == j/4 {
				wt[i*n+j] = .9
			} else if r.Float64() < .15 {
				wt[i*n+j] = .3
			}
		}
	}
	return []plots.Figure{
		{Name: "simplex", Title: "Embeddings of D1 in the simplex of three atoms", Alt: "Two triangles.", Panels: []plots.Panel{
			plots.Simplex{Title: "lambda = 0", Corners: [3]string{"atom 1", "atom 2", "atom 3"}, W: w, Group: grp, Names: []string{"1 block", "2 blocks", "3 blocks"}, Labels: []plots.PointLabel{{3, "a"}, {4, "b"}}},
			plots.Simplex{Title: "lambda = 0.01", Corners: [3]string{"atom 1", "atom 2", "atom 3"}, W: w[:30], Group: grp[:30], Names: []string{"1 block", "2 blocks", "3 blocks"}},
		}},
		{Name: "xy", Title: "Lines & points", Alt: "Lines.", Panels: []plots.Panel{
			plots.XY{Title: "Curves", XLabel: "epoch", YLabel: "mean loss", Series: []plots.Series{{Name: "sine", X: xs, Y: ys, Low: lo, High: hi, Style: plots.Line}, {Name: "cosine", X: xs, Y: zs, Style: plots.LinePoints}, {Name: "steps", X: xs[:10], Y: zs[:10], Style: plots.Steps}}, Marks: []plots.Mark{{2, "A to B"}, {3.5, "B to C"}}},
			plots.XY{Title: "Log axes", XLabel: "seconds", YLabel: "Rand Index", LogX: true, Series: []plots.Series{{Name: "GDL", X: []float64{.1, 1, 10, 100}, Y: []float64{.5, .6, .7, .8}, Colour: 4}, {Name: "GWF", X: []float64{.3, 3, 30, 300}, Y: []float64{.4, .5, .65, .7}, Colour: 5}, {Name: "SC", X: []float64{.3, 3, 30, 0}, Y: []float64{.2, .3, .65, .7}, Colour: 6}, {Name: "x", X: []float64{.3, 3, 30, 0}, Y: []float64{.1, .2, .35, .7}, Colour: 7}, {Name: "y", X: []float64{.3, 3, 30, 0}, Y: []float64{.15, .12, .3, .7}, Colour: 8}}},
			plots.XY{Title: "Distances", XLabel: "GW", YLabel: "Mahalanobis", Diagonal: true, Series: []plots.Series{{X: px, Y: py}}, Note: "Pearson correlation 0.999"},
			plots.XY{Title: "nothing", Series: []plots.Series{{X: []float64{math.NaN()}, Y: []float64{1}}}},
		}},
		{Name: "field", Title: "A field between axes", Alt: "A field.", Panels: []plots.Panel{
			plots.XY{Title: "Field", XLabel: "gamma", YLabel: "C", LogX: true, LogY: true, Field: &plots.Field{X: []float64{.01, .1, 1, 10}, Y: []float64{1, 100, 10000}, Min: 50, Max: 90,
				Values: []float64{50, 55, 60, 65, 70, 75, math.NaN(), 85, 90, 50, 52, 54}}, Series: []plots.Series{{X: []float64{.01}, Y: []float64{10000}, Labels: []string{"chosen"}}}},
		}},
		{Name: "atoms", Title: "Atoms of D1, as matrices and as graphs", Alt: "Matrices.", Columns: 3, Panels: []plots.Panel{
			plots.Matrix{Title: "atom 1", N: n, Values: wt, Max: 1}, plots.Matrix{Title: "atom 2", N: n, Values: wt, Max: 1},
			plots.Matrix{Title: "atom 3", N: n, Values: wt, Max: 1},
			plots.Graph{N: n, Weights: wt, Seed: 1}, plots.Graph{N: n, Weights: wt, Seed: 2, NodeGroup: ng}, plots.Graph{N: n, Weights: wt, Seed: 3, NodeColour: nc, NodeSize: nc},
		}},
	}
}
