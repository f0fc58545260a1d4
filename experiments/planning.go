package main

import (
	"context"
	"encoding/json"
	"fmt"

	"ogdl/experiments/internal/plan"
	"ogdl/experiments/internal/run"
	"ogdl/experiments/internal/spec"
)

// plan says what is missing of the cells and what it will take, after a calibration if that was asked for.
func (j *job) plan(ctx context.Context) (int, error) {
	o := j.o
	sel, err := j.selected(ctx, false)
	if err != nil {
		return exitFatal, err
	}
	defer j.lib.Memory.Save()
	code := exitOK
	if o.calibrate {
		if code, err = j.calibrate(ctx, sel); code != exitOK && code != exitFailed {
			return code, err
		}
		if sel, err = run.NewSelection(ctx, &o.Options, j.config, j.methods.Described(), j.store); err != nil { // a choice may have become known
			return exitFatal, err
		}
	}
	p, err := j.made(ctx, sel)
	if err != nil {
		return exitFatal, err
	}
	p.Expect(j.config, sel.Further)
	p.Divide(o.Workers, o.shards, o.limit)
	if o.json {
		text, err := json.MarshalIndent(p, "", "  ")
		fmt.Fprintf(j.stdout, "%s\n", text)
		return code, err
	}
	name := j.config.Name
	if o.Shard.Of > 1 {
		name += ", shard " + o.Shard.String()
	}
	p.WriteText(j.stdout, name, o.Workers, o.limit, sel.Further)
	return code, nil
}

// made is the plan of the cells as the store stands; with -force nothing is done.
func (j *job) made(ctx context.Context, sel *run.Selection) (*plan.Plan, error) {
	known, err := plan.Learn(ctx, sel.Cells, j.store, j.methods.Described())
	if err != nil {
		return nil, err
	}
	if j.o.Force {
		known.States = nil
	}
	return plan.MakePlan(ctx, sel.Cells, known)
}

// calibrate runs a few cells of every kind that has too few timings, as ordinary cells.
func (j *job) calibrate(ctx context.Context, sel *run.Selection) (int, error) {
	p, err := j.made(ctx, sel)
	if err != nil {
		return exitFatal, err
	}
	sampled, left := plan.Calibration(p, plan.CalibrationSeconds)
	for _, k := range left {
		fmt.Fprintf(j.stderr, "not calibrated: %s on %s, whose cheapest cells take about %s (all together may take %s)\n",
			k.Method, k.Dataset, plan.Duration(k.Cost), plan.Duration(plan.CalibrationSeconds))
	}
	var sample []*spec.Cell
	for _, k := range sampled {
		sample = append(sample, k.Cells...)
	}
	if len(sample) == 0 {
		fmt.Fprintln(j.stderr, "nothing to calibrate")
		return exitOK, nil
	}
	return j.compute(ctx, &run.Selection{Grid: sel.Grid, Cells: sample})
}
