package reports

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"testing"

	"ogdl/internal/record"
	"ogdl/internal/test/must"
	"ogdl/reports/page"
	"ogdl/reports/summary"
	"ogdl/reports/table"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawFrame draws runs of a few configurations, on repetitions of the grid and on those that confirm. copied gives each
// its own map of parameters.
func drawFrame(t *rapid.T, copied bool) []summary.Run {
	var out []summary.Run
	for c := range rapid.IntRange(1, 4).Draw(t, "configurations") {
		params := map[string]any{"alpha": []float64{0.5, 0.9}[c%2], "lambda": float64(c / 2), "atoms": int64(4)}
		dataset := rapid.SampledFrom([]string{"MUTAG", "BZR"}).Draw(t, "data set")
		for rep := range rapid.IntRange(1, 5).Draw(t, "repetitions") {
			x := summary.Run{Expected: summary.Expected{ID: fmt.Sprintf("%08x", 100*c+rep), Method: "GDL", Dataset: dataset, Params: params, BaseSeed: 1, Repetition: rep, Confirm: rep > 2}}
			if copied {
				x.Params = maps.Clone(params)
			}
			if kind := rapid.IntRange(0, 5).Draw(t, "record"); kind > 0 {
				x.Record = &record.Record{ID: x.ID, Status: record.OK, Digest: "d", Scores: map[string]float64{"ri": rapid.Float64Range(0, 1).Draw(t, "ri")}}
				for range 6 - kind/5 {
					x.Record.Assignment = append(x.Record.Assignment, uint16(rapid.IntRange(0, 2).Draw(t, "label")))
				}
				x.Timing = &record.Timing{ID: x.ID, Seconds: float64(rep)}
			}
			out = append(out, x)
		}
	}
	return out
}

// everything is all that is made of a frame.
func everything(t testing.TB, f *summary.Frame) string {
	stable, timed := tablesOf(f)
	figs := must.First(drawnOf(f, nil))
	var shownPage bytes.Buffer
	must.Do(t, page.HTML(&shownPage, page.Page{Frame: f, Tables: stable}))
	for _, tab := range append(stable, timed...) {
		must.Do(t, table.Terminal(&shownPage, tab.Whole(), 0))
	}
	return fmt.Sprint(shownPage.String(), figs, f.Chosen(), timedFiguresOf(f))
}

// TestFrame: runs in any order, with parameters of their own or shared, added at once or in parts, give one frame; the labels of
// those that were folded are not looked at any more.
func TestFrame(t *testing.T) {
	t.Parallel()
	spec := summary.Spec{Name: "test", Table: summary.TableClustering, Confirm: 2}
	rapid.Check(t, func(rt *rapid.T) {
		runs := drawFrame(rt, rapid.Bool().Draw(rt, "copied"))
		want := everything(t, summary.NewFrame(spec, slices.Clone(runs), nil))
		if got := everything(t, summary.NewFrame(spec, rapid.Permutation(runs).Draw(rt, "order"), nil)); got != want {
			rt.Fatal("another order, another frame")
		}
		grid := slices.DeleteFunc(slices.Clone(runs), func(r summary.Run) bool { return r.Confirm })
		f := summary.NewFrame(spec, grid, nil)
		chosen := f.Chosen()
		f.Add(slices.DeleteFunc(slices.Clone(runs), func(r summary.Run) bool { return !r.Confirm }), nil)
		if len(grid) > 0 && !cmp.Equal(chosen, f.Chosen()) {
			rt.Fatalf("the choices change with what confirms them: %v, then %v", chosen, f.Chosen())
		}
		if got := everything(t, f); got != want {
			rt.Fatal("in two parts, another frame")
		}
		folded := slices.Clone(runs)
		for from := 0; from < len(folded); {
			to := from + 1
			for to < len(folded) && cmp.Equal(folded[to].Params, folded[from].Params) && folded[to].Dataset == folded[from].Dataset && folded[to].Confirm == folded[from].Confirm {
				to++
			}
			summary.Fold(folded[from:to])
			from = to
		}
		for i := range folded {
			if r := folded[i].Record; r != nil {
				bare := *r
				bare.Assignment = nil
				folded[i].Record = &bare
			}
		}
		if got := everything(t, summary.NewFrame(spec, folded, nil)); got != want {
			rt.Fatal("without labels, another frame")
		}
	})
}
