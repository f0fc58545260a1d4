// Nightlycheck holds the scores of a night to their bands.
//
//	nightlycheck -bands FILE -config NAME [-update] TABLE.csv
//
// Exit code: 0 all is well, 1 a score left its band, 2 an error.
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
	f := flag.NewFlagSet("nightlycheck", flag.ContinueOnError)
	bands := f.String("bands", "scripts/dev/nightlycheck/bands.toml", "`file` of the bands")
	config := f.String("config", "", "the table's configuration, by `name`")
	update := f.Bool("update", false, "write the bands of this configuration anew from the table")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *config == "" || f.NArg() != 1 {
		return errors.New("want -config and one table")
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
}
