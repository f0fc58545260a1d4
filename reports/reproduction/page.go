package reproduction

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"text/template"

	"ogdl/reports/paper"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Part is a configuration of the paper's with its results.
type Part struct {
	Config   string
	Scores   bool           // its rows are compared with the paper's values
	Choices  bool           // it changes choices that the paper leaves open: no verdicts
	Commands bool           // its settings come from the released commands: a table of its own
	Small    bool           // a small grid of our own: its values are counted apart
	Cells    int            // that its grid asks for
	Left     float64        // hours of one core that the missing cells take, as far as is known
	MayBe    float64        // further hours, of cells that races ask for unless they rule them out
	Frame    *summary.Frame // nil: nothing of it has run
	Tables   []table.Table  // that the pages show
	// Figures are paths of pictures, TablesFile the path of a page with tables ("": none), from the
	// folder of the pages other than the first.
	Figures    []string
	TablesFile string
}

// Page is the input of the pages.
type Page struct {
	Parts  []Part
	Ledger string // path, for the commands
	// Reasons is the text of the file of that name: causes of differences.
	ReasonsFile, Reasons string
	Authors              []byte // runs of the authors' code, as scripts/compare_with_released.sh writes them; nil: none
}

// Made is everything that is written.
type Made struct {
	Files    []plots.File // the pages by their names from the folder docs; the first page comes first
	Tables   []table.Table
	Pictures []plots.Figure
}

// tabled is a table of the paper with its values and ours.
type tabled struct {
	name, Title string
	suffix      string // of a data set's name, where another table has the data set too
	Numbers     []*Number
}

// titled are the tables that the pages have, in order.
var titled = []tabled{
	{name: summary.TableClustering, Title: "Clustering"},
	{name: summary.TableEnzymes, Title: "ENZYMES, batches of 64", suffix: ", batches of 64"},
	{name: summary.TableGWKMeans, Title: "GW k-means", suffix: ", GW k-means"},
	{name: summary.TableClassification, Title: "Classification"},
}

// Nested reports whether the table is of accuracies, not of Rand Indices.
func (t tabled) Nested() bool { return t.name == summary.TableClassification }

// content is what the templates of the pages read.
type content struct {
	*Page
	byHand
	Tables   []tabled
	all      []*Number
	Commands []table.Table // by the settings of the released commands, a table for each number of graphs in a batch
	Code     code
}

//go:embed pages
var pages embed.FS

// templates are the texts of the pages.
var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"again": (*Number).again, "anchor": (*Number).anchor, "capital": capital, "cause": (*Number).cause, "dash": dash, "escape": escape, "explained": (*Number).explained, "grid": grid,
	"commandRows": commandRows, "inPaper": (*Number).printedCell, "seen": (*Number).seen, "show": show,
	"stem": func(file string) string { return strings.TrimSuffix(path.Base(file), ".svg") }, "where": (*Number).where,
	"wholeGrid": func() gridKind { return wholeGrid },
}).ParseFS(pages, "pages/*"))

// Mark is in each of the pages.
const Mark = "<!-- Written by `ogdl verdicts`"

// Pages returns the files of the pages.
func Pages() []string {
	return []string{"reproduction.md", "reproduction/values.md", "reproduction/evidence.md", "reproduction/choices.md", "reproduction/runs.md"}
}

