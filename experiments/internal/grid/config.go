// Package grid parses a TOML configuration, expands it into ordered cells, and filters cells.
package grid

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"ogdl/configs"
	"ogdl/datasets/loader"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/disk"
	"ogdl/reports/summary"

	"github.com/BurntSushi/toml"
)

// Bounds on a configuration's sizes, checked before anything is built.
const (
	maxConfigBytes = 1 << 20
	maxCells       = 200_000
	maxRepetitions = 10_000
)

// Config is a checked configuration.
type Config struct {
	Name        string
	Source      string // the path that was read, or "embedded NAME"
	text        string // text of the file when it was read; the file may change during the run
	Ran         string // text as it was run, with the changes of -set
	Table       string
	Title       string
	Seeds       []int64
	Repetitions int           // default of the blocks
	Confirm     int           // repetitions that confirm a row's choices; 0: none
	Race        bool          // of blocks that say nothing else
	Timeout     time.Duration // 0: none
	blocks      []block
	Folders     []*spec.Own // of the user, one for each way of weighing edges
}

// block is one [[grid]]: axes whose product, for one method, is a set of cells.
type block struct {
	method      *spec.Method
	repetitions int // 0: the configuration's
	axes        []axis
	settings    []spec.Cell // without seeds and repetitions, the first axis slowest
}

// axis is one list of a block: a key and its values.
type axis struct {
	key    string
	values []any
}

// Error is a mistake in a configuration: its place, the key, the value and the allowed values.
type Error struct {
	File  string
	Line  int // 0 where unknown
	Key   string
	Value string // as written; "" where the key itself is at fault
	Want  string
}

// Error returns the place and the mistake in one line.
func (e *Error) Error() string {
	text := e.File
	if e.Line > 0 {
		text += ":" + strconv.Itoa(e.Line)
	}
	if e.Key != "" {
		text += ": " + e.Key
		if e.Value != "" {
			text += " = " + e.Value
		}
	}
	return text + ": " + e.Want
}

// Embedded begins the source of a configuration in the program.
const Embedded = "embedded "

// Open finds a configuration: as a path, then below ./configs at any depth, then among the embedded
// ones; ".toml" may be omitted. It looks among the embedded ones alone for a name that begins with [Embedded].
// It returns the text and where it was found.
func Open(name string) (src []byte, source string, err error) {
	name, alone := strings.CutPrefix(name, Embedded)
	names := []string{name}
	if !strings.HasSuffix(name, ".toml") {
		names = append(names, name+".toml")
	}
	for _, n := range names {
		if !alone && IsFile(n) {
			src, err := Read(n)
			return src, n, err
		}
	}
	for _, n := range names {
		found := slices.DeleteFunc(Below(), func(path string) bool { return path != filepath.Join(folder, n) && filepath.Base(path) != n })
		switch {
		case alone:
		case len(found) > 1:
			return nil, "", fmt.Errorf("several configurations %q: %s; name one by its path", name, strings.Join(found, ", "))
		case len(found) == 1:
			src, err := Read(found[0])
			return src, found[0], err
		}
	}
	for _, n := range names {
		if src, err := configs.Read(n); err == nil {
			return src, Embedded + n, nil
		}
	}
	return nil, "", fmt.Errorf("no configuration %q: not a file, not in ./configs, and not embedded%s", name,
		spec.Expected(strings.TrimSuffix(name, ".toml"), Names()))
}

// folder is where a user keeps configurations, in folders of any depth.
const folder = "configs"

// IsFile says whether something other than a folder is at a path.
func IsFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// Below returns the paths of the configurations below ./configs, sorted.
func Below() (paths []string) {
	_ = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && strings.HasSuffix(path, ".toml") {
			paths = append(paths, path)
		}
		return nil // a folder that cannot be listed has none
	})
	return paths
}

// Names are the embedded configurations without ending.
func Names() []string {
	return spec.Texts(configs.Names(), func(name string) string { return strings.TrimSuffix(name, ".toml") })
}

