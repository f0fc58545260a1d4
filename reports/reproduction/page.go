package reproduction

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"ogdl/reports/figures"
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
	Frame    *summary.Frame // nil: nothing of it has run
	Tables   []table.Table  // that the pages show
	// Figures are paths of pictures, TablesFile the path of a page with tables ("": none), from the
	// folder of the pages other than the first.
	Figures    []string
	TablesFile string
}

// of reports whether the rows of the part are compared with this table of the paper.
func (p *Part) of(tab string) bool { return p.Scores && p.Frame != nil && p.Frame.Family.Name == tab }

// Page is the input of the pages.
type Page struct {
	Parts  []Part
	Ledger string // path, for the commands
	// Reasons is the text of the file of that name: causes of differences.
	ReasonsFile, Reasons string
	Notes                []string // further remarks on the ledger
	Authors              []byte   // runs of the authors' code, as scripts/compare_with_released.sh writes them; nil: none
}

// File is one of the pages.
type File struct {
	Name string // from the folder docs
	Text []byte
}

// Made is everything that is written.
type Made struct {
	Files    []File // the first page comes first
	Tables   []table.Table
	Pictures []plots.Figure
}

// section is a group of the paper's tables, which is counted apart.
type section struct {
	title, scores  string // scores: the kind of values, in the plural
	unit           string
	tables, titles []string
}

var sections = []section{
	{"Clustering", "Rand Indices", "Rand Index, %", []string{summary.TableClustering, summary.TableEnzymes, summary.TableGWKMeans},
		[]string{"Clustering", "ENZYMES, batches of 64", "GW k-means"}},
	{"Classification", "accuracies", "accuracy, %", []string{summary.TableClassification}, []string{"Classification"}},
}

// of returns the numbers of the section.
func (s *section) of(numbers map[string][]*Number) (out []*Number) {
	for _, name := range s.tables {
		out = append(out, numbers[name]...)
	}
	return out
}

// page is Markdown that is being written.
type page struct{ bytes.Buffer }

func (b *page) w(format string, args ...any) { fmt.Fprintf(b, format, args...) }

// grid writes a table whose cells are Markdown.
func (b *page) grid(head string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	b.w("\n| %s |\n%s|\n", head, strings.Repeat("|---", strings.Count(head, "|")+1))
	for _, row := range rows {
		b.w("| %s |\n", strings.Join(row, " | "))
	}
}

// show writes tables; row i of a table begins with the anchor of numbers[i], where there are numbers.
func (b *page) show(numbers []*Number, tabs ...table.Table) error {
	for _, t := range tabs {
		var text bytes.Buffer
		if err := table.Markdown(&text, t); err != nil {
			return err
		}
		b.WriteByte('\n')
		i := -2 // the header and the rule
		for line := range strings.Lines(text.String()) {
			if strings.HasPrefix(line, "|") {
				if i >= 0 && i < len(numbers) {
					line = fmt.Sprintf("| <a id=%q></a>%s", numbers[i].anchor(), line[1:])
				}
				i++
			}
			b.WriteString(line)
		}
	}
	return nil
}

const generated = "<!-- Written by `ogdl verdicts`: change %s, not this page. -->\n"

// escape makes plain text of a name.
var escape = strings.NewReplacer("_", `\_`, "*", `\*`, "#", `\#`).Replace

