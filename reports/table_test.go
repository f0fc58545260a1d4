package reports

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// sampleTable holds every kind of cell and text that each format must escape.
func sampleTable() Table {
	marked := MeanStd(71.754, 0.8349)
	marked.Mark = MarkSeeds + MarkGrid
	return Table{
		Name:  "sample",
		Title: "50 % of A_1 & B|C",
		Columns: []Column{
			{Name: "data set", Key: true}, {Name: "score", Right: true, Spread: true},
			{Name: "difference", Right: true}, {Name: "note, with a comma"},
		},
		Rows: [][]Cell{
			{Txt("GDL_lambda"), MeanStd(70.02, 0.3), Diff(1.5), Txt(`a|b "quoted", \back`)},
			{Txt("[x]"), marked, Diff(-0.31), Txt("<b>#1 $5 50% & ~ ^ {} `code` *star* --- ")},
			{Txt("line\nbreak\x1b[2J"), None(), None(), {}},
			{Txt("small"), Num(1.25e-7, -1), Diff(-0.001), Txt("naïve Übung")},
		},
		Notes: []string{"50 % off_by_one & more.", "* marks."},
	}
}

func TestFormatsGolden(t *testing.T) {
	for _, f := range []struct {
		ending string
		render func(w *bytes.Buffer, t Table) error
	}{
		{"txt", func(w *bytes.Buffer, t Table) error { return Terminal(w, t, 0) }},
		{"md", func(w *bytes.Buffer, t Table) error { return Markdown(w, t) }},
		{"csv", func(w *bytes.Buffer, t Table) error { return CSV(w, t) }},
		{"tex", func(w *bytes.Buffer, t Table) error { return LaTeX(w, t) }},
	} {
		var b bytes.Buffer
		if err := f.render(&b, sampleTable()); err != nil {
			t.Fatal(err)
		}
		golden(t, "sample."+f.ending, b.String())
	}
	long := sampleTable()
	for len(long.Rows) < longTable {
		long.Rows = append(long.Rows, long.Rows[0])
	}
	var b bytes.Buffer
	if err := LaTeX(&b, long); err != nil {
		t.Fatal(err)
	}
	s := b.String()
	if !strings.Contains(s, `\begin{longtable}{lrr`) || !strings.Contains(s, `\end{longtable}`) || strings.Contains(s, "{table}") {
		t.Errorf("%d rows are no longtable:\n%s", len(long.Rows), s[:200])
	}
}

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
	check := func(table Table, environment string) {
		t.Helper()
		var b strings.Builder
		if err := LaTeX(&b, table); err != nil {
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
			for _, row := range table.Rows {
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

func TestRowsMustFit(t *testing.T) {
	bad := sampleTable()
	bad.Rows = append(bad.Rows, []Cell{Txt("short")})
	for name, render := range map[string]func(io.Writer, Table) error{
		"Terminal": func(w io.Writer, t Table) error { return Terminal(w, t, 0) },
		"Markdown": Markdown, "CSV": CSV, "LaTeX": LaTeX,
	} {
		func() {
			defer func() {
				if r, ok := recover().(string); !ok || !strings.HasPrefix(r, "reports: ") {
					t.Errorf("%s: recovered %v", name, r)
				}
			}()
			_ = render(io.Discard, bad)
		}()
	}
}

// Whatever the width, nothing of a row is lost, and lines keep to it where
// every column fits.
func TestTerminalWidth(t *testing.T) {
	g := mutag()
	tables := Clustering(g.frame())
	rapid.Check(t, func(rt *rapid.T) {
		table := rapid.SampledFrom(tables).Draw(rt, "table")
		width := rapid.IntRange(1, 200).Draw(rt, "width")
		var b strings.Builder
		if err := Terminal(&b, table, width); err != nil {
			rt.Fatal(err)
		}
		text := strings.Join(strings.Fields(b.String()), " ")
		for _, row := range table.Rows {
			for _, c := range row {
				for _, word := range strings.Fields(c.Plain()) {
					// Below ten columns even words are broken.
					if width >= 40 && !strings.Contains(text, word) {
						rt.Fatalf("%q is lost at width %d:\n%s", word, width, b.String())
					}
				}
			}
		}
		for _, line := range strings.Split(b.String(), "\n") {
			if width >= 80 && len(line) > width && line != table.Title {
				rt.Fatalf("%d columns at width %d: %q", len(line), width, line)
			}
		}
	})
}

var (
	texCommand = regexp.MustCompile(`\\(text[a-z]+\{\}|[{}$&%#_])`)
	unescaped  = regexp.MustCompile(`(^|[^\\])(\\\\)*\|`)
)

// FuzzEscaping puts any text into a cell: it stays one cell of one row in every
// format, and comes back from CSV as it was shown.
func FuzzEscaping(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		table := Table{Name: "x", Columns: []Column{{Name: "a"}, {Name: "b"}}, Rows: [][]Cell{{Txt(s), Txt("end")}}}
		var b bytes.Buffer
		if err := Terminal(&b, table, 0); err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(b.Bytes()) || strings.ContainsFunc(b.String(), func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }) {
			t.Fatalf("%q reaches the terminal as %q", s, b.String())
		}
		if n := strings.Count(b.String(), "\n"); n != 3 {
			t.Fatalf("%q takes %d lines of text", s, n)
		}

		b.Reset()
		if err := Markdown(&b, table); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		if len(lines) != 3 || len(unescaped.FindAllString(lines[2], -1)) != 3 || strings.Contains(lines[2], "<") {
			t.Fatalf("%q breaks Markdown: %q", s, b.String())
		}

		b.Reset()
		if err := CSV(&b, table); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatalf("%q breaks CSV: %v", s, err)
		}
		if want := [][]string{{"a", "b"}, {visible(s), "end"}}; !cmp.Equal(rows, want) {
			t.Fatalf("CSV gave %q, want %q", rows, want)
		}

		if rest := texCommand.ReplaceAllString(escapeLaTeX(s), ""); strings.ContainsAny(strings.ReplaceAll(rest, "{}", ""), "\\{}$&%#_^~\n") {
			t.Fatalf("%q leaves %q for TeX", s, rest)
		}
	})
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results", "example")
	g := mutag()
	tables := Clustering(g.frame())
	if err := writeTables(dir, tables); err != nil {
		t.Fatal(err)
	}
	first := readAll(t, dir)
	lists := 0
	for _, table := range tables {
		for _, ending := range []string{"txt", "md", "csv", "tex"} {
			if there := first[table.Name+"."+ending] != ""; there != (!table.List || ending == "csv") {
				t.Errorf("%s.%s is there: %v", table.Name, ending, there)
			}
		}
		if table.List {
			lists++
		}
	}
	if lists != 2 || len(first) != 4*len(tables)-3*lists {
		t.Errorf("%d files for %d tables, %d of them lists", len(first), len(tables), lists)
	}
	// Forms of a list that an earlier program has left are not of these records.
	if err := os.WriteFile(filepath.Join(dir, "clustering_cells.tex"), []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := writeTables(dir, Clustering(g.frame())); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, readAll(t, dir)); diff != "" {
		t.Errorf("written twice (-first +second):\n%s", diff)
	}
}

func readAll(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(data)
	}
	return files
}

func TestWriteErrors(t *testing.T) {
	for _, name := range []string{"", "../up", "a/b", "A", "a b", ".hidden", "-x", "a\x00", strings.Repeat("a", 101)} {
		dir := t.TempDir()
		if err := writeTables(dir, []Table{{Name: "good"}, {Name: name}}); err == nil || !strings.HasPrefix(err.Error(), "reports: ") {
			t.Errorf("%q: error %v", name, err)
		}
		if files := readAll(t, dir); len(files) != 0 {
			t.Errorf("%q: wrote %d files before the error", name, len(files))
		}
	}
	if err := writeTables(t.TempDir(), []Table{{Name: "x"}, {Name: "x"}}); err == nil {
		t.Error("the same name twice is no error")
	}
	// The folder's place is taken by a file.
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	var pathError *fs.PathError
	if err := writeTables(path, []Table{{Name: "x"}}); !errors.As(err, &pathError) {
		t.Errorf("error %v", err)
	}
	// A file's place is taken by a folder: no temporary file stays behind.
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "x.txt"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := writeTables(dir, []Table{{Name: "x"}}); err == nil {
		t.Error("a folder in a file's place is no error")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v remain, %v", entries, err)
	}
}