// Make makes the pages, the tables of verdicts and of choices, and the pictures. Equal frames and
// reasons give equal bytes. Errors come from the reasons.
func (p *Page) Make() (*Made, error) {
	c, m := &content{Page: p}, &Made{}
	scored := summary.Pick(p.Parts, func(part Part) bool { return part.Scores })
	for _, t := range titled {
		t.Numbers = numbersOf(t.name, scored)
		c.Tables, c.all = append(c.Tables, t), append(c.all, t.Numbers...)
	}
	m.Pictures = []plots.Figure{picture(c.Tables[:3]...), picture(c.Tables[3])}
	var err, wrong error
	if c.byHand, err = join(p.ReasonsFile, p.Reasons, c.all, p.Parts); err != nil {
		return nil, err
	}
	m.Tables = table.Map(c.Tables, tabled.values)
	c.Code, wrong = authors(p.Authors)
	of := func(table, config string) []*Number {
		return numbersOf(table, summary.Pick(p.Parts, func(part Part) bool { return part.Config == config }))
	}
	for _, t := range []table.Table{
		commands("verdicts_clustering_released", "Batches of 16", c.Tables[0].Numbers, of(summary.TableClustering, "clustering_released")),
		commands("verdicts_clustering_batches", "Batches of 32", of(summary.TableClustering, "clustering_batches_text"),
			of(summary.TableClustering, "clustering_batches")),
		commands("verdicts_clustering_enzymes_batches", "Batches of 64", c.Tables[1].Numbers, of(summary.TableEnzymes, "clustering_enzymes_batches")),
	} {
		if len(t.Rows) > 0 {
			c.Commands, m.Tables = append(c.Commands, t), append(m.Tables, t)
		}
	}
	for _, part := range p.Parts {
		if part.Choices {
			m.Tables = append(m.Tables, part.Tables...)
		}
	}
	for _, name := range Pages() {
		var b bytes.Buffer
		wrong = errors.Join(wrong, templates.ExecuteTemplate(&b, path.Base(name)+".tmpl", c))
		m.Files = append(m.Files, plots.File{Name: name, Data: b.Bytes()})
	}
	return m, wrong
}

// escape makes plain text of a name.
func escape(text string) string {
	return strings.NewReplacer("_", `\_`, "*", `\*`, "#", `\#`).Replace(text)
}

// capital returns a text with a capital letter at its beginning.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// dash is a cell in Markdown, or a dash.
func dash(c table.Cell) string {
	if text := c.Plain(); c.Kind != table.Blank && text != "" {
		return escape(text)
	}
	return "-"
}

// grid returns a table whose cells are Markdown; "" without rows.
func grid(head string, rows [][]string) string {
	if len(rows) == 0 {
		return ""
	}
	text := "\n| " + head + " |\n" + strings.Repeat("|---", strings.Count(head, "|")+1) + "|\n"
	for _, row := range rows {
		text += "| " + strings.Join(row, " | ") + " |\n"
	}
	return text
}

// show returns a table as Markdown. The row of each number, where there are numbers, begins with its anchor.
func show(t table.Table, numbers ...*Number) (string, error) {
	var text bytes.Buffer
	if err := table.Markdown(&text, t); err != nil {
		return "", err
	}
	b, i := "\n", -2 // the header and the rule
	for line := range strings.Lines(text.String()) {
		if strings.HasPrefix(line, "|") {
			if i >= 0 && i < len(numbers) {
				line = fmt.Sprintf("| <a id=%q></a>%s", numbers[i].anchor(), line[1:])
			}
			i++
		}
		b += line
	}
	return b, nil
}

// Values is the table of verdicts with the anchors of its rows.
func (t tabled) Values() (string, error) { return show(t.values(), t.Numbers...) }

// alike is the span in points of a data set's Rand Indices in the paper, below which agreement says little.
const alike = 2

// answer is the answer to whether the paper holds.
type answer struct {
	Short           string
	Counts          []counted
	Trivial         counted // the first of Counts at or below the trivial level
	Ours            int     // our selected values at or below it
	Width           float64 // median width of the intervals of accuracies that agree
	InPaper, InOurs [3]int  // data sets on which GDL is above GW-k, undecided, and below
	Partly, Missing int     // values that are not counted: on a part of a grid or a small one, and without a verdict
	Hours, Most     float64 // of the missing cells, without and with those that races may rule out
	HigherSC        int     // of the first of Counts, higher values of SC
	Alike           counted // of the first table, on data sets where its values in the paper span less than alike
	Open            counted // accuracies on data sets where none is decided
	Tables          string  // how many of the Rand Indices each table has
	First           int     // values of the first table that have run, on whichever grid
}

// AtTrivial reports whether the paper's value is at or below the score of one single cluster or of random labels.
func (n *Number) AtTrivial() bool { return n.Row != nil && n.Mean <= n.trivial() }

