package gwf

import (
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"

	"github.com/google/go-cmp/cmp"
)

func TestStarts(t *testing.T) {
	rng := source(51)
	graphs := randomGraphs(rng, 6, 4, 4, 2)
	graphs = append(graphs, randomGraph(rng, 6, 2, false), randomGraph(rng, 3, 2, false), randomGraph(rng, 12, 2, false))
	m := must.Get(InitRandomOrder(graphs, 9, 0.5, source(52)))
	seen := map[*gw.Space]bool{}
	for _, a := range m.Atoms {
		for _, g := range graphs {
			c, ld := g.C()
			if g.N() == a.N && cmp.Equal(a.A, g.A()) && cmp.Equal(a.P, g.P()) && a.C[1] == c[1] && a.C[a.N] == c[ld] {
				seen[g] = true
			}
		}
	}
	must.Check(t, len(seen), len(graphs), "graphs that became atoms")

	m, notes, err := InitFixedOrder(graphs, 6, 4, 0.5, source(53))
	if err != nil || notes != nil {
		t.Errorf("notes %v, error %v", notes, err)
	}
	for _, a := range m.Atoms {
		if a.N != 4 || a.P[0] != 0.25 {
			t.Errorf("atom of order %d with weight %v", a.N, a.P[0])
		}
	}
	m, notes, err = InitFixedOrder(graphs, 8, 4, 0.5, source(54))
	if want := "only 6 of 8 atoms start from graphs of order 4: 1 larger graphs were cut to it and 1 smaller ones padded"; err != nil || len(notes) != 1 || notes[0] != want {
		t.Errorf("notes %q, error %v", notes, err)
	}
	padded := m.Atoms[6] // distance 1 comes before distance 2
	small := graphs[7]
	mean := (small.A()[0] + small.A()[2] + small.A()[4]) / 3
	must.Near(t, "padded structure", []float64{padded.C[3], padded.C[15]}, []float64{0, 0}, 0)
	must.Within(t, padded.A[6], mean, 1e-15, "padded feature, and the features' mean")
	must.Fail(t, must.Err(InitRandomOrder(graphs[:2], 3, 0.5, rng)), "3 atoms cannot be drawn from 2")
	must.Fail(t, must.Err(InitRandomOrder(append(graphs[:2:2], randomGraph(rng, 3, 1, false)), 1, 0.5, rng)), "graph 2 has features of dimension 1")
	negative := must.Get(gw.NewSpace([]float64{2, -1, -1, 2}, nil, 2, 0, nil))
	if m := must.Get(InitRandomOrder([]*gw.Space{negative}, 1, 1, rng)); !cmp.Equal(m.Atoms[0].C, []float64{2, 0, 0, 2}) {
		t.Errorf("structure %v", m.Atoms[0].C)
	}
}
