package loader

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ogdl/datasets"
)

// What the records of each file mean and must hold.

// doubtNodes keeps errors in the content of the files of node labels or attributes in d, since they
// matter only to callers that use these. It returns failures to read a file.
func doubtNodes(d *datasets.Dataset, labels, attributes error) error {
	for _, x := range []struct {
		what    string
		err     error
		problem *string
	}{{"labels", labels, &d.LabelProblem}, {"attributes", attributes, &d.AttributeProblem}} {
		var wrong contentError
		switch {
		case errors.As(x.err, &wrong):
			*x.problem = x.err.Error()
			d.Doubts = append(d.Doubts, fmt.Sprintf("Node %s cannot be used: %v.", x.what, x.err))
		case x.err != nil:
			return x.err
		}
	}
	return nil
}

// emptyNamed is how many graphs without nodes are named.
const emptyNamed = 3

// disagree adds a doubt where there are classes of graphs that the indicator gives no node.
func disagree(d *datasets.Dataset, indicator, classes *table, graphs int, empty func(g int) bool) {
	var named []string
	n := 0
	for g := range graphs {
		if empty(g) {
			if n++; n <= emptyNamed {
				named = append(named, fmt.Sprint(g))
			}
		}
	}
	if n == 0 {
		return
	}
	which := strings.Join(named, ", ")
	if n > emptyNamed {
		which += fmt.Sprintf(" and %d more", n-emptyNamed)
	}
	d.Doubts = append(d.Doubts, fmt.Sprintf("%s has %d classes, and %s has nodes of %d graphs only (none of graph %s, from 0): the two files disagree. "+
		"If %[1]s has a line too many, the classes are shifted.", classes.path, graphs, indicator.path, graphs-n, which))
}

// whole reads an integer. Errors call it what, and want one integer, or an integer.
func (t *table) whole(what, want string, text []byte) (int, error) {
	v, ok := integer(text)
	if !ok {
		return 0, t.errorf("%s %s, want %s integer of at most 18 digits", what, show(text), want)
	}
	return v, nil
}

// edge reads a record of the edges: two of that many nodes, counted from 0.
func (t *table) edge(record []byte, nodes int) (i, j int, err error) {
	a, rest, last := cut(record)
	i, ok1 := integer(a)
	j, ok2 := integer(trim(rest))
	if last || !ok1 || !ok2 {
		return 0, 0, t.errorf("edge %s, want two node ids \"i, j\"", show(record))
	}
	if i < 1 || i > nodes || j < 1 || j > nodes {
		return 0, 0, t.errorf("edge %s, want node ids from 1 to %d, the number of nodes", show(record), nodes)
	}
	return i - 1, j - 1, nil
}

// apart returns the error for an edge between two graphs.
func (t *table) apart(record []byte) error {
	return t.errorf("edge %s joins nodes of two graphs", show(record))
}

// values hands over the dim values of a record, each with its column.
func (t *table) values(record []byte, dim int, value func(column int, field []byte) error) error {
	rest := record
	for column := 0; ; column++ {
		field, after, last := cut(rest)
		if column == dim || last && column < dim-1 {
			return t.errorf("number of values: %d, want %d as on the first line", fields(record), dim)
		}
		if err := value(column, field); err != nil {
			return err
		}
		if last {
			return nil
		}
		rest = after
	}
}

// attribute reads a node attribute.
func (t *table) attribute(column int, field []byte) (float64, error) {
	x, problem := real(field)
	if problem != "" {
		return 0, t.errorf("attribute %d, %s, %s", column+1, show(field), problem)
	}
	return x, nil
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
