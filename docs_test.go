package ogdl_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"
)

// pages are the texts of docs/, by path.
func pages(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("docs/*.md")
	if err != nil || len(paths) != 10 {
		t.Fatalf("docs/: %v, %v, want 10 pages", paths, err)
	}
	paths = append(paths, "docs/gallery/README.md", "docs/reproduction/ledger.md", "docs/reproduction/one_number.md")
	out := map[string]string{}
	for _, p := range paths {
		src := must.Get(os.ReadFile(p))
		out[p] = string(src)
	}
	return out
}

// TestDocsLinks finds every page of docs/ in the README, and the files that the pages name.
func TestDocsLinks(t *testing.T) {
	text, _ := readme(t)
	named := regexp.MustCompile("`((?:experiments|configs|datasets|scripts|docs|deploy|python)/[\\w./-]+\\.(?:go|toml|sh|py|md))`")
	for path, page := range pages(t) {
		must.Contain(t, text, "("+filepath.ToSlash(path)+")")
		if place := regexp.MustCompile(`[^\w./-]/[\w./-]+/store\b`).FindString(page); place != "" {
			t.Errorf("%s names a store of somebody's: %s", path, place)
		}
		for _, m := range named.FindAllStringSubmatch(page, -1) {
			if strings.Contains(m[1], "NAME") {
				continue
			}
			if _, err := os.Stat(m[1]); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}

// TestLinks finds the files and headings that all Markdown of the project links to.
func TestLinks(t *testing.T) {
	links, headings := regexp.MustCompile(`\]\(([^()\s]+)\)`), regexp.MustCompile(`(?m)^#+ (.*)$`)
	marks := regexp.MustCompile(`\]\([^)]*\)|[^\p{L}\p{N}_ -]`)
	seen := 0
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && slices.Contains([]string{".git", "data", "results", "trial", "nightly"}, path) {
			return filepath.SkipDir
		}
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range links.FindAllStringSubmatch(fence.ReplaceAllString(string(text), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			file, anchor, _ := strings.Cut(m[1], "#")
			to := path
			if file != "" {
				to = filepath.Join(filepath.Dir(path), file)
			}
			seen++
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: %v", path, err)
			} else if anchor != "" && filepath.Ext(to) == ".md" {
				page, _ := os.ReadFile(to)
				if !strings.Contains(string(page), `id="`+anchor+`"`) && !slices.ContainsFunc(headings.FindAllStringSubmatch(string(page), -1), func(h []string) bool {
					return strings.ReplaceAll(marks.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-") == anchor
				}) {
					t.Errorf("%s: %s has no heading #%s", path, to, anchor)
				}
			}
		}
		return nil
	})
	if err != nil || seen < 50 {
		t.Errorf("%d links, %v", seen, err)
	}
}

// TestWalk: the stops from a configuration to its tables are functions that are there.
func TestWalk(t *testing.T) {
	text := must.Get(os.ReadFile("ARCHITECTURE.md"))
	stops := regexp.MustCompile("(?m)^\\d+\\. `([\\w/]+\\.go):(\\w+)`").FindAllStringSubmatch(string(text), -1)
	if len(stops) == 0 || len(stops) > 12 {
		t.Errorf("%d stops", len(stops))
	}
	for _, m := range stops {
		src, err := os.ReadFile(m[1])
		if !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + m[2] + `\(`).Match(src) {
			t.Errorf("%s has no function %s: %v", m[1], m[2], err)
		}
	}
}

