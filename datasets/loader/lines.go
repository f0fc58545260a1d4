package loader

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ogdl/datasets"
)

// JSON Lines: one graph a line. A path to a file, not to a folder, is read in this format.

const (
	// maxLineNodes bounds the nodes of one graph: gw.NewSpace takes no more.
	maxLineNodes = 1 << 17
	// freeNodes is how many nodes a file may have beyond one for each of its bytes.
	freeNodes = 1 << 20
)

// isLines reports whether path is a file: one of JSON Lines.
func isLines(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// SetName returns the name of the data set at a path: its last part, without the ending of JSON
// Lines.
func SetName(path string) string {
	name := filepath.Base(path)
	for _, ending := range []string{".jsonl", ".ndjson", ".json"} {
		if short, ok := strings.CutSuffix(name, ending); ok && short != "" {
			return short
		}
	}
	return name
}

// packed reports whether a file begins as zip archives or gzip files do.
func packed(magic [4]byte) bool {
	return magic == [4]byte{'P', 'K', 3, 4} || magic[0] == 0x1f && magic[1] == 0x8b
}

// openLines opens a file of JSON Lines, reading it once.
func (o Options) openLines(path string) (*Stream, error) {
	s := &Stream{lines: true}
	err := s.indexLines(path, o)
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("loader: %w", err)
	}
	return s, nil
}

// indexLines reads all lines, checks them and keeps where each begins.
func (s *Stream) indexLines(path string, o Options) error {
	column, err := o.column()
	if err != nil {
		return err
	}
	if column > 0 {
		return fmt.Errorf("%s: edges have one weight at most; %s:%d is not among them", path, EdgesAttribute, column)
	}
	src := source{os.DirFS(filepath.Dir(path)), filepath.Base(path), filepath.Dir(path)}
	f, err := src.must("")
	if err != nil {
		return err
	}
	s.edges.file = f
	var magic [4]byte
	if _, err := f.at.ReadAt(magic[:], 0); (err == nil || err == io.EOF) && packed(magic) {
		return fmt.Errorf("%s is packed: unpack it first (unzip, gunzip), and name the folder or file that comes out", path)
	}
	s.head.Name, s.head.Weighted = SetName(path), column != -1
	var labels, classes vocabulary
	var classOf []any
	var first, full *line // the first graph, and the first one with nodes
	var firstAt, fullAt int
	edges, zero, weighed := false, false, false // of any graph; of any node 0; by another weight than 1
	t, err := f.walk(make([]byte, windowSize), func(t *table, record []byte) error {
		l, err := t.graph(record)
		if err != nil {
			return err
		}
		if first == nil {
			first, firstAt = l, t.line
		}
		if full == nil && l.order > 0 {
			full, fullAt = l, t.line
		}
		if (l.class == nil) != (first.class == nil) {
			return t.errorf("\"class\": all graphs have one or none, and that of line %d %s", firstAt, hasOrNot(first.class != nil))
		}
		if l.class != nil {
			if problem := classes.add(l.class); problem != "" {
				return t.errorf("\"class\": %s %s", shown(l.class), problem)
			}
			classOf = append(classOf, l.class)
		}
		if l.order > 0 {
			switch {
			case (l.labels == nil) != (full.labels == nil):
				return t.errorf("\"labels\": all graphs have them or none, and that of line %d %s", fullAt, hasOrNot(full.labels != nil))
			case (l.attributes == nil) != (full.attributes == nil):
				return t.errorf("\"attributes\": all graphs have them or none, and that of line %d %s", fullAt, hasOrNot(full.attributes != nil))
			case l.attributes != nil && len(l.attributes[0]) != len(full.attributes[0]):
				return t.errorf("\"attributes\": %d a node, and those of line %d are %d", len(l.attributes[0]), fullAt, len(full.attributes[0]))
			}
		}
		for i, label := range l.labels {
			if problem := labels.add(label); problem != "" {
				return t.errorf("\"labels\": %s of node %d (from 0) %s", shown(label), i, problem)
			}
		}
		if l.name != "" || s.head.Names != nil {
			s.head.Names = append(s.head.Names, make([]string, s.graphs-len(s.head.Names))...)
			s.head.Names = append(s.head.Names, l.name)
		}
		s.nodes += l.order
		if s.nodes-freeNodes > int(min(t.end, math.MaxInt32-freeNodes)) {
			return t.errorf("%d nodes so far, more than the file has bytes", s.nodes)
		}
		if len(l.edges) > 0 { // sorted, the smaller node first
			edges, zero = true, zero || l.edges[0][0] == 0
		}
		for _, e := range l.edges {
			weighed = weighed || e[2] != 1
			if column != -1 && e[2] == 0 && s.head.ZeroWeight == "" {
				s.head.ZeroWeight = t.errorf("edge [%v, %v] has weight 0", e[0], e[1]).Error()
			}
		}
		s.spans = grow(s.spans, span{first: int32(s.nodes - l.order), n: int32(l.order), graph: int32(s.graphs)})
		s.edges.pieces = grow(s.edges.pieces, piece{from: t.end - int64(len(t.raw)), to: t.end, graph: int32(s.graphs), sum: add(0, t)})
		s.graphs++
		return nil
	})
	if err != nil {
		return err
	}
	if s.graphs == 0 {
		return t.errorf("no graph at all")
	}
	s.head.UnusedEdges = weighed && column == -1
	if edges && !weighed && column != -1 {
		s.head.Doubts = append(s.head.Doubts, path+": no edge has another weight than 1.")
	}
	if edges && !zero {
		s.head.Doubts = append(s.head.Doubts, path+": node 0 has no edge in any graph. Nodes count from 0: "+
			"if the file counts them from 1, every graph has a node too many.")
	}
	s.head.ClassValues, s.head.ClassTexts = classes.values()
	for _, class := range classOf {
		k, _ := slices.BinarySearch(s.head.ClassValues, valueOf(s.head.ClassTexts, class))
		s.head.Classes = append(s.head.Classes, k)
	}
	if full != nil && full.labels != nil {
		var values []int
		values, s.head.LabelTexts = labels.values()
		s.head.LabelValues = [][]int{values}
	}
	if full != nil && full.attributes != nil {
		s.head.AttributeDim = len(full.attributes[0])
	}
	return nil
}

// fill makes the graph of a line that has been checked.
func (s *Stream) fill(g *datasets.Graph, l *line) {
	from, to, end := make([]int32, len(l.edges)), make([]int32, len(l.edges)), make([]int, l.order+1)
	for e, x := range l.edges {
		from[e], to[e] = int32(x[0]), int32(x[1])
		end[from[e]]++
		end[to[e]]++
	}
	g.Neighbors = lists(from, to, end)
	if s.head.Weighted {
		g.Weights = unset(g.Neighbors)
		for e, x := range l.edges {
			weigh(g, from[e], to[e], math.Abs(float64(x[2]))) // -0 is 0
		}
	}
	if l.order == 0 {
		return
	}
	if l.labels != nil {
		column := make([]int, l.order)
		for i, label := range l.labels {
			column[i] = valueOf(s.head.LabelTexts, label)
		}
		g.Labels = [][]int{column}
	}
	for _, row := range l.attributes {
		for _, x := range row {
			g.Attributes = append(g.Attributes, float64(x))
		}
	}
}
