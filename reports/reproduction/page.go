package reproduction

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"ogdl/internal/words"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Part is a configuration of the paper's with what it has come to.
type Part struct {
	Config   string
	Scores   bool           // its rows stand beside the printed scores
	Choices  bool           // it changes choices that the paper leaves open: no verdicts
	Commands bool           // its settings are those of the released commands: a table of its own
	Small    bool           // its grid is a small one, which stands in the place of the paper's: numbers are counted apart
	Cells    int            // that its grid asks for
	Left     float64        // hours of one core that those take which have not run, as far as is known
	Frame    *summary.Frame // nil: nothing of it has run
	Tables   []table.Table  // that the page shows
	// Figures are paths of pictures, TablesFile that of a page with tables ("": none), from the page's folder.
	Figures    []string
	TablesFile string
}

// of reports whether the rows of the part stand beside the scores that the paper prints in this table.
func (p *Part) of(tab string) bool { return p.Scores && p.Frame != nil && p.Frame.Family.Name == tab }

// Page is what the page is made of.
type Page struct {
	Parts  []Part
	Ledger string // path, for the commands
	// Reasons is the text of the file of that name: why numbers do not hold.
	ReasonsFile, Reasons string
	Notes                []string // what else there is to say
	Authors              []byte   // runs of the authors' code, as scripts/compare_with_released.sh writes them; nil: none
}

// section is a part of the paper's tables of scores, which is counted apart.
type section struct {
	title  string
	scores string // what is printed there, in words
	tables []string
	titles []string
}

var sections = []section{
	{"Clustering", "Rand Indices of clusterings", []string{summary.TableClustering, summary.TableEnzymes, summary.TableGWKMeans},
		[]string{"Clustering", "Clustering of ENZYMES with batches of 64", "Clustering by GW k-means on embedded graphs"}},
	{"Classification", "accuracies of classifiers", []string{summary.TableClassification}, []string{"Classification"}},
}

// of are the numbers of the section.
func (s *section) of(numbers map[string][]*Number) (out []*Number) {
	for _, name := range s.tables {
		out = append(out, numbers[name]...)
	}
	return out
}

