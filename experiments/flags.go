package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"ogdl/datasets/loader"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/run"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/words"
	"ogdl/reports"
	"ogdl/reports/plots"
)

// maxWorkers bounds -workers: more would only take memory.
const maxWorkers = 1024

// options holds the flags of all verbs that work on a configuration.
type options struct {
	run.Options
	verb           string
	config         string
	set            grid.Settings
	json           bool
	limit, lasts   time.Duration
	shards         int // 0: not asked
	data, out, log string
	ledger         string
	look           reports.Look
	titles         bool // of figures
}

// newOptions returns the options of a verb that was given no flags.
func newOptions(verb string) *options {
	o := &options{verb: verb, config: "smoke.toml", data: defaultData(), out: "results"}
	o.Workers, o.Report = runtime.GOMAXPROCS(0), slices.Contains([]string{"report", "embed"}, verb)
	return o
}

// onGrid returns a verb that calls work on the cells of a configuration.
func onGrid(work func(*job, context.Context, *run.Selection) error) func(program, *flag.FlagSet) action {
	return func(p program, f *flag.FlagSet) action {
		o := newOptions(f.Name())
		o.add(f)
		return func(ctx context.Context, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			j, err := p.open(o)
			if err != nil {
				return err
			}
			sel, err := j.selected(ctx)
			if err != nil {
				return err
			}
			return work(j, ctx, sel)
		}
	}
}

// add adds to f the verb's flags that concern a configuration.
func (o *options) add(f *flag.FlagSet) {
	of := func(verbs string) bool { return slices.Contains(strings.Fields(verbs), o.verb) }
	if of("run list plan report gc") {
		f.StringVar(&o.config, "config", o.config, "path, or `name` of a configuration under ./configs or in the program")
		f.Var(&o.set, "set", "override `key=value` in every grid that has the key; may be repeated")
		f.StringVar(&o.out, "out", o.out, "`folder` of the store and the tables")
	}
	if of("run list plan report verdicts") {
		f.StringVar(&o.data, "data", o.data, "`folder` of the data sets, or OGDL_DATA")
		f.StringVar(&o.ledger, "ledger", "", "count cells of this `ledger` as done"+words.If(of("run"), "; add the new results"))
	}
	if of("run list plan") {
		usage := "cells that match these `terms`, as in 'dataset=MUTAG lambda=0' (= != < <= > >=, commas, * and ?); may be repeated"
		f.Func("filter", usage, func(text string) error {
			if strings.TrimSpace(text) == "" {
				return errors.New("the value is empty: omit the flag")
			}
			o.Filter = strings.TrimSpace(o.Filter + " " + text) // all must hold
			return nil
		})
		f.Func("shard", "only part `i/n` (i from 0) of the cells; writes no tables", parsed(&o.Shard, run.ParseShard))
	}
	if of("run list") {
		f.StringVar(&o.Cell, "cell", "", "only the cell whose `id` has this prefix, done or not; no tables")
		f.BoolVar(&o.Verify, "verify", false, "verify the checksums of all arrays, not only their sizes")
	}
	if of("run report") {
		f.Func("figure-width", "`width` of every figure, such as 8.25cm (or mm, in, pt)", parsed(&o.look.Width, plots.ParseWidth))
		f.Func("figure-formats", "figures in these `formats`: svg, pdf, png (default svg,pdf)",
			parsed(&o.look.Formats, plots.ParseFormats))
		f.BoolVar(&o.titles, "figure-titles", true, "=false: figures without their titles")
	}
	if of("run plan") {
		addWorkers(f, &o.Workers)
	}
	switch o.verb {
	case "run":
		f.StringVar(&o.Rerun, "rerun", "", "compute only the cells that `failed` or timed out")
		f.BoolVar(&o.Force, "force", false, "compute finished cells again; replace another grid's tables")
		f.BoolVar(&o.Failfast, "failfast", false, "stop at the first cell that fails")
		f.Func("for", "end the run after this `time`, such as 5m, and keep its cells", duration(&o.lasts))
		f.StringVar(&o.log, "log", "", "append a line of JSON for each finished cell to this `file`")
	case "plan":
		f.BoolVar(&o.Force, "force", false, "plan all cells, finished ones too")
		f.Func("limit", "print the number of shards that each end within this `time`", duration(&o.limit))
		f.Func("shards", "print the missing cells and the time of each of `n` shards", number(&o.shards, run.MaxShards))
		f.BoolVar(&o.json, "json", false, "print the plan as JSON")
	case "report":
		f.BoolVar(&o.Force, "force", false, "replace the tables of another configuration of this name")
	}
}

