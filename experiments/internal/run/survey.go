package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"ogdl/datasets/loader"
	"ogdl/experiments/internal/cost"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/parallel"
	"ogdl/internal/record"
	"ogdl/internal/usage"
	"ogdl/internal/vec"
)

// Options say which cells are computed, and how.
type Options struct {
	Filter          string
	Shard           cost.Shard
	Cell            string // exactly this one; "": all
	Rerun           string // "failed": only those
	Force, Failfast bool
	Workers         int
	Report          bool // nothing is computed: of the grid alone
}

// State is what the store knows of a cell.
type State string

const (
	statePending State = "pending"
	StateDone    State = "done"
	StateFailed  State = "failed" // or timed out
)

// Survey looks every cell up in the store and returns its state, and of its record what a
// run or a list needs. verify checks arrays, as [record.Store.Trusted] does, and times too; what
// cannot be used is told to w and counts as pending.
func Survey(ctx context.Context, store *record.Store, cells []*spec.Cell, verify bool, w io.Writer) (map[string]State, map[string]brief) {
	found := make([]finding, len(cells))
	_ = parallel.Each(runtime.GOMAXPROCS(0), len(cells), func(_, i int) error {
		found[i] = finding{state: statePending}
		if ctx.Err() == nil { // else the run ends before it computes or tells anything
			found[i] = lookUp(store, cells[i], verify)
		}
		return nil
	})
	states := make(map[string]State, len(cells))
	records := make(map[string]brief, len(cells))
	told := Contradictions{}
	for i, c := range cells {
		states[c.ID], records[c.ID] = found[i].state, found[i].brief
		told.Tell(c, found[i].contradiction, w)
		if found[i].trouble != "" {
			fmt.Fprintln(w, found[i].trouble)
		}
	}
	return states, records
}

// brief is what a run keeps of a cell's record: clusters, losses and parameters are read again where they
// are needed. The zero value is that of no record.
type brief struct {
	current        bool // it holds the cell's number
	status, reason string
	digest         string  // of its data
	seconds        float64 // that it took; 0: not known
}

// finding is what the store has of a cell.
type finding struct {
	brief
	state         State
	contradiction string // what its record says against it
	trouble       string // what else a user should know
}

func lookUp(store *record.Store, c *spec.Cell, verify bool) finding {
	look := store.Head
	if verify {
		look = store.Trusted
	}
	f := finding{state: statePending}
	r, st, err := look(c.ID)
	if err != nil {
		f.trouble = fmt.Sprintf("cell %s cannot be used (%s), a run computes it again: %v", c.ID, st, err)
	}
	if r == nil {
		return f
	}
	f.brief = brief{current: current(c, r), status: r.Status, reason: r.Reason, digest: r.Digest}
	f.state = StateOf(store, c, r)
	if !f.current {
		if Matches(c, r) {
			f.contradiction = Contradiction(c, r)
		}
		return f
	}
	t, st, err := store.Timing(c.ID)
	if t != nil {
		f.seconds = t.Seconds
	}
	switch {
	case verify && st == record.Corrupt:
		f.state = statePending
		f.trouble = fmt.Sprintf("the times of cell %s cannot be used (%s), a run computes it again: %v", c.ID, st, err)
	case f.state == statePending:
		f.trouble = fmt.Sprintf("cell %s has no times that were measured on this machine, a run computes it again", c.ID)
	}
	return f
}

// StateOf is the state of a cell that has a record.
func StateOf(store *record.Store, c *spec.Cell, r *record.Record) State {
	switch {
	case current(c, r) && c.Method.Alone && !measuredHere(store, c.ID):
		return statePending
	case current(c, r):
		return StateDone
	case r.Status == record.Failed || r.Status == record.Timeout:
		return StateFailed
	}
	return statePending
}

// measuredHere reports whether a cell's timing was taken on this machine: on a host
// of this name with this processor and these kernels.
func measuredHere(store *record.Store, id string) bool {
	t, _, err := store.Timing(id)
	if err != nil || t == nil || t.Embed == nil {
		return false
	}
	host, err := os.Hostname()
	return err == nil && t.Host == host && t.CPU == usage.Processor() && t.Kernels == vec.Kernels()
}

// checkDigests makes cells pending whose record was computed on other data than
// what is there now. Data that are not there cannot contradict a record. Each data set is
// told of once, in told.
func checkDigests(ctx context.Context, lib *source.Library, cells []*spec.Cell, states map[string]State, records map[string]brief, told map[spec.Source]bool, w io.Writer) {
	for _, c := range cells {
		if ctx.Err() != nil {
			return
		}
		if states[c.ID] != StateDone {
			continue
		}
		digest, err := lib.Digest(ctx, c)
		at := c.Source()
		switch {
		case err != nil:
			if !told[at] {
				told[at] = true
				fmt.Fprintf(w, "%s: what is done is kept without comparing its data: %v\n", c.Dataset, err)
			}
		case digest != records[c.ID].digest:
			states[c.ID] = statePending
			if !told[at] {
				told[at] = true
				fmt.Fprintf(w, "%s: the data have changed since cells were computed; these are computed again\n", c.Dataset)
			}
		}
	}
}

