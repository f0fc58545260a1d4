package reports

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ogdl/internal/disk"
	"ogdl/reports/figures"
	"ogdl/reports/page"
	"ogdl/reports/paper"
	"ogdl/reports/plots"
	"ogdl/reports/reproduction"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"ogdl/reports/tables"
)

// Options say how a report is made, apart from its content.
type Options struct {
	Title  string // replaces the title of the first table that is shown; "" keeps it
	Config string // the text of the configuration, for the page
	// Warnings are what there is to say of a data set, by the name that it has in tables.
	Warnings map[string]string
	// Arrays returns the arrays of a cell, for the cells that figures draw.
	Arrays      figures.Arrays
	Clusterings Clusterings // without Of no clusters are written
	Look        Look
	Force       bool // replace files of somebody else
}

// Look is how figures are drawn.
type Look struct {
	Width    float64  // of every figure, in cm, as [plots.ParseWidth] gives it; 0: each figure's own
	Untitled bool     // titles are in captions alone
	Formats  []string // of the files, as [plots.Figure] has them
}

// Report is what a run has to show: a folder of files, and what a terminal shows of them.
type Report struct {
	*Folder
	page                        page.Page
	shown                       []table.Table // the first of the page's tables, which go to the terminal
	lead, figures, timedFigures []plots.Figure
	// LeftOut is the error of figures that cannot be made from the arrays of the cells, Undrawn of figures that could not be
	// drawn, Unclustered of clusters that could not be read. Nothing else of the report is missing.
	LeftOut, Undrawn, Unclustered error
}

// Render makes the tables, figures and pages of a frame for the folder dir; nothing is written before [Folder.Write]. The same frame and
// options give the same bytes. A frame's figures that cannot be made are reported in LeftOut. Errors: a bad name of a table, and the end
// of the context.
func Render(ctx context.Context, dir string, f *summary.Frame, o Options) (*Report, error) {
	r := makeOf(f, o.Arrays)
	r.Folder = NewFolder(dir)
	r.List(o.Force, ReportForce)
	p := &r.page
	p.Config = o.Config
	for _, tabs := range [][]table.Table{p.Tables, p.Timed} {
		warn(o.Warnings, tabs)
	}
	if o.Title != "" && len(r.shown) > 0 {
		r.shown[0].Title = o.Title
	}
	for _, x := range []struct {
		to   *[]page.Figure
		sub  string
		figs []plots.Figure
	}{{&p.Leading, "", r.lead}, {&p.Figures, "", r.figures}, {&p.TimedFigures, TimingsFolder, r.timedFigures}} {
		for i := range x.figs {
			g := &x.figs[i]
			g.Width, g.Untitled, g.Formats = cmp.Or(o.Look.Width, g.Width), o.Look.Untitled, o.Look.Formats
		}
		var undrawn error
		*x.to, undrawn = r.Draw(ctx, x.sub, x.figs)
		r.Undrawn = errors.Join(r.Undrawn, undrawn)
	}
	p.Clusters, r.Unclustered = r.clusters(f, o.Clusterings)
	if err := errors.Join(r.Tables("", p.Tables), r.Tables(TimingsFolder, p.Timed), r.Pages(*p), ctx.Err()); err != nil {
		return nil, err
	}
	return r, nil
}

// Chief returns the tables that a reader looks for first.
func (r *Report) Chief() []table.Table { return page.Foremost(r.shown) }

// Reduce reduces the report to the parts that a repository keeps: its tables as CSV, its figures as SVG where figured is
// set, and a page of the name markdown with its main tables ("": none). It drops lists of cells and settings, the figure of
// losses, which no ledger has, and the picture of ours against the paper, which is with the verdicts. It removes no file
// from the folder, so figures that need arrays stay when the arrays are gone.
func (r *Report) Reduce(figured bool, markdown string) error {
	keep := map[string]bool{}
	for _, t := range slices.Concat(r.page.Tables, r.Chief()) {
		if !t.List {
			keep[t.Name+table.CSVEnding] = true
		}
	}
	r.listed = false
	r.files = slices.DeleteFunc(r.files, func(f disk.Data) bool {
		folder, name := path.Split(f.Path)
		if folder == figuresFolder+"/" {
			return !figured || path.Ext(name) != ".svg" || name == figures.LossName+".svg" || strings.HasPrefix(name, reproduction.PicturePrefix)
		}
		return !keep[name]
	})
	if markdown == "" {
		return nil
	}
	var b bytes.Buffer
	for _, t := range r.Chief() {
		if err := table.Markdown(&b, t); err != nil {
			return err
		}
	}
	r.Add(markdown, b.Bytes())
	return nil
}

// warn adds to every table what there is to say of the names in it: several names may share one warning.
func warn(warnings map[string]string, tabs []table.Table) {
	for i := range tabs {
		t := &tabs[i]
		for _, name := range slices.Sorted(maps.Keys(warnings)) {
			if w := warnings[name]; !slices.Contains(t.Notes, w) && t.Holds(name) {
				t.Notes = append([]string{w}, t.Notes...)
			}
		}
	}
}

// Show writes the main tables, each row on one line of at most width columns, with the columns that fit. It writes the
// meaning of their marks, their warnings, and how many of the paper's values hold (or how the cells ended).
func (r *Report) Show(w io.Writer, width int) error {
	end := table.Table{} // of notes alone, which are wrapped
	for i, t := range r.shown {
		if i > 0 && !t.Main {
			continue
		}
		for _, n := range t.Notes {
			if strings.HasPrefix(n, "Warning:") && !slices.Contains(end.Notes, n) {
				end.Note(n)
			}
		}
		t.Notes = summary.Pick(t.Notes, func(n string) bool {
			return strings.HasPrefix(n, table.MarkFewer+" ") || strings.HasPrefix(n, table.MarkGrid+" ")
		})
		if err := table.Terminal(w, table.Brief(t, width), width); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	if len(r.page.Verdicts) > 0 {
		end.Note(paper.Sentence(r.page.Verdicts, r.page.Unasked))
	} else {
		end.Note(tables.CellsSentence(r.page.Frame) + " No verdicts.")
	}
	return table.Terminal(w, end, width)
}

// Place returns two lines on where things are: tables and figures in the folder, records in the folder store, and last the page.
func (r *Report) Place(store string) string {
	what := "tables"
	if len(r.lead)+len(r.figures)+len(r.timedFigures) > 0 {
		what = "tables and figures"
	}
	return fmt.Sprintf("rest: %s in %s, records in %s\npage: %s\n", what, r.dir, store, filepath.Join(r.dir, IndexPage))
}
