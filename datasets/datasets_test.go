package datasets_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ogdl/datasets"
	"ogdl/internal/test/must"

	"pgregory.net/rapid"
)

// graph makes a graph of n nodes from a list of edges.
func graph(n int, edges ...[2]int32) datasets.Graph {
	g := datasets.Graph{Neighbors: make([][]int32, n)}
	for _, e := range edges {
		g.Neighbors[e[0]] = append(g.Neighbors[e[0]], e[1])
		g.Neighbors[e[1]] = append(g.Neighbors[e[1]], e[0])
	}
	for _, nb := range g.Neighbors {
		slices.Sort(nb)
	}
	return g
}

// randomGraph draws sparse and dense graphs, isolated nodes and all.
func randomGraph(t *rapid.T, least int) datasets.Graph {
	n := rapid.IntRange(least, 12).Draw(t, "n")
	p := rapid.Float64Range(0, 1).Draw(t, "p")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	return must.Get(datasets.BlockModel{Within: p}.Sample([]int{n}, rng))
}

func TestGraph(t *testing.T) {
	g := graph(5, [2]int32{0, 1}, [2]int32{1, 2}, [2]int32{3, 4})
	if g.Order() != 5 || g.Edges() != 3 || g.Degree(1) != 2 {
		t.Errorf("order %d, edges %d, degree %d, want 5, 3, 2", g.Order(), g.Edges(), g.Degree(1))
	}
	if count, of := g.Components(); count != 2 || !reflect.DeepEqual(of, []int32{0, 0, 0, 1, 1}) {
		t.Errorf("%d components %v", count, of)
	}
	var empty datasets.Graph
	if count, _ := empty.Components(); count != 0 || empty.Order() != 0 || len(empty.Adjacency()) != 0 {
		t.Error("the empty graph has something")
	}
}

func TestNames(t *testing.T) {
	want := map[string]string{
		"IMDB-B": "IMDB-BINARY", "IMDB-M": "IMDB-MULTI", "MUTAG": "MUTAG", "PTC-MR": "PTC_MR",
		"BZR": "BZR", "COX2": "COX2", "ENZYMES": "ENZYMES", "PROTEIN": "PROTEINS_full",
	}
	if datasets.TUName("TWITCH-EGOS") != "twitch_egos" || datasets.PaperName("twitch_egos") != "TWITCH-EGOS" || !datasets.Fetchable("twitch_egos") {
		t.Error("TWITCH-EGOS is not twitch_egos")
	}
	for paper, tu := range want {
		must.Check(t, datasets.TUName(paper), tu, "TUName(%q)", paper)
		must.Check(t, datasets.PaperName(tu), paper, "PaperName(%q)", tu)
		if datasets.TUName(tu) != tu || !datasets.Fetchable(tu) || !slices.Contains(datasets.PaperSets(), tu) {
			t.Errorf("%q is not a name of its own", tu)
		}
	}
	if len(datasets.PaperSets()) != len(want) || datasets.Fetchable("NCI1") || datasets.TUName("NCI1") != "NCI1" {
		t.Error("names that the paper does not have")
	}
}

func TestStatistics(t *testing.T) {
	d := &datasets.Dataset{
		Graphs: []datasets.Graph{
			graph(3, [2]int32{0, 1}, [2]int32{1, 2}, [2]int32{0, 2}), graph(3, [2]int32{0, 1}), graph(1), {},
		},
		Classes: []int{0, 1, 0, 1}, ClassValues: []int{3, 8}, LabelValues: [][]int{{1, 2}, {5}}, AttributeDim: 4, Name: "X",
	}
	got := d.Statistics()
	want := datasets.Statistics{
		Name: "X", Graphs: 4, Classes: 2, MeanOrder: 7. / 4, MinOrder: 0, MaxOrder: 3, MedianOrder: 2, MeanEdges: 1,
		Connectivity: 100 * (6./4 + 2./4) / 4, AttributeDim: 4, LabelCounts: []int{2, 1}, IsolatedNodes: 2, Disconnected: 1,
	}
	must.Same(t, got, want, "statistics")
	if s := (&datasets.Dataset{}).Statistics(); s.MeanOrder != 0 || s.Connectivity != 0 || s.MedianOrder != 0 {
		t.Errorf("no graphs: %+v", s)
	}
	d.Graphs = append(d.Graphs, graph(2))
	d.Graphs = d.Graphs[1:] // orders 3, 1, 0, 2
	if m := d.Statistics().MedianOrder; m != 1.5 || d.MedianOrder() != 1 {
		t.Errorf("median order %v and %d, want 1.5 and 1", m, d.MedianOrder())
	}
}

