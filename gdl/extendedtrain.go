package gdl

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"ogdl/internal/optim"
	"ogdl/internal/parallel"
	"ogdl/internal/vec"
	"ogdl/ot/gw"
)

// DefaultStepH is the default step size of node weights.
const DefaultStepH = 0.001

// ExtendedTrainSettings says how a dictionary with node weights is learned. A nil
// *ExtendedTrainSettings means the defaults, and so does a field that is zero.
type ExtendedTrainSettings struct {
	// TrainSettings as for Train.
	TrainSettings
	// StepH is the constant step size of the atoms' node weights, above 0. Default
	// 0.001.
	StepH float64
	// Mu >= 0 is the weight of -|v|^2 in every unmixing. Default 0.
	Mu float64
}

func (s *ExtendedTrainSettings) resolve() (ExtendedTrainSettings, error) {
	var r ExtendedTrainSettings
	if s != nil {
		r = *s
	}
	if r.StepH == 0 {
		r.StepH = DefaultStepH
	}
	if !(r.StepH > 0) || math.IsInf(r.StepH, 1) {
		return r, fmt.Errorf("gdl: step size %v of the node weights, expected a finite number > 0", r.StepH)
	}
	var err error
	r.TrainSettings, err = r.TrainSettings.resolve()
	return r, err
}

// ExtendedTraining is what learning a dictionary with node weights leaves.
type ExtendedTraining struct {
	Dictionary *ExtendedDictionary
	// BatchLoss, EpochLoss and Stats are as in Training; losses hold
	// - lambda |w|^2 - mu |v|^2.
	BatchLoss, EpochLoss []float64
	Stats                SolveStats
}

// TrainExtended learns a dictionary with node weights online, from a start that
// it leaves as it is (Extend makes one). It is Train with the extended unmixing:
// q in the gradients of structures and features is each graph's own ht(v), and
// node weights move against
//
//	grad h_s = (1 / B) sum_k v_s p^(k)
//
// where p^(k) are the centred potentials of the model's nodes in the linear
// problem of the whole gradient at the end of graph k's unmixing (the paper's
// proposition 3 prints half of them, which is another step size), with a step of
// their own, and then are projected on the simplex. A node may lose its weight in
// all atoms, and gain some again.
//
// Errors and what the result depends on are as for Train.
func TrainExtended(ctx context.Context, graphs []*gw.Space, init *ExtendedDictionary, set *ExtendedTrainSettings, rng *rand.Rand) (*ExtendedTraining, error) {
	opt, err := set.resolve()
	if err != nil {
		return nil, err
	}
	if err := init.Check(); err != nil {
		return nil, err
	}
	if err := checkTraining(ctx, graphs, rng, init.D); err != nil {
		return nil, err
	}
	d := init.Clone()
	l := newLearner(d.plain(), min(opt.Batch, len(graphs)), &opt.TrainSettings)
	if err := l.extend(d, &opt); err != nil {
		return nil, err
	}
	l.first = firsts(graphs)
	r := new(ExtendedTraining)
	r.BatchLoss, r.EpochLoss, err = l.learn(ctx, graphs, &opt.TrainSettings, rng, &r.Stats, func() { r.Dictionary = d.Clone() })
	if err != nil {
		return nil, err
	}
	return r, nil
}

// extend makes the workers and the updates those of a dictionary with node
// weights, whose atoms the learner shares.
func (l *learner) extend(d *ExtendedDictionary, opt *ExtendedTrainSettings) error {
	for k := range l.slots {
		l.slots[k].v, l.slots[k].potentials = make([]float64, d.S), make([]float64, d.N)
	}
	set := &ExtendedUnmixSettings{UnmixSettings: opt.Unmix, Mu: opt.Mu}
	for k := range l.workers {
		l.workers[k] = &extendedEmbedder{set: set}
	}
	optH := make([]optim.Optimizer, d.S)
	for s := range optH {
		optH[s] = opt.optimizer(d.N, opt.StepH)
	}
	l.also = func(s int, scratch []float64) {
		g := scratch[:d.N]
		l.weightGradient(g, s)
		optH[s].Step(d.H[s], g)
		optim.ProjectSimplex(d.H[s], g)
	}
	l.renew = func() error {
		m, err := newExtendedModel(d)
		if err != nil {
			return err
		}
		for _, w := range l.workers {
			if err := w.(*extendedEmbedder).x.use(m); err != nil {
				return err
			}
		}
		return nil
	}
	return l.renew()
}

// weightGradient is (1 / B) sum_k v_s times the potentials.
func (l *learner) weightGradient(g []float64, s int) {
	clear(g)
	for k := range l.slots {
		slot := &l.slots[k]
		if slot.v[s] != 0 {
			vec.Axpy(slot.v[s]/float64(len(l.slots)), slot.potentials, g)
		}
	}
}

type extendedEmbedder struct {
	x   ExtendedUnmixer
	set *ExtendedUnmixSettings
}

func (p *extendedEmbedder) embed(ctx context.Context, g *gw.Space, gap bool, k *slot) error {
	e, err := p.x.Unmix(ctx, g, p.set)
	if err != nil {
		return err
	}
	if certified := p.x.certify(k.potentials); gap {
		e.Gap = certified
	}
	k.e = e.Embedding
	copy(k.w, e.W)
	copy(k.v, e.V)
	p.x.won.u.residuals(k.structure, k.features)
	return nil
}

// Embed unmixes every graph on the given number of workers (below 1 counts as 1)
// and returns the embeddings in the order of the graphs, each owning its slices
// and with its Gap. Graphs are embedded independently of each other: the result
// does not depend on workers. Errors are as for Dictionary.Embed.
func (d *ExtendedDictionary) Embed(ctx context.Context, graphs []*gw.Space, set *ExtendedUnmixSettings, workers int) ([]ExtendedEmbedding, error) {
	m, err := newExtendedModel(d)
	if err != nil {
		return nil, err
	}
	if err := checkCall(ctx, graphs, d.D); err != nil {
		return nil, err
	}
	out := make([]ExtendedEmbedding, len(graphs))
	xs := make([]*ExtendedUnmixer, min(max(workers, 1), max(len(graphs), 1)))
	for i := range xs {
		xs[i] = new(ExtendedUnmixer)
		if err := xs[i].use(m); err != nil {
			return nil, err
		}
	}
	first := firsts(graphs)
	todo := distinct(first)
	err = parallel.Each(len(xs), len(todo), func(worker, i int) error {
		x, k := xs[worker], todo[i]
		e, err := x.Unmix(ctx, graphs[k], set)
		if err != nil {
			return fmt.Errorf("graph %d: %w", k, err)
		}
		e.Gap = x.certify(nil)
		out[k] = e.Clone()
		return nil
	})
	if err != nil {
		return nil, err
	}
	for k, f := range first {
		if f != k {
			out[k] = out[f].Clone()
		}
	}
	return out, nil
}

// Clone returns an embedding that owns its slices.
func (e ExtendedEmbedding) Clone() ExtendedEmbedding {
	e.Embedding = e.Embedding.clone()
	e.V, e.H = append([]float64(nil), e.V...), append([]float64(nil), e.H...)
	return e
}
