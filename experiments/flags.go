package main

import (
	"cmp"
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
	"ogdl/reports/plots"
)

// maxWorkers bounds -workers: more would only take memory.
const maxWorkers = 1024

// defaultConfig is the configuration of a command that names none.
const defaultConfig = "smoke.toml"

// options are the command line of a verb on a configuration.
type options struct {
	run.Options
	config         string
	set            grid.Settings
	part           string // as given to -shard
	json, yes      bool
	limit, lasts   time.Duration
	shards         int // 0: not asked
	data, out, log string
	ledger         string
	docs           string  // of verdicts
	figureWidth    float64 // cm; 0: each figure's own
	titles         bool    // of figures
	figureFormats  []string
	noTables       bool // fit has a page of its own
	list, plan     bool // the verb
}

// flags are all flags of verbs on a configuration; they set o.
func (o *options) flags() *flag.FlagSet {
	f := flag.NewFlagSet("ogdl", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&o.config, "config", defaultConfig, "a path, a name under ./configs, or a `name` that the program carries")
	f.Var(&o.set, "set", "this `key=value` in every grid that has the key; again and again")
	f.StringVar(&o.Filter, "filter", "", "cells that match these `terms`, as in 'dataset=MUTAG lambda=0' (= != < <= > >=, commas, * and ?)")
	f.StringVar(&o.part, "shard", "", "part `i/n` (from 0) of the cells, alike everywhere; no tables")
	f.StringVar(&o.Cell, "cell", "", "the cell whose `id` begins like this, done or not; no tables")
	f.StringVar(&o.Rerun, "rerun", "", "only the cells that `failed` or timed out")
	f.BoolVar(&o.Force, "force", false, "run, plan: take what is done as missing; run, report: replace tables of another configuration of this name")
	f.BoolVar(&o.Failfast, "failfast", false, "stop at the first cell that fails")
	f.BoolVar(&o.Verify, "verify", false, "check the sums of all arrays, not their sizes alone")
	f.Func("for", "end the run after this `time`, such as 5m, and keep its cells", duration(&o.lasts))
	f.Func("limit", "how many shards end within this `time` each, such as 1h", duration(&o.limit))
	f.Func("shards", "the missing cells and the time of each of `n` shards", func(text string) error {
		n, err := strconv.ParseUint(text, 10, 31)
		if err != nil || n < 1 || n > run.MaxShards {
			return fmt.Errorf("must be a whole number from 1 to %d", run.MaxShards)
		}
		o.shards = int(n)
		return nil
	})
	f.Func("figure-width", "every figure this `wide`: 8.25cm (or mm, in, pt)", func(text string) (err error) {
		o.figureWidth, err = plots.ParseWidth(text)
		return err
	})
	f.Func("figure-formats", "figures in these `formats`: svg, pdf, png (default svg,pdf)", func(text string) (err error) {
		o.figureFormats, err = plots.ParseFormats(text)
		return err
	})
	f.BoolVar(&o.titles, "figure-titles", true, "=false: figures without their titles")
	f.BoolVar(&o.json, "json", false, "as JSON")
	f.BoolVar(&o.yes, "yes", false, "remove it")
	f.IntVar(&o.Workers, "workers", runtime.GOMAXPROCS(0), "cells computed side by side, at most `N`")
	f.StringVar(&o.data, "data", defaultData(), "`folder` of the data sets, or OGDL_DATA")
	f.StringVar(&o.ledger, "ledger", "", "cells in this `ledger` are done; run adds to it")
	f.StringVar(&o.docs, "docs", "docs", "`folder` of reproduction.md, and of reproduction/ beside it")
	f.StringVar(&o.log, "log", "", "append a line of JSON for each finished cell to this `file`")
	f.StringVar(&o.out, "out", "results", "`folder` of the store and the tables")
	return f
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

// nothing is the error about a flag that was given an empty value: it would count as not given.
func nothing(f *flag.FlagSet) (err error) {
	f.Visit(func(fl *flag.Flag) {
		if v, ok := fl.Value.(flag.Getter); ok && err == nil {
			if text, isText := v.Get().(string); isText && strings.TrimSpace(text) == "" {
				err = fmt.Errorf("-%s %q: must not be empty; leave it out", fl.Name, text)
			}
		}
	})
	return err
}

// flagSet has the flags of a verb: those of options, by name, or its own, with what is then done.
func (v *verb) flagSet(p program, o *options) (*flag.FlagSet, action) {
	f := flag.NewFlagSet("ogdl "+v.name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	if v.own != nil {
		return f, v.own(p, f)
	}
	all := o.flags()
	for name := range strings.FieldsSeq(v.flags) {
		x := all.Lookup(name)
		f.Var(x.Value, x.Name, x.Usage)
	}
	return f, nil
}

// misplaced is the error about a flag of other verbs; nil if there are none.
func (v *verb) misplaced(name string) error {
	var owners []string
	for _, other := range verbs() {
		if other.name != v.name && slices.Contains(strings.Fields(other.flags), name) {
			owners = append(owners, other.name)
		}
	}
	if owners == nil {
		return nil
	}
	return fmt.Errorf("-%s: %s has no such flag; it belongs to %s", name, v.name, strings.Join(owners, ", "))
}

// unknown says of a flag that a verb does not have which verbs do, else which flag is near.
func (v *verb) unknown(f *flag.FlagSet, err error) error {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return wanted(f, err)
	}
	if elsewhere := v.misplaced(name); elsewhere != nil {
		return elsewhere
	}
	if other, err := verbOf(name); err == nil {
		return fmt.Errorf("-%s: %s is a verb and comes first: ogdl %s", name, other.name, other.name)
	}
	var names []string
	f.VisitAll(func(fl *flag.Flag) { names = append(names, "-"+fl.Name) })
	if names == nil {
		return fmt.Errorf("-%s: %s has no flags", name, v.name)
	}
	return fmt.Errorf("%w%s", err, spec.DidYouMean("-"+strings.TrimPrefix(name, "-"), names))
}

// wanted says of a value that could not be read what the flag takes.
func wanted(f *flag.FlagSet, err error) error {
	text, unread := strings.CutSuffix(err.Error(), ": parse error")
	fl := f.Lookup(text[strings.LastIndex(text, " -")+2:])
	if !unread || fl == nil {
		return err
	}
	what := "true or false"
	if v, ok := fl.Value.(flag.Getter); ok {
		switch v.Get().(type) {
		case int, uint64, int64:
			what = "a whole number"
		case float64:
			what = "a number"
		case time.Duration:
			what = "a time, such as 90s, 30m or 2h"
		}
	}
	return fmt.Errorf("%s: must be %s", text, what)
}

// check rejects values and combinations that mean nothing.
func (o *options) check() error {
	var err error
	if o.Shard, err = run.ParseShard(o.part); err != nil {
		return err
	}
	switch {
	case o.out == "":
		return errors.New(`-out "": must name a folder, such as results`)
	case o.Workers < 1 || o.Workers > maxWorkers:
		return fmt.Errorf("-workers %d: must be a number from 1 to %d", o.Workers, maxWorkers)
	case o.Rerun != "" && o.Rerun != "failed":
		return fmt.Errorf("-rerun %q: must be \"failed\"%s", o.Rerun, spec.DidYouMean(o.Rerun, []string{"failed"}))
	case o.Rerun != "" && o.Force:
		return errors.New("-rerun and -force contradict each other: one computes failed cells only, the other all")
	case o.Cell != "" && (o.Rerun != "" || o.Force || o.Filter != "" || o.Shard.Of > 1):
		return errors.New("-cell stands alone: it is about one cell whatever its state and shard, so leave out -filter, -shard, -rerun and -force")
	case o.shards != 0 && o.Shard.Of > 1:
		return errors.New("-shards is about all shards: leave out -shard")
	}
	return nil
}

// adds reports whether the verb adds to the ledger: a run does, but for one of a single cell.
func (o *options) adds() bool { return o.ledger != "" && o.computes() && o.Cell == "" }

// picks reports whether a run is of named cells, which writes no tables.
func (o *options) picks() bool { return o.Filter != "" || o.Cell != "" }

// computes reports whether the verb computes cells.
func (o *options) computes() bool { return !o.list && !o.Report && !o.plan }
