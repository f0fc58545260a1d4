// Ogdl learns dictionaries of graphs and reproduces the tables of the paper. The first argument is
// a verb, such as run, fit or embed; help lists them.
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
	"strings"
	"syscall"
	"time"

	"ogdl/experiments/internal/method"
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
	exitMoved       = 4 // a comparison found rows that moved
	exitInterrupted = 130
)

// ended is the error of a verb that has already printed why it ends with an exit code.
type ended int

func (code ended) Error() string { return fmt.Sprintf("exit code %d", int(code)) }

// prefixed puts the place of an error before it. nil and exit codes stay as they are.
func prefixed(where string, err error) error {
	if code := ended(0); err == nil || errors.As(err, &code) {
		return err
	}
	return fmt.Errorf("%s: %w", where, err)
}

// joined returns the errors that an error joins, or the error alone.
func joined(err error) (all []error) {
	several, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	for _, one := range several.Unwrap() {
		all = append(all, joined(one)...)
	}
	return all
}

func main() { os.Exit(execute(untilSignal(), os.Args[1:], os.Stdout, os.Stderr)) }

// untilSignal returns a context that ends at the first SIGINT or SIGTERM. The program exits at a
// second signal, and otherwise 1.9 s after the first, even if it draws, or a disk or the reader of
// its output hangs.
func untilSignal() context.Context {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		stop()
		time.AfterFunc(1900*time.Millisecond, func() {
			go fmt.Fprintln(os.Stderr, "interrupted") // a reader may hang
			time.Sleep(10 * time.Millisecond)
			os.Exit(exitInterrupted)
		})
	})
	return ctx
}

// execute runs the program and returns its exit code. Tables and lists go to stdout, progress and troubles to stderr.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return program{methods: protocol.Methods()}.run(ctx, args, stdout, stderr)
}

// program holds the table of methods and the output streams of one command.
type program struct {
	methods        method.Table
	blocks         int // see product.Cache
	stdout, stderr io.Writer
}

// verb is a subcommand: a row of verbs().
type verb struct {
	name, doc string
	args      string // the arguments that it takes, by name
	graphs    string // the flag of own graphs
	example   string // a command line
	about     string // further sentences of its help
	// flags adds the flags of the verb to f and returns the function that runs the verb.
	flags func(p program, f *flag.FlagSet) action
}

// action runs a verb with its arguments.
type action func(ctx context.Context, args []string) error

// verbs returns the table of verbs. A command without a verb runs the first one.
func verbs() []verb {
	return []verb{
		{name: "run", doc: "compute the missing cells of a configuration, and write its tables", example: "ogdl run -config clustering-quick.toml -workers 2",
			about: "run is the default verb. You may stop a run at any time: finished cells are kept, and the same command resumes.",
			flags: onGrid((*job).compute)},
		{name: "list", doc: "show the cells of a grid with id and state", example: "ogdl list -config clustering.toml -filter 'dataset=MUTAG lambda=0'",
			about: "list opens no data set, except your own folders.",
			flags: onGrid((*job).list)},
		{name: "plan", doc: "estimate time and disk space of the missing cells", example: "ogdl plan -config clustering.toml -limit 12h",
			about: "plan computes nothing. It estimates times from similar cells in the store or the ledger.",
			flags: onGrid((*job).plan)},
		{name: "report", doc: "write tables, figures and page from the store alone", example: "ogdl report -config clustering.toml -figure-formats svg,pdf,png",
			about: "report computes nothing.", flags: onGrid((*job).report)},
		{name: "verdicts", doc: "compare the ledger with the paper and write docs/reproduction.md", example: "ogdl verdicts -ledger docs/reproduction/ledger",
			about: "verdicts reads the grids of the whole paper from the ledger (default DOCS/reproduction/ledger), and computes nothing.", flags: verdictsVerb},
		{name: "check", doc: "compute one value of the paper again", args: "DATASET METHOD", example: "ogdl check MUTAG GDL", about: checkHelp, flags: checkVerb},
		{name: "ledger", doc: "add results to a ledger", args: "add OUT PATH", example: "ogdl ledger add results docs/reproduction/ledger",
			about: ledgerHelp, flags: ledgerVerb},
		{name: "gc", doc: "list cells and products that no configuration names; -yes removes them", example: "ogdl gc -out results -yes", about: gcHelp, flags: gcVerb},
		{name: "fit", doc: "learn, embed and cluster graphs of your own", example: "ogdl fit -graphs molecules.jsonl -atoms 2..10", about: fitHelp,
			graphs: "-graphs", flags: fitVerb},
		{name: "embed", doc: "embed and assign new graphs with a fitted dictionary", example: "ogdl embed -from fit_molecules -data new.jsonl",
			about: embedHelp, graphs: "-data", flags: embedVerb},
		{name: "compare", doc: "compare two folders of results, row by row", args: "A B", example: "ogdl compare results nightly/results",
			about: compareHelp, flags: compareVerb},
		{name: "version", doc: "print the sources that this program was built from", example: "ogdl version", flags: versionVerb},
		{name: "help", doc: "list verbs; help VERB: flags; help METHOD, or all: keys; help methods, help configurations", example: "ogdl help GDL",
			flags: func(p program, _ *flag.FlagSet) action { return p.help }},
	}
}

