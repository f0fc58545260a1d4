package reports

import (
	"math"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
	"ogdl/reports/paper"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// distancesGrid asks for two lambdas of three repetitions on D1, of which one has failed, and gives
// the arrays of four graphs, two of each class.
func distancesGrid() (*grid, func(string) ([]npz.Array, error)) {
	g := &grid{spec: summary.Spec{Name: "mine", Table: summary.FigureDistances}}
	for _, lambda := range []float64{0.01, 0} {
		for rep := range 3 {
			e := g.ask("D1", "GDL-distances", map[string]any{"lambda": lambda, "atoms": 3}, rep)
			if lambda == 0.01 && rep == 0 {
				g.leave(e, record.Record{Status: record.Failed, Reason: "no"})
				continue
			}
			scores := map[string]float64{"objective": 0.1, artifact.BoundViolations: float64(rep), artifact.BoundAttained: 0.25}
			for i, q := range artifact.DistancePairs() {
				r := []float64{0.90, 0.95, 0.999}[i] + 0.01*float64(rep)*float64(2-i)/2 - lambda
				scores[q.Score(artifact.CoefficientPearson)], scores[q.Score(artifact.CoefficientSpearman)] = r, r/2
				scores[q.Score(artifact.CoefficientWithin)], scores[q.Score(artifact.CoefficientBetween)] = r/3, r/5
			}
			g.leave(e, record.Record{Status: record.OK, Scores: scores})
		}
	}
	return g, func(id string) ([]npz.Array, error) {
		p := artifact.Pairs{N: 4, Classes: []int{0, 0, 1, 1}, Vectors: map[string][]float64{artifact.DistancesGraphs: {1, 2, 3, 4, 5, 6},
			artifact.DistancesModels: {1, 1, 2, 3, 5, 8}, artifact.DistancesEmbeddings: {1, 2, 2, 3, 6, 9}}}
		return p.Arrays(), nil
	}
}

func TestDistancesFigure(t *testing.T) {
	g, arrays := distancesGrid()
	var asked []string
	figs, tabs := must.Get2(drawnOf(g.frame(), func(id string) ([]npz.Array, error) {
		asked = append(asked, id)
		return arrays(id)
	}))
	if len(figs) != 2 || figs[0].Name != "distances-d1" || figs[1].Name != "distances-d1-2" {
		t.Fatalf("%d figures: %+v", len(figs), figs)
	}
	// Of either lambda the first repetition that ended well; lambda 0 comes first, whatever the order of the grid.
	same(t, asked, []string{"00001003", "00001001"})
	f := figs[0]
	must.Check(t, f.Title, "Distances of pairs of graphs in D1, lambda 0", "title")
	middle := f.Panels[1].(plots.XY)
	want := plots.XY{
		Title: "Pearson correlation 0.9500", XLabel: "GW, graphs", YLabel: "Mahalanobis, embeddings", Diagonal: true,
		Note: "0.9550 (0.0041) over 3 repetitions; the paper: 0.96",
		Series: []plots.Series{
			{Name: "two classes", X: []float64{2, 3, 4, 5}, Y: []float64{2, 2, 3, 6}},
			{Name: "one class", X: []float64{1, 6}, Y: []float64{1, 9}},
		},
	}
	same(t, middle, want)
	if want := []string{"0", "2", "1", "2", "2", "1", "2"}; len(f.Data) != 1 || len(f.Data[0].Rows) != 6 || !slices.Equal(f.Data[0].Rows[1], want) {
		t.Errorf("data %+v", f.Data)
	}
	must.Contain(t, f.Alt, "each of all 6 pairs of graphs of D1, lambda 0, seed 1, repetition 0",
		"one class alone the first is 0.3000. The", "GW, embedded graphs and Mahalanobis, embeddings: 0.9990")
	tab := named(t, tabs, "distances")
	row := find(t, tab, "D1", "lambda 0", "GW, graphs", "Mahalanobis, embeddings")
	reads(t, tab, row, map[string]string{
		"paper": "0.96", "Pearson": "0.9550 (0.0041)", "Spearman": "0.4775 (0.0020)", "Pearson within classes": "0.3183 (0.0014)",
		"Pearson between classes": "0.1910 (0.0008)", "repetitions": "3 of 3",
	})
	row = find(t, tab, "D1", "lambda 0.01", "GW, graphs", "GW, embedded graphs")
	reads(t, tab, row, map[string]string{"Pearson": "0.9050 (0.0050)*"})
	same(t, at(t, tab, row, "paper").Kind, table.Blank)
	must.Contain(t, strings.Join(tab.Notes, " "), "rules out: 6 pairs in 5 cells", "lambda 0 25.0 %")

	for _, x := range g.asked {
		x.Params["features"] = "labels"
	}
	figs, tabs = must.Get2(drawnOf(g.frame(), arrays))
	must.Check(t, figs[0].Panels[0].(plots.XY).XLabel, "FGW, graphs", "of graphs with features")
	find(t, named(t, tabs, "distances"), "D1", "lambda 0", "FGW, graphs", "FGW, embedded graphs")
}

// TestDistancesOfUnlabelledGraphs have one series, and no column for classes.
func TestDistancesOfUnlabelledGraphs(t *testing.T) {
	g, arrays := distancesGrid()
	figs := must.First(drawnOf(g.frame(), func(id string) ([]npz.Array, error) {
		a, _ := arrays(id)
		return a[:3], nil
	}))
	s := figs[0].Panels[2].(plots.XY).Series
	if len(s) != 1 || !slices.Equal(s[0].X, []float64{1, 1, 2, 3, 5, 8}) || len(figs[0].Data[0].Header) != 5 || figs[0].Data[0].Header[0] != "graph" {
		t.Errorf("series %+v, header %q", s, figs[0].Data[0].Header)
	}
}

func TestDistancesFigureOfNoCells(t *testing.T) {
	g, arrays := distancesGrid()
	figs, tabs, err := drawnOf(g.without(), arrays)
	if err != nil || len(figs) != 0 || len(tabs) != 1 {
		t.Fatalf("%d figures, %d tables, %v", len(figs), len(tabs), err)
	}
	row := find(t, tabs[0], "D1", "lambda 0", "GW, graphs", "GW, embedded graphs")
	reads(t, tabs[0], row, map[string]string{"Pearson": table.MissingWord})
	verdicts, unasked := verdictsOf(g.without())
	if len(verdicts) != 2 || unasked != 0 {
		t.Errorf("%d verdicts, %d numbers not asked for", len(verdicts), unasked)
	}
	for _, v := range verdicts {
		must.Check(t, v.Outcome, paper.NoRun, "%+v", v)
	}
}

// TestDistanceVerdicts: 0.955 (0.004) is within 0.01 of 0.96, 0.999 is 0.999.
func TestDistanceVerdicts(t *testing.T) {
	g, arrays := distancesGrid()
	got, unasked := verdictsOf(g.frame())
	if len(got) != 2 || got[0].Outcome != paper.Agrees || got[0].Repetitions != 3 || !(math.Abs(got[0].Ours-0.955) <= 1e-12) ||
		got[1].Outcome != paper.Agrees || got[1].Paper != 0.999 {
		t.Fatalf("%+v", got)
	}
	for shift, want := range map[float64]paper.Outcome{-0.02: paper.Lower, 0.02: paper.Higher} {
		moved := slices.Clone(g.recs)
		for i := range moved {
			if moved[i].Status != record.OK {
				continue
			}
			scores := map[string]float64{}
			for k, v := range moved[i].Scores {
				scores[k] = v + shift
			}
			moved[i].Scores = scores
		}
		if v, _ := verdictsOf((&grid{g.spec, g.asked, moved}).frame()); v[0].Outcome != want || v[1].Outcome != want {
			t.Errorf("shifted by %v: %s and %s, want %s", shift, v[0].Outcome, v[1].Outcome, want)
		}
	}
	_, tabs, _ := drawnOf(g.frame(), arrays)
	row := find(t, tabs[0], "D1", "lambda 0", "GW, graphs", "Mahalanobis, embeddings")
	reads(t, tabs[0], row, map[string]string{"paper": "0.96", "Pearson": "0.9550 (0.0041)", "verdict": "agrees",
		"remark": "lambda 0; the paper does not say"})
	must.Contain(t, strings.Join(tabs[0].Notes, " "), paper.Sentence(got, unasked))
	// Another data set than the paper's has no printed number.
	other := &grid{spec: summary.Spec{Table: summary.FigureDistances}}
	other.ask("MUTAG", "GDL-distances", map[string]any{"lambda": 0}, 0)
	if got, unasked := verdictsOf(other.without()); got != nil || unasked > 0 {
		t.Errorf("MUTAG: %+v", got)
	}
}
