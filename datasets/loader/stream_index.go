package loader

import (
	"cmp"
	"hash/crc32"
	"math"
	"slices"
	"sort"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// add continues a checksum with the line of the current record.
func add(sum uint32, t *table) uint32 { return crc32.Update(sum, castagnoli, t.raw) }

// grow appends at doubling capacity: all allocations together stay below four times the length.
func grow[T any](s []T, v T) []T {
	if len(s) == cap(s) {
		s = slices.Grow(s, max(len(s), 16))
	}
	return append(s, v)
}

// index reads all files once, and fails at the first mistake.
func (s *Stream) index(src source) error {
	s.head.Name = src.name
	buf := make([]byte, windowSize)
	classes, err := s.readClasses(src, buf)
	if err != nil {
		return err
	}
	if err := s.readIndicator(src, classes, buf); err != nil {
		return err
	}
	if err := s.readEdges(src, buf); err != nil {
		return err
	}
	s.head.UnusedEdges = src.has(edgeAttributes)
	labels, attributes := s.readLabels(src, buf), s.readAttributes(src, buf)
	if err := doubtNodes(&s.head, labels, attributes); err != nil {
		return err
	}
	if labels != nil {
		s.labels, s.head.LabelValues = s.labels.drop(), nil
	}
	if attributes != nil {
		s.attrs, s.head.AttributeDim = s.attrs.drop(), 0
	}
	slices.SortStableFunc(s.spans, func(a, b span) int { return cmp.Compare(a.graph, b.graph) })
	for _, p := range []*part{&s.edges, s.labels, s.attrs} {
		if p != nil {
			slices.SortStableFunc(p.pieces, func(a, b piece) int { return cmp.Compare(a.graph, b.graph) })
		}
	}
	return nil
}

// once walks a file that is not needed again.
func once(f *file, buf []byte, record func(t *table, record []byte) error) (*table, error) {
	defer f.f.Close()
	return f.walk(buf, record)
}

func (s *Stream) readClasses(src source, buf []byte) (*table, error) {
	f, err := src.openFile("_graph_labels.txt")
	if f == nil || err != nil {
		return nil, err
	}
	var classes set
	values := make([]int, 0, (f.size+1)/2)
	t, err := once(f, buf, func(t *table, record []byte) error {
		v, err := t.whole("class", "one", record)
		values = append(values, v)
		classes.add(v)
		return err
	})
	if err != nil {
		return nil, err
	}
	s.head.ClassValues = classes.settle()
	for i, v := range values {
		values[i], _ = slices.BinarySearch(s.head.ClassValues, v)
	}
	s.head.Classes = values
	return t, nil
}

func (s *Stream) readIndicator(src source, classes *table, buf []byte) error {
	f, err := src.must("_graph_indicator.txt")
	if err != nil {
		return err
	}
	largest := int32(0)
	t, err := once(f, buf, func(t *table, record []byte) error {
		if t.records > math.MaxInt32 {
			return t.errorf("%d lines, more than nodes can be numbered", t.records)
		}
		value, ok := integer(record)
		if !ok || value < 1 || value > math.MaxInt32 {
			return t.errorf("graph id %s, want an integer from 1 to %d", show(record), math.MaxInt32)
		}
		id := int32(value)
		largest = max(largest, id)
		if last := len(s.spans) - 1; last >= 0 && s.spans[last].graph == id {
			s.spans[last].n++
		} else {
			s.spans = grow(s.spans, span{first: int32(t.records - 1), n: 1, graph: id})
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.nodes = t.records
	graphs, ids, err := number(t, classes, largest, func() []int32 {
		ids := make([]int32, len(s.spans))
		for i, p := range s.spans {
			ids[i] = p.graph
		}
		slices.Sort(ids)
		return slices.Clone(slices.Compact(ids))
	})
	if err != nil {
		return err
	}
	s.graphs = graphs
	local := make([]int32, graphs)
	for i := range s.spans {
		p := &s.spans[i]
		if ids == nil {
			p.graph--
		} else {
			at, _ := slices.BinarySearch(ids, p.graph)
			p.graph = int32(at)
		}
		p.local = local[p.graph]
		local[p.graph] += p.n
	}
	disagree(&s.head, t, classes, graphs, func(g int) bool { return local[g] == 0 })
	return nil
}

// spanOf returns the span of a node while spans are in the order of nodes. The
// guess is tried first: the edges of a graph mostly follow each other.
func (s *Stream) spanOf(node, guess int) int {
	if p := &s.spans[guess]; node >= int(p.first) && node < int(p.first)+int(p.n) {
		return guess
	}
	return sort.Search(len(s.spans), func(i int) bool { return int(s.spans[i].first) > node }) - 1
}

func (s *Stream) readEdges(src source, buf []byte) error {
	f, err := src.must("_A.txt")
	if err != nil {
		return err
	}
	s.edges.file = f
	a, b := 0, 0
	_, err = f.walk(buf, func(t *table, record []byte) error {
		i, j, err := t.edge(record, s.nodes)
		if err != nil {
			return err
		}
		a = s.spanOf(i, a)
		b = s.spanOf(j, b)
		graph := s.spans[a].graph
		if graph != s.spans[b].graph {
			return t.apart(record)
		}
		last := len(s.edges.pieces) - 1
		if last < 0 || s.edges.pieces[last].graph != graph {
			s.edges.pieces = grow(s.edges.pieces, piece{from: t.end - int64(len(t.raw)), graph: graph})
			last++
		}
		p := &s.edges.pieces[last]
		p.to = t.end
		p.sum = add(p.sum, t)
		return nil
	})
	return err
}

// perNode reads a file with dim values for each node, dim as in the first
// record, and makes a piece for each span.
func (s *Stream) perNode(p *part, buf []byte, value func(t *table, dim, column int, field []byte) error) error {
	dim, at := 0, -1
	t, err := p.walk(buf, func(t *table, record []byte) error {
		if t.records == 1 {
			dim = fields(record)
		}
		if t.records > s.nodes {
			return t.errorf("record %d, but the last node is %d", t.records, s.nodes)
		}
		if node := int32(t.records - 1); at < 0 || node == s.spans[at].first+s.spans[at].n {
			at++
			if p.pieces == nil {
				p.pieces = make([]piece, len(s.spans))
			}
			p.pieces[at] = piece{from: t.end - int64(len(t.raw)), graph: s.spans[at].graph}
		}
		p.pieces[at].to = t.end
		p.pieces[at].sum = add(p.pieces[at].sum, t)
		return t.values(record, dim, func(column int, field []byte) error { return value(t, dim, column, field) })
	})
	switch {
	case err != nil:
		return err
	case t.records == 0 && s.nodes > 0:
		t.line = 1
		return t.errorf("no record, want one for each node up to %d", s.nodes)
	case t.records < s.nodes:
		return t.errorf("the file ends after node %d of %d", t.records, s.nodes)
	}
	return nil
}

func (s *Stream) readLabels(src source, buf []byte) error {
	f, err := src.openFile("_node_labels.txt")
	if f == nil || err != nil {
		return err
	}
	s.labels = &part{file: f}
	var columns []set // nil while some record must be wrong
	err = s.perNode(s.labels, buf, func(t *table, dim, column int, field []byte) error {
		if columns == nil && s.nodes*dim <= (t.size+1)/2 { // two bytes a value
			columns = make([]set, dim)
		}
		v, err := t.whole("node label", "an", field)
		if err == nil && columns != nil {
			columns[column].add(v)
		}
		return err
	})
	if err != nil || columns == nil {
		return err
	}
	s.head.LabelValues = make([][]int, len(columns))
	for c := range columns {
		s.head.LabelValues[c] = columns[c].settle()
	}
	return nil
}

func (s *Stream) readAttributes(src source, buf []byte) error {
	f, err := src.openFile("_node_attributes.txt")
	if f == nil || err != nil {
		return err
	}
	s.attrs = &part{file: f}
	return s.perNode(s.attrs, buf, func(t *table, dim, column int, field []byte) error {
		s.head.AttributeDim = dim
		_, err := t.attribute(column, field)
		return err
	})
}

// set collects distinct integers: the first sorted values are ascending and
// distinct, the others as they came.
type set struct {
	values []int
	sorted int
}

func (s *set) add(v int) {
	if _, ok := slices.BinarySearch(s.values[:s.sorted], v); ok {
		return
	}
	if len(s.values) == cap(s.values) {
		s.settle()
		// Half of it free, so that settling is rare.
		if n := len(s.values); 2*n > cap(s.values) || n == 0 {
			s.values = slices.Grow(s.values, max(n, 1))
		}
	}
	s.values = append(s.values, v)
}

// settle returns the distinct values, ascending.
func (s *set) settle() []int {
	slices.Sort(s.values)
	s.values = slices.Compact(s.values)
	s.sorted = len(s.values)
	return s.values
}
