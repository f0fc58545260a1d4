package gdl_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/npz"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"

	"pgregory.net/rapid"
)

func drawWeights(t *rapid.T, s int, name string) []float64 {
	return gwtest.Normalized(rapid.SliceOfN(rapid.Float64Range(0.001, 1), s, s).Draw(t, name))
}

// The bound of propositions 1 and 2 is the objective at the diagonal coupling,
// and a solve that starts there can only go below.
func TestMahalanobisBound(t *testing.T) {
	var solver gw.Solver
	rapid.Check(t, func(t *rapid.T) {
		rng := source(rapid.Uint64().Draw(t, "seed"))
		d := start(rng, rapid.IntRange(1, 6).Draw(t, "atoms"), rapid.IntRange(1, 8).Draw(t, "order"),
			rapid.IntRange(0, 3).Draw(t, "dim"), rapid.Float64Range(0, 1).Draw(t, "alpha"))
		copy(d.Q, drawWeights(t, d.N, "q"))
		w1, w2 := drawWeights(t, d.S, "w1"), drawWeights(t, d.S, "w2")
		model := func(w []float64) *gw.Space {
			C, A, _ := d.Reconstruct(w)
			return space(C, A, d.N, d.D, d.Q)
		}
		x, y := model(w1), model(w2)
		m, bound := must.Get(d.Mahalanobis()), 0.0
		for s := range d.S {
			for u := range d.S {
				bound += (w1[s] - w2[s]) * m[s*d.S+u] * (w1[u] - w2[u])
			}
		}
		diagonal := gwtest.Diagonal(d.Q)
		must.Within(t, gw.Objective(x, y, d.Alpha, diagonal), bound, 1e-12, "objective at the diagonal coupling, and bound")
		r := must.Get(solver.Solve(context.Background(), x, y, d.Alpha, diagonal, nil))
		if !(r.Value <= bound+1e-12) {
			t.Fatalf("solved to %v, above the bound %v", r.Value, bound)
		}
		dist := must.Get(d.Distance(w1, w2))
		must.Within(t, dist*dist, bound, 1e-12, "distance %v, bound", dist)
		root := must.Get(gdl.SymmetricRoot(m, d.S))
		sum := 0.0
		a, b := gdl.Apply(root, w1), gdl.Apply(root, w2)
		for k := range a {
			sum += (a[k] - b[k]) * (a[k] - b[k])
		}
		must.Within(t, sum, bound, 1e-12, "squared distance of the roots, and bound")
	})
}

// TestSymmetricRootOfTinyEntries: entries a hundred orders of magnitude below the others, as an alpha of 1e-122 makes them, do not spoil the root.
func TestSymmetricRootOfTinyEntries(t *testing.T) {
	for seed := range uint64(100) {
		d := start(source(seed), 4, 1, 1, 1.210184973390412e-122)
		d.Q[0] = 1
		M := must.Get(d.Mahalanobis())
		root := must.Get(gdl.SymmetricRoot(M, 4))
		for i := range 4 {
			for j := range 4 {
				sum := 0.0
				for k := range 4 {
					sum += root[i*4+k] * root[k*4+j]
				}
				must.Within(t, sum, M[i*4+j], 1e-13, "seed %d: square of the root at (%d, %d)", seed, i, j)
			}
		}
	}
}

func TestSymmetricRoot(t *testing.T) {
	must.Near(t, "root", must.Get(gdl.SymmetricRoot([]float64{4, 0, 0, 9}, 2)), []float64{2, 0, 0, 3}, 1e-15)
	must.Near(t, "root of a singular matrix", must.Get(gdl.SymmetricRoot([]float64{2, 2, 2, 2}, 2)), []float64{1, 1, 1, 1}, 1e-15)
	must.Near(t, "negative rounding clipped", must.Get(gdl.SymmetricRoot([]float64{1, 0, 0, -1e-17}, 2)), []float64{1, 0, 0, 0}, 0)
}

