// Package protocol computes one cell from its data to its record: it is the only place where data
// meet numerics. Protocols turn the result of a method into scores.
package protocol

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"ogdl"
	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/experiments/internal/classify"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/product"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/artifact"
	"ogdl/internal/guard"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/internal/usage"
	"ogdl/internal/vec"
)

// Methods returns the table of all methods of the program.
func Methods() method.Table { return append(method.Rows(), classify.Rows()...) }

// Env holds the methods, the data and the store that cells are computed with.
type Env struct {
	Methods method.Table
	Data    *source.Library
	Cache   *product.Cache
	Store   *record.Store // where checkpoints are kept
	// Absent holds the cells that had no result when the run began.
	Absent  map[string]bool
	Timeout time.Duration // 0: none
	Where   record.Provenance
}

// Compute runs one cell from its data set to its record. It always returns a record: errors,
// panics, timeouts and cancellations become statuses.
func (e *Env) Compute(ctx context.Context, c *spec.Cell) (*record.Record, *record.Timing, []byte) {
	started := time.Now()
	cpu := usage.ThreadCPU()
	r := c.Record()
	r.Provenance = e.Where
	ctx, watch, stop := product.NewStopwatch(ctx, e.Timeout)
	defer stop()
	t := &record.Timing{ID: c.ID, Started: started.UTC(), CPU: usage.Processor(), Kernels: vec.Kernels()}
	t.Host, _ = os.Hostname() // only informs
	arrays, err := e.work(ctx, c, watch, r, t)
	var packed []byte
	if err == nil {
		packed, err = npz.Pack(arrays)
	}
	if err != nil {
		setStatus(ctx, r, err, e.Timeout)
		r.Reason = e.Data.Unplaced(c, r.Reason)
		packed = nil
	} else {
		r.Status = record.OK
	}
	t.Seconds, t.CPUSeconds = time.Since(started).Seconds()-watch.Seconds, usage.ThreadCPU()-cpu-watch.CPUSeconds
	t.ProductSeconds, t.ProductCPUSeconds = watch.Seconds, watch.CPUSeconds
	t.PeakRSS = usage.PeakRSS()
	return r, t, packed
}

// setStatus turns an error into a status, and drops numbers that must not be read.
func setStatus(ctx context.Context, r *record.Record, err error, timeout time.Duration) {
	r.Scores, r.Assignment, r.EpochLoss, r.Convergence, r.Products = nil, nil, nil, record.Convergence{}, nil
	r.Reason = err.Error()
	ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	var p *guard.Panicked
	switch {
	case errors.As(err, &p):
		r.Status, r.Stack = record.Failed, p.Stack
	case errors.Is(err, loader.ErrMissing):
		r.Status = record.Skipped
	case ended && errors.Is(context.Cause(ctx), product.ErrTimeout):
		r.Status, r.Reason = record.Timeout, "not done after "+timeout.String()
	case ended && ctx.Err() != nil:
		r.Status, r.Reason = record.Cancelled, "interrupted"
	default:
		r.Status = record.Failed
	}
}

// work fills in the record: data set, spaces, fit, embeddings, k-means, scores. A panic is an error.
func (e *Env) work(ctx context.Context, c *spec.Cell, watch *product.Stopwatch, r *record.Record, tm *record.Timing) (arrays []npz.Array, err error) {
	defer guard.Caught(&err)
	params := spec.Values(r.Params)
	t := &method.Task{Params: params, Cell: c, Cache: e.Cache,
		Checkpoint: method.Checkpoint{Store: e.Store, Resume: e.Absent[c.ID], Logf: e.Data.Logf}}
	t.Rand = func(stage string) *rand.Rand { return source.Rand(c.Seed, c.Dataset, c.Repetition, stage) }
	if err := e.take(ctx, t, r); err != nil {
		return nil, err
	}
	if c.Method.Resolve != nil {
		if err := c.Method.Resolve(params, t.Data); err != nil {
			return nil, err
		}
	}
	if t.Data != nil && c.Method.Input == spec.InputSpaces {
		if t.Spaces, t.Features, err = e.Data.SpacesOf(c, t.Data); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out, err := e.Methods.Fit(ctx, t)
	if err != nil {
		return nil, err
	}
	if out.Scores == nil {
		out.Scores = map[string]float64{}
	}
	tm.Embed = out.Times
	switch c.Method.Protocol.Name {
	case method.ProtocolClustering:
		err = cluster(ctx, t, out)
	case classify.Protocol:
		err = predict(ctx, t, out)
	}
	if err == nil {
		r.Assignment, err = record.LabelsOf(out.Labels)
	}
	if err != nil {
		return nil, err
	}
	r.Scores, r.Convergence, r.EpochLoss, r.Products = out.Scores, out.Convergence, out.EpochLoss, watch.Used
	r.Notes = append(r.Notes, out.Notes...)
	if c.Method.Once {
		return nil, nil
	}
	arrays = out.Arrays
	if r.Assignment != nil {
		arrays = append(arrays, npz.Vector(artifact.Assignment, out.Labels))
	}
	if err := r.Finite(); err != nil {
		return nil, err
	}
	return Describe(arrays, r, t)
}

// take sets the task's data set or stream, and the digest and notes of the record.
func (e *Env) take(ctx context.Context, t *method.Task, r *record.Record) error {
	if t.Cell.Method.Input == spec.InputStream {
		var err error
		if t.Stream, err = e.Data.Open(ctx, t.Cell); err != nil {
			return err
		}
		r.Digest, r.Notes = t.Stream.Digest, slices.Clone(t.Stream.Notes)
		return t.Cell.CheckData(r.Digest)
	}
	loaded, err := e.Data.Dataset(t.Cell)
	if err != nil {
		return err
	}
	t.Data, r.Digest, r.Notes = loaded.Full, loaded.Full.Digest, slices.Clone(loaded.Notes)
	if err := t.Cell.CheckData(r.Digest); err != nil {
		return err
	}
	if !t.Cell.Method.Once {
		t.Data, t.Proportions = loaded.Data, loaded.Proportions
		if loaded.Empty != "" {
			r.Notes = append(r.Notes, loaded.Empty)
		}
	}
	return nil
}

// Describe adds the method, the data set, the parameters and the features, so that the arrays can
// be used without the record.
func Describe(arrays []npz.Array, r *record.Record, t *method.Task) ([]npz.Array, error) {
	params, err := record.CanonicalJSON(map[string]any(t.Params))
	if err != nil {
		return nil, err
	}
	features, err := json.Marshal(t.Features)
	if err != nil {
		return nil, err
	}
	return append(arrays, npz.Scalar(artifact.Method, r.Method), npz.Scalar(artifact.Dataset, datasets.PaperName(r.Dataset)),
		npz.Scalar(artifact.Params, string(params)), npz.Scalar(artifact.Features, string(features))), nil
}

// Provenance returns the digest of this program's sources, and the revision that the build stamped
// into it (`go run` and -buildvcs=false stamp none). It is computed once.
var Provenance = sync.OnceValue(func() record.Provenance {
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
