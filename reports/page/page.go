// Package page writes the HTML pages of a run.
package page

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"path"
	"slices"
	"strings"

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
	SVG   template.HTML
	Files []string // that hold it and its numbers, beside the page
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
	Clusters     []Clusters
	Config       string // the text of the configuration
}

// Clusters is a link to the clusters of the graphs in the configuration that a row has chosen.
type Clusters struct {
	Row  string
	File string // beside the page; "": nobody knows them any more
}

// HTML writes the run's page: what was run and what came out, the paper's table with ours under each print, links to the clusters of the graphs,
// figures; then, folded, all other tables, links to the lists of cells and configurations, arrays, configuration and provenance. Timed and TimedFigures are not read. Everything
// that comes from records or the configuration is escaped; figures are taken as they are.
func HTML(w io.Writer, p Page) error {
	v := newView(p, p.Figures)
	v.Lede = lede(p.Config)
	counts := paper.CountOutcomes(p.Verdicts)
	for _, o := range paper.Outcomes() {
		if counts[o] > 0 {
			v.Counts = append(v.Counts, count{string(o), o.Class(), counts[o]})
		}
	}
	v.Unasked = paper.UnaskedNote(p.Unasked)
	first := foremost(p.Tables)
	for _, t := range p.Tables {
		x := v.shown(t)
		switch {
		case first(t):
			v.First = append(v.First, x)
		case t.Main:
			v.Further = append(v.Further, x)
		case t.List:
			v.Lists = append(v.Lists, x)
		default:
			v.Rest = append(v.Rest, x)
		}
		v.Judged = v.Judged || judged(t)
	}
	switch {
	case !v.Judged:
	case p.Frame.Table == summary.TableClassification:
		v.Rule = paper.AccuracyRule
	case summary.IsClustering(p.Frame.Table):
		v.Rule = paper.VerdictRule
	}
	v.Arrays = arrays(p.Frame)
	v.Failures, v.MoreFailures = failures(p.Frame)
	for _, t := range provenance(p.Frame) {
		v.Provenance = append(v.Provenance, shownOf(t))
	}
	return v.write(w)
}

// judged reports whether a table has verdicts.
func judged(t table.Table) bool {
	return slices.ContainsFunc(t.Columns, func(c table.Column) bool { return c.Title == paper.VerdictColumn.Title })
}

// foremost tells which tables stand first: those laid out as the paper's, else those with verdicts, else the first that is no list.
func foremost(all []table.Table) func(table.Table) bool {
	written := func(t table.Table) bool { return !t.List }
	for _, is := range []func(table.Table) bool{func(t table.Table) bool { return t.Printed }, judged} {
		if slices.ContainsFunc(all, is) {
			return is
		}
	}
	if i := slices.IndexFunc(all, written); i >= 0 {
		return func(t table.Table) bool { return t.Name == all[i].Name }
	}
	return written
}

// TimingsHTML writes the page of durations: the tables that hold them, and a link to the list of
// every cell with its time. Two runs give two pages.
func TimingsHTML(w io.Writer, p Page) error {
	v := newView(p, p.TimedFigures)
	v.Timings, v.Title = true, v.Title+": durations"
	for _, t := range p.Timed {
		if x := v.shown(t); t.List {
			v.Lists = append(v.Lists, x)
		} else {
			v.First = append(v.First, x)
		}
	}
	return v.write(w)
}

// view is what the template shows.
type view struct {
	Page
	Title, Name string
	Timings     bool // the page of durations
	CSP         string
	Style       template.CSS
	Lede        string  // what was run
	Cells       string  // how many there are, and how they ended
	Counts      []count // of verdicts
	Unasked     string
	Judged      bool
	Rule        string
	Drawn       []Figure
	First       []shown // tables before the figures
	Further     []shown // main tables of other data sets
	Rest, Lists []shown // folded

	Arrays       []arraysOf
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
	Head     string // of the key columns, which are one on the page
	Values   []table.Column
	Lines    []line
	Remarks  []string
	Warnings []string
	Files    []string // that hold the table, beside the page
	Linked   bool     // the rows stand in the file alone
	Total    int
}

