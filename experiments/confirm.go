package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"ogdl/internal/record"
	"ogdl/reports/summary"

	"golang.org/x/sync/errgroup"
)

// tableRow is a row of the configuration's table, a method on a data set, with its cells of
// the grid.
type tableRow struct {
	rowKey
	cells []*cell
}

type rowKey struct {
	dataset string
	own     *own
	method  string
}

// rows puts the cells of the grid into the rows of the table, in their order; none where
// nothing is confirmed.
func (c *config) rows(grid []*cell) []*tableRow {
	var out []*tableRow
	if c.confirm == 0 {
		return nil
	}
	at := map[rowKey]*tableRow{}
	row := c.rowOf()
	for _, x := range grid {
		key := row(x)
		r := at[key]
		if r == nil {
			r = &tableRow{rowKey: key}
			at[key] = r
			out = append(out, r)
		}
		r.cells = append(r.cells, x)
	}
	return out
}

// rowOf returns the function that tells the row of a cell.
func (c *config) rowOf() func(x *cell) rowKey {
	name := summary.RowNames(c.table)
	var before *cell
	var key rowKey
	return func(x *cell) rowKey {
		if before == nil || !x.repeats(before) {
			before, key = x, rowKey{x.dataset, x.own, name(x.method.name, x.params)}
		}
		return key
	}
}

// confirmation is what `confirm` asks for beside the grid, as far as a store tells: the
// chosen configurations of the rows, on repetitions that they were not chosen by.
type confirmation struct {
	// of has the cells of the rows whose cells of the grid are all there, so that the choice is
	// made, and cells all of them, in the order of the rows.
	of    map[rowKey][]*cell
	cells []*cell
	open  []*tableRow // the other rows
	// Cells that those will ask for: the choices with labels and without may agree.
	least, most int
}

