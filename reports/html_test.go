package reports

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"ogdl/internal/record"
	"ogdl/internal/test/must"
	"ogdl/reports/page"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"ogdl/reports/tables"
)

// hostile is what no field may bring onto the page as markup.
const hostile = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>&amp;]]>--></pre></title></style>{{.}}` + "\u2028"

// hostilePage has s in every field that a page reads.
func hostilePage(s string) page.Page {
	e := summary.Expected{ID: "00aa" + s, Method: s, Dataset: s, Params: map[string]any{s: s, "alpha": s}, BaseSeed: 1}
	other := summary.Expected{ID: "00ab" + s, Method: s, Dataset: s, Params: map[string]any{s: 1, "alpha": 2}, BaseSeed: 1, Repetition: 1}
	of := func(e summary.Expected, r record.Record) record.Record {
		r.ID, r.Method, r.Dataset, r.Params, r.BaseSeed, r.Repetition = e.ID, e.Method, e.Dataset, e.Params, e.BaseSeed, e.Repetition
		r.Digest, r.Notes, r.EpochLoss = s, []string{s, s}, []float64{1, 2}
		r.Provenance = record.Provenance{Revision: s, GoVersion: s, GOARCH: s}
		return r
	}
	recs := []record.Record{
		of(e, record.Record{Status: record.Failed, Reason: s, Stack: s}),
		of(other, record.Record{Status: record.OK, Scores: map[string]float64{"ri": 0.5, s: 1}}),
	}
	timings := []record.Timing{{ID: e.ID, Seconds: 1, Host: s, CPU: s}}
	frame := (&grid{summary.Spec{Name: s}, []summary.Expected{e, other}, recs}).timed(timings, nil)
	tabs := append(tables.Clustering(frame), table.Table{Name: s, Title: s, Columns: table.Columns{{Title: s, Key: true}, {Title: s}},
		Rows: [][]table.Cell{{table.Txt(s), table.Txt(s)}}, Notes: []string{s, "Warning: " + s}})
	long := table.Table{Name: s, Title: s, Columns: table.Columns{{Title: s, Key: true}}}
	for range 400 + 1 { // a link
		long.Rows = append(long.Rows, []table.Cell{table.Txt(s)})
	}
	return page.Page{
		Frame: frame, Tables: append(tabs, long), Timed: []table.Table{long}, Config: s,
		Figures: []page.Figure{{Title: s, Alt: s, SVG: "<svg></svg>"}},
	}
}

// What the pages' own markup is made of.
var (
	ownTags = strings.Fields("html head meta title style body a header h1 h2 h3 p dl div dt dd nav ul li main noscript section details summary pre " +
		"table caption thead tbody tr th td figure figcaption strong svg desc g path rect text span img time")
	ownAttributes = strings.Fields("lang charset http-equiv content name class href id aria-label aria-labelledby role tabindex scope hidden " +
		"viewBox xmlns width height style transform d x y colspan src alt loading")
	anyTag       = regexp.MustCompile(`<[^>]*>`)
	anyAttribute = regexp.MustCompile(`\s([^\s="]+)(?:="([^"]*)")?`)
)

// checkMarkup fails on markup that the template does not have.
func checkMarkup(t *testing.T, shownPage string) {
	t.Helper()
	before, rest, _ := strings.Cut(shownPage, "<style>")
	_, rest, ok := strings.Cut(rest, "</style>")
	if !ok {
		t.Fatal("no style")
	}
	for _, tag := range anyTag.FindAllString(before+rest, -1) {
		inside := strings.Trim(tag, "</>")
		name, attributes, _ := strings.Cut(inside, " ")
		if strings.EqualFold(inside, "!DOCTYPE html") {
			continue
		}
		if !slices.Contains(ownTags, name) {
			t.Errorf("tag %s", tag)
		}
		for _, a := range anyAttribute.FindAllStringSubmatch(" "+attributes, -1) {
			if !slices.Contains(ownAttributes, a[1]) {
				t.Errorf("attribute %q of %s", a[1], tag)
			}
			if a[1] == "href" && !strings.HasPrefix(a[2], "#") && a[2] != "timings/index.html" && !strings.HasSuffix(a[2], "/index.html") &&
				!slices.Contains([]string{".csv", ".txt", ".md", ".tex", ".svg", ".png", ".pdf", ".npz"}, path.Ext(a[2])) {
				t.Errorf("link %s", tag)
			}
		}
	}
}

func pageOf(t *testing.T, render func(*bytes.Buffer) error) string {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, render(&b))
	return b.String()
}

func index(t *testing.T, p page.Page) string {
	t.Helper()
	return pageOf(t, func(b *bytes.Buffer) error { return page.HTML(b, p) })
}

func timingsPage(t *testing.T, p page.Page) string {
	t.Helper()
	return pageOf(t, func(b *bytes.Buffer) error { return page.TimingsHTML(b, p) })
}

func TestPageEscapes(t *testing.T) {
	p := hostilePage(hostile)
	swept := sweptGrid()
	for i := range swept.asked {
		swept.asked[i].Dataset, swept.recs[i].Dataset = hostile, hostile
	}
	figs, _, _ := drawnOf(swept.frame(), nil)
	for i := range figs {
		figs[i].Title, figs[i].Alt = hostile, hostile
	}
	var err error
	if p.Figures, err = writeFigures(t.TempDir(), figs); err != nil || len(p.Figures) == 0 || !strings.Contains(string(p.Figures[0].SVG), "alert(1)") {
		t.Fatalf("%d figures, %v", len(p.Figures), err)
	}
	p.TimedFigures = p.Figures
	checkMarkup(t, index(t, p))
	checkMarkup(t, timingsPage(t, p))
}

func FuzzPage(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		p := hostilePage(s)
		for _, shownPage := range []string{index(t, p), timingsPage(t, p)} {
			checkMarkup(t, shownPage)
		}
	})
}

func samplePage() page.Page {
	g, timings := sampleGrid()
	return pageWith(g, timings)
}

func sampleGrid() (*grid, []record.Timing) {
	g := &grid{spec: summary.Spec{Name: "sample"}}
	for rep := range 5 {
		g.put("MUTAG", "GDL", p(0.5, 0, 4), rep, 0.70+0.001*float64(rep), 0.1, 0.25, 0, 1, 1, 0).EpochLoss = []float64{3, 2}
		r := g.put("MUTAG", "GDL", p(0.5, 0.1, 4), rep, 0.80, 0.1, 0.25, 0, 1, 1, 0)
		r.Notes, r.NPZSum = []string{"a note of the cell"}, strings.Repeat("ab", 32)
	}
	g.leave(g.ask("BZR", "GDL", p(0.5, 0, 4), 0), record.Record{Status: record.Failed, Reason: "it broke here", Stack: "goroutine 1"})
	g.ask("BZR", "GDL", p(0.5, 0, 4), 1)
	return g, []record.Timing{{ID: g.recs[0].ID, Seconds: 12.3456, CPUSeconds: 11, PeakRSS: 5e6, Host: "the-host", Started: time.Unix(1, 0)}}
}

func pageWith(g *grid, timings []record.Timing) page.Page {
	frame := g.timed(timings, nil)
	tabs, timed := tablesOf(frame)
	verdicts, unasked := verdictsOf(frame)
	return page.Page{Frame: frame, Tables: tabs, Timed: timed, Verdicts: verdicts, Unasked: unasked, Config: "# What this is,\n# in one sentence. And more.\n\nseed = 1 # of this configuration",
		Figures: []page.Figure{{Title: "Atoms", Alt: "Two atoms.", Files: []string{"figures/atoms.pdf"}, SVG: `<svg viewBox="0 0 200 100"><path d="M0,0L1,1"/></svg>`}}}
}

func TestPage(t *testing.T) {
	p := samplePage()
	shownPage := index(t, p)
	checkMarkup(t, shownPage)
	for _, want := range []string{
		"<h1>sample</h1>", "Of 3 values of the paper:", "The paper has 45 more, which this configuration does not ask for.",
		`<span class="v v-agree">1 agrees</span>`, `<span class="v v-higher">1 higher</span>`, `<td class="v v-higher">higher</td>`,
		`<td class="n v v-higher">80.00 (0.00)</td>`, "<p>What this is, in one sentence.</p>", `content="What this is, in one sentence. Of 3 values of the paper: 1 agrees, 1 higher, 1 missing. 12 runs: 10 ok, 1 failed, 1 missing."`,
		"The verdict rests on the 95 % interval of the difference of means", `<span class="v v-missing">1 missing</span>`,
		`<a href="clustering_layout.tex">TEX</a>`, `<a href="figures/atoms.pdf">PDF</a>`,
		"12 runs: 10 ok, 1 failed, 1 missing.", "it broke here", "goroutine 1", "seed = 1 # of this configuration",
		"<caption><span>Code of the runs</span></caption>", "abc", "go1.26", "amd64", "d1", "docs/deviations.md",
		`viewBox="0 0 200 100"`, "Two atoms.", `href="timings/index.html"`, "a note of the cell",
	} {
		must.Contain(t, strings.ToLower(shownPage), strings.ToLower(want))
	}
	for _, tab := range p.Tables {
		want := `id="table-` + tab.Name + `"`
		if tab.List {
			want = `href="` + tab.Name + `.csv"`
		}
		must.Contain(t, shownPage, want)
	}
	for _, secret := range []string{"the-host", "12.346", "12.3456"} {
		if strings.Contains(shownPage, secret) {
			t.Errorf("the page holds a timing: %s", secret)
		}
	}
	timed := timingsPage(t, p)
	must.Contain(t, timed, "12.35", `href="../index.html"`, `href="timing_cells.csv"`)
}

// TestPageFirstScreen: leading figures come before the tables; the durations that a configuration asks for are on its page.
func TestPageFirstScreen(t *testing.T) {
	p := samplePage()
	p.Leading, p.Figures = p.Figures, nil
	p.Leading[0].Files = []string{"figures/atoms.svg"}
	text := index(t, p)
	picture, tab := strings.Index(text, "Two atoms."), strings.Index(text, `id="table-clustering_layout"`)
	if picture < 0 || tab < picture || !strings.Contains(text, `<meta name="picture" content="figures/atoms.svg">`) {
		t.Errorf("the figure is at %d, the table at %d", picture, tab)
	}
	g, timings := timed()
	made := makeOf(g.timed(timings, nil), nil)
	text = index(t, made.page)
	must.Contain(t, text, `<td class="n">104.0</td>`, `href="timings/runtimes.csv"`)
}

// Many rows are in a file beside the page, which links to it.
func TestPageLinksToLongTables(t *testing.T) {
	tab := table.Table{Name: "long", Title: "long", Columns: table.Columns{{Title: "name", Key: true}}}
	for range 400 {
		tab.Rows = append(tab.Rows, []table.Cell{table.Txt("a row")})
	}
	shownPage := index(t, page.Page{Frame: (&grid{}).frame(), Tables: []table.Table{tab}})
	same(t, strings.Count(shownPage, "a row"), 400)
	more := tab
	more.Rows = append(more.Rows, []table.Cell{table.Txt("a row")})
	few := tab
	few.Name, few.List, few.Rows = "few", true, tab.Rows[:1]
	shownPage = index(t, page.Page{Frame: (&grid{}).frame(), Tables: []table.Table{more, few}})
	if strings.Contains(shownPage, "a row") || !strings.Contains(shownPage, `401 rows, in <a href="long.csv">`) || !strings.Contains(shownPage, `<a href="few.csv">few.csv</a>: long, 1 row.`) {
		t.Error("long tables and lists are not links alone")
	}
	// A table of times is in another folder, and the tables of a sheet have no files.
	timed := more
	timed.Printed = true
	shownPage = index(t, page.Page{Frame: (&grid{}).frame(), Timed: []table.Table{timed}})
	must.Contain(t, shownPage, `401 rows, in <a href="timings/long.csv">long.csv</a>`)
	sheet := pageOf(t, func(b *bytes.Buffer) error {
		return page.Sheet{Sections: []page.Section{{Tables: []table.Table{more}}}}.HTML(b)
	})
	if same(t, strings.Count(sheet, "a row"), 401); strings.Contains(sheet, "long.csv") {
		t.Error("a sheet links to a file that is not there")
	}
}

func TestWritePages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results", "x")
	p := samplePage()
	p.Config = "the text"
	f := NewFolder(dir)
	must.Do(t, errors.Join(f.Pages(p), f.Write(t.Context())))
	for path, want := range map[string]string{"index.html": index(t, p), "timings/index.html": timingsPage(t, p), "configuration.toml": "the text"} {
		got, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil || string(got) != want {
			t.Errorf("%s: %d bytes of %d, %v", path, len(got), len(want), err)
		}
	}
}

// BenchmarkPage renders the page of 80,000 cells.
func BenchmarkPage(b *testing.B) {
	g := &grid{spec: summary.Spec{Name: "large"}}
	for i := range 16_000 {
		for rep := range 5 {
			r := g.put("MUTAG", "GDL", map[string]any{"alpha": float64(i%40) / 40, "lambda": float64(i / 40 % 20), "atoms": i / 800, "epochs": 40}, rep,
				0.5+float64(i%97)/300+float64(rep)/1000, 0.1, 1/float64(i+1), 0, 1, 1, 0)
			r.ID = fmt.Sprintf("%016x", uint64(i*5+rep)*0x9e3779b97f4a7c15)
			g.asked[len(g.asked)-1].ID = r.ID
			r.EpochLoss = []float64{1 / float64(i+1), 2 / float64(i+rep+1)}
		}
	}
	frame := g.frame()
	p := page.Page{Frame: frame, Tables: tables.Clustering(frame)}
	size := 0
	for b.Loop() {
		var out bytes.Buffer
		must.Do(b, page.HTML(&out, p))
		size = out.Len()
	}
	b.ReportMetric(float64(size)/1e6, "MB")
}
