package reports

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ogdl/internal/record"
)

// The parameters that tables read by name.
const (
	paramAlpha  = "alpha"
	paramLambda = "lambda"
	paramAtoms  = "atoms"

	paramClusters      = "clusters"
	paramAtomsPerClass = "atoms_per_class"
)

// value is a parameter's value: a number, or canonical text.
type value struct {
	text   string
	number float64
	isNum  bool
}

// valueOf brings equal values to one form, whether they come from memory (int)
// or out of a file (float64).
func valueOf(v any) value {
	switch v := v.(type) {
	case int:
		return numberValue(float64(v))
	case int64:
		return numberValue(float64(v))
	case float64:
		return numberValue(v)
	case json.Number:
		if f, err := v.Float64(); err == nil {
			return numberValue(f)
		}
		return value{text: v.String()}
	case string:
		return value{text: v}
	}
	b, err := record.CanonicalJSON(v)
	if err != nil {
		return value{text: fmt.Sprint(v)}
	}
	return value{text: string(b)}
}

func numberValue(f float64) value {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return value{text: strconv.FormatFloat(f, 'f', 0, 64), number: f, isNum: true}
	}
	return value{text: exact(f), number: f, isNum: true}
}

// compareValues orders numbers by size, and before text.
func compareValues(a, b value) int {
	switch {
	case a.isNum && b.isNum:
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.text, b.text))
	case a.isNum:
		return -1
	case b.isNum:
		return 1
	}
	return cmp.Compare(a.text, b.text)
}

// compareAny is compareValues(valueOf(a), valueOf(b)), without writing out what need not be: of two configurations
// most parameters are equal.
func compareAny(a, b any) int {
	switch x := a.(type) {
	case float64:
		if y, ok := b.(float64); ok && (x < y || x > y) {
			return cmp.Compare(x, y)
		} else if ok && math.Float64bits(x) == math.Float64bits(y) {
			return 0
		}
	case int64:
		if y, ok := b.(int64); ok && x == y {
			return 0
		}
	case string:
		if y, ok := b.(string); ok {
			return cmp.Compare(x, y)
		}
	}
	return compareValues(valueOf(a), valueOf(b))
}

// params are the parameters of a configuration as they were given: nobody may change them, and all cells of a
// configuration share them.
type params map[string]any

// get returns a parameter, and whether it is there.
func (p params) get(name string) (value, bool) {
	v, ok := p[name]
	if !ok {
		return value{}, false
	}
	return valueOf(v), true
}

// at is get for who needs no answer: of a parameter that is not there the zero value.
func (p params) at(name string) value {
	v, _ := p.get(name)
	return v
}

// names are sorted, and leave out what numbers the repetitions.
func (p params) names() []string {
	names := make([]string, 0, len(p))
	for k := range p {
		switch k {
		case "seed", "base_seed", "repetition", "repetitions":
		default:
			names = append(names, k)
		}
	}
	slices.Sort(names)
	return names
}

// namesAs is names, and others itself where that is equal: most configurations have the parameters of their neighbours.
func (p params) namesAs(others []string) []string {
	if len(p) != len(others) || slices.ContainsFunc(others, func(k string) bool { _, there := p[k]; return !there }) {
		return p.names()
	}
	return others
}

// key is the same text for the same parameters, leaving some out.
func (p params) key(without ...string) string {
	var b []byte
	for _, k := range p.names() {
		if slices.Contains(without, k) {
			continue
		}
		v := p.at(k)
		b = append(strconv.AppendQuote(b, k), '=')
		b = append(strconv.AppendBool(b, v.isNum), ':')
		b = append(strconv.AppendQuote(b, v.text), ' ')
	}
	return string(b)
}

// compareParams orders configurations by the values of their parameters in the
// order of their names; a parameter that is not there comes first.
func compareParams(a, b params) int { return compareNamed(a, b, a.names(), b.names()) }

// compareNamed is compareParams for who has the sorted names of both at hand.
func compareNamed(a, b params, namesA, namesB []string) int {
	for i := 0; i < len(namesA) && i < len(namesB); i++ {
		switch c := cmp.Compare(namesA[i], namesB[i]); {
		case c < 0:
			return 1 // b lacks what a has
		case c > 0:
			return -1
		}
		if c := compareAny(a[namesA[i]], b[namesB[i]]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(namesA), len(namesB))
}

// varying lists the names of the parameters that tell configurations apart: those
// with several values. One that some have and others have not counts only where
// nothing else makes the difference; mostly another parameter decides whether it
// is there.
func varying(all []params) []string {
	first, several := params{}, map[string]bool{}
	present := map[string]int{}
	for _, p := range all {
		for k, v := range p {
			present[k]++
			if w, there := first[k]; !there {
				first[k] = v
			} else if !several[k] && compareAny(v, w) != 0 {
				several[k] = true
			}
		}
	}
	var names, partial []string
	for _, k := range first.names() {
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
	apart := func(names []string) int {
		keys := map[string]bool{}
		for _, p := range all {
			keys[p.of(names)] = true
		}
		return len(keys)
	}
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
func (p params) of(names []string) string {
	var b strings.Builder
	for _, k := range names {
		if v, ok := p.get(k); ok {
			fmt.Fprintf(&b, "%t:%q", v.isNum, v.text)
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// describe names the given parameters: "alpha 0.995, lambda 0.01".
func (p params) describe(names []string) string {
	var parts []string
	for _, k := range names {
		if v, ok := p.get(k); ok {
			parts = append(parts, k+" "+v.text)
		}
	}
	if len(parts) == 0 {
		return "the only one"
	}
	return strings.Join(parts, ", ")
}