// Make makes the page, as Markdown, and its tables of verdicts and of choices for those who read CSV. The same frames and reasons give the same bytes. Errors:
// those of the reasons.
func (p *Page) Make() (text []byte, verdicts []table.Table, err error) {
	var b bytes.Buffer
	w := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
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
		return nil, nil, err
	}
	said := map[string]bool{}
	show := func(tabs ...table.Table) {
		for _, t := range tabs {
			b.WriteString("\n")
			err = errors.Join(err, table.Markdown(&b, unsaid(said, t)))
		}
	}
	w("# Does the paper hold?\n\n<!-- Written by `ogdl verdicts`: change the reasons in %s, not this page. -->\n\n", p.ReasonsFile)
	w("%s\n\n", verdict(numbers))
	for _, s := range sections {
		w("- %s\n", answer(&s, s.of(numbers)))
	}
	sentence, first := leaders(numbers[summary.TableClustering])
	w("- %s\n", sentence)
	claims, above := order(numbers)
	if claims != "" {
		w("- %s\n", claims)
	}
	left := 0.0
	for _, part := range p.Parts {
		left += part.Left
	}
	if left > 0 {
		w("- What has not run whole would take about %s of one core.\n", words.Plural(int(math.Round(max(left, 1))), "more hour", "more hours"))
	}
	show(counts(numbers))
	w("\n")
	for _, line := range legend {
		w("- %s\n", line)
	}
	for _, note := range p.Notes {
		w("\n%s\n", note)
	}
	w("\n## Which method is first\n")
	show(first)
	w("\n### Which method is above which\n")
	show(above)
	w("\n## What does not hold\n\nBelow each table stands why, number by number. The tables of choices that some name are [here](#choices-that-the-paper-leaves-open).\n")
	if open := count(all, func(n *Number) bool { return n.fails() && n.Reason == nil }); open > 0 {
		w("\nNo reason is known yet for %s.\n", words.Plural(open, "number", "numbers"))
	}
	head := "\nThe causes:\n\n"
	for _, c := range causes {
		if slices.ContainsFunc(all, func(n *Number) bool { return n.cause() == c.name }) {
			w("%s- %s: %s.\n", head, c.name, c.meaning)
			head = ""
		}
	}
	for _, g := range grids {
		if g != wholeGrid && len(g.of(all)) == 0 {
			continue
		}
		off, reasons := failing(g.of(all))
		w("\n### On %s\n", g.name())
		if len(off.Rows) == 0 {
			w("\nEvery number that has a verdict holds, or is not settled.\n")
			continue
		}
		show(off)
		for k, reason := range reasons {
			if k == 0 {
				w("\n")
			}
			w("- %s\n", reason)
		}
	}
	if t := p.commands(numbers[summary.TableClustering]); len(t.Rows) > 0 {
		w("\n## The settings of the released commands\n\nThe commands of the authors' README differ from the paper's text: steps of 0.01 for structures and features, " +
			"30 epochs without features, 11 values of alpha. clustering_released.toml runs them. Selected and re-run as above, with a verdict of their own:\n")
		show(t)
		verdicts = append(verdicts, t)
	}
	authors, wrong := authors(p.Authors)
	if err = errors.Join(err, wrong); len(authors.Rows) > 0 {
		w("\n## The authors' code on the same data\n\nscripts/compare_with_released.sh runs the released code, unmodified (ceee505 of its repository), and ogdl at the same settings. " +
			"Epochs are fewer than the commands' where the released code takes hours. released.csv has each run.\n")
		show(authors)
	}
	selection, _, _ := strings.Cut(paper.SelectionRule, ";") // what follows is about tables with both differences
	w("\n## How it is judged\n\nClustering. %s %s.\n\nClassification. %s\n", paper.VerdictRule, selection,
		paper.AccuracyRule+" The epoch of GIN-0 is chosen on the test folds, as in the paper.")
	w("\nWhere there is a confirmed number, it decides. A number over fewer than %d repetitions gets no verdict.\n", least)
	if len(wholeGrid.of(all)) < len(all) {
		w("\nWhere the paper's grid has not run whole, a small grid stands in its place, or what has run of the paper's where that has more settings with all repetitions. These numbers are " +
			"counted in rows of their own.\n")
	}
	w("\n## What was not run\n")
	if given.NotRun != "" {
		w("\n%s\n", given.NotRun)
	}
	show(p.missing())
	w("\n## What was run\n\n```sh\nscripts/fetch_tudatasets.sh all\n")
	for _, part := range p.Parts {
		w("go run ./experiments report -config %s -ledger %s\n", part.Config, p.Ledger)
	}
	w("```\n\nThese commands draw the tables from the ledger, and compute nothing. With run instead of report the cells that the ledger lacks are computed, " +
		"without -ledger all of them, with -cell ID one. scripts/reproduce.sh runs the paper's grids in pieces.\n")
	show(p.runs(given.Commits))
	for _, s := range sections {
		w("\n## %s\n", s.title)
		for k, name := range s.tables {
			title := s.titles[k] + ": verdicts"
			verdicts = append(verdicts, tableOf(name, title, numbers[name], false))
			show(tableOf(name, title, numbers[name], true))
			show(p.tablesOf(func(part *Part) bool { return part.of(name) })...)
		}
	}
	if choices := p.tablesOf(func(part *Part) bool { return part.Choices }); len(choices) > 0 {
		w("\n## Choices that the paper leaves open\n\nWhat the score is where one of them is made otherwise, to find what a printed number hangs on. " +
			"No number here is chosen, and none is in the counts.\n")
		show(choices...)
		verdicts = append(verdicts, choices...)
	}
	w("\n## The other tables and figures\n")
	show(p.tablesOf(func(part *Part) bool { return !part.Scores && !part.Choices })...)
	for _, part := range p.Parts {
		if len(part.Figures) > 0 || part.TablesFile != "" {
			w("\n### Figures of %s\n\n", part.Config)
		}
		if part.TablesFile != "" {
			w("[Tables of %s](%s)\n\n", part.Config, part.TablesFile)
		}
		for _, path := range part.Figures {
			w("![%s](%s)\n", strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".svg"), path)
		}
	}
	return b.Bytes(), verdicts, err
}

// unsaid is a table with those of its notes that the page has not said yet; marks are explained below every table that has them.
func unsaid(said map[string]bool, t table.Table) table.Table {
	t.Notes = slices.DeleteFunc(slices.Clone(t.Notes), func(note string) bool {
		return said[note] && !strings.HasPrefix(note, table.MarkFewer+" ") && !strings.HasPrefix(note, table.MarkGrid+" ")
	})
	for _, note := range t.Notes {
		said[note] = true
	}
	return t
}

