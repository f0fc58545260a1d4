// Experiments reproduces the paper's tables: it reads a configuration, computes
// the cells of its grid that are not in the store yet, and writes the tables.
//
//	go run ./experiments                            # smoke.toml: seconds, no download
//	go run ./experiments -config clustering.toml
//	go run ./experiments list -config clustering.toml -filter 'dataset=MUTAG lambda=0'
//	go run ./experiments embed -dict FILE.npz -data DIR
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/methods"
	"ogdl/experiments/internal/protocol"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/vec"
	"ogdl/internal/words"
)

// Exit codes.
const (
	exitOK          = 0
	exitFatal       = 1
	exitFailed      = 3 // some cells failed, or have other numbers than the ledger
	exitInterrupted = 130
)

func main() { os.Exit(execute(untilSignal(), os.Args[1:], os.Stdout, os.Stderr)) }

// untilSignal is a context that an interrupt ends. A second signal ends the program at once, and the first one at the latest after a while, whatever it
// waits for: a reader of its output or a disk may never answer.
func untilSignal() context.Context {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		stop()
		time.AfterFunc(1900*time.Millisecond, func() { os.Exit(exitInterrupted) })
	})
	return ctx
}

// execute is the program: tables and lists go to stdout, progress and troubles to
// stderr; it returns the exit code.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return program{methods: methods.All()}.run(ctx, args, stdout, stderr)
}

// program is run with its table of methods handed in.
type program struct {
	methods method.Table
	stderr  io.Writer // for the progress of verbs with flags of their own
}

// verb is one of the things that the program does: a row of verbs().
type verb struct {
	name, doc string
	args      string // what stands behind it
	about     string // what its help says above the flags
	// Verbs on a configuration have flags of options, by name, and work on the configuration once it is read.
	flags string
	work  func(j *job, ctx context.Context) (int, error)
	// The others define flags of their own and return what is done with the arguments behind them.
	own func(p program, f *flag.FlagSet) action
}

// action is what a verb does with its arguments.
type action func(ctx context.Context, args []string, stdout io.Writer) (int, error)

// verbs returns the table of verbs. The first is the one that is meant where none is given.
func verbs() []verb {
	return []verb{
		{name: "run", doc: "compute what the store lacks of a grid, and write the tables", about: runHelp,
			flags: "config set filter shard cell rerun force failfast for verify workers data out ledger log figure-width figure-titles figure-formats",
			work:  (*job).run},
		{name: "list", doc: "show the cells of a grid with id and state", about: listHelp,
			flags: "config set filter shard cell verify data out ledger", work: (*job).list},
		{name: "plan", doc: "say what is missing, and the time and disk that it will take", about: planHelp,
			flags: "config set filter shard force limit shards json workers data out ledger", work: (*job).plan},
		{name: "report", doc: "write tables, figures and page from the store alone", about: reportHelp,
			flags: "config set force data out ledger figure-width figure-titles figure-formats", work: (*job).report},
		{name: "verdicts", doc: "say what of the paper holds, in docs/reproduction.md", about: verdictsHelp, flags: "docs data out ledger"},
		{name: "check", doc: "compute one number of the paper again: check MUTAG GDL", about: checkHelp, own: checkVerb},
		{name: "ledger", doc: "ledger add OUT PATH: add results to a ledger", about: ledgerHelp, own: ledgerVerb},
		{name: "gc", doc: "list what no configuration names; with -yes remove it", about: gcHelp,
			flags: "config set out yes", work: (*job).gc},
		{name: "fit", doc: "learn, embed and cluster graphs of your own", about: fitHelp, own: fitVerb},
		{name: "embed", doc: "embed and assign new graphs with a fitted dictionary", about: embedHelp, own: embedVerb},
		{name: "compare", args: " A B", doc: "two folders of results side by side, row by row", about: compareHelp, own: compareVerb},
		{name: "version", doc: "say what this program was built from", own: func(program, *flag.FlagSet) action { return printVersion }},
		{name: "help", doc: "help VERB: flags; help methods; help METHOD, or all: keys",
			own: func(p program, _ *flag.FlagSet) action { return p.help }},
	}
}

func (p program) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	stdout, stderr = words.Screen{W: stdout}, words.Screen{W: stderr}
	p.stderr = stderr
	code, err := p.dispatch(ctx, args, stdout, stderr)
	switch {
	case err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "interrupted")
		return exitInterrupted
	case err != nil:
		fmt.Fprintln(stderr, "ogdl:", err)
		return exitFatal
	}
	return code
}

// dispatch finds the verb, run where none is named, reads its flags and does what it says.
func (p program) dispatch(ctx context.Context, args []string, stdout, stderr io.Writer) (int, error) {
	v, o := verbs()[0], &options{}
	named := len(args) > 0 && !strings.HasPrefix(args[0], "-")
	if named {
		var err error
		if v, err = verbOf(args[0]); err != nil {
			return exitFatal, err
		}
		args = args[1:]
	}
	f, do := v.flagSet(p, o)
	err := f.Parse(args)
	var rest []string // flags of a verb may stand behind it
	for named && err == nil && f.NArg() > 0 {
		rest = append(rest, f.Arg(0))
		err = f.Parse(f.Args()[1:])
	}
	rest = append(rest, f.Args()...)
	switch {
	case errors.Is(err, flag.ErrHelp) && named:
		return exitOK, v.help(stdout)
	case errors.Is(err, flag.ErrHelp):
		return p.help(ctx, f.Args(), stdout)
	case err != nil:
		return exitFatal, v.unknown(f, err)
	case nothing(f) != nil:
		return exitFatal, nothing(f)
	case do != nil:
		return do(ctx, rest, stdout)
	case len(rest) > 0:
		return exitFatal, unexpected(rest[0])
	}
	o.list, o.plan, o.Report = v.name == "list", v.name == "plan", v.name == "report" || v.work == nil
	if err := o.check(); err != nil {
		return exitFatal, err
	}
	if v.work == nil {
		return p.reproduce(ctx, o, stdout, stderr)
	}
	j, err := p.open(o, stdout, stderr)
	if err != nil {
		return exitFatal, err
	}
	return v.work(j, ctx)
}

// verbOf finds a verb by its name.
func verbOf(name string) (verb, error) {
	all := verbs()
	i := slices.IndexFunc(all, func(v verb) bool { return v.name == name })
	if i < 0 {
		return verb{}, unexpected(name)
	}
	return all[i], nil
}

// unexpected is the error about a word that is no verb, or stands where none is expected.
func unexpected(word string) error {
	var names []string
	for _, v := range verbs() {
		names = append(names, v.name)
	}
	return fmt.Errorf("unexpected argument %q; allowed: flags, or first one of %s%s", word, strings.Join(names, ", "), spec.DidYouMean(word, names))
}

func printVersion(_ context.Context, _ []string, stdout io.Writer) (int, error) {
	where := protocol.Provenance()
	version := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	fmt.Fprintf(stdout, "ogdl %s\nsources %s\nrevision %s\n%s %s\nkernels %s\n", version, where.Sources,
		cmp.Or(where.Revision, "not known to this build"), where.GoVersion, where.GOARCH, vec.Kernels())
	return exitOK, nil
}
