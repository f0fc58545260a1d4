package reports

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"ogdl/datasets"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// kept holds what hand-made cells stored beside their records.
type kept map[string][]npz.Array

func (s kept) read(id string) ([]npz.Array, error) {
	if a, ok := s[id]; ok {
		return a, nil
	}
	return nil, fmt.Errorf("no arrays of %s", id)
}

// cellOf is what a cell keeps: atoms, one row of weights per graph, classes or proportions, and
// the structures of the graphs kept (all other graphs have 99 nodes).
type cellOf struct {
	atoms       []artifact.Matrix
	weights     [][]float64
	classes     []int
	proportions []float64
	kept        map[int]artifact.Matrix
}

func (c cellOf) arrays() []npz.Array {
	s, n, graphs := len(c.atoms), c.atoms[0].N, len(c.weights)
	var entries []float64
	for _, a := range c.atoms {
		entries = append(entries, a.V...)
	}
	out := []npz.Array{
		{Name: artifact.Atoms, Shape: []int{s, n, n}, Float: entries},
		{Name: artifact.Weights, Shape: []int{graphs, s}, Float: slices.Concat(c.weights...)},
	}
	all := artifact.Population{Orders: slices.Repeat([]int{99}, graphs), Classes: c.classes, Proportions: c.proportions, Errs: make([]float64, graphs)}
	var drawn []artifact.Kept
	for i := range graphs {
		if g, ok := c.kept[i]; ok {
			all.Orders[i] = g.N
			drawn = append(drawn, artifact.Kept{Index: i, Class: all.Class(i), Structure: g, Weights: equal(g.N),
				Model: artifact.Matrix{N: n, V: make([]float64, n*n)}, Nodes: equal(n)})
		}
	}
	if drawn == nil {
		return out
	}
	return append(out, artifact.KeptArrays(drawn, &all)...)
}

// equal are the weights of n nodes that weigh the same.
func equal(n int) []float64 { return slices.Repeat([]float64{1 / float64(n)}, n) }

// add puts a cell into the grid and what it keeps into what is kept.
func (s kept) add(g *grid, dataset string, lambda float64, rep int, objective float64, c cellOf) {
	params := map[string]any{"lambda": lambda, "atoms": len(c.atoms), "sbm_p_in": 0.9, "sbm_p_out": 0.1}
	r := g.leave(g.ask(dataset, "GDL", params, rep), record.Record{
		Status: record.OK, Scores: map[string]float64{"objective": objective, "reconstruction": objective, "ri": 0.5 + objective},
	})
	s[r.ID] = c.arrays()
}

// figuresOf draws, and sees that every figure gives files, the same ones twice.
func figuresOf(t *testing.T, kind string, g grid, s kept) ([]plots.Figure, []table.Table) {
	t.Helper()
	g.spec.Table = kind
	figs, tabs := must.Get2(drawnOf(g.frame(), s.read))
	again, tablesAgain, _ := drawnOf(g.frame(), s.read)
	same(t, terminal(t, tablesAgain, 0), terminal(t, tabs, 0))
	checkCSV(t, tabs...)
	for _, tab := range tabs {
		if c := tab.Columns[1]; !c.Key || strings.HasPrefix(c.Title, "*") {
			t.Errorf("table %s: the settings' column is %+v", tab.Name, c)
		}
	}
	for i := range figs {
		one := must.Get(plots.Files(figs[i]))
		two, _ := plots.Files(again[i])
		for k := range one {
			if one[k].Name != two[k].Name || !bytes.Equal(one[k].Data, two[k].Data) {
				t.Errorf("%s differs", one[k].Name)
			}
		}
	}
	return figs, tabs
}