// tablesOf are the tables of the parts that are asked for.
func (p *Page) tablesOf(is func(*Part) bool) (out []table.Table) {
	for i := range p.Parts {
		if part := &p.Parts[i]; is(part) {
			out = append(out, part.Tables...)
		}
	}
	return out
}

// runs says of each configuration by which command, by which code and in how many hours it was computed.
func (p *Page) runs(commits map[string]string) table.Table {
	t := table.Table{Columns: table.Columns("*configuration", ">cells", ">done", ">hours of one core", ">hours left", "code: cells")}
	for _, part := range p.Parts {
		done, hours, codes := 0, table.Cell{}, map[string]int{}
		if part.Frame != nil {
			var seconds float64
			products := map[string]bool{}
			for r := range part.Frame.All() {
				if !r.OK() {
					continue
				}
				if !r.Confirm {
					done++
				}
				by := r.Record.Provenance
				codes[codeOf(cmp.Or(commits[by.Sources], by.Revision), by.Code())]++
				if r.Timing != nil {
					seconds += summary.Processor(r.Timing.CPUSeconds, r.Timing.Seconds)
				}
				for _, u := range r.Record.Products {
					products[u.ID] = true
				}
			}
			_, cpu, _ := part.Frame.ProductCost(products)
			hours = table.Num((seconds+cpu)/3600, 2)
		}
		var by []string
		for _, code := range slices.Sorted(maps.Keys(codes)) {
			by = append(by, fmt.Sprintf("%s: %d", code, codes[code]))
		}
		left := table.Cell{}
		if done < part.Cells {
			left = table.Num(part.Left, 2)
		}
		t.Add(table.Txt(part.Config), table.Int(part.Cells), table.Int(done), hours, left, table.TextOrBlank(strings.Join(by, "; ")))
	}
	t.Note("Cells and done: of the grid; confirmations come on top, and are in hours and code. Hours: processor time of cells and of what they " +
		"share; a matrix that two configurations share counts in both. Hours left: what plan expects of the cells that are missing, without " +
		"confirmations; plan says it for each method, and with -filter dataset=NAME for a data set. Code: the commit that the file of reasons names for the digest of the " +
		"sources, or else the one that the build knew.")
	return t
}

// codeOf names the code of a cell by its commit or, where that is not known, by what else names it.
func codeOf(commit, other string) string {
	commit, modified := strings.CutSuffix(commit, "+modified")
	if commit == "" {
		return cmp.Or(other, "not known")
	}
	commit = "commit " + commit[:min(len(commit), 7)]
	if modified {
		commit += ", changed"
	}
	return commit
}

// missing names the rows that lack cells; the data sets on which a method has not run at all share one.
func (p *Page) missing() table.Table {
	t := table.Table{Columns: table.Columns("*configuration", "*data set", "*method", ">cells", ">done", ">missing", ">failed")}
	add := func(config, dataset, method string, cells, done, missing int) {
		t.Add(table.Txt(config), table.Txt(dataset), table.Txt(method), table.Int(cells), table.Int(done), table.Int(missing),
			table.Int(cells-done-missing))
	}
	for _, part := range p.Parts {
		if part.Frame == nil {
			add(part.Config, "all", "all", part.Cells, 0, part.Cells)
			continue
		}
		untouched, datasets := map[string]int{}, map[string][]string{} // of a method: cells, data sets
		var methods []string
		for _, row := range part.Frame.Rows {
			cells, done, missing := 0, 0, 0
			for r := range row.Runs() {
				cells++
				switch {
				case r.OK():
					done++
				case !r.Failed():
					missing++
				}
			}
			switch m := row.Method; {
			case done == cells:
			case missing < cells:
				add(part.Config, row.Dataset, m, cells, done, missing)
			default:
				if untouched[m] == 0 {
					methods = append(methods, m)
				}
				untouched[m] += cells
				datasets[m] = append(datasets[m], row.Dataset)
			}
		}
		for _, m := range methods {
			add(part.Config, strings.Join(datasets[m], ", "), m, untouched[m], 0, untouched[m])
		}
	}
	if len(t.Rows) == 0 {
		t.Note("Everything was run.")
	}
	return t
}