// Make makes the pages, the tables of verdicts and of choices, and the pictures. Equal frames and
// reasons give equal bytes. Errors come from the reasons.
func (p *Page) Make() (*Made, error) {
	numbers := map[string][]*Number{}
	var all []*Number
	for _, s := range sections {
		for _, name := range s.tables {
			numbers[name] = numbersOf(name, p.Parts)
			all = append(all, numbers[name]...)
		}
	}
	given, err := join(p.ReasonsFile, p.Reasons, all)
	if err != nil {
		return nil, err
	}
	var first, rows, evidence, choices, rest page
	m := &Made{Pictures: pictures(numbers)}
	fail := func(e error) { err = errors.Join(err, e) }
	for b, title := range map[*page]string{&first: "Does the paper hold?", &rows: "Every value of the " +
		"paper", &evidence: "Why values differ: the evidence",
		&choices: "Choices that the paper leaves open", &rest: "Runs, tables and figures"} {
		b.w("# %s\n\n"+generated, title, p.ReasonsFile)
	}

	first.w("\n%s", picture("reproduction/", m.Pictures[0]))
	p.answer(&first, numbers)
	first.w("\n## The tables of the paper\n\nEach value of ours links to its row, which names the selected setting. The "+
		"rows are the paper's value, ours by the paper's protocol "+
		"(*selected*), and ours on fresh seeds of the selected setting (*re-run*).\n\n%s", key)
	for _, s := range sections {
		if s.title == "Classification" {
			first.w("\n%s", picture("reproduction/", m.Pictures[1]))
		}
		for k, name := range s.tables {
			layouts(&first, s.titles[k], name, numbers[name])
			rows.w("\n## %s\n", s.titles[k])
			t := values(name, s.titles[k]+": verdicts", numbers[name])
			fail(rows.show(numbers[name], untitled(t)))
			m.Tables = append(m.Tables, t)
		}
	}

	first.w("\n## Why values differ\n\nThe causes, with one sentence for each value; [evidence](reproduction/evidence.md) " +
		"has the details.\n")
	var meanings [][]string
	for _, c := range causes {
		if n := len(kept(all, func(n *Number) bool { return n.cause() == c[0] })); n > 0 {
			meanings = append(meanings, []string{c[0], c[1], fmt.Sprint(n)})
		}
	}
	first.grid("cause | meaning | values", meanings)
	for _, g := range []grid{wholeGrid, partGrid, smallGrid} {
		var list [][]string
		for _, n := range kept(all, func(n *Number) bool { return (n.off() || n.Reason != nil) && n.Grid == g }) {
			list = append(list, n.because(&evidence))
		}
		if len(list) > 0 {
			first.w("\n### On %s\n", g)
			first.grid("value | cause | why", list)
		}
	}

	if t := p.commands(numbers[summary.TableClustering]); len(t.Rows) > 0 {
		first.w("\n## The settings of the released commands\n\nThe authors' README runs other steps (0.01 for structures " +
			"and features), other epochs and 11 alphas. " +
			"clustering\\_released.toml runs these settings whole.\n")
		fail(first.show(nil, untitled(t)))
		m.Tables = append(m.Tables, t)
	}
	authors, wrong := authors(p.Authors)
	if fail(wrong); len(authors.Rows) > 0 {
		first.w("\n## The authors' code on the same data\n\nscripts/compare\\_with\\_released.sh runs the released code, " +
			"unmodified (commit ceee505 of its repository), and ogdl " +
			"at the same settings. [released.csv](reproduction/released.csv) has each run.\n")
		fail(first.show(nil, untitled(authors)))
	}
	fail(findings(&first, numbers))
	rows.w("\n## Which method is above which\n\nThe number of data sets on which the first method is above the second, " +
		"undecided, or below, by the 95 %% interval of the " +
		"difference of their means. Ours: re-run, on the paper's whole grid.\n")
	fail(rows.show(nil, order(numbers)))

	first.w("\n## What has not run\n")
	if given.NotRun != "" {
		first.w("\n%s\n", given.NotRun)
	}
	missing := p.missing()
	fail(first.show(nil, missing))
	first.w("\n## How to check one value\n\n```sh\nscripts/fetch_tudatasets.sh all\ngo run ./experiments check MUTAG GDL\n```\n\nThe second command finds " +
		"the selected setting in the ledger, computes one run of it again, and compares the score with the ledger and the paper. " +
		"[Reproduce one number](reproduction/one_number.md) has more.\n")
	first.w("\n## More\n\n- [Every value](reproduction/values.md): verdicts, intervals, settings\n- [Evidence](reproduction/evidence.md) on values that differ\n"+
		"- [Choices that the paper leaves open](reproduction/choices.md)\n- [Runs, tables and figures](reproduction/runs.md): commands, hours, %d states of the code\n"+
		"- [Where this project departs from the paper](deviations.md)\n", len(p.codes(given.Commits)))

	choices.w("\nThe score where one choice is made otherwise. No value here is selected, and none is in the counts.\n")
	for _, part := range p.Parts {
		if part.Choices {
			fail(choices.show(nil, part.Tables...))
			m.Tables = append(m.Tables, part.Tables...)
		}
	}
	p.rest(&rest, given.Commits, fail)
	m.Files = []File{{"reproduction.md", first.Bytes()}, {"reproduction/values.md", rows.Bytes()},
		{"reproduction/evidence.md", evidence.Bytes()},
		{"reproduction/choices.md", choices.Bytes()}, {"reproduction/runs.md", rest.Bytes()}}
	return m, err
}

const key = "🟢= agrees: the 95 % interval of ours less the paper's contains 0 and is at most 6 points wide (accuracies: " +
	"15). ⚪? undecided: the interval contains 0 and is wider. " +
	"🔵▲ higher, 🔴▼ lower: the interval excludes 0. # marks a value from a part of the paper's grid, + a value from a " +
	"small grid of our own. The rule of selection is the paper's: alpha by the lowest objective, the rest by " +
	"the labels; accuracies are of nested cross-validation.\n"

