package grid

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ogdl/datasets"
	"ogdl/experiments/internal/spec"
	"ogdl/reports/summary"
)

// blockKeys are the keys of a [[grid]] block that are not parameters.
var blockKeys = []string{"dataset", "path", "method", keyRepetitions, keyRace}

// grids checks every [[grid]] block and that the whole stays in bounds.
func (p *parser) grids(doc map[string]any, c *Config) {
	tables, value, want := tablesOf(doc)
	if want != "" {
		p.fail(-1, "grid", value, want)
		return
	}
	total := 0
	for i, t := range tables {
		b, ok := p.block(i, t, c.Table)
		if !ok {
			continue
		}
		race := p.race(i, t, c)
		size := b.size()
		if !b.method.Once {
			size *= c.repetitions(&b) * max(1, len(c.Seeds))
		}
		total = min(total+size, 2*maxCells)
		if total > maxCells {
			p.errs = append(p.errs, &Error{File: p.file, Line: p.line(i, ""), Key: "grid",
				Want: fmt.Sprintf("more than %d cells with this block; split the configuration", maxCells)})
			return
		}
		b.settings = p.settings(i, &b, c, race)
		c.blocks = append(c.blocks, b)
	}
}

// tablesOf returns the [[grid]] blocks of a document. If grid has another type, value is its text
// and want describes the expected type.
func tablesOf(doc map[string]any) (tables []map[string]any, value, want string) {
	switch x := doc["grid"].(type) {
	case nil:
		return nil, "", "missing; write at least one [[grid]] block with dataset and method"
	case []map[string]any:
		tables = x
	case []any:
		for _, e := range x {
			t, isTable := e.(map[string]any)
			if !isTable {
				return tables, spec.Show(e), "must be a table: write [[grid]] blocks"
			}
			tables = append(tables, t)
		}
	case map[string]any:
		return nil, "", "is a single table; write [[grid]] with two brackets"
	default:
		return nil, spec.Show(x), "must be a list of tables: write [[grid]] blocks"
	}
	if len(tables) == 0 {
		return nil, "[]", "an empty list; write at least one [[grid]] block"
	}
	return tables, "", ""
}

// block checks one [[grid]] block key by key.
func (p *parser) block(grid int, t map[string]any, table string) (block, bool) {
	before := len(p.errs)
	b := block{}
	name, isText := t["method"].(string)
	at := slices.IndexFunc(p.methods, func(m spec.Method) bool { return m.Name == name })
	var fitting []string
	for _, m := range p.methods {
		if slices.Contains(m.Tables, table) {
			fitting = append(fitting, m.Name)
		}
	}
	switch {
	case t["method"] == nil:
		p.fail(grid, "method", "", "missing; allowed: "+spec.Quoted(fitting))
		for _, key := range slices.Sorted(maps.Keys(t)) { // it may be misspelt
			if !p.isParameter(key) {
				p.fail(grid, key, spec.Show(t[key]), "unknown key"+spec.DidYouMean(key, blockKeys))
			}
		}
		return b, false
	case !isText || at < 0:
		p.fail(grid, "method", spec.Show(t["method"]),
			"must be one name, "+spec.Quoted(fitting)+"; write one block per method"+spec.DidYouMean(name, fitting))
		return b, false
	case len(fitting) > 0 && !slices.Contains(p.methods[at].Tables, table):
		p.fail(grid, "method", spec.Show(t["method"]),
			fmt.Sprintf("fills the table %s, not %q; allowed here: %s", spec.Quoted(p.methods[at].Tables), table, spec.Quoted(fitting)))
		return b, false
	}
	b.method = &p.methods[at]
	b.repetitions = p.repetitions(grid, t, b.method)
	for _, key := range slices.Sorted(maps.Keys(t)) {
		if slices.Contains(blockKeys, key) {
			continue
		}
		q := b.method.Parameter(key)
		if q == nil {
			names := slices.Concat(blockKeys, b.method.Names())
			p.fail(grid, key, spec.Show(t[key]), "unknown key for method "+name+spec.Expected(key, names))
			continue
		}
		if values := p.list(grid, key, q.Axis(t[key]), q.Parse, "must be "+q.Allowed(), q.Suggest); values != nil {
			b.axes = append(b.axes, axis{key, values})
		}
	}
	if data := p.datasets(grid, t, b.method); data != nil {
		b.axes = append([]axis{{spec.DatasetKey, data}}, b.axes...)
	}
	return b, len(p.errs) == before
}

