// Nightlycheck judges what a night brought: scores against their bands, benchmarks against the commit
// before.
//
//	nightlycheck scores -bands FILE -config NAME [-update] TABLE.csv
//	nightlycheck bench [-slower PERCENT] [-p LEVEL] BENCHSTAT.csv...
//
// Exit code: 0 all is well, 1 a score left its band or a benchmark became slower, 2 an error.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// errJudged ends a check that found something; what it was has been written.
var errJudged = errors.New("nightlycheck: see above")

func main() {
	err := run(os.Args[1:], os.Stdout)
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errJudged):
		os.Exit(1)
	default:
		fmt.Fprintln(os.Stderr, "nightlycheck:", err)
		os.Exit(2)
	}
}

// run is the program; the report goes to w.
func run(args []string, w io.Writer) error {
	if len(args) == 0 {
		return errors.New("say what to check: scores or bench")
	}
	f := flag.NewFlagSet("nightlycheck "+args[0], flag.ContinueOnError)
	switch args[0] {
	case "scores":
		bands := f.String("bands", "scripts/dev/nightlycheck/bands.toml", "`file` of the bands")
		config := f.String("config", "", "the table's configuration, by `name`")
		update := f.Bool("update", false, "write the bands of this configuration anew from the table")
		if err := f.Parse(args[1:]); err != nil {
			return err
		}
		if *config == "" || f.NArg() != 1 {
			return errors.New("scores needs -config and one table")
		}
		rows, err := readScores(f.Arg(0))
		if err != nil {
			return err
		}
		if *update {
			return updateBands(*bands, *config, rows)
		}
		all, err := readBands(*bands)
		if err != nil {
			return err
		}
		return judgeScores(w, *config, all[*config], rows)
	case "bench":
		slower := f.Float64("slower", 10, "`percent` of time that a benchmark may lose")
		level := f.Float64("p", 0.01, "the `level` below which a difference counts")
		if err := f.Parse(args[1:]); err != nil {
			return err
		}
		if f.NArg() == 0 {
			return errors.New("bench needs a file")
		}
		var all []comparison
		for _, path := range f.Args() {
			found, err := readBenchstat(path)
			if err != nil {
				return err
			}
			all = append(all, found...)
		}
		return judgeBench(w, all, *slower, *level)
	}
	return fmt.Errorf("%q: must be scores or bench", args[0])
}
