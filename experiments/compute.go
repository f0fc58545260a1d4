package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"ogdl"
	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/internal/vec"
)

// env is what cells are computed with.
type env struct {
	methods methodTable
	data    *library
	cache   *cache
	store   *record.Store // where checkpoints are kept; nil keeps none
	// absent holds the cells that had no result when the run began.
	absent  map[string]bool
	timeout time.Duration // 0: none
	where   record.Provenance
	logf    func(format string, args ...any) // what a user should know; may be nil
}

// compute runs one cell from its data set to its record. It is the only place
// where data meet numerics. It always returns a record: errors, panics, timeouts
// and cancellations are statuses.
func (e *env) compute(ctx context.Context, c *cell) (*record.Record, *record.Timing, []byte) {
	started := time.Now()
	cpu := threadCPU()
	r := &record.Record{
		ID: c.id, Method: c.method.name, MethodVersion: c.method.version, Dataset: c.dataset,
		Params: maps.Clone(map[string]any(c.params)), BaseSeed: c.seed, Repetition: c.repetition,
		LoaderVersion: loader.Version, Provenance: e.where,
	}
	ctx, watch, stop := newStopwatch(ctx, e.timeout)
	defer stop()
	t := &record.Timing{ID: c.id, Started: started.UTC(), CPU: processor(), Kernels: vec.Kernels()}
	t.Host, _ = os.Hostname() // only informs
	arrays, err := e.guarded(ctx, c, watch, r, t)
	var packed []byte
	if err == nil {
		packed, err = npz.Pack(arrays)
	}
	if err != nil {
		setStatus(ctx, r, err, e.timeout)
		r.Reason = e.data.unplaced(c, r.Reason)
		packed = nil
	} else {
		r.Status = record.OK
	}
	t.Seconds, t.CPUSeconds = time.Since(started).Seconds()-watch.seconds, threadCPU()-cpu-watch.cpuSeconds
	t.ProductSeconds, t.ProductCPUSeconds = watch.seconds, watch.cpuSeconds
	t.PeakRSS = peakRSS()
	return r, t, packed
}

// setStatus turns an error into a status, and drops numbers that must not be read.
func setStatus(ctx context.Context, r *record.Record, err error, timeout time.Duration) {
	r.Scores, r.Assignment, r.EpochLoss, r.Convergence, r.Products = nil, nil, nil, record.Convergence{}, nil
	r.Reason = err.Error()
	ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	var p *panicked
	switch {
	case errors.As(err, &p):
		r.Status, r.Stack = record.Failed, p.stack
	case errors.Is(err, loader.ErrMissing):
		r.Status = record.Skipped
	case ended && errors.Is(context.Cause(ctx), errTimeout):
		r.Status, r.Reason = record.Timeout, "not done after "+timeout.String()
	case ended && ctx.Err() != nil:
		r.Status, r.Reason = record.Cancelled, "interrupted"
	default:
		r.Status = record.Failed
	}
}

// guarded is work with panics turned into errors.
func (e *env) guarded(ctx context.Context, c *cell, watch *stopwatch, r *record.Record, tm *record.Timing) (arrays []npz.Array, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = newPanicked(v)
		}
	}()
	return e.work(ctx, c, watch, r, tm)
}