func TestWithoutEmpty(t *testing.T) {
	d := &datasets.Dataset{Graphs: []datasets.Graph{{}, graph(2), {}, graph(1)}, Classes: []int{0, 1, 2, 0}, ClassValues: []int{1, 2, 3}}
	d.Digest = d.ComputeDigest()
	kept, removed := d.WithoutEmpty()
	if removed != 2 || len(kept.Graphs) != 2 || !reflect.DeepEqual(kept.Classes, []int{1, 0}) || kept.Digest == d.Digest {
		t.Errorf("removed %d, kept %+v", removed, kept)
	}
	d.Classes, d.ClassTexts = []int{0, 2, 1, 0}, []string{"a", "b", "c"} // class b has no other graph
	texts, _ := d.WithoutEmpty()
	must.Same(t, texts.Classes, []int{1, 0}, "classes")
	must.Same(t, texts.ClassNames(texts.Classes), []string{"c", "a"}, "their names")
	must.Same(t, kept.ClassValues, []int{1, 2}, "values of classes that have graphs")
	if again, removed := kept.WithoutEmpty(); again != kept || removed != 0 {
		t.Error("a set without empty graphs was copied")
	}
	must.Check(t, len(d.Graphs), 4, "graphs of the set afterwards")
}

// TestDigest changes one thing at a time.
func TestDigest(t *testing.T) {
	make := func(change func(*datasets.Dataset)) string {
		d := &datasets.Dataset{
			Name: "X",
			Graphs: []datasets.Graph{
				{Neighbors: [][]int32{{1}, {0}, {}}, Labels: [][]int{{1, 2, 1}}, Attributes: []float64{1, 2, 3}},
				{Neighbors: [][]int32{{}}, Labels: [][]int{{2}}, Attributes: []float64{0}},
			},
			Classes: []int{0, 1}, ClassValues: []int{1, 2}, LabelValues: [][]int{{1, 2}}, AttributeDim: 1,
		}
		change(d)
		return d.ComputeDigest()
	}
	base := make(func(*datasets.Dataset) {})
	must.Check(t, len(base), 64, "length of digest %q", base)
	for _, same := range []func(*datasets.Dataset){
		func(d *datasets.Dataset) { d.Name = "Y" },
		func(d *datasets.Dataset) { d.Digest = "Y" },
		func(d *datasets.Dataset) { d.Graphs[1].Neighbors = [][]int32{nil} },
	} {
		must.Check(t, make(same), base, "digest")
	}
	seen := map[string]int{base: -1}
	for i, change := range []func(*datasets.Dataset){
		func(d *datasets.Dataset) { d.Graphs[0].Neighbors = [][]int32{{2}, {}, {0}} },
		func(d *datasets.Dataset) { d.Graphs[0].Neighbors = [][]int32{{}, {}, {}} },
		func(d *datasets.Dataset) { d.Graphs[0].Labels[0][2] = 2 },
		func(d *datasets.Dataset) { d.Graphs[0].Labels = nil },
		func(d *datasets.Dataset) { d.Graphs[1].Attributes[0] = 1e-300 },
		func(d *datasets.Dataset) { d.Graphs[1].Attributes[0] = math.Copysign(0, -1) },
		func(d *datasets.Dataset) { d.Graphs[0].Attributes = nil },
		func(d *datasets.Dataset) { d.Classes[0] = 1 },
		func(d *datasets.Dataset) { d.Classes = nil },
		func(d *datasets.Dataset) { d.ClassValues[0] = 0 },
		func(d *datasets.Dataset) { d.LabelValues = nil },
		func(d *datasets.Dataset) { d.AttributeDim = 3 },
		func(d *datasets.Dataset) { d.Graphs = d.Graphs[:1] },
		func(d *datasets.Dataset) { slices.Reverse(d.Graphs) },
	} {
		got := make(change)
		if before, ok := seen[got]; ok {
			t.Errorf("changes %d and %d have one digest", before, i)
		}
		seen[got] = i
	}
}

