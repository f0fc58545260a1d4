package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/guard"
	"ogdl/internal/parallel"
	"ogdl/internal/record"
	"ogdl/internal/words"
	"ogdl/reports/summary"
)

// tableRow is a row of the table, a method on a data set, with its cells of the grid.
type tableRow struct {
	rowKey
	cells []*spec.Cell
	raced bool
}

type rowKey struct {
	dataset string
	own     *spec.Own
	method  string
}

// RowsOf puts the cells of the grid into the rows of the table, in their order; without rows that neither race nor have their
// choices confirmed.
func RowsOf(c *grid.Config, grid []*spec.Cell) []*tableRow {
	var out []*tableRow
	at, family := map[rowKey]*tableRow{}, summary.FamilyOf(c.Table)
	starts := Bounds(grid)
	for i, from := range starts[:len(starts)-1] {
		x := grid[from]
		key := rowKey{x.Dataset, x.Own, family.Row(x.Method.Name, summary.Params(x.Params))}
		r := at[key]
		if r == nil {
			r = &tableRow{rowKey: key}
			at[key], out = r, append(out, r)
		}
		r.cells, r.raced = append(r.cells, grid[from:starts[i+1]]...), r.raced || x.Race
	}
	return slices.DeleteFunc(out, func(r *tableRow) bool { return c.Confirm == 0 && !r.raced })
}

// Confirmation holds the re-runs of a configuration: the selected settings of its rows on fresh
// repetitions, as far as the store decides the selection.
type Confirmation struct {
	// of has the re-runs of every row whose selection is made. Cells has them all, row by row.
	of    map[*tableRow][]*spec.Cell
	Cells []*spec.Cell
	Open  []*tableRow // the other rows
	// Least and Most bound the number of re-runs of the open rows: selection with and without
	// labels may agree.
	Least, Most int
	// Chances has the chance of each cell of a racing row, by id. Sure cells are omitted.
	Chances map[string]summary.Chance
}

// ConfirmationOf selects the settings of every row whose cells all have a record, or are ruled out
// by a race. agrees reports whether a record was computed on the data that are there; nil: on any. A race waits for the cells that
// have failed, but for those in tried, which a run does not compute again.
func ConfirmationOf(ctx context.Context, c *grid.Config, rows []*tableRow, store *record.Store,
	agrees func(*spec.Cell, *record.Record) bool, tried map[string]bool) (*Confirmation, error) {
	again, chances := make([][]*spec.Cell, len(rows)), make([]map[string]summary.Chance, len(rows))
	if err := parallel.Each(runtime.GOMAXPROCS(0), len(rows), func(_, i int) (err error) {
		defer guard.Caught(&err)
		if runs := rows[i].runs(ctx, store, agrees, tried); runs != nil {
			f := summary.NewFrame(summary.Spec{Table: c.Table}, runs, nil)
			if chances[i] = f.Chances(); f.Rows[0].Settled() {
				again[i] = rows[i].again(c, f.Chosen())
			}
		}
		return ctx.Err()
	}); err != nil {
		return nil, err
	}
	out := &Confirmation{of: map[*tableRow][]*spec.Cell{}, Chances: map[string]summary.Chance{}}
	for i, r := range rows {
		maps.Copy(out.Chances, chances[i])
		switch {
		case c.Confirm == 0: // the row races
		case again[i] == nil:
			n := c.Confirm * len(c.Seeds)
			out.Open = append(out.Open, r)
			out.Least += n
			out.Most += n * min(2, len(r.Configurations(c)))
		default:
			out.of[r] = again[i]
			out.Cells = append(out.Cells, again[i]...)
		}
	}
	return out, nil
}