func TestInitSample(t *testing.T) {
	const order = 6
	graphs := noisy(source(1), 60, 4, 9, 2)
	exact := 0
	for _, g := range graphs {
		if g.N() == order {
			exact++
		}
	}
	find := func(d *gdl.Dictionary, s int) int {
		for k, g := range graphs {
			if slices.Equal(d.C[s], gwtest.Structure(g)) && slices.Equal(d.A[s], g.A()) {
				return k
			}
		}
		return -1
	}
	d, notes, err := gdl.InitSample(graphs, exact, order, 0.5, source(2))
	if err != nil || len(notes) != 0 {
		t.Fatalf("notes %v, error %v", notes, err)
	}
	seen := map[int]bool{}
	for s := range exact {
		k := find(d, s)
		if k < 0 || seen[k] {
			t.Errorf("atom %d is graph %d", s, k)
		}
		seen[k] = true
	}
	other, _, _ := gdl.InitSample(graphs, exact, order, 0.5, source(3))
	if bytes.Equal(archive(t, d), archive(t, other)) {
		t.Error("two seeds give one dictionary")
	}

	d, notes, err = gdl.InitSample(graphs, exact+5, order, 0.5, source(2))
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0], fmt.Sprintf("only %d of %d atoms start from graphs of order 6", exact, exact+5)) {
		t.Errorf("notes %q, error %v", notes, err)
	}
	for s := range exact {
		if find(d, s) < 0 {
			t.Errorf("atom %d is no graph of order %d, though there are enough", s, order)
		}
	}
	if _, _, err := gdl.InitSample(graphs, 61, order, 0.5, source(2)); err == nil {
		t.Error("61 atoms of 60 graphs: no error")
	}
}

// The names of starts are those of the functions.
func TestInitByName(t *testing.T) {
	graphs := noisy(source(1), 9, 4, 6, 2)
	classes := []int{0, 1, 2, 0, 1, 2, 0, 1, 2}
	for name, want := range map[gdl.Init]*gdl.Dictionary{
		gdl.SampleInit:         must.First(gdl.InitSample(graphs, 3, 5, 0.5, source(2))),
		gdl.SamplePerClassInit: must.First(gdl.InitSamplePerClass(graphs, classes, 3, 5, 0.5, source(2))),
		gdl.RandomInit:         must.Get(gdl.InitRandom(3, 5, 2, 0.5, source(2))),
	} {
		if got := must.First(name.Dictionary(graphs, classes, 3, 5, 0.5, source(2))); !bytes.Equal(archive(t, got), archive(t, want)) {
			t.Errorf("%s: another dictionary", name)
		}
	}
}

func TestInitCutsAndPads(t *testing.T) {
	g := space([]float64{0, 1, 1, 0}, []float64{1, 3}, 2, 1, nil)
	d, notes, err := gdl.InitSample([]*gw.Space{g}, 1, 3, 0.5, source(1))
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0], "0 larger graphs were cut to it and 1 smaller ones padded") {
		t.Fatalf("notes %q, error %v", notes, err)
	}
	must.Near(t, "padded structure", d.C[0], []float64{0, 1, 0, 1, 0, 0, 0, 0, 0}, 0)
	must.Near(t, "padded features", d.A[0], []float64{1, 3, 2}, 0)
	d, notes, err = gdl.InitSample([]*gw.Space{g}, 1, 1, 0.5, source(1))
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0], "1 larger graphs were cut") {
		t.Fatalf("notes %q, error %v", notes, err)
	}
	if a := d.A[0][0]; d.C[0][0] != 0 || (a != 1 && a != 3) {
		t.Errorf("cut to %v with feature %v", d.C[0], a)
	}
}

func TestInitSamplePerClass(t *testing.T) {
	graphs := noisy(source(1), 30, 6, 6, 1)
	classes := make([]int, 30)
	for k, g := range graphs {
		classes[k] = k % 3
		g.A()[0] = float64(100 + k%3) // a mark of the class
	}
	for _, atoms := range []int{3, 7, 9} {
		d, notes, err := gdl.InitSamplePerClass(graphs, classes, atoms, 6, 0.5, source(2))
		if err != nil || len(notes) != 0 {
			t.Fatalf("notes %v, error %v", notes, err)
		}
		var count [3]int
		for s := range atoms {
			count[int(d.A[s][0])-100]++
		}
		for c := range 3 {
			want := atoms / 3
			if c < atoms%3 {
				want++
			}
			must.Check(t, count[c], want, "%d atoms: %v per class", atoms, count)
		}
	}
}

func TestNPZRoundTrip(t *testing.T) {
	for k := range 4 {
		dim := k / 2 * 3
		d := start(source(1), 4, 5, dim, 0.25)
		copy(d.Q, []float64{0.1, 0.2, 0.3, 0.25, 0.15})
		if k%2 == 1 {
			d = far(source(1), 4, 5, dim, d.Alpha)
		}
		meta := map[string]string{"dataset": "D1", "note": "größer"}
		var b bytes.Buffer
		must.Do(t, d.WriteNPZ(&b, meta))
		got, gotMeta := must.Get2(gdl.ReadNPZ(bytes.NewReader(b.Bytes()), int64(b.Len())))
		if !maps.Equal(meta, gotMeta) || !bytes.Equal(archive(t, got), archive(t, d)) || got.D != dim || got.Alpha != d.Alpha {
			t.Errorf("dim %d: read back %+v, %v", dim, got, gotMeta)
		}
		g := noisy(source(2), 3, 4, 7, dim)
		a, e := must.Get(d.Embed(context.Background(), g, nil, 1)), must.Get(got.Embed(context.Background(), g, nil, 1))
		for k := range a {
			must.Near(t, "embedding", e[k].W, a[k].W, 0)
		}
	}
}

