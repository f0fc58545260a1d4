package loader

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"

	"ogdl/datasets"
)

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// reader holds what the files of one data set have in common. Nodes are kept
// sorted by graph: the node of line i of the indicator is at place[i], and the
// nodes of graph g are at start[g] .. start[g+1]-1.
type reader struct {
	fsys         fs.FS
	name, folder string

	graph []int32 // of each line of the indicator
	place []int32
	start []int
}

// must is open for the files without which there is no data set.
func (r *reader) must(suffix string) (*table, error) {
	t, err := r.open(suffix)
	if err == nil && t == nil {
		err = fmt.Errorf("%s: %w", filepath.Join(r.folder, r.name+suffix), fs.ErrNotExist)
	}
	return t, err
}

func (r *reader) dataset() (*datasets.Dataset, error) {
	d := &datasets.Dataset{Name: r.name}
	classes, err := r.classes(d)
	if err != nil {
		return nil, err
	}
	if err := r.indicator(classes); err != nil {
		return nil, err
	}
	d.Graphs = make([]datasets.Graph, len(r.start)-1)
	if err := r.edges(d); err != nil {
		return nil, err
	}
	if err := r.labels(d); err != nil {
		return nil, err
	}
	if err := r.attributes(d); err != nil {
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
		v, ok := integer(record)
		if !ok {
			return nil, t.errorf("class %s, want one integer", show(record))
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
func (r *reader) indicator(classes *table) error {
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
		id, ok := integer(record)
		if !ok || id < 1 || id > math.MaxInt32 {
			return t.errorf("graph id %s, want an integer from 1 on", show(record))
		}
		if int32(id) < largest {
			ascending = false
		}
		largest = max(largest, int32(id))
		r.graph = append(r.graph, int32(id))
	}
	graphs, err := r.number(t, classes, largest, ascending)
	if err != nil {
		return err
	}
	if graphs == 0 {
		return fmt.Errorf("%s: no graph at all", t.path)
	}
	r.start = make([]int, graphs+1)
	for _, g := range r.graph {
		r.start[g+1]++
	}
	for g := range graphs {
		r.start[g+1] += r.start[g]
	}
	next := slices.Clone(r.start[:graphs])
	r.place = make([]int32, len(r.graph))
	for i, g := range r.graph {
		r.place[i] = int32(next[g])
		next[g]++
	}
	return nil
}

// number turns the graph ids into indices and returns the number of graphs:
// the number of classes where every id has its line among them, else the
// number of distinct ids.
func (r *reader) number(t, classes *table, largest int32, ascending bool) (int, error) {
	lines := 0
	if classes != nil {
		if lines = classes.records; int(largest) <= lines {
			for i := range r.graph {
				r.graph[i]--
			}
			return lines, nil
		}
	}
	ids := slices.Clone(r.graph)
	if !ascending {
		slices.Sort(ids)
	}
	ids = slices.Compact(ids)
	if classes != nil && len(ids) != lines {
		return 0, classes.errorf("%d classes, but %s has graph ids up to %d, %d of them distinct; want a class for each id or for each distinct one",
			lines, t.path, largest, len(ids))
	}
	for i, id := range r.graph {
		at, _ := slices.BinarySearch(ids, id)
		r.graph[i] = int32(at)
	}
	return len(ids), nil
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
	end := make([]int, nodes+1) // first degrees, then where each list ends
	for record := t.next(); record != nil; record = t.next() {
		a, rest, last := cut(record)
		b := trim(rest)
		i, ok1 := integer(a)
		j, ok2 := integer(b)
		if last || !ok1 || !ok2 {
			return t.errorf("edge %s, want two node ids \"i, j\"", show(record))
		}
		if i < 1 || i > nodes || j < 1 || j > nodes {
			return t.errorf("edge %s, want node ids from 1 to %d, the number of nodes", show(record), nodes)
		}
		i, j = i-1, j-1
		if r.graph[i] != r.graph[j] {
			return t.errorf("edge %s joins nodes of two graphs", show(record))
		}
		if i == j {
			continue
		}
		from, to = append(from, r.place[i]), append(to, r.place[j])
		end[r.place[i]]++
		end[r.place[j]]++
	}
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
	neighbors := make([][]int32, nodes)
	begin := 0
	for g := range d.Graphs {
		first := r.start[g]
		for i := first; i < r.start[g+1]; i++ {
			list := half[begin:end[i]]
			begin = end[i]
			slices.Sort(list)
			list = slices.Compact(list)
			for k := range list {
				list[k] -= int32(first) // nodes are numbered within their graph
			}
			neighbors[i] = list[:len(list):len(list)]
		}
		d.Graphs[g].Neighbors = neighbors[first:r.start[g+1]:r.start[g+1]]
	}
	return nil
}

// shape looks at a file with a record per node: it returns the number of
// fields of the first record, and whether the file is large enough to hold as
// many for every node, at two bytes each. Where it is not, one of its records
// is wrong, and nothing must be allocated before perNode has found it.
func (r *reader) shape(t *table) (dim int, fits bool, err error) {
	head := *t
	first := head.next()
	if first == nil {
		if len(r.graph) > 0 {
			return 0, false, t.errorf("no record, want one for each of %d nodes", len(r.graph))
		}
		return 0, true, nil
	}
	dim = fields(first)
	return dim, len(r.graph)*dim <= (t.size+1)/2, nil
}

// perNode walks a file with dim values for each node, and hands each one over
// with the node's place and its column.
func (r *reader) perNode(t *table, dim int, value func(place, column int, field []byte) error) error {
	for record := t.next(); record != nil; record = t.next() {
		if t.records > len(r.place) {
			return t.errorf("record %d, but there are only %d nodes", t.records, len(r.place))
		}
		place := int(r.place[t.records-1])
		rest := record
		for column := 0; ; column++ {
			field, after, last := cut(rest)
			if column == dim || last && column < dim-1 {
				return t.errorf("%d values, want %d as on the first line", fields(record), dim)
			}
			if err := value(place, column, field); err != nil {
				return err
			}
			if last {
				break
			}
			rest = after
		}
	}
	if t.records < len(r.place) {
		return t.errorf("the file ends after %d of %d nodes", t.records, len(r.place))
	}
	return nil
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
		v, ok := integer(field)
		if !ok {
			return t.errorf("node label %s, want an integer", show(field))
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
		x, problem := real(field)
		if problem != "" {
			return t.errorf("attribute %d, %s, %s", column+1, show(field), problem)
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