// Confirming returns the re-runs of all rows whose selection a report's frame of the grid decides.
func Confirming(c *grid.Config, grid []*spec.Cell, frame *summary.Frame) (out []*spec.Cell) {
	records := map[string]*record.Record{} // the frame has an order of its own
	for x := range frame.All() {
		records[x.ID] = x.Record
	}
	chances, chosen := frame.Chances(), frame.Chosen()
	for _, r := range RowsOf(c, grid) {
		there := results(nil)
		if !slices.ContainsFunc(r.cells, func(x *spec.Cell) bool { return chances[x.ID] != summary.RuledOut && !there(x, records[x.ID]) }) {
			out = append(out, r.again(c, chosen)...)
		}
	}
	return out
}

// results returns a function that reports whether a record is the result of a cell, computed on the data of the results before it, and
// agrees.
func results(agrees func(*spec.Cell, *record.Record) bool) func(*spec.Cell, *record.Record) bool {
	digests := map[int64]string{} // by base seed: simulated sets are drawn anew for each
	return func(x *spec.Cell, r *record.Record) bool {
		if !current(x, r) || agrees != nil && !agrees(x, r) {
			return false
		}
		digests[x.Seed] = cmp.Or(digests[x.Seed], r.Digest)
		return digests[x.Seed] == r.Digest
	}
}

// runs returns the row's cells with their records, labels folded; nil if any has none, unless they race.
func (r *tableRow) runs(ctx context.Context, store *record.Store, agrees func(*spec.Cell, *record.Record) bool, tried map[string]bool) []summary.Run {
	out := make([]summary.Run, 0, len(r.cells))
	from := 0 // of the configuration whose records are read
	there := results(agrees)
	for i, x := range r.cells {
		if i > 0 && x.Setting != r.cells[i-1].Setting {
			Fold(out[from:])
			from = i
		}
		rec, _ := store.Head(x.ID) // one that cannot be used is as good as none
		found := there(x, rec)
		_, ended := tried[x.ID]
		switch {
		case ctx.Err() != nil || !found && !r.raced:
			return nil
		case !found && rec != nil && (rec.Status == record.OK || !ended): // on other data, of other parameters, or computed again
			rec = nil
		}
		out = append(out, summary.Run{Expected: Expected(x), Record: rec})
	}
	Fold(out[from:])
	return out
}

// Fold keeps what tables need of the labels of one setting's runs, and drops the labels.
func Fold(runs []summary.Run) {
	summary.Fold(runs)
	for i := range runs {
		if r := runs[i].Record; r != nil {
			r.Assignment, r.Kept = nil, nil
		}
	}
}

// again has the re-runs of the settings of the row that have a chosen cell, in their order; it is never nil.
func (r *tableRow) again(c *grid.Config, chosen []string) []*spec.Cell {
	of := make(map[string]*spec.Cell, len(r.cells))
	for _, x := range r.cells {
		of[x.ID] = x
	}
	out := []*spec.Cell{}
	for _, id := range chosen {
		if x := of[id]; x != nil {
			out = append(out, Fresh(c, x)...)
		}
	}
	return out
}

// Fresh returns the re-runs of a setting: the cell x on the c.Confirm repetitions after the last
// one of any block, for every seed.
func Fresh(c *grid.Config, x *spec.Cell) []*spec.Cell {
	var out []*spec.Cell
	for _, seed := range c.Seeds {
		for r := range c.Confirm {
			y := *x
			y.Seed, y.Repetition, y.Confirm = seed, c.Behind()+r, true
			y.Identify()
			out = append(out, &y)
		}
	}
	return out
}

// Configurations has one cell of each configuration of a row.
func (r *tableRow) Configurations(c *grid.Config) []*spec.Cell {
	return summary.Pick(r.cells, func(x *spec.Cell) bool { return x.Repetition == 0 && (len(c.Seeds) == 0 || x.Seed == c.Seeds[0]) })
}

// String is "20 to be chosen" or "20 to 40 to be chosen", and "" where nothing is.
func (f *Confirmation) String() string {
	return words.If(len(f.Open) > 0, "%d%s to be chosen", f.Least, words.If(f.Most > f.Least, " to %d", f.Most))
}