// counted are the verdicts on some values.
type counted struct {
	What                                   string
	Total, Agree, Higher, Lower, Undecided int
}

// Answer counts the verdicts by the paper's protocol and on fresh repetitions.
func (c *content) Answer() (a answer) {
	on := func(nested, whole bool) []*Number {
		return summary.Pick(c.all, func(n *Number) bool {
			return (n.Table == summary.TableClassification) == nested && (n.Grid == wholeGrid) == whole
		})
	}
	of := func(what string, numbers []*Number, verdict func(*Number) value) counted {
		n := paper.Counts{}
		for _, x := range numbers {
			n[verdict(x).Outcome]++
		}
		x := counted{what, 0, n[paper.Agrees], n[paper.Higher], n[paper.Lower], n[paper.Undecided]}
		x.Total = x.Agree + x.Higher + x.Lower + x.Undecided
		return x
	}
	count := func(what string, nested, whole bool, verdict func(*Number) value) {
		a.Counts = append(a.Counts, of(what, on(nested, whole), verdict))
	}
	count("Rand Indices, selected", false, true, selected)
	count("Rand Indices, re-run", false, true, rerun)
	count("accuracies", true, true, selected)
	count("Rand Indices on a part of the grid or a small one, selected", false, false, selected)
	count("accuracies on a part of the grid or a small one", true, false, selected)
	a.Short = "In part"
	switch r, s := a.Counts[0], a.Counts[2]; {
	case r.Agree+s.Agree+r.Higher+s.Higher+r.Lower+s.Lower == 0:
		a.Short = "Not known yet"
	case r.Higher+s.Higher+r.Lower+s.Lower == 0:
		a.Short = "Yes, as far as it is decided"
	case r.Agree+s.Agree == 0:
		a.Short = "No"
	}
	for _, part := range c.Parts {
		a.Hours += part.Left
		a.Most += part.Left + part.MayBe
	}
	a.Hours, a.Most = math.Ceil(a.Hours), math.Ceil(a.Most)
	a.Partly = len(summary.Pick(c.all, func(n *Number) bool { return n.ran() && n.Grid != wholeGrid }))
	a.Missing = len(summary.Pick(c.all, func(n *Number) bool { return !n.ran() }))
	a.Trivial = of("", summary.Pick(on(false, true), (*Number).AtTrivial), selected)
	a.Ours = len(summary.Pick(on(false, true), func(n *Number) bool { return n.ran() && n.Selected.Ours <= n.trivial() }))
	a.HigherSC = len(summary.Pick(on(false, true), func(n *Number) bool { return n.Method == "SC" && is(n.Selected, paper.Higher) }))
	where := func(numbers []*Number, fits func([]*Number) bool) (out counted) {
		var names []string
		var there []*Number
		for _, x := range summary.Groups(numbers, (*Number).dataset) {
			if fits(x) {
				names, there = append(names, x[0].Dataset), append(there, x...)
			}
		}
		return of(strings.Join(names, ", "), there, selected)
	}
	a.Alike = where(c.Tables[0].Numbers, func(x []*Number) bool {
		lowest := slices.MinFunc(x, func(a, b *Number) int { return cmp.Compare(a.Mean, b.Mean) })
		highest := slices.MaxFunc(x, func(a, b *Number) int { return cmp.Compare(a.Mean, b.Mean) })
		return highest.Mean-lowest.Mean < alike
	})
	a.Open = where(on(true, true), func(x []*Number) bool {
		return !slices.ContainsFunc(x, func(n *Number) bool { return is(n.Selected, paper.Agrees, paper.Higher, paper.Lower) })
	})
	var widths []float64
	for _, n := range on(true, true) {
		if is(n.Selected, paper.Agrees) {
			widths = append(widths, n.Selected.High-n.Selected.Low)
		}
	}
	if slices.Sort(widths); len(widths) > 0 {
		a.Width = (widths[(len(widths)-1)/2] + widths[len(widths)/2]) / 2
	}
	var tables []string
	for _, t := range c.Tables {
		whole := func(n *Number) bool { return n.Grid == wholeGrid && n.ran() }
		if k := len(summary.Pick(t.Numbers, whole)); k > 0 && !t.Nested() {
			tables = append(tables, fmt.Sprintf("%d of %s", k, t.Title))
		}
	}
	a.Tables, a.First = strings.Join(tables, "; "), len(summary.Pick(c.Tables[0].Numbers, (*Number).ran))
	a.InPaper, a.InOurs = c.Tables[0].compare("GDL", "GW-k")
	return a
}

