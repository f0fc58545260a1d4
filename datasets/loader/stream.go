package loader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"sort"

	"ogdl/datasets"
)

// Stream gives the graphs of a data set one at a time, from its files, without
// ever holding them all: on files of the size of TWITCH-EGOS (127,094 graphs,
// 3.8 million nodes) it keeps an index of 14 MB, and a process that goes through
// all graphs peaks below 50 MB resident.
//
// OpenStream reads the files once from end to end, rejects mistakes in them, and keeps where each
// graph lies; At then reads one graph from there. So an experiment can shuffle the graphs of a class
// and draw them in any order. Load and its kin read all graphs of a stream.
//
// A stream reads no edge weights (see Options); it says in Head that there are attributes of
// edges.
//
// In the collection's files the nodes and the edges of a graph follow each
// other. Where they do not (nothing forbids it), the stream falls back to
// several pieces per graph: the graphs are the same, but the index grows by 24
// bytes and At by one read for each piece, at worst one per record.
//
// At, Len, Order and the accessors may be called by several goroutines at
// once; Next, Reset and Close may not.
type Stream struct {
	head   datasets.Dataset // without its graphs
	graphs int
	nodes  int

	lines bool // the file is one of JSON Lines, and edges has a piece for each graph

	// spans and the pieces are sorted by graph, and within a graph as in the
	// files. The pieces of labels and attributes belong to the spans.
	spans  []span
	edges  part
	labels *part // nil where there are none
	attrs  *part

	next int
}

// span is a run of consecutive nodes of one graph.
type span struct {
	first, n int32 // in the files, counted from 0
	graph    int32
	local    int32 // the number of the first node within its graph
}

// piece is a run of consecutive records of one graph in a file.
type piece struct {
	from, to int64 // in bytes
	graph    int32
	sum      uint32 // of its lines, but for the blank ones
}

// part is a file with its pieces.
type part struct {
	*file
	pieces []piece
}

// drop closes a file that cannot be used; it returns nil.
func (p *part) drop() *part {
	if p != nil {
		p.f.Close()
	}
	return nil
}

// OpenStream opens the data set at path, a folder that must hold exactly one NAME_A.txt or a file
// of JSON Lines, as LoadFolder does. It reads the files once, in O(bytes), and keeps up to three of
// them open until Close.
//
// Memory is the index (24 bytes per graph and file, and its class), the longest
// line, and what the graph at hand takes; whatever the files hold it stays below
// 64 times their size.
func OpenStream(path string) (*Stream, error) {
	if isLines(path) {
		return Options{}.openLines(path)
	}
	src, err := only(path)
	if err != nil {
		return nil, err
	}
	return openStream(src)
}

// OpenNamed opens the data set of that name below dir, as Load does: where
// there is none the error wraps ErrMissing.
func OpenNamed(dir, name string) (*Stream, error) {
	src, err := named(dir, name)
	if err != nil {
		return nil, err
	}
	return openStream(src)
}

// NewStream opens the data set called name in the root of a file system, as
// Read does. Files that do not implement io.ReaderAt, such as files of a zip archive, are held in
// memory.
func NewStream(fsys fs.FS, name string) (*Stream, error) {
	return openStream(source{fsys, name, ""})
}

func openStream(src source) (*Stream, error) {
	s := &Stream{}
	if err := s.index(src); err != nil {
		s.Close()
		return nil, fmt.Errorf("loader: %w", err)
	}
	return s, nil
}

// Close closes the files. The stream gives no more graphs.
func (s *Stream) Close() error {
	var errs []error
	for _, p := range []*part{&s.edges, s.labels, s.attrs} {
		if p != nil && p.file != nil {
			errs = append(errs, p.f.Close())
		}
	}
	s.edges.file, s.labels, s.attrs = nil, nil, nil
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("loader: %w", err)
	}
	return nil
}

// Len returns the number of graphs.
func (s *Stream) Len() int { return s.graphs }

