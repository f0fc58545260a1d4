package table

import (
	"bytes"
	"encoding/csv"
	"math"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"ogdl/internal/test/must"
	"ogdl/internal/words"

	"github.com/google/go-cmp/cmp"
)

// TestLaTeXIsPlain holds that a table is one piece, however wide: scaled down to the text, or one longtable where it has many rows.
func TestLaTeXIsPlain(t *testing.T) {
	wide := Table{Name: "wide", Title: "wide", Columns: Columns{{Title: "key", Key: true}, {Title: "text"}}}
	for j := range 30 {
		wide.Columns = append(wide.Columns, Column{Title: "column " + string(rune('A'+j%26)), Right: true})
	}
	for n, want := range map[int]string{4: `\begin{table*}`, 60: `\begin{table*}`, 61: `\begin{longtable}`} {
		for len(wide.Rows) < n {
			wide.Add("row", strings.Repeat("long text ", 20)+"end", make([]Cell, 30))
		}
		tab := wide
		tab.Rows = wide.Rows[:n]
		var b strings.Builder
		must.Do(t, LaTeX(&b, tab))
		s := b.String()
		if !strings.Contains(s, want) || strings.Count(s, "{lp{4cm}"+strings.Repeat("r", 30)+"}") != 1 {
			t.Errorf("%d rows: no %s with all columns:\n%s", n, want, s)
		}
		if strings.Contains(s, `\resizebox`) != (n <= 60) || strings.Count(s, `\caption`) != 1 || strings.Count(s, "end &") != n {
			t.Errorf("%d rows:\n%s", n, s)
		}
	}
}

// The paper's table has methods as the paper sets them, and the highest mean of a column bold, ties and all, for each source of numbers.
func TestPrintedLaTeX(t *testing.T) {
	tab := Table{Name: "layout", Title: "GDL_lambda", Printed: true, Columns: Columns{
		Method, {Title: "source", Key: true}, {Title: "MUTAG", Spread: true},
	}, Rows: [][]Cell{
		{Txt("GDL"), Txt("paper"), MeanStd(70, 1)}, {Txt("GDL"), Txt("selected"), MeanStd(60.001, 1)},
		{Txt("GDL_lambda"), Txt("paper"), MeanStd(70.5, 1)}, {Txt("GDL_lambda"), Txt("selected"), MeanStd(60.004, 1)},
		{Txt("GDL_h_lambda"), Txt("paper"), None()}, {Txt("GDL_h"), Txt("selected"), MeanStd(9, 1)}, {Txt("GDL_hx"), Txt("selected"), Txt("not asked")},
	}}
	var b strings.Builder
	must.Do(t, LaTeX(&b, tab))
	must.Contain(t, b.String(),
		`\caption{$\mathrm{GDL}_{\lambda}$}`, `\begin{table}[tp]`,
		"GDL & paper & 70.00 (1.00) \\\\\n & selected & \\textbf{60.00 (1.00)} \\\\\n\\addlinespace[2pt]\n"+
			"$\\mathrm{GDL}_{\\lambda}$ & paper & \\textbf{70.50 (1.00)} \\\\\n & selected & \\textbf{60.00 (1.00)} \\\\\n",
		`$\mathrm{GDL}_{h,\lambda}$ & paper & missing \\`, `$\mathrm{GDL}_{h}$ & selected & 9.00 (1.00) \\`,
		`GDL\_hx & selected & not asked \\`)
}