func TestWeights(t *testing.T) {
	g := graph(4, [2]int32{0, 1}, [2]int32{1, 2}) // degrees 1, 2, 1, 0
	for _, c := range []struct {
		w    datasets.Weights
		want []float64
	}{
		{datasets.Weights{}, []float64{.25, .25, .25, .25}},
		{datasets.Weights{Kind: "uniform", A: -1}, []float64{.25, .25, .25, .25}},
		{datasets.Weights{Kind: "power", A: 0, B: 1}, []float64{.25, .5, .25, 0}},
		{datasets.Weights{Kind: "power", A: 1, B: 1}, []float64{2. / 8, 3. / 8, 2. / 8, 1. / 8}},
		{datasets.Weights{Kind: "power", A: 0, B: 0}, []float64{.25, .25, .25, .25}},
		{datasets.Weights{Kind: "power", A: 2, B: .5}, []float64{math.Sqrt(3), 2, math.Sqrt(3), math.Sqrt2}},
	} {
		got := must.Get(c.w.Of(&g))
		sum := 0.0
		for _, x := range c.want {
			sum += x
		}
		for i := range got {
			must.Within(t, got[i], c.want[i]/sum, 1e-15, "%+v: %v, want %v", c.w, got, c.want)
		}
	}
	for _, w := range []datasets.Weights{
		{Kind: "degree"}, {Kind: "power", A: -1}, {Kind: "power", A: math.NaN()}, {Kind: "power", A: math.Inf(1)},
		{Kind: "power", B: 1.1}, {Kind: "power", B: -.1}, {Kind: "power", B: math.NaN()},
	} {
		if h, err := w.Of(&g); err == nil || w.Validate() == nil {
			t.Errorf("%+v gave %v", w, h)
		}
	}
	loose, empty := graph(2), datasets.Graph{}
	if h, err := (datasets.Weights{Kind: "power", B: .5}).Of(&loose); err == nil {
		t.Errorf("weights %v without any mass", h)
	}
	if h, err := (datasets.Weights{Kind: "power", B: .5}).Of(&empty); err != nil || len(h) != 0 {
		t.Errorf("no nodes: %v, %v", h, err)
	}
	must.Do(t, must.Err((datasets.Weights{}).Of(&loose)))
}

func features() *datasets.Dataset {
	return &datasets.Dataset{
		Name: "X",
		Graphs: []datasets.Graph{
			{Neighbors: [][]int32{{}, {}}, Labels: [][]int{{7, -1}, {4, 4}}, Attributes: []float64{1, 5, 3, 5}},
			{},
			{Neighbors: [][]int32{{}}, Labels: [][]int{{7}, {9}}, Attributes: []float64{8, 5}},
		},
		LabelValues: [][]int{{-1, 7}, {4, 9}}, AttributeDim: 2,
	}
}

func TestFeatures(t *testing.T) {
	sd := math.Sqrt((9 + 1 + 16) / 3.)
	for _, c := range []struct {
		f    datasets.Features
		dim  int
		want [][]float64
	}{
		{datasets.Features{}, 0, nil},
		{datasets.Features{Kind: "none"}, 0, nil},
		{datasets.Features{Kind: "labels"}, 4, [][]float64{{0, 1, 1, 0, 1, 0, 1, 0}, {}, {0, 1, 0, 1}}},
		{datasets.Features{Kind: "attributes", Scaling: "none"}, 2, [][]float64{{1, 5, 3, 5}, {}, {8, 5}}},
		{datasets.Features{Kind: "attributes", Scaling: "standardise"}, 2, [][]float64{{-3 / sd, 0, -1 / sd, 0}, {}, {4 / sd, 0}}},
	} {
		rows, dim := must.Get2(c.f.Of(features()))
		if dim != c.dim || len(rows) != len(c.want) {
			t.Fatalf("%+v: dim %d, %d rows, want %d, %d", c.f, dim, len(rows), c.dim, len(c.want))
		}
		for k := range rows {
			must.Equal(t, len(rows[k]), len(c.want[k]), "%+v: length of row %v, and of %v", c.f, rows[k], c.want[k])
			for i := range rows[k] {
				must.Within(t, rows[k][i], c.want[k][i], 1e-15, "%+v: row %v, want %v", c.f, rows[k], c.want[k])
			}
		}
	}
}

// TestStandardiseConstant: 0.1 added up 50,000 times is not 5,000.
func TestStandardiseConstant(t *testing.T) {
	d := &datasets.Dataset{Name: "X", Graphs: []datasets.Graph{graph(50000)}, AttributeDim: 1}
	d.Graphs[0].Attributes = slices.Repeat([]float64{.1}, 50000)
	rows, _ := must.Get2(datasets.Features{Kind: "attributes", Scaling: "standardise"}.Of(d))
	for i, x := range rows[0] {
		must.Equal(t, x, 0, "node %d", i)
	}
}

