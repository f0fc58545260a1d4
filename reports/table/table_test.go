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

	"ogdl/internal/words"

	"github.com/google/go-cmp/cmp"
)

// A table that is too wide for a page is cut into blocks of columns, all with the
// key columns and all rows; one caption stands for them.
func TestWideLaTeX(t *testing.T) {
	wide := Table{Name: "wide", Title: "wide", Columns: []Column{{Name: "key", Key: true}}}
	for j := range 30 {
		wide.Columns = append(wide.Columns, Column{Name: "column " + string(rune('A'+j%26)), Right: true})
	}
	wide.Columns = append(wide.Columns, Column{Name: "text"})
	for i := range 4 {
		row := []Cell{Txt("row" + string(rune('0'+i)))}
		for j := range 30 {
			row = append(row, Int(100*i+j))
		}
		wide.Rows = append(wide.Rows, append(row, Txt(strings.Repeat("long text ", 20))))
	}
	check := func(tab Table, environment string) {
		t.Helper()
		var b strings.Builder
		if err := LaTeX(&b, tab); err != nil {
			t.Fatal(err)
		}
		s := b.String()
		n := strings.Count(s, `\begin{`+environment+`}`)
		if n < 3 || n != strings.Count(s, `\end{`+environment+`}`) {
			t.Fatalf("%d blocks of %s:\n%s", n, environment, s)
		}
		if strings.Count(s, `\caption`) != 1 || strings.Count(s, `\label`) != 1 {
			t.Errorf("captions:\n%s", s)
		}
		for _, key := range []string{"row0", "row3"} {
			want := 0
			for _, row := range tab.Rows {
				if row[0].Text == key {
					want += n
				}
			}
			if got := strings.Count(s, key); got != want {
				t.Errorf("%s stands %d times in %d blocks, want %d", key, got, n, want)
			}
		}
		for j := range 30 {
			if cell := "& " + wide.Rows[2][j+1].Plain() + " "; !strings.Contains(s, cell) {
				t.Errorf("%q is lost", cell)
			}
		}
		if !strings.Contains(s, "p{") {
			t.Error("long text does not wrap")
		}
		for _, line := range strings.Split(s, "\n") {
			if width := len(line) - strings.Count(line, " & "); strings.Contains(line, " & ") && !strings.Contains(line, "long text") && width > 110 {
				t.Errorf("a line of %d characters: %s", width, line)
			}
		}
	}
	check(wide, "tabular")
	for len(wide.Rows) < 20 {
		wide.Rows = append(wide.Rows, wide.Rows[0])
	}
	check(wide, "longtable")
}

// The paper's table has methods as the paper sets them, and the highest mean of a column bold, ties and all, for each source of numbers.
func TestPrintedLaTeX(t *testing.T) {
	tab := Table{Name: "layout", Title: "GDL_lambda", Printed: true, Columns: Columns("*method", "*source", "~MUTAG"), Rows: [][]Cell{
		{Txt("GDL"), Txt("paper"), MeanStd(70, 1)}, {Txt("GDL"), Txt("chosen"), MeanStd(60.001, 1)},
		{Txt("GDL_lambda"), Txt("paper"), MeanStd(70.5, 1)}, {Txt("GDL_lambda"), Txt("chosen"), MeanStd(60.004, 1)},
		{Txt("GDL_h_lambda"), Txt("paper"), None()}, {Txt("GDL_h"), Txt("chosen"), MeanStd(9, 1)}, {Txt("GDL_hx"), Txt("chosen"), Txt("not asked")},
	}}
	var b strings.Builder
	if err := LaTeX(&b, tab); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`\caption{$\mathrm{GDL}_{\lambda}$}`, `\begin{table}[tp]`,
		"GDL & paper & 70.00 (1.00) \\\\\n & chosen & \\textbf{60.00 (1.00)} \\\\\n\\addlinespace[2pt]\n" +
			"$\\mathrm{GDL}_{\\lambda}$ & paper & \\textbf{70.50 (1.00)} \\\\\n & chosen & \\textbf{60.00 (1.00)} \\\\\n",
		`$\mathrm{GDL}_{h,\lambda}$ & paper & missing \\`, `$\mathrm{GDL}_{h}$ & chosen & 9.00 (1.00) \\`, `GDL\_hx & chosen & not asked \\`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
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
		if got := c.cell.Plain(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.cell, got, c.want)
		}
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
		tab := Table{Name: "x", Columns: []Column{{Name: "a"}, {Name: "b"}}, Rows: [][]Cell{{Txt(s), Txt("end")}}}
		var b bytes.Buffer
		if err := Terminal(&b, tab, 0); err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(b.Bytes()) || strings.ContainsFunc(b.String(), func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }) {
			t.Fatalf("%q reaches the terminal as %q", s, b.String())
		}
		if n := strings.Count(b.String(), "\n"); n != 3 {
			t.Fatalf("%q takes %d lines of text", s, n)
		}

		b.Reset()
		if err := Markdown(&b, tab); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		if len(lines) != 3 || len(unescaped.FindAllString(lines[2], -1)) != 3 || strings.Contains(lines[2], "<") {
			t.Fatalf("%q breaks Markdown: %q", s, b.String())
		}

		b.Reset()
		if err := CSV(&b, tab); err != nil {
			t.Fatal(err)
		}
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