// TestHidden: no form of a table, no note and no search sees a hidden column, and every column has the cells that it was given.
func TestHidden(t *testing.T) {
	secret := Cell{Kind: Text, Text: "secret", Mark: MarkFewer, Parts: []Cell{Txt("secret"), Txt("secret")}}
	tab := Table{Name: "x", Columns: Columns{
		{Title: "a", Key: true}, {Title: "hidden", Listed: true, Hidden: true}, {Title: "b"}, {Title: "c"},
	}}
	tab.Add("one", secret, "two", "three")
	list := tab
	list.List, list.Rows, list.Yields, list.Each = true, nil, 1, tab.rows()
	for _, in := range []Table{tab, list} {
		for _, form := range append(tab.Forms(), AsCSV()) {
			var b strings.Builder
			must.Do(t, form.Render(&b, in))
			text := b.String()
			if strings.Contains(text, "hidden") || strings.Contains(text, "secret") || !strings.Contains(text, "three") {
				t.Errorf("%s shows a hidden column:\n%s", form.Ending, text)
			}
		}
		if in.Holds("secret") || in.Holds("hidden") || !in.Holds("two") || MarkNotes(in, "seeds") != nil {
			t.Error("a hidden column is found")
		}
		same := func(got Table, want string) {
			t.Helper()
			var b strings.Builder
			must.Do(t, CSV(&b, got))
			must.Check(t, b.String(), want, "columns")
		}
		same(in.Without("b"), "a,c\none,three\n")
		same(in.Filled(), "a,b,c\none,two,three\n")
	}
}

func TestCells(t *testing.T) {
	for _, c := range []struct {
		cell Cell
		want string
	}{
		{Cell{}, "-"}, {None(), "missing"}, {Txt("x"), "x"}, {Int(12), "12"}, {Int(int64(-3)), "-3"},
		{Num(1.005, 2), "1.00"}, {Num(-0.001, 2), "0.00"}, {Num(0.00012345, -1), "0.000123"}, {Num(0, -1), "0"},
		{Num(math.NaN(), 2), "missing"}, {Num(math.Inf(1), 2), "missing"},
		{MeanStd(math.NaN(), 1), "missing"}, {MeanStd(1, math.NaN()), "1.00"}, {MeanStd(70.02, 0.3), "70.02 (0.30)"},
		{Diff(0.5), "+0.50"}, {Diff(-0.5), "-0.50"}, {Diff(0.001), "0.00"}, {Diff(-0.001), "0.00"},
	} {
		must.Check(t, c.cell.Plain(), c.want, "%+v", c.cell)
	}
}

var (
	texCommand = regexp.MustCompile(`\\(text[a-z]+\{\}|[{}$&%#_])`)
	unescaped  = regexp.MustCompile(`(^|[^\\])(\\\\)*\|`)
)

// FuzzEscaping puts any text into a cell: it stays one cell of one row in every
// format, and comes back from CSV as it was shown.
func FuzzEscaping(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		tab := Table{Name: "x", Columns: Columns{{Title: "a"}, {Title: "b"}}, Rows: [][]Cell{{Txt(s), Txt("end")}}}
		var b bytes.Buffer
		must.Do(t, Terminal(&b, tab, 0))
		if !utf8.Valid(b.Bytes()) || strings.ContainsFunc(b.String(), func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }) {
			t.Fatalf("%q reaches the terminal as %q", s, b.String())
		}
		must.Equal(t, strings.Count(b.String(), "\n"), 3, "lines of text of %q", s)

		b.Reset()
		must.Do(t, Markdown(&b, tab))
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		if len(lines) != 3 || len(unescaped.FindAllString(lines[2], -1)) != 3 || strings.Contains(lines[2], "<") {
			t.Fatalf("%q breaks Markdown: %q", s, b.String())
		}

		b.Reset()
		must.Do(t, CSV(&b, tab))
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatalf("%q breaks CSV: %v", s, err)
		}
		if want := [][]string{{"a", "b"}, {words.CSV(visible(s)), "end"}}; !cmp.Equal(rows, want) {
			t.Fatalf("CSV gave %q, want %q", rows, want)
		}

		if rest := texCommand.ReplaceAllString(escapeLaTeX(s), ""); strings.ContainsAny(strings.ReplaceAll(rest, "{}", ""), "\\{}$&%#_^~\n") {
			t.Fatalf("%q leaves %q for TeX", s, rest)
		}
	})
}