// TestStandardiseFar: values far from zero have the spread that they have near it, and values of the
// size of their spread have the plain two-pass moments, to the last bit.
func TestStandardiseFar(t *testing.T) {
	const n = 5000
	d := &datasets.Dataset{Name: "X", Graphs: []datasets.Graph{graph(n)}, AttributeDim: 2}
	d.Graphs[0].Attributes = make([]float64, 2*n)
	rng, mean, scale := rand.New(rand.NewPCG(1, 1)), 0.0, 0.0
	for i := range n {
		d.Graphs[0].Attributes[2*i], d.Graphs[0].Attributes[2*i+1] = 1.7e15+float64(i%3), 1e5+rng.NormFloat64()
		mean += d.Graphs[0].Attributes[2*i+1]
	}
	mean /= n
	for i := range n {
		e := d.Graphs[0].Attributes[2*i+1] - mean
		scale += float64(e * e)
	}
	m := must.Get(datasets.Features{Kind: "attributes", Scaling: "standardise"}.Fit(d))
	must.Equal(t, m.Mean[1], mean, "ordinary mean")
	must.Equal(t, m.Scale[1], math.Sqrt(scale/n), "ordinary scale")
	must.Equal(t, m.Mean[0], 1.7e15+1, "far mean")
	must.Within(t, m.Scale[0], math.Sqrt(2./3), 1e-4, "far scale")
}

// TestFeaturesOfNewGraphs: new graphs get the features of the fitted set, and
// what they have beyond it is rejected.
func TestFeaturesOfNewGraphs(t *testing.T) {
	m := must.Get(datasets.Features{Kind: "labels"}.Fit(features()))
	d := features()
	d.Graphs, d.LabelValues = d.Graphs[2:], [][]int{{7}, {9}}
	rows, err := m.Apply(d)
	if err != nil || !reflect.DeepEqual(rows, [][]float64{{0, 1, 0, 1}}) {
		t.Errorf("rows %v, %v", rows, err)
	}
	d.Graphs[0].Labels[0][0] = 8
	if rows, err := m.Apply(d); err == nil {
		t.Errorf("an unknown label became %v", rows)
	}
	d.Graphs[0].Labels = d.Graphs[0].Labels[1:]
	if rows, err := m.Apply(d); err == nil {
		t.Errorf("a missing column became %v", rows)
	}
	bare := &datasets.Dataset{Name: "X", Graphs: []datasets.Graph{graph(1)}}
	must.Fail(t, must.Err(m.Apply(bare)), "NAME_node_labels.txt", "no labels at all")
	m = must.Get((datasets.Features{Kind: "attributes"}).Fit(features()))
	d = features()
	d.AttributeDim = 4
	if rows, err := m.Apply(d); err == nil {
		t.Errorf("four attributes for two became %v", rows)
	}
}

// TestDegrees: degrees need nothing but the graph, and know no scaling.
func TestDegrees(t *testing.T) {
	d := &datasets.Dataset{Name: "X", Graphs: []datasets.Graph{graph(4, [2]int32{0, 1}, [2]int32{1, 2}), {}, graph(1)}}
	rows, dim, err := datasets.Features{Kind: datasets.KindDegree}.Of(d)
	if want := [][]float64{{1, 2, 1, 0}, {}, {0}}; err != nil || dim != 1 || !reflect.DeepEqual(rows, want) {
		t.Errorf("rows %v of dimension %d, %v, want %v", rows, dim, err, want)
	}
	if rows, _, err := (datasets.Features{Kind: datasets.KindDegree, Scaling: datasets.ScalingStandardise}).Of(d); err == nil {
		t.Errorf("scaled degrees %v", rows)
	}
}