func (p program) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var lost error // of the output, which many verbs print without a look at errors
	p.stdout, p.stderr = words.Screen{W: stdout, Lost: &lost}, words.Screen{W: stderr}
	err := p.dispatch(ctx, args)
	if err == nil {
		err = lost
	}
	var code ended
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &code):
		return int(code)
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		fmt.Fprintln(p.stderr, "interrupted")
		return exitInterrupted
	}
	fmt.Fprintln(p.stderr, "ogdl:", err)
	return exitFatal
}

// dispatch runs the verb that the first argument names, and run if there is none.
func (p program) dispatch(ctx context.Context, args []string) error {
	v := &verbs()[0]
	named := len(args) > 0 && !strings.HasPrefix(args[0], "-")
	if named {
		if v = verbOf(args[0]); v == nil {
			return unexpected(args[0])
		}
		args = args[1:]
	}
	f, do := v.flagSet(p)
	err := f.Parse(args)
	var rest []string
	for err == nil && f.NArg() > 0 { // flags may come after arguments
		rest = append(rest, f.Arg(0))
		err = f.Parse(f.Args()[1:])
	}
	switch want := strings.Fields(v.args); {
	case errors.Is(err, flag.ErrHelp) && named:
		v.help(p.stdout)
		return nil
	case errors.Is(err, flag.ErrHelp):
		return p.help(ctx, f.Args())
	case err != nil:
		return v.mistaken(f, err)
	case nothing(f) != nil:
		return nothing(f)
	case v.name == "help" || len(want) == len(rest):
		return do(ctx, rest)
	case len(want) == 0 && v.graphs != "":
		return fmt.Errorf("%s: unexpected argument %q; graphs have a flag: %s %s", v.name, rest[0], v.graphs, rest[0])
	case len(want) == 0:
		return unexpected(rest[0])
	default:
		return fmt.Errorf("%s: expected %s, as in: %s; %s given", v.name, v.args, v.example, words.Plural(len(rest), "argument is", "arguments are"))
	}
}

// verbOf returns the verb of a name; nil if there is none.
func verbOf(name string) *verb {
	for _, v := range verbs() {
		if v.name == name {
			return &v
		}
	}
	return nil
}

// unexpected returns the error for an argument that is not a verb, or not expected.
func unexpected(word string) error {
	names := spec.Texts(verbs(), func(v verb) string { return v.name })
	return fmt.Errorf("unexpected argument %q; expected flags, or one of these verbs first: %s%s", word, strings.Join(names, ", "), spec.DidYouMean(word, names))
}

// versionVerb prints the build.
func versionVerb(p program, _ *flag.FlagSet) action {
	return func(context.Context, []string) error {
		where, version := protocol.Provenance(), "(devel)"
		if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
			version = info.Main.Version
		}
		_, err := fmt.Fprintf(p.stdout, "ogdl %s\nsources %s\nrevision %s\n%s %s\nkernels %s\n", version, where.Sources,
			cmp.Or(where.Revision, "not known to this build"), where.GoVersion, where.GOARCH, vec.Kernels())
		return err
	}
}