// TestCellWalk holds the list of the functions that a cell goes through to its record: at most 25 of at most 60 lines, each named by one before
// it. Of the other functions in the listed files that get or give cells, records or files, they call those that only look at them, and those
// of failures.
func TestCellWalk(t *testing.T) {
	text := must.Get(os.ReadFile("ARCHITECTURE.md"))
	looks := strings.Fields("Countable Computable confirm showCell sourcesOf checkDigests StateOf Timing Contradiction current expected finished add " +
		"intact putFailure orKept judge look Get NPZPath Expect Release Unplaced setStatus Finite check")
	type function struct {
		decl  *ast.FuncDecl
		names map[string]bool // in it
		calls map[string]bool
		lines int
	}
	files := map[string]map[string]function{}
	handing := map[string]bool{}
	carried := regexp.MustCompile(`^(\[\]|\.\.\.|\*)*((spec|record|disk)\.)?(Cell|Record|Timing|Data)$`)
	parse := func(path string) {
		set := token.NewFileSet()
		f := must.Get(parser.ParseFile(set, path, nil, 0))
		files[path] = map[string]function{}
		for _, d := range f.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			x := function{d, map[string]bool{}, map[string]bool{}, set.Position(d.End()).Line - set.Position(d.Pos()).Line + 1}
			ast.Inspect(d.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Ident:
					x.names[n.Name] = true
				case *ast.CallExpr:
					switch f := n.Fun.(type) {
					case *ast.Ident:
						x.calls[f.Name] = true
					case *ast.SelectorExpr:
						x.calls[f.Sel.Name] = true
					}
				}
				return true
			})
			files[path][d.Name.Name] = x
			fields := slices.Clone(d.Type.Params.List)
			if d.Type.Results != nil {
				fields = append(fields, d.Type.Results.List...)
			}
			for _, field := range fields {
				if carried.MatchString(types.ExprString(field.Type)) {
					handing[d.Name.Name] = true
				}
			}
		}
	}
	named, listed := map[string]bool{}, map[string]bool{}
	var walk []function
	for _, line := range regexp.MustCompile("`((?:\\w+/)+\\w+\\.go)`:\\s+([\\w\\s]+)[;.]").FindAllStringSubmatch(string(text), -1) {
		if files[line[1]] == nil {
			parse(line[1])
		}
		for _, name := range strings.Fields(line[2]) {
			x, there := files[line[1]][name]
			switch {
			case !there:
				t.Errorf("%s has no function %s", line[1], name)
				continue
			case x.lines > 60:
				t.Errorf("%s has %d lines", name, x.lines)
			case len(walk) > 0 && !named[name]:
				t.Errorf("none before %s names it", name)
			}
			walk, listed[name] = append(walk, x), true
			maps.Copy(named, x.names)
		}
	}
	if len(walk) < 20 || len(walk) > 25 {
		t.Errorf("%d functions", len(walk))
	}
	for _, x := range walk {
		for name := range x.calls {
			if handing[name] && !listed[name] && !slices.Contains(looks, name) {
				t.Errorf("%s names %s, which is not in the list", x.decl.Name.Name, name)
			}
		}
	}
}

// TestDocsExamples decodes the configurations of the pages and vets their programs.
func TestDocsExamples(t *testing.T) {
	t.Parallel()
	seen := 0
	for page, text := range pages(t) {
		for _, m := range fence.FindAllStringSubmatch(text, -1) {
			switch m[1] {
			case "toml":
				seen++
				path := filepath.Join(t.TempDir(), "page.toml")
				must.Do(t, os.WriteFile(path, []byte(m[2]), 0o644))
				if out, ok := program(t, "list", "-config", path); !ok {
					t.Errorf("%s: %s", page, out)
				}
			case "go":
				seen++
				path := filepath.Join(t.TempDir(), "main.go")
				must.Do(t, os.WriteFile(path, []byte(m[2]), 0o644))
				if out, err := exec.Command("go", "vet", path).CombinedOutput(); err != nil {
					t.Errorf("%s: %v\n%s", page, err, out)
				}
			}
		}
	}
	if seen < 3 {
		t.Errorf("only %d examples found", seen)
	}
}

// TestDocsRow finds the row of a method that docs/extend.md shows in the file that it names, where it is compiled.
func TestDocsRow(t *testing.T) {
	page := pages(t)[filepath.Join("docs", "extend.md")]
	m := regexp.MustCompile("`(experiments/[\\w/]+\\.go)`:\n\n((?: {4}.*\n|\n)+)").FindStringSubmatch(page)
	if m == nil {
		t.Fatal("docs/extend.md shows no row")
	}
	src := must.Get(os.ReadFile(m[1]))
	row := strings.TrimSpace(strings.ReplaceAll("\n"+m[2], "\n    ", "\n"))
	if !strings.HasPrefix(row, "func ") || !strings.Contains(string(src), "\n"+row+"\n") {
		t.Errorf("%s does not contain:\n%s", m[1], row)
	}
}

