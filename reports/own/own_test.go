package own

import (
	"fmt"
	"strings"
	"testing"

	"ogdl/datasets"
	"ogdl/internal/test/must"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
)

// pathsAndStars is a page of n paths and as many stars, all of 6 nodes, whose embedding has this second coordinate.
func pathsAndStars(n int, second func(i int) float64) *Page {
	f := &Page{Width: 2, Found: 2, Centers: make([]float64, 4),
		Placed: Placed{Data: &datasets.Dataset{ClassTexts: []string{"path", "star"}, ClassValues: []int{0, 1}}}}
	for i := range 2 * n {
		g := datasets.Graph{Neighbors: make([][]int32, 6)}
		for j := int32(1); int(j) < g.Order(); j++ {
			to := (j - 1) * int32(1-i%2)
			g.Neighbors[to], g.Neighbors[j] = append(g.Neighbors[to], j), append(g.Neighbors[j], to)
		}
		f.Data.Graphs, f.Data.Classes = append(f.Data.Graphs, g), append(f.Data.Classes, i%2)
		f.Number, f.Name, f.Class = append(f.Number, i), append(f.Name, "<b>&"), append(f.Class, f.Data.ClassTexts[i%2])
		f.Cluster, f.Percentile = append(f.Cluster, i/n), append(f.Percentile, float64(i))
		f.Reconstruction, f.Embedding = append(f.Reconstruction, 1), append(f.Embedding, float64(i), second(i))
	}
	return f
}

// TestStrips: a second axis of rounding is none. Graphs are in the row of their class then, and graphs without any variance in one place.
func TestStrips(t *testing.T) {
	rounding := func(i int) float64 { return 1e-13 * float64(i%3) }
	f := pathsAndStars(10, rounding)
	at := must.Get(f.axes())
	for i, y := range at.graphs[1] {
		if row := float64(1 - f.Data.Classes[i]); y < row-0.35 || y > row+0.35 || i > 0 && at.graphs[0][i] <= at.graphs[0][i-1] {
			t.Fatalf("graph %d is at %v, %v", i, at.graphs[0][i], y)
		}
	}
	fig := f.embeddingFigure(&at)
	row, rows := fig.Data[0].Rows[3], fig.Panels[0].(plots.XY).YTicks
	if row[4] != "0" || strings.Contains(fig.Alt, "two principal axes") || len(rows) != 2 {
		t.Errorf("%v: %s", row, fig.Alt)
	}
	html := must.Get(f.points(&at, map[int]bool{7: true}))
	must.Contain(t, string(html), "<title>graph 7 &lt;b&gt;&amp;, class star, cluster 0, error 1, percentile 7</title>",
		`<a href="#graph-7">`, `>path</text>`, `id="by-class"`)
	points, links := strings.Count(string(html), "<title>"), strings.Count(string(html), "<a ")
	if points != 20 || links != 1 || strings.Contains(string(html), "script") {
		t.Errorf("%d points, %d links", points, links)
	}
	if at = must.Get(pathsAndStars(10, func(i int) float64 { return float64(i * i) }).axes()); at.strips != nil {
		t.Error("two axes in strips")
	}
	f.Embedding = make([]float64, len(f.Embedding))
	for i := range f.Embedding {
		f.Embedding[i] = 0.5 + rounding(i)
	}
	if at = must.Get(f.axes()); at.share != [2]float64{} || fmt.Sprint(at.graphs[0]) != fmt.Sprint(make([]float64, 20)) {
		t.Errorf("rounding has an axis: %v", at.graphs[0])
	}
}

// TestHeldOutOf: the standard error is the sample's.
func TestHeldOutOf(t *testing.T) {
	must.Check(t, HeldOutOf(2, []float64{1, 3}), HeldOut{Atoms: 2, Mean: 2, Error: 1}, "of 1 and 3")
}

// TestBaseline: counts cannot tell paths from stars of as many nodes, and find what labels say.
func TestBaseline(t *testing.T) {
	f := pathsAndStars(10, func(int) float64 { return 0 })
	ari := func() string {
		x := must.Get(f.baseline())
		return x.Rows[1][3].Plain()
	}
	must.Check(t, ari(), "0.000", "ARI of counts with the classes")
	for i := range f.Data.Graphs {
		g := &f.Data.Graphs[i]
		g.Labels = [][]int{make([]int, g.Order())}
		for k := range g.Labels[0] {
			g.Labels[0][k] = 5 + 10*f.Data.Classes[i]
		}
	}
	must.Check(t, ari(), "1.000", "ARI of counts with labels")
}

// TestDoubts: a warning is of the chosen setting alone, and does not claim that there are no clusters.
func TestDoubts(t *testing.T) {
	of := func(atoms int, stability, lambda float64) *summary.Config {
		return &summary.Config{Params: summary.Params{"atoms": atoms, "clusters": 3, "lambda": lambda}, Stability: stability}
	}
	for _, c := range []struct {
		separate  int
		stability float64
		other     float64
		want      string
	}{
		{3, 0.29, 0, "At 4 atoms and 3 clusters the clusterings of the repetitions do not agree: stability 0.29 (mean adjusted Rand Index), below 0.5. "},
		{3, 0.29, 0.1, "At 4 atoms and 3 clusters (lambda 0) the clusterings"},
		{1, 0.8, 0, "No clusters found: the 3 clusters, the number that -clusters gives, cut graphs that the test does not separate."},
		{3, 0.8, 0, ""},
	} {
		f := &Page{Tried: []*summary.Config{of(3, 0.43, c.other), of(4, c.stability, 0)}, Found: 3, Separate: c.separate}
		f.Chosen = f.Tried[1]
		if text := strings.Join(f.doubts(), "\n"); !strings.HasPrefix(text, c.want) || c.want == "" && text != "" {
			t.Errorf("%+v: %s", c, text)
		}
	}
}
