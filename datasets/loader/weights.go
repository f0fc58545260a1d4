package loader

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"ogdl/datasets"
)

const edgeAttributes = "_edge_attributes.txt"

// weights reads the attribute that weighs edges, line by line with the edges. Attributes that are
// not used are not read.
func (r *reader) weights(d *datasets.Dataset) error {
	if r.column == -1 {
		d.UnusedEdges = r.has(edgeAttributes)
		return nil
	}
	t, err := r.open(edgeAttributes)
	if err != nil {
		return err
	}
	if t == nil {
		return fmt.Errorf("%s: %w; without it edges have no weights", r.path(edgeAttributes), fs.ErrNotExist)
	}
	edges, err := r.must("_A.txt") // anew, from its beginning
	if err != nil {
		return err
	}
	d.Weighted = true
	for g := range d.Graphs {
		d.Graphs[g].Weights = unset(d.Graphs[g].Neighbors)
	}
	w := weightColumn{column: r.column}
	for record := edges.next(); record != nil; record = edges.next() {
		x, ok, err := w.next(t)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		i, j, err := edges.edge(record, len(r.graph))
		if err != nil {
			return err
		}
		if i == j {
			continue
		}
		if x == 0 && d.ZeroWeight == "" {
			d.ZeroWeight = t.errorf("edge %s has weight 0", show(record)).Error()
		}
		g := r.graph[i]
		first := int32(r.start[g])
		if was, ok := weigh(&d.Graphs[g], r.place[i]-first, r.place[j]-first, x); !ok {
			return t.errorf("weight %v of edge %s, which another line gives as %v", x, show(record), was)
		}
	}
	return t.asLong(edges)
}

// asLong rejects a file of attributes that has not a line for each of the edges; both were
// read side by side as far as both go.
func (t *table) asLong(edges *table) error {
	read := t.records
	for edges.next() != nil {
	}
	if t.next() != nil {
		return t.errorf("record %d, but the last edge of %s is %d", t.records, edges.path, edges.records)
	}
	if read < edges.records {
		return t.errorf("the file ends after record %d, but the last edge of %s is %d; want a record for each", read, edges.path, edges.records)
	}
	return nil
}

// UsableWeights returns which of the values of Options.EdgeWeights, other than "none", the data set
// at path can be read with: "attribute", or one "attribute:K" for each of the first 16 columns that
// are weights. It reads the files once for each. zero says whether weights of 0 are of use.
func UsableWeights(path string, zero bool) (out []string) {
	for k := -1; k < 16; k++ {
		o := Options{EdgeWeights: EdgesAttribute}
		if k >= 0 {
			o.EdgeWeights = fmt.Sprintf("%s:%d", EdgesAttribute, k)
		}
		d, err := o.LoadFolder(path)
		var beyond *beyondError
		switch {
		case errors.As(err, &beyond):
			return out
		case err != nil || !zero && d.ZeroWeight != "":
			continue
		}
		if out = append(out, o.EdgeWeights); k == -1 { // the only one
			return out
		}
	}
	return out
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