// confirmation chooses for every row whose cells all have records. agrees says whether
// a record was computed on the data that are there; nil: on any.
func (c *config) confirmation(ctx context.Context, rows []*tableRow, store *record.Store, agrees func(*cell, *record.Record) bool) (*confirmation, error) {
	chosen := make([][]*cell, len(rows))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, r := range rows {
		g.Go(func() (err error) {
			defer caught(&err)
			if runs := r.runs(ctx, store, agrees); runs != nil {
				chosen[i] = r.chosen(summary.NewFrame(summary.Spec{Table: c.table}, runs, nil).Choices()...)
			}
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return c.confirming(rows, chosen), nil
}

// confirming is the confirmation of rows by what is chosen of each: nil for a row whose cells are not
// all there.
func (c *config) confirming(rows []*tableRow, chosen [][]*cell) *confirmation {
	out := &confirmation{of: map[rowKey][]*cell{}}
	for i, r := range rows {
		if chosen[i] == nil {
			n := c.confirm * len(c.seeds)
			out.open = append(out.open, r)
			out.least += n
			out.most += n * min(2, len(c.configurations(r)))
			continue
		}
		cells := []*cell{}
		for _, x := range chosen[i] {
			cells = append(cells, c.fresh(x)...)
		}
		out.of[r.rowKey] = cells
		out.cells = append(out.cells, cells...)
	}
	return out
}

// unity watches whether the records of a row are those of its cells, computed on the same data.
type unity struct {
	broken  bool
	digests map[int64]string // by base seed: simulated sets are drawn anew for each
}

// meets adds the record of a cell and reports whether all are there and one.
func (u *unity) meets(x *cell, rec *record.Record) bool {
	if u.broken = u.broken || !current(x, rec); u.broken {
		return false
	}
	if u.digests == nil {
		u.digests = map[int64]string{}
	}
	if digest, seen := u.digests[x.seed]; seen && digest != rec.Digest {
		u.broken = true
	}
	u.digests[x.seed] = rec.Digest
	return !u.broken
}

// runs are the cells of the row with their records, but for the labels; nil unless all are there, computed on the same data.
func (r *tableRow) runs(ctx context.Context, store *record.Store, agrees func(*cell, *record.Record) bool) []summary.Run {
	var all unity
	out := make([]summary.Run, 0, len(r.cells))
	from := 0
	for i, x := range r.cells {
		rec, _, err := store.Head(x.id)
		if err != nil || ctx.Err() != nil || !all.meets(x, rec) || agrees != nil && !agrees(x, rec) {
			return nil
		}
		out = append(out, summary.Run{Expected: expected(x), Record: rec})
		if i+1 == len(r.cells) || !r.cells[i+1].repeats(x) {
			fold(out[from:])
			from = i + 1
		}
	}
	return out
}

// fold lets the labels of a configuration's cells go.
func fold(runs []summary.Run) {
	summary.Fold(runs)
	for i := range runs {
		if r := runs[i].Record; r != nil {
			r.Assignment = nil
		}
	}
}

// whole are the rows without those whose cells are not all there, nil in their places. runs are those of the grid.
func (c *config) whole(rows []*tableRow, grid []*cell, runs []summary.Run) []*tableRow {
	if len(rows) == 0 {
		return nil
	}
	row, of := c.rowOf(), map[rowKey]*unity{}
	for _, r := range rows {
		of[r.rowKey] = &unity{}
	}
	for i, x := range grid {
		of[row(x)].meets(x, runs[i].Record)
	}
	out := slices.Clone(rows)
	for i, r := range out {
		if of[r.rowKey].broken {
			out[i] = nil
		}
	}
	return out
}

// chosenOf are the cells that choices name of each row; nil for those that are nil.
func chosenOf(rows []*tableRow, choices []summary.Choice) [][]*cell {
	of := map[string]summary.Choice{} // by the first id
	for _, c := range choices {
		if len(c.Chosen) > 0 {
			of[c.Chosen[0]] = c
		}
	}
	out := make([][]*cell, len(rows))
	for i, r := range rows {
		if r == nil {
			continue
		}
		out[i] = []*cell{}
		for _, x := range r.cells {
			if choice, found := of[x.id]; found {
				out[i] = r.chosen(choice)
				break
			}
		}
	}
	return out
}

// chosen are the cells that choices of the row name.
func (r *tableRow) chosen(choices ...summary.Choice) []*cell {
	out := []*cell{}
	for _, choice := range choices {
		for _, id := range choice.Chosen {
			out = append(out, r.cells[slices.IndexFunc(r.cells, func(x *cell) bool { return x.id == id })])
		}
	}
	return out
}

// fresh are the cells of a configuration on the repetitions behind those of the grid.
func (c *config) fresh(x *cell) []*cell {
	var out []*cell
	for _, seed := range c.seeds {
		for r := range c.confirm {
			y := *x
			y.seed, y.repetition, y.confirm = seed, c.repetitions+r, true
			y.identify()
			out = append(out, &y)
		}
	}
	return out
}

// configurations has one cell of each configuration of a row.
func (c *config) configurations(r *tableRow) []*cell {
	var out []*cell
	for _, x := range r.cells {
		if x.repetition == 0 && (len(c.seeds) == 0 || x.seed == c.seeds[0]) {
			out = append(out, x)
		}
	}
	return out
}

// String is "20 to be chosen" or "20 to 40 to be chosen", and "" where nothing is.
func (f *confirmation) String() string {
	switch {
	case len(f.open) == 0:
		return ""
	case f.least == f.most:
		return fmt.Sprintf("%d to be chosen", f.least)
	}
	return fmt.Sprintf("%d to %d to be chosen", f.least, f.most)
}

// expected is the cell as reports know it.
func expected(x *cell) summary.Expected {
	return summary.Expected{
		ID: x.id, Method: x.method.name, Dataset: x.dataset, Params: x.params, // shared by all repetitions, and by nobody changed
		BaseSeed: x.seed, Repetition: x.repetition, Confirm: x.confirm,
	}
}

// any reports whether one of the row's cells is among these.
func (r *tableRow) any(ids map[string]bool) bool {
	return slices.ContainsFunc(r.cells, func(x *cell) bool { return ids[x.id] })
}

// selection is what -filter, -shard and -cell name.
type selection struct {
	filter  filter
	grid    []*cell       // the whole grid
	rows    []*tableRow   // to whose confirmation the selection may lead; none where nothing is confirmed
	further *confirmation // of these rows, as the store was
	cells   []*cell       // those that are named, of the grid and of further
}

// newSelection finds the cells that the options name; for those that confirm a choice it looks into the
// store.
func newSelection(ctx context.Context, o *runOptions, c *config, methods []method, store *record.Store) (*selection, error) {
	f, err := parseFilter(o.filter, filterKeys(methods))
	if err != nil {
		return nil, err
	}
	s := &selection{filter: f, grid: c.cells(), further: &confirmation{}}
	inGrid := o.cell != "" && slices.ContainsFunc(s.grid, func(x *cell) bool { return strings.HasPrefix(x.id, o.cell) })
	if c.confirm > 0 && !o.report && !inGrid {
		s.rows = f.touched(c.rows(s.grid))
		if s.further, err = c.confirmation(ctx, s.rows, store, nil); err != nil {
			return nil, err
		}
	}
	s.cells, err = selectCells(o, c, f, s.grid, s.further.cells)
	return s, err
}

// ofGrid are the cells of the first round: those of the grid, or the one that -cell names.
func (s *selection) ofGrid(o *runOptions) []*cell {
	if o.cell != "" {
		return s.cells
	}
	return slices.DeleteFunc(slices.Clone(s.cells), func(x *cell) bool { return x.confirm })
}

// touched are the rows to which a filter may lead: those with a cell that it names, whatever
// the repetition.
func (f filter) touched(rows []*tableRow) []*tableRow {
	wide := slices.DeleteFunc(slices.Clone(f), func(t clause) bool { return t.key == "repetition" || t.key == "id" })
	return slices.DeleteFunc(rows, func(r *tableRow) bool { return !slices.ContainsFunc(r.cells, wide.matches) })
}
