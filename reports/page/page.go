package page

import (
	"cmp"
	"embed"
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

//go:embed page.html page.css deviations.toml
var pageFiles embed.FS

// Figure is a picture for the page, as [Folder.Draw] has drawn it.
type Figure struct {
	Title string
	Alt   string // what it shows, in words
	// SVG is the whole file. It stands on the page as it is, so it must be this program's own.
	SVG string
}

// Page is what the HTML pages of a run are made of.
type Page struct {
	Frame   *summary.Frame
	Tables  []table.Table // that depend on the records alone
	Timed   []table.Table // that hold durations
	Figures []Figure
	// TimedFigures hold durations.
	TimedFigures []Figure
	Config       string // the text of the configuration
}

// HTML writes the run's page: the verdicts and their counts, figures, tables, links to the lists
// of cells and configurations, failures, configuration, provenance, and where the
// project departs from the paper. Timed and TimedFigures are not read. Everything that comes from
// records or the configuration is escaped; figures are taken as they are.
func HTML(w io.Writer, p Page) error {
	v := newView(p, false)
	verdicts, unasked := tables.Verdicts(p.Frame)
	counts := paper.CountOutcomes(verdicts)
	for _, o := range paper.Outcomes() {
		if len(verdicts) > 0 && (o.Always() || counts[o] > 0) {
			v.Counts = append(v.Counts, outcomeCount{o, o.Class(), counts[o]})
		}
	}
	v.Verdicts, v.Unasked = len(verdicts), unasked
	v.figures(p.Figures)
	var judged, rest []table.Table
	for _, t := range p.Tables {
		if slices.ContainsFunc(t.Columns, func(c table.Column) bool { return c.Name == paper.VerdictColumn }) {
			judged = append(judged, t)
		} else {
			rest = append(rest, t)
		}
	}
	v.Verdict, v.Tables = v.tables(judged), v.tables(rest)
	if len(judged) > 0 && summary.IsClustering(p.Frame.Table) {
		v.Rules = append(v.Rules, paper.VerdictRule)
		if p.Frame.Confirm > 0 {
			v.Rules = append(v.Rules, paper.SelectionRule)
		}
	}
	v.Failures, v.MoreFailures = failures(p.Frame)
	v.Config = p.Config
	v.Provenance = v.tables(provenance(p.Frame))
	v.Deviations = v.tables([]table.Table{DeviationsTable()})
	return v.write(w)
}

// TimingsHTML writes the page of durations: the tables that hold them, and a link to the list of
// every cell with its time. Two runs give two pages.
func TimingsHTML(w io.Writer, p Page) error {
	v := newView(p, true)
	v.figures(p.TimedFigures)
	v.Tables = v.tables(p.Timed)
	return v.write(w)
}

// view is what the template shows.
type view struct {
	Title, Name string
	Timings     bool // the page of durations
	CSP         string
	Style       template.CSS
	Statuses    []statusCount
	Cellcount   int
	Counts      []outcomeCount
	Verdicts    int // printed numbers that the configuration asks for
	Unasked     int // and those that it does not
	Verdict     []tableView
	Rules       []string // of the verdicts, beside their table
	Figures     []figureView
	Tables      []tableView
	Lists       []tableView

	Failures     []failure
	MoreFailures int
	Config       string
	Provenance   []tableView
	Deviations   []tableView
}

type outcomeCount struct {
	Outcome paper.Outcome
	Class   string
	N       int
}

type statusCount struct {
	Status string
	N      int
}

type figureView struct {
	Title, Alt string
	SVG        template.HTML
}

// tableView is a table as it stands on the page: its rows written out, or, of a list and where there are
// many, a link to its CSV.
type tableView struct {
	Name, Title string
	Head        []headView
	Rows        [][]cellView
	Notes       []string
	Warnings    []string
	File        string // the CSV that has the rows; "" where they are written out
	Total       int
}

type headView struct {
	Name  string
	Right bool
}

type cellView struct {
	Text   string
	Class  string // "n" numbers, "m" missing, "l" long texts, "v-..." verdicts
	Header bool   // row header
}

// longText is how many bytes a column may not be narrow for.
const longText = 30

// writtenRows is how many rows of a table are written out at most: those of the paper's whole grid are.
const writtenRows = 400

func newView(p Page, timings bool) *view {
	name := p.Frame.Name
	if name == "" {
		name = "results"
	}
	v := &view{Name: name, Title: name, Timings: timings}
	if timings {
		v.Title += ": durations"
	}
	v.Style = template.CSS(pageFile("page.css"))
	// No request leaves the page, and no script runs.
	v.CSP = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
	counts := map[string]int{}
	for r := range p.Frame.All() {
		counts[r.Status()]++
		v.Cellcount++
	}
	for _, s := range append([]string{record.OK}, tables.Statuses()...) {
		if counts[s] > 0 {
			v.Statuses = append(v.Statuses, statusCount{s, counts[s]})
		}
	}
	return v
}

func pageFile(name string) string {
	b, err := pageFiles.ReadFile(name)
	if err != nil {
		panic("reports: " + err.Error()) // built in
	}
	return string(b)
}

// figures prepares figures for the page.
func (v *view) figures(figs []Figure) {
	for _, f := range figs {
		v.Figures = append(v.Figures, figureView{Title: f.Title, Alt: f.Alt, SVG: template.HTML(f.SVG)})
	}
}

// tables prepares tables for the page, and sets lists apart.
func (v *view) tables(tabs []table.Table) []tableView {
	var out []tableView
	for _, t := range tabs {
		t.Check()
		w := tableView{Name: t.Name, Title: cmp.Or(t.Title, t.Name), Total: len(t.Rows)}
		if t.Each != nil {
			for range t.Each {
				w.Total++
			}
		}
		for _, n := range t.Notes {
			if strings.HasPrefix(n, "Warning:") {
				w.Warnings = append(w.Warnings, n)
			} else {
				w.Notes = append(w.Notes, n)
			}
		}
		for _, c := range t.Columns {
			w.Head = append(w.Head, headView{c.Name, c.Right})
		}
		if t.List || len(t.Rows) > writtenRows {
			w.File = t.Name + table.CSVEnding
		}
		if t.List {
			v.Lists = append(v.Lists, w)
			continue
		}
		if w.File != "" {
			out = append(out, w)
			continue
		}
		for _, row := range t.Rows {
			var cells []cellView
			for j, c := range row {
				x := cellView{Text: c.Plain(), Header: t.Columns[j].Key}
				switch {
				case c.Kind == table.Missing && t.Columns[j].Right:
					x.Class = "m n"
				case c.Kind == table.Missing:
					x.Class = "m"
				case t.Columns[j].Right:
					x.Class = "n"
				case len(x.Text) > longText:
					x.Class = "l"
				case t.Columns[j].Name == paper.VerdictColumn && c.Kind == table.Text:
					x.Class = "v " + paper.Outcome(x.Text).Class()
				}
				cells = append(cells, x)
			}
			w.Rows = append(w.Rows, cells)
		}
		out = append(out, w)
	}
	return out
}

// provenance says what computed the records, and from which data.
func provenance(f *summary.Frame) []table.Table {
	code := table.Table{Name: "provenance", Title: "What computed the cells", Columns: []table.Column{
		{Name: "code", Key: true}, {Name: "revision"}, {Name: "Go"}, {Name: "architecture"}, {Name: "cells", Right: true}}}
	data := table.Table{Name: "data", Title: "Data that the cells were computed from", Columns: []table.Column{
		{Name: "data set", Key: true}, {Name: "digest"}, {Name: "loader version", Right: true}, {Name: "cells", Right: true}}}
	methods := table.Table{Name: "methods", Title: "Versions of the methods", Columns: []table.Column{
		{Name: "method", Key: true}, {Name: "version", Right: true}, {Name: "cells", Right: true}}}
	type set struct {
		name, digest string
		version      int
	}
	type version struct {
		method string
		n      int
	}
	code.Notes = []string{"Sources are a digest of all code that decides numbers, however the program was built. Revisions are those of the checkouts, " +
		"where the build knew them; they alone name the code of older records."}
	type built struct{ code, goVersion, arch string }
	byCode, byData, byMethod := map[built]int{}, map[set]int{}, map[version]int{}
	revisions := map[built]map[string]bool{}
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
		byMethod[version{x.Method, r.MethodVersion}]++
	}
	for _, b := range slices.SortedFunc(maps.Keys(byCode), func(a, b built) int {
		return cmp.Or(cmp.Compare(a.code, b.code), cmp.Compare(a.goVersion, b.goVersion), cmp.Compare(a.arch, b.arch))
	}) {
		code.Rows = append(code.Rows, []table.Cell{orUnknown(b.code), orUnknown(tables.List(revisions[b])), orUnknown(b.goVersion), orUnknown(b.arch), table.Int(byCode[b])})
	}
	for _, s := range slices.SortedFunc(maps.Keys(byData), func(a, b set) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.digest, b.digest), cmp.Compare(a.version, b.version))
	}) {
		data.Rows = append(data.Rows, []table.Cell{table.Txt(s.name), orUnknown(s.digest), table.Int(s.version), table.Int(byData[s])})
	}
	for _, m := range slices.SortedFunc(maps.Keys(byMethod), func(a, b version) int {
		return cmp.Or(cmp.Compare(a.method, b.method), cmp.Compare(a.n, b.n))
	}) {
		methods.Rows = append(methods.Rows, []table.Cell{table.Txt(m.method), table.Int(m.n), table.Int(byMethod[m])})
	}
	return []table.Table{code, methods, data}
}

