package grid

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ogdl/datasets"
	"ogdl/experiments/internal/spec"
)

// Filter keeps the cells for which every term holds:
//
//	filter = { term }                 separated by blanks, all must hold; blanks are allowed around op and ","
//	term   = key op value { "," value }
//	op     = "=" | "!=" | "<" | "<=" | ">" | ">="
//
// Keys are method, dataset, id, seed, repetition and every parameter. Several values of "=" are
// alternatives; "!=" excludes each of them. Texts may hold the wildcards * and ?; a value with
// blanks or commas is written in double quotes. Data sets have the paper's names and their files'
// names (IMDB-B, IMDB-BINARY). GDL with lambda > 0 is GDL_lambda too. Numbers compare as numbers. A
// cell without the parameter fails every term but "!=".
type Filter []clause

type clause struct {
	key, op string
	want    []string
}

// termPattern is the beginning of a term: a key and an operator.
var termPattern = regexp.MustCompile("^([^=!<>" + blanks + "]+)[" + blanks + "]*(!=|<=|>=|=|<|>)[" + blanks + "]*")

// blanks separate the words of a filter.
const blanks = " \t\n\r"

// ParseFilter parses a filter with the allowed keys. Errors begin with the filter's text; the
// caller puts the flag before them.
func ParseFilter(s string, allowed []string) (Filter, error) {
	var f Filter
	for rest := strings.TrimLeft(s, blanks); rest != ""; rest = strings.TrimLeft(rest, blanks) {
		m := termPattern.FindStringSubmatch(rest)
		if m == nil {
			return nil, fmt.Errorf("%q: at %q: expected key, one of = != < <= > >=, and a value, as in 'dataset=MUTAG method=GDL'", s, rest)
		}
		t := clause{key: m[1], op: m[2]}
		if !slices.Contains(allowed, t.key) {
			return nil, fmt.Errorf("%q: unknown key %q%s", s, t.key, spec.Expected(t.key, allowed))
		}
		var err error
		if t.want, rest, err = filterValues(rest[len(m[0]):]); err != nil {
			return nil, fmt.Errorf("%q: %s: %w", s, t.key, err)
		}
		if err := t.check(); err != nil {
			return nil, fmt.Errorf("%q: %s: %w", s, t.key, err)
		}
		f = append(f, t)
	}
	return f, nil
}

// check rejects values that the operator can do nothing with.
func (t *clause) check() error {
	for _, w := range t.want {
		if t.op == "=" || t.op == "!=" {
			if _, err := path.Match(w, ""); err != nil {
				return fmt.Errorf("%q is not a valid pattern", w)
			}
			continue
		}
		if _, err := strconv.ParseFloat(w, 64); err != nil {
			return fmt.Errorf("%q after %s must be a number", w, t.op)
		}
		if len(t.want) > 1 {
			return fmt.Errorf("%s takes one value", t.op)
		}
	}
	return nil
}

// filterValues reads value { "," value } and returns the values and the rest of the text.
func filterValues(s string) (vs []string, rest string, err error) {
	for {
		var v string
		if strings.HasPrefix(s, `"`) {
			quoted, err := strconv.QuotedPrefix(s)
			if err != nil {
				return nil, "", fmt.Errorf("a quotation mark without its end in %q", s)
			}
			v, err = strconv.Unquote(quoted)
			if err != nil {
				return nil, "", fmt.Errorf("%s is not a quoted text", quoted)
			}
			s = s[len(quoted):]
			if s != "" && !strings.ContainsAny(s[:1], ", \t\n\r") {
				return nil, "", fmt.Errorf("a blank or a comma must follow %s", quoted)
			}
		} else {
			end := strings.IndexAny(s, ", \t\n\r")
			if end < 0 {
				end = len(s)
			}
			v, s = s[:end], s[end:]
			if v == "" || strings.IndexAny(v, "=<>!") > 0 {
				return nil, "", fmt.Errorf("a value is missing (an empty text is written \"\")")
			}
		}
		vs = append(vs, v)
		next, more := strings.CutPrefix(strings.TrimLeft(s, blanks), ",")
		if !more {
			return vs, s, nil
		}
		s = strings.TrimLeft(next, blanks)
	}
}

