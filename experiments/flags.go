package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"ogdl/datasets/loader"
)

// options are the command line of a run.
type options struct {
	config    string
	list      bool
	filter    string
	set       settings
	cell      string
	rerun     string
	force     bool
	failfast  bool
	workers   int
	out       string
	report    bool
	version   bool
	data      string
	shard     shard
	gone      string // what to do in the place of a flag that is no more
	plan      bool
	json      bool
	limit     time.Duration
	shards    int // 0: not asked
	calibrate bool
	gc        bool
	yes       bool
	verify    bool
}

const goneAlso = "-also is no more: copy the folders together, cp -r OTHER/store/. OUT/store for each, and give OUT as -out"

// dataDir is the default of -data: OGDL_DATA, else data/.
func dataDir() string {
	if d := os.Getenv("OGDL_DATA"); d != "" {
		return d
	}
	return loader.DefaultDir
}

// flags are the flags of a run, which set o, and what -shard was given.
func (o *options) flags() (f *flag.FlagSet, part *string) {
	f = flag.NewFlagSet("experiments", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&o.config, "config", "smoke.toml", "a path, a name under ./configs, or a `name` that the program carries")
	f.BoolVar(&o.list, "list", false, "show the cells with id and state; opens no data but folders of your own that are new or have changed")
	f.StringVar(&o.filter, "filter", "", "only the cells that match, as in 'dataset=MUTAG lambda=0' (`terms`: key, one of = != < <= > >=, value; alternatives by commas, * and ? match)")
	f.Var(&o.set, "set", "a `key=value` in the place of what the grids have (may be given several times), as in atoms=6 or 'alpha=[0.5, 0.9]'")
	part = f.String("shard", "", "only part `i/n` of the cells (i = 0 .. n-1), the same on every machine; writes no tables, -report does when all parts are in one folder")
	f.BoolVar(&o.plan, "plan", false, "say how many cells are missing, and what time and disk they will take; computes nothing, and opens data as -list does")
	f.BoolVar(&o.json, "json", false, "with -plan: as JSON")
	f.DurationVar(&o.limit, "limit", 0, "with -plan: the number of shards that each end within this `time` on -workers cores, such as 1h")
	f.Func("shards", "with -plan: the missing cells and the time of each of `n` shards, as -shard splits them", func(text string) error {
		n, err := strconv.ParseUint(text, 10, 31)
		if err != nil || n < 1 || n > maxShards {
			return fmt.Errorf("must be a whole number from 1 to %d", maxShards)
		}
		o.shards = int(n)
		return nil
	})
	f.BoolVar(&o.calibrate, "calibrate", false, "with -plan: first compute a few cells of each method and data set without timings, the cheapest first, for ten minutes of CPU time at most")
	f.BoolFunc("also", "gone: folders merge by cp -r", func(string) error {
		o.gone = goneAlso
		return nil
	})
	f.BoolVar(&o.gc, "gc", false, "list what is in the store and is named neither by -config nor by a configuration in the program or under ./configs")
	f.BoolVar(&o.yes, "yes", false, "with -gc: remove it")
	f.StringVar(&o.cell, "cell", "", "compute exactly the cell of this `id` (or a beginning of it), done or not")
	f.StringVar(&o.rerun, "rerun", "", "compute only the cells that `failed` or timed out")
	f.BoolVar(&o.force, "force", false, "compute cells that are done again (matrices of distances are reused); replace the tables of another configuration of this name, with -report without computing")
	f.BoolVar(&o.verify, "verify", false, "check all arrays in the store against their checksums first, not only those whose size or time has changed; also with -list")
	f.BoolVar(&o.failfast, "failfast", false, "stop at the first cell that fails")
	f.IntVar(&o.workers, "workers", runtime.GOMAXPROCS(0), "cells computed side by side, at most `N`")
	f.StringVar(&o.out, "out", "results", "`folder` of the store and the tables")
	f.BoolVar(&o.report, "report", false, "write the tables from the store, compute nothing")
	f.BoolVar(&o.version, "version", false, "print what this program was built from")
	f.StringVar(&o.data, "data", dataDir(), "`folder` of the data sets; OGDL_DATA is its default")
	return f, part
}

