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
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/parallel"
	"ogdl/internal/record"
	"ogdl/internal/usage"
	"ogdl/internal/vec"
	"ogdl/internal/words"
)

// Options say which cells are computed, and how.
type Options struct {
	Filter          string
	Shard           Shard
	Cell            string // exactly this one; "": all
	Rerun           string // "failed": only those
	Force, Failfast bool
	Verify          bool // the sums of all arrays are checked
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

// Survey looks every cell up in the store: record, times and the size of its arrays, with verify their sum as well. What
// cannot be used is reported to w and counts as pending. What it knows stands in the order of the cells.
func Survey(ctx context.Context, store *record.Store, cells []*spec.Cell, verify bool, w io.Writer) []Known {
	out := make([]Known, len(cells))
	_ = parallel.Each(runtime.GOMAXPROCS(0), len(cells), func(_, i int) error {
		out[i].State = statePending
		if ctx.Err() == nil { // else the run ends before it computes or tells anything
			out[i] = lookUp(store, cells[i], verify)
		}
		return nil
	})
	contradictions := Contradictions{}
	for i, c := range cells {
		contradictions.Report(c, out[i].contradiction, w)
		if out[i].trouble != "" {
			fmt.Fprintln(w, out[i].trouble)
		}
	}
	return out
}

// Known is what a run or a list keeps of what the store has of a cell: clusters, losses and parameters are read again
// where they are needed.
type Known struct {
	State          State
	current        bool // its record holds the cell's number
	status, reason string
	digest         string  // of its data
	seconds        float64 // that it took; 0: not known
	contradiction  string  // what its record says against it
	trouble        string  // what else a user should know
}

func lookUp(store *record.Store, c *spec.Cell, verify bool) Known {
	look := store.Head
	if verify {
		look = store.Get
	}
	f := Known{State: statePending}
	r, st, err := look(c.ID)
	if err != nil {
		f.trouble = fmt.Sprintf("cell %s cannot be used (%s), a run computes it again: %v", c.ID, st, err)
	}
	if r == nil {
		return f
	}
	f.State, f.current = StateOf(store, c, r), current(c, r)
	f.status, f.reason, f.digest = r.Status, r.Reason, r.Digest
	if !f.current {
		if r.Status == record.OK {
			f.contradiction = Contradiction(c, r)
		}
		return f
	}
	t, st, err := store.Timing(c.ID)
	if t != nil {
		f.seconds = t.Seconds
	}
	switch {
	case st == record.Corrupt:
		f.State = statePending
		f.trouble = fmt.Sprintf("the times of cell %s cannot be used (%s), a run computes it again: %v", c.ID, st, err)
	case f.State == statePending:
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
// reported once: reported has those that were.
func checkDigests(ctx context.Context, lib *source.Library, cells []*spec.Cell, known []Known, reported map[spec.Source]bool, w io.Writer) {
	for i, c := range cells {
		if ctx.Err() != nil {
			return
		}
		if known[i].State != StateDone {
			continue
		}
		digest, err := lib.Digest(ctx, c)
		at := c.Source()
		switch {
		case err != nil:
			if !reported[at] {
				reported[at] = true
				fmt.Fprintf(w, "%s: what is done is kept without comparing its data: %v\n", c.Dataset, err)
			}
		case digest != known[i].digest:
			known[i].State = statePending
			if !reported[at] {
				reported[at] = true
				fmt.Fprintf(w, "%s: the data have changed since cells were computed; these are computed again\n", c.Dataset)
			}
		}
	}
}

// onSources has the first of the cells on each source of data, and how many there are on it.
func onSources(cells []*spec.Cell) (first []*spec.Cell, n map[spec.Source]int) {
	n = map[spec.Source]int{}
	for _, c := range cells {
		at := c.Source()
		if n[at]++; n[at] == 1 {
			first = append(first, c)
		}
	}
	return first, n
}

// announce tells which of the cells will be skipped, since their data are not there.
func announce(lib *source.Library, cells []*spec.Cell, w io.Writer) {
	first, n := onSources(cells)
	for _, c := range first {
		if err := lib.Find(c); errors.Is(err, loader.ErrMissing) {
			at := c.Source()
			fmt.Fprintf(w, "%s: its %s will be skipped: %v\n", at.Name, words.Plural(n[at], "cell", "cells"), err)
		}
	}
}

// Computable is an error if no cell is done and the data of none are there: such a run could
// compute nothing and would only leave empty tables.
func Computable(lib *source.Library, cells []*spec.Cell, store *record.Store) error {
	var reasons []error
	first, _ := onSources(cells)
	for _, c := range first {
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
	reported := map[string]bool{}
	for _, c := range cells {
		if c.Own == nil || c.Own.Missing != nil || c.Method.Input == spec.InputStream {
			continue
		}
		d, err := lib.Dataset(c)
		if err != nil {
			continue
		}
		v := spec.Values{spec.DatasetKey: c.Dataset}
		maps.Copy(v, c.Params)
		key, want := c.Method.CheckCounts(v, spec.Counts{Graphs: len(d.Data.Graphs), Classes: d.Data.NumClasses(), Data: d.Data})
		if want != "" && !reported[key+want] {
			reported[key+want] = true
			if key == spec.DatasetKey {
				key, v["path"] = "path", c.Own.Written
			}
			file, line := conf.Place(c, key)
			problems = append(problems, &grid.Error{File: file, Line: line, Key: key, Value: grid.ShowIn(v, key), Want: want})
		}
	}
	return errors.Join(problems...)
}

// List writes the cells with id and state, and how many are to be chosen.
func List(w io.Writer, cells []*spec.Cell, known []Known, further *Confirmation) {
	counts := map[State]int{}
	for i, c := range cells {
		r := &known[i]
		counts[r.State]++
		id := c.ID
		if !c.Known() {
			id = "id not known: " + c.Own.Why()
		}
		line := fmt.Sprintf("%s  %-7s  %s", id, r.State, c)
		if r.State != StateDone && r.reason != "" {
			first, _, _ := strings.Cut(r.reason, "\n")
			line += "  [" + r.status + ": " + first + "]"
		}
		if c.Confirm {
			line += "  [confirms a choice]"
		}
		fmt.Fprintln(w, line)
	}
	fmt.Fprintf(w, "%s: %d done, %d pending, %d failed", words.Plural(len(cells), "cell", "cells"),
		counts[StateDone], counts[statePending], counts[StateFailed])
	if len(further.Open) > 0 {
		fmt.Fprintf(w, ", %s", further)
	}
	fmt.Fprintln(w)
}

// computes reports whether a run has to compute a cell of that state.
func (o *Options) computes(st State) bool {
	switch {
	case o.Cell != "" || o.Force:
		return true
	case o.Rerun == "failed":
		return st == StateFailed
	}
	return st != StateDone
}

// selectCells applies -filter, -shard and -cell to the grid and to the cells that
// confirm its choices. A shard may have no cells.
func selectCells(o *Options, c *grid.Config, f grid.Filter, grid, confirming []*spec.Cell) ([]*spec.Cell, error) {
	all := slices.Concat(grid, confirming)
	if o.Cell != "" {
		found := slices.DeleteFunc(all, func(x *spec.Cell) bool { return !strings.HasPrefix(x.ID, o.Cell) })
		switch {
		case len(found) == 0:
			return nil, fmt.Errorf("-cell %q: no cell of %s has this id; list shows them, and -config names another configuration", o.Cell, c.Name)
		case len(found) > 1:
			return nil, fmt.Errorf("-cell %q: %d cells begin like this; give more of the id", o.Cell, len(found))
		}
		return found, nil
	}
	out := f.Pick(all)
	if len(out) == 0 {
		none := fmt.Sprintf("-filter %q: none of the %s of %s matches", o.Filter, words.Plural(len(all), "cell", "cells"), c.Name)
		return nil, errors.New(strings.Join(append([]string{none}, f.Idle(all, false)...), "; "))
	}
	return o.Shard.Pick(out), nil
}
