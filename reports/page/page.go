// Package page writes the HTML pages of a run.
package page

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"ogdl/reports/tables"
)

var (
	//go:embed page.html
	pageText string
	//go:embed sheet.html
	sheetText string
	//go:embed page.css
	pageStyle string
)

// Figure is a picture for the page, as it was drawn for the folder.
type Figure struct {
	Title string
	Alt   string // what it shows, in words
	// SVG is the whole file. The page contains it as it is, so it must be this program's own.
	SVG   template.HTML
	Files []string // paths of the picture and its numbers, from the page
}

// Page is the content of the HTML pages of a run.
type Page struct {
	Frame    *summary.Frame
	Tables   []table.Table   // without durations: they depend on the records alone
	Timed    []table.Table   // with durations; one with the paper's layout is at the top of the page
	Verdicts []paper.Verdict // on the values of the paper that the configuration asks for
	Unasked  int             // the number of values of the paper that it does not ask for
	Leading  []Figure        // come before the tables
	Figures  []Figure
	// TimedFigures have durations.
	TimedFigures []Figure
	Clusters     []Clusters
	Config       string // the text of the configuration
}

// Clusters is a link to the clusters of the graphs in the selected setting of a row.
type Clusters struct {
	Row  string
	File string // path from the page; "": the clusters are lost
}

// HTML writes the run's page: a sentence on the configuration, the outcome, the leading figures, the main tables,
// links to the clusters of the graphs, and the other figures. All other tables are folded, as are links to the lists of
// runs and settings, configuration and provenance. Of Timed HTML reads only tables with the paper's layout, and no TimedFigures. It escapes everything that
// comes from records or the configuration, and takes figures as they are.
func HTML(w io.Writer, p Page) error {
	v := newView(p, p.Figures)
	v.Picture, v.Lede, v.Unasked = v.picture(), lede(p.Config), paper.UnaskedNote(p.Unasked)
	counts := paper.CountOutcomes(p.Verdicts)
	for _, o := range paper.Outcomes() {
		if counts[o] > 0 {
			v.Counts = append(v.Counts, count{o.Of(counts[o]), o.Class()})
		}
	}
	first := Foremost(p.Tables)
	v.First = table.Map(summary.Pick(p.Timed, printed), func(t table.Table) shown { return filed(t, timingsFolder) })
	for _, t := range p.Tables {
		x := filed(t, "")
		switch {
		case slices.ContainsFunc(first, func(x table.Table) bool { return x.Name == t.Name }):
			v.First = append(v.First, x)
		case t.Main:
			v.Further = append(v.Further, x)
		case t.List:
			v.Lists = append(v.Lists, x)
		default:
			v.Rest = append(v.Rest, x)
		}
	}
	v.Failures, v.Provenance = failures(p.Frame), provenance(p.Frame)
	return execute(w, "page.html", v)
}

// Foremost returns the tables that a reader looks for first: those with the paper's layout. Without any it returns the first
// table that is not a list.
func Foremost(all []table.Table) []table.Table {
	if first := summary.Pick(all, printed); len(first) > 0 {
		return first
	}
	others := summary.Pick(all, func(t table.Table) bool { return !t.List })
	return others[:min(1, len(others))]
}

// printed reports whether a table has the paper's layout.
func printed(t table.Table) bool { return t.Printed }

// timingsFolder is the folder of files with durations, from the page.
const timingsFolder = "timings/"

// TimingsHTML writes the page of durations: their tables, and a link to the list of
// every run with its time. Two runs give two pages.
func TimingsHTML(w io.Writer, p Page) error {
	v := newView(p, p.TimedFigures)
	v.Timings, v.Leading, v.Title, v.Date = true, nil, v.Title+": durations", latest(p.Frame)
	for _, t := range p.Timed {
		if x := filed(t, ""); t.List {
			v.Lists = append(v.Lists, x)
		} else {
			v.First = append(v.First, x)
		}
	}
	return execute(w, "page.html", v)
}

// view is what the template shows.
type view struct {
	Page
	Title, Name string
	Timings     bool    // the page of durations
	Date        string  // of the latest run, 2006-01-02, on the page of durations; "": not known
	Picture     string  // path of the first picture; "": none
	Lede        string  // the first sentence of the configuration
	Cells       string  // the number of runs, and how they ended
	Counts      []count // of verdicts
	Unasked     string
	Drawn       []Figure
	First       []shown // tables before the figures
	Further     []shown // main tables of other data sets
	Rest, Lists []shown // folded

	Failures   []failure
	Provenance []table.Table
}

// count is a number of verdicts.
type count struct{ Text, Class string }

// shown is a table on the page, without blank columns. A list, and a table of a run with many rows, is a link to its CSV.
type shown struct {
	table.Table
	Keys              int      // the number of key columns, which are one on the page
	Files             []string // paths of the files with the table, from the page
	Linked            string   // path of the CSV that has the rows, from the page; "": the page has them
	Warnings, Remarks []string // its notes
}

