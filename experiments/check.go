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

	"ogdl/experiments/internal/run"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/ledger"
	"ogdl/internal/record"
	"ogdl/reports/summary"
)

const checkHelp = `Arguments: a column and a row of a table of the paper. Finds the selected setting in the
ledger, computes one run of it in a temporary folder, and compares
the score with the ledger and the paper.`

// checked is one number of the paper: the row of a frame that has it, and a run of its selected setting.
type checked struct {
	*job  // of the configuration whose table has the row
	kept  *ledger.Ledger
	frame *summary.Frame
	row   *summary.Row
	cell  *spec.Cell // of the setting, with a result in the ledger
}

// checkVerb computes one number again and compares it.
func checkVerb(p program, f *flag.FlagSet) action {
	o, path, table := newOptions("check"), "", ""
	o.Force = true // compute cells that the ledger has, too
	f.StringVar(&o.data, "data", o.data, "`folder` of the data sets, or OGDL_DATA")
	f.StringVar(&path, "ledger", filepath.Join("docs", reproductionFolder, "ledger"), "`folder` of the ledger")
	f.StringVar(&table, "table", "", "the `configuration` whose table is meant, where several have the row")
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
		return c.compute(ctx)
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
		o.config = part.Config
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
		if err := c.among(ctx, cells); err != nil || c.cell != nil {
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
	return fmt.Errorf("no table has %s %s%s", dataset, method, cmp.Or(spec.DidYouMean(dataset+" "+method, names), "; tables: "+strings.Join(tables, ", ")))
}

// among selects the setting of a row and sets c.cell to one of its cells with a result in the ledger,
// a fresh repetition if there is one: the setting was not selected by it.
func (c *checked) among(ctx context.Context, cells []*spec.Cell) (err error) {
	c.frame, _, err = frameOf(ctx, c.config, cells, c.store, c.stderr)
	if errors.Is(err, errNothing) || err == nil && (len(c.frame.Rows) != 1 || c.frame.Rows[0].Judged() == nil) {
		return nil
	}
	if err != nil {
		return err
	}
	c.row = c.frame.Rows[0]
	byID := map[string]*spec.Cell{}
	for _, x := range cells {
		byID[x.ID] = x
	}
	chosen := c.row.Judged()
	for _, x := range run.Fresh(c.config, byID[chosen.Runs[0].ID]) {
		byID[x.ID] = x
	}
	for _, r := range slices.Concat(chosen.Confirmed, chosen.Runs) {
		x := byID[r.ID]
		if kept, _ := c.kept.Find(r.ID); kept != nil && x != nil && kept.Status == record.OK {
			c.cell = x
			return nil
		}
	}
	return nil
}

// compute recomputes the cell and prints a line. It returns an exit code if the score differs from the ledger.
func (c *checked) compute(ctx context.Context) error {
	none, err := record.Open(c.o.out) // the temporary store: without data nothing can be computed, whatever the ledger has
	if err != nil {
		return err
	}
	cells := []*spec.Cell{c.cell}
	if err := run.Computable(c.lib, cells, none); err != nil {
		return err
	}
	if err := c.newRun(nil).Round(ctx, "", cells); err != nil {
		return err
	}
	now, err := none.Head(c.cell.ID)
	if err == nil && (now == nil || now.Status != record.OK) {
		err = fmt.Errorf("check: %s could not be computed", c.cell)
	}
	if err != nil {
		return err
	}
	metric := c.frame.Family.Metric
	kept, _ := c.kept.Find(c.cell.ID)
	score, before := float64(metric.Scale*now.Scores[metric.Score]), float64(metric.Scale*kept.Scores[metric.Score])
	how, differs := "as in the ledger", math.Abs(score-before) > 1e-9*metric.Scale
	if differs {
		how = fmt.Sprintf("NOT as in the ledger, which has %.2f", before)
	}
	fmt.Fprintf(c.stdout, "%s %s, %s, repetition %d: %s %.2f, %s; %s\n", c.row.Dataset, c.row.Method, c.row.Judged().Describe(c.row.Names),
		c.cell.Repetition, metric.Label, score, how, c.printed())
	if differs {
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
