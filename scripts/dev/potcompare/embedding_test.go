//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/npz"
	"ogdl/internal/test/must"
)

// ask runs requests through one driver and returns its answers.
func ask(t *testing.T, requests ...map[string]any) []answer {
	t.Helper()
	var in, out strings.Builder
	for _, q := range requests {
		must.Do(t, json.NewEncoder(&in).Encode(q))
	}
	must.Do(t, serve(strings.NewReader(in.String()), &out))
	var answers []answer
	for d := json.NewDecoder(strings.NewReader(out.String())); d.More(); {
		var a answer
		must.Do(t, d.Decode(&a))
		answers = append(answers, a)
	}
	must.Equal(t, len(answers), len(requests), "answers, and requests")
	return answers
}

// cycles are graphs of orders 5 to 8: cycles with one chord each.
func cycles() []npz.Array {
	var arrays []npz.Array
	for k := range 8 {
		n := 5 + k%4
		c := make([]float64, n*n)
		edge := func(i, j int) { c[i*n+j], c[j*n+i] = 1, 1 }
		for i := range n {
			edge(i, (i+1)%n)
		}
		edge(0, 2+k%2)
		arrays = append(arrays, npz.Array{Name: fmt.Sprintf("C_%d", k), Shape: []int{n, n}, Float: c})
	}
	return arrays
}

// TestEmbeddings learns a dictionary, embeds graphs in it and checks what is
// written against the objective by its definition.
func TestEmbeddings(t *testing.T) {
	dir := t.TempDir()
	graphs, learned, again := filepath.Join(dir, "graphs.npz"), filepath.Join(dir, "atoms.npz"), filepath.Join(dir, "again.npz")
	problems, found := filepath.Join(dir, "problems.npz"), filepath.Join(dir, "found.npz")
	must.Do(t, write(graphs, cycles()))
	learning := func(out string) map[string]any {
		return map[string]any{"op": "learn", "file": graphs, "count": 8, "atoms": 3, "order": 6, "epochs": 2, "seed": 7, "out": out}
	}
	for _, a := range ask(t, learning(learned), learning(again)) {
		if a.Error != "" {
			t.Fatal(a.Error)
		}
	}
	atoms := must.Get(open(learned)).Floats("atoms", 3, false)
	if !slices.Equal(atoms.Shape, []int{3, 6, 6}) || !slices.Equal(atoms.Float, must.Get(open(again)).Floats("atoms", 3, false).Float) {
		t.Fatalf("atoms of shape %v, expected 3 x 6 x 6, the same from the same seed", atoms.Shape)
	}
	if slices.Min(atoms.Float) < 0 {
		t.Error("an atom with a negative entry")
	}

	must.Do(t, write(problems, append(cycles(), *atoms)))
	answers := ask(t,
		map[string]any{"op": "load", "file": problems, "kind": "embedding", "count": 8},
		map[string]any{"op": "round"},
		map[string]any{"op": "round"},
		map[string]any{"op": "write", "out": found})
	for _, a := range answers {
		if a.Error != "" {
			t.Fatal(a.Error)
		}
	}
	if !slices.Equal(answers[1].Values, answers[2].Values) || len(answers[2].Seconds) != 8 {
		t.Errorf("two rounds gave %v and %v with %d times", answers[1].Values, answers[2].Values, len(answers[2].Seconds))
	}
	embeddings := must.Get(open(found))
	for k, g := range cycles() {
		w, plan := embeddings.Floats(fmt.Sprintf("w_%d", k), 1, false), embeddings.Floats(fmt.Sprintf("T_%d", k), 2, false)
		n := g.Shape[0]
		if !slices.Equal(w.Shape, []int{3}) || !slices.Equal(plan.Shape, []int{n, 6}) {
			t.Fatalf("graph %d: weights of shape %v, coupling of shape %v", k, w.Shape, plan.Shape)
		}
		sum := 0.0
		for i, x := range plan.Float {
			for j, y := range plan.Float {
				model := 0.0
				for s, weight := range w.Float {
					model += weight * atoms.Float[36*s+6*(i%6)+j%6]
				}
				e := g.Float[i/6*n+j/6] - model
				sum += e * e * x * y
			}
		}
		must.Within(t, sum, answers[2].Values[k], 1e-12, "graph %d: costs as reported, and as written", k)
	}
}

func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	problems := filepath.Join(dir, "problems.npz")
	atoms := npz.Array{Name: "atoms", Shape: []int{1, 2, 2}, Float: []float64{0, 1, 1, 0}}
	must.Do(t, write(problems, append(cycles(), atoms)))
	flat := filepath.Join(dir, "flat.npz")
	must.Do(t, write(flat, append(cycles(), npz.Array{Name: "atoms", Shape: []int{1, 2, 1}, Float: []float64{0, 1}})))
	load := map[string]any{"op": "load", "file": problems, "kind": "embedding", "count": 8}
	learn := func(count, atoms, order, epochs int) map[string]any {
		return map[string]any{"op": "learn", "file": problems, "count": count, "atoms": atoms, "order": order, "epochs": epochs,
			"out": filepath.Join(dir, "none.npz")}
	}
	for _, c := range []struct {
		name     string
		requests []map[string]any
		want     string
	}{
		{"nothing loaded", []map[string]any{{"op": "write", "out": problems}}, "no embeddings"},
		{"nothing found", []map[string]any{load, {"op": "write", "out": filepath.Join(dir, "none.npz")}}, "before round"},
		{"too few graphs", []map[string]any{{"op": "load", "file": problems, "kind": "embedding", "count": 9}}, "C_8"},
		{"atoms that are not square", []map[string]any{{"op": "load", "file": flat, "kind": "embedding", "count": 8}}, "square"},
		{"unknown kind", []map[string]any{{"op": "load", "file": problems, "kind": "embeddings", "count": 8}}, "unknown kind"},
		{"no atoms", []map[string]any{learn(8, 0, 6, 1)}, "0 atoms"},
		{"no epochs", []map[string]any{learn(8, 3, 6, 0)}, "0 epochs"},
		{"more atoms than graphs", []map[string]any{learn(8, 9, 6, 1)}, "9 atoms"},
		{"no file", []map[string]any{{"op": "learn", "file": filepath.Join(dir, "gone.npz")}}, "gone.npz"},
	} {
		t.Run(c.name, func(t *testing.T) {
			answers := ask(t, c.requests...)
			must.Contain(t, answers[len(answers)-1].Error, c.want)
		})
	}
}