// longText is the number of bytes from which a column is wide.
const longText = 30

// writtenRows is the largest number of rows that the page writes out: the paper's whole grid has fewer.
const writtenRows = 400

// policy lets no request leave the page, and no script run.
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

func newView(p Page, drawn []Figure) *view {
	name := cmp.Or(p.Frame.Name, "results")
	return &view{Page: p, Name: name, Title: name, Drawn: drawn,
		Cells: strings.Replace(tables.CellsSentence(p.Frame), "cell", "run", 1)}
}

// picture returns the path of the SVG file of the first figure; "" without any.
func (v *view) picture() string {
	for _, f := range slices.Concat(v.Leading, v.Figures) {
		for _, file := range f.Files {
			if path.Ext(file) == ".svg" {
				return file
			}
		}
	}
	return ""
}

// sentence finds the end of a sentence and the beginning of the next one.
var sentence = regexp.MustCompile(`\. \p{Lu}`)

// longest is the number of letters of a lede, which is in the head of its page.
const longest = 500

// lede returns the first sentence of the comment at the top of a configuration, or the beginning of a long one.
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
	if end := sentence.FindStringIndex(all); end != nil {
		all = all[:end[0]+1]
	}
	if letters := []rune(all); len(letters) > longest {
		all = strings.TrimSpace(string(letters[:longest])) + " ..."
	}
	return all
}

// filed prepares a table of a run, whose files are in this folder.
func filed(t table.Table, folder string) shown {
	x := shownOf(t)
	x.Files = table.Map(t.Forms(), func(form table.Form) string { return folder + t.Name + form.Ending })
	if t.List || len(t.Rows) > writtenRows {
		x.Linked = folder + t.Name + table.CSVEnding
	}
	return x
}

// shownOf prepares a table for a page.
func shownOf(t table.Table) shown {
	if !t.List {
		t = t.Filled()
	}
	t.Title = cmp.Or(t.Title, t.Name)
	x := shown{Table: t}
	for x.Keys < len(t.Columns) && t.Columns[x.Keys].Key {
		x.Keys++
	}
	for _, n := range t.Notes {
		if strings.HasPrefix(n, "Warning:") {
			x.Warnings = append(x.Warnings, n)
		} else {
			x.Remarks = append(x.Remarks, n)
		}
	}
	return x
}

// class is the style of a cell: "n" numbers, "m" missing, "l" long texts, "v v-..." verdicts.
func class(column table.Column, c table.Cell) string {
	switch {
	case c.Kind == table.Missing && column.Numeric():
		return "m n"
	case c.Kind == table.Missing:
		return "m"
	case c.Class != "":
		return "n v " + c.Class
	case column.Numeric():
		return "n"
	case len(c.Plain()) > longText:
		return "l"
	case column.Title == paper.VerdictColumn.Title && c.Kind == table.Text:
		return "v " + paper.Outcome(c.Plain()).Class()
	}
	return ""
}

// ending is the ending of a file's name in capitals.
func ending(file string) string { return strings.ToUpper(strings.TrimPrefix(path.Ext(file), ".")) }

// Listed is a run in the list of a folder's runs.
type Listed struct {
	Name, About string
	Date        string // of the latest run, 2006-01-02; "": not known
	Picture     string // path of a picture from the folder; "": none
}

// List writes the page that lists runs.
func List(w io.Writer, runs []Listed) error { return execute(w, "list", runs) }

// templates are the pages.
var templates = sync.OnceValue(func() *template.Template {
	t := template.New("page.html").Funcs(template.FuncMap{"class": class, "ending": ending, "shown": shownOf,
		"policy": func() string { return policy }, "style": func() template.CSS { return template.CSS(pageStyle) }})
	return template.Must(template.Must(t.Parse(pageText)).New("sheet.html").Parse(sheetText)) // built in
})

func execute(w io.Writer, name string, data any) error {
	if err := templates().ExecuteTemplate(w, name, data); err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	return nil
}

// Sheet is a page of its own, in sections, without a configuration.
type Sheet struct {
	Title    string
	Lead     []string // paragraphs below the title
	Warnings []string
	Sections []Section
}

// File is a file next to the page. Holds describes its content, in words that follow the name.
type File struct{ Name, Holds string }

// Section is a part of a sheet: texts, files, figures, lists, tables in that order.
type Section struct {
	ID, Title string
	Text      []string
	Files     []File
	Figures   []Figure
	Lists     []Links
	Tables    []table.Table
}

// Links are a row of links, each to a figure that is seen while its link is followed.
type Links struct {
	Title   string
	Entries []Entry
}

// Entry is one of them. Figure is nil where an earlier entry has it.
type Entry struct {
	ID, Name string
	Figure   *Figure
}

// HTML writes the page. Texts are escaped; figures are taken as they are.
func (s Sheet) HTML(w io.Writer) error { return execute(w, "sheet.html", s) }
