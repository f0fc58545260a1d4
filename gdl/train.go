package gdl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"ogdl/internal/optim"
	"ogdl/internal/parallel"
	"ogdl/internal/vec"
	"ogdl/ot/gw"
)

// Optimizer names the rule of the atoms' steps.
type Optimizer string

// Optimizers.
const (
	Adam Optimizer = "adam"
	SGD  Optimizer = "sgd"
)

// Keep names the dictionary that training returns.
type Keep string

// Dictionaries to keep.
const (
	KeepLast Keep = "last" // the last one
	KeepBest Keep = "best" // the one at the end of the epoch with the lowest EpochLoss
)

// Defaults of TrainSettings.
const (
	DefaultEpochs = 20
	DefaultBatch  = 16
	DefaultStep   = 0.01
	DefaultStepH  = 0.001
)

// AdamSettings are Adam's decay rates, in [0, 1), and the epsilon >= 0 that is
// added outside the root.
type AdamSettings struct{ Beta1, Beta2, Epsilon float64 }

// DefaultAdam returns the settings of the reference code: 0.9, 0.99, 1e-15.
func DefaultAdam() AdamSettings {
	return AdamSettings{Beta1: optim.DefaultBeta1, Beta2: optim.DefaultBeta2, Epsilon: optim.DefaultEpsilon}
}

// TrainSettings says how a dictionary is learned. A nil *TrainSettings means the
// defaults, and so does a field that is zero.
type TrainSettings struct {
	// Epochs of ceil(K / Batch) batches for K graphs. Default 20.
	Epochs int
	// Batch is the number of graphs in a batch, drawn without replacement inside
	// it and independently of other batches; K where K is smaller. Default 16.
	Batch int
	// StepC and StepA are the constant step sizes of structures and features,
	// above 0. Default 0.01 both.
	StepC, StepA float64
	// StepH is the step of node weights, where atoms have their own. Default 0.001.
	StepH float64
	// Optimizer is Adam (default) or SGD.
	Optimizer Optimizer
	// Adam's settings, taken as they are; nil means DefaultAdam.
	Adam *AdamSettings
	// NonNegative keeps structures entrywise non-negative; symmetric they always
	// are. Default false.
	NonNegative bool
	// Keep selects the returned dictionary: KeepLast (default) or KeepBest.
	Keep Keep
	// Workers unmix a batch together; the result does not depend on their number. 0
	// counts as 1.
	Workers int
	// Unmix are the settings of every unmixing.
	Unmix UnmixSettings
	// OnEpoch is called at the end of every epoch with the epoch, from 1, and its mean loss. nil:
	// no call.
	OnEpoch func(epoch int, loss float64)
}

func (s *TrainSettings) resolve() (TrainSettings, error) {
	r := *cmp.Or(s, &TrainSettings{})
	if r.Epochs < 0 || r.Batch < 0 {
		return r, fmt.Errorf("gdl: Epochs is %d, Batch %d: expected numbers >= 1, or 0 for the default", r.Epochs, r.Batch)
	}
	r.Epochs = cmp.Or(r.Epochs, DefaultEpochs)
	r.Batch = cmp.Or(r.Batch, DefaultBatch)
	var err error
	if r.Workers, err = parallel.Workers(r.Workers); err != nil {
		return r, fmt.Errorf("gdl: %w", err)
	}
	for _, step := range []struct {
		name      string
		size      *float64
		otherwise float64
	}{{"StepC", &r.StepC, DefaultStep}, {"StepA", &r.StepA, DefaultStep}, {"StepH", &r.StepH, DefaultStepH}} {
		*step.size = cmp.Or(*step.size, step.otherwise)
		if !(*step.size > 0) || math.IsInf(*step.size, 1) {
			return r, fmt.Errorf("gdl: %s is %v, expected a finite number > 0", step.name, *step.size)
		}
	}
	r.Optimizer = cmp.Or(r.Optimizer, Adam)
	if r.Optimizer != Adam && r.Optimizer != SGD {
		return r, fmt.Errorf("gdl: unknown optimizer %q, expected %q or %q", r.Optimizer, Adam, SGD)
	}
	r.Keep = cmp.Or(r.Keep, KeepLast)
	if r.Keep != KeepLast && r.Keep != KeepBest {
		return r, fmt.Errorf("gdl: unknown dictionary to keep %q, expected %q or %q", r.Keep, KeepLast, KeepBest)
	}
	adam := DefaultAdam()
	adam = *cmp.Or(r.Adam, &adam) // of the caller, who may change it
	r.Adam = &adam
	if a := r.Adam; !(a.Beta1 >= 0 && a.Beta1 < 1 && a.Beta2 >= 0 && a.Beta2 < 1) || !(a.Epsilon >= 0) || math.IsInf(a.Epsilon, 1) {
		return r, fmt.Errorf("gdl: Adam with %+v, expected decay rates in [0, 1) and a finite epsilon >= 0", *r.Adam)
	}
	r.Unmix, err = r.Unmix.resolve()
	return r, err
}

