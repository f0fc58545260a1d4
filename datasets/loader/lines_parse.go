package loader

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// line is a graph as its line has it.
type line struct {
	edges      [][]finite
	nodes      *count
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
		return fmt.Errorf("%s %s", shown(json.RawMessage(b)), problem)
	}
	return nil
}

// count is a whole number, which may be written as a real (4.0).
type count int

func (n *count) UnmarshalJSON(b []byte) error {
	v, ok := integer(b)
	if *n = count(v); !ok {
		return fmt.Errorf("found %s", shown(json.RawMessage(b)))
	}
	return nil
}

// graph reads a record of JSON Lines.
func (t *table) graph(record []byte) (*line, error) {
	if !utf8.Valid(record) {
		return nil, t.errorf("not UTF-8")
	}
	var l line
	type key struct {
		name, want string
		into       any
	}
	keys := []key{
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
		name, _ := token.(string)
		k := slices.IndexFunc(keys, func(k key) bool { return k.name == name })
		switch {
		case k < 0:
			return nil, t.errorf("unknown key %s; allowed: edges, nodes, labels, attributes, class, name", show([]byte(name)))
		case given[name]:
			return nil, t.errorf("%q is there twice", name)
		}
		given[name] = true
		if err := dec.Decode(keys[k].into); err != nil {
			return nil, t.errorf("%q: want %s: %s", name, keys[k].want, plain(err))
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

// plain returns the result of a decoder in words of JSON.
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
	from, what := "the largest in \"edges\"", ""
	l.order = least
	switch {
	case l.nodes != nil:
		l.order, from = int(*l.nodes), "\"nodes\""
	case l.labels != nil:
		l.order, from, what = len(l.labels), "\"labels\"", " labels"
	case l.attributes != nil:
		l.order, from, what = len(l.attributes), "\"attributes\"", " lists"
	}
	switch {
	case l.order < 0 || l.order > maxLineNodes:
		return t.errorf("%s: %d, want 0 to %d%s", from, l.order, maxLineNodes, what)
	case l.order < least:
		return t.errorf("%s: %d, want at least %d%s: an edge has node %d, and nodes count from 0", from, l.order, least, what, least-1)
	case l.labels != nil && len(l.labels) != l.order:
		return t.errorf("\"labels\": %d for %d nodes (by %s)", len(l.labels), l.order, from)
	case l.attributes != nil && len(l.attributes) != l.order:
		return t.errorf("\"attributes\": %d for %d nodes (by %s)", len(l.attributes), l.order, from)
	}
	for i, row := range l.attributes {
		switch {
		case len(row) == 0:
			return t.errorf("\"attributes\": node %d (from 0) has none, want at least 1", i)
		case len(row) != len(l.attributes[0]):
			return t.errorf("\"attributes\": node %d (from 0) has %d, want as many as node 0: %d", i, len(row), len(l.attributes[0]))
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

// add adds a value; problem explains why it cannot.
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
			return "is neither an integer of at most 18 digits nor a string"
		case v.texts != nil:
			return "is a number, others are strings"
		case v.ints == nil:
			v.ints = map[int]bool{}
		}
		v.ints[k] = true
		return ""
	}
	return "is neither an integer nor a string"
}

// values returns the integers, or the places of the texts and these, ascending.
func (v *vocabulary) values() (ints []int, texts []string) {
	ints, texts = slices.Sorted(maps.Keys(v.ints)), slices.Sorted(maps.Keys(v.texts))
	for k := range texts {
		ints = append(ints, k)
	}
	return ints, texts
}

// valueOf returns the integer of a value of a vocabulary with these texts; the value has been in
// it.
func valueOf(texts []string, x any) int {
	if text, ok := x.(string); ok {
		at, _ := slices.BinarySearch(texts, text)
		return at
	}
	n, _ := x.(json.Number)
	k, _ := integer([]byte(n))
	return k
}

// shown returns a value of JSON, within reason.
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
