package reports

import (
	"html/template"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ogdl/internal/record"
	"ogdl/internal/test/must"
	"ogdl/reports/plots"
	"ogdl/reports/summary"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// sweptGrid is MUTAG at three alphas and two lambdas with two repetitions, and a data set where
// nothing varies. The best of lambda = 0 is alpha 0.995, of lambda > 0 alpha 0.9997.
func sweptGrid() grid {
	var g grid
	for _, c := range []struct {
		alpha, lambda float64
		ri            [2]float64
	}{
		{0.9, 0, [2]float64{0.5, 0.6}}, {0.995, 0, [2]float64{0.7, 0.8}}, {0.9997, 0, [2]float64{0.6, 0.6}},
		{0.9, 0.01, [2]float64{0.5, 0.5}}, {0.995, 0.01, [2]float64{0.6, 0.7}}, {0.9997, 0.01, [2]float64{0.65, 0.75}},
	} {
		objective := 0.1
		if c.alpha == 0.995 {
			objective = 0.05
		}
		for rep, ri := range c.ri {
			r := g.put("MUTAG", "GDL", p(c.alpha, c.lambda, 4), rep, ri, ri/2, objective, 0, 1)
			r.EpochLoss = []float64{0.4 + float64(rep), 0.2 + float64(rep)}
		}
	}
	g.put("IMDB-B", "GDL", p(1, 0, 4), 0, 0.5, 0, 0.1, 0, 1)
	return g
}

func panel(t *testing.T, figs []plots.Figure, name string, at int) plots.XY {
	t.Helper()
	f := figureNamed(t, figs, name)
	must.Do(t, must.Err(plots.Files(f)))
	x, ok := f.Panels[at].(plots.XY)
	if !ok {
		t.Fatalf("%s: panel %d is a %T", name, at, f.Panels[at])
	}
	return x
}

func names(figs []plots.Figure) (out []string) {
	for _, f := range figs {
		out = append(out, f.Name)
	}
	return out
}

func round(values []float64) (out []float64) {
	for _, v := range values {
		out = append(out, float64(int64(v*1e6+0.5))/1e6)
	}
	return out
}

func TestSweeps(t *testing.T) {
	g := sweptGrid()
	figs := must.First(drawnOf(g.frame(), nil))
	same(t, names(figs), []string{"sweep_alpha", "sweep_lambda", "loss"})
	// Rows along alpha, mean and standard deviation over the repetitions. The alphas lie too close for a scale of their own.
	x := panel(t, figs, "sweep_alpha", 0)
	same(t, len(figureNamed(t, figs, "sweep_alpha").Panels), 2)
	same(t, x.XTicks, []plots.Tick{{Value: 0, Label: "0.9"}, {Value: 1, Label: "0.995"}, {Value: 2, Label: "0.9997"}})
	if len(x.Series) != 3 || x.Series[0].Name != "GDL" || x.Series[1].Name != "GDL_lambda" || x.Series[0].Colour == x.Series[1].Colour {
		t.Fatalf("series %+v", x.Series)
	}
	same(t, round(x.Series[0].Y), []float64{55, 75, 60})
	same(t, x.Series[2], plots.Series{Name: "trivial level", Style: plots.Line, Guide: true, X: []float64{0, 2}, Y: []float64{55.2, 55.2}})
	same(t, panel(t, figs, "sweep_alpha", 1).Series[2].Y, []float64{0, 0})
	same(t, round(x.Series[0].Low), []float64{50, 70, 60})
	same(t, round(panel(t, figs, "sweep_alpha", 1).Series[1].Y), []float64{25, 32.5, 35})
	// Along lambda the rows are one, through the chosen one: alpha 0.995.
	x = panel(t, figs, "sweep_lambda", 0)
	if len(x.Series) != 2 || x.Series[0].Name != "GDL" {
		t.Fatalf("series %+v", x.Series)
	}
	same(t, round(x.Series[0].Y), []float64{75, 65})
	f := figureNamed(t, figs, "sweep_lambda")
	same(t, f.Data[0].Rows[1], []string{"MUTAG", "GDL", "0.01", "2", "65", "5", "32.5", "2.5", "100", "50", "alpha 0.995"})
	must.Contain(t, f.Alt, "MUTAG 75.0 % by GDL at 0")
	x = panel(t, figs, "loss", 0)
	if got, want := round(x.Series[0].Y), []float64{0.9, 0.7}; x.Title != "MUTAG" || !slices.Equal(got, want) {
		t.Errorf("loss of %s %v, want %v", x.Title, got, want)
	}
}

// TestSweepOfAtoms reads numbers of atoms off the records where the grid gives them per class.
func TestSweepOfAtoms(t *testing.T) {
	var g grid
	for _, perClass := range []int{1, 2, 4} {
		params := map[string]any{"lambda": 0, "alpha": 1, "atoms_per_class": perClass}
		r := g.put("IMDB-M", "GDL", params, 0, 0.5, 0.1, 0.1, 0, 1)
		r.Params = map[string]any{"lambda": 0, "alpha": 1, "atoms_per_class": perClass, "atoms": 3 * perClass}
	}
	g.ask("IMDB-M", "GDL", map[string]any{"lambda": 0, "alpha": 1, "atoms_per_class": 1}, 1)
	figs, _, _ := drawnOf(g.frame(), nil)
	same(t, names(figs), []string{"sweep_atoms"})
	x := panel(t, figs, "sweep_atoms", 0)
	same(t, x.XTicks, []plots.Tick{{Value: 0, Label: "3"}, {Value: 1, Label: "6"}, {Value: 2, Label: "12"}})
}

// TestLossOfUnequalRuns: epochs count as far as all runs have them.
func TestLossOfUnequalRuns(t *testing.T) {
	var g grid
	g.put("D1", "GDL", p(1, 0, 4), 0, 0.5, 0, 0.1).EpochLoss = []float64{3, 2, 1}
	g.put("D1", "GDL", p(1, 0, 4), 1, 0.5, 0, 0.1).EpochLoss = []float64{1, 0}
	g.put("D1", "SC", p(1, 0, 4), 0, 0.5, 0, 0.1)
	figs, _, _ := drawnOf(g.frame(), nil)
	x := panel(t, figs, "loss", 0)
	if len(x.Series) != 1 || !slices.Equal(x.Series[0].Y, []float64{2, 1}) {
		t.Errorf("series %+v", x.Series)
	}
}

func TestTimeAgainstQuality(t *testing.T) {
	var g grid
	var timings []record.Timing
	put := func(method string, alpha, ri, cpu float64, products ...string) {
		r := g.put("MUTAG", method, p(alpha, 0, 4), 0, ri, 0, 0.1)
		for _, id := range products {
			r.Products = append(r.Products, record.Used{ID: id})
		}
		if cpu > 0 {
			timings = append(timings, record.Timing{ID: r.ID, CPUSeconds: cpu, Seconds: 100})
		}
	}
	put("GDL", 0.5, 0.6, 2)
	put("GDL", 0.9, 0.5, 3)
	put("GDL", 1, 0.9, 0) // no timing: left out
	put("SC", 0.5, 0.7, 1, "m")
	put("SC", 0.9, 0.8, 1, "unknown")
	figs := timedFiguresOf(g.timed(timings, map[string]summary.Cost{"m": {Blocks: 2, Seconds: 9}}))
	x := panel(t, figs, "time_quality", 0)
	want := []plots.Series{{Name: "GDL", Colour: 1, X: []float64{2, 3}, Y: []float64{60, 50}}, {Name: "SC", Colour: 2, X: []float64{10}, Y: []float64{70}},
		{Name: "Pareto front", Colour: 7, X: []float64{2, 10}, Y: []float64{60, 70}, Style: plots.Steps}}
	for i := range x.Series {
		x.Series[i].Y = round(x.Series[i].Y)
	}
	same(t, cmp.Diff(want, x.Series, cmpopts.EquateEmpty()), "")
	if figs := timedFiguresOf(g.timed(nil, nil)); len(figs) > 0 {
		t.Errorf("%d figures without timings", len(figs))
	}
}

// TestNothingToDraw: no records, and records of cells that failed, give no figures.
func TestNothingToDraw(t *testing.T) {
	var g grid
	if figs, tabs, err := drawnOf(g.frame(), nil); len(figs)+len(tabs) > 0 || err != nil {
		t.Error(names(figs), tabs, err)
	}
	for rep, alpha := range []float64{0.5, 1} {
		g.leave(g.ask("MUTAG", "GDL", p(alpha, 0, 4), rep), record.Record{Status: record.Failed, Reason: "no"})
	}
	if figs, _, err := drawnOf(g.frame(), nil); len(figs) > 0 || err != nil {
		t.Error(names(figs), err)
	}
}

// TestWriteFigures: a figure that cannot be drawn keeps no other from its files; one that comes twice is an error.
func TestWriteFigures(t *testing.T) {
	dir := t.TempDir()
	g := sweptGrid()
	figs, _, _ := drawnOf(g.frame(), nil)
	must.Do(t, must.Err(writeFigures(dir, figs)))
	bad := figs[1]
	bad.Alt = ""
	found, err := writeFigures(dir, []plots.Figure{figs[0], bad})
	must.Fail(t, err, "no Alt")
	must.Fail(t, must.Err(writeFigures(dir, []plots.Figure{figs[0], figs[0]})), "two files are named")
	file, _ := os.ReadFile(filepath.Join(dir, "figures", "sweep_alpha.svg"))
	if len(found) != 1 || found[0].Title != figs[0].Title || found[0].Alt != figs[0].Alt || found[0].SVG != template.HTML(file) ||
		!slices.Equal(found[0].Files, []string{"figures/sweep_alpha.svg", "figures/sweep_alpha.pdf", "figures/sweep_alpha.csv"}) || len(file) == 0 {
		t.Errorf("on the page: %+v", found)
	}
	empty := t.TempDir()
	must.Do(t, must.Err(writeFigures(empty, nil)))
	if entries, _ := os.ReadDir(empty); len(entries) > 0 {
		t.Error("a folder without figures")
	}
}
