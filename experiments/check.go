package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/run"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/ledger"
	"ogdl/internal/record"
	"ogdl/internal/words"
	"ogdl/reports/summary"
)

const checkHelp = `Arguments: a column and a row of a table of the paper. Finds the selected setting in the
ledger, computes one run of it in a temporary folder, and compares
the score with the ledger and the paper.`

// checked is one number of the paper: the row of a frame that has it, and the runs of its selected setting.
type checked struct {
	*job  // of the configuration whose table has the row
	kept  *ledger.Ledger
	frame *summary.Frame
	row   *summary.Row
	cells []*spec.Cell // with a result in the ledger
}

// checkVerb computes one number again and compares it.
func checkVerb(p program, f *flag.FlagSet) action {
	o, path, table, all := newOptions("check"), "", "", false
	o.Force = true // compute cells that the ledger has, too
	f.StringVar(&o.data, "data", o.data, "`folder` of the data sets, or OGDL_DATA")
	f.StringVar(&path, "ledger", filepath.Join("docs", reproductionFolder, "ledger"), "`folder` of the ledger")
	f.StringVar(&table, "table", "", "the `configuration` whose table is meant, where several have the row")
	f.BoolVar(&all, "all", false, "compute every run of the setting in the ledger, not only one")
	addWorkers(f, &o.Workers)
	return func(ctx context.Context, args []string) (err error) {
		var c checked
		if c.kept, err = ledger.Open(path); err == nil && c.kept.Len() == 0 {
			err = fmt.Errorf("-ledger %s: no ledger there, or an empty one; run check in the checkout, or name the ledger", path)
		}
		if err != nil {
			return err
		}
		if o.out, err = os.MkdirTemp("", "ogdl-check-"); err != nil {
			return err
		}
		defer os.RemoveAll(o.out)
		if err := c.find(ctx, p, o, args[0], args[1], table); err != nil {
			return fmt.Errorf("check: %w", err)
		}
		return c.compute(ctx, all)
	}
}

// find looks up the row in the score tables, first in those on the paper's grid, and selects its
// setting by the rule of the tables.
func (c *checked) find(ctx context.Context, p program, o *options, dataset, method, table string) error {
	var names, tables []string
	for _, part := range published() {
		named := table == part.Config && (part.Scores || part.Commands)
		if !named && (table != "" || !part.Scores) {
			continue
		}
		tables = append(tables, part.Config)
		o.config = grid.Embedded + part.Config
		j, err := p.open(o)
		if err != nil {
			return err
		}
		c.job = j
		c.store.Consult(c.kept)
		family := summary.FamilyOf(c.config.Table)
		var cells []*spec.Cell
		for _, x := range c.config.Cells() {
			row := family.Row(x.Method.Name, summary.Params(x.Params))
			if x.Dataset == dataset && row == method {
				cells = append(cells, x)
			}
			names = append(names, x.Dataset+" "+row)
		}
		if err := c.among(ctx, cells); err != nil || len(c.cells) > 0 {
			return err
		}
	}
	slices.Sort(names)
	switch names = slices.Compact(names); {
	case len(tables) == 0:
		return fmt.Errorf("-table %s: no table of scores has this name", table)
	case slices.Contains(names, dataset+" "+method):
		return fmt.Errorf("%s %s: the ledger has no run of it", dataset, method)
	}
	// A method without its representation is no misspelt other method.
	begin := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !strings.HasPrefix(name, dataset+" "+method+" (") })
	return fmt.Errorf("no table has %s %s%s", dataset, method, cmp.Or(words.If(len(begin) > 0, "; did you mean %s?", strings.Join(begin, " or ")),
		spec.DidYouMean(dataset+" "+method, names), "; tables: "+strings.Join(tables, ", ")))
}

