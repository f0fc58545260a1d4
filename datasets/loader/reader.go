package loader

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"ogdl/datasets"
)

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// reader holds what the files of one data set have in common. Nodes are kept
// sorted by graph: the node of line i of the indicator is at place[i], and the
// nodes of graph g are at start[g] .. start[g+1]-1.
type reader struct {
	source

	graph []int32 // of each line of the indicator
	place []int32
	start []int

	column int // of the edge attributes, see Options.column
}

func (r *reader) dataset() (*datasets.Dataset, error) {
	d := &datasets.Dataset{Name: r.name}
	classes, err := r.classes(d)
	if err != nil {
		return nil, err
	}
	if err := r.indicator(d, classes); err != nil {
		return nil, err
	}
	d.Graphs = make([]datasets.Graph, len(r.start)-1)
	if err := r.edges(d); err != nil {
		return nil, err
	}
	if err := r.weights(d); err != nil {
		return nil, err
	}
	if err := doubtNodes(d, r.labels(d), r.attributes(d)); err != nil {
		return nil, err
	}
	d.Digest = d.ComputeDigest()
	return d, nil
}

// classes reads the graph labels; the table is returned for messages, nil
// where there is no such file.
func (r *reader) classes(d *datasets.Dataset) (*table, error) {
	t, err := r.open("_graph_labels.txt")
	if t == nil || err != nil {
		return nil, err
	}
	values := make([]int, 0, t.lines())
	for record := t.next(); record != nil; record = t.next() {
		v, err := t.class(record)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	d.ClassValues = distinct(values, nil)
	for i, v := range values {
		values[i], _ = slices.BinarySearch(d.ClassValues, v)
	}
	d.Classes = values
	return t, nil
}

// distinct returns the distinct values in ascending order. Scratch, if any, is
// overwritten.
func distinct(values, scratch []int) []int {
	sorted := append(scratch[:0], values...)
	slices.Sort(sorted)
	return slices.Clone(slices.Compact(sorted))
}

// indicator reads the graph of every node, settles how many graphs there are,
// and sorts the nodes by graph.
func (r *reader) indicator(d *datasets.Dataset, classes *table) error {
	t, err := r.must("_graph_indicator.txt")
	if err != nil {
		return err
	}
	lines := t.lines()
	if lines > math.MaxInt32 {
		return t.errorf("%d lines, more than nodes can be numbered", lines)
	}
	r.graph = make([]int32, 0, lines)
	largest, ascending := int32(0), true
	for record := t.next(); record != nil; record = t.next() {
		id, err := t.graphID(record)
		if err != nil {
			return err
		}
		if id < largest {
			ascending = false
		}
		largest = max(largest, id)
		r.graph = append(r.graph, id)
	}
	graphs, ids, err := number(t, classes, largest, func() []int32 {
		ids := slices.Clone(r.graph)
		if !ascending {
			slices.Sort(ids)
		}
		return slices.Compact(ids)
	})
	if err != nil {
		return err
	}
	for i, id := range r.graph {
		r.graph[i] = graphOf(id, ids)
	}
	r.start = make([]int, graphs+1)
	for _, g := range r.graph {
		r.start[g+1]++
	}
	for g := range graphs {
		r.start[g+1] += r.start[g]
	}
	disagree(d, t, classes, graphs, func(g int) bool { return r.start[g] == r.start[g+1] })
	// While the places are dealt out, start[g] runs from the start of graph g to the start of the
	// next.
	r.place = make([]int32, len(r.graph))
	for i, g := range r.graph {
		r.place[i] = int32(r.start[g])
		r.start[g]++
	}
	copy(r.start[1:], r.start[:graphs])
	r.start[0] = 0
	return nil
}

// number settles how many graphs there are: the number of classes where every
// id has its line among them (ids is then nil), else the number of distinct
// ids, which distinct returns in ascending order.
func number(t, classes *table, largest int32, distinct func() []int32) (graphs int, ids []int32, err error) {
	if classes != nil && int(largest) <= classes.records {
		graphs = classes.records
	} else {
		ids = distinct()
		graphs = len(ids)
		if classes != nil && graphs != classes.records {
			return 0, nil, classes.errorf("%d classes, but %s has graph ids up to %d, %d of them distinct; want a class for each id or for each distinct one",
				classes.records, t.path, largest, graphs)
		}
	}
	if graphs == 0 {
		return 0, nil, fmt.Errorf("%s: no graph at all", t.path)
	}
	return graphs, ids, nil
}

// graphOf returns the index of the graph with that id; ids is what number
// returned.
func graphOf(id int32, ids []int32) int32 {
	if ids == nil {
		return id - 1
	}
	at, _ := slices.BinarySearch(ids, id)
	return int32(at)
}

// edges reads the edges into the graphs' lists of neighbours.
func (r *reader) edges(d *datasets.Dataset) error {
	t, err := r.must("_A.txt")
	if err != nil {
		return err
	}
	nodes := len(r.graph)
	lines := t.lines()
	from, to := make([]int32, 0, lines), make([]int32, 0, lines)
	end := make([]int, nodes+1) // degrees
	for record := t.next(); record != nil; record = t.next() {
		i, j, err := t.edge(record, nodes)
		if err != nil {
			return err
		}
		if r.graph[i] != r.graph[j] {
			return t.apart(record)
		}
		if i == j {
			continue
		}
		from, to = append(from, r.place[i]), append(to, r.place[j])
		end[r.place[i]]++
		end[r.place[j]]++
	}
	neighbors := lists(from, to, end)
	for g := range d.Graphs {
		first := r.start[g]
		mine := neighbors[first:r.start[g+1]:r.start[g+1]]
		for _, list := range mine {
			for k := range list {
				list[k] -= int32(first) // nodes are numbered within their graph
			}
		}
		d.Graphs[g].Neighbors = mine
	}
	return nil
}

// lists returns the lists of neighbours of the undirected graph with the edges
// (from[e], to[e]), which are no loops: each ascending and without repetition, all in one
// piece of memory. end holds the degrees and a zero after them; it is overwritten.
func lists(from, to []int32, end []int) [][]int32 {
	total := 0
	for i, degree := range end {
		end[i] = total
		total += degree
	}
	// While the lists are filled, end[i] runs from the start of list i to its
	// end.
	half := make([]int32, total)
	for e, i := range from {
		j := to[e]
		half[end[i]] = j
		end[i]++
		half[end[j]] = i
		end[j]++
	}
	neighbors := make([][]int32, len(end)-1)
	begin := 0
	for i := range neighbors {
		list := half[begin:end[i]]
		begin = end[i]
		slices.Sort(list)
		list = slices.Compact(list)
		neighbors[i] = list[:len(list):len(list)]
	}
	return neighbors
}

// shape looks at a file with a record per node: it returns the number of
// fields of the first record, and whether the file is large enough to hold as
// many for every node, at two bytes each. Where it is not, one of its records
// is wrong, and nothing must be allocated before perNode has found it.
func (r *reader) shape(t *table) (dim int, fits bool, err error) {
	head := *t
	first := head.next()
	if first == nil {
		return 0, true, t.none(len(r.graph))
	}
	dim = fields(first)
	return dim, t.fits(len(r.graph), dim), nil
}

// perNode walks a file with dim values for each node, and hands each one over
// with the node's place and its column.
func (r *reader) perNode(t *table, dim int, value func(place, column int, field []byte) error) error {
	for record := t.next(); record != nil; record = t.next() {
		if err := t.countdown(len(r.place)); err != nil {
			return err
		}
		place := int(r.place[t.records-1])
		err := t.values(record, dim, func(column int, field []byte) error { return value(place, column, field) })
		if err != nil {
			return err
		}
	}
	return t.complete(len(r.place))
}

// labels reads the node labels, if any.
func (r *reader) labels(d *datasets.Dataset) error {
	t, err := r.open("_node_labels.txt")
	if t == nil || err != nil {
		return err
	}
	columns, fits, err := r.shape(t)
	if err != nil || columns == 0 {
		return err
	}
	nodes := len(r.place)
	var values []int // column by column
	if fits {
		values = make([]int, columns*nodes)
	}
	err = r.perNode(t, columns, func(place, column int, field []byte) error {
		v, err := t.label(field)
		if err != nil {
			return err
		}
		if fits {
			values[column*nodes+place] = v
		}
		return nil
	})
	if err != nil {
		return err
	}
	d.LabelValues = make([][]int, columns)
	scratch := make([]int, nodes)
	for c := range columns {
		d.LabelValues[c] = distinct(values[c*nodes:(c+1)*nodes], scratch)
	}
	for g := range d.Graphs {
		first, end := r.start[g], r.start[g+1]
		// A graph without nodes has no bytes in the file to pay for a slice
		// per column.
		if first == end {
			continue
		}
		d.Graphs[g].Labels = make([][]int, columns)
		for c := range columns {
			d.Graphs[g].Labels[c] = values[c*nodes+first : c*nodes+end : c*nodes+end]
		}
	}
	return nil
}

// attributes reads the node attributes, if any.
func (r *reader) attributes(d *datasets.Dataset) error {
	t, err := r.open("_node_attributes.txt")
	if t == nil || err != nil {
		return err
	}
	dim, fits, err := r.shape(t)
	if err != nil || dim == 0 {
		return err
	}
	var values []float64 // node by node
	if fits {
		values = make([]float64, len(r.place)*dim)
	}
	err = r.perNode(t, dim, func(place, column int, field []byte) error {
		x, err := t.attribute(column, field)
		if err != nil {
			return err
		}
		if fits {
			values[place*dim+column] = x
		}
		return nil
	})
	if err != nil {
		return err
	}
	d.AttributeDim = dim
	for g := range d.Graphs {
		first, end := r.start[g]*dim, r.start[g+1]*dim
		if first < end {
			d.Graphs[g].Attributes = values[first:end:end]
		}
	}
	return nil
}
