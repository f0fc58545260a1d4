package reports

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
)

// searched are the arrays of a cell's search: the last C is the best, at the first gamma.
func searched(gamma ...float64) []npz.Array {
	C := []float64{0.1, 1, 10}
	correct := make([]int, len(C)*len(gamma))
	for k := range correct {
		correct[k] = 1000 + 100*(k/len(gamma)) - k%len(gamma)
	}
	return []npz.Array{{Name: artifact.InnerCorrect, Shape: []int{len(C), len(gamma)}, Int: correct},
		{Name: artifact.InnerC, Shape: []int{len(C)}, Float: C}, {Name: artifact.InnerGamma, Shape: []int{len(gamma)}, Float: gamma}}
}

// TestClassificationFigures: a field for kernels of distances, a line for others, on the first split that has a choice; the accuracies of
// rows split by split; what cannot be read is told, and the rest is drawn.
func TestClassificationFigures(t *testing.T) {
	g := carefulSplits()
	arrays := func(id string) ([]npz.Array, error) {
		for _, r := range g.recs {
			switch {
			case r.ID != id:
			case r.Method == "GDL-w":
				return searched(0.25, 1, 4), nil
			case r.Method == "FGWK":
				return nil, errors.New("torn")
			default:
				return searched(0), nil
			}
		}
		return nil, nil
	}
	figs, tabs, err := drawnOf(g.frame(), arrays)
	if err == nil || !strings.Contains(err.Error(), "torn") || len(tabs) > 0 {
		t.Errorf("%v, %d tables", err, len(tabs))
	}
	same(t, names(figs), []string{"inner_accuracy-mutag", "inner_accuracy-ptc-mr", "inner_accuracy-mine", "split_by_split-mutag", "split_by_split-ptc-mr"})
	x := panel(t, figs, "inner_accuracy-mutag", 0)
	if f := x.Field; f == nil || len(f.Values) != 9 || !(math.Abs(f.Values[6]-100*1200.0/1530) <= 1e-9) || f.Max != f.Values[6] ||
		f.Min != slices.Min(f.Values) ||
		x.Series[0].X[0] != 0 || x.Series[0].Y[0] != 1 {
		t.Errorf("%+v", x)
	}
	f := figureNamed(t, figs, "inner_accuracy-mutag")
	if len(f.Panels) != 1 || len(f.Data[0].Rows) != 9 || f.Data[0].Rows[0][1] != "alpha 0.5, atoms 4" || f.Data[0].Rows[0][2] != "0" {
		t.Errorf("%d panels, data %v", len(f.Panels), f.Data[0].Rows)
	}
	if x := panel(t, figs, "inner_accuracy-ptc-mr", 1); x.Field != nil || len(x.Series[0].X) != 3 || x.XLabel != "C" {
		t.Errorf("%+v", x)
	}
	x = panel(t, figs, "split_by_split-mutag", 0)
	if x.YLabel != "GDL-w (ADJ)" || x.XLabel != "FGWK (ADJ)" || len(x.Series[0].X) != 3 || !x.Diagonal ||
		x.Note != "GDL-w (ADJ): higher on 0 of 3 splits, equal on 0; -9.3 points on average (95 %: -18.1 to -0.6)." {
		t.Errorf("%+v", x)
	}
	if x := panel(t, figs, "split_by_split-ptc-mr", 0); x.Note != "SPK: higher on 0 of 1 split, equal on 0; -9.0 points on average." {
		t.Errorf("%q", x.Note)
	}
	if figs, _, err := drawnOf(g.without(), arrays); len(figs) > 0 || err != nil {
		t.Errorf("%d figures of nothing, %v", len(figs), err)
	}
}

// TestTimeAgainstAccuracy: a point for every row that has run and was timed, with the products that it rests on, once.
func TestTimeAgainstAccuracy(t *testing.T) {
	g := carefulSplits()
	var timings []record.Timing
	for i := range g.recs {
		r := &g.recs[i]
		if r.Dataset == "MUTAG" || r.Dataset == "mine" {
			timings = append(timings, record.Timing{ID: r.ID, Seconds: 2, CPUSeconds: 1})
		}
		if r.Method == "FGWK" {
			r.Products = []record.Used{{ID: "d"}}
		}
	}
	figs := timedFiguresOf(g.timed(timings, map[string]summary.Cost{"d": {Blocks: 2, Seconds: 11}}))
	must.Equal(t, len(figs), 1, "figures")
	f := figs[0]
	must.Do(t, must.Err(plots.Files(f)))
	want := [][]string{{"MUTAG", "GDL-w (ADJ)", "5", "19"}, {"MUTAG", "FGWK (ADJ)", "3", "14"}, {"mine", "WLK", "5", "5"}}
	if len(f.Data[0].Rows) != len(want) || len(f.Panels) != 2 {
		t.Fatalf("%d panels, %v", len(f.Panels), f.Data[0].Rows)
	}
	for i, row := range f.Data[0].Rows {
		same(t, row[:4], want[i])
	}
	if figs := timedFiguresOf(g.frame()); len(figs) > 0 {
		t.Error("a figure without times")
	}
}