// among selects the setting of a row and sets c.cells to its cells in the ledger, fresh ones first.
func (c *checked) among(ctx context.Context, cells []*spec.Cell) (err error) {
	c.frame, _, err = frameOf(ctx, c.config, cells, c.store, c.stderr)
	if errors.Is(err, errNothing) || err == nil && (len(c.frame.Rows) != 1 || c.frame.Rows[0].Judged() == nil) {
		return nil
	}
	if err != nil {
		return err
	}
	c.row = c.frame.Rows[0]
	chosen, byID := c.row.Judged(), map[string]*spec.Cell{}
	for _, x := range slices.Concat(cells, run.Fresh(c.config, cells[chosen.Runs[0].Place])) {
		byID[x.ID] = x
	}
	// Fresh repetitions come first: the setting was not selected by them.
	for _, r := range slices.Concat(chosen.Confirmed, chosen.Runs) {
		x := byID[r.ID]
		if kept, _ := c.kept.Find(r.ID); kept != nil && x != nil && kept.Status == record.OK {
			c.cells = append(c.cells, x)
		}
	}
	return nil
}

// compute recomputes c.cells and prints a line for each, with all also the means. It returns an
// exit code if a score differs from the ledger.
func (c *checked) compute(ctx context.Context, all bool) error {
	if !all {
		c.cells = c.cells[:1]
	}
	none, err := record.Open(c.o.out) // the temporary store: without data nothing can be computed, whatever the ledger has
	if err != nil {
		return err
	}
	if err := run.Computable(c.lib, c.cells, none); err != nil {
		return err
	}
	if err := c.newRun(nil).Round(ctx, "", c.cells); err != nil {
		return err
	}
	metric, alike, chosen := c.frame.Family.Metric, 0, c.row.Judged()
	own := "" // the setting of all splits
	switch {
	case metric.Nested && all:
		own = "each split at the setting that it selects"
	case metric.Nested:
		chosen = c.row.Nested.Of[slices.IndexFunc(chosen.Runs, func(r summary.Run) bool { return r.ID == c.cells[0].ID })]
	}
	setting := fmt.Sprintf("%s %s, %s", c.row.Dataset, c.row.Method, cmp.Or(own, chosen.Describe(c.row.Names)))
	sums, counts := map[bool]float64{}, map[bool]int{} // of fresh repetitions, and of those that selected the setting
	for _, x := range c.cells {
		now, err := none.Head(x.ID)
		if err != nil {
			return err
		}
		if now == nil || now.Status != record.OK {
			return fmt.Errorf("check: %s could not be computed", x)
		}
		kept, _ := c.kept.Find(x.ID)
		score, before := float64(metric.Scale*now.Scores[metric.Score]), float64(metric.Scale*kept.Scores[metric.Score])
		how := "as in the ledger"
		if math.Abs(score-before) > 1e-9*metric.Scale {
			how = fmt.Sprintf("NOT as in the ledger, which has %.2f", before)
		} else {
			alike++
		}
		sums[x.Confirm] += score
		counts[x.Confirm]++
		line := fmt.Sprintf("repetition %d: %s %.2f, %s", x.Repetition, metric.Label, score, how)
		if !all {
			line = fmt.Sprintf("%s, %s; %s", setting, line, c.printed())
		}
		fmt.Fprintln(c.stdout, line)
	}
	if all {
		kinds := map[bool]string{true: "fresh ", false: words.If(!metric.Nested, "selecting ")}
		fmt.Fprintf(c.stdout, "%s: mean %s", setting, metric.Label)
		for _, fresh := range []bool{true, false} {
			if n := counts[fresh]; n > 0 {
				fmt.Fprintf(c.stdout, " %.2f of %d %s%s,", sums[fresh]/float64(n), n, kinds[fresh], metric.Repetitions())
			}
		}
		fmt.Fprintf(c.stdout, " %d of %d as in the ledger; %s\n", alike, len(c.cells), c.printed())
	}
	if alike < len(c.cells) {
		return ended(exitFailed)
	}
	return nil
}

// printed returns the paper's value of the row, in words.
func (c *checked) printed() string {
	s, there := c.frame.Family.Score(cmp.Or(c.row.Printed, c.row.Method), c.row.Dataset)
	if !there {
		return "the paper has no number for it"
	}
	return fmt.Sprintf("the paper has %.2f (%.2f)", s.Mean, s.Std)
}