// parseFlags reads the command line; on -help it returns flag.ErrHelp with the
// text written to stdout.
func parseFlags(args []string, ms []method, stdout io.Writer) (*options, error) {
	o := &options{}
	f, part := o.flags()
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			err = cmp.Or(help(stdout, f, ms), err)
		}
		err = withFlag(f, err)
		return nil, err
	}
	if o.gone != "" {
		return nil, errors.New(o.gone)
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q; allowed: flags, or embed as the first argument%s", f.Arg(0), didYouMean(f.Arg(0), []string{"embed"}))
	}
	var err error
	if o.shard, err = parseShard(*part); err != nil {
		return nil, err
	}
	return o, o.check()
}

// withFlag adds the nearest flag to the error about one that there is not.
func withFlag(f *flag.FlagSet, err error) error {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return err
	}
	var names []string
	f.VisitAll(func(fl *flag.Flag) { names = append(names, "-"+fl.Name) })
	return fmt.Errorf("%w%s", err, didYouMean("-"+strings.TrimPrefix(name, "-"), names))
}

// check refuses combinations that contradict each other.
func (o *options) check() error {
	var modes []string
	for _, m := range []struct {
		given bool
		name  string
	}{{o.list, "-list"}, {o.report, "-report"}, {o.plan, "-plan"}, {o.gc, "-gc"}} {
		if m.given {
			modes = append(modes, m.name)
		}
	}
	switch {
	case o.out == "":
		return errors.New(`-out "": must name a folder, such as results`)
	case o.workers < 1:
		return fmt.Errorf("-workers %d: must be at least 1", o.workers)
	case o.rerun != "" && o.rerun != "failed":
		return fmt.Errorf("-rerun %q: must be \"failed\"%s", o.rerun, didYouMean(o.rerun, []string{"failed"}))
	case o.rerun != "" && o.force:
		return errors.New("-rerun and -force contradict each other: one computes failed cells only, the other all")
	case o.cell != "" && (o.rerun != "" || o.force || o.filter != ""):
		return errors.New("-cell stands alone: it computes its cell whatever its state, so leave out -filter, -rerun and -force")
	case o.cell != "" && o.shard.of > 1:
		return errors.New("-cell stands alone: it computes its cell whatever its shard, so leave out -shard")
	case o.cell != "" && o.plan:
		return errors.New("-plan computes nothing: leave out -cell")
	case len(modes) > 1:
		return fmt.Errorf("%s: give one of them", strings.Join(modes, " and "))
	case o.report && (o.cell != "" || o.rerun != ""):
		return errors.New("-report computes nothing: leave out -cell and -rerun")
	case o.report && o.shard.of > 1:
		return errors.New("-report is of the whole configuration: leave out -shard")
	case o.plan && (o.rerun != "" || o.failfast || o.force && o.calibrate):
		return errors.New("-plan computes nothing: leave out -cell, -rerun and -failfast, and -force with -calibrate")
	case !o.plan && (o.json || o.limit != 0 || o.shards != 0 || o.calibrate):
		return errors.New("-json, -limit, -shards and -calibrate belong to -plan")
	case o.shards != 0 && o.shard.of > 1:
		return errors.New("-shards is about all shards: leave out -shard")
	case o.gc && (o.filter != "" || o.shard.of > 1 || o.cell != "" || o.rerun != "" || o.force):
		return errors.New("-gc is about the whole store: leave out -filter, -shard, -cell, -rerun and -force")
	case o.verify && (o.report || o.plan || o.gc):
		return errors.New("-verify belongs to a run or to -list: what a report or a matrix reads is always checked")
	case o.yes && !o.gc:
		return errors.New("-yes belongs to -gc")
	case o.limit < 0:
		return fmt.Errorf("-limit %s: must be a time above 0, such as 90m or 2h", o.limit)
	}
	return nil
}