// announce tells which of the cells will be skipped, since their data are not there.
func announce(lib *source.Library, cells []*spec.Cell, w io.Writer) {
	var order []spec.Source
	counts, missing := map[spec.Source]int{}, map[spec.Source]error{}
	for _, c := range cells {
		at := c.Source()
		if counts[at]++; counts[at] > 1 {
			continue
		}
		if err := lib.Find(c); errors.Is(err, loader.ErrMissing) {
			order, missing[at] = append(order, at), err
		}
	}
	for _, at := range order {
		fmt.Fprintf(w, "%s: its %s will be skipped: %v\n", at.Name, spec.Plural(counts[at], "cell", "cells"), missing[at])
	}
}

// Computable is an error if no cell is done and the data of none are there: such a run could
// compute nothing and would only leave empty tables.
func Computable(lib *source.Library, cells []*spec.Cell, store *record.Store) error {
	var reasons []error
	told := map[spec.Source]bool{}
	for _, c := range cells {
		at := c.Source()
		if told[at] {
			continue
		}
		told[at] = true
		err := lib.Find(c)
		if err == nil {
			return nil
		}
		reasons = append(reasons, err)
	}
	for _, c := range cells {
		if r, _, _ := store.Head(c.ID); current(c, r) {
			return nil
		}
	}
	if len(reasons) == 0 {
		return nil // a shard without cells
	}
	return fmt.Errorf("nothing can be computed, the data of no cell are there:\n%w", errors.Join(reasons...))
}

// Countable holds the cells on folders of the user's own to the rules of checkCounts, once the folders have been
// read. What cannot be read fails later, cell by cell.
func Countable(lib *source.Library, conf *grid.Config, cells []*spec.Cell) error {
	var problems []error
	told := map[string]bool{}
	for _, c := range cells {
		if c.Own == nil || c.Own.Missing != nil || c.Method.Input == spec.InputStream {
			continue
		}
		d := lib.Dataset(c)
		if d.Err != nil {
			continue
		}
		v := spec.Values{spec.DatasetKey: c.Dataset}
		maps.Copy(v, c.Params)
		if key, want := c.Method.CheckCounts(v, len(d.Data.Graphs), d.Data.NumClasses()); want != "" && !told[key+want] {
			told[key+want] = true
			file, line := conf.Place(c, key)
			problems = append(problems, &grid.Error{File: file, Line: line, Key: key, Value: grid.ShowIn(v, key), Want: want})
		}
	}
	return errors.Join(problems...)
}

// List writes the cells with id and state, and how many are to be chosen.
func List(w io.Writer, cells []*spec.Cell, states map[string]State, records map[string]brief, further *Confirmation) {
	counts := map[State]int{}
	for _, c := range cells {
		st := states[c.ID]
		counts[st]++
		id := c.ID
		if !c.Known() {
			id = "id not known: " + c.Own.Why()
		}
		line := fmt.Sprintf("%s  %-7s  %s", id, st, c)
		if r := records[c.ID]; st != StateDone && r.reason != "" {
			line += "  [" + r.status + ": " + firstLine(r.reason) + "]"
		}
		if c.Confirm {
			line += "  [confirms a choice]"
		}
		fmt.Fprintln(w, line)
	}
	fmt.Fprintf(w, "%s: %d done, %d pending, %d failed", spec.Plural(len(cells), "cell", "cells"), counts[StateDone], counts[statePending], counts[StateFailed])
	if len(further.Open) > 0 {
		fmt.Fprintf(w, ", %s", further)
	}
	fmt.Fprintln(w)
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// pick returns the cells that a run has to compute.
func pick(o *Options, cells []*spec.Cell, states map[string]State) []*spec.Cell {
	var out []*spec.Cell
	for _, c := range cells {
		st := states[c.ID]
		switch {
		case o.Cell != "" || o.Force:
		case o.Rerun == "failed":
			if st != StateFailed {
				continue
			}
		case st == StateDone:
			continue
		}
		out = append(out, c)
	}
	return out
}

// selectCells applies -filter, -shard and -cell to the grid and to the cells that
// confirm its choices. A shard may have no cells.
func selectCells(o *Options, c *grid.Config, f grid.Filter, grid, confirming []*spec.Cell) ([]*spec.Cell, error) {
	all := slices.Concat(grid, confirming)
	if o.Cell != "" {
		var found []*spec.Cell
		for _, x := range all {
			if strings.HasPrefix(x.ID, o.Cell) {
				found = append(found, x)
			}
		}
		switch {
		case len(found) == 0:
			return nil, fmt.Errorf("-cell %q: no cell of %s has this id; -list shows them, and -config names another configuration", o.Cell, c.Name)
		case len(found) > 1:
			return nil, fmt.Errorf("-cell %q: %d cells begin like this; give more of the id", o.Cell, len(found))
		}
		return found, nil
	}
	out := f.Pick(all)
	if len(out) == 0 {
		none := fmt.Sprintf("-filter %q: none of the %d cells of %s matches", o.Filter, len(all), c.Name)
		return nil, errors.New(strings.Join(append([]string{none}, f.Idle(all)...), "; "))
	}
	return o.Shard.Pick(out), nil
}
