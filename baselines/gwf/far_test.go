package gwf_test

import (
	"context"
	"testing"

	"ogdl/baselines/gwf"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

func embedded(t *testing.T, m *gwf.Model, C, A []float64) []float64 {
	t.Helper()
	g := must.Get(gw.NewSpace(C, A, 1, m.D, nil))
	es := must.Get(m.Embed(context.Background(), []*gw.Space{g}, nil, 1))
	return es[0].W
}

// TestFarNodeWithoutWeight and TestStructuresFarFromZero hold that offsets cost no digits.
func TestFarNodeWithoutWeight(t *testing.T) {
	for _, far := range []float64{1, 1e3, 1e6} {
		m := &gwf.Model{D: 1, Alpha: 0, Atoms: []gwf.Atom{
			{N: 2, C: make([]float64, 4), A: []float64{far, 0}, P: []float64{0, 1}},
			{N: 2, C: make([]float64, 4), A: []float64{0, 1}, P: []float64{0, 1}}}}
		must.Within(t, embedded(t, m, []float64{0}, []float64{.3})[0], .7, 1e-4, "%g: first weight", far)
	}
}

func TestStructuresFarFromZero(t *testing.T) {
	for _, far := range []float64{0, 1e6} {
		m := &gwf.Model{Alpha: 1, Atoms: []gwf.Atom{{N: 1, C: []float64{far}, P: []float64{1}}, {N: 1, C: []float64{far + 1}, P: []float64{1}}}}
		must.Within(t, embedded(t, m, []float64{far + .25}, nil)[0], .75, 1e-4, "%g: first weight", far)
		g, _ := gw.NewSpace([]float64{far + .25}, nil, 1, 0, nil)
		x := must.Get(m.Reconstruct(context.Background(), []*gw.Space{g}, []float64{.75, .25}, nil, 1))
		c, _ := x[0].C()
		must.Within(t, c[0]-far, .25, 1e-6, "%g: the model's entry", far)
		must.Fail(t, must.Err(m.Reconstruct(context.Background(), []*gw.Space{g}, []float64{1}, nil, 1)), "W has 1 weights", "short weights:")
	}
}
