package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// kind is the type of a parameter's values.
type kind int

const (
	number  kind = iota // float64
	integer             // int64
	text                // string
	flagged             // bool
)

// param describes one parameter of a method: what a configuration may write for
// it, and what holds when it writes nothing.
type param struct {
	name string
	doc  string
	kind kind
	// def is the value when the key is absent; nil leaves the parameter unset.
	def any
	// min and max bound numbers and integers, both inclusive unless open excludes
	// min.
	min, max float64
	open     bool
	// words are the texts allowed: all of them for a text parameter, the symbolic
	// values beside the numbers ("median") for the others. A word that ends in ":K" stands for
	// those with a whole number from 0 on in the place of K.
	words []string
	// names says that a value is a list of different words, the first of words first: such a list is
	// one value of an axis. It stands as one text, the names in the order of words between "+".
	names bool
	// applies says whether the parameter has a meaning beside these values, and
	// names the condition; nil means always. Where it does not apply, writing it is
	// an error and the cell's identity leaves it out.
	applies   func(v values) bool
	condition string
}

// choice is a parameter that takes one of these words, the first unless it is given.
func choice[T ~string](name, doc string, words ...T) param {
	p := param{name: name, kind: text, def: string(words[0]), doc: doc}
	for _, w := range words {
		p.words = append(p.words, string(w))
	}
	return p
}

// values maps parameter names to float64, int64, string or bool.
type values map[string]any

func (v values) has(name string) bool       { _, ok := v[name]; return ok }
func (v values) number(name string) float64 { f, _ := v[name].(float64); return f }
func (v values) integer(name string) int    { i, _ := v[name].(int64); return int(i) }
func (v values) text(name string) string    { s, _ := v[name].(string); return s }
func (v values) flag(name string) bool      { b, _ := v[name].(bool); return b }

// allowed says in words what the parameter accepts, for error messages.
func (p *param) allowed() string {
	var parts []string
	if p.names {
		return fmt.Sprintf("a list of names that begins with %q, then any of %s, each once", p.words[0], quoted(p.words[1:]))
	}
	switch p.kind {
	case number, integer:
		what := "a number"
		if p.kind == integer {
			what = "an integer"
		}
		bound := ">= "
		if p.open {
			bound = "> "
		}
		text := func(f float64) string {
			if p.kind == integer {
				return strconv.FormatFloat(f, 'f', -1, 64)
			}
			return short(f)
		}
		switch {
		case math.IsInf(p.max, 1):
			what += " " + bound + text(p.min)
		case p.open:
			what += " above " + text(p.min) + ", at most " + text(p.max)
		default:
			what += " from " + text(p.min) + " to " + text(p.max)
		}
		parts = append(parts, what)
	case flagged:
		return "true or false"
	}
	count := ""
	for _, w := range p.words {
		parts = append(parts, strconv.Quote(w))
		if strings.HasSuffix(w, ":K") {
			count = ", K an integer from 0 on"
		}
	}
	if len(parts) == 1 {
		return parts[0] + count
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " or " + parts[len(parts)-1] + count
}

// parse turns a decoded TOML value into the parameter's own type; ok is false
// when the type or the value is not allowed.
func (p *param) parse(raw any) (v any, ok bool) {
	if p.names {
		return p.parseNames(raw)
	}
	if s, isText := raw.(string); isText {
		if p.kind == flagged || !p.isWord(s) {
			return nil, false
		}
		return s, true
	}
	switch p.kind {
	case number:
		var f float64
		switch x := raw.(type) {
		case float64:
			f = x
		case int64:
			f = float64(x)
		default:
			return nil, false
		}
		if f == 0 {
			f = 0 // -0 and 0 are one value
		}
		return f, p.within(f)
	case integer:
		i, isInt := raw.(int64)
		return i, isInt && p.within(float64(i))
	case flagged:
		b, isBool := raw.(bool)
		return b, isBool
	}
	return nil, false
}

// restored gives a value its own type back, which JSON does not keep.
func (p *param) restored(x any) any {
	if f, isNumber := x.(float64); isNumber && p.kind == integer && f == float64(int64(f)) {
		return int64(f)
	}
	return x
}

// parseNames is parse for a list of names, or the text that stands for one.
func (p *param) parseNames(raw any) (v any, ok bool) {
	given := namesIn(raw)
	var out []string
	for _, w := range p.words {
		if slices.Contains(given, w) {
			out = append(out, w)
		}
	}
	if len(out) == 0 || len(out) != len(given) || given[0] != p.words[0] {
		return nil, false
	}
	return strings.Join(out, "+"), true
}

// namesIn are the names of a list, or of the text that stands for one; what is no name is "".
func namesIn(raw any) (names []string) {
	list, isList := raw.([]any)
	if !isList {
		s, _ := raw.(string)
		return strings.Split(s, "+")
	}
	for _, e := range list {
		s, _ := e.(string)
		names = append(names, s)
	}
	return names
}

// axis makes a list of names a single value of a list.
func (p *param) axis(raw any) any {
	list, isList := raw.([]any)
	inner := func(e any) bool { _, isList := e.([]any); return isList }
	if !p.names || !isList || len(list) == 0 || slices.ContainsFunc(list, inner) {
		return raw
	}
	return []any{raw}
}

// suggest is didYouMean for the first text of a value that is none of the parameter's words.
func (p *param) suggest(raw any) string {
	texts := []string{fmt.Sprint(raw)}
	if p.names {
		texts = namesIn(raw)
	}
	for _, s := range texts {
		if !p.isWord(s) {
			return didYouMean(s, p.words)
		}
	}
	return ""
}

// show renders a value of the parameter as a configuration has it.
func (p *param) show(v any) string {
	s, isText := v.(string)
	if !p.names || !isText {
		return show(v)
	}
	var list []any
	for _, name := range namesIn(s) {
		list = append(list, name)
	}
	return show(list)
}

// isWord tells whether a text is one of the parameter's words.
func (p *param) isWord(s string) bool {
	if strings.HasSuffix(s, ":K") {
		return false
	}
	if before, digits, ok := strings.Cut(s, ":"); ok {
		if k, err := strconv.ParseUint(digits, 10, 16); err == nil && strconv.FormatUint(k, 10) == digits {
			s = before + ":K"
		}
	}
	return slices.Contains(p.words, s)
}

// within reports whether f is finite and inside the parameter's range.
func (p *param) within(f float64) bool {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return false
	}
	return f <= p.max && (f > p.min || (!p.open && f == p.min))
}

// show renders a decoded TOML value as its author would recognise it.
func show(raw any) string {
	switch x := raw.(type) {
	case string:
		return strconv.Quote(x)
	case float64:
		return short(x)
	case time.Time:
		return "a date"
	case map[string]any, []map[string]any:
		return "a table"
	case []any:
		items := make([]string, 0, len(x))
		for i, e := range x {
			if i == 8 {
				items = append(items, "...")
				break
			}
			items = append(items, show(e))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return fmt.Sprint(raw)
}

// short is the shortest text that reads back as f.
func short(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
