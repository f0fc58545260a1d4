package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"ogdl/experiments/internal/plan"
	"ogdl/experiments/internal/run"
)

// plan says what is missing of the cells and what it will take.
func (j *job) plan(ctx context.Context) (int, error) {
	o := j.o
	sel, err := j.selected(ctx, false)
	if err != nil {
		return exitFatal, err
	}
	defer j.lib.Memory.Save()
	p, err := j.made(ctx, sel)
	if err != nil {
		return exitFatal, err
	}
	p.Expect(j.config, sel.Further)
	p.Divide(o.Workers, o.shards, o.limit)
	if o.json {
		text, err := json.MarshalIndent(p, "", "  ")
		fmt.Fprintf(j.stdout, "%s\n", text)
		return exitOK, err
	}
	name := j.config.Name
	if o.Shard.Of > 1 {
		name += ", shard " + o.Shard.String()
	}
	p.WriteText(j.stdout, name, o.Workers, o.limit, sel.Further)
	return exitOK, nil
}

// made is the plan of the cells as the store stands; with -force nothing is done.
func (j *job) made(ctx context.Context, sel *run.Selection) (*plan.Plan, error) {
	// Times are those of the whole grid, so that the plans of shards add up.
	known, err := plan.Learn(ctx, slices.Concat(sel.Grid, sel.Cells), j.store, j.methods.Described())
	if err != nil {
		return nil, err
	}
	if j.o.Force {
		known.States = nil
	}
	return plan.MakePlan(ctx, sel.Cells, known)
}