// Training is the result of learning a dictionary.
type Training struct {
	Dictionary *Dictionary
	// BatchLoss is the mean objective (with - lambda |w|^2) over every batch, at
	// the dictionary before its update; EpochLoss the mean of an epoch's batches.
	BatchLoss, EpochLoss []float64
	// Stats counts all unmixings; its MaxGap is taken over the last epoch, 0 if the context ended before.
	Stats SolveStats
	// Notes says how Learn cut or padded graphs to make atoms of them. Train leaves it nil.
	Notes []string
}

// Train learns a dictionary online (algorithm 2 of the paper), from a start that
// it leaves as it is. For every batch of B graphs it unmixes each graph and moves
// the atoms against the gradients at the couplings T and weights w found,
//
//	grad C_s = (2 alpha / B)       sum_k w_s (Ct(w) o qq' - T'CT)
//	grad A_s = (2 (1 - alpha) / B) sum_k w_s (diag(q) At(w) - T'A)
//
// and then projects structures on symmetric (where asked, non-negative) matrices.
// Where atoms have node weights of their own (see Extend) q is each graph's own ht(v),
// and these weights move against
//
//	grad h_s = (1 / B) sum_k v_s p^(k)
//
// where p^(k) are the centred potentials of the model's nodes in the linear
// problem of the whole gradient at the end of graph k's unmixing (the paper's
// proposition 3 prints half of them, which is another step size), and then are projected on
// the simplex. A node may lose its weight in all atoms, and gain some again.
//
// Couplings and weights are found afresh every time: nothing is carried between
// batches but the atoms and the optimizer's moments.
//
// The result is a function of the arguments and of rng's state, not of
// set.Workers. Settings out of range, a start that Check rejects, no graphs, a graph
// that is nil or does not fit the dictionary, a nil context or rng, and atoms that
// leave the finite numbers (too large a step) are errors. When the context ends its
// error is returned, with the training so far (its dictionary is the last one until an epoch has ended).
func Train(ctx context.Context, graphs []*gw.Space, init *Dictionary, set *TrainSettings, rng *rand.Rand) (*Training, error) {
	opt, err := set.resolve()
	if err != nil {
		return nil, err
	}
	if err := init.Check(); err != nil {
		return nil, err
	}
	if rng == nil {
		return nil, errNoRand
	}
	if len(graphs) == 0 {
		return nil, errNoGraphs
	}
	if err := checkCall(ctx, graphs, init.D); err != nil {
		return nil, err
	}
	l, err := newLearner(init, min(opt.Batch, len(graphs)), &opt)
	if err != nil {
		return nil, err
	}
	l.first = firsts(graphs)
	return l.learn(ctx, graphs, &opt, rng)
}

