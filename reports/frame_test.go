package reports

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"ogdl/internal/record"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawParams draws parameters of few names and values, so that many are alike.
func drawParams(t *rapid.T) params {
	p := params{}
	for _, name := range []string{"alpha", "atoms", "init"} {
		switch rapid.IntRange(0, 3).Draw(t, name) {
		case 1:
			p[name] = 1
		case 2:
			p[name] = 0.5
		case 3:
			p[name] = "sample"
		}
	}
	return p
}

// TestOrderOfParams: compareParams is an order, equal exactly for equal parameters, as are keys; a
// parameter that is not there comes first.
func TestOrderOfParams(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := drawParams(t), drawParams(t), drawParams(t)
		ab := compareParams(a, b)
		if ab != -compareParams(b, a) {
			t.Errorf("%v and %v: %d, and %d", a, b, ab, compareParams(b, a))
		}
		if (ab == 0) != cmp.Equal(a, b) || (ab == 0) != (a.key() == b.key()) {
			t.Errorf("%v and %v: %d, keys %q and %q", a, b, ab, a.key(), b.key())
		}
		if ab <= 0 && compareParams(b, c) <= 0 && compareParams(a, c) > 0 {
			t.Errorf("%v, %v, %v: no order", a, b, c)
		}
	})
	less, more := params{}, params{"alpha": 1}
	if compareParams(less, more) != -1 {
		t.Error("a parameter that is not there comes first")
	}
}

// TestCompareAny: the short way orders as the long one does.
func TestCompareAny(t *testing.T) {
	t.Parallel()
	all := []any{0.0, math.Copysign(0, -1), 1.0, 1, int64(1), int64(2), 1.5, -1e300, math.Inf(1), math.NaN(), true, false, "", "a", "1", []any{1.0}, map[string]any{"a": 1}, nil}
	for _, a := range all {
		for _, b := range all {
			if got, want := compareAny(a, b), compareValues(valueOf(a), valueOf(b)); got != want {
				t.Errorf("%v (%T) and %v (%T): %d, want %d", a, a, b, b, got, want)
			}
		}
	}
}

// drawFrame draws runs of a few configurations, on repetitions of the grid and on those that confirm. copied gives each
// its own map of parameters.
func drawFrame(t *rapid.T, copied bool) []Run {
	var out []Run
	for c := range rapid.IntRange(1, 4).Draw(t, "configurations") {
		params := map[string]any{"alpha": []float64{0.5, 0.9}[c%2], "lambda": float64(c / 2), "atoms": int64(4)}
		dataset := rapid.SampledFrom([]string{"MUTAG", "BZR"}).Draw(t, "data set")
		for rep := range rapid.IntRange(1, 5).Draw(t, "repetitions") {
			x := Run{Expected: Expected{ID: fmt.Sprintf("%08x", 100*c+rep), Method: "GDL", Dataset: dataset, Params: params, BaseSeed: 1, Repetition: rep, Confirm: rep > 2}}
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
func everything(t testing.TB, f *Frame) string {
	stable, timed := Tables(f)
	figures, _, err := Figures(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := HTML(&page, Page{Frame: f, Tables: stable}); err != nil {
		t.Fatal(err)
	}
	for _, table := range append(stable, timed...) {
		if err := Terminal(&page, table.whole(), 0); err != nil {
			t.Fatal(err)
		}
	}
	return fmt.Sprint(page.String(), figures, f.Choices(), TimedFigures(f))
}

// TestFrame: runs in any order, with parameters of their own or shared, added at once or in parts, give one frame; the labels of
// those that were folded are not looked at any more.
func TestFrame(t *testing.T) {
	t.Parallel()
	spec := Spec{Name: "test", Table: TableClustering, Confirm: 2}
	rapid.Check(t, func(rt *rapid.T) {
		runs := drawFrame(rt, rapid.Bool().Draw(rt, "copied"))
		want := everything(t, NewFrame(spec, slices.Clone(runs), nil))
		if got := everything(t, NewFrame(spec, rapid.Permutation(runs).Draw(rt, "order"), nil)); got != want {
			rt.Fatal("another order, another frame")
		}
		grid := slices.DeleteFunc(slices.Clone(runs), func(r Run) bool { return r.Confirm })
		f := NewFrame(spec, grid, nil)
		choices := f.Choices()
		f.Add(slices.DeleteFunc(slices.Clone(runs), func(r Run) bool { return !r.Confirm }), nil)
		if len(grid) > 0 && !cmp.Equal(choices, f.Choices()) {
			rt.Fatalf("the choices change with what confirms them: %v, then %v", choices, f.Choices())
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
			Fold(folded[from:to])
			from = to
		}
		for i := range folded {
			if r := folded[i].Record; r != nil {
				bare := *r
				bare.Assignment = nil
				folded[i].Record = &bare
			}
		}
		if got := everything(t, NewFrame(spec, folded, nil)); got != want {
			rt.Fatal("without labels, another frame")
		}
	})
}
