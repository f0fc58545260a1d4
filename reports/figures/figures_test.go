package figures

import (
	"slices"
	"strings"
	"testing"

	"ogdl/internal/artifact"
	"ogdl/internal/test/must"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
)

// TestWeightsFigureChoice: with all graphs of other sizes, all may be drawn; with one, one is.
func TestWeightsFigureChoice(t *testing.T) {
	kept := func(orders ...int) (out []artifact.Kept) {
		for k, n := range orders {
			out = append(out, artifact.Kept{Index: k, Structure: artifact.Matrix{N: n}, Model: artifact.Matrix{N: 4}, Err: float64(10 + k)})
		}
		return out
	}
	for _, c := range []struct {
		orders []int
		errs   []float64 // by GDL_h; by GDL it is 10 + k
		want   []int
	}{
		{[]int{3, 4, 13}, []float64{9, 9, 9}, []int{2, 1}},
		{[]int{3, 5, 12, 13}, []float64{1, 1, 9, 1}, []int{1, 2}},
		{[]int{5, 5, 5, 5}, []float64{9, 10, 11, 12}, []int{0, 2}},
		{[]int{9}, []float64{1}, []int{0}},
		{[]int{101, 100, 3}, []float64{1, 9, 9}, []int{2, 1}},
		{[]int{101}, []float64{1}, nil},
	} {
		x := &comparison{plain: &learned{kept: kept(c.orders...)}, extended: &learned{kept: kept(c.orders...)}}
		for k, e := range c.errs {
			x.extended.kept[k].Err = e
		}
		var got []int
		for _, p := range x.choose() {
			got = append(got, p.at)
		}
		must.Same(t, got, c.want, "orders %v, errors %v: drawn", c.orders, c.errs)
	}
}

// TestDistancesOfManyPairs draws some of them, the same ones in every panel, and writes all.
func TestDistancesOfManyPairs(t *testing.T) {
	const n = 150
	p := &artifact.Pairs{N: n, Vectors: map[string][]float64{}}
	for _, name := range []string{artifact.DistancesGraphs, artifact.DistancesModels, artifact.DistancesEmbeddings} {
		for at := range n * (n - 1) / 2 {
			p.Vectors[name] = append(p.Vectors[name], float64(at))
		}
	}
	f := drawDistances("x", &trial{Config: &summary.Config{}, row: &summary.Row{Dataset: "D1"}}, summary.Run{}, p)
	var first []float64
	for i, panel := range f.Panels {
		s := panel.(plots.XY).Series[0]
		if i == 0 {
			first = s.X
		}
		if len(s.X) != pairsDrawn || !slices.Equal(s.X, s.Y) || !slices.Equal(s.X, first) || !slices.IsSorted(s.X) {
			t.Errorf("panel %d: %d pairs drawn", i, len(s.X))
		}
	}
	if !strings.Contains(f.Alt, "4000 of the 11175 pairs, drawn at random, of graphs of D1") || len(f.Data[0].Rows) != n*(n-1)/2 {
		t.Errorf("%d rows, alt %q", len(f.Data[0].Rows), f.Alt)
	}
}

// TestLabelColours: a label has one colour in all pictures of a cell, whichever labels these show, also where there are more labels than colours.
func TestLabelColours(t *testing.T) {
	l := &artifact.Labels{Texts: strings.Split("CNOFPSHIXY", ""), Strongest: [][]int{{0, 0, 0, 1, 1, 2, 3, 4, 5}, {6, 7, 8, 2, 3, 4, 5, 6, 7}}}
	_, whole := LabelColours(l, "", l.Strongest)
	names, part := LabelColours(l, "", [][]int{{8, 9, 9, 8}, {-1, 7, 2}})
	if !slices.Equal(part[0], []int{0, 0, 0, 0}) || part[1][1] != whole[1][1] || part[1][2] != whole[0][5] || whole[1][1] == 0 {
		t.Errorf("colours %v, in the whole %v", part, whole)
	}
	if len(names) != 2 || names[0].Name != "O" || names[1].Name != "I" {
		t.Errorf("names %v", names)
	}
}
