package gdl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"ogdl/internal/initial"
	"ogdl/internal/parallel"
	"ogdl/ot/gw"
)

// maxBatch bounds what a learner from a stream makes room for.
const maxBatch = 1 << 20

// DefaultMeanOver is the default number of steps of a running mean.
const DefaultMeanOver = 1000

// Source is a stream of graphs.
type Source interface {
	// Next returns the next graph, or io.EOF at the end of the stream. The graph
	// is not looked at after the step that it belongs to.
	Next(ctx context.Context) (*gw.Space, error)
}

// SourceFunc is a function as a Source.
type SourceFunc func(ctx context.Context) (*gw.Space, error)

// Next calls f.
func (f SourceFunc) Next(ctx context.Context) (*gw.Space, error) { return f(ctx) }

// Skip reads n graphs from a source and drops them. To resume a stream that always begins at its
// start, call Skip(ctx, src, o.Graphs()) after reading the checkpoint. The error is the source's,
// io.ErrUnexpectedEOF where it ends first.
func Skip(ctx context.Context, src Source, n int64) error {
	if err := checkSource(ctx, src); err != nil {
		return err
	}
	if n < 0 {
		return fmt.Errorf("gdl: %d graphs to skip, expected a number >= 0", n)
	}
	for k := range n {
		if _, err := src.Next(ctx); err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return fmt.Errorf("gdl: graph %d (from 0) of the stream: %w", k, err)
		}
	}
	return nil
}

// HeldOut is a sample of graphs that is not learned from.
type HeldOut struct {
	Name   string
	Graphs []*gw.Space // at least one
}

// OnlineSettings says how a dictionary is learned from a stream. A nil
// *OnlineSettings means the defaults, and so does a field that is zero.
type OnlineSettings struct {
	// Batch is the number of graphs of a step. Default 1.
	Batch int
	// StepC and StepA are the constant step sizes of structures and features,
	// above 0. Default 0.01 both.
	StepC, StepA float64
	// StepH is the step of node weights, where atoms have their own. Default 0.001.
	StepH float64
	// Optimizer is SGD (default) or Adam.
	Optimizer Optimizer
	// Adam's settings, taken as they are; nil means DefaultAdam.
	Adam *AdamSettings
	// NonNegative keeps structures entrywise non-negative; symmetric they always
	// are. Default false.
	NonNegative bool
	// Workers unmix a batch, or held-out graphs, together; nothing depends on their
	// number. 0 counts as 1.
	Workers int
	// Unmix are the settings of every unmixing.
	Unmix UnmixSettings

	// MeanOver >= 1 is the length of the running mean: m = m + (loss - m) / k at
	// step k, and with k = MeanOver from then on. Default 1000.
	MeanOver int
	// Detector, where it is not nil, watches the steps' losses for changes.
	Detector *ChangePointSettings

	// OnEvent is called with each event, in order, by the goroutine that calls Step or Run. It may
	// call only accessors of the learner. nil: no events, and no held-out losses are computed.
	OnEvent func(Event)
	// Every is the number of steps between events of kind StepLoss. Default 1.
	Every int
	// HeldOut are samples whose losses are taken before the first step and after
	// every HeldOutEvery steps. HeldOutEvery is required with them.
	HeldOut      []HeldOut
	HeldOutEvery int
}