// Read returns the text of a configuration at a path.
func Read(path string) ([]byte, error) { return disk.ReadFile(path, maxConfigBytes) }

// deepKey matches a dotted key of 16 parts or more; maxDepth bounds the nesting of brackets. The
// time of decoding is quadratic in both.
var deepKey = regexp.MustCompile(`(?:(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){16}`)

const maxDepth = 100

// tooDeep returns the line at which values or keys nest too deeply, 0 where none does. Brackets in comments and texts count.
func tooDeep(src []byte) int {
	at := 0
	if deep := deepKey.FindIndex(src); deep != nil {
		at = deep[0] + 1
	}
	for i, depth := 0, 0; i < len(src) && at == 0; i++ {
		switch src[i] {
		case '[', '{':
			if depth++; depth > maxDepth {
				at = i + 1
			}
		case ']', '}':
			depth = max(0, depth-1)
		}
	}
	if at == 0 {
		return 0
	}
	return 1 + bytes.Count(src[:at], []byte{'\n'})
}

var configName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// takenNames are the names of other files and folders of a result folder. Commands read fit.toml, which fit writes there.
var takenNames = []string{"store", "index.html", "fit.toml"}

// Keys of the top and of blocks.
const (
	keyRepetitions = "repetitions"
	keyRace        = "race"
)

// topLevel are the keys outside [[grid]].
var topLevel = []string{"name", "table", "title", "seed", keyRepetitions, "confirm", keyRace, "timeout", keyLists, "grid"}

// keyLists is the table of lists that blocks name.
const keyLists = "lists"

// Parse decodes a configuration, overrides keys of its grids and checks it. All errors that can be
// told apart are returned, joined, each an [*Error].
func Parse(src []byte, source string, table []spec.Method, set ...setting) (*Config, error) {
	p := &parser{file: strings.TrimPrefix(source, Embedded), src: src, methods: slices.Clone(table)}
	if line := tooDeep(src); line > 0 {
		return nil, &Error{File: p.file, Line: line, Want: "nested too deeply for a configuration"}
	}
	doc := map[string]any{}
	if _, err := toml.Decode(string(src), &doc); err != nil {
		var pe toml.ParseError
		if errors.As(err, &pe) {
			return nil, &Error{File: p.file, Line: pe.Position.Line, Key: pe.LastKey, Want: "not valid TOML: " + pe.Message}
		}
		return nil, &Error{File: p.file, Want: "not valid TOML: " + err.Error()}
	}
	ran := p.override(doc, set)
	p.lists(doc)
	c := p.config(doc)
	c.Source, c.text, c.Ran = source, string(src), ran
	if len(p.errs) > 0 {
		slices.SortStableFunc(p.errs, func(a, b *Error) int { return cmp.Compare(a.Line, b.Line) })
		p.errs = slices.CompactFunc(p.errs, func(a, b *Error) bool { return *a == *b }) // of -set, in several blocks
		joined := make([]error, len(p.errs))
		for i, e := range p.errs {
			joined[i] = e
		}
		return nil, errors.Join(joined...)
	}
	return c, nil
}

// parser collects the mistakes of one file.
type parser struct {
	file       string
	src        []byte
	methods    []spec.Method
	lines      []string // of the text, once they are asked for
	starts     []int    // the lines of its headers of grids, behind the line 0
	overridden []string // keys of [[grid]] blocks whose values -set has replaced
	errs       []*Error
}

func (p *parser) fail(grid int, key, value, want string) {
	e := &Error{File: p.file, Line: p.line(grid, key), Key: key, Value: value, Want: want}
	if grid >= 0 && slices.Contains(p.overridden, key) {
		e.File, e.Line = setFlag, 0
	}
	p.errs = append(p.errs, e)
}

