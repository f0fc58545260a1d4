package loader

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"ogdl/datasets"
)

// JSON Lines: one graph a line. A file in the place of a folder is read so.

const (
	// maxLineNodes bounds the nodes of one graph: gw.NewSpace takes no more.
	maxLineNodes = 1 << 17
	// freeNodes is how many nodes a file may have beyond one for each of its bytes.
	freeNodes = 1 << 20
)

// line is a graph as its line has it.
type line struct {
	edges      [][]finite
	nodes      *int
	labels     []any
	attributes [][]finite
	class      any
	name       string

	order int // number of nodes
}

// finite is a number of a line; null is none.
type finite float64

func (x *finite) UnmarshalJSON(b []byte) error {
	v, problem := real(b)
	if *x = finite(v); problem != "" {
		return fmt.Errorf("%s %s", show(b), problem)
	}
	return nil
}

// isLines says whether there is a file at path: one of JSON Lines.
func isLines(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// SetName is the name of the data set at a path: its last part, without the ending of JSON Lines.
func SetName(path string) string {
	name := filepath.Base(path)
	for _, ending := range []string{".jsonl", ".ndjson", ".json"} {
		if short, ok := strings.CutSuffix(name, ending); ok && short != "" {
			return short
		}
	}
	return name
}

// graph reads a record of JSON Lines.
func (t *table) graph(record []byte) (*line, error) {
	if !utf8.Valid(record) {
		return nil, t.errorf("not UTF-8")
	}
	var l line
	keys := []struct {
		name, want string
		into       any
	}{
		{"edges", "a list of [i, j] or [i, j, weight]", &l.edges},
		{"nodes", "a whole number", &l.nodes},
		{"labels", "a list of integers or of strings, one a node", &l.labels},
		{"attributes", "a list of lists of finite numbers, one a node", &l.attributes},
		{"class", "an integer or a string", &l.class},
		{"name", "a string", &l.name},
	}
	dec := json.NewDecoder(bytes.NewReader(record))
	dec.UseNumber()
	if first, err := dec.Token(); err != nil || first != json.Delim('{') {
		return nil, t.errorf("%s, want a graph, {\"edges\": [[0, 1], ...], ...}; a set of the TU format is named by its folder", show(record))
	}
	given := map[string]bool{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return nil, t.errorf("where a key is expected: %s", plain(err))
		}
		key, _ := token.(string)
		k := slices.IndexFunc(keys, func(k struct {
			name, want string
			into       any
		}) bool {
			return k.name == key
		})
		switch {
		case k < 0:
			return nil, t.errorf("unknown key %s; allowed: edges, nodes, labels, attributes, class, name", show([]byte(key)))
		case given[key]:
			return nil, t.errorf("%q is there twice", key)
		}
		given[key] = true
		if err := dec.Decode(keys[k].into); err != nil {
			return nil, t.errorf("%q: want %s: %s", key, keys[k].want, plain(err))
		}
	}
	if _, err := dec.Token(); err != nil {
		return nil, t.errorf("the graph does not end: %s", plain(err))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, t.errorf("more than one graph on the line")
	}
	if l.edges == nil {
		return nil, t.errorf("\"edges\" is missing; a graph without edges has \"edges\": [] and \"nodes\"")
	}
	return &l, t.judge(&l)
}