func TestNPZErrors(t *testing.T) {
	good := func() map[string]npz.Array {
		return map[string]npz.Array{
			"schema":      {Int: []int{1}},
			"C":           {Shape: []int{1, 2, 2}, Float: []float64{0, 1, 1, 0}},
			"A":           {Shape: []int{1, 2, 1}, Float: []float64{1, 2}},
			"q":           {Shape: []int{2}, Float: []float64{0.5, 0.5}},
			"alpha":       {Float: []float64{0.5}},
			"meta_keys":   {Shape: []int{1}, Text: []string{"a"}},
			"meta_values": {Shape: []int{1}, Text: []string{"b"}},
		}
	}
	read := func(arrays map[string]npz.Array) error {
		var list []npz.Array
		for name, a := range arrays {
			a.Name = name
			list = append(list, a)
		}
		b := pack(t, list)
		return must.Err2(gdl.ReadNPZ(bytes.NewReader(b), int64(len(b))))
	}
	must.Do(t, read(good()))
	for name, c := range map[string]struct {
		array npz.Array
		want  string
	}{
		"schema":      {npz.Array{Int: []int{2}}, "later version"},
		"C":           {npz.Array{Shape: []int{1, 2, 1}, Float: []float64{0, 1}}, "expected S x N x N"},
		"A":           {npz.Array{Shape: []int{1, 3, 1}, Float: []float64{1, 2, 3}}, "expected 1 x 2 x D"},
		"q":           {npz.Array{Shape: []int{3}, Float: []float64{1, 0, 0}}, "expected the order 2"},
		"alpha":       {npz.Array{Float: []float64{2}}, "alpha is 2"},
		"meta_keys":   {npz.Array{Shape: []int{2}, Text: []string{"a", "b"}}, "pair"},
		"meta_values": {npz.Array{Shape: []int{1}, Int: []int{1}}, "pair"},
	} {
		arrays := good()
		arrays[name] = c.array
		must.Fail(t, read(arrays), c.want, name)
		if delete(arrays, name); name == "A" {
			continue
		}
		if err := read(arrays); err == nil {
			t.Errorf("without %s: no error", name)
		}
	}
	for _, c := range []struct {
		h    npz.Array // in the place of q
		want string
	}{
		{npz.Array{Shape: []int{1, 2}, Float: []float64{0.25, 0.75}}, ""},
		{npz.Array{Shape: []int{2, 1}, Float: []float64{1, 1}}, "expected 1 x 2"},
		{npz.Array{Shape: []int{2}, Float: []float64{0.5, 0.5}}, "1 dimensions"},
		{npz.Array{Shape: []int{1, 2}, Int: []int{1, 0}}, "floats"},
		{npz.Array{Shape: []int{1, 2}, Float: []float64{0.5, 0.6}}, "sum to 1.1"},
		{npz.Array{Shape: []int{1, 2}, Float: []float64{0.5, math.NaN()}}, "NaN"},
	} {
		arrays := good()
		arrays["h"] = c.h
		if err := read(arrays); err == nil || c.want == "" && !strings.Contains(err.Error(), `not expected with "q"`) {
			t.Errorf("beside q: error %v", err)
		}
		delete(arrays, "q")
		if err := read(arrays); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("node weights %+v: error %v, want one with %q", c.h, err, c.want)
		}
	}
	for name, c := range map[string]npz.Array{
		"C":     {Shape: []int{1, 2, 2}, Float: []float64{0, 1, 2, 0}},
		"q":     {Shape: []int{2}, Int: []int{1, 0}},
		"alpha": {Shape: []int{1}, Float: []float64{0.5}},
	} {
		arrays := good()
		arrays[name] = c
		if err := read(arrays); err == nil {
			t.Errorf("%s = %+v: no error", name, c)
		}
	}
	if _, _, err := gdl.ReadNPZ(strings.NewReader("no archive"), 10); err == nil {
		t.Error("no archive: no error")
	}
}