func figureNamed(t *testing.T, figs []plots.Figure, name string) plots.Figure {
	t.Helper()
	for _, f := range figs {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no figure %q among %d", name, len(figs))
	return plots.Figure{}
}

// threeAtoms are of three blocks, one and two, their nodes interleaved.
func threeAtoms() []artifact.Matrix {
	three := interleaved(0.9, 0.1, 6, 3)
	one := interleaved(0.9, 0.1, 6, 1)
	two := interleaved(0.9, 0.1, 6, 2)
	return []artifact.Matrix{three, one, two}
}

func TestAtomsFigure(t *testing.T) {
	var g grid
	s := kept{}
	full := interleaved(1, 1, 6, 1)
	s.add(&g, "D1", 0, 0, 0.2, cellOf{atoms: []artifact.Matrix{full, full, full}, weights: [][]float64{{1, 0, 0}}})
	s.add(&g, "D1", 0, 1, 0.1, cellOf{atoms: threeAtoms(), weights: [][]float64{{0, 1, 0}, {0.1, 0.2, 0.7}, {0.9, 0, 0.1}, {0.7, 0, 0.3}},
		classes: []int{0, 1, 2, 2}, kept: map[int]artifact.Matrix{0: full}})
	g.ask("MUTAG", "GDL", map[string]any{"lambda": 0}, 0)
	figs, tabs := figuresOf(t, summary.FigureAtoms, g, s)
	must.Equal(t, len(figs), 1, "figures")
	f := figureNamed(t, figs, "atoms-d1")
	if f.Columns != 3 || len(f.Panels) != 6 || !strings.Contains(f.Alt, "Blocks per atom: 1, 2, 3.") || !strings.Contains(f.Alt, "repetition 1") {
		t.Errorf("%d columns, %d panels: %s", f.Columns, len(f.Panels), f.Alt)
	}
	for k, size := range []int{6, 3, 2} { // the densest atom first; blocks on the diagonal
		m, graph := f.Panels[k].(plots.XY).Field, f.Panels[3+k].(plots.Graph)
		for i := range 6 {
			for j := range 6 {
				want := 0.1
				if i/size == j/size {
					want = 0.9
				}
				if m.Values[(5-i)*6+j] != want || graph.Weights[i*6+j] != want {
					t.Errorf("atom %d, entry %d, %d: %v, want %v", k+1, i, j, m.Values[i*6+j], want)
				}
			}
			must.Check(t, graph.NodeGroup[i], i/size+1, "atom %d: node %d has the colour", k+1, i)
		}
		must.Check(t, m.Max, 1, "scale from 0 to")
	}
	same(t, len(f.Data[0].Rows), 3*36)
	atoms, repetitions := named(t, tabs, "atoms"), named(t, tabs, "atoms_repetitions")
	row := find(t, atoms, "D1", "-", "3")
	reads(t, atoms, row, map[string]string{"blocks": "3", "sizes": "2+2+2", "inside blocks": "0.900", "between blocks": "0.100",
		"mean entry": "0.260", "mean weight": "0.425", "mean weight by class": "0.00, 0.10, 0.80", "place in the file": "0"})
	reads(t, atoms, find(t, atoms, "MUTAG"), map[string]string{"blocks": table.MissingWord})
	if !slices.ContainsFunc(atoms.Notes, func(n string) bool { return strings.Contains(n, "no cell has ended well: MUTAG") }) {
		t.Errorf("notes %q", atoms.Notes)
	}
	for rep, want := range map[string][2]string{"0": {"1, 1, 1", "-"}, "1": {"1, 2, 3", "yes"}} {
		row := find(t, repetitions, "D1", "-", "1", rep)
		if got := [2]string{at(t, repetitions, row, "blocks of the atoms").Plain(), at(t, repetitions, row, "drawn").Plain()}; got != want {
			t.Errorf("repetition %s: %q, want %q", rep, got, want)
		}
	}
}

// TestAtomLabels: nodes have the colour of their strongest label, which has a name where the readme of the data gives one.
func TestAtomLabels(t *testing.T) {
	const carbon, nitrogen, chlorine = 0, 1, 5
	for _, c := range []struct {
		digest, features string
		names            []string
	}{
		{datasets.PublishedDigest("MUTAG"), `{"Kind":"labels","Values":[[0,1,2,3,4,5,6]]}`, []string{"C", "N", "Cl"}},
		{"other data", `{"Kind":"labels","Values":[[0,1,2,3,4,5,6]]}`, []string{"label 0", "label 1", "label 5"}},
		{"other data", `{"Kind":"labels","Values":[[0,1,2,3,4,5,6]],"Texts":["c","n","o","f","i","cl","br"]}`, []string{"c", "n", "cl"}},
		{"other data", `{"Kind":"attributes","Dim":7}`, nil},
	} {
		var g grid
		s := kept{}
		s.add(&g, "MUTAG", 0, 0, 0.1, cellOf{atoms: []artifact.Matrix{{N: 4, V: make([]float64, 16)}}, weights: [][]float64{{1}}})
		g.recs[0].Digest = c.digest
		features := make([]float64, 4*7)
		for node, label := range []int{carbon, nitrogen, chlorine} { // the fourth has none
			features[7*node+label], features[7*node+3] = 0.6, 0.3
		}
		id := g.recs[0].ID
		s[id] = append(s[id], npz.Array{Name: artifact.AtomsFeatures, Shape: []int{1, 4, 7}, Float: features}, npz.Scalar(artifact.Features, c.features))
		figs, _ := figuresOf(t, summary.FigureAtoms, g, s)
		p := figureNamed(t, figs, "atoms-mutag").Panels[1].(plots.Graph)
		var names []string
		colour := map[string]int{}
		for _, k := range p.Groups {
			names, colour[k.Name] = append(names, k.Name), k.Colour
		}
		same(t, names, c.names)
		if c.names == nil {
			continue
		}
		got, want := slices.Sorted(slices.Values(p.NodeGroup)), []int{0}
		for _, name := range c.names {
			want = append(want, colour[name])
		}
		slices.Sort(want)
		if !slices.Equal(got, want) || colour[names[0]] != 7 {
			t.Errorf("colours %v, want %v", p.NodeGroup, want)
		}
	}
}

// TestManyAtoms stand beside their graphs, and blocks beyond counting have no colours.
func TestManyAtoms(t *testing.T) {
	var g grid
	s := kept{}
	empty := artifact.Matrix{N: 8, V: make([]float64, 64)}
	c := cellOf{weights: [][]float64{make([]float64, 7)}}
	for range 7 {
		c.atoms = append(c.atoms, empty)
	}
	s.add(&g, "IMDB-M", 0, 0, 1, c)
	figs, _ := figuresOf(t, summary.FigureAtoms, g, s)
	f := figureNamed(t, figs, "atoms-imdb-m")
	if f.Columns%2 != 0 || len(f.Panels) != 14 {
		t.Fatalf("%d columns, %d panels", f.Columns, len(f.Panels))
	}
	for i := range f.Panels {
		_, isMatrix := f.Panels[i].(plots.XY)
		if graph, ok := f.Panels[i].(plots.Graph); isMatrix != (i%2 == 0) || ok && graph.NodeGroup != nil {
			t.Errorf("panel %d: matrix %v, graph %v", i, isMatrix, ok)
		}
	}
}

func TestSimplexFigure(t *testing.T) {
	var g grid
	s := kept{}
	small := interleaved(1, 0, 4, 1)
	large := interleaved(1, 0, 30+1, 1)
	c := cellOf{atoms: threeAtoms(), classes: []int{0, 0, 0, 2, 2}, kept: map[int]artifact.Matrix{0: small, 1: large, 2: small, 3: large, 4: large},
		weights: [][]float64{{0, 0.9, 0.1}, {0, 0.94, 0.06}, {0, 0.95, 0.05}, {0.6, 0, 0.4}, {0.92, 0, 0.08}}}
	corners := c
	corners.weights = [][]float64{{0, 1, 0}, {0, 1, 0}, {0, 1, 0}, {1, 0, 0}, {1, 0, 0}}
	s.add(&g, "D1", 0.1, 0, 0.3, corners)
	s.add(&g, "D1", 0, 0, 0.2, c)
	four := c
	four.atoms = append(slices.Clone(c.atoms), c.atoms[0])
	four.weights = slices.Repeat([][]float64{{1, 0, 0, 0}}, 5)
	s.add(&g, "D1", 0.2, 0, 0.1, four)
	figs, tabs := figuresOf(t, summary.FigureSimplex, g, s)
	f := figureNamed(t, figs, "simplex-d1")
	if len(figs) != 1 || len(f.Panels) != 4 {
		t.Fatalf("%d figures, %d panels", len(figs), len(f.Panels))
	}
	first, second := f.Panels[0].(plots.XY), f.Panels[1].(plots.XY)
	if !strings.Contains(first.Title, "lambda 0") || strings.Contains(first.Title, "lambda 0.1") || !strings.Contains(second.Title, "lambda 0.1") {
		t.Errorf("titles %q, %q", first.Title, second.Title)
	}
	// Corners from the densest atom to the sparsest: places 1, 2, 0 in the file.
	same(t, f.Data[0].Rows[3], []string{"atoms 3, lambda 0", "3", "3", "0", "0.4", "0.6", "b"})
	for k, name := range []string{"1 block", "2 blocks", "3 blocks"} {
		must.Check(t, first.Series[k].Name, name, "class %d", k)
	}
	same(t, round(first.Series[0].X), []float64{0.1, 0.06, 0.05})
	same(t, round(first.Series[2].Y), round([]float64{0.6 * math.Sqrt(3) / 2, 0.92 * math.Sqrt(3) / 2}))
	// Graph 1 is at the median of its class, but too large; of the last class all are.
	for _, p := range []plots.XY{first, second} {
		same(t, p.Series[3].Labels, []string{"a", "b"})
	}
	same(t, round(first.Series[3].X), []float64{0.05, 0.7})
	if a, b := f.Panels[2].(plots.Graph), f.Panels[3].(plots.Graph); a.Title != "a: 1 block, 4 nodes" || b.N != 30+1 || b.NodeGroup[0] != 3 {
		t.Errorf("samples %q and %q", a.Title, b.Title)
	}
	tab := named(t, tabs, "simplex")
	for key, want := range map[[2]string][3]string{
		{"lambda 0", "all"}:      {"0.862", "60.0", "70.00"},
		{"lambda 0", "1 block"}:  {"0.930", "66.7", "-"},
		{"lambda 0", "3 blocks"}: {"0.760", "50.0", "-"},
		{"lambda 0.1", "all"}:    {"1.000", "100.0", "80.00"},
	} {
		var row []table.Cell
		for _, r := range tab.Rows {
			if strings.HasSuffix(r[1].Plain(), key[0]) && r[2].Plain() == key[1] {
				row = r
			}
		}
		if row == nil {
			t.Fatalf("no row %q", key)
		}
		got := [3]string{at(t, tab, row, "largest weight, drawn").Plain(), at(t, tab, row, "in a corner, drawn, %").Plain(),
			strings.TrimSuffix(at(t, tab, row, "RI, %").Plain(), " (0.00)")}
		must.Check(t, got, want, "%q", key)
	}
	if !slices.ContainsFunc(tab.Notes, func(n string) bool { return strings.Contains(n, "has 4 atoms") }) {
		t.Errorf("notes %q", tab.Notes)
	}
}

// TestLearned: the page of a clustering of data that the paper does not have begins with the atoms of the best dictionary; of the paper's data
// with ours against its values.
func TestLearned(t *testing.T) {
	var g grid
	s := kept{}
	for rep, method := range []string{"GDL", "GDL", "SC"} {
		r := g.put("D1", method, map[string]any{"alpha": 1.0}, rep, 0.7+0.1*float64(rep), 0.5, 0.2-0.01*float64(rep), 0, 1)
		s[r.ID] = cellOf{atoms: threeAtoms(), weights: [][]float64{{1, 0, 0}, {0, 0.5, 0.5}}}.arrays()
	}
	m := makeOf(g.frame(), s.read)
	if m.LeftOut != nil || len(m.lead) != 1 || m.lead[0].Name != "dictionary-d1" || len(m.lead[0].Panels) != 6 {
		t.Fatalf("%d leading figures of %v, %v", len(m.lead), names(m.lead), m.LeftOut)
	}
	must.Contain(t, m.lead[0].Alt, "repetition 1")
	if m := makeOf(g.frame(), kept{}.read); len(m.lead) != 0 || m.LeftOut == nil {
		t.Error("a dictionary that is gone is drawn")
	}
	for rep := range 5 {
		g.put("MUTAG", "GDL", map[string]any{"alpha": 1.0}, rep, 0.7, 0.5, 0.1, 0, 1)
	}
	if m := makeOf(g.frame(), s.read); len(m.lead) != 2 || m.lead[0].Name != "paper-clustering" {
		t.Errorf("%d leading figures of %v", len(m.lead), names(m.lead))
	}
}

func TestSimplexWithoutClasses(t *testing.T) {
	var g grid
	s := kept{}
	s.add(&g, "OWN", 0, 0, 0.2, cellOf{atoms: threeAtoms(), weights: [][]float64{{1, 0, 0}}})
	figs, _ := figuresOf(t, summary.FigureSimplex, g, s)
	f := figureNamed(t, figs, "simplex-own")
	if p := f.Panels[0].(plots.XY); len(f.Panels) != 1 || len(p.Series) != 3 || p.Series[0].Name != "" {
		t.Errorf("%d panels, series %v", len(f.Panels), p.Series)
	}
}

// TestSimplexNames: data sets whose names differ in case alone have files of their own.
func TestSimplexNames(t *testing.T) {
	var g grid
	s := kept{}
	for _, dataset := range []string{"Mine", "mine"} {
		s.add(&g, dataset, 0, 0, 0.2, cellOf{atoms: threeAtoms(), weights: [][]float64{{1, 0, 0}}})
	}
	figs, _ := figuresOf(t, summary.FigureSimplex, g, s)
	must.Contain(t, figureNamed(t, figs, "simplex-mine").Title, "Mine")
	must.Contain(t, figureNamed(t, figs, "simplex-mine-2").Title, "mine")
	must.Do(t, must.Err(writeFigures(t.TempDir(), figs)))
}

func TestInterpolationFigure(t *testing.T) {
	var g grid
	s := kept{}
	block := func(within, between float64, n, first int) artifact.Matrix {
		m := artifact.Matrix{N: n, V: nil}
		for i := range n {
			for j := range n {
				if (i < first) == (j < first) {
					m.V = append(m.V, within)
				} else {
					m.V = append(m.V, between)
				}
			}
		}
		return m
	}
	c := cellOf{atoms: []artifact.Matrix{block(0.9, 0.1, 8, 4), block(0.9, 0.1, 8, 2)}, kept: map[int]artifact.Matrix{}}
	for i := range 9 {
		w := float64(i) / 8 // on the sparser atom, which is the first in the file
		c.weights = append(c.weights, []float64{w, 1 - w})
		c.proportions = append(c.proportions, 0.25+float64(i/2)/16)
		c.kept[i] = block(1, 0, 16, 4+i/2)
	}
	s.add(&g, "D2", 0, 0, 0.108, c)
	figs, tabs := figuresOf(t, summary.FigureInterpolation, g, s)
	f := figureNamed(t, figs, "interpolation-d2")
	if f.Columns != 5 || len(f.Panels) != 3*5 {
		t.Fatalf("%d columns, %d panels", f.Columns, len(f.Panels))
	}
	for i := range 5 {
		w := float64(i) / 4
		graph, model, m := f.Panels[i].(plots.Graph), f.Panels[5+i].(plots.Graph), f.Panels[2*5+i].(plots.XY).Field
		same(t, graph.Title, fmt.Sprintf("w %.2f, share %.2f", w, c.proportions[2*i]))
		if first := int(math.Round(16 * c.proportions[2*i])); graph.NodeGroup[first-1] != 1 || graph.NodeGroup[first] != 2 {
			t.Errorf("graph %d: colours %v", i, graph.NodeGroup)
		}
		sum, want := 0.0, 0.0
		for e := range 64 {
			sum += m.Values[e]
			want += w*c.atoms[0].V[e] + (1-w)*c.atoms[1].V[e]
		}
		if !(math.Abs(sum-want) <= 1e-9) || !slices.Equal(m.Values[56:], model.Weights[:8]) {
			t.Errorf("model at %v: sum %v, want %v", w, sum, want)
		}
	}
	ends := func(i, small int) {
		n := 0
		for _, group := range f.Panels[5+i].(plots.Graph).NodeGroup {
			if group == 1 {
				n++
			}
		}
		must.Check(t, n, small, "model %d: nodes of the smaller part", i)
	}
	ends(0, 2)
	ends(5-1, 4)
	p := figureNamed(t, figs, "interpolation-d2-proportion").Panels[0].(plots.XY)
	if !slices.Equal(p.Series[0].Y, c.proportions) || p.Series[0].X[1] != 0.125 || !strings.Contains(p.Note, "Spearman 0.98") {
		t.Errorf("points %v, note %s", p.Series[0], p.Note)
	}
	if line := p.Series[1].Y; !(math.Abs(line[0]-0.25) <= 1e-9) || !(math.Abs(line[100]-0.5) <= 1e-9) {
		t.Errorf("shares by density from %v to %v", line[0], line[100])
	}
	tab := named(t, tabs, "interpolation")
	row := find(t, tab, "D2", "-", "1", "0")
	reads(t, tab, row, map[string]string{"share at w = 0": "0.250", "share at w = 1": "0.500", "falls on the way": "0", "reconstruction": "0.1080", "drawn": "yes"})
	if got := at(t, tab, find(t, tab, "D2", "-", "all"), "Pearson").Plain(); !strings.HasPrefix(got, "0.98") {
		t.Errorf("Pearson %s", got)
	}
}

// TestInterpolationElsewhere: without proportions there is no scatter, and without two atoms no
// figure.
func TestInterpolationElsewhere(t *testing.T) {
	var g grid
	s := kept{}
	s.add(&g, "OWN", 0, 0, 1, cellOf{atoms: threeAtoms()[:2], weights: [][]float64{{0.5, 0.5}}})
	s.add(&g, "D2", 0, 0, 1, cellOf{atoms: threeAtoms(), weights: [][]float64{{1, 0, 0}}})
	figs, tabs := figuresOf(t, summary.FigureInterpolation, g, s)
	if len(figs) != 1 || figs[0].Name != "interpolation-own" || len(figs[0].Panels) != 2*5 {
		t.Errorf("%d figures", len(figs))
	}
	tab := named(t, tabs, "interpolation")
	reads(t, tab, find(t, tab, "OWN", "-", "1", "0"), map[string]string{"Pearson": "-"})
	if !slices.ContainsFunc(tab.Notes, func(n string) bool { return strings.Contains(n, "D2 has 3 atoms") }) {
		t.Errorf("notes %q", tab.Notes)
	}
}

// interleaved has within on the blocks and between elsewhere: node i is in block i mod blocks.
func interleaved(within, between float64, n, blocks int) artifact.Matrix {
	m := artifact.Matrix{N: n}
	for k := range n * n {
		v := between
		if k/n%blocks == k%n%blocks {
			v = within
		}
		m.V = append(m.V, v)
	}
	return m
}