func orUnknown(s string) table.Cell {
	if s == "" {
		return table.Txt("not known")
	}
	return table.Txt(s)
}

// failure is one way in which cells ended without a result.
type failure struct {
	Status, Reason, Stack string
	Cells                 []string // what they were, at most failureCells
	More                  int
	N                     int
}

const (
	failureKinds = 100
	failureCells = 10
)

// failures groups the cells that ended without a result by status, reason and stack; the
// most frequent first. more counts the kinds left out.
func failures(f *summary.Frame) (out []failure, more int) {
	type key struct{ status, reason, stack string }
	at := map[key]*failure{}
	for r := range f.All() {
		if r.Record == nil || r.Record.Status == record.OK {
			continue
		}
		k := key{r.Record.Status, r.Record.Reason, r.Record.Stack}
		x := at[k]
		if x == nil {
			x = &failure{Status: k.status, Reason: cmp.Or(k.reason, "no reason recorded"), Stack: k.stack}
			at[k] = x
		}
		x.N++
		if len(x.Cells) < failureCells {
			x.Cells = append(x.Cells, fmt.Sprintf("%s: %s %s, seed %d, repetition %d", r.ID, r.Dataset, r.Method, r.BaseSeed, r.Repetition))
		} else {
			x.More++
		}
	}
	for _, x := range at {
		out = append(out, *x)
	}
	slices.SortFunc(out, func(a, b failure) int {
		return cmp.Or(-cmp.Compare(a.N, b.N), cmp.Compare(a.Status, b.Status), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Stack, b.Stack))
	})
	if len(out) > failureKinds {
		out, more = out[:failureKinds], len(out)-failureKinds
	}
	return out, more
}

func (v *view) write(w io.Writer) error {
	t, err := template.New("page.html").ParseFS(pageFiles, "page.html")
	if err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	if err := t.Execute(w, v); err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	return nil
}