// Head returns the data set without its graphs: name, classes, class
// and label values, and the number of attributes, as Load has them. Graphs is
// nil, and the digest is empty (see Digest). The slices belong to the stream
// and must not be written to.
func (s *Stream) Head() *datasets.Dataset {
	head := s.head
	return &head
}

// Class returns the class of graph k, an index into the class values, or -1
// where the data set has no classes. It panics where there is no graph k.
func (s *Stream) Class(k int) int {
	s.must(k)
	if s.head.Classes == nil {
		return -1
	}
	return s.head.Classes[k]
}

// Order returns the number of nodes of graph k, from the index, in O(log K). It
// panics where there is no graph k.
func (s *Stream) Order(k int) int {
	s.must(k)
	n := 0
	for _, p := range s.of(k) {
		n += int(p.n)
	}
	return n
}

func (s *Stream) must(k int) {
	if k < 0 || k >= s.graphs {
		panic(fmt.Sprintf("loader: graph %d of a stream of %d", k, s.graphs))
	}
}

// Next returns the next graph and its class (-1 where the data set has none),
// in the order of the data from the first one on, and io.EOF after the last.
// After another error the stream stays where it is.
func (s *Stream) Next() (*datasets.Graph, int, error) {
	if s.next == s.graphs {
		return nil, -1, io.EOF
	}
	g, err := s.At(s.next)
	if err != nil {
		return nil, -1, err
	}
	s.next++
	return g, s.Class(s.next - 1), nil
}

// Reset makes the first graph the next one.
func (s *Stream) Reset() { s.next = 0 }

// Digest returns the digest that Load gives the data set (see
// datasets.Dataset.ComputeDigest). It reads every graph once, and ends with the
// context's error when that ends. A nil context is an error.
func (s *Stream) Digest(ctx context.Context) (string, error) {
	if ctx == nil {
		return "", errors.New("loader: ctx is nil, expected a context")
	}
	d := datasets.NewDigester(&s.head, s.graphs)
	for k := range s.graphs {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		g, err := s.At(k)
		if err != nil {
			return "", err
		}
		d.Add(g)
	}
	return d.Sum(), nil
}

// within returns the elements of graph k in a list that ascends by graph.
func within[T any](list []T, k int, graph func(T) int32) []T {
	lo, _ := slices.BinarySearchFunc(list, int32(k), func(x T, k int32) int { return cmp.Compare(graph(x), k) })
	hi := lo
	for hi < len(list) && graph(list[hi]) == int32(k) {
		hi++
	}
	return list[lo:hi]
}

func (s *Stream) of(k int) []span { return within(s.spans, k, func(x span) int32 { return x.graph }) }
func (p *part) of(k int) []piece  { return within(p.pieces, k, func(x piece) int32 { return x.graph }) }

// find returns the number of a node within the graph of those spans.
func find(spans []span, node int) (int32, bool) {
	at := sort.Search(len(spans), func(i int) bool { return int(spans[i].first) > node }) - 1
	if at < 0 || node >= int(spans[at].first)+int(spans[at].n) {
		return 0, false
	}
	return spans[at].local + int32(node) - spans[at].first, true
}

// At reads graph k from the files, in time O(log K) plus the length of its lines. The graph belongs
// to the caller. It is an error if the lines have changed since OpenStream, or if the stream is
// closed. At panics if there is no graph k.
func (s *Stream) At(k int) (*datasets.Graph, error) {
	s.must(k)
	g := &datasets.Graph{}
	if err := s.read(k, g, &scratch{}); err != nil {
		return nil, fmt.Errorf("loader: %w", err)
	}
	return g, nil
}

// scratch is what the readings of one caller use again.
type scratch struct {
	t        table
	buf      []byte
	from, to []int32
	end      []int
}

