// Package page writes the HTML pages of a run.
package page

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"

	"ogdl/internal/record"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"ogdl/reports/tables"
)

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle string
)

// Figure is a picture for the page, as it was drawn for the folder.
type Figure struct {
	Title string
	Alt   string // what it shows, in words
	// SVG is the whole file. It stands on the page as it is, so it must be this program's own.
	SVG template.HTML
}

// Page is what the HTML pages of a run are made of.
type Page struct {
	Frame    *summary.Frame
	Tables   []table.Table   // that depend on the records alone
	Timed    []table.Table   // that hold durations
	Verdicts []paper.Verdict // on the numbers that the paper prints and the configuration asks for
	Unasked  int             // how many it prints besides
	Figures  []Figure
	// TimedFigures hold durations.
	TimedFigures []Figure
	Config       string // the text of the configuration
}

// HTML writes the run's page: the verdicts and their counts, figures, tables, links to the lists
// of cells and configurations, failures, configuration and provenance. Timed and TimedFigures are not read. Everything that comes from
// records or the configuration is escaped; figures are taken as they are.
func HTML(w io.Writer, p Page) error {
	v := newView(p, p.Figures)
	counts := paper.CountOutcomes(p.Verdicts)
	for _, o := range paper.Outcomes() {
		if len(p.Verdicts) > 0 && (o.Always() || counts[o] > 0) {
			v.Counts = append(v.Counts, count{string(o), o.Class(), counts[o]})
		}
	}
	var judged, rest []table.Table
	for _, t := range p.Tables {
		if slices.ContainsFunc(t.Columns, func(c table.Column) bool { return c.Name == paper.VerdictColumn }) {
			judged = append(judged, t)
		} else {
			rest = append(rest, t)
		}
	}
	v.Judged, v.Rest = v.shown(judged), v.shown(rest)
	switch {
	case len(judged) == 0:
	case p.Frame.Table == summary.TableClassification:
		v.Rules = []string{paper.AccuracyRule}
	case summary.IsClustering(p.Frame.Table):
		v.Rules = append([]string{paper.VerdictRule}, table.When(p.Frame.Confirm > 0, paper.SelectionRule)...)
	}
	v.Failures, v.MoreFailures = failures(p.Frame)
	v.Provenance = v.shown(provenance(p.Frame))
	return v.write(w)
}

// TimingsHTML writes the page of durations: the tables that hold them, and a link to the list of
// every cell with its time. Two runs give two pages.
func TimingsHTML(w io.Writer, p Page) error {
	v := newView(p, p.TimedFigures)
	v.Timings, v.Title = true, v.Title+": durations"
	v.Rest = v.shown(p.Timed)
	return v.write(w)
}

// view is what the template shows.
type view struct {
	Page
	Title, Name  string
	Timings      bool // the page of durations
	CSP          string
	Style        template.CSS
	Statuses     []count
	Cellcount    int
	Counts       []count // of verdicts
	Rules        []string
	Drawn        []Figure
	Judged, Rest []shown // tables with verdicts, and the others
	Lists        []shown

	Failures     []failure
	MoreFailures int
	Provenance   []shown
}

// count is how many there are of something.
type count struct {
	Name, Class string
	N           int
}

// shown is a table as it stands on the page: its rows written out, or, of a list and where there are
// many, a link to its CSV.
type shown struct {
	table.Table
	Remarks  []string
	Warnings []string
	File     string // the CSV that has the rows; "" where they are written out
	Total    int
}

// longText is how many bytes a column may not be narrow for.
const longText = 30

// writtenRows is how many rows of a table are written out at most: those of the paper's whole grid are.
const writtenRows = 400

// policy lets no request leave the page, and no script run.
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

func newView(p Page, drawn []Figure) *view {
	name := cmp.Or(p.Frame.Name, "results")
	v := &view{Page: p, Name: name, Title: name, Drawn: drawn, Style: template.CSS(pageStyle)}
	v.CSP = policy
	counts := map[string]int{}
	for r := range p.Frame.All() {
		counts[r.Status()]++
		v.Cellcount++
	}
	for _, s := range append([]string{record.OK}, tables.Statuses()...) {
		if counts[s] > 0 {
			v.Statuses = append(v.Statuses, count{Name: s, N: counts[s]})
		}
	}
	return v
}

// shown prepares tables for the page, and sets lists apart.
func (v *view) shown(tabs []table.Table) []shown {
	var out []shown
	for _, t := range tabs {
		t.Check()
		w := shown{Table: t, Total: t.Len()}
		w.Title = cmp.Or(t.Title, t.Name)
		for _, n := range t.Notes {
			if strings.HasPrefix(n, "Warning:") {
				w.Warnings = append(w.Warnings, n)
			} else {
				w.Remarks = append(w.Remarks, n)
			}
		}
		if t.List || len(t.Rows) > writtenRows {
			w.File = t.Name + table.CSVEnding
		}
		if t.List {
			v.Lists = append(v.Lists, w)
		} else {
			out = append(out, w)
		}
	}
	return out
}

