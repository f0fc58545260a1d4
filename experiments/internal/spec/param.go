package spec

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kind is the type of a parameter's values.
type Kind int

const (
	Number  Kind = iota // float64
	Integer             // int64
	Text                // string
	Boolean             // bool
)

// Param describes one parameter of a method: its allowed values and its default.
type Param struct {
	Name string
	Doc  string
	Kind Kind
	// Def is the value when the key is absent; nil leaves the parameter unset.
	Def any
	// Min and Max bound numbers and integers, both inclusive unless Open excludes Min.
	Min, Max float64
	Open     bool
	// Words are the allowed texts: all values of a text parameter, or the symbolic values
	// ("median") of a parameter of numbers. In a word that ends in ":K", K is any whole number from
	// 0 on.
	Words []string
	// Names marks a parameter whose value is a list of distinct words that begins with Words[0].
	// The list is stored as one text, in the order of Words, joined by "+".
	Names bool
	// Numbers is set if a value is a list of different numbers from Min to Max. Such a list is one
	// value of an axis, written as one text: the numbers ascending, separated by spaces.
	Numbers bool
	// Applies reports whether the parameter is used with these values; nil means always. Condition
	// names the condition in messages. Where it does not apply, writing it is an error and the
	// cell's identity leaves it out.
	Applies   func(v Values) bool
	Condition string
}

// Choice is a parameter that takes one of these words, the first unless it is given.
func Choice[T ~string](name, doc string, words ...T) Param {
	return Param{Name: name, Kind: Text, Def: string(words[0]), Doc: doc, Words: Texts(words, func(w T) string { return string(w) })}
}

// Int is a parameter of integers from low to high, or one of these words; def is an int, a word or nil for none.
func Int(name, doc string, def any, low, high float64, words ...string) Param {
	if i, isInt := def.(int); isInt {
		def = int64(i)
	}
	return Param{Name: name, Doc: doc, Kind: Integer, Def: def, Min: low, Max: high, Words: words}
}

// Num is a parameter of numbers from low to high, or one of these words; def is a number, a word or nil for none.
func Num(name, doc string, def any, low, high float64, words ...string) Param {
	if i, isInt := def.(int); isInt {
		def = float64(i)
	}
	return Param{Name: name, Doc: doc, Kind: Number, Def: def, Min: low, Max: high, Words: words}
}

// Numbers is a parameter of lists of numbers from low (low itself only if it is not 0) to high, these unless it is given.
func Numbers(name, doc string, low, high float64, def ...float64) Param {
	return Param{Name: name, Kind: Text, Def: NumbersText(def), Min: low, Max: high, Open: low == 0, Numbers: true, Doc: doc}
}

// Above is Num without low itself.
func Above(name, doc string, def any, low, high float64, words ...string) Param {
	p := Num(name, doc, def, low, high, words...)
	p.Open = true
	return p
}

// Values maps parameter names to float64, int64, string or bool.
type Values map[string]any

// Has reports whether a parameter has a value.
func (v Values) Has(name string) bool { _, ok := v[name]; return ok }

// Number returns a number, 0 if the parameter is absent or not a number.
func (v Values) Number(name string) float64 { f, _ := v[name].(float64); return f }

// Integer returns an integer, 0 if the parameter is absent or not an integer.
func (v Values) Integer(name string) int { i, _ := v[name].(int64); return int(i) }

// Text returns a text, "" if the parameter is absent or not a text.
func (v Values) Text(name string) string { s, _ := v[name].(string); return s }

// Flag returns a boolean, false if the parameter is absent or not a boolean.
func (v Values) Flag(name string) bool { b, _ := v[name].(bool); return b }

// List returns the numbers of a list.
func (v Values) List(name string) []float64 {
	var out []float64
	for _, s := range strings.Fields(v.Text(name)) {
		x, _ := strconv.ParseFloat(s, 64) // written by NumbersText
		out = append(out, x)
	}
	return out
}

// NumbersText returns the text of a list of numbers.
func NumbersText(list []float64) string { return strings.Join(Texts(list, Short), " ") }

// Allowed describes the allowed values in words, for error messages.
func (p *Param) Allowed() string {
	var parts []string
	if p.Names {
		return fmt.Sprintf("a list of names that begins with %q, then any of %s, each once", p.Words[0], Quoted(p.Words[1:]))
	}
	if p.Numbers {
		one := *p
		one.Kind, one.Numbers = Number, false
		return "a list of different numbers, each " + one.Allowed()
	}
	switch p.Kind {
	case Number, Integer:
		what := "a number"
		if p.Kind == Integer {
			what = "an integer"
		}
		bound := ">= "
		if p.Open {
			bound = "> "
		}
		text := func(f float64) string {
			if p.Kind == Integer {
				return strconv.FormatFloat(f, 'f', -1, 64)
			}
			return Short(f)
		}
		switch {
		case math.IsInf(p.Max, 1):
			what += " " + bound + text(p.Min)
		case p.Open:
			what += " above " + text(p.Min) + ", at most " + text(p.Max)
		default:
			what += " from " + text(p.Min) + " to " + text(p.Max)
		}
		parts = append(parts, what)
	case Boolean:
		return "true or false"
	}
	count := ""
	for _, w := range p.Words {
		parts = append(parts, strconv.Quote(w))
		if strings.HasSuffix(w, ":K") {
			count = ", K an integer from 0 on"
		}
	}
	return anyOf(parts) + count
}

