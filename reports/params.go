package reports

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
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

// params are the parameters of a configuration: all but the ones that number
// its repetitions.
type params map[string]value

func paramsOf(m map[string]any) params {
	p := make(params, len(m))
	for k, v := range m {
		switch k {
		case "seed", "base_seed", "repetition", "repetitions":
		default:
			p[k] = valueOf(v)
		}
	}
	return p
}

func (p params) names() []string {
	names := make([]string, 0, len(p))
	for k := range p {
		names = append(names, k)
	}
	slices.Sort(names)
	return names
}

// key is the same text for the same parameters, leaving some out.
func (p params) key(without ...string) string {
	var b []byte
	for _, k := range p.names() {
		if slices.Contains(without, k) {
			continue
		}
		b = append(strconv.AppendQuote(b, k), '=')
		b = append(strconv.AppendBool(b, p[k].isNum), ':')
		b = append(strconv.AppendQuote(b, p[k].text), ' ')
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
		if c := compareValues(a[namesA[i]], b[namesB[i]]); c != 0 {
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
	values := map[string]map[value]bool{}
	present := map[string]int{}
	for _, p := range all {
		for k, v := range p {
			if values[k] == nil {
				values[k] = map[value]bool{}
			}
			values[k][v] = true
			present[k]++
		}
	}
	var names, partial []string
	for _, k := range slices.Sorted(maps.Keys(values)) {
		switch {
		case len(values[k]) > 1:
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
		if v, ok := p[k]; ok {
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
		if v, ok := p[k]; ok {
			parts = append(parts, k+" "+v.text)
		}
	}
	if len(parts) == 0 {
		return "the only one"
	}
	return strings.Join(parts, ", ")
}