// plain is what a decoder found, in words of JSON.
func plain(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return "found " + wrong.Value
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "the line ends"
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// judge checks what a line says of its edges and nodes, and finds the number of nodes.
func (t *table) judge(l *line) error {
	least := 0
	for e, x := range l.edges {
		if len(x) != 2 && len(x) != 3 {
			return t.errorf("\"edges\": edge %d (from 0) has %d numbers, want [i, j] or [i, j, weight]", e, len(x))
		}
		for _, i := range x[:2] {
			if !(i >= 0 && i < maxLineNodes) || float64(i) != math.Trunc(float64(i)) {
				return t.errorf("\"edges\": edge %d (from 0) has the node %v, want whole numbers from 0 to %d", e, i, maxLineNodes-1)
			}
			least = max(least, int(i)+1)
		}
		if x[0] == x[1] {
			return t.errorf("\"edges\": edge %d (from 0) joins node %v to itself", e, x[0])
		}
		if len(x) == 3 && x[2] < 0 {
			return t.errorf("\"edges\": edge %d (from 0) has the weight %v, want 0 or more", e, x[2])
		}
	}
	from := "the largest in \"edges\""
	l.order = least
	switch {
	case l.nodes != nil:
		l.order, from = *l.nodes, "\"nodes\""
	case l.labels != nil:
		l.order, from = len(l.labels), "\"labels\""
	case l.attributes != nil:
		l.order, from = len(l.attributes), "\"attributes\""
	}
	switch {
	case l.order < least:
		return t.errorf("%s: %d nodes, but an edge has node %d; nodes count from 0", from, l.order, least-1)
	case l.order > maxLineNodes:
		return t.errorf("%s: %d nodes, want at most %d", from, l.order, maxLineNodes)
	case l.labels != nil && len(l.labels) != l.order:
		return t.errorf("\"labels\": %d for %d nodes (by %s)", len(l.labels), l.order, from)
	case l.attributes != nil && len(l.attributes) != l.order:
		return t.errorf("\"attributes\": %d for %d nodes (by %s)", len(l.attributes), l.order, from)
	}
	for i, row := range l.attributes {
		if len(row) != len(l.attributes[0]) || len(row) == 0 {
			return t.errorf("\"attributes\": node %d (from 0) has %d, node 0 has %d; want as many, at least 1", i, len(row), len(l.attributes[0]))
		}
	}
	return t.pair(l)
}

// pair brings every edge into the form i < j and in order, and leaves one of two that agree.
func (t *table) pair(l *line) error {
	for e, x := range l.edges {
		if x[0] > x[1] {
			x[0], x[1] = x[1], x[0]
		}
		if len(x) == 2 {
			l.edges[e] = append(x[:2:2], 1)
		}
	}
	slices.SortFunc(l.edges, func(a, b []finite) int { return slices.Compare(a, b) })
	kept := l.edges[:0]
	times := 1
	for _, x := range l.edges {
		last := len(kept) - 1
		if last < 0 || kept[last][0] != x[0] || kept[last][1] != x[1] {
			kept, times = append(kept, x), 1
			continue
		}
		if times++; times > 2 {
			return t.errorf("\"edges\": [%v, %v] is there more than twice", x[0], x[1])
		}
		if kept[last][2] != x[2] {
			return t.errorf("\"edges\": [%v, %v] has the weights %v and %v", x[0], x[1], kept[last][2], x[2])
		}
	}
	l.edges = kept
	return nil
}

// vocabulary collects the labels or the classes of a file: all integers or all texts.
type vocabulary struct {
	ints  map[int]bool
	texts map[string]bool
}

// add takes a value; problem says what is wrong with it.
func (v *vocabulary) add(x any) (problem string) {
	switch x := x.(type) {
	case string:
		if v.ints != nil {
			return "is a string, others are integers"
		}
		if v.texts == nil {
			v.texts = map[string]bool{}
		}
		v.texts[x] = true
		return ""
	case json.Number:
		k, ok := integer([]byte(x))
		switch {
		case !ok:
			return "want an integer of at most 18 digits or a string"
		case v.texts != nil:
			return "is a number, others are strings"
		case v.ints == nil:
			v.ints = map[int]bool{}
		}
		v.ints[k] = true
		return ""
	}
	return "want an integer or a string"
}

// values are the integers, or the places of the texts and these, ascending.
func (v *vocabulary) values() (ints []int, texts []string) {
	for k := range v.ints {
		ints = append(ints, k)
	}
	for text := range v.texts {
		ints, texts = append(ints, len(texts)), append(texts, text)
	}
	slices.Sort(ints)
	slices.Sort(texts)
	return ints, texts
}

// valueOf is the integer that stands for a value of a vocabulary with these texts; the value has been in it.
func valueOf(texts []string, x any) int {
	if text, ok := x.(string); ok {
		at, _ := slices.BinarySearch(texts, text)
		return at
	}
	n, _ := x.(json.Number)
	k, _ := integer([]byte(n))
	return k
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
	f, err := src.openFile("")
	if err == nil && f == nil {
		err = src.absent("")
	}
	if err != nil {
		return err
	}
	s.edges.file = f
	s.head.Name, s.head.Weighted = SetName(path), column != -1
	var labels, classes vocabulary
	var classOf []any
	var first, full *line // the first graph, and the first one with nodes
	var firstAt, fullAt int
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
		for _, e := range l.edges {
			s.head.UnusedEdges = s.head.UnusedEdges || column == -1 && e[2] != 1
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

// shown is a value of JSON, within reason.
func shown(x any) string {
	b, _ := json.Marshal(x)
	if len(b) > 40 {
		return string(b[:40]) + "..."
	}
	return string(b)
}

func hasOrNot(has bool) string {
	if has {
		return "has"
	}
	return "has not"
}

// atLine reads graph k of a file of JSON Lines.
func (s *Stream) atLine(k int) (*datasets.Graph, error) {
	g := &datasets.Graph{}
	err := s.edges.read(k, func(t *table, record []byte) error {
		l, err := t.graph(record)
		if err != nil {
			return err
		}
		s.fill(g, l)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("loader: %w", err)
	}
	return g, nil
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

// loadLines reads a file of JSON Lines whole.
func (o Options) loadLines(path string) (*datasets.Dataset, error) {
	s, err := o.openLines(path)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	d := s.Head()
	d.Graphs = make([]datasets.Graph, s.Len())
	for k := range d.Graphs {
		g, err := s.At(k)
		if err != nil {
			return nil, err
		}
		d.Graphs[k] = *g
	}
	d.Digest = d.ComputeDigest()
	return d, nil
}