// lists replaces names such as "@alphas" in blocks by the list of that name in the table [lists].
func (p *parser) lists(doc map[string]any) {
	lists, isTable := doc[keyLists].(map[string]any)
	if doc[keyLists] != nil && !isTable {
		p.fail(-1, keyLists, spec.Show(doc[keyLists]), "must be a table of lists")
	}
	names := slices.Sorted(maps.Keys(lists))
	for _, name := range names {
		if list, isList := lists[name].([]any); !isList || len(list) == 0 {
			p.fail(-1, name, spec.Show(lists[name]), "must be a list of one value at least")
		}
	}
	blocks, _, _ := tablesOf(doc)
	for i, b := range blocks {
		for _, key := range slices.Sorted(maps.Keys(b)) {
			text, _ := b[key].(string)
			name, isName := strings.CutPrefix(text, "@")
			if list, known := lists[name]; isName && known {
				b[key] = list
			} else if isName {
				p.fail(i, key, spec.Show(text), "no such list; ["+keyLists+"] has "+cmp.Or(strings.Join(names, ", "), "none")+spec.DidYouMean(name, names))
			}
		}
	}
}

// config checks the top level.
func (p *parser) config(doc map[string]any) *Config {
	base := strings.TrimSuffix(filepath.Base(filepath.ToSlash(p.file)), ".toml")
	c := &Config{Name: base, Seeds: []int64{1}, Repetitions: 5, Timeout: 30 * time.Minute}
	for _, key := range slices.Sorted(maps.Keys(doc)) {
		if !slices.Contains(topLevel, key) {
			want := "unknown key at the top level" + spec.Expected(key, topLevel)
			if p.isParameter(key) {
				want = "unknown key at the top level; it belongs into a [[grid]] block"
			}
			p.fail(-1, key, spec.Show(doc[key]), want)
		}
	}
	if raw, ok := doc["name"]; ok {
		if s, isText := raw.(string); isText {
			c.Name = s
		} else {
			p.fail(-1, "name", spec.Show(raw), "must be a text")
		}
	}
	if !configName.MatchString(c.Name) || slices.Contains(takenNames, c.Name) {
		p.fail(-1, "name", strconv.Quote(c.Name),
			`must be 1 to 64 letters, digits, ".", "_" or "-", starting with a letter or digit, and not `+spec.Quoted(takenNames))
	}
	if raw, ok := doc["title"]; ok {
		s, isText := raw.(string)
		if !isText || strings.ContainsAny(s, "\n\r") {
			p.fail(-1, "title", spec.Show(raw), "must be a text on one line")
		}
		c.Title = s
	}
	var tables []string // that some method fills
	for _, m := range p.methods {
		tables = distinct(tables, m.Tables...)
	}
	s, isText := doc["table"].(string)
	switch {
	case doc["table"] == nil:
		p.fail(-1, "table", "", "missing; allowed: "+spec.Quoted(tables))
	case !isText || !slices.Contains(tables, s):
		p.fail(-1, "table", spec.Show(doc["table"]), "must be "+spec.Quoted(tables)+spec.DidYouMean(s, tables))
	}
	c.Table = s
	p.axes(doc, c)
	p.grids(doc, c)
	return c
}

// axes checks the top-level keys seed, repetitions, confirm, race and timeout.
func (p *parser) axes(doc map[string]any, c *Config) {
	if raw, ok := doc["seed"]; ok {
		c.Seeds = nil
		whole := func(e any) (any, bool) { i, isInt := e.(int64); return i, isInt }
		for _, seed := range p.list(-1, "seed", raw, whole, "must be an integer or a list of integers", nil) {
			c.Seeds = append(c.Seeds, seed.(int64))
		}
	}
	c.Repetitions = cmp.Or(p.repetitions(-1, doc, nil), c.Repetitions)
	c.Race = p.race(-1, doc, c)
	if raw, ok := doc["confirm"]; ok {
		i, isInt := raw.(int64)
		switch {
		case !isInt || i < 0 || i > maxRepetitions:
			p.fail(-1, "confirm", spec.Show(raw),
				fmt.Sprintf("must be an integer from 0 (none) to %d: repetitions of each chosen configuration", maxRepetitions))
		case i > 0 && !summary.IsClustering(c.Table):
			p.fail(-1, "confirm", spec.Show(raw), "needs a clustering table: nothing is chosen for "+strconv.Quote(c.Table))
		default:
			c.Confirm = int(i)
		}
	}
	if raw, ok := doc["timeout"]; ok {
		s, _ := raw.(string)
		d, err := time.ParseDuration(s)
		if err != nil || d < time.Millisecond {
			p.fail(-1, "timeout", spec.Show(raw), `must be a duration of at least "1ms", such as "90s", "30m" or "2h"`)
		}
		c.Timeout = d
	}
}

