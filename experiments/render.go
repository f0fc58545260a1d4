package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/reports"
	"ogdl/reports/figures"
	"ogdl/reports/page"
	"ogdl/reports/paper"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"ogdl/reports/tables"

	"golang.org/x/term"
)

// render writes the tables and pages of these cells from the store, and shows the first
// tables. When the context ends first it returns at once, and the old report stays as it was.
func render(ctx context.Context, o *options, c *config, grid []*cell, store *record.Store, stdout, stderr io.Writer) error {
	d, err := drawUntil(ctx, o, c, grid, store)
	if d != nil {
		if _, err := d.told.WriteTo(stderr); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	if err := d.folder.Write(ctx); err != nil {
		return err
	}
	return errors.Join(d.show(o, c, store, stdout), d.undrawn)
}

// drawing is a report that is ready to be written.
type drawing struct {
	folder                *reports.Folder
	tables, shown         []table.Table
	figures, timedFigures []plots.Figure
	verdicts              []paper.Verdict
	unasked               int
	undrawn               error        // figures that could not be drawn keep nobody from the rest
	told                  bytes.Buffer // what there is to say, for stderr
}

// drawUntil is draw, but for a context that ends meanwhile: whatever draw is at, be it a long
// sum or a file that a network does not give, is left behind. It writes nothing.
func drawUntil(ctx context.Context, o *options, c *config, grid []*cell, store *record.Store) (*drawing, error) {
	type result struct {
		d   *drawing
		err error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if v := recover(); v != nil {
				p := newPanicked(v)
				r.err = fmt.Errorf("%w\n%s", p, p.stack)
			}
			done <- r
		}()
		r.d, r.err = draw(ctx, o, c, grid, store)
	}()
	select {
	case r := <-done:
		return r.d, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// draw makes tables, figures and pages from the store.
func draw(ctx context.Context, o *options, c *config, grid []*cell, store *record.Store) (*drawing, error) {
	dir := folder(o, c)
	d := &drawing{folder: reports.NewFolder(dir)}
	stderr := &d.told
	defer thrifty(len(grid))()
	got := newGathered()
	runs, err := got.add(ctx, store, grid, stderr)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(runs, func(r summary.Run) bool { return r.Record != nil }) {
		return d, fmt.Errorf("%s holds no record of the cells of %s: nothing to report; -out names the folder that a run has had as -out", store.Dir(), c.name)
	}
	shownAs := newShownData()
	shownAs.name(grid, runs)
	rows := c.rows(grid)
	whole := c.whole(rows, grid, runs)
	frame := summary.NewFrame(summary.Spec{Name: c.name, Table: c.table, Confirm: c.confirm}, runs, got.blocks)
	if further := c.confirming(rows, chosenOf(whole, frame.Choices())); len(further.cells) > 0 {
		got.blocks = nil // those of the grid are in the frame
		if runs, err = got.add(ctx, store, further.cells, stderr); err != nil {
			return nil, err
		}
		shownAs.name(further.cells, runs)
		frame.Add(runs, got.blocks)
	}
	tabs, timed := tables.Tables(frame)
	shownAs.warn(tabs, timed)
	shown := tabs
	if c.table == summary.TableRuntimes {
		shown = timed
	}
	verdicts, unasked := tables.Verdicts(frame)
	if t, ok := tables.VerdictTable(frame.Spec, verdicts, unasked); ok {
		tabs = append(tabs, t)
	}
	figs, measured, err := figuresOf(frame, store)
	if err != nil {
		fmt.Fprintf(stderr, "left out of the figures: %v\n", err)
	}
	shownAs.warn(measured)
	if len(measured) > 0 {
		tabs = append(measured, tabs...)
		shown = measured
	}
	if c.title != "" && len(shown) > 0 {
		shown[0].Title = c.title
	}
	d.tables, d.shown, d.verdicts, d.unasked, d.figures = tabs, shown, verdicts, unasked, figs
	d.timedFigures = figures.TimedFigures(frame)
	drawn, undrawn := drawFigures(ctx, d.folder, "", figs)
	timedDrawn, err := drawFigures(ctx, d.folder, reports.TimingsFolder, d.timedFigures)
	d.undrawn = errors.Join(undrawn, err)
	shownPage := page.Page{
		Frame: frame, Tables: tabs, Timed: timed,
		Figures: drawn, TimedFigures: timedDrawn, Config: c.ran(),
	}
	for _, add := range []func() error{
		func() error { return d.folder.Tables("", tabs) },
		func() error { return d.folder.Tables(reports.TimingsFolder, timed) },
		func() error { return d.folder.Pages(shownPage) },
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := add(); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// show prints the first tables, and where everything is.
func (d *drawing) show(o *options, c *config, store *record.Store, stdout io.Writer) error {
	dir := folder(o, c)
	width := 0
	if f, ok := stdout.(*os.File); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil {
			width = w
		}
	}
	for _, t := range d.shown[:min(2, len(d.shown))] {
		if err := table.Terminal(stdout, t, width); err != nil {
			return err
		}
		fmt.Fprintln(stdout)
	}
	fmt.Fprintf(stdout, "tables:  %s (%s)\n", dir, strings.Join(namesOf(d.tables), "; "))
	listFigures(stdout, dir, d.figures)
	listFigures(stdout, filepath.Join(dir, reports.TimingsFolder), d.timedFigures)
	fmt.Fprintf(stdout, "page:    %s", filepath.Join(dir, reports.IndexPage))
	if len(d.verdicts) > 0 {
		fmt.Fprintf(stdout, " (%s)", strings.TrimSuffix(paper.CountOutcomes(d.verdicts).Sentence(d.unasked), "."))
	}
	_, err := fmt.Fprintf(stdout, "\nrecords: %s\n", store.Dir())
	return err
}

// namesOf says which tables there are, and in which forms.
func namesOf(tabs []table.Table) []string {
	var whole, lists []string
	for _, t := range tabs {
		if t.List {
			lists = append(lists, t.Name)
		} else {
			whole = append(whole, t.Name)
		}
	}
	var out []string
	if len(whole) > 0 {
		out = append(out, "text, Markdown, CSV and LaTeX of "+strings.Join(whole, ", "))
	}
	if len(lists) > 0 {
		out = append(out, "CSV of "+strings.Join(lists, ", "))
	}
	return out
}

// figuresOf are the figures of these records, with the tables of what they show. Even a
// panic in there is an error, which keeps nobody from the other tables.
func figuresOf(frame *summary.Frame, store *record.Store) (figs []plots.Figure, tabs []table.Table, err error) {
	defer caught(&err)
	return figures.Figures(frame, func(id string) ([]npz.Array, error) { return arraysOf(store, id) })
}

// drawFigures is [reports.Folder.Draw], a panic being an error.
func drawFigures(ctx context.Context, f *reports.Folder, sub string, figs []plots.Figure) (shownPage []page.Figure, err error) {
	defer caught(&err)
	return f.Draw(ctx, sub, figs)
}

// listFigures says which figures are in the folder.
func listFigures(w io.Writer, dir string, figs []plots.Figure) {
	if len(figs) == 0 {
		return
	}
	var names []string
	for _, f := range figs {
		names = append(names, f.Name)
	}
	fmt.Fprintf(w, "figures: %s (SVG, PNG and PDF of %s)\n", filepath.Join(dir, "figures"), strings.Join(names, ", "))
}

// arraysOf reads what a cell stored beside its record.
func arraysOf(store *record.Store, id string) ([]npz.Array, error) {
	data, err := store.NPZ(id)
	if err != nil || data == nil {
		return nil, err
	}
	return npz.Read(bytes.NewReader(data), int64(len(data)))
}

// blockTimings are what the blocks of a product cost, as far as that is known: it
// only informs. What cannot be used is told to w.
func blockTimings(store *record.Store, id string, w io.Writer) []record.BlockTiming {
	p, _, err := store.Product(id)
	if err != nil {
		fmt.Fprintf(w, "left out of the times: %v\n", err)
	}
	if p == nil {
		return nil
	}
	var out []record.BlockTiming
	for b := range p.Blocks {
		t, _, err := store.BlockTiming(id, b)
		if err != nil {
			fmt.Fprintf(w, "left out of the times: %v\n", err)
		}
		if t != nil {
			out = append(out, *t)
		}
	}
	return out
}