// line is a row: what it is about, and its values.
type line struct {
	Keys   []string
	Values []value
}

type value struct{ Text, Class string }

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
	v.Cells = tables.CellsSentence(p.Frame)
	return v
}

// lede is the first sentence of the comment that a configuration begins with.
func lede(config string) string {
	var words []string
	for text := range strings.Lines(config) {
		comment, is := strings.CutPrefix(strings.TrimSpace(text), "#")
		if !is {
			break
		}
		words = append(words, strings.Fields(comment)...)
	}
	all := strings.Join(words, " ")
	if end := strings.Index(all, ". "); end >= 0 {
		all = all[:end+1]
	}
	return all
}

// shown prepares a table of a run, which is beside the page in all its forms.
func (v *view) shown(t table.Table) shown {
	x := shownOf(t)
	for _, form := range table.Forms() {
		if !t.List || form.Ending == table.CSVEnding {
			x.Files = append(x.Files, t.Name+form.Ending)
		}
	}
	return x
}

// shownOf prepares a table for a page.
func shownOf(t table.Table) shown {
	t.Check()
	x := shown{Table: t, Total: t.Len(), Linked: t.List || len(t.Rows) > writtenRows}
	x.Title = cmp.Or(t.Title, t.Name)
	for _, n := range t.Notes {
		if strings.HasPrefix(n, "Warning:") {
			x.Warnings = append(x.Warnings, n)
		} else {
			x.Remarks = append(x.Remarks, n)
		}
	}
	keys := max(0, slices.IndexFunc(append(slices.Clone(t.Columns), table.Column{}), func(c table.Column) bool { return !c.Key }))
	x.Values = t.Columns[keys:]
	var heads []string
	for _, c := range t.Columns[:keys] {
		heads = append(heads, c.Title)
	}
	x.Head = strings.Join(heads, ", ")
	if x.Linked {
		return x
	}
	for _, row := range t.Rows {
		var l line
		for _, c := range row[:keys] {
			l.Keys = append(l.Keys, c.Plain())
		}
		for j, c := range row[keys:] {
			l.Values = append(l.Values, value{c.Plain(), class(x.Values[j], c)})
		}
		x.Lines = append(x.Lines, l)
	}
	return x
}

// class is that of a cell: "n" numbers, "m" missing, "l" long texts, "v v-..." verdicts.
func class(column table.Column, c table.Cell) string {
	switch {
	case c.Class != "":
		return "n v " + c.Class
	case c.Kind == table.Missing && column.Numeric():
		return "m n"
	case c.Kind == table.Missing:
		return "m"
	case column.Numeric():
		return "n"
	case len(c.Plain()) > longText:
		return "l"
	case column.Title == paper.VerdictColumn.Title && c.Kind == table.Text:
		return "v " + paper.Outcome(c.Plain()).Class()
	}
	return ""
}

// ending is that of a file's name, as a word for what it is.
func ending(file string) string { return strings.ToUpper(strings.TrimPrefix(path.Ext(file), ".")) }

// Listed is a run in the list of a folder's runs.
type Listed struct{ Name, About string }

// List writes the page that lists runs.
func List(w io.Writer, runs []Listed) error {
	return execute(w, "list", struct {
		CSP   string
		Style template.CSS
		Runs  []Listed
	}{policy, template.CSS(pageStyle), runs})
}

func (v *view) write(w io.Writer) error { return execute(w, "page.html", v) }

func execute(w io.Writer, name string, data any) error {
	t := template.New("page.html").Funcs(template.FuncMap{"ending": ending, "shown": shownOf})
	template.Must(template.Must(t.Parse(pageText)).New("sheet.html").Parse(sheetText)) // built in
	if err := t.ExecuteTemplate(w, name, data); err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	return nil
}
