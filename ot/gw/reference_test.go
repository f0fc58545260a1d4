package gw_test

import (
	"context"
	"math"
	"testing"

	"ogdl/datasets"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"
)

// A block of the reference files: rows of [i, j, f0, lp1, value, iterations], and
// where it was measured the best and the worst value over relabellings.
type block struct{ Rows [][]float64 }

// mean averages a column of the rows, NaN where there is none.
func (b block) mean(column int) float64 {
	sum := 0.0
	for _, row := range b.Rows {
		if len(row) <= column {
			return math.NaN()
		}
		sum += row[column]
	}
	return sum / float64(len(b.Rows))
}

func TestReference(t *testing.T) {
	for _, set := range []struct {
		name     string
		features datasets.FeatureKind
	}{{"MUTAG", datasets.KindLabels}, {"BZR", datasets.KindAttributes}} {
		var ref struct{ Pairs map[string]block }
		sharedtest.JSON(t, "gw_"+set.name+".json", &ref)
		for _, rep := range []struct {
			key  string
			kind datasets.StructureKind
		}{{"adj", datasets.KindAdjacency}, {"sp", datasets.KindShortestPath}} {
			plain, _ := gwtest.Load(t, set.name, rep.kind, datasets.KindNone)
			featured, _ := gwtest.Load(t, set.name, rep.kind, set.features)
			for _, c := range []struct {
				key    string
				alpha  float64
				graphs []*gw.Space
			}{{"gw", 1, plain}, {"fgw0.25", .25, featured}, {"fgw0.5", .5, featured}, {"fgw0.75", .75, featured}} {
				b, ok := ref.Pairs[rep.key+"_"+c.key]
				if !ok {
					t.Fatalf("%s has no block %s_%s", set.name, rep.key, c.key)
				}
				t.Run(set.name+"/"+rep.key+"_"+c.key, func(t *testing.T) {
					pairs(t, b, c.graphs, c.alpha, set.name == "BZR" && c.alpha < 1)
				})
			}
		}
	}
}

func pairs(t *testing.T, b block, graphs []*gw.Space, alpha float64, exact bool) {
	var s gw.Solver
	ctx := context.Background()
	total, iterations := 0.0, 0
	for _, row := range b.Rows {
		x, y := graphs[int(row[0])], graphs[int(row[1])]
		must.Do(t, s.Bind(x, y, alpha))
		must.Within(t, s.Value(), row[2], 1e-10*math.Abs(row[2]), "pair %v: f0", row[:2])
		must.Within(t, s.FirstLinear(), row[3], 1e-10*math.Abs(row[3]), "pair %v: lp1", row[:2])
		r := must.Get(s.Solve(ctx, x, y, alpha, nil, nil))
		must.Check(t, r.Status, gw.Converged, "pair %v", row[:2])
		total += r.Value
		iterations += r.Iterations
		if exact {
			must.Within(t, r.Value, row[4], 1e-8*math.Abs(row[4]), "pair %v: value, and reference", row[:2])
		}
	}
	mean := total / float64(len(b.Rows))
	best, worst := b.mean(6), b.mean(7)
	t.Logf("mean %.6g (reference %.6g, band %.6g .. %.6g), iterations %.1f", mean, b.mean(4), best, worst, float64(iterations)/float64(len(b.Rows)))
	most, what := worst*(1+1e-12), "the mean of the worst relabellings"
	if math.IsNaN(worst) { // blocks without a band are featured: ties are few there
		most, what = 1.02*b.mean(4), "1.02 times the reference's"
	}
	if !(mean <= most) {
		t.Errorf("mean %v above %s, %v", mean, what, most)
	}
}