// TestDocsPython runs the worked example on a small run of the program.
func TestDocsPython(t *testing.T) {
	t.Parallel()
	python := sharedtest.NumPy(t)
	script := must.Get(filepath.Abs("python/ogdl.py"))
	dir := t.TempDir()
	config := filepath.Join(dir, "small.toml")
	err := os.WriteFile(config, []byte(`table = "clustering"
repetitions = 2
[[grid]]
dataset = "D1"
sbm_graphs = 6
method = "GDL"
lambda = [0, 0.01]
atoms = 3
order = 6
epochs = 3
[[grid]]
path = "plain.jsonl"
method = "GDL"
clusters = 2
atoms = 2
epochs = 3
`), 0o644)
	if err == nil {
		graphs := strings.Repeat(`{"edges":[[0,1],[1,2]]}`+"\n"+`{"edges":[[0,1],[1,2],[0,2]]}`+"\n", 3)
		err = os.WriteFile(filepath.Join(dir, "plain.jsonl"), []byte(graphs), 0o644)
	}
	must.Do(t, err)
	out := filepath.Join(dir, "results")
	if text, ok := program(t, "-config", config, "-out", out); !ok {
		t.Fatal(text)
	}
	text, err := exec.Command(python, script, out, "small").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, want := range []string{
		`D1 GDL: 2 cells, Rand Index \d+\.\d\d \(\d+\.\d\d\)`, `D1 GDL_lambda: 2 cells`, `18 graphs, 3 atoms of order 6`,
		`made with 3 epochs`, `nearest centre is the cluster of 100% of the graphs`,
		`plain GDL: 2 cells, no classes, mean objective [\d.e-]+ \([\d.e-]+\)\n`,
	} {
		if !regexp.MustCompile(want).Match(text) {
			t.Errorf("it prints no %q:\n%s", want, text)
		}
	}
	if text, err := exec.Command(python, "python/ogdl_test.py").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	reading := "import sys; sys.path.insert(0, 'python'); import ogdl as o, numpy as np; t = o.read_table(sys.argv[1]); print(list(t)); " +
		"print(t['class'].astype(int).mean(), t['graph'][-1], np.isin(t['repetition_0'], [0, 1, 2]).all(), t['repetition_1'].dtype)"
	clusters := filepath.Join(out, "small", "clusters", "d1-gdl.csv")
	if text, err := exec.Command(python, "-c", reading, clusters).CombinedOutput(); err != nil ||
		string(text) != "['graph', 'class', 'repetition_0', 'repetition_1']\n2.0 17.0 True float64\n" {
		t.Errorf("%v\n%s", err, text)
	}
	if text, err := exec.Command(python, script, out, "none").CombinedOutput(); err == nil {
		t.Errorf("no error without results:\n%s", text)
	}
}

var (
	figureTables = regexp.MustCompile(`\((reproduction/figure_\w+/tables\.md)\)`)
	figureNumber = regexp.MustCompile(`\d+\.\d+(?: \(\d+\.\d+\))?|\d+ \(\d+\)`)
)

// TestFigureNumbers: what docs/figures.md says of a figure stands in its published tables, digit by digit.
func TestFigureNumbers(t *testing.T) {
	text := must.Get(os.ReadFile("docs/figures.md"))
	held := 0
	for _, section := range strings.Split(string(text), "\n## ") {
		m := figureTables.FindStringSubmatch(section)
		if m == nil {
			continue
		}
		tables, err := os.ReadFile(filepath.Join("docs", m[1]))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, number := range figureNumber.FindAllString(section, -1) {
			if held++; !regexp.MustCompile(`(^|[^\d.])` + regexp.QuoteMeta(number) + `($|[^\d])`).Match(tables) {
				t.Errorf("docs/figures.md: %s does not stand in %s", number, m[1])
			}
		}
	}
	if held < 15 {
		t.Errorf("only %d numbers are held", held)
	}
}