// work fills in the record: data set, spaces, fit, embeddings, k-means, scores.
func (e *env) work(ctx context.Context, c *cell, watch *stopwatch, r *record.Record, tm *record.Timing) ([]npz.Array, error) {
	params := values(r.Params)
	t := &task{params: params, cell: c, cache: e.cache, watch: watch, checkpoint: checkpoint{e.store, e.absent[c.id], e.logf}}
	t.rng = func(stage string) *rand.Rand { return rng(c.seed, c.dataset, c.repetition, stage) }
	if err := e.take(ctx, t, r); err != nil {
		return nil, err
	}
	if c.method.resolve != nil {
		if err := c.method.resolve(params, t.data); err != nil {
			return nil, err
		}
	}
	if t.data != nil && c.method.input == inputSpaces {
		var err error
		if t.spaces, t.features, err = e.data.spacesOf(c, t.data); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out, err := e.methods.fit(ctx, t)
	if err != nil {
		return nil, err
	}
	tm.Embed = out.times
	if evaluate := protocols()[c.method.protocol.name]; evaluate != nil {
		if err := evaluate(ctx, t, out); err != nil {
			return nil, err
		}
		if r.Assignment, err = record.LabelsOf(out.labels); err != nil {
			return nil, err
		}
	}
	r.Scores, r.Convergence, r.EpochLoss, r.Products = out.scores, out.convergence, out.epochLoss, t.used
	r.Notes = append(r.Notes, out.notes...)
	if c.method.once {
		return nil, nil
	}
	arrays := out.arrays
	if r.Assignment != nil {
		arrays = append(arrays, npz.Array{Name: arrayAssignment, Shape: []int{len(out.labels)}, Int: out.labels})
	}
	if err := finite(r); err != nil {
		return nil, err
	}
	return describe(arrays, r, t)
}

// take gets the cell's data set, loaded or opened.
func (e *env) take(ctx context.Context, t *task, r *record.Record) error {
	if t.cell.method.input == inputStream {
		var err error
		if t.stream, err = e.data.open(ctx, t.cell); err != nil {
			return err
		}
		r.Digest, r.Notes = t.stream.digest, slices.Clone(t.stream.notes)
		return t.cell.checkData(r.Digest)
	}
	loaded := e.data.dataset(t.cell)
	if loaded.err != nil {
		return loaded.err
	}
	t.data, r.Digest, r.Notes = loaded.full, loaded.full.Digest, slices.Clone(loaded.notes)
	if err := t.cell.checkData(r.Digest); err != nil {
		return err
	}
	if !t.cell.method.once {
		t.data, t.proportions = loaded.data, loaded.proportions
		if loaded.empty != "" {
			r.Notes = append(r.Notes, loaded.empty)
		}
	}
	return nil
}

// finite reports a number that a store does not take: it is the cell's failure, not the
// store's.
func finite(r *record.Record) error {
	bad := func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
	for i, v := range r.EpochLoss {
		if bad(v) {
			return fmt.Errorf("training diverged: the mean loss of epoch %d is no finite number (%v); smaller steps may help", i+1, v)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Scores)) {
		if v := r.Scores[name]; bad(v) {
			return fmt.Errorf("the result is no finite number: %s is %v", strings.ReplaceAll(name, "_", " "), v)
		}
	}
	if v := r.Convergence.MaxGap; bad(v) {
		return fmt.Errorf("the largest gap of a solve is %v", v)
	}
	return nil
}

// describe adds what is needed to use the arrays later, without the record.
func describe(arrays []npz.Array, r *record.Record, t *task) ([]npz.Array, error) {
	params, err := record.CanonicalJSON(map[string]any(t.params))
	if err != nil {
		return nil, err
	}
	features, err := json.Marshal(t.features)
	if err != nil {
		return nil, err
	}
	return append(arrays, npz.Scalar(arrayMethod, r.Method), npz.Scalar(arrayDataset, datasets.PaperName(r.Dataset)),
		npz.Scalar(arrayParams, string(params)), npz.Scalar(arrayFeatures, string(features))), nil
}

// provenance says what this program was built from: the digest of its sources, and the
// revision that the build stamped into it (`go run` and -buildvcs=false stamp none). It is looked up
// once.
var provenance = sync.OnceValue(func() record.Provenance {
	p := record.Provenance{Sources: ogdl.Sources(), GoVersion: runtime.Version(), GOARCH: runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		modified := ""
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				p.Revision = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				modified = "+modified"
			}
		}
		if p.Revision != "" {
			p.Revision += modified
		}
	}
	return p
})
