package summary

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ogdl/internal/record"
	"ogdl/reports/table"
)

// The parameters that tables read by name.
const (
	ParamAlpha  = "alpha"
	ParamLambda = "lambda"
	ParamAtoms  = "atoms"

	ParamAtomsPerClass = "atoms_per_class"
	ParamClusters      = "clusters" // their number
)

// Value is a parameter's value: a number, or canonical text.
type Value struct {
	text   string // "" of a number
	Number float64
	IsNum  bool
}

// Text is the value as it is written.
func (v Value) Text() string {
	if v.IsNum {
		return table.Exact(v.Number)
	}
	return v.text
}

// valueOf brings equal values to one form, whether they come from memory (int)
// or out of a file (float64).
func valueOf(v any) Value {
	switch v := v.(type) {
	case int:
		return NumberValue(float64(v))
	case int64:
		return NumberValue(float64(v))
	case float64:
		return NumberValue(v)
	case json.Number:
		if f, err := v.Float64(); err == nil {
			return NumberValue(f)
		}
		return Value{text: v.String()}
	case string:
		return Value{text: v}
	}
	b, err := record.CanonicalJSON(v)
	if err != nil {
		return Value{text: fmt.Sprint(v)}
	}
	return Value{text: string(b)}
}

// NumberValue is a number as a parameter.
func NumberValue(f float64) Value { return Value{Number: f, IsNum: true} }

// CompareValues orders numbers by size, and before text.
func CompareValues(a, b Value) int {
	switch {
	case a.IsNum && b.IsNum:
		return cmp.Compare(a.Number, b.Number)
	case a.IsNum:
		return -1
	case b.IsNum:
		return 1
	}
	return cmp.Compare(a.text, b.text)
}

// CompareAny orders parameters as they were given as [CompareValues] does.
func CompareAny(a, b any) int { return CompareValues(valueOf(a), valueOf(b)) }

// Params are the parameters of a configuration as they were given: nobody may change them, and all cells of a
// configuration share them.
type Params map[string]any

// Get returns a parameter, and whether it is there.
func (p Params) Get(name string) (Value, bool) {
	v, ok := p[name]
	if !ok {
		return Value{}, false
	}
	return valueOf(v), true
}

// At returns a parameter, the zero Value if it is absent.
func (p Params) At(name string) Value {
	v, _ := p.Get(name)
	return v
}

// Names returns the sorted names of the parameters.
func (p Params) Names() []string { return slices.Sorted(maps.Keys(p)) }

// namesAs returns Names(), or others itself if it is equal, to save memory: most settings have the
// parameters of their neighbours.
func (p Params) namesAs(others []string) []string {
	if len(p) != len(others) || slices.ContainsFunc(others, func(k string) bool { _, there := p[k]; return !there }) {
		return p.Names()
	}
	return others
}

// Key is the same text for the same parameters, leaving some out.
func (p Params) Key(without ...string) string {
	return p.of(slices.DeleteFunc(p.Names(), func(k string) bool { return slices.Contains(without, k) }))
}

// CompareParams orders configurations by the values of their parameters in the
// order of their names; a parameter that is not there comes first.
func CompareParams(a, b Params) int { return compareNamed(a, b, a.Names(), b.Names()) }

// compareNamed is CompareParams with the sorted names of both.
func compareNamed(a, b Params, namesA, namesB []string) int {
	for i := 0; i < len(namesA) && i < len(namesB); i++ {
		switch c := cmp.Compare(namesA[i], namesB[i]); {
		case c < 0:
			return 1 // b lacks what a has
		case c > 0:
			return -1
		}
		if c := CompareAny(a[namesA[i]], b[namesB[i]]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(namesA), len(namesB))
}

// Varying lists the names of the parameters that tell configurations apart: those with several
// values. One that some have and others have not counts only where nothing else makes the
// difference; mostly another parameter decides whether it is there.
func Varying(all []Params) []string {
	first, several := Params{}, map[string]bool{}
	present := map[string]int{}
	for _, p := range all {
		for k, v := range p {
			present[k]++
			if w, there := first[k]; !there {
				first[k] = v
			} else if !several[k] && CompareAny(v, w) != 0 {
				several[k] = true
			}
		}
	}
	var names, partial []string
	for _, k := range first.Names() {
		switch {
		case several[k]:
			names = append(names, k)
		case present[k] < len(all):
			partial = append(partial, k)
		}
	}
	if len(partial) == 0 {
		return names
	}
	apart := func(names []string) int { return len(Groups(all, func(p Params) string { return p.of(names) })) }
	now, total := apart(names), apart(append(slices.Clone(names), partial...))
	for _, k := range partial {
		if now == total {
			break
		}
		more := append(slices.Clone(names), k)
		if n := apart(more); n > now {
			names, now = more, n
		}
	}
	slices.Sort(names)
	return names
}

// of is the same text for the same values of the given parameters.
func (p Params) of(names []string) string {
	var b []byte
	for _, k := range names {
		if v, ok := p.Get(k); ok {
			b = append(strconv.AppendQuote(b, k), '=')
			b = append(strconv.AppendBool(b, v.IsNum), ':')
			b = append(strconv.AppendQuote(b, v.Text()), ' ')
		}
	}
	return string(b)
}

// Describe names the given parameters: "alpha 0.995, lambda 0.01".
func (p Params) Describe(names []string) string {
	var parts []string
	for _, k := range names {
		if v, ok := p.Get(k); ok {
			parts = append(parts, k+" "+v.Text())
		}
	}
	return cmp.Or(strings.Join(parts, ", "), "the only one")
}

// Cells are the given parameters as they were given: 1e-06 stays exact. One that is not there is blank.
func (p Params) Cells(names []string) []table.Cell {
	cells := make([]table.Cell, len(names))
	for i, k := range names {
		if v, ok := p.Get(k); ok && v.IsNum {
			cells[i] = table.Num(v.Number, table.AsGiven)
		} else if ok {
			cells[i] = table.Txt(v.Text())
		}
	}
	return cells
}

// Settings names the parameters that are shown, and holds all for a column of [Settings].
func (p Params) Settings(shown, all []string) table.Cell {
	return table.List(p.Describe(shown), p.Cells(all)...)
}

// Settings is a column of the configurations of rows, which gives each parameter that any of them has a column in CSV.
func Settings(name string, rows []*Row) table.Column {
	names := map[string]bool{}
	for _, c := range Configs(rows) {
		for _, k := range c.Names {
			names[k] = true
		}
	}
	c := table.Column{Title: name, Params: slices.AppendSeq([]string{}, maps.Keys(names))}
	slices.Sort(c.Params)
	return c
}