// learn runs the epochs.
func (l *learner) learn(ctx context.Context, graphs []*gw.Space, opt *TrainSettings, rng *rand.Rand) (*Training, error) {
	r := new(Training)
	batch := len(l.slots)
	perEpoch := (len(graphs) + batch - 1) / batch
	index := make([]int, len(graphs))
	for i := range index {
		index[i] = i
	}
	best := math.Inf(1)
	for epoch := range opt.Epochs {
		sum := 0.0
		for b := range perEpoch {
			for i := range batch { // the head of a Fisher-Yates shuffle
				j := i + rng.IntN(len(index)-i)
				index[i], index[j] = index[j], index[i]
			}
			loss, err := l.batch(ctx, graphs, index[:batch], opt, epoch == opt.Epochs-1, &r.Stats)
			if err != nil {
				err = fmt.Errorf("gdl: epoch %d, batch %d: %w", epoch+1, b+1, err)
				if !errors.Is(err, ctx.Err()) {
					return nil, err
				}
				r.Dictionary = cmp.Or(r.Dictionary, l.d)
				return r, err
			}
			r.BatchLoss = append(r.BatchLoss, loss)
			sum += loss
		}
		loss := sum / float64(perEpoch)
		r.EpochLoss = append(r.EpochLoss, loss)
		if opt.OnEpoch != nil {
			opt.OnEpoch(epoch+1, loss)
		}
		if opt.Keep == KeepBest && loss < best {
			best, r.Dictionary = loss, l.d.Clone()
		}
	}
	r.Dictionary = cmp.Or(r.Dictionary, l.d)
	return r, nil
}

// learner is the state of training: the atoms, their optimizers and the workspace of a batch.
type learner struct {
	d       *Dictionary
	workers []Unmixer
	unmix   UnmixSettings
	slots   []slot // one per graph of a batch
	optC    []optim.Optimizer
	optA    []optim.Optimizer
	optH    []optim.Optimizer // nil where atoms share node weights
	grad    [][]float64       // per worker

	// Equal graphs of a batch are unmixed once: first has the first equal of each graph, or is nil
	// (streams); todo are the places in the batch to unmix, at is the place of the first of equals.
	first, todo []int
	at          map[int]int

	model   *model
	changed []bool // scratch
}

// slot is what one graph of a batch contributes.
type slot struct {
	w         []float64
	structure []float64 // Ct(w) o qq' - T'CT
	features  []float64 // diag(q) At(w) - T'A
	e         Embedding // its views are not to be used

	v, potentials []float64 // where atoms have node weights of their own
}

// newLearner begins with a dictionary, which is checked and copied.
func newLearner(init *Dictionary, batch int, opt *TrainSettings) (*learner, error) {
	if err := checkMu(opt.Unmix.Mu, init.H != nil); err != nil {
		return nil, err
	}
	d := init.Clone()
	m, err := newModel(d)
	if err != nil {
		return nil, err
	}
	l := &learner{d: d, model: m, changed: make([]bool, d.S), unmix: opt.Unmix, at: make(map[int]int, batch),
		slots: make([]slot, batch), workers: make([]Unmixer, min(opt.Workers, max(batch, d.S)))}
	for k := range l.slots {
		l.slots[k] = slot{
			w:         make([]float64, d.S),
			structure: make([]float64, d.N*d.N),
			features:  make([]float64, d.N*d.D),
		}
		if d.H != nil {
			l.slots[k].v, l.slots[k].potentials = make([]float64, d.S), make([]float64, d.N)
		}
	}
	for range l.workers {
		l.grad = append(l.grad, make([]float64, d.N*max(d.N, d.D)))
	}
	for range d.S {
		l.optC = append(l.optC, opt.optimizer(d.N*d.N, opt.StepC))
		l.optA = append(l.optA, opt.optimizer(d.N*d.D, opt.StepA))
		if d.H != nil {
			l.optH = append(l.optH, opt.optimizer(d.N, opt.StepH))
		}
	}
	l.share()
	return l, nil
}

// optimizer returns a fresh one for n entries; the settings are resolved.
func (s *TrainSettings) optimizer(n int, step float64) optim.Optimizer {
	if s.Optimizer == SGD {
		return optim.SGD{Rate: step}
	}
	return optim.NewAdam(n, step, s.Adam.Beta1, s.Adam.Beta2, s.Adam.Epsilon)
}