// answer writes the answer in five lines, and the table of counts.
func (p *Page) answer(b *page, all map[string][]*Number) {
	var counts [][]string
	line := func(what string, numbers []*Number, of func(*Number) paper.Verdict) (paper.Counts, int) {
		c := tally(numbers, of)
		total := c[paper.Agrees] + c[paper.Higher] + c[paper.Lower] + c[paper.Undecided]
		if total > 0 {
			counts = append(counts, []string{what, fmt.Sprint(total), fmt.Sprint(c[paper.Agrees]),
				fmt.Sprint(c[paper.Higher]), fmt.Sprint(c[paper.Lower]),
				fmt.Sprint(c[paper.Undecided])})
		}
		return c, total
	}
	on := func(s *section, whole bool) []*Number {
		return kept(s.of(all), func(n *Number) bool { return (n.Grid == wholeGrid) == whole })
	}
	say := func(c paper.Counts) string {
		return fmt.Sprintf("%d agree, %d are higher, %d lower, %d "+
			"undecided", c[paper.Agrees], c[paper.Higher], c[paper.Lower], c[paper.Undecided])
	}
	clusterings, accuracies := &sections[0], &sections[1]
	c, total := line("Rand Indices, selected", on(clusterings, true), selected)
	again, _ := line("Rand Indices, re-run", on(clusterings, true), rerun)
	a, accurate := line("accuracies", on(accuracies, true), selected)
	line("Rand Indices on a part of the grid or a small one, selected", on(clusterings, false), selected)
	line("accuracies on a small grid", on(accuracies, false), selected)
	short := "In part"
	switch held, off := c[paper.Agrees]+a[paper.Agrees], c[paper.Higher]+c[paper.Lower]+a[paper.Higher]+a[paper.Lower]; {
	case held+off == 0:
		short = "Not known yet"
	case off == 0:
		short = "Yes, as far as it is decided"
	case held == 0:
		short = "No"
	}
	left := 0.0
	for _, part := range p.Parts {
		left += part.Left
	}
	numbers := slices.Concat(clusterings.of(all), accuracies.of(all))
	partly := len(kept(numbers, func(n *Number) bool { return n.ran() && n.Grid != wholeGrid }))
	missing := tally(numbers, selected)[paper.NoRun]
	printed, ours, _ := leaders(all[summary.TableClustering])
	b.w("\n**%s.** By the paper's own protocol, of %d Rand Indices %s.\n\n", short, total, say(c))
	b.w("- On 20 fresh seeds of each selected setting, which the paper does not report, %s.\n", say(again))
	b.w("- Of %d accuracies %s.\n", accurate, say(a))
	b.w("- GDL or GDL\\_lambda is first on %d of 8 data sets in the paper, on %d in ours (re-run).\n", printed, ours)
	b.w("- Not counted: %d values on a part of the grid or a small one, and %d without a run. %.0f "+
		"hours of one core are left.\n", partly, missing, math.Ceil(left))
	b.grid("values | in all | agree | higher | lower | undecided", counts)
}

// because is the row of a number that differs in the table of causes; its evidence goes to its page.
func (n *Number) because(evidence *page) []string {
	why, where := n.cause(), fmt.Sprintf("%s %s", n.Dataset, escape(n.method()))
	if n.Table != summary.TableClustering {
		where += map[string]string{summary.TableEnzymes: ", batches of 64", summary.TableGWKMeans: ", GW k-means"}[n.Table]
	}
	if n.Reason != nil {
		why = escape(n.Reason.Text)
	}
	at := n.anchor()
	if seen := n.seen(); n.Reason != nil && n.Reason.Evidence != "" || seen != "" {
		evidence.w("\n## <a id=%q></a>%s\n\n[The value](values.md#%s): the paper has %s, ours is %s (selected), %s "+
			"(re-run).\n", at, where, at,
			table.MeanStd(n.Mean, n.Std).Plain(), dash(n.selectedCell()), dash(n.rerunCell()))
		if n.Reason != nil && n.Reason.Evidence != "" {
			text := escape(n.Reason.Evidence)
			evidence.w("\n%s: %s%s.\n", n.Reason.Cause, strings.ToUpper(text[:1]), text[1:])
		}
		if seen != "" {
			evidence.w("\nThe program sees: %s.\n", escape(seen))
		}
		where = fmt.Sprintf("[%s](reproduction/evidence.md#%s)", where, at)
	}
	return []string{where, n.cause(), why}
}

// dash is a cell in Markdown, or a dash.
func dash(c table.Cell) string {
	if text := c.Plain(); c.Kind != table.Blank && text != "" {
		return escape(text)
	}
	return "-"
}

// untitled is a table without its title, for a section that has it.
func untitled(t table.Table) table.Table {
	t.Title = ""
	return t
}

