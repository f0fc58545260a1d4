package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"ogdl/datasets/loader"
	"ogdl/experiments/internal/fit"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/disk"
	"ogdl/reports"

	"golang.org/x/term"
)

const fitHelp = `-graphs and -atoms are needed. Writes graphs.csv, dictionary.npz (for embed
-from) and index.html. A range of atoms, or of clusters, is chosen from without labels, by
how well five seeds agree.`

// fitting is what the verb fit was given.
type fitting struct {
	graphs, out string
	force       bool
	set         grid.Settings
	fit.Settings
	stderr io.Writer
	noPNG  bool // as in program
}

// fitVerb is the command of that name.
func fitVerb(p program, f *flag.FlagSet) action {
	o := fitting{stderr: p.stderr, noPNG: p.noPNG}
	f.StringVar(&o.graphs, "graphs", "", "a `file` of JSON Lines, or a folder in the TU format")
	f.Func("atoms", "number of atoms `N`, or a range such as 2..10", func(text string) error { return parseRange(text, &o.Atoms) })
	f.Func("clusters", "`N`, or a range (default: the classes, or 2..8)", func(text string) error { return parseRange(text, &o.Clusters) })
	for _, x := range []struct{ name, usage string }{
		{"order", "nodes `N` of an atom (default: median of the graphs)"},
		{"alpha", "`share` of structure (1) against features (0) (default: 0.5 with features)"},
		{"lambda", "`weight` of the penalty that favours few atoms a graph (default: 0)"},
		{"features", "`kind`: none, labels, attributes, degree (default: what there is)"},
	} {
		f.Func(x.name, x.usage, func(text string) error { return o.setOwn(x.name, text) })
	}
	f.Var(&o.set, "set", "another `key=value` of GDL, again and again (help GDL has them)")
	f.BoolVar(&o.Classify, "classify", false, "predict the classes by an SVM on the embeddings, and say how well")
	f.Int64Var(&o.Seed, "seed", 1, "base `seed`")
	f.StringVar(&o.out, "out", "", "`folder` to write (default: fit_ and the name of the set)")
	f.BoolVar(&o.force, "force", false, "write into a folder that is there")
	f.IntVar(&o.Workers, "workers", runtime.GOMAXPROCS(0), "fits computed side by side, at most `N`")
	return o.run
}

// setOwn gives a parameter that has a flag of its own, so that errors name that flag.
func (o *fitting) setOwn(key, text string) error {
	if err := o.set.Set(key + "=" + text); err != nil {
		return err
	}
	row, value := method.GDL(), o.set.Values()[key]
	params := row.Parameters()
	q := &params[slices.IndexFunc(params, func(q spec.Param) bool { return q.Name == key })]
	if _, ok := q.Parse(value); !ok {
		return fmt.Errorf("must be %s%s", q.Allowed(), q.Suggest(value))
	}
	return nil
}

// parseRange reads N or N..M.
func parseRange(text string, into *fit.Range) error {
	first, last, isRange := strings.Cut(text, "..")
	if !isRange {
		last = first
	}
	from, err1 := strconv.ParseUint(first, 10, 31)
	to, err2 := strconv.ParseUint(last, 10, 31)
	if err1 != nil || err2 != nil || from < 1 || to < from || to-from >= 100 {
		return errors.New("must be a whole number from 1 on, or a range of at most 100, the smaller end first, such as 2..10")
	}
	*into = fit.Range{From: int(from), To: int(to)}
	return nil
}

// run learns, and writes what came out.
func (o *fitting) run(ctx context.Context, args []string, stdout io.Writer) (int, error) {
	given := o.set.Values()
	weights, isText := cmp.Or(given[spec.EdgeWeightsKey], any(loader.EdgesUnweighted)).(string)
	switch {
	case len(args) > 0:
		return exitFatal, fmt.Errorf("fit: unexpected argument %q; -graphs names the file or folder", args[0])
	case o.graphs == "" || o.Atoms.To == 0:
		return exitFatal, errors.New("fit: -graphs FILE-or-DIR and -atoms N are both needed")
	case o.Workers < 1:
		return exitFatal, fmt.Errorf("fit: -workers %d: must be at least 1", o.Workers)
	case !isText:
		return exitFatal, fmt.Errorf("fit: -set %s: must be a text", spec.EdgeWeightsKey)
	}
	out := cmp.Or(o.out, "fit_"+loader.SetName(o.graphs))
	if there, err := os.ReadDir(out); len(there) > 0 && !o.force {
		return exitFatal, fmt.Errorf("fit: %s is there already: -force writes into it, -out names another", out)
	} else if err != nil && !errors.Is(err, os.ErrNotExist) {
		return exitFatal, fmt.Errorf("fit: -out %s: want a folder, or a name that is free: %w", out, err)
	}
	if err := reports.Occupied(out, nil, o.force); err != nil {
		return exitFatal, fmt.Errorf("fit: %w", err)
	}
	if line := reports.Without(out); line != "" {
		fmt.Fprintln(o.stderr, line)
	}
	if err := disk.Writable(disk.OS{}, out); err != nil {
		return exitFatal, fmt.Errorf("fit: -out %s: %w", out, err)
	}
	o.UsableWeights = func(zero bool) []string { return loader.UsableWeights(o.graphs, zero) }
	d, err := loader.Options{EdgeWeights: weights}.LoadFolder(o.graphs)
	if err != nil {
		return exitFatal, err
	}
	p := newMeter(o.stderr)
	o.Given, o.Worked = given, p.worked
	f, err := fit.Run(ctx, d, o.Settings)
	if err == nil {
		p.say("fit: drawing the figures")
		f.NoPNG, f.Force = o.noPNG, o.force
		err = f.Write(ctx, out)
	}
	p.end()
	if err != nil {
		return exitFatal, fmt.Errorf("fit: %w", err)
	}
	for _, line := range f.Warnings() {
		fmt.Fprintf(stdout, "Warning: %s\n", line)
	}
	for _, line := range f.Lead() {
		fmt.Fprintln(stdout, line)
	}
	fmt.Fprintf(stdout, "written: %s; open %s\n", out, filepath.Join(out, "index.html"))
	return exitOK, nil
}

// meter tells how much of a fit is done and how long the rest takes, by the time that the work so far took.
type meter struct {
	w             io.Writer
	started, last time.Time
	every         time.Duration
	terminal      bool
}

func newMeter(w io.Writer) *meter {
	m := &meter{w: w, started: time.Now(), every: lineEvery}
	m.last = m.started
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		m.every, m.terminal = time.Second/5, true
	}
	return m
}

// lineEvery is the least time between two lines of progress that are no terminal's.
const lineEvery = 5 * time.Second

// worked says which share of the work is done.
func (m *meter) worked(share float64) {
	now := time.Now()
	if now.Sub(m.last) < m.every || share <= 0 {
		return
	}
	m.last = now
	left := time.Duration(float64(now.Sub(m.started)) * (1 - share) / share)
	m.say(fmt.Sprintf("fit: %.0f %% learned, about %s left before figures are drawn", 100*share, max(left, time.Second).Round(time.Second)))
}

// say shows a text: in the place of the last on a terminal, else as a line, where the work takes long enough for one.
func (m *meter) say(text string) {
	switch {
	case m.terminal:
		fmt.Fprintf(m.w, "\r%-60s", text)
	case time.Since(m.started) >= m.every:
		fmt.Fprintln(m.w, text)
	}
}

// end clears the line of a terminal.
func (m *meter) end() {
	if m.terminal {
		fmt.Fprintf(m.w, "\r%-60s\r", "")
	}
}
