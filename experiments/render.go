package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/run"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/guard"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/internal/words"
	"ogdl/reports"
	"ogdl/reports/summary"
	"ogdl/reports/table"

	"golang.org/x/term"
)

// render writes the tables and pages of these cells from the store, and shows the first
// tables. When the context ends first it returns at once, and the old report stays as it was.
func (j *job) render(ctx context.Context, grid []*spec.Cell) error {
	var messages bytes.Buffer
	r, err := untilDone(ctx, func() (*reports.Report, error) { return j.draw(ctx, grid, &messages) })
	if ctx.Err() == nil { // else the other goroutine may still write it
		if _, err := messages.WriteTo(j.stderr); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	if err := r.Write(ctx); err != nil {
		return err
	}
	return errors.Join(reports.List(ctx, j.o.out), r.Show(j.stdout, widthOf(j.stdout), j.store.Dir()), r.Undrawn)
}

// widthOf is how many columns a terminal has, 0 for what is none.
func widthOf(w io.Writer) int {
	if s, ok := w.(words.Screen); ok {
		w = s.W
	}
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			return width
		}
	}
	return 0
}

// untilDone is f, but for a context that ends meanwhile: whatever f is at, be it a long
// sum or a file that a network does not give, is left behind. A panic is an error.
func untilDone[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() { done <- r }()
		defer guard.Shown(&r.err)
		r.value, r.err = f()
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// errNothing is the error of a report of which no cell has run.
var errNothing = errors.New("nothing to report")

// frameOf reads what the store has of a grid and of what confirms its choices, with the names of its data; what there is to say goes to messages.
func frameOf(ctx context.Context, c *grid.Config, grid []*spec.Cell, store *record.Store, messages io.Writer) (*summary.Frame, *shownData, error) {
	got := newGathered()
	runs, err := got.add(ctx, store, grid, messages)
	if err != nil {
		return nil, nil, err
	}
	if !slices.ContainsFunc(runs, func(r summary.Run) bool { return r.Record != nil }) {
		return nil, nil, fmt.Errorf("%s holds no record of the cells of %s: %w; -out names the folder that a run has had as -out",
			store.Dir(), c.Name, errNothing)
	}
	shownAs := newShownData()
	shownAs.name(grid, runs)
	frame := summary.NewFrame(summary.Spec{Name: c.Name, Table: c.Table, Confirm: c.Confirm}, runs, got.blocks)
	if further := run.ConfirmationIn(c, run.RowsOf(c, grid), runs, frame.Choices()); len(further.Cells) > 0 {
		got.blocks = nil // those of the grid are in the frame
		if runs, err = got.add(ctx, store, further.Cells, messages); err != nil {
			return nil, nil, err
		}
		shownAs.name(further.Cells, runs)
		frame.Add(runs, got.blocks)
	}
	return frame, shownAs, nil
}

// draw makes tables, figures and pages from the store; what there is to say goes to messages. It writes no file.
func (j *job) draw(ctx context.Context, grid []*spec.Cell, messages io.Writer) (*reports.Report, error) {
	o, c, store := j.o, j.config, j.store
	defer thrifty(len(grid))()
	frame, shownAs, err := frameOf(ctx, c, grid, store, messages)
	if err != nil {
		return nil, err
	}
	look := o.look
	look.Untitled = !o.titles
	r, err := reports.Render(ctx, folder(o, c), frame, reports.Options{
		Force: o.Force, Title: c.Title, Config: c.Ran(), Warnings: shownAs.warnings, Look: look,
		Arrays:      func(id string) ([]npz.Array, error) { return arraysOf(store, id) },
		Clusterings: reports.Clusterings{Of: j.labels, Classes: j.classes(grid, messages)},
	})
	if err == nil && r.LeftOut != nil {
		sayLeftOut(messages, r.LeftOut)
	}
	if err == nil && r.Unclustered != nil {
		fmt.Fprintf(messages, "left out: %v\n", r.Unclustered)
	}
	return r, err
}

// frame returns the rows of these cells as the store has them, without what confirms their choices.
func (j *job) frame(ctx context.Context, cells []*spec.Cell) (*summary.Frame, error) {
	runs, err := newGathered().add(ctx, j.store, cells, j.stderr)
	if err != nil {
		return nil, err
	}
	newShownData().name(cells, runs)
	return summary.NewFrame(summary.Spec{Name: j.config.Name, Table: j.config.Table}, runs, nil), nil
}

// rows shows the settings of these cells, each over its repetitions, and writes no file.
func (j *job) rows(ctx context.Context, cells []*spec.Cell) error {
	f, err := j.frame(ctx, cells)
	if err != nil {
		return err
	}
	return table.Terminal(j.stdout, reports.Rows(f), widthOf(j.stdout))
}

// sayLeftOut says which figures could not be made, of cells without arrays how many there are.
func sayLeftOut(w io.Writer, err error) {
	inLedger := 0
	var say func(error)
	say = func(err error) {
		if several, ok := err.(interface{ Unwrap() []error }); ok {
			for _, one := range several.Unwrap() {
				say(one)
			}
		} else if errors.Is(err, record.ErrInLedger) {
			inLedger++
		} else {
			fmt.Fprintf(w, "left out of the figures: %v\n", err)
		}
	}
	if say(err); inLedger > 0 {
		fmt.Fprintf(w, "left out of the figures: what needs the arrays of %s that the ledger alone has (run -cell ID computes one)\n",
			words.Plural(inLedger, "cell", "cells"))
	}
}

// labels are the clusters that a cell has put its graphs into; nil of one that a ledger alone has.
func (j *job) labels(r summary.Run) (record.Labels, error) {
	head, _, err := j.store.Head(r.ID)
	if head == nil {
		return nil, cmp.Or(err, fmt.Errorf("the record of cell %s is gone", r.ID))
	}
	return head.Assignment, nil
}

// classes finds the classes of the graphs of the grid's cells. Where they are not known it says so once to w.
func (j *job) classes(grid []*spec.Cell, w io.Writer) func(summary.Run) []string {
	said := map[string]bool{}
	return func(r summary.Run) []string {
		out, err := j.lib.Classes(grid[r.Place], r.Record.Digest)
		if err != nil && !said[r.Dataset] {
			said[r.Dataset] = true
			fmt.Fprintf(w, "clusters of %s are without the classes of the graphs: %v\n", r.Dataset, err)
		}
		return out
	}
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
// only informs. What cannot be used is written to w.
func blockTimings(store *record.Store, id string, w io.Writer) []record.BlockTiming {
	p, _, err := store.Product(id)
	if err != nil {
		fmt.Fprintf(w, "left out of the times: %v\n", err)
	}
	if kept := store.KeptSeconds(id); p == nil && kept > 0 {
		return []record.BlockTiming{{ID: id, Seconds: kept, CPUSeconds: kept}} // the sum
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