// Rows is the table of the counts.
func (a answer) Rows() (rows [][]string) {
	for _, c := range a.Counts {
		if c.Total > 0 {
			rows = append(rows, append([]string{c.What}, strings.Fields(fmt.Sprint(c.Total, c.Agree, c.Higher, c.Lower, c.Undecided))...))
		}
	}
	return rows
}

// Causes are the causes of differences on the paper's grid with their meanings and numbers of values.
func (c *content) Causes() (rows [][]string) {
	for _, x := range causes {
		if n := len(summary.Pick(c.DifferentOn(wholeGrid), func(n *Number) bool { return n.cause() == x[0] })); n > 0 {
			rows = append(rows, []string{x[0], x[1], fmt.Sprint(n)})
		}
	}
	return rows
}

// Different lists the values that differ or have a reason, those on the whole grid first.
func (c *content) Different() []*Number {
	return slices.Concat(c.DifferentOn(wholeGrid), c.DifferentOn(partGrid), c.DifferentOn(smallGrid))
}

// DifferentOn lists those on one kind of grid.
func (c *content) DifferentOn(g gridKind) []*Number {
	return summary.Pick(c.all, func(n *Number) bool { return n.Grid == g && (n.off() || n.Reason != nil) })
}

// layout is a table as the paper lays it out, in Markdown.
type layout struct {
	Title, Head string
	Rows        [][]string
}

// Layouts lays a table out as the paper does, of classification one for each kind of node attributes.
func (t tabled) Layouts() (out []layout) {
	kinds := [][2]string{{"", t.Title}}
	if t.Nested() {
		kinds = [][2]string{{"none", "Accuracies, graphs without attributes"}, {"discrete", "Accuracies, discrete attributes"},
			{"real", "Accuracies, vectorial attributes"}}
	}
	for _, kind := range kinds {
		numbers := summary.Pick(t.Numbers, func(n *Number) bool {
			d, _ := paper.Numbers().Dataset(n.Dataset)
			return kind[0] == "" || d.Attributes == kind[0]
		})
		datasets, methods := paper.Distinct(numbers, (*Number).dataset), paper.Distinct(numbers, (*Number).method)
		var rows [][]string
		for _, method := range methods {
			lines := [][]string{{"**" + escape(method) + "** paper"}, {"selected"}, {"re-run"}}
			again := false
			for _, d := range datasets {
				at := summary.Pick(numbers, func(n *Number) bool { return n.method() == method && n.Dataset == d })
				cells := make([]string, len(lines))
				for _, n := range at {
					cells = []string{n.printedCell().Plain(), n.linked(n.Selected), n.linked(n.Rerun)}
					again = again || n.again()
				}
				for k, cell := range cells {
					lines[k] = append(lines[k], cell)
				}
			}
			rows = append(rows, lines[:2]...)
			rows = append(rows, table.When(again, lines[2])...)
		}
		out = append(out, layout{kind[1], "method | " + strings.Join(datasets, " | "), rows})
	}
	return out
}

// linked is a value of ours with a link to its row and its verdict.
func (n *Number) linked(v value) string {
	c := v.Cell
	if c.Kind != table.Number {
		return "-"
	}
	c.Mark = ""
	mean, std, _ := strings.Cut(c.Plain(), " ")
	return fmt.Sprintf("[%s](reproduction/values.md#%s)%s %s<br>%s%s", mean, n.anchor(), []string{"", "\\#", "+"}[n.Grid], std, signs[v.Outcome],
		v.Outcome)
}