func (s *OnlineSettings) resolve() (OnlineSettings, error) {
	r := *cmp.Or(s, &OnlineSettings{})
	if r.MeanOver < 0 || r.Every < 0 || r.HeldOutEvery < 0 {
		return r, fmt.Errorf("gdl: a mean over %d steps, events every %d, held-out losses every %d: expected numbers >= 1, or 0 for the default",
			r.MeanOver, r.Every, r.HeldOutEvery)
	}
	r.MeanOver = cmp.Or(r.MeanOver, DefaultMeanOver)
	r.Every = max(r.Every, 1)
	if r.Batch > maxBatch {
		return r, fmt.Errorf("gdl: batch %d, expected at most %d", r.Batch, maxBatch)
	}
	if len(r.HeldOut) > 0 && r.HeldOutEvery == 0 {
		return r, fmt.Errorf("gdl: %d held-out samples and no HeldOutEvery, expected a number of steps >= 1", len(r.HeldOut))
	}
	r.HeldOut = slices.Clone(r.HeldOut) // of the caller, who may change it
	for k, h := range r.HeldOut {
		if len(h.Graphs) == 0 {
			return r, fmt.Errorf("gdl: held-out sample %d (%q) has no graphs", k, h.Name)
		}
		r.HeldOut[k].Graphs = slices.Clone(h.Graphs)
	}
	r.Unmix.Starts = slices.Clone(r.Unmix.Starts)
	r.Batch = cmp.Or(r.Batch, 1)
	r.Optimizer = cmp.Or(r.Optimizer, SGD)
	t := r.train()
	t, err := t.resolve()
	if err != nil {
		return r, err
	}
	r.StepC, r.StepA, r.StepH, r.Adam, r.Workers, r.Unmix = t.StepC, t.StepA, t.StepH, t.Adam, t.Workers, t.Unmix
	if r.Detector != nil {
		d, err := r.Detector.resolve()
		if err != nil {
			return r, err
		}
		r.Detector = &d
	}
	return r, nil
}

// train returns the settings that a step shares with Train.
func (s *OnlineSettings) train() TrainSettings {
	return TrainSettings{
		Batch: s.Batch, StepC: s.StepC, StepA: s.StepA, StepH: s.StepH, Optimizer: s.Optimizer, Adam: s.Adam,
		NonNegative: s.NonNegative, Workers: s.Workers, Unmix: s.Unmix,
	}
}

// EventKind says what an Event is about.
type EventKind string

// Kinds of events.
const (
	// StepLoss: steps were made.
	StepLoss EventKind = "loss"
	// HeldOutLoss: a held-out sample was embedded in the current dictionary.
	HeldOutLoss EventKind = "held_out"
	// ChangePoint: the detector raised an alarm at this step.
	ChangePoint EventKind = "change"
)

// Event reports losses or an alarm while learning from a stream. It is plain data, comparable by
// ==.
type Event struct {
	Kind EventKind
	// Step is the number of steps made, Graphs the number of graphs learned from.
	Step, Graphs int64
	// Loss is a mean reconstruction error (the objective without its penalties):
	// of a StepLoss over the steps since the last one, each at the dictionary
	// before its update; of a HeldOutLoss over the sample; of a ChangePoint at
	// the step.
	Loss float64
	// Mean is the running mean of the steps' losses, 0 for a HeldOutLoss.
	Mean float64
	// Sample is the name of the held-out sample.
	Sample string
	// Onset is the step at which the change is estimated to have come, so that
	// Step - Onset estimates the detector's delay, and Statistic how far above its
	// threshold the detector was; Down that losses have fallen. See Change.
	Onset     int64
	Statistic float64
	Down      bool
}

// Online learns a dictionary from a stream of any length (algorithm 2 of the paper,
// as its section on streams uses it): a step takes the next batch of graphs,
// unmixes each and moves the atoms against the gradients that Train documents.
// Its memory does not grow with the stream. It must not be used by two
// goroutines at once.
//
// The result is a function of the start, the settings and the graphs in their order. The number of
// workers has no effect, and neither have stops with a checkpoint between steps.
type Online struct {
	set     OnlineSettings
	l       *learner
	all     []slot // l.slots, whole
	index   []int
	pending []*gw.Space // drawn from the source, not yet learned from
	held    []float64   // losses of one held-out sample
	losses  []float64   // of the samples
	err     error       // that nothing can follow

	// The counters of a checkpoint, and the detector.
	steps, graphs int64
	mean          float64
	sum           float64 // of the losses since the last event
	summed        int64
	due           bool // held-out losses are due before the next step
	stats         SolveStats
	detector      *ChangePointDetector // or nil
}

