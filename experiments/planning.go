package main

import (
	"context"
	"encoding/json"
	"fmt"
)

// plan says what is missing of the cells and what it will take, after a calibration if that was asked for.
func (j *job) plan(ctx context.Context) (int, error) {
	o := j.o
	sel, err := j.selected(ctx, false)
	if err != nil {
		return exitFatal, err
	}
	defer j.remember()
	code := exitOK
	if o.calibrate {
		if code, err = j.calibrate(ctx, sel); code != exitOK && code != exitFailed {
			return code, err
		}
		if sel, err = newSelection(ctx, &o.runOptions, j.config, j.methods.described(), j.store); err != nil { // a choice may have become known
			return exitFatal, err
		}
	}
	known, err := learn(ctx, sel.cells, j.store, j.methods.described())
	if err != nil {
		return exitFatal, err
	}
	if o.force {
		known.states = nil
	}
	p, err := makePlan(ctx, sel.cells, known)
	if err != nil {
		return exitFatal, err
	}
	p.expect(j.config, sel.further)
	p.divide(o.workers, o.shards, o.limit)
	if o.json {
		text, err := json.MarshalIndent(p, "", "  ")
		fmt.Fprintf(j.stdout, "%s\n", text)
		return code, err
	}
	name := j.config.name
	if o.shard.of > 1 {
		name += ", shard " + o.shard.String()
	}
	p.writeText(j.stdout, name, o.workers, o.limit, sel.further)
	return code, nil
}

// calibrate runs a few cells of every kind that has too few timings, as ordinary cells.
func (j *job) calibrate(ctx context.Context, sel *selection) (int, error) {
	known, err := learn(ctx, sel.cells, j.store, j.methods.described())
	if err != nil {
		return exitFatal, err
	}
	p, err := makePlan(ctx, sel.cells, known)
	if err != nil {
		return exitFatal, err
	}
	run, left := calibration(p, calibrationSeconds)
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