// Parse turns a decoded TOML value into the parameter's own type; ok is false
// when the type or the value is not allowed.
func (p *Param) Parse(raw any) (v any, ok bool) {
	if p.Names {
		return p.parseNames(raw)
	}
	if p.Numbers {
		return p.parseNumbers(raw)
	}
	if s, isText := raw.(string); isText {
		if p.Kind == Boolean || !p.isWord(s) {
			return nil, false
		}
		return s, true
	}
	switch p.Kind {
	case Number:
		f, isNumber := raw.(float64)
		if i, isInt := raw.(int64); isInt {
			f, isNumber = float64(i), true
		}
		return f + 0, isNumber && p.within(f) // -0 and 0 are one value
	case Integer:
		i, isInt := raw.(int64)
		return i, isInt && p.within(float64(i))
	case Boolean:
		b, isBool := raw.(bool)
		return b, isBool
	}
	return nil, false
}

// Restored gives a value its own type back, which JSON does not keep.
func (p *Param) Restored(x any) any {
	if f, isNumber := x.(float64); isNumber && p.Kind == Integer && f == float64(int64(f)) {
		return int64(f)
	}
	return x
}

// parseNames is [Param.Parse] for a list of names, or for its text.
func (p *Param) parseNames(raw any) (v any, ok bool) {
	given := NamesIn(raw)
	var out []string
	for _, w := range p.Words {
		if slices.Contains(given, w) {
			out = append(out, w)
		}
	}
	if len(out) == 0 || len(out) != len(given) || given[0] != p.Words[0] {
		return nil, false
	}
	return strings.Join(out, "+"), true
}

// parseNumbers is Parse for a list of numbers, one number, or the text of a list.
func (p *Param) parseNumbers(raw any) (v any, ok bool) {
	items, isList := raw.([]any)
	if s, isText := raw.(string); isText {
		for _, f := range strings.Fields(s) {
			x, err := strconv.ParseFloat(f, 64)
			if err != nil {
				return nil, false
			}
			items = append(items, x)
		}
	} else if !isList {
		items = []any{raw}
	}
	one := Param{Kind: Number, Min: p.Min, Max: p.Max, Open: p.Open}
	var list []float64
	for _, e := range items {
		x, ok := one.Parse(e)
		if !ok || slices.Contains(list, x.(float64)) {
			return nil, false
		}
		list = append(list, x.(float64))
	}
	slices.Sort(list)
	return NumbersText(list), len(list) > 0
}

// NamesIn returns the names of a list, or of its text; "" for an item that is not a name.
func NamesIn(raw any) (names []string) {
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

// Axis wraps a list that is one value (Names, Numbers) into a list of one value.
func (p *Param) Axis(raw any) any {
	list, isList := raw.([]any)
	inner := func(e any) bool { _, isList := e.([]any); return isList }
	if !p.Names && !p.Numbers || !isList || len(list) == 0 || slices.ContainsFunc(list, inner) {
		return raw
	}
	return []any{raw}
}

// Suggest returns [DidYouMean] for the first text of a value that is none of the parameter's words.
func (p *Param) Suggest(raw any) string {
	texts := []string{fmt.Sprint(raw)}
	if p.Names {
		texts = NamesIn(raw)
	}
	for _, s := range texts {
		if !p.isWord(s) {
			return DidYouMean(s, p.Words)
		}
	}
	return ""
}

// Show renders a value of the parameter as a configuration has it.
func (p *Param) Show(v any) string {
	s, isText := v.(string)
	switch {
	case p.Numbers && isText:
		return "[" + strings.ReplaceAll(s, " ", ", ") + "]"
	case p.Names && isText:
		return `["` + strings.ReplaceAll(s, "+", `", "`) + `"]`
	}
	return Show(v)
}

// isWord reports whether a text is one of the parameter's words.
func (p *Param) isWord(s string) bool {
	if strings.HasSuffix(s, ":K") {
		return false
	}
	if before, digits, ok := strings.Cut(s, ":"); ok {
		if k, err := strconv.ParseUint(digits, 10, 16); err == nil && strconv.FormatUint(k, 10) == digits {
			s = before + ":K"
		}
	}
	return slices.Contains(p.Words, s)
}

// within reports whether f is finite and inside the parameter's range.
func (p *Param) within(f float64) bool {
	return math.Abs(f) <= math.MaxFloat64 && f <= p.Max && (f > p.Min || !p.Open && f == p.Min)
}

// Show renders a decoded TOML value as its author would recognise it.
func Show(raw any) string {
	switch x := raw.(type) {
	case string:
		return strconv.Quote(x)
	case float64:
		return Short(x)
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
			items = append(items, Show(e))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return fmt.Sprint(raw)
}

// Short is the shortest text that reads back as f.
func Short(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