// NewOnline begins with a dictionary, which it leaves as it is. Settings out of
// range and a dictionary that Check rejects are errors.
func NewOnline(init *Dictionary, set *OnlineSettings) (*Online, error) {
	opt, err := set.resolve()
	if err != nil {
		return nil, err
	}
	if err := init.Check(); err != nil {
		return nil, err
	}
	o := &Online{set: opt}
	most := 0
	for k, h := range opt.HeldOut {
		most = max(most, len(h.Graphs))
		for i, g := range h.Graphs {
			if err := initial.Check(g, init.D, "the dictionary's"); err != nil {
				return nil, fmt.Errorf("gdl: graph %d of held-out sample %d (%q) %w", i, k, h.Name, err)
			}
		}
	}
	train := opt.train()
	if o.l, err = newLearner(init, max(opt.Batch, min(opt.Workers, most)), &train); err != nil {
		return nil, err
	}
	o.all = o.l.slots[:opt.Batch]
	for i := range o.all {
		o.index = append(o.index, i)
	}
	o.pending = make([]*gw.Space, 0, opt.Batch)
	o.held, o.losses = make([]float64, most), make([]float64, len(opt.HeldOut))
	o.due = len(opt.HeldOut) > 0
	if opt.Detector != nil {
		if o.detector, err = NewChangePointDetector(opt.Detector); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// Steps returns the number of steps made.
func (o *Online) Steps() int64 { return o.steps }

// Graphs returns the number of graphs learned from. After a checkpoint the stream must continue
// there (see Skip).
func (o *Online) Graphs() int64 { return o.graphs }

// Mean returns the running mean of the steps' losses, 0 before the first.
func (o *Online) Mean() float64 { return o.mean }

// Stats counts the unmixings of all steps. Gaps are not computed.
func (o *Online) Stats() SolveStats { return o.stats }

// Dictionary returns a copy of the current dictionary, nil where the learner has none.
func (o *Online) Dictionary() *Dictionary {
	if o == nil || o.l == nil {
		return nil
	}
	return o.l.d.Clone()
}

// Run makes steps with the graphs of the source until the source ends (io.EOF, which is not an
// error here) or limit steps are made. A limit of 0 means no limit; a negative limit is an error.
// Run returns the number of steps, which is below the limit if the stream has ended. Run also
// learns from a last batch that is not full.
//
// Errors come from the source and from Step. If Run returns an error, graphs that were drawn but
// not yet learned from are kept for the next call, except a graph that is nil or has features of
// another dimension.
func (o *Online) Run(ctx context.Context, src Source, limit int64) (int64, error) {
	if err := checkSource(ctx, src); err != nil {
		return 0, err
	}
	switch {
	case o == nil || o.l == nil:
		return 0, errNoLearner
	case limit < 0:
		return 0, fmt.Errorf("gdl: a limit of %d steps, expected a number >= 1, or 0 for none", limit)
	}
	for done := int64(0); ; done++ {
		if limit > 0 && done >= limit {
			return done, nil
		}
		for len(o.pending) < o.set.Batch {
			g, err := src.Next(ctx)
			if errors.Is(err, io.EOF) {
				break
			}
			if err == nil {
				if bad := initial.Check(g, o.l.d.D, "the dictionary's"); bad != nil {
					err = fmt.Errorf("the graph %w", bad)
				}
			}
			if err != nil {
				return done, fmt.Errorf("gdl: graph %d (from 0) of the stream: %w", o.graphs+int64(len(o.pending)), err)
			}
			o.pending = append(o.pending, g)
		}
		if len(o.pending) == 0 {
			return done, o.flush(ctx)
		}
		if _, err := o.step(ctx, o.pending); err != nil {
			return done, err
		}
		clear(o.pending)
		o.pending = o.pending[:0]
		if err := o.flush(ctx); err != nil {
			return done + 1, err
		}
	}
}

// Step learns from one batch of 1 to Batch graphs and returns their mean loss, as in
// Event.
//
// More graphs, or none, are an error, as are a graph that is nil or whose feature dimension is not
// the dictionary's, a nil context, and the end of the context: nothing has changed then, unless
// held-out losses were due after the step; the next call computes them. Atoms that are no longer
// finite (the step is too large) are an error that every later call returns.
//
// The cost is the unmixings' and O(S^2 N (N + D)).
func (o *Online) Step(ctx context.Context, graphs []*gw.Space) (float64, error) {
	loss, err := o.step(ctx, graphs)
	if err != nil {
		return 0, err
	}
	return loss, o.flush(ctx)
}

func (o *Online) step(ctx context.Context, graphs []*gw.Space) (float64, error) {
	switch {
	case o == nil || o.l == nil:
		return 0, errNoLearner
	case ctx == nil:
		return 0, errNoContext
	case len(graphs) == 0 || len(graphs) > o.set.Batch:
		return 0, fmt.Errorf("gdl: a step with %d graphs, expected 1 to %d", len(graphs), o.set.Batch)
	}
	if err := o.flush(ctx); err != nil {
		return 0, err
	}
	o.l.slots = o.all[:len(graphs)]
	if err := o.l.embed(ctx, graphs, o.index[:len(graphs)], false); err != nil {
		return 0, fmt.Errorf("gdl: step %d: %w", o.steps+1, err)
	}
	loss := 0.0
	for k := range o.l.slots {
		loss += o.l.slots[k].e.Reconstruction
	}
	loss /= float64(len(graphs))
	if err := o.l.move(o.set.NonNegative); err != nil {
		o.err = fmt.Errorf("gdl: step %d: %w", o.steps+1, err)
		return 0, o.err
	}
	for k := range o.l.slots {
		o.stats.Add(&o.l.slots[k].e)
	}
	o.count(loss, len(graphs))
	return loss, nil
}

// count takes the loss of a step that is made and reports it.
func (o *Online) count(loss float64, graphs int) {
	o.steps++
	o.graphs += int64(graphs)
	o.mean += (loss - o.mean) / float64(min(o.steps, int64(o.set.MeanOver)))
	o.sum += loss
	o.summed++
	o.due = len(o.set.HeldOut) > 0 && o.steps%int64(o.set.HeldOutEvery) == 0
	since := o.sum / float64(o.summed)
	report := o.steps%int64(o.set.Every) == 0
	if report {
		o.sum, o.summed = 0, 0
	}
	var change Change
	changed := false
	if o.detector != nil {
		change, changed = o.detector.Add(loss)
	}
	if o.set.OnEvent == nil {
		return
	}
	e := Event{Kind: StepLoss, Step: o.steps, Graphs: o.graphs, Loss: since, Mean: o.mean}
	if report {
		o.set.OnEvent(e)
	}
	if changed {
		e.Kind, e.Loss, e.Onset, e.Statistic, e.Down = ChangePoint, loss, change.Onset, change.Statistic, change.Down
		o.set.OnEvent(e)
	}
}

// LookAtHeldOut computes the held-out losses now, due or not, and reports them to OnEvent.
func (o *Online) LookAtHeldOut(ctx context.Context) error {
	if o == nil || o.l == nil {
		return errNoLearner
	}
	if ctx == nil {
		return errNoContext
	}
	o.due = len(o.set.HeldOut) > 0
	return o.flush(ctx)
}

// flush takes the held-out losses that are due, and returns what bars a next step.
func (o *Online) flush(ctx context.Context) error {
	if o.err != nil || !o.due {
		return o.err
	}
	samples := o.set.HeldOut
	if o.set.OnEvent == nil {
		samples = nil
	}
	for k, h := range samples {
		loss, err := o.heldOut(ctx, h.Graphs)
		if err != nil {
			return fmt.Errorf("gdl: step %d: held-out sample %q: %w", o.steps, h.Name, err)
		}
		o.losses[k] = loss
	}
	o.due = false
	for k, h := range samples {
		o.set.OnEvent(Event{Kind: HeldOutLoss, Step: o.steps, Graphs: o.graphs, Loss: o.losses[k], Sample: h.Name})
	}
	return nil
}

// heldOut returns the mean reconstruction error of graphs.
func (o *Online) heldOut(ctx context.Context, graphs []*gw.Space) (float64, error) {
	err := parallel.Each(len(o.l.workers), len(graphs), func(worker, k int) error {
		e, err := o.l.workers[worker].Unmix(ctx, graphs[k], &o.set.Unmix)
		if err != nil {
			return fmt.Errorf("graph %d: %w", k, err)
		}
		o.held[k] = e.Reconstruction
		return nil
	})
	if err != nil {
		return math.NaN(), err
	}
	sum := 0.0
	for k := range graphs {
		sum += o.held[k]
	}
	return sum / float64(len(graphs)), nil
}
