package reports

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// TestForeignArrays: whatever one of a cell's arrays holds, figures are drawn or left out with a
// reason that names a cell; tables stay, and nothing panics. Arrays are valid ones of [npz.Read], not what a
// method has written. Where one cell alone has none, or they cannot be read, the others are drawn.
func TestForeignArrays(t *testing.T) {
	learned := cellOf{atoms: threeAtoms(), weights: [][]float64{{1, 0, 0}, {0, 0, 1}}, classes: []int{0, 1}, proportions: []float64{0.2, 0.4},
		kept: map[int]artifact.Matrix{0: threeAtoms()[1], 1: threeAtoms()[0]}}
	two := learned
	two.atoms, two.weights = two.atoms[:2], [][]float64{{1, 0}, {0.5, 0.5}}
	for kind, fixture := range map[string]func() (*grid, func(string) ([]npz.Array, error)){
		summary.FigureAtoms:         func() (*grid, func(string) ([]npz.Array, error)) { return oneCell(learned) },
		summary.FigureSimplex:       func() (*grid, func(string) ([]npz.Array, error)) { return oneCell(learned) },
		summary.FigureInterpolation: func() (*grid, func(string) ([]npz.Array, error)) { return oneCell(two) },
		summary.FigureDistances:     distancesGrid,
		summary.FigureWeights:       func() (*grid, func(string) ([]npz.Array, error)) { return weightsGrid(2, 3, 4, 5, 7) },
		summary.FigureOnline: func() (*grid, func(string) ([]npz.Array, error)) {
			e, r, a := streamRun("TRIANGLES", 0, 10, record.OK)
			return &grid{asked: []summary.Expected{e}, recs: []record.Record{r}}, func(string) ([]npz.Array, error) { return a, nil }
		},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			g, arrays := fixture()
			g.spec.Table = kind
			frame := g.frame()
			good, tabs, err := drawnOf(frame, arrays)
			if err != nil || len(good) == 0 {
				t.Fatalf("%d figures, %v", len(good), err)
			}
			var names []string
			for _, r := range g.recs {
				all, _ := arrays(r.ID)
				for _, a := range all {
					if !slices.Contains(names, a.Name) {
						names = append(names, a.Name)
					}
				}
			}
			rejected := 0
			for _, name := range names {
				for what, change := range foreign() {
					what = fmt.Sprintf("%s %s", name, what)
					figs, left, err := foreignFigures(frame, func(id string) ([]npz.Array, error) {
						all, err := arrays(id)
						all = slices.Clone(all)
						for i := range all {
							if all[i].Name == name {
								all[i] = change(all[i])
							}
						}
						return all, err
					})
					if err != nil {
						rejected++
						if !slices.ContainsFunc(g.recs, func(r record.Record) bool { return strings.Contains(err.Error(), r.ID) }) {
							t.Errorf("%s: no cell is named: %v", what, err)
						}
					}
					if len(left) != len(tabs) {
						t.Errorf("%s: %d tables, want %d: %v", what, len(left), len(tabs), err)
					}
					if err == nil && len(figs) == 0 {
						t.Errorf("%s: no figures and no reason", what)
					}
				}
			}
			if rejected == 0 {
				t.Errorf("nothing of %q was rejected", names)
			}
			for _, torn := range []error{nil, errors.New("torn")} {
				asked := ""
				_, left, err := foreignFigures(frame, func(id string) ([]npz.Array, error) {
					if asked = cmp.Or(asked, id); id == asked {
						return nil, torn
					}
					return arrays(id)
				})
				if err == nil || !strings.Contains(err.Error(), asked) || torn != nil && !errors.Is(err, torn) || len(left) != len(tabs) {
					t.Errorf("without the arrays of %s: %d tables, %v", asked, len(left), err)
				}
			}
		})
	}
}

func oneCell(c cellOf) (*grid, func(string) ([]npz.Array, error)) {
	g := &grid{}
	s := kept{}
	s.add(g, "D2", 0, 0, 0.1, c)
	return g, s.read
}

// foreignFigures is Figures, and makes of a panic an error that no test expects: no tables.
func foreignFigures(frame *summary.Frame, arrays func(string) ([]npz.Array, error)) (figs []plots.Figure, tabs []table.Table, err error) {
	defer func() {
		if v := recover(); v != nil {
			tabs, err = nil, fmt.Errorf("panic: %v", v)
		}
	}()
	return drawnOf(frame, arrays)
}

// foreign are changes to an array that leave it a valid one.
func foreign() map[string]func(a npz.Array) npz.Array {
	out := map[string]func(a npz.Array) npz.Array{
		"without elements": func(a npz.Array) npz.Array { return resized(a, slices.Repeat([]int{0}, len(a.Shape))) },
		"of one row less": func(a npz.Array) npz.Array {
			shape := slices.Clone(a.Shape)
			shape[0]--
			return resized(a, shape)
		},
		"of one element":   func(a npz.Array) npz.Array { return resized(a, slices.Repeat([]int{1}, len(a.Shape))) },
		"without a shape":  func(a npz.Array) npz.Array { return resized(a, nil) },
		"of text":          func(a npz.Array) npz.Array { return npz.Scalar(a.Name, "x") },
		"under other name": func(a npz.Array) npz.Array { a.Name += "?"; return a },
	}
	for _, v := range []int{-1, 0, 1 << 31, 1 << 62, math.MinInt, math.MaxInt} {
		out[fmt.Sprintf("all %d", v)] = func(a npz.Array) npz.Array {
			if a.Int != nil {
				a.Int = slices.Repeat([]int{v}, len(a.Int))
			}
			return a
		}
	}
	for _, v := range []float64{-1, 0, math.NaN(), math.Inf(1), math.MaxFloat64} {
		out[fmt.Sprintf("all %v", v)] = func(a npz.Array) npz.Array {
			if a.Float != nil {
				a.Float = slices.Repeat([]float64{v}, len(a.Float))
			}
			return a
		}
	}
	return out
}

// resized is an array of another shape, of its own first elements.
func resized(a npz.Array, shape []int) npz.Array {
	n := 1
	for _, e := range shape {
		n *= e
	}
	a.Shape = shape
	if a.Float != nil {
		a.Float = a.Float[:n]
	}
	if a.Int != nil {
		a.Int = a.Int[:n]
	}
	if a.Text != nil {
		a.Text = a.Text[:n]
	}
	return a
}