// repetitions checks the key of that name, at the top or in a block of a method; 0 where it is not given.
func (p *parser) repetitions(grid int, t map[string]any, m *spec.Method) int {
	raw, ok := t[keyRepetitions]
	i, isInt := raw.(int64)
	switch {
	case !ok:
	case m != nil && m.Once:
		p.fail(grid, keyRepetitions, spec.Show(raw), m.Name+" has no random draws: omit repetitions")
	case !isInt || i < 1 || i > maxRepetitions:
		p.fail(grid, keyRepetitions, spec.Show(raw), fmt.Sprintf("must be an integer from 1 to %d", maxRepetitions))
	default:
		return int(i)
	}
	return 0
}

// race returns the key race of a block or of the top; without it a block takes the top's.
func (p *parser) race(grid int, t map[string]any, c *Config) bool {
	race, isBool := c.Race, true
	if raw, ok := t[keyRace]; ok {
		race, isBool = raw.(bool)
	}
	switch {
	case !isBool:
		p.fail(grid, keyRace, spec.Show(t[keyRace]), "must be true or false")
	case race && !summary.IsClustering(c.Table):
		p.fail(grid, keyRace, "true", "needs a clustering table: nothing is selected for "+strconv.Quote(c.Table))
	}
	return race
}

// list parses a value or a list of values and rejects duplicates. suggest, which may be nil,
// completes the error for a value that is not allowed.
func (p *parser) list(grid int, key string, raw any, parse func(any) (any, bool), want string, suggest func(any) string) []any {
	items, bad := AsList(raw)
	if bad != "" {
		p.fail(grid, key, spec.Show(raw), bad)
		return nil
	}
	if len(items) > maxCells {
		p.fail(grid, key, "", fmt.Sprintf("a list of %d values; at most %d", len(items), maxCells))
		return nil
	}
	seen := map[any]bool{}
	var out []any
	for _, e := range items {
		v, ok := parse(e)
		switch {
		case !ok:
			if suggest != nil {
				want += suggest(e)
			}
			if x, isFloat := e.(float64); isFloat && x == math.Trunc(x) && strings.HasPrefix(want, "must be an integer") {
				want += ", written without a point or an exponent"
			}
			p.fail(grid, key, spec.Show(e), want)
			return nil
		case seen[v]:
			p.fail(grid, key, spec.Show(e), "listed twice; each value once")
			return nil
		}
		seen[v] = true
		out = append(out, v)
	}
	return out
}

// datasets checks the keys dataset and path.
func (p *parser) datasets(grid int, t map[string]any, m *spec.Method) []any {
	var out []any
	if raw, ok := t["dataset"]; ok {
		known := m.Datasets()
		out = p.list(grid, "dataset", raw, func(e any) (any, bool) {
			s, _ := e.(string)
			s = datasets.PaperName(s)
			return s, slices.Contains(known, s)
		}, "unknown data set; allowed: "+strings.Join(known, ", ")+`; graphs of your own go under path = "FILE or DIR", without dataset`, func(e any) string {
			s, _ := e.(string)
			return spec.DidYouMean(s, known)
		})
		if out == nil {
			return nil
		}
	}
	if raw, ok := t["path"]; ok {
		own := p.list(grid, "path", raw, func(e any) (any, bool) {
			s, _ := e.(string)
			dir := filepath.Clean(s)
			base := filepath.Base(dir)
			if s == "" || !configName.MatchString(base) {
				return nil, false
			}
			return pathPrefix + dir, true
		}, `must be a folder of TU text files, or a file of JSON Lines, whose last part names the data set (letters, digits, ".", "_", "-")`, nil)
		if own == nil {
			return nil
		}
		out = append(out, own...)
	}
	if out == nil {
		p.fail(grid, "dataset", "", "missing; allowed: "+strings.Join(m.Datasets(), ", ")+`, or path = "DIR"`)
	}
	return out
}