// FilterKeys returns the keys that a filter may use with these methods.
func FilterKeys(ms []spec.Method) []string {
	keys := []string{"method", "dataset", "id", "seed", "repetition"}
	for _, m := range ms {
		keys = distinct(keys, m.Names()...)
	}
	return keys
}

// Matches reports whether every term holds for the cell.
func (f Filter) Matches(c *spec.Cell) bool {
	return !slices.ContainsFunc(f, func(t clause) bool { return !t.matches(c) })
}

// Pick returns the cells that the filter matches.
func (f Filter) Pick(cells []*spec.Cell) []*spec.Cell {
	return slices.DeleteFunc(slices.Clone(cells), func(x *spec.Cell) bool { return !f.Matches(x) })
}

func (t *clause) matches(c *spec.Cell) bool {
	got := field(c, t.key)
	if len(got) == 0 {
		return t.op == "!="
	}
	named := slices.ContainsFunc(got, func(g string) bool {
		return slices.ContainsFunc(t.want, func(w string) bool { return same(g, w) })
	})
	switch t.op {
	case "=":
		return named
	case "!=":
		return !named
	}
	x, err := strconv.ParseFloat(got[0], 64)
	if err != nil {
		return false
	}
	y, _ := strconv.ParseFloat(t.want[0], 64) // checked by [ParseFilter]
	switch t.op {
	case "<":
		return x < y
	case "<=":
		return x <= y
	case ">":
		return x > y
	}
	return x >= y
}

// Wide returns the filter without terms on repetition and id.
func (f Filter) Wide() Filter {
	return slices.DeleteFunc(slices.Clone(f), func(t clause) bool { return t.key == "repetition" || t.key == "id" })
}

// Idle returns a message for each value of "=" and "!=" that no cell has, with the nearest value
// that exists. It ignores ids and, if open is set, repetitions and seeds: re-runs may have them.
func (f Filter) Idle(cells []*spec.Cell, open bool) (out []string) {
	for _, t := range f {
		numbers := t.key == "repetition" || t.key == "seed"
		if t.op != "=" && t.op != "!=" || t.key == "id" || open && numbers {
			continue
		}
		for _, w := range t.want {
			have := func(k string) bool { return same(k, w) }
			if slices.ContainsFunc(cells, func(x *spec.Cell) bool { return slices.ContainsFunc(field(x, t.key), have) }) {
				continue
			}
			var known []string
			for _, x := range cells {
				known = distinct(known, field(x, t.key)...)
			}
			hint := spec.DidYouMean(w, known)
			if numbers {
				hint = ", only " + strings.Join(known, ", ")
			}
			out = append(out, fmt.Sprintf("no cell has %s %s%s", t.key, w, hint))
		}
	}
	return out
}

// same compares as numbers where both are, else as a pattern.
func same(got, want string) bool {
	if got == want {
		return true
	}
	if x, err := strconv.ParseFloat(got, 64); err == nil {
		if y, err := strconv.ParseFloat(want, 64); err == nil {
			return x == y
		}
	}
	ok, err := path.Match(want, got)
	return err == nil && ok
}

// field returns a property of the cell as text, with the other names it goes by: a method's row of
// the paper's tables, a data set's files. None: the cell has no such property.
func field(c *spec.Cell, key string) []string {
	switch key {
	case "method":
		if c.Params.Number("lambda") > 0 {
			return []string{c.Method.Name, c.Method.Name + "_lambda"}
		}
		return []string{c.Method.Name}
	case "dataset":
		if tu := datasets.TUName(c.Dataset); c.Own == nil && tu != c.Dataset {
			return []string{c.Dataset, tu}
		}
		return []string{c.Dataset}
	case "id":
		return []string{c.ID}
	case "seed":
		return []string{strconv.FormatInt(c.Seed, 10)}
	case "repetition":
		return []string{strconv.Itoa(c.Repetition)}
	}
	v, ok := c.Params[key]
	if !ok {
		return nil
	}
	if s, isText := v.(string); isText {
		return []string{s}
	}
	return []string{spec.Show(v)}
}
