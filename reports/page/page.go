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

	"ogdl/internal/words"
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
	// SVG is the whole file. The page contains it as it is, so it must be this program's own.
	SVG   template.HTML
	Files []string // paths of the picture and its numbers, from the page
}

// Page is the content of the HTML pages of a run.
type Page struct {
	Frame    *summary.Frame
	Tables   []table.Table   // without durations: they depend on the records alone
	Timed    []table.Table   // with durations
	Answer   []table.Table   // with durations that the configuration asks for: the first is at the top of the page
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
// links to the clusters of the graphs, and the other figures. All other tables are folded, as are rows without a run,
// links to the lists of runs and settings, arrays, configuration and provenance. HTML reads neither Timed nor
// TimedFigures. It escapes everything that comes from records or the configuration, and takes figures as they are.
func HTML(w io.Writer, p Page) error {
	v := newView(p, p.Figures)
	v.Picture = v.picture()
	v.Lede = lede(p.Config)
	counts := paper.CountOutcomes(p.Verdicts)
	for _, o := range paper.Outcomes() {
		if counts[o] > 0 {
			v.Counts = append(v.Counts, count{o.Of(counts[o]), o.Class()})
		}
	}
	v.Unasked = paper.UnaskedNote(p.Unasked)
	first := foremost(p.Tables)
	for _, t := range p.Answer[:min(1, len(p.Answer))] {
		v.First = append(v.First, v.shown(t, timingsFolder).fold())
	}
	for _, t := range p.Tables {
		x := v.shown(t, "")
		switch {
		case first(t):
			v.First = append(v.First, x.fold())
		case t.Main:
			v.Further = append(v.Further, x.fold())
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

// foremost selects the first tables of the page: those laid out as the paper's, else those with verdicts, else the
// first that is not a list.
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

// timingsFolder is the folder of files with durations, from the page.
const timingsFolder = "timings/"

// TimingsHTML writes the page of durations: their tables, and a link to the list of
// every run with its time. Two runs give two pages.
func TimingsHTML(w io.Writer, p Page) error {
	v := newView(p, p.TimedFigures)
	v.Timings, v.Leading, v.Title, v.Date = true, nil, v.Title+": durations", latest(p.Frame)
	for _, t := range p.Timed {
		if x := v.shown(t, ""); t.List {
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
	Date        string  // of the latest run, 2006-01-02, on the page of durations; "": not known
	Picture     string  // path of the first picture; "": none
	Lede        string  // the first sentence of the configuration
	Cells       string  // the number of runs, and how they ended
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

// count is a number of verdicts.
type count struct{ Text, Class string }

// shown is a table on the page: its rows, or a link to its CSV for a list and where there are many rows.
type shown struct {
	table.Table
	Head     string // of the key columns, which are one on the page
	Values   []table.Column
	Lines    []line
	Narrow   *narrow // the table for narrow screens; nil: the same
	Absent   string  // the rows and columns that Lines lacks, for want of runs; "": none
	All      *shown  // the table with these
	Remarks  []string
	Warnings []string
	Files    []string // paths of the files with the table, from the page
	Linked   bool     // the rows are in the file alone
	Total    int
}

// line is a row: its keys, and its values.
type line struct {
	Keys   []string
	Values []value
}

type value struct {
	Text, Class string
	state       state
}

// state is the part that runs have in a value.
type state int

const (
	apart state = iota // none: a level, a value of the paper, a text, nothing
	ours               // they gave it
	lacks              // they could give it
)

// ours reports whether runs gave a value of the row, lacks whether they could give one.
func (l line) ours() bool {
	return slices.ContainsFunc(l.Values, func(v value) bool { return v.state == ours })
}
func (l line) lacks() bool {
	return slices.ContainsFunc(l.Values, func(v value) bool { return v.state == lacks })
}

// narrow is a table of the paper with its values and ours as columns of one row, method by method.
type narrow struct {
	Values []table.Column
	Groups []group
}

// Width returns the number of columns.
func (n *narrow) Width() int { return len(n.Values) + 1 }

// group is the rows of one method, a data set each.
type group struct {
	Name  string
	Lines []line
}

// longText is the number of bytes from which a column is wide.
const longText = 30

// writtenRows is the largest number of rows that the page writes out: the paper's whole grid has fewer.
const writtenRows = 400

// policy lets no request leave the page, and no script run.
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

func newView(p Page, drawn []Figure) *view {
	name := cmp.Or(p.Frame.Name, "results")
	v := &view{Page: p, Name: name, Title: name, Drawn: drawn, Style: template.CSS(pageStyle)}
	v.CSP = policy
	v.Cells = strings.Replace(tables.CellsSentence(p.Frame), "cell", "run", 1)
	return v
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

// lede returns the first sentence of the comment at the top of a configuration.
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
	return all
}

// shown prepares a table of a run, whose files are in this folder.
func (v *view) shown(t table.Table, folder string) shown {
	x := shownOf(t)
	for _, form := range table.Forms() {
		if !t.List || form.Ending == table.CSVEnding {
			x.Files = append(x.Files, folder+t.Name+form.Ending)
		}
	}
	return x
}

// fold returns the table without the rows to which no run has given a value; All has them. From a table laid out as
// the paper's it takes data sets without a value too, and gives it its form for narrow screens.
func (x shown) fold() shown {
	if x.Linked {
		return x
	}
	all := x
	x.Narrow, x.Lines = narrowOf(x.Table), nil
	together := func(a, b line) bool { // rows of one method
		n := len(a.Keys) - 1
		return laid(x.Table) && slices.Equal(a.Keys[:n], b.Keys[:n])
	}
	var absent []string
	for rest := all.Lines; len(rest) > 0; {
		n := 1
		for n < len(rest) && together(rest[0], rest[n]) {
			n++
		}
		if rows := rest[:n]; slices.ContainsFunc(rows, line.ours) || !slices.ContainsFunc(rows, line.lacks) {
			x.Lines = append(x.Lines, rows...)
		}
		rest = rest[n:]
	}
	if n := len(all.Lines) - len(x.Lines); n > 0 {
		absent = append(absent, words.Plural(n, "row", "rows"))
	}
	for j := len(x.Values) - 1; laid(x.Table) && j >= 0; j-- {
		if slices.ContainsFunc(x.Lines, func(l line) bool { return l.Values[j].state == ours }) {
			continue
		}
		absent = append(absent, x.Values[j].Title)
		x.Values = slices.Delete(slices.Clone(x.Values), j, j+1)
		for i, l := range x.Lines {
			x.Lines[i].Values = slices.Delete(slices.Clone(l.Values), j, j+1)
		}
	}
	if len(absent) > 0 {
		x.Absent, x.All = strings.Join(absent, ", "), &all
	}
	return x
}

// laid reports whether a table has methods down and data sets across, as the paper's tables of scores.
func laid(t table.Table) bool {
	return t.Printed && !slices.ContainsFunc(t.Columns, func(c table.Column) bool { return !c.Key && !c.Spread }) && t.Long != nil
}

// paperColumn names the rows and columns of the paper's values.
const paperColumn = "paper"

// narrowOf returns the table for narrow screens, with the rows that have a value of ours; nil for a table that is not
// laid out as the paper's.
func narrowOf(t table.Table) *narrow {
	if !laid(t) {
		return nil
	}
	x := shownOf(*t.Long)
	last := len(x.Values)
	if judged(x.Table) {
		last-- // the verdict is a colour and a sign here
	}
	n := &narrow{Values: x.Values[:last]}
	for _, l := range x.Lines {
		if !l.ours() {
			continue
		}
		k := len(l.Keys) - 1
		name := strings.Join(l.Keys[:k], " ")
		if g := len(n.Groups); g == 0 || n.Groups[g-1].Name != name {
			n.Groups = append(n.Groups, group{Name: name})
		}
		g := &n.Groups[len(n.Groups)-1]
		g.Lines = append(g.Lines, line{Keys: l.Keys[k:], Values: l.Values[:last]})
	}
	return n
}

// shownOf prepares a table for a page, without blank columns.
func shownOf(t table.Table) shown {
	if !t.List {
		t = t.Filled()
	}
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
	spread := slices.ContainsFunc(x.Values, func(c table.Column) bool { return c.Spread && c.Title != paperColumn })
	for _, row := range t.Rows {
		var l line
		for _, c := range row[:keys] {
			if c.Kind == table.Blank {
				c = table.Txt("")
			}
			l.Keys = append(l.Keys, c.Plain())
		}
		for j, c := range row[keys:] {
			v := value{c.Plain(), class(x.Values[j], c), apart}
			switch fromPaper := x.Values[j].Title == paperColumn || laid(t) && row[keys-1].Text == paperColumn; {
			case c.Kind == table.Missing, laid(t) && c.Kind == table.Text:
				v.state = lacks
			case c.Kind == table.Number && !fromPaper && (c.HasStd || !spread):
				v.state = ours
			}
			l.Values = append(l.Values, v)
		}
		x.Lines = append(x.Lines, l)
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
	Badges      []Badge
	Date        string // of the latest run, 2006-01-02; "": not known
	Picture     string // path of a picture from the folder; "": none
}

// Badge is an outcome in the list of runs, with the name of its style.
type Badge struct{ Text, Class string }

// List writes the page that lists runs.
func List(w io.Writer, runs []Listed) error {
	return execute(w, "list", struct {
		CSP   string
		Style template.CSS
		Runs  []Listed
	}{policy + "; img-src 'self' file:", template.CSS(pageStyle), runs})
}

func (v *view) write(w io.Writer) error { return execute(w, "page.html", v) }

// templates are the pages.
var templates = sync.OnceValue(func() *template.Template {
	t := template.New("page.html").Funcs(template.FuncMap{"ending": ending, "shown": shownOf})
	return template.Must(template.Must(t.Parse(pageText)).New("sheet.html").Parse(sheetText)) // built in
})

func execute(w io.Writer, name string, data any) error {
	if err := templates().ExecuteTemplate(w, name, data); err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	return nil
}