func TestFeatureMapCheck(t *testing.T) {
	must.Fail(t, (*datasets.FeatureMap)(nil).Check(), "the map of features is nil")
	for name, c := range map[string]struct {
		m    datasets.FeatureMap
		want string // "" for none
	}{
		"none":           {datasets.FeatureMap{Kind: datasets.KindNone}, ""},
		"labels":         {datasets.FeatureMap{Kind: datasets.KindLabels, Dim: 3, Values: [][]int{{1, 4}, {0}}}, ""},
		"attributes":     {datasets.FeatureMap{Kind: datasets.KindAttributes, Dim: 2}, ""},
		"standardised":   {datasets.FeatureMap{Kind: datasets.KindAttributes, Dim: 2, Mean: []float64{0, 1}, Scale: []float64{1, 2}}, ""},
		"degree":         {datasets.FeatureMap{Kind: datasets.KindDegree, Dim: 1}, ""},
		"no kind":        {datasets.FeatureMap{}, `features ""`},
		"none's":         {datasets.FeatureMap{Kind: datasets.KindNone, Dim: 2}, "dimension 2, want 0"},
		"too few values": {datasets.FeatureMap{Kind: datasets.KindLabels, Dim: 3, Values: [][]int{{1, 4}}}, "dimension 3, want 2"},
		"negative":       {datasets.FeatureMap{Kind: datasets.KindAttributes, Dim: -1}, "dimension -1, want 0"},
		"degrees":        {datasets.FeatureMap{Kind: datasets.KindDegree, Dim: 2}, "dimension 2, want 1"},
		"short means":    {datasets.FeatureMap{Kind: datasets.KindAttributes, Dim: 2, Mean: []float64{0}, Scale: []float64{1, 2}}, "1 means and 2 scales"},
		"no scales":      {datasets.FeatureMap{Kind: datasets.KindAttributes, Dim: 2, Mean: []float64{0, 1}}, "2 means and 0 scales"},
		"scaled labels":  {datasets.FeatureMap{Kind: datasets.KindLabels, Dim: 1, Values: [][]int{{1}}, Mean: []float64{0}, Scale: []float64{1}}, `features "labels" of dimension 1 with`},
		"scale of zero":  {datasets.FeatureMap{Kind: datasets.KindAttributes, Dim: 1, Mean: []float64{0}, Scale: []float64{0}}, "scale 0, want"},
		"scale of Inf":   {datasets.FeatureMap{Kind: datasets.KindAttributes, Dim: 1, Mean: []float64{0}, Scale: []float64{math.Inf(1)}}, "scale +Inf"},
		"mean of NaN":    {datasets.FeatureMap{Kind: datasets.KindAttributes, Dim: 1, Mean: []float64{math.NaN()}, Scale: []float64{1}}, "mean NaN"},
		"a value twice":  {datasets.FeatureMap{Kind: datasets.KindLabels, Dim: 3, Values: [][]int{{0}, {4, 4}}}, "label column 1 do not ascend"},
		"texts":          {datasets.FeatureMap{Kind: datasets.KindLabels, Dim: 2, Values: [][]int{{0, 1}}, Texts: []string{"a", "b"}}, ""},
		"texts unsorted": {datasets.FeatureMap{Kind: datasets.KindLabels, Dim: 2, Values: [][]int{{0, 1}}, Texts: []string{"b", "a"}}, "texts of the labels do not ascend"},
	} {
		if err := c.m.Check(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

func TestFeatureErrors(t *testing.T) {
	bare := &datasets.Dataset{Name: "X", Graphs: []datasets.Graph{graph(1)}}
	huge := features()
	huge.Graphs[0].Attributes[0] = 1e308
	huge.Graphs[2].Attributes[0] = 1e308
	for _, c := range []struct {
		f datasets.Features
		d *datasets.Dataset
	}{
		{datasets.Features{Kind: "one-hot"}, features()},
		{datasets.Features{Kind: "attributes", Scaling: "whiten"}, features()},
		{datasets.Features{Kind: "labels", Scaling: "standardise"}, features()},
		{datasets.Features{Kind: "labels"}, bare},
		{datasets.Features{Kind: "attributes"}, bare},
		{datasets.Features{Kind: "attributes", Scaling: "standardise"}, huge},
	} {
		if rows, _, err := c.f.Of(c.d); err == nil {
			t.Errorf("%+v gave %v", c.f, rows)
		}
	}
	// 20,000 nodes of 20,000 labels: rejected before anything is allocated.
	wide := &datasets.Dataset{Name: "X", Graphs: []datasets.Graph{graph(20000)}, LabelValues: [][]int{make([]int, 20000)}}
	if _, _, err := (datasets.Features{Kind: "labels"}).Of(wide); err == nil {
		t.Error("3 GB of features")
	}
}

func ExampleFeatures() {
	d := features()
	rows, dim, err := datasets.Features{Kind: datasets.KindLabels}.Of(d)
	fmt.Println(d.LabelValues, dim, rows[2], err)
	// Output: [[-1 7] [4 9]] 4 [0 1 0 1] <nil>
}

func ExampleWeights() {
	star := graph(4, [2]int32{0, 1}, [2]int32{0, 2}, [2]int32{0, 3})
	h, err := datasets.Weights{Kind: datasets.KindPower, A: 0, B: 1}.Of(&star)
	fmt.Printf("%.3f %v\n", h, err)
	// Output: [0.500 0.167 0.167 0.167] <nil>
}

func TestPowerWeightsThatOverflow(t *testing.T) {
	star := graph(4, [2]int32{0, 1}, [2]int32{0, 2}, [2]int32{0, 3})
	must.Fail(t, must.Err(datasets.Weights{Kind: datasets.KindPower, A: 1e308, B: 1}.Of(&star)), "overflow")
}
