package main

import (
	"context"
	"fmt"
)

// calibrate runs a few cells of every kind that has too few timings, as ordinary cells.
func (j *job) calibrate(ctx context.Context, sel *selection) (int, error) {
	known, err := learn(ctx, sel.cells, j.store, j.methods.described())
	if err != nil {
		return exitFatal, err
	}
	made, err := makePlan(ctx, sel.cells, known)
	if err != nil {
		return exitFatal, err
	}
	run, left := calibration(made, known, calibrationSeconds)
	for _, k := range left {
		fmt.Fprintf(j.stderr, "not calibrated: %s on %s, whose cheapest cells take about %s (all together may take %s)\n", k.method, k.dataset, duration(k.cost), duration(calibrationSeconds))
	}
	var sample []*cell
	for _, k := range run {
		sample = append(sample, k.cells...)
	}
	if len(sample) == 0 {
		fmt.Fprintln(j.stderr, "nothing to calibrate")
		return exitOK, nil
	}
	return j.compute(ctx, &selection{grid: sel.grid, cells: sample})
}

// showPlan prints what is missing of the cells and what it will take.
func (j *job) showPlan(ctx context.Context, sel *selection) error {
	cells, o := sel.cells, j.o
	known, err := learn(ctx, cells, j.store, j.methods.described())
	if err != nil {
		return err
	}
	if o.force {
		known.states = map[string]state{}
	}
	made, err := makePlan(ctx, cells, known)
	if err != nil {
		return err
	}
	made.expect(j.config, sel.further, known)
	var shards int
	var longest float64
	if o.limit > 0 {
		shards, longest = made.shardsFor(o.limit, o.workers, cells, known)
	}
	if o.shards > 0 {
		made.parts = made.splitInto(o.shards, o.workers, cells, known)
	}
	if o.json {
		return made.writeJSON(j.stdout, o.workers, shards, longest)
	}
	name := j.config.name
	if o.shard.of > 1 {
		name += ", shard " + o.shard.String()
	}
	made.writeText(j.stdout, o.workers, o.limit, name, shards, longest)
	return nil
}