// layouts writes a table as the paper lays it out, of classification one for each kind of node attributes.
func layouts(b *page, title, name string, numbers []*Number) {
	printed := paper.Numbers()
	kinds := [][2]string{{"", title}}
	if name == summary.TableClassification {
		kinds = [][2]string{{"none", "Accuracies, graphs without attributes"}, {"discrete", "Accuracies, discrete " +
			"attributes"}, {"real", "Accuracies, vectorial attributes"}}
	}
	for _, kind := range kinds {
		var datasets, methods []string
		at := map[[2]string]*Number{}
		for _, n := range numbers {
			if d, _ := printed.Dataset(n.Dataset); kind[0] != "" && d.Attributes != kind[0] {
				continue
			}
			if !slices.Contains(datasets, n.Dataset) {
				datasets = append(datasets, n.Dataset)
			}
			if !slices.Contains(methods, n.method()) {
				methods = append(methods, n.method())
			}
			at[[2]string{n.method(), n.Dataset}] = n
		}
		var rows [][]string
		for _, method := range methods {
			lines := [][]string{{escape(method), "paper"}, {"", "selected"}, {"", "re-run"}}
			used := [3]bool{true, true, false}
			for _, d := range datasets {
				n := at[[2]string{method, d}]
				if n == nil {
					for k := range lines {
						lines[k] = append(lines[k], "")
					}
					continue
				}
				lines[0] = append(lines[0], table.MeanStd(n.Mean, n.Std).Plain())
				lines[1] = append(lines[1], n.linked(n.selectedCell(), n.Selected))
				lines[2] = append(lines[2], n.linked(n.rerunCell(), n.Rerun))
				used[2] = used[2] || n.again()
			}
			for k, line := range lines {
				if used[k] {
					rows = append(rows, line)
				}
			}
		}
		b.w("\n### %s\n", kind[1])
		b.grid("method | | "+strings.Join(datasets, " | "), rows)
	}
}

// linked is a value of ours with a link to its row and its verdict.
func (n *Number) linked(c table.Cell, v paper.Verdict) string {
	if c.Kind != table.Number {
		return "-"
	}
	c.Mark = ""
	mean, std, _ := strings.Cut(c.Plain(), " ")
	return fmt.Sprintf("[%s](reproduction/values.md#%s)%s "+
		"%s<br>%s%s", mean, n.anchor(), []string{"", "\\#", "+"}[n.Grid], std, signs[v.Outcome], v.Outcome)
}

// picture embeds a picture in Markdown.
func picture(folder string, f plots.Figure) string {
	return fmt.Sprintf("![%s](%s%s.svg)\n", f.Title, folder, f.Name)
}

// pictures draws ours against the paper's values, clustering and classification.
func pictures(numbers map[string][]*Number) (out []plots.Figure) {
	for i := range sections {
		var list []figures.Against
		for _, name := range sections[i].tables {
			suffix := map[string]string{summary.TableEnzymes: ", batches of 64", summary.TableGWKMeans: ", GW k-means"}[name]
			list = append(list, panels(suffix, numbers[name])...)
		}
		out = append(out, sections[i].picture(list))
	}
	return out
}

// panels returns the numbers data set by data set, in panels named after the data set and the suffix.
func panels(suffix string, numbers []*Number) (out []figures.Against) {
	var datasets []string
	for _, n := range numbers {
		if !slices.Contains(datasets, n.Dataset) {
			datasets = append(datasets, n.Dataset)
		}
	}
	for _, d := range datasets {
		for _, n := range kept(numbers, func(n *Number) bool { return n.Dataset == d }) {
			out = append(out, figures.Against{Panel: d + suffix, Method: n.method(), Paper: paper.Stat{Mean: n.Mean, Std: n.Std},
				Selected: n.Selected, Rerun: n.Rerun, Trivial: n.trivial(), Whole: n.Grid == wholeGrid})
		}
	}
	return out
}

// picture draws the picture of a section.
func (s *section) picture(list []figures.Against) plots.Figure {
	return figures.AgainstPaper(PicturePrefix+strings.ToLower(s.title), s.title+": ours against the paper", s.unit,
		"The paper's values and ours, a panel for each data set and a row for each method.", list)
}

// PicturePrefix begins the names of the pictures of ours against the paper's values.
const PicturePrefix = "paper-"

// Picture returns the picture of ours against the paper's values for the rows of one frame; false where the two have no value in common.
func Picture(f *summary.Frame) (plots.Figure, bool) {
	at := slices.IndexFunc(sections, func(s section) bool { return slices.Contains(s.tables, f.Family.Name) })
	if at < 0 {
		return plots.Figure{}, false
	}
	numbers := numbersOf(f.Family.Name, []Part{{Config: f.Name, Scores: true, Frame: f}})
	list := panels("", kept(numbers, func(n *Number) bool { return n.Selected.Repetitions > 0 }))
	return sections[at].picture(list), len(list) > 0
}