// share hands the model to the workers.
func (l *learner) share() {
	for k := range l.workers {
		l.workers[k].use(l.model)
	}
}

// unmix fills the slot of a graph.
func (u *Unmixer) unmix(ctx context.Context, g *gw.Space, set *UnmixSettings, gap bool, k *slot) error {
	e, err := u.Unmix(ctx, g, set)
	if err != nil {
		return err
	}
	if u.model.h != nil {
		if certified := u.certify(k.potentials); gap {
			e.Gap = certified
		}
	} else if gap {
		e.Gap = u.Gap(g)
	}
	k.e = e
	copy(k.w, e.W)
	copy(k.v, e.V)
	u.won.residuals(k.structure, k.features)
	return nil
}

// batch unmixes the graphs at index, updates the atoms and returns the mean loss.
func (l *learner) batch(ctx context.Context, graphs []*gw.Space, index []int, opt *TrainSettings, gap bool, stats *SolveStats) (float64, error) {
	if err := l.embed(ctx, graphs, index, gap); err != nil {
		return 0, err
	}
	loss := 0.0
	for k := range l.slots {
		loss += l.slots[k].e.Objective
		stats.Add(&l.slots[k].e)
	}
	loss /= float64(len(l.slots))
	return loss, l.move(opt.NonNegative)
}

// move updates the atoms from the slots.
func (l *learner) move(nonNegative bool) error {
	err := parallel.Each(len(l.workers), l.d.S, func(worker, s int) error {
		l.update(s, l.grad[worker], nonNegative)
		return nil
	})
	if err != nil {
		return err
	}
	if err := l.model.update(l.d, l.changed); err != nil {
		return fmt.Errorf("the atoms after the update (is the step too large?): %w", err)
	}
	l.share()
	return nil
}

// residuals writes the brackets of the atoms' gradients at the state of the last
// round: Ct o qq' - T'CT (N x N) and diag(q) At - T'A (N x D).
func (u *descent) residuals(structure, features []float64) {
	d := &u.model.d
	c, ld := u.target.C()
	q := u.target.P()
	for k, qk := range q {
		row := u.tct[u.model.row[k]:]
		for l := k; l < d.N; l++ {
			v := float64(c[k*ld+l]*float64(qk*q[l])) - row[l]
			structure[k*d.N+l], structure[l*d.N+k] = v, v
		}
	}
	a := u.target.A()
	for i := range features {
		features[i] = float64(q[i/d.D]*a[i]) - u.ta[i]
	}
}

// update moves atom s against its gradient and projects it.
func (l *learner) update(s int, scratch []float64, nonNegative bool) {
	d := l.d
	g := scratch[:d.N*d.N]
	l.gradient(g, s, d.Alpha, func(k *slot) []float64 { return k.structure })
	l.optC[s].Step(d.C[s], g)
	optim.ProjectSymmetric(d.C[s], d.N, nonNegative)
	if d.D > 0 {
		g = scratch[:d.N*d.D]
		l.gradient(g, s, 1-d.Alpha, func(k *slot) []float64 { return k.features })
		l.optA[s].Step(d.A[s], g)
	}
	if d.H != nil {
		g = scratch[:d.N]
		l.weightGradient(g, s)
		l.optH[s].Step(d.H[s], g)
		optim.ProjectSimplex(d.H[s], g)
	}
}

// gradient sets g to (2 share / B) sum_k w_s times a bracket.
func (l *learner) gradient(g []float64, s int, share float64, bracket func(*slot) []float64) {
	clear(g)
	f := 2 * share / float64(len(l.slots))
	for k := range l.slots {
		slot := &l.slots[k]
		if slot.w[s] != 0 {
			vec.Axpy(f*slot.w[s], bracket(slot), g)
		}
	}
}

// weightGradient sets g to (1 / B) sum_k v_s times the potentials.
func (l *learner) weightGradient(g []float64, s int) {
	clear(g)
	for k := range l.slots {
		slot := &l.slots[k]
		if slot.v[s] != 0 {
			vec.Axpy(slot.v[s]/float64(len(l.slots)), slot.potentials, g)
		}
	}
}
