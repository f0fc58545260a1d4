package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"ogdl/internal/record"
	"ogdl/reports"

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
	name := reports.Rows(c.table)
	for _, x := range grid {
		key := rowKey{x.dataset, x.own, name(x.method.name, x.params)}
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

// heads looks the record of a cell up; nil if there is none that can be used.
type heads func(id string) *record.Record

func headsOf(store reader) heads {
	return func(id string) *record.Record {
		r, _, err := store.Head(id)
		if err != nil {
			return nil
		}
		return r
	}
}

// confirmation chooses for every row whose cells all have records. agrees says whether
// a record was computed on the data that are there; nil: on any.
func (c *config) confirmation(ctx context.Context, rows []*tableRow, head heads, agrees func(*cell, *record.Record) bool) (*confirmation, error) {
	out := &confirmation{of: map[rowKey][]*cell{}}
	if c.confirm == 0 {
		return out, nil
	}
	chosen := make([][]*cell, len(rows))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, r := range rows {
		g.Go(func() (err error) {
			defer caught(&err)
			recs := r.records(ctx, head, agrees)
			if recs != nil {
				chosen[i] = c.chosen(r, recs)
			}
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for i, r := range rows {
		if chosen[i] != nil {
			out.of[r.rowKey] = chosen[i]
			out.cells = append(out.cells, chosen[i]...)
			continue
		}
		n := c.confirm * len(c.seeds)
		out.open = append(out.open, r)
		out.least += n
		out.most += n * min(2, len(c.configurations(r)))
	}
	return out, nil
}

// records are those of all cells of the row; nil unless all are there, computed on the same
// data.
func (r *tableRow) records(ctx context.Context, head heads, agrees func(*cell, *record.Record) bool) []record.Record {
	var out []record.Record
	digests := map[int64]string{} // by base seed: simulated sets are drawn anew for each
	for _, x := range r.cells {
		rec := head(x.id)
		if !current(x, rec) || agrees != nil && !agrees(x, rec) || ctx.Err() != nil {
			return nil
		}
		if digest, seen := digests[x.seed]; seen && digest != rec.Digest {
			return nil
		}
		digests[x.seed] = rec.Digest
		out = append(out, *rec)
	}
	return out
}

// chosen are the cells that confirm the choices of a row.
func (c *config) chosen(r *tableRow, recs []record.Record) []*cell {
	out := []*cell{}
	spec := reports.Spec{Table: c.table}
	of := map[string]*cell{}
	for _, x := range r.cells {
		of[x.id] = x
		spec.Expected = append(spec.Expected, expected(x))
	}
	for _, choice := range reports.Choices(spec, recs) {
		for _, id := range choice.Chosen {
			out = append(out, c.fresh(of[id])...)
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
func expected(x *cell) reports.Expected {
	return reports.Expected{
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

// selection finds the cells that the options name; for those that confirm a choice it looks into the
// store.
func (p program) selection(ctx context.Context, o *options, c *config, store reader) (*selection, error) {
	f, err := parseFilter(o.filter, filterKeys(p.methods))
	if err != nil {
		return nil, err
	}
	s := &selection{filter: f, grid: c.cells(), further: &confirmation{}}
	inGrid := o.cell != "" && slices.ContainsFunc(s.grid, func(x *cell) bool { return strings.HasPrefix(x.id, o.cell) })
	if c.confirm > 0 && !o.report && !inGrid {
		s.rows = f.touched(c.rows(s.grid))
		if s.further, err = c.confirmation(ctx, s.rows, headsOf(store), nil); err != nil {
			return nil, err
		}
	}
	s.cells, err = selectCells(o, c, f, s.grid, s.further.cells)
	return s, err
}

// ofGrid are the cells of the first round: those of the grid, or the one that -cell names.
func (s *selection) ofGrid(o *options) []*cell {
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