// distinct appends those elements that are not yet in a list.
func distinct[T comparable](list []T, more ...T) []T {
	for _, x := range more {
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
}

func (p *parser) isParameter(key string) bool {
	has := func(m spec.Method) bool { return m.Parameter(key) != nil }
	return slices.Contains(blockKeys, key) || slices.ContainsFunc(p.methods, has)
}

// AsList returns a value as a list, a single value as a list of one. bad is an error text, or "".
func AsList(raw any) (list []any, bad string) {
	switch x := raw.(type) {
	case []any:
		if len(x) == 0 {
			return nil, "an empty list; give at least one value"
		}
		return x, ""
	case map[string]any, []map[string]any:
		return nil, "must be a value or a list of values, not a table"
	}
	return []any{raw}, ""
}

var gridHeader = regexp.MustCompile(`^\s*\[\[\s*"?grid"?\s*\]\]`)

// line finds the line of a key: inside the grid-th [[grid]] block, or outside all of them for grid
// -1. It reads the text again, line by line, since the decoder keeps no positions; a key inside a
// multi-line text could mislead it, and it then names the wrong line, never the wrong key.
func (p *parser) line(grid int, key string) int {
	if p.lines == nil {
		p.lines, p.starts = strings.Split(string(p.src), "\n"), []int{0}
		for i, l := range p.lines {
			if gridHeader.MatchString(l) {
				p.starts = append(p.starts, i+1)
			}
		}
		p.starts = append(p.starts, len(p.lines)+1)
	}
	if grid+2 >= len(p.starts) {
		return 0
	}
	header := p.starts[grid+1]
	for i := header; i < p.starts[grid+2]-1; i++ {
		l := strings.TrimLeft(p.lines[i], " \t[")
		l = strings.TrimPrefix(l, `"`)
		rest, ok := strings.CutPrefix(l, key)
		if !ok || key == "" {
			continue
		}
		rest = strings.TrimLeft(strings.TrimPrefix(rest, `"`), " \t")
		if strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, "]") || strings.HasPrefix(rest, ".") {
			return i + 1
		}
	}
	return header
}

// folder returns the user's folder of that path, its edges weighed by that parameter.
func (c *Config) folder(path, weights string) *spec.Own {
	if weights == loader.EdgesUnweighted {
		weights = ""
	}
	for _, o := range c.Folders {
		if o.Written == path && o.Weights == weights {
			return o
		}
	}
	o := &spec.Own{Name: spec.OwnName(path), Written: path, Folder: path, Weights: weights}
	c.Folders = append(c.Folders, o)
	return o
}

// Place returns the file and line of a key in the block of a cell on a user's folder.
func (c *Config) Place(x *spec.Cell, key string) (file string, line int) {
	p := parser{src: []byte(c.text)}
	for i, b := range c.blocks {
		if slices.ContainsFunc(b.settings, func(y spec.Cell) bool {
			return y.Method.Name == x.Method.Name && y.Own == x.Own && y.Params[key] == x.Params[key]
		}) {
			return strings.TrimPrefix(c.Source, Embedded), p.line(i, key)
		}
	}
	return c.Source, 0
}

// Dir returns the folder of the configuration's file; "" for an embedded configuration.
func (c *Config) Dir() string {
	if strings.HasPrefix(c.Source, Embedded) {
		return ""
	}
	return filepath.Dir(c.Source)
}
