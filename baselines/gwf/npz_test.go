package gwf

import (
	"bytes"
	"maps"
	"strings"
	"testing"

	"ogdl/internal/fuzztest"
	"ogdl/internal/npz"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"

	"github.com/google/go-cmp/cmp"
)

func smallModel(d int) *Model {
	rng := source(50)
	alpha := 1.0
	if d > 0 {
		alpha = 0.25
	}
	return must.Get(InitRandomOrder(randomGraphs(rng, 5, 2, 4, d), 3, alpha, rng))
}

func read(b []byte) (*Model, map[string]string, error) {
	return ReadNPZ(bytes.NewReader(b), int64(len(b)))
}

func TestFilesComeBack(t *testing.T) {
	for _, d := range []int{0, 2} {
		for _, meta := range []map[string]string{nil, {"dataset": "MUTAG", "class": "é"}} {
			m := smallModel(d)
			var a, b bytes.Buffer
			must.Do(t, m.WriteNPZ(&a, meta))
			got, gotMeta := must.Get2(read(a.Bytes()))
			must.Same(t, got, m, "d %d: the model as read, and as written", d)
			if !maps.Equal(gotMeta, meta) {
				t.Errorf("metadata %v, want %v", gotMeta, meta)
			}
			if err := got.WriteNPZ(&b, gotMeta); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
				t.Errorf("other bytes when written again (%v)", err)
			}
		}
	}
}

func TestFileErrors(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(arrays []npz.Array) []npz.Array
	}{
		{"no schema", `"schema": is missing`, func(a []npz.Array) []npz.Array { return a[1:] }},
		{"schema 2", "later version", func(a []npz.Array) []npz.Array { a[0].Int[0] = 2; return a }},
		{"no alpha", `"alpha": is missing`, func(a []npz.Array) []npz.Array { a[1].Name = "beta"; return a }},
		{"alpha", "alpha is 3", func(a []npz.Array) []npz.Array { a[1].Float = []float64{3}; return a }},
		{"orders of floats", `"orders": does not hold integers`, func(a []npz.Array) []npz.Array { a[2].Int, a[2].Float = nil, make([]float64, 3); return a }},
		{"no orders", `"orders": is empty`, func(a []npz.Array) []npz.Array { a[2].Int, a[2].Shape = []int{}, []int{0}; return a }},
		{"another order", `"C0": has shape`, func(a []npz.Array) []npz.Array { a[2].Int[0]++; return a }},
		{"negative entry", "atom 0: structure entry (0, 0) is -1", func(a []npz.Array) []npz.Array { a[3].Float[0] = -1; return a }},
		{"asymmetric", "not symmetric", func(a []npz.Array) []npz.Array { a[3].Float[1]++; return a }},
		{"no features", `"A1": gives dimension 0`, func(a []npz.Array) []npz.Array { return append(a[:7], a[8:]...) }},
		{"flat features", `"A0": has 1 dimensions`, func(a []npz.Array) []npz.Array {
			a[4].Shape = []int{len(a[4].Float)}
			return a
		}},
		{"weights off the simplex", "sum to", func(a []npz.Array) []npz.Array { a[5].Float[0]++; return a }},
		{"text", `"p0": does not hold floats`, func(a []npz.Array) []npz.Array {
			a[5].Text, a[5].Float = make([]string, a[5].Shape[0]), nil
			return a
		}},
	} {
		m := smallModel(2)
		arrays := append([]npz.Array{{Name: "schema", Int: []int{schema}}}, m.Arrays()...)
		var b bytes.Buffer
		must.Do(t, npz.Write(&b, c.change(arrays)))
		must.Fail(t, must.Err2(read(b.Bytes())), c.want, c.name)
	}
	var b bytes.Buffer
	none := []npz.Array{{Name: "schema", Int: []int{schema}}, {Name: "alpha", Float: []float64{1}}, {Name: "orders", Shape: []int{1 << 16}, Int: make([]int, 1<<16)}}
	must.Do(t, npz.Write(&b, none))
	if got := testing.AllocsPerRun(1, func() { must.Fail(t, must.Err2(read(b.Bytes())), `"C0": is missing`) }); got > 1000 {
		t.Errorf("%v allocations to find that atom 0 is missing", got)
	}
	if _, _, err := read([]byte("no archive")); err == nil || !strings.HasPrefix(err.Error(), "gwf: reading a model") {
		t.Errorf("error %v", err)
	}
	m := smallModel(0)
	m.Atoms[0].C[0] = -1
	if err := m.WriteNPZ(new(bytes.Buffer), nil); err == nil {
		t.Error("a negative structure was written")
	}
}

// FuzzReadNPZ mutates what an archive is made of, not its bytes; see fuzztest.Archive.
func FuzzReadNPZ(f *testing.F) {
	f.Fuzz(func(t *testing.T, recipe []byte) {
		m, meta, err := read(fuzztest.Archive(recipe))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := m.WriteNPZ(&b, meta); err != nil {
			t.Fatalf("read but not written: %v", err)
		}
		if again, _, err := read(b.Bytes()); err != nil || !cmp.Equal(m, again) {
			t.Fatalf("written but not read again: %v", err)
		}
	})
}

func TestSeeds(t *testing.T) {
	fuzztest.Seeds(t, "FuzzReadNPZ", func(args []string) error {
		_, _, err := read(fuzztest.Archive([]byte(args[0])))
		return err
	})
}

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
	if padded.C[3] != 0 || padded.C[15] != 0 || padded.A[6]-mean > 1e-15 || mean-padded.A[6] > 1e-15 {
		t.Errorf("padded atom %+v, features' mean %v", padded, mean)
	}
	must.Fail(t, must.Err(InitRandomOrder(graphs[:2], 3, 0.5, rng)), "3 atoms cannot be drawn from 2")
	must.Fail(t, must.Err(InitRandomOrder(append(graphs[:2:2], randomGraph(rng, 3, 1, false)), 1, 0.5, rng)), "graph 2 has features of dimension 1")
	negative := must.Get(gw.NewSpace([]float64{2, -1, -1, 2}, nil, 2, 0, nil))
	if m := must.Get(InitRandomOrder([]*gw.Space{negative}, 1, 1, rng)); !cmp.Equal(m.Atoms[0].C, []float64{2, 0, 0, 2}) {
		t.Errorf("structure %v", m.Atoms[0].C)
	}
}