// Expected is the cell as reports know it.
func Expected(x *spec.Cell) summary.Expected {
	return summary.Expected{
		ID: x.ID, Method: x.Method.Name, Dataset: x.Dataset, Params: x.Params, // shared by all repetitions, and by nobody changed
		BaseSeed: x.Seed, Repetition: x.Repetition, Confirm: x.Confirm, Race: x.Race,
	}
}

// Selection holds the cells that -filter, -shard and -cell select.
type Selection struct {
	Filter  grid.Filter
	Grid    []*spec.Cell  // the whole grid
	rows    []*tableRow   // rows that the selected cells may complete; empty without confirm
	Further *Confirmation // of these rows, as the store was
	Cells   []*spec.Cell  // those that are named, of the grid and of further
	First   []*spec.Cell  // of these the first round: the grid's that no race may rule out, or the cell of -cell
	All     []*spec.Cell  // as Cells, of all shards
	Later   bool          // a race may ask for cells of more than one repetition
}

// NewSelection finds the cells that the options name. For those that confirm a choice it looks into the
// store. A shard may have no cells.
func NewSelection(ctx context.Context, o *Options, c *grid.Config, methods []spec.Method, store *record.Store) (*Selection, error) {
	f, err := grid.ParseFilter(o.Filter, grid.FilterKeys(methods))
	if err != nil {
		return nil, fmt.Errorf("-filter %w", err)
	}
	s := &Selection{Filter: f, Grid: c.Cells(), Further: &Confirmation{}}
	begins := func(x *spec.Cell) bool { return strings.HasPrefix(x.ID, o.Cell) }
	inGrid := o.Cell != "" && slices.ContainsFunc(s.Grid, begins)
	if !o.Report && !inGrid {
		// Those with a cell that the filter names, whatever the repetition.
		wide := f.Wide()
		s.rows = slices.DeleteFunc(RowsOf(c, s.Grid), func(r *tableRow) bool { return !slices.ContainsFunc(r.cells, wide.Matches) })
		if s.Further, err = ConfirmationOf(ctx, c, s.rows, store, nil, nil); err != nil {
			return nil, err
		}
	}
	all := slices.Concat(s.Grid, s.Further.Cells)
	if o.Cell == "" {
		named := f.Pick(all)
		if len(named) == 0 {
			none := fmt.Sprintf("-filter %q: none of the %s of %s matches", o.Filter, words.Plural(len(all), "cell", "cells"), c.Name)
			return nil, errors.New(strings.Join(append([]string{none}, f.Idle(all, false)...), "; "))
		}
		open := func(x *spec.Cell) bool {
			return s.Further.Chances[x.ID] == summary.MayBe && x.Repetition != named[0].Repetition
		}
		if s.Later = slices.ContainsFunc(named, open); s.Later && o.Shard.Of > 1 {
			return nil, fmt.Errorf("-shard %s: a race decides between whole repetitions, and no shard has one; compute one "+
				"repetition by shards with -filter repetition=0, merge their folders, and repeat this until it computes "+
				"nothing; go on with repetition=1, and so on; or leave out -shard", o.Shard)
		}
		s.All, s.Cells = named, o.Shard.Pick(named)
		s.First = summary.Pick(s.Cells, func(x *spec.Cell) bool { return !x.Confirm && s.Further.Chances[x.ID] == summary.Sure })
		return s, nil
	}
	s.Cells = slices.DeleteFunc(all, func(x *spec.Cell) bool { return !begins(x) })
	switch {
	case len(s.Cells) == 0:
		return nil, fmt.Errorf("-cell %q: no cell of %s has this id; list shows them, and -config names another configuration", o.Cell, c.Name)
	case len(s.Cells) > 1:
		return nil, fmt.Errorf("-cell %q: %d cells begin like this; give more of the id", o.Cell, len(s.Cells))
	}
	s.All, s.First = s.Cells, s.Cells
	return s, nil
}