// addWorkers adds -workers, whose default is all cores.
func addWorkers(f *flag.FlagSet, n *int) {
	*n = runtime.GOMAXPROCS(0)
	f.Func("workers", "use at most `N` cores (default: all)", number(n, maxWorkers))
}

// parsed sets a variable to what parse makes of a flag's value.
func parsed[T any](to *T, parse func(string) (T, error)) func(string) error {
	return func(text string) (err error) {
		*to, err = parse(text)
		return err
	}
}

// number reads a whole number from 1 to most.
func number(to *int, most int) func(string) error {
	return func(text string) (err error) {
		if *to, err = strconv.Atoi(text); err != nil || *to < 1 || *to > most {
			return fmt.Errorf("must be a whole number from 1 to %d", most)
		}
		return nil
	}
}

// duration reads a time above 0.
func duration(to *time.Duration) func(string) error {
	return func(text string) (err error) {
		if *to, err = time.ParseDuration(text); err != nil || *to <= 0 {
			return errors.New("must be a time above 0, such as 90m or 2h")
		}
		return nil
	}
}

// defaultData is the folder of the data sets where none is given.
func defaultData() string { return cmp.Or(os.Getenv("OGDL_DATA"), loader.DefaultDir) }

// nothing returns an error if a flag has an empty value, which would otherwise count as absent.
func nothing(f *flag.FlagSet) (err error) {
	f.Visit(func(fl *flag.Flag) {
		if v, ok := fl.Value.(flag.Getter); ok && err == nil {
			if text, isText := v.Get().(string); isText && strings.TrimSpace(text) == "" {
				err = fmt.Errorf("-%s %q: the value is empty: omit the flag", fl.Name, text)
			}
		}
	})
	return err
}

// flagSet returns the flags of a verb and the function that runs it.
func (v *verb) flagSet(p program) (*flag.FlagSet, action) {
	f := flag.NewFlagSet(v.name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	return f, v.flags(p, f)
}

// mistaken improves an error of package flag. For an unreadable value it names the accepted values.
// For an unknown flag it names the verbs that have it, or a similar flag.
func (v *verb) mistaken(f *flag.FlagSet, err error) error {
	if text, unread := strings.CutSuffix(err.Error(), ": parse error"); unread {
		what := "a whole number"
		if strings.HasPrefix(text, "invalid boolean") {
			what = "true or false"
		}
		return fmt.Errorf("%s: must be %s", text, what)
	}
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return err
	}
	var owners, names []string
	for _, other := range verbs() {
		if all, _ := other.flagSet(program{}); all.Lookup(name) != nil {
			owners = append(owners, other.name)
		}
	}
	f.VisitAll(func(fl *flag.Flag) { names = append(names, "-"+fl.Name) })
	switch {
	case name == "graphs" && v.graphs != "":
		return fmt.Errorf("-%s: %s takes its graphs by %s", name, v.name, v.graphs)
	case owners != nil:
		return fmt.Errorf("-%s: %s has no such flag; it belongs to %s", name, v.name, strings.Join(owners, ", "))
	case verbOf(name) != nil:
		return fmt.Errorf("-%s: %s is a verb and comes first: ogdl %[2]s", name, name)
	case names == nil:
		return fmt.Errorf("-%s: %s has no flags", name, v.name)
	}
	return fmt.Errorf("%w%s", err, spec.DidYouMean("-"+strings.TrimPrefix(name, "-"), names))
}

// check returns an error for flags that contradict each other.
func (o *options) check() error {
	switch {
	case o.Rerun != "" && o.Rerun != "failed":
		return fmt.Errorf("-rerun %q: must be \"failed\"%s", o.Rerun, spec.DidYouMean(o.Rerun, []string{"failed"}))
	case o.Rerun != "" && o.Force:
		return errors.New("-rerun and -force contradict each other: one computes failed cells only, the other all")
	case o.Cell != "" && (o.Rerun != "" || o.Force || o.Filter != "" || o.Shard.Of > 1):
		return errors.New("-cell takes one cell whatever its state and shard: leave out -filter, -shard, -rerun and -force")
	case o.shards != 0 && o.Shard.Of > 1:
		return errors.New("-shards plans every shard: omit -shard")
	}
	return nil
}

// computes reports whether the verb computes cells.
func (o *options) computes() bool { return o.verb == "run" || o.verb == "fit" }

// picks reports whether -filter or -cell restricts the run. Such a run writes no tables.
func (o *options) picks() bool { return o.Filter != "" || o.Cell != "" }
