package reports

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ogdl/internal/test/golden"
	"ogdl/internal/test/must"
	"ogdl/reports/table"
	"ogdl/reports/tables"
)

var (
	texEnvironment = regexp.MustCompile(`\\(begin|end)\{([a-z*]+)\}(?:\{((?:[lrc]|p\{[0-9]+cm\})+)\})?`)
	texColumn      = regexp.MustCompile(`p\{[^}]*\}|[lrc]`)
	texSpan        = regexp.MustCompile(`\\multicolumn\{([0-9]+)\}`)
	// What is no text: comments, labels, mathematics, and the characters that are written by a command.
	texNoText = regexp.MustCompile(`(?m)^%.*$|\\label\{[^}]*\}|\$[^$]*\$|%$|\\[{}$&%#_]`)
)

// checkLaTeX holds what TeX would stop at: every row has the columns of its table, what begins ends, and no character of TeX's own stands in a text. It
// returns how many tables there are.
func checkLaTeX(t *testing.T, name, src string) (tabulars int) {
	t.Helper()
	text := texNoText.ReplaceAllString(src, "")
	if at := strings.IndexAny(text, "#$%^_~"); at >= 0 {
		t.Errorf("%s: %q in %q", name, text[at], text[max(0, at-40):min(len(text), at+40)])
	}
	if open, shut := strings.Count(text, "{"), strings.Count(text, "}"); open != shut {
		t.Errorf("%s: %d braces open, %d shut", name, open, shut)
	}
	var inside []string
	columns := 0 // of the table around
	for _, line := range strings.Split(text, "\n") {
		for _, m := range texEnvironment.FindAllStringSubmatch(line, -1) {
			if m[1] == "begin" {
				inside = append(inside, m[2])
				if m[3] != "" {
					columns = len(texColumn.FindAllString(m[3], -1))
					tabulars++
				}
				continue
			}
			if len(inside) == 0 || inside[len(inside)-1] != m[2] {
				t.Fatalf("%s: %s ends in %v", name, m[2], inside)
			}
			inside, columns = inside[:len(inside)-1], 0
		}
		row, isRow := strings.CutSuffix(line, ` \\`)
		if !isRow || strings.HasPrefix(line, `\caption`) {
			if strings.Contains(line, "&") {
				t.Errorf("%s: & outside of a row: %s", name, line)
			}
			continue
		}
		cells := strings.Count(row, "&") + 1
		for _, m := range texSpan.FindAllStringSubmatch(row, -1) {
			n, _ := strconv.Atoi(m[1])
			cells += n - 1
		}
		must.Check(t, cells, columns, "%s: cells, and columns, of %s", name, line)
		if strings.HasPrefix(row, "[") || strings.HasPrefix(row, "*") {
			t.Errorf("%s: the line break before it takes its beginning: %s", name, line)
		}
	}
	if len(inside) > 0 || tabulars == 0 {
		t.Errorf("%s: %v does not end; %d tables", name, inside, tabulars)
	}
	return tabulars
}

// asLaTeX is a table as LaTeX.
func asLaTeX(t *testing.T, tab table.Table) string {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, table.LaTeX(&b, tab))
	return b.String()
}

// TestLaTeX holds every table of every kind; those that the paper prints are in one piece, as it lays them out.
func TestLaTeX(t *testing.T) {
	whole := 0
	for name, f := range everyKind() {
		stable, timed := tablesOf(f)
		for _, tab := range append(stable, timed...) {
			if tab.List {
				continue
			}
			src := asLaTeX(t, tab)
			n := checkLaTeX(t, name+", "+tab.Name, src)
			if tab.Printed {
				if whole++; n != 1 || !strings.Contains(src, `\resizebox`) || strings.Contains(src, "longtable") {
					t.Errorf("%s, %s: in %d pieces", name, tab.Name, n)
				}
			}
		}
	}
	if whole < 9 {
		t.Errorf("%d tables of the paper's", whole)
	}
	hostileTable := sampleTable()
	hostileTable.Printed = true
	hostileTable.Rows = append(hostileTable.Rows, slices.Clone(hostileTable.Rows[0]))
	hostileTable.Rows[4][0] = table.Txt("*starred")
	checkLaTeX(t, "sample", asLaTeX(t, hostileTable))
	if paths, err := filepath.Glob(filepath.Join("testdata", "*.tex")); err != nil || len(paths) < 4 {
		t.Errorf("%v, %v", paths, err)
	} else {
		for _, path := range paths {
			src := must.Get(os.ReadFile(path))
			checkLaTeX(t, path, string(src))
		}
	}
}

// TestPrintedGolden pins the paper's tables: Table 1 and one of accuracies.
func TestPrintedGolden(t *testing.T) {
	golden.Check(t, "testdata/table1.tex", asLaTeX(t, named(t, tables.Clustering(sixMethods().frame()), "clustering_layout")))
	accuracies := tables.Classification(supplement().frame())
	golden.Check(t, "testdata/vectorial.tex", asLaTeX(t, named(t, accuracies, "classification_vectorial_attributes")))
}
