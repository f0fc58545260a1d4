package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"strings"

	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/parallel"
	"ogdl/internal/record"
	"ogdl/internal/usage"
	"ogdl/internal/vec"
	"ogdl/internal/words"
	"ogdl/reports/summary"
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
	Report          bool // no computation; re-runs are not looked up
}

// State is the state of a cell in the store.
type State string

const (
	statePending State = "pending"
	StateDone    State = "done"
	StateFailed  State = "failed" // or timed out
	// stateRuledOut is the state of cells that a race no longer asks for.
	stateRuledOut State = "ruled out"
)

// Survey looks every cell up in the store: record, times and the size of its arrays, with verify
// their checksum as well. Records that cannot be used are reported to w and count as pending. The
// results are in the order of the cells. When the context ends, its error is returned, and cells
// that were not looked up have no state.
func Survey(ctx context.Context, store *record.Store, cells []*spec.Cell, verify bool, w io.Writer) ([]Known, error) {
	out := make([]Known, len(cells))
	err := parallel.Each(runtime.GOMAXPROCS(0), len(cells), func(_, i int) error {
		out[i] = lookUp(store, cells[i], verify)
		return ctx.Err()
	})
	contradictions := Contradictions{}
	for i, c := range cells {
		contradictions.Report(c, out[i].contradiction, w)
		if out[i].trouble != "" {
			fmt.Fprintln(w, out[i].trouble)
		}
	}
	return out, err
}

// Known is the state of a cell in the store. It omits clusters, losses and parameters.
type Known struct {
	State         State
	current       bool          // its record holds the cell's number
	ended         string        // "status: reason" of a cell that is not done
	digest        string        // of its data
	seconds       float64       // that it took; 0: not known
	contradiction string        // why its record does not fit
	trouble       string        // another message for the user
	products      []record.Used // of a cell on a simulated set
}

func lookUp(store *record.Store, c *spec.Cell, verify bool) Known {
	look := store.Head
	if verify {
		look = store.Get
	}
	f := Known{State: statePending}
	r, err := look(c.ID)
	if err != nil {
		f.trouble = fmt.Sprintf("cell %s cannot be used, a run computes it again: %v", c.ID, err)
	}
	if r == nil {
		return f
	}
	t, err := store.Timing(c.ID)
	f.State, f.current, f.digest = StateOf(c, r, t), current(c, r), r.Digest
	if t != nil && f.current {
		f.seconds = t.Seconds
	}
	if spec.IsSimulated(c.Dataset) {
		f.products = r.Products
	}
	switch {
	case !f.current && r.Status == record.OK:
		f.contradiction = Contradiction(c, r)
	case !f.current && r.Reason != "":
		first, _, _ := strings.Cut(r.Reason, "\n")
		f.ended = r.Status + ": " + first
	case f.current && errors.Is(err, record.ErrCorrupt):
		f.State = statePending
		f.trouble = fmt.Sprintf("the times of cell %s cannot be used, a run computes it again: %v", c.ID, err)
	case f.current && f.State == statePending:
		f.trouble = fmt.Sprintf("cell %s has no times that were measured on this machine, a run computes it again", c.ID)
	}
	return f
}

// StateOf returns the state of a cell that has a record, and perhaps a timing. If times are the
// result of a cell, it is done if they were measured on this machine.
func StateOf(c *spec.Cell, r *record.Record, t *record.Timing) State {
	switch {
	case r.Status == record.Failed || r.Status == record.Timeout:
		return StateFailed
	case current(c, r) && (!c.Method.Alone || measuredHere(t)):
		return StateDone
	}
	return statePending
}

// measuredHere reports whether embeddings were timed on this host, processor and these kernels.
func measuredHere(t *record.Timing) bool {
	host, err := os.Hostname()
	return err == nil && t != nil && t.Embed != nil && t.Host == host && t.CPU == usage.Processor() && t.Kernels == vec.Kernels()
}

// checkDigests makes cells pending whose record was computed on other data than the present files.
// Missing files contradict no record. Data sets in reported are not reported again.
func checkDigests(ctx context.Context, lib *source.Library, cells []*spec.Cell, known []Known, reported map[spec.Source]bool, w io.Writer) {
	for i, c := range cells {
		if ctx.Err() != nil {
			return
		}
		if known[i].State != StateDone {
			continue
		}
		digest, err := lib.Digest(ctx, c)
		text := ""
		switch {
		case err != nil:
			text = "results are kept without comparing their data: " + err.Error()
		case digest != known[i].digest:
			known[i].State = statePending
			text = "the data have changed since cells were computed; these are computed again"
		}
		if at := c.Source(); text != "" && !reported[at] {
			reported[at] = true
			fmt.Fprintf(w, "%s: %s\n", c.Dataset, text)
		}
	}
}

// onSource sums up the cells on one source of data.
type onSource struct {
	first *spec.Cell
	cells int
	err   error // the data are not there
}

// sourcesOf lists the sources of the cells' data, in their order.
func sourcesOf(lib *source.Library, cells []*spec.Cell) (out []*onSource) {
	at := map[spec.Source]*onSource{}
	for _, c := range cells {
		x := at[c.Source()]
		if x == nil {
			x = &onSource{first: c, err: lib.Find(c)}
			at[c.Source()], out = x, append(out, x)
		}
		x.cells++
	}
	return out
}

// Computable returns an error if no cell is done and none has its data: tables would be empty.
func Computable(lib *source.Library, cells []*spec.Cell, store *record.Store) error {
	var reasons []error
	for _, x := range sourcesOf(lib, cells) {
		if x.err == nil {
			return nil
		}
		reasons = append(reasons, x.err)
	}
	for _, c := range cells {
		if r, _ := store.Head(c.ID); current(c, r) {
			return nil
		}
	}
	if len(reasons) == 0 {
		return nil // a shard without cells
	}
	return fmt.Errorf("nothing can be computed, the data of no cell are there:\n%w", errors.Join(reasons...))
}

// Countable checks the cells on users' folders with [spec.Method.CheckCounts]. It skips folders
// that cannot be read: their cells fail later.
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
		features := fmt.Sprint(c.Own.Written, c.Params["features"], c.Params["scaling"])
		if want == "" && v.Has("features") && !reported[features] {
			reported[features] = true
			if _, err := source.FeaturesOf(v).Fit(d.Data); err != nil {
				key, want = "features", err.Error()
			}
		}
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
		if r.State != StateDone && further.Chances[c.ID] == summary.RuledOut {
			r.State = stateRuledOut
		}
		counts[r.State]++
		id := c.ID
		if !c.Known() {
			id = "id not known: data cannot be read"
			if c.Own.Missing != nil {
				id = "id not known: data not there"
			}
		}
		fmt.Fprintf(w, "%s  %-7s  %s%s%s\n", id, r.State, c, words.If(r.ended != "", "  [%s]", r.ended),
			words.If(c.Confirm, "  [confirms a choice]"))
	}
	out := counts[stateRuledOut]
	fmt.Fprintf(w, "%s: %d done, %d pending, %d failed%s%s\n", words.Plural(len(cells), "cell", "cells"), counts[StateDone],
		counts[statePending], counts[StateFailed], words.If(out > 0, ", %d ruled out by a race", out),
		words.If(len(further.Open) > 0, ", %s", further))
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