// pathPrefix marks users' own folders among the values of the dataset axis.
const pathPrefix = "path:"

// settings completes every combination of a block, the first axis slowest, checks the rules between its keys and reports
// the first breach of each kind. It adds users' folders to the configuration.
func (p *parser) settings(grid int, b *block, c *Config, race bool) (out []spec.Cell) {
	seen := map[string]bool{}
	var v spec.Values
	var unused []spec.Param
	given := spec.Values{}
	report := func(key, value, want string) {
		if want != "" && !seen[key+want] {
			seen[key+want] = true
			p.fail(grid, key, value, want)
		}
	}
	check := func(key, want string) { report(key, ShowIn(v, key), want) }
	for n := range b.size() {
		for _, a := range slices.Backward(b.axes) {
			given[a.key] = a.values[n%len(a.values)]
			n /= len(a.values)
		}
		v, unused = b.method.Complete(given)
		for _, q := range unused {
			report(q.Name, spec.Show(given[q.Name]), "needs "+q.Condition)
		}
		if len(unused) > 0 {
			continue
		}
		check(spec.CheckData(v))
		if s, known := spec.KnownSize(v); known && b.method.Input != spec.InputStream {
			check(b.method.CheckCounts(v, spec.Counts{Graphs: s.Graphs, Classes: s.Classes}))
		}
		if b.method.Protocol.Check != nil {
			check(b.method.Protocol.Check(c.Table, v))
		}
		if b.method.Check != nil {
			check(b.method.Check(v))
		}
		x := spec.Cell{Method: b.method, Dataset: v.Text(spec.DatasetKey), Race: race}
		if path, isOwn := strings.CutPrefix(x.Dataset, pathPrefix); isOwn {
			x.Own = c.folder(path, v.Text(spec.EdgeWeightsKey))
			x.Own.Loaded = x.Own.Loaded || b.method.Input != spec.InputStream
			x.Dataset = x.Own.Name
		}
		delete(v, spec.DatasetKey)
		x.Params = make(spec.Values, len(v)) // no larger than it need be: there are many
		maps.Copy(x.Params, v)
		out = append(out, x)
	}
	return out
}

// ShowIn returns a parameter as [spec.Show] writes it, "" if it is absent.
func ShowIn(v spec.Values, key string) string {
	if raw, ok := v[key]; ok {
		return spec.Show(raw)
	}
	return ""
}

// size is the number of combinations, or one above maxCells.
func (b *block) size() int {
	size := 1
	for _, a := range b.axes {
		size = min(size*len(a.values), maxCells+1) // both at most maxCells + 1: no overflow
	}
	return size
}

// repetitions is how often the block repeats a configuration.
func (c *Config) repetitions(b *block) int { return cmp.Or(b.repetitions, c.Repetitions) }

// Behind returns the number of the first repetition that no block has.
func (c *Config) Behind() int {
	most := c.Repetitions
	for i := range c.blocks {
		most = max(most, c.blocks[i].repetitions)
	}
	return most
}

// Cells expands the configuration: blocks in order, then data set and parameters, then seeds, then
// repetitions. The cells of a setting are adjacent. A setting in two blocks appears once, with the
// larger number of repetitions.
func (c *Config) Cells() []*spec.Cell {
	var groups [][]spec.Cell
	at := map[string]int{}
	settings := 0
	for _, b := range c.blocks {
		seeds, repetitions := c.Seeds, c.repetitions(&b)
		if b.method.Once {
			seeds, repetitions = []int64{0}, 1
		}
		for _, x := range b.settings {
			x.Setting = settings
			settings++
			same := make([]spec.Cell, 0, len(seeds)*repetitions)
			content := x.Content() // of all, but for seeds and repetitions
			for _, x.Seed = range seeds {
				for x.Repetition = range repetitions {
					x.IdentifyBy(content)
					same = append(same, x)
				}
			}
			g, seen := at[same[0].ID]
			switch {
			case !seen:
				at[same[0].ID] = len(groups)
				groups = append(groups, same)
			case len(same) > len(groups[g]):
				groups[g] = same
			}
		}
	}
	var out []*spec.Cell
	for _, same := range groups {
		for i := range same {
			out = append(out, &same[i])
		}
	}
	return out
}
