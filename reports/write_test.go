package reports

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/disktest"
	"ogdl/internal/test/golden"
	"ogdl/internal/test/must"
	"ogdl/reports/table"
	"ogdl/reports/tables"
)

// TestTerminalWidth: whatever the width, each row is one line with all of its cells, and title and notes keep to the width.
func TestTerminalWidth(t *testing.T) {
	tab := tables.Clustering(mutag().frame())[0].Whole()
	for _, width := range []int{0, 40, 120} {
		var b strings.Builder
		must.Do(t, table.Terminal(&b, tab, width))
		lines := strings.Split(b.String(), "\n")
		first := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "---") }) + 1
		for i, row := range tab.Rows {
			for _, c := range row {
				must.Contain(t, lines[first+i], c.Plain())
			}
		}
		for _, line := range slices.Concat(lines[:first-2], lines[first+len(tab.Rows):]) {
			if width > 0 && len(line) > width {
				t.Errorf("%d columns at width %d: %q", len(line), width, line)
			}
		}
	}
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results", "example")
	g := mutag()
	tabs := tables.Clustering(g.frame())
	must.Do(t, writeTables(dir, tabs))
	first := disktest.Folder(t, dir)
	lists := 0
	for _, tab := range tabs {
		for _, ending := range []string{"txt", "md", "csv", "tex"} {
			if there := first[tab.Name+"."+ending] != ""; there != (ending == "csv" && !tab.Laid || ending != "csv" && !tab.List) {
				t.Errorf("%s.%s is there: %v", tab.Name, ending, there)
			}
		}
		if tab.List {
			lists++
		}
	}
	if lists != 2 || len(first) != 4*len(tabs)-3*lists-1 {
		t.Errorf("%d files for %d tables, %d of them lists", len(first), len(tabs), lists)
	}
	must.Do(t, writeTables(dir, tables.Clustering(g.frame())))
	same(t, disktest.Folder(t, dir), first)
}

func TestWriteErrors(t *testing.T) {
	for _, name := range []string{"", "../up", "a/b", "A", "a b", ".hidden", "-x", "a\x00", strings.Repeat("a", 101)} {
		dir := t.TempDir()
		if err := writeTables(dir, []table.Table{{Name: "good"}, {Name: name}}); err == nil || !strings.HasPrefix(err.Error(), "reports: ") {
			t.Errorf("%q: error %v", name, err)
		}
		if files := disktest.Folder(t, dir); len(files) != 0 {
			t.Errorf("%q: wrote %d files before the error", name, len(files))
		}
	}
	if err := writeTables(t.TempDir(), []table.Table{{Name: "x"}, {Name: "x"}}); err == nil {
		t.Error("the same name twice is no error")
	}
	// The folder's place is taken by a file.
	path := filepath.Join(t.TempDir(), "file")
	must.Do(t, os.WriteFile(path, nil, 0o666))
	var pathError *fs.PathError
	if err := writeTables(path, []table.Table{{Name: "x"}}); !errors.As(err, &pathError) {
		t.Errorf("error %v", err)
	}
	// A file's place is taken by a folder: no temporary file stays behind.
	dir := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(dir, "x.txt"), 0o777))
	if err := writeTables(dir, []table.Table{{Name: "x"}}); err == nil {
		t.Error("a folder in a file's place is no error")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v remain, %v", entries, err)
	}
}

// sampleTable holds every kind of cell and text that each format must escape.
func sampleTable() table.Table {
	marked := table.MeanStd(71.754, 0.8349)
	marked.Mark = table.MarkFewer + table.MarkGrid
	return table.Table{
		Name:  "sample",
		Title: "50 % of A_1 & B|C",
		Columns: table.Columns{
			{Title: "data set", Key: true}, {Title: "score", Right: true, Spread: true},
			{Title: "difference", Right: true}, {Title: "note, with a comma"},
		},
		Rows: [][]table.Cell{
			{table.Txt("GDL_lambda"), table.MeanStd(70.02, 0.3), table.Diff(1.5), table.Txt(`a|b "quoted", \back`)},
			{table.Txt("[x]"), marked, table.Diff(-0.31), table.Txt("<b>#1 $5 50% & ~ ^ {} `code` *star* --- ")},
			{table.Txt("line\nbreak\x1b[2J"), table.None(), table.None(), {}},
			{table.Txt("small"), table.Num(1.25e-7, -1), table.Diff(-0.001), table.Txt("naïve Übung")},
		},
		Notes: []string{"50 % off_by_one & more.", "* marks."},
	}
}

func TestFormatsGolden(t *testing.T) {
	forms := sampleTable().Forms()
	must.Check(t, len(forms), 4, "forms")
	for _, f := range forms {
		var b bytes.Buffer
		must.Do(t, f.Render(&b, sampleTable()))
		golden.Check(t, "testdata/sample"+f.Ending, b.String())
	}
}

func TestRowsMustFit(t *testing.T) {
	bad := sampleTable()
	bad.Rows = append(bad.Rows, []table.Cell{table.Txt("short")})
	for _, f := range bad.Forms() {
		must.Panic(t, "reports: ", map[string]func(){f.Ending: func() { _ = f.Render(io.Discard, bad) }})
	}
}
