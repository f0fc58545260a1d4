package loader

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"ogdl/datasets"
)

const edgeAttributes = "_edge_attributes.txt"

// weights gives the edges of d, which has the graphs of the stream, one column of their attributes.
func (s *Stream) weights(d *datasets.Dataset, src source, column int) error {
	f, err := src.openFile(edgeAttributes)
	if err != nil {
		return err
	}
	if f == nil {
		return fmt.Errorf("%s: %w; without it edges have no weights", src.path(edgeAttributes), fs.ErrNotExist)
	}
	defer f.f.Close()
	d.Weighted, d.UnusedEdges = true, false
	for g := range d.Graphs {
		d.Graphs[g].Weights = unset(d.Graphs[g].Neighbors)
	}
	slices.SortFunc(s.spans, func(a, b span) int { return cmp.Compare(a.first, b.first) })
	w, t, at := weightColumn{column: column}, f.table(make([]byte, windowSize)), 0
	edges, err := s.edges.walk(make([]byte, windowSize), func(edges *table, record []byte) error {
		x, ok, err := w.next(t)
		if !ok {
			return err
		}
		i, j, err := edges.edge(record, s.nodes)
		if err != nil || i == j {
			return err
		}
		if x == 0 && d.ZeroWeight == "" {
			d.ZeroWeight = t.errorf("edge %s has weight 0", show(record)).Error()
		}
		a, b := s.spanOf(i, at), s.spanOf(j, at)
		at = a
		one, other := &s.spans[a], &s.spans[b]
		if was, ok := weigh(&d.Graphs[one.graph], one.local+int32(i)-one.first, other.local+int32(j)-other.first, x); !ok {
			return t.errorf("weight %v of edge %s, which another line gives as %v", x, show(record), was)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if t.window.err != nil {
		return fmt.Errorf("%s: %w", t.path, t.window.err)
	}
	if t.next() != nil {
		return t.errorf("record %d, but the last edge of %s is %d", t.records, edges.path, edges.records)
	}
	if t.records < edges.records {
		return t.errorf("the file ends after record %d, but the last edge of %s is %d; want a record for each", t.records, edges.path, edges.records)
	}
	return nil
}

// UsableWeights returns which of the values of Options.EdgeWeights, other than "none", the data set
// at path can be read with: "attribute", or one "attribute:K" for each of the first 16 columns that
// are weights. Where none is, why says what hinders the first. It reads the files once for each. zero
// says whether weights of 0 are of use.
func UsableWeights(path string, zero bool) (out []string, why string) {
	for k := -1; k < 16; k++ {
		o := Options{EdgeWeights: EdgesAttribute}
		if k >= 0 {
			o.EdgeWeights = fmt.Sprintf("%s:%d", EdgesAttribute, k)
		}
		d, err := o.LoadFolder(path)
		problem := ""
		if err != nil {
			problem = err.Error()
		} else if !zero {
			problem = d.ZeroWeight
		}
		var beyond *beyondError
		switch {
		case errors.As(err, &beyond):
			return out, why
		case problem != "":
			if k <= 0 { // the first column's problem replaces the one that asks for a column
				why = problem
			}
			continue
		}
		if out = append(out, o.EdgeWeights); k == -1 { // the only one
			return out, ""
		}
	}
	return out, why
}

// beyondError says that there are not so many attributes of edges.
type beyondError struct{ error }

// weightColumn takes one column of the edge attributes.
type weightColumn struct {
	column int
	dim    int // of the first record; 0 before it
}

// next reads the weight of the next record; ok is false at the end.
func (w *weightColumn) next(t *table) (x float64, ok bool, err error) {
	record := t.next()
	if record == nil {
		return 0, false, nil
	}
	if w.dim == 0 {
		w.dim = fields(record)
		switch {
		case w.column == -2 && w.dim > 1:
			return 0, false, t.errorf("%d attributes of an edge; which weighs edges must be said: attribute:K, K from 0 to %d", w.dim, w.dim-1)
		case w.column == -2:
			w.column = 0
		case w.column >= w.dim:
			return 0, false, &beyondError{t.errorf("%d attributes of an edge, attribute:%d is not among them; K is from 0 to %d",
				w.dim, w.column, w.dim-1)}
		}
	}
	err = t.values(record, w.dim, func(column int, field []byte) error {
		if column != w.column {
			return nil
		}
		var problem string
		if x, problem = real(field); problem != "" {
			return t.errorf("edge weight %s %s", show(field), problem)
		}
		if x < 0 {
			return t.errorf("edge weight %s is negative", show(field))
		}
		x = math.Abs(x) // -0 is 0
		return nil
	})
	return x, err == nil, err
}

// unset makes a weight for each neighbour, not a number yet.
func unset(neighbors [][]int32) [][]float64 {
	total := 0
	for _, nb := range neighbors {
		total += len(nb)
	}
	all := make([]float64, total)
	for i := range all {
		all[i] = math.NaN()
	}
	weights := make([][]float64, len(neighbors))
	for i, nb := range neighbors {
		weights[i], all = all[:len(nb):len(nb)], all[len(nb):]
	}
	return weights
}

// weigh gives the edge between two nodes of a graph its weight, from both ends; it has another
// already where ok is false.
func weigh(g *datasets.Graph, i, j int32, x float64) (was float64, ok bool) {
	for _, end := range [2][2]int32{{i, j}, {j, i}} {
		e, _ := slices.BinarySearch(g.Neighbors[end[0]], end[1])
		w := &g.Weights[end[0]][e]
		if !math.IsNaN(*w) && *w != x {
			return *w, false
		}
		*w = x
	}
	return x, true
}
