package plots_test

import (
	"math"
	"math/rand/v2"

	"ogdl/reports/plots"
)

// samples are figures with every kind of panel.
func samples() []plots.Figure {
	r := rand.New(rand.NewPCG(1, 2))
	var w [3][]float64
	names := make([]string, 30)
	names[3], names[4] = "a", "b"
	for i := range 90 {
		w[i%3] = append(w[i%3], r.Float64())
	}
	frame := plots.Series{Style: plots.Line, Guide: true, X: []float64{0, 1, 1}, Y: []float64{0, 0, 1}}
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
		{Name: "bare", Title: "Points without axes", Alt: "Two fields.", Panels: []plots.Panel{
			plots.XY{Title: "lambda = 0", Bare: true, Aspect: 0.9, Series: []plots.Series{frame, {Name: "1 block", X: w[0], Y: w[1], Labels: names}, {Name: "2 blocks", X: w[1], Y: w[2]}}},
			plots.XY{Title: "lambda = 0.01", Bare: true, Aspect: 0.9, Series: []plots.Series{frame, {Name: "1 block", X: w[1], Y: w[0]}}},
		}},
		{Name: "xy", Title: "Lines & points", Alt: "Lines.", Panels: []plots.Panel{
			plots.XY{Title: "Curves", XLabel: "epoch", YLabel: "mean loss", Series: []plots.Series{{Name: "sine", X: xs, Y: ys, Low: lo, High: hi, Style: plots.Line}, {Name: "cosine", X: xs, Y: zs, Style: plots.LinePoints}, {Name: "steps", X: xs[:10], Y: zs[:10], Style: plots.Steps}}, Marks: []plots.Tick{{Value: 2, Label: "A to B"}, {Value: 3.5, Label: "B to C"}}},
			plots.XY{Title: "Log axes", XLabel: "seconds", YLabel: "Rand Index", LogX: true, Series: []plots.Series{{Name: "GDL", X: []float64{.1, 1, 10, 100}, Y: []float64{.5, .6, .7, .8}, Colour: 4}, {Name: "GWF", X: []float64{.3, 3, 30, 300}, Y: []float64{.4, .5, .65, .7}, Colour: 5}, {Name: "SC", X: []float64{.3, 3, 30, 0}, Y: []float64{.2, .3, .65, .7}, Colour: 6}, {Name: "x", X: []float64{.3, 3, 30, 0}, Y: []float64{.1, .2, .35, .7}, Colour: 7}, {Name: "y", X: []float64{.3, 3, 30, 0}, Y: []float64{.15, .12, .3, .7}, Colour: 8}}},
			plots.XY{Title: "Distances", XLabel: "GW", YLabel: "Mahalanobis", Diagonal: true, Series: []plots.Series{{X: px, Y: py}}, Note: "Pearson correlation 0.999"},
			plots.XY{Title: "nothing", Series: []plots.Series{{X: []float64{math.NaN()}, Y: []float64{1}}}},
		}},
		{Name: "field", Title: "A field between axes", Alt: "A field.", Panels: []plots.Panel{
			plots.XY{Title: "Field", XLabel: "gamma", YLabel: "C", Field: &plots.Field{Columns: 4, Min: 50, Max: 90, Unit: " %",
				Values: []float64{50, 55, 60, 65, 70, 75, math.NaN(), 85, 90, 50, 52, 54}}, Series: []plots.Series{{X: []float64{0}, Y: []float64{2}, Labels: []string{"chosen"}}}},
		}},
		{Name: "atoms", Title: "Atoms of D1, as matrices and as graphs", Alt: "Matrices.", Columns: 3, Panels: []plots.Panel{
			plots.Matrix("atom 1", n, wt, 1), plots.Matrix("atom 2", n, wt, 1), plots.Matrix("atom 3", n, wt, 1),
			plots.Graph{N: n, Weights: wt}, plots.Graph{N: n, Weights: wt, NodeGroup: ng}, plots.Graph{N: n, Weights: wt, NodeSize: nc},
		}},
	}
}