func (s *Stream) read(k int, g *datasets.Graph, x *scratch) error {
	if s.edges.file == nil {
		return fmt.Errorf("the stream is closed: %w", os.ErrClosed)
	}
	if s.lines {
		return s.edges.read(k, x, func(t *table, record []byte) error {
			l, err := t.graph(record)
			if err == nil {
				s.fill(g, l)
			}
			return err
		})
	}
	n, spans := s.Order(k), s.of(k)
	if n == 0 { // neither labels nor attributes
		g.Neighbors = [][]int32{}
		return nil
	}
	if err := s.neighbors(g, k, n, spans, x); err != nil {
		return err
	}
	if s.labels != nil {
		columns := len(s.head.LabelValues)
		g.Labels = make([][]int, columns)
		values := make([]int, columns*n)
		for c := range g.Labels {
			g.Labels[c] = values[c*n : (c+1)*n : (c+1)*n]
		}
		err := s.labels.nodes(k, n, columns, x, func(t *table, i, column int, field []byte) (err error) {
			g.Labels[column][i], err = t.whole("node label", "an", field)
			return err
		})
		if err != nil {
			return err
		}
	}
	if s.attrs == nil {
		return nil
	}
	dim := s.head.AttributeDim
	g.Attributes = make([]float64, n*dim)
	return s.attrs.nodes(k, n, dim, x, func(t *table, i, column int, field []byte) (err error) {
		g.Attributes[i*dim+column], err = t.attribute(column, field)
		return err
	})
}

// neighbors reads the edges of graph k.
func (s *Stream) neighbors(g *datasets.Graph, k, n int, spans []span, x *scratch) error {
	x.from, x.to = x.from[:0], x.to[:0]
	x.end = slices.Grow(x.end[:0], n+1)[:n+1]
	clear(x.end) // degrees
	err := s.edges.read(k, x, func(t *table, record []byte) error {
		i, j, err := t.edge(record, s.nodes)
		if err != nil {
			return err
		}
		a, ok1 := find(spans, i)
		b, ok2 := find(spans, j)
		if !ok1 || !ok2 {
			return t.apart(record)
		}
		if a != b {
			x.from, x.to = append(x.from, a), append(x.to, b)
			x.end[a]++
			x.end[b]++
		}
		return nil
	})
	if err != nil {
		return err
	}
	g.Neighbors = lists(x.from, x.to, x.end)
	distinct := 0
	for _, list := range g.Neighbors {
		distinct += len(list)
	}
	// The collection lists an edge twice or more: keep each once.
	kept := make([]int32, 0, distinct)
	for i, list := range g.Neighbors {
		at := len(kept)
		kept = append(kept, list...)
		g.Neighbors[i] = kept[at:len(kept):len(kept)]
	}
	return nil
}

// nodes reads the values of the n nodes of graph k.
func (p *part) nodes(k, n, dim int, x *scratch, value func(t *table, i, column int, field []byte) error) error {
	i := -1
	return p.read(k, x, func(t *table, record []byte) error {
		if i++; i == n {
			return errChanged
		}
		return t.values(record, dim, func(column int, field []byte) error { return value(t, i, column, field) })
	})
}

var errChanged = errors.New("changed since the stream was opened")

// read hands over the records of graph k, and fails where they differ from
// the index.
func (p *part) read(k int, x *scratch, record func(t *table, record []byte) error) error {
	for _, at := range p.of(k) {
		length := int(at.to - at.from)
		x.buf = slices.Grow(x.buf[:0], length)[:length]
		n, err := p.at.ReadAt(x.buf, at.from)
		if n < length && err != io.EOF {
			return fmt.Errorf("%s: %w", p.path, err)
		}
		ok := n == length
		t := &x.t
		*t = table{path: p.path, data: x.buf[:n]}
		sum := uint32(0)
		for r := t.next(); r != nil && ok; r = t.next() {
			sum = add(sum, t)
			ok = record(t, r) == nil
		}
		if !ok || sum != at.sum {
			return fmt.Errorf("%s: bytes %d to %d: %w", p.path, at.from, at.to, errChanged)
		}
	}
	return nil
}
