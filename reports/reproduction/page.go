package reproduction

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ogdl/internal/words"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Part is a configuration of the paper's with what it has come to.
type Part struct {
	Config  string
	Scores  bool           // its rows stand beside the printed scores
	Choices bool           // it changes choices that the paper leaves open: no verdicts
	Small   bool           // its grid is a small one, which stands in the place of the paper's: numbers are counted apart
	Cells   int            // that its grid asks for
	Frame   *summary.Frame // nil: nothing of it has run
	Tables  []table.Table  // that the page shows
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
}

// sections are the paper's tables of scores, in two counts.
var sections = []struct {
	title  string
	tables []string
	titles []string
}{
	{"Clustering", []string{summary.TableClustering, summary.TableEnzymes, summary.TableGWKMeans},
		[]string{"Clustering", "Clustering of ENZYMES with batches of 64", "Clustering by GW k-means on embedded graphs"}},
	{"Classification", []string{summary.TableClassification}, []string{"Classification"}},
}

// Make makes the page, as Markdown, and its tables of verdicts and of choices for those who read CSV. The same frames and reasons give the same bytes. Errors:
// those of the reasons.
func (p *Page) Make() (text []byte, verdicts []table.Table, err error) {
	var b bytes.Buffer
	w := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	of := make([][][]*Number, len(sections))
	var all []*Number
	for i, s := range sections {
		for _, name := range s.tables {
			numbers := numbersOf(name, p.Parts)
			of[i], all = append(of[i], numbers), append(all, numbers...)
		}
	}
	commits, err := join(p.ReasonsFile, p.Reasons, all)
	if err != nil {
		return nil, nil, err
	}
	w("# Does the paper hold?\n\n<!-- Written by `report -reproduction`: change the reasons in %s, not this page. -->\n\n", p.ReasonsFile)
	in := make([][]*Number, len(sections))
	for i := range sections {
		in[i] = slices.Concat(of[i]...)
	}
	if err := table.Markdown(&b, counts(in)); err != nil {
		return nil, nil, err
	}
	open := 0
	for _, n := range all {
		if n.fails() && n.Reason == nil {
			open++
		}
	}
	selection, _, _ := strings.Cut(paper.SelectionRule, ";") // what follows is about tables with both differences
	w("\nClustering. %s %s.\n\nClassification. %s\n", paper.VerdictRule, selection, paper.AccuracyRule)
	if slices.ContainsFunc(all, func(n *Number) bool { return n.Small }) {
		w("\nWhere the paper's grid has not run, a small one stands in its place if it has: a few of the settings that the paper's number is the best " +
			"of. These numbers are counted in rows of their own, and are not in the list below where they do not hold.\n")
	}
	w("\nWhere there is a confirmed number, it decides. A number over fewer than %d repetitions gets no verdict. %s not hold and %s no reason yet.\n", least,
		words.Plural(open, "number does", "numbers do"), map[bool]string{true: "has", false: "have"}[open == 1])
	for i, s := range sections {
		held := slices.DeleteFunc(slices.Clone(in[i]), func(n *Number) bool { return n.Verdict().Outcome != paper.Reproduced })
		easy := slices.DeleteFunc(slices.Clone(held), func(n *Number) bool { return n.Mean > n.trivial() })
		if len(easy) > 0 {
			w("\n%s: of %s reproduced, the paper prints %d at or below the trivial level; these say little of the method.\n", s.title,
				words.Plural(len(held), "number that is", "numbers that are"), len(easy))
		}
	}
	for _, note := range p.Notes {
		w("\n%s\n", note)
	}
	w("\n## What does not hold\n\n")
	if err := table.Markdown(&b, failing(all)); err != nil {
		return nil, nil, err
	}
	w("\n## What was run\n\n```sh\nscripts/fetch_tudatasets.sh all\n")
	for _, part := range p.Parts {
		w("go run ./experiments -config %s -ledger %s\n", part.Config, p.Ledger)
	}
	w("```\n\nWith the ledger the cells that stand there count as done; without -ledger, or with -cell ID, they are computed anew. scripts/reproduce.sh runs " +
		"the paper's grids in pieces.\n\n")
	if err := table.Markdown(&b, p.runs(commits)); err != nil {
		return nil, nil, err
	}
	said := map[string]bool{}
	for i, s := range sections {
		w("\n## %s\n", s.title)
		for k, name := range s.tables {
			title := s.titles[k] + ": verdicts"
			verdicts = append(verdicts, tableOf(name, title, of[i][k], false))
			if err := show(&b, said, append([]table.Table{tableOf(name, title, of[i][k], true)}, p.tablesOf(func(part *Part) bool { return part.of(name) })...)); err != nil {
				return nil, nil, err
			}
		}
	}
	if choices := p.tablesOf(func(part *Part) bool { return part.Choices }); len(choices) > 0 {
		w("\n## Choices that the paper leaves open\n\nWhat the score is where one of them is made otherwise, to find what a print hangs on. No number here is chosen, " +
			"and none is in the counts.\n")
		if err := show(&b, said, choices); err != nil {
			return nil, nil, err
		}
		verdicts = append(verdicts, choices...)
	}
	w("\n## The other tables and figures\n")
	if err := show(&b, said, p.tablesOf(func(part *Part) bool { return !part.Scores && !part.Choices })); err != nil {
		return nil, nil, err
	}
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
	w("\n## What was not run\n\n")
	if err := table.Markdown(&b, p.missing()); err != nil {
		return nil, nil, err
	}
	return b.Bytes(), verdicts, nil
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

// show writes tables, with those notes that the page has not said yet.
func show(b *bytes.Buffer, said map[string]bool, tabs []table.Table) error {
	for _, t := range tabs {
		b.WriteString("\n")
		t.Notes = slices.DeleteFunc(slices.Clone(t.Notes), func(note string) bool { return said[note] })
		for _, note := range t.Notes {
			said[note] = true
		}
		if err := table.Markdown(b, t); err != nil {
			return err
		}
	}
	return nil
}

// runs says of each configuration by which command, by which code and in how many hours it was computed.
func (p *Page) runs(commits map[string]string) table.Table {
	t := table.Table{Columns: table.Columns("*configuration", ">cells", ">done", ">hours of one core", "code: cells")}
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
				code := r.Record.Provenance.Code()
				if v := cmp.Or(commits[r.Record.Provenance.Sources], r.Record.Provenance.Revision); v != "" && !strings.Contains(code, v) {
					code += ", commit " + v
				}
				codes[cmp.Or(code, "not known")]++
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
		t.Add(table.Txt(part.Config), table.Int(part.Cells), table.Int(done), hours, table.TextOrBlank(strings.Join(by, "; ")))
	}
	t.Note("Cells and done: of the grid; confirmations come on top, and are in hours and code. Hours: processor time of cells and of what they " +
		"share; a matrix that two configurations share counts in both. A digest of the sources names the code; the commit beside it is " +
		"the one that the file of reasons names for it, or else the one that the build knew.")
	return t
}

// missing names the rows that lack cells.
func (p *Page) missing() table.Table {
	t := table.Table{Columns: table.Columns("*configuration", "*data set", "*method", ">cells", ">done", ">missing", ">failed")}
	for _, part := range p.Parts {
		if part.Frame == nil {
			t.Add(table.Txt(part.Config), table.Txt("all"), table.Txt("all"), table.Int(part.Cells), table.Int(0), table.Int(part.Cells),
				table.Int(0))
			continue
		}
		for _, row := range part.Frame.Rows {
			cells, done, missing := 0, 0, 0
			for r := range row.Runs() {
				cells++
				switch {
				case r.OK():
					done++
				case r.Record == nil:
					missing++
				}
			}
			if done < cells {
				t.Add(table.Txt(part.Config), table.Txt(row.Dataset), table.Txt(row.Method), table.Int(cells), table.Int(done), table.Int(missing),
					table.Int(cells-done-missing))
			}
		}
	}
	if t.Note("How long the rest takes: go run ./experiments plan -config NAME, with the ledger."); len(t.Rows) == 0 {
		t.Notes = []string{"Everything was run."}
	}
	return t
}