// class is that of a cell: "n" numbers, "m" missing, "l" long texts, "v-..." verdicts.
func class(column table.Column, c table.Cell) string {
	switch {
	case c.Kind == table.Missing && column.Right:
		return "m n"
	case c.Kind == table.Missing:
		return "m"
	case column.Right:
		return "n"
	case len(c.Plain()) > longText:
		return "l"
	case column.Name == paper.VerdictColumn && c.Kind == table.Text:
		return "v " + paper.Outcome(c.Plain()).Class()
	}
	return ""
}

// provenance says what computed the records, and from which data.
func provenance(f *summary.Frame) []table.Table {
	code := table.Table{Name: "provenance", Title: "What computed the cells",
		Columns: table.Columns("*code", "revision", "Go", "architecture", ">cells"),
		Notes: []string{"Sources are a digest of all code that decides numbers, however the program was built. Revisions are those of the " +
			"checkouts, where the build knew them; they alone name the code of older records."}}
	methods := table.Table{Name: "methods", Title: "Versions of the methods", Columns: table.Columns("*method", ">version", ">cells")}
	data := table.Table{Name: "data", Title: "Data that the cells were computed from",
		Columns: table.Columns("*data set", "digest", ">loader version", ">cells")}
	type built [3]string // code, Go, architecture
	type set struct {
		name, digest string
		version      int
	}
	byCode, byData, revisions := map[built]int{}, map[set]int{}, map[built]map[string]bool{}
	byMethod := map[set]int{} // without a digest
	for x := range f.All() {
		r := x.Record
		if r == nil {
			continue
		}
		b := built{r.Provenance.Code(), r.Provenance.GoVersion, r.Provenance.GOARCH}
		byCode[b]++
		if revisions[b] == nil {
			revisions[b] = map[string]bool{}
		}
		if r.Provenance.Revision != "" {
			revisions[b][r.Provenance.Revision] = true
		}
		byData[set{x.Dataset, r.Digest, r.LoaderVersion}]++
		byMethod[set{x.Method, "", r.MethodVersion}]++
	}
	for _, b := range slices.SortedFunc(maps.Keys(byCode), func(a, b built) int { return slices.Compare(a[:], b[:]) }) {
		code.Add(tables.OrUnknown(b[0]), tables.OrUnknown(tables.List(revisions[b])), tables.OrUnknown(b[1]), tables.OrUnknown(b[2]),
			table.Int(byCode[b]))
	}
	compare := func(a, b set) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.digest, b.digest), cmp.Compare(a.version, b.version))
	}
	for _, s := range slices.SortedFunc(maps.Keys(byData), compare) {
		data.Add(table.Txt(s.name), tables.OrUnknown(s.digest), table.Int(s.version), table.Int(byData[s]))
	}
	for _, m := range slices.SortedFunc(maps.Keys(byMethod), compare) {
		methods.Add(table.Txt(m.name), table.Int(m.version), table.Int(byMethod[m]))
	}
	return []table.Table{code, methods, data}
}

// failure is one way in which cells ended without a result.
type failure struct {
	Status, Reason, Stack string
	Cells                 []string // what they were, at most failureCells
	N                     int
}

// More is how many cells are not named.
func (f *failure) More() int { return f.N - len(f.Cells) }

const (
	failureKinds = 100
	failureCells = 10
)

// failures groups the cells that ended without a result by status, reason and stack; the
// most frequent first. more counts the kinds left out.
func failures(f *summary.Frame) (out []failure, more int) {
	at := map[[3]string]int{}
	for r := range f.All() {
		if r.Record == nil || r.OK() {
			continue
		}
		k := failure{Status: r.Record.Status, Reason: cmp.Or(r.Record.Reason, "no reason recorded"), Stack: r.Record.Stack}
		i, seen := at[[3]string{k.Status, k.Reason, k.Stack}]
		if !seen {
			i, out = len(out), append(out, k)
			at[[3]string{k.Status, k.Reason, k.Stack}] = i
		}
		x := &out[i]
		x.N++
		if len(x.Cells) < failureCells {
			x.Cells = append(x.Cells, fmt.Sprintf("%s: %s %s, seed %d, repetition %d", r.ID, r.Dataset, r.Method, r.BaseSeed, r.Repetition))
		}
	}
	slices.SortFunc(out, func(a, b failure) int {
		return cmp.Or(-cmp.Compare(a.N, b.N), cmp.Compare(a.Status, b.Status), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Stack, b.Stack))
	})
	kept := min(len(out), failureKinds)
	return out[:kept], len(out) - kept
}

func (v *view) write(w io.Writer) error { return write(w, "page.html", v) }

// write fills one of the built-in templates.
func write(w io.Writer, name string, v any) error {
	t := template.New("page.html").Funcs(template.FuncMap{"class": class, "shown": (&view{}).shown})
	template.Must(template.Must(t.Parse(pageText)).New("sheet.html").Parse(sheetText))
	if err := t.ExecuteTemplate(w, name, v); err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	return nil
}
