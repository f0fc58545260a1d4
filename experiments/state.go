package main

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
	"ogdl/internal/parallel"
	"ogdl/internal/record"
	"ogdl/internal/vec"
)

// runOptions say which cells are computed, and how.
type runOptions struct {
	filter          string
	shard           shard
	cell            string // exactly this one; "": all
	rerun           string // "failed": only those
	force, failfast bool
	workers         int
	report          bool // nothing is computed: of the grid alone
}

// state is what the store knows of a cell.
type state string

const (
	statePending state = "pending"
	stateDone    state = "done"
	stateFailed  state = "failed" // or timed out
)

// survey looks every cell up in the store and returns its state, and of its record what a
// run or a list needs. verify checks arrays, as [record.Store.Trusted] does, and times too; what
// cannot be used is told to w and counts as pending.
func survey(ctx context.Context, store *record.Store, cells []*cell, verify bool, w io.Writer) (map[string]state, map[string]brief) {
	found := make([]finding, len(cells))
	_ = parallel.Each(runtime.GOMAXPROCS(0), len(cells), func(_, i int) error {
		found[i] = finding{state: statePending}
		if ctx.Err() == nil { // else the run ends before it computes or tells anything
			found[i] = lookUp(store, cells[i], verify)
		}
		return nil
	})
	states := make(map[string]state, len(cells))
	records := make(map[string]brief, len(cells))
	told := contradictions{}
	for i, c := range cells {
		states[c.id], records[c.id] = found[i].state, found[i].brief
		told.tell(c, found[i].contradiction, w)
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
	state         state
	contradiction string // what its record says against it
	trouble       string // what else a user should know
}

func lookUp(store *record.Store, c *cell, verify bool) finding {
	look := store.Head
	if verify {
		look = store.Trusted
	}
	f := finding{state: statePending}
	r, st, err := look(c.id)
	if err != nil {
		f.trouble = fmt.Sprintf("cell %s cannot be used (%s), a run computes it again: %v", c.id, st, err)
	}
	if r == nil {
		return f
	}
	f.brief = brief{current: current(c, r), status: r.Status, reason: r.Reason, digest: r.Digest}
	f.state = stateOf(store, c, r)
	if !f.current {
		if matches(c, r) {
			f.contradiction = contradiction(c, r)
		}
		return f
	}
	t, st, err := store.Timing(c.id)
	if t != nil {
		f.seconds = t.Seconds
	}
	switch {
	case verify && st == record.Corrupt:
		f.state = statePending
		f.trouble = fmt.Sprintf("the times of cell %s cannot be used (%s), a run computes it again: %v", c.id, st, err)
	case f.state == statePending:
		f.trouble = fmt.Sprintf("cell %s has no times that were measured on this machine, a run computes it again", c.id)
	}
	return f
}

// stateOf is the state of a cell that has a record.
func stateOf(store *record.Store, c *cell, r *record.Record) state {
	switch {
	case current(c, r) && c.method.alone && !measuredHere(store, c.id):
		return statePending
	case current(c, r):
		return stateDone
	case r.Status == record.Failed || r.Status == record.Timeout:
		return stateFailed
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
	return err == nil && t.Host == host && t.CPU == processor() && t.Kernels == vec.Kernels()
}

// checkDigests makes cells pending whose record was computed on other data than
// what is there now. Data that are not there cannot contradict a record. Each data set is
// told of once, in told.
func checkDigests(ctx context.Context, lib *library, cells []*cell, states map[string]state, records map[string]brief, told map[source]bool, w io.Writer) {
	for _, c := range cells {
		if ctx.Err() != nil {
			return
		}
		if states[c.id] != stateDone {
			continue
		}
		digest, err := lib.digest(ctx, c)
		at := c.source()
		switch {
		case err != nil:
			if !told[at] {
				told[at] = true
				fmt.Fprintf(w, "%s: what is done is kept without comparing its data: %v\n", c.dataset, err)
			}
		case digest != records[c.id].digest:
			states[c.id] = statePending
			if !told[at] {
				told[at] = true
				fmt.Fprintf(w, "%s: the data have changed since cells were computed; these are computed again\n", c.dataset)
			}
		}
	}
}

// announce tells which of the cells will be skipped, since their data are not there.
func announce(lib *library, cells []*cell, w io.Writer) {
	var order []source
	counts, missing := map[source]int{}, map[source]error{}
	for _, c := range cells {
		at := c.source()
		if counts[at]++; counts[at] > 1 {
			continue
		}
		if err := lib.find(c); errors.Is(err, loader.ErrMissing) {
			order, missing[at] = append(order, at), err
		}
	}
	for _, at := range order {
		fmt.Fprintf(w, "%s: its %s will be skipped: %v\n", at.name, plural(counts[at], "cell", "cells"), missing[at])
	}
}

// computable is an error if no cell is done and the data of none are there: such a run could
// compute nothing and would only leave empty tables.
func computable(lib *library, cells []*cell, store *record.Store) error {
	var reasons []error
	told := map[source]bool{}
	for _, c := range cells {
		at := c.source()
		if told[at] {
			continue
		}
		told[at] = true
		err := lib.find(c)
		if err == nil {
			return nil
		}
		reasons = append(reasons, err)
	}
	for _, c := range cells {
		if r, _, _ := store.Head(c.id); current(c, r) {
			return nil
		}
	}
	if len(reasons) == 0 {
		return nil // a shard without cells
	}
	return fmt.Errorf("nothing can be computed, the data of no cell are there:\n%w", errors.Join(reasons...))
}

// countable holds the cells on folders of the user's own to the rules of checkCounts, once the folders have been
// read. What cannot be read fails later, cell by cell.
func countable(lib *library, conf *config, cells []*cell) error {
	var problems []error
	told := map[string]bool{}
	for _, c := range cells {
		if c.own == nil || c.own.missing != nil || c.method.input == inputStream {
			continue
		}
		d := lib.dataset(c)
		if d.err != nil {
			continue
		}
		v := values{datasetKey: c.dataset}
		maps.Copy(v, c.params)
		if key, want := c.method.checkCounts(v, len(d.data.Graphs), d.data.NumClasses()); want != "" && !told[key+want] {
			told[key+want] = true
			file, line := conf.place(c, key)
			problems = append(problems, &configError{file: file, line: line, key: key, value: showIn(v, key), want: want})
		}
	}
	return errors.Join(problems...)
}

// list writes the cells with id and state, and how many are to be chosen.
func list(w io.Writer, cells []*cell, states map[string]state, records map[string]brief, further *confirmation) {
	counts := map[state]int{}
	for _, c := range cells {
		st := states[c.id]
		counts[st]++
		id := c.id
		if !c.known() {
			id = "id not known: " + c.own.why()
		}
		line := fmt.Sprintf("%s  %-7s  %s", id, st, c)
		if r := records[c.id]; st != stateDone && r.reason != "" {
			line += "  [" + r.status + ": " + firstLine(r.reason) + "]"
		}
		if c.confirm {
			line += "  [confirms a choice]"
		}
		fmt.Fprintln(w, line)
	}
	fmt.Fprintf(w, "%s: %d done, %d pending, %d failed", plural(len(cells), "cell", "cells"), counts[stateDone], counts[statePending], counts[stateFailed])
	if len(further.open) > 0 {
		fmt.Fprintf(w, ", %s", further)
	}
	fmt.Fprintln(w)
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// pick returns the cells that a run has to compute.
func pick(o *runOptions, cells []*cell, states map[string]state) []*cell {
	var out []*cell
	for _, c := range cells {
		st := states[c.id]
		switch {
		case o.cell != "" || o.force:
		case o.rerun == "failed":
			if st != stateFailed {
				continue
			}
		case st == stateDone:
			continue
		}
		out = append(out, c)
	}
	return out
}

// selectCells applies -filter, -shard and -cell to the grid and to the cells that
// confirm its choices. A shard may have no cells.
func selectCells(o *runOptions, c *config, f filter, grid, confirming []*cell) ([]*cell, error) {
	all := slices.Concat(grid, confirming)
	if o.cell != "" {
		var found []*cell
		for _, x := range all {
			if strings.HasPrefix(x.id, o.cell) {
				found = append(found, x)
			}
		}
		switch {
		case len(found) == 0:
			return nil, fmt.Errorf("-cell %q: no cell of %s has this id; -list shows them, and -config names another configuration", o.cell, c.name)
		case len(found) > 1:
			return nil, fmt.Errorf("-cell %q: %d cells begin like this; give more of the id", o.cell, len(found))
		}
		return found, nil
	}
	out := f.pick(all)
	if len(out) == 0 {
		none := fmt.Sprintf("-filter %q: none of the %d cells of %s matches", o.filter, len(all), c.name)
		return nil, errors.New(strings.Join(append([]string{none}, f.idle(all)...), "; "))
	}
	return o.shard.pick(out), nil
}
