package gwf

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"ogdl/internal/optim"
	"ogdl/internal/parallel"
	"ogdl/internal/vec"
	"ogdl/ot/gw"
)

// Train learns atoms and the weights of every graph together, from a start that it leaves as it is.
// The free parameters z start from N(0, 1). For every graph of a batch it finds the couplings with
// the atoms; then Adam moves weights (Settings.ZAdam) and atoms against the gradients of the mean
// loss at the couplings found (res = B - C and f - a, see the package's comment):
//
//	grad C_k = (2 alpha / batch)       sum w_k T_k' (B - C) T_k
//	grad A_k = (2 (1 - alpha) / batch) sum w_k T_k' (f - a)
//	grad z_k = w_k (g_k - <w, g>),     g = 2 (Gw - c)
//
// Structures stay symmetric and non-negative. With ReLU the gradient passes entries at zero: an
// entry is clipped after its step. So a clipped entry grows again when the loss favours it. Under C
// = max(x, 0) it would have no gradient and stay at zero. With Sigmoid the entries are scale *
// sigmoid(x), where scale is the largest entry of the start's structures, which are first moved
// into 2 .. 98 % of it.
//
// With set.Supervision the loss has the cross-entropy of a classifier of z, whose gradient joins
// grad z; Adam moves the classifier with every batch.
//
// The result is a function of the arguments and of rng's state, not of set.Workers. Settings out of
// range, a start that Check rejects, no graphs, a graph that is nil or does not fit the model, a
// nil context or rng, and atoms that leave the finite numbers (too large a step) are errors; when
// the context ends its error is returned.
func Train(ctx context.Context, graphs []*gw.Space, init *Model, set *Settings, rng *rand.Rand) (*Training, error) {
	opt, err := set.resolve()
	if err != nil {
		return nil, err
	}
	if err := init.Check(); err != nil {
		return nil, err
	}
	switch {
	case rng == nil:
		return nil, errNoRand
	case len(graphs) == 0:
		return nil, errNoGraphs
	}
	if err := checkCall(ctx, graphs, init.D); err != nil {
		return nil, err
	}
	l, err := newLearner(graphs, init, &opt, rng)
	if err != nil {
		return nil, err
	}
	perEpoch := (len(graphs) + opt.Batch - 1) / opt.Batch
	r := &Training{
		BatchLoss: make([]float64, 0, perEpoch*opt.Epochs),
		EpochLoss: make([]float64, 0, opt.Epochs),
	}
	best := math.Inf(1)
	for epoch := range opt.Epochs {
		order := rng.Perm(len(graphs))
		sum := 0.0
		for b := 0; b < len(order); b += opt.Batch {
			index := order[b:min(b+opt.Batch, len(order))]
			loss, err := l.batch(ctx, index)
			if err != nil {
				return nil, fmt.Errorf("gwf: epoch %d, batch %d: %w", epoch+1, b/opt.Batch+1, err)
			}
			r.BatchLoss = append(r.BatchLoss, loss/float64(len(index)))
			sum += loss
		}
		loss := sum / float64(len(graphs))
		r.EpochLoss = append(r.EpochLoss, loss)
		better := loss < best
		var predicted []int
		if l.class != nil {
			var right int
			predicted, right = l.class.predict(l.z, init.K())
			better = epoch == 0 || right >= slices.Max(r.Right)
			r.Right = append(r.Right, right)
		}
		if opt.Keep == KeepLast || better {
			best, r.Epoch, r.Predicted = loss, epoch, predicted
			r.Model = l.m.Clone()
			r.Z = append(r.Z[:0], l.z...)
		}
	}
	r.Stats = l.stats
	r.W = make([]float64, len(r.Z))
	K := init.K()
	for i := range graphs {
		softmax(r.Z[i*K:(i+1)*K], r.W[i*K:(i+1)*K])
	}
	return r, nil
}

// learner is a factorization on its way: the atoms, the free weights, their
// optimizers, and the room in which a batch is worked off.
type learner struct {
	graphs []*gw.Space
	opt    *Settings
	m      *Model
	x      [][]float64 // with Sigmoid, the parameters of the structures
	scale  float64     // with Sigmoid, the supremum of the entries
	z      []float64   // n x K

	optC, optA []*optim.Adam
	optZ       []*optim.Adam // per graph, with ZAdam = Visited
	dense      *optim.Adam   // of all z, with ZAdam = Dense
	gz         []float64     // its gradient
	class      *classifier   // nil without Supervision
	warm       [][][]float32 // per graph and atom; nil of each graph without Warm

	fits  []fit // per worker
	slots []slot
	grad  [][]float64 // per worker
	stats Stats
}

// slot is what one graph of a batch contributes.
type slot struct {
	w, half, dz []float64
	class       []float64   // gradient of the cross-entropy in z; nil without
	c, a        [][]float64 // gradients of the atoms
	loss        float64
	stats       Stats
}

func newLearner(graphs []*gw.Space, init *Model, opt *Settings, rng *rand.Rand) (*learner, error) {
	l := &learner{graphs: graphs, opt: opt, m: init.Clone()}
	K, D := l.m.K(), l.m.D
	if opt.NonNegative == Sigmoid {
		l.parametrise()
	}
	l.z = make([]float64, len(graphs)*K)
	for i := range l.z {
		l.z[i] = rng.NormFloat64()
	}
	if opt.Supervision != nil {
		var err error
		if l.class, err = newClassifier(opt.Supervision, len(graphs), K, opt, rng); err != nil {
			return nil, err
		}
	}
	if opt.ZAdam == Dense {
		l.dense, l.gz = opt.adam(len(l.z), opt.StepZ), make([]float64, len(l.z))
	} else {
		l.optZ = make([]*optim.Adam, len(graphs))
		for i := range l.optZ {
			l.optZ[i] = opt.adam(K, opt.StepZ)
		}
	}
	widest := 0
	for k := range K {
		n := l.m.Atoms[k].N
		widest = max(widest, n*max(n, D))
		l.optC = append(l.optC, opt.adam(n*n, opt.StepC))
		l.optA = append(l.optA, opt.adam(n*D, opt.StepA))
	}
	l.warm = make([][][]float32, len(graphs))
	if opt.Warm {
		for i := range l.warm {
			l.warm[i] = make([][]float32, K)
		}
	}
	batch := min(opt.Batch, len(graphs))
	l.slots = make([]slot, batch)
	for i := range l.slots {
		s := &l.slots[i]
		s.w, s.half, s.dz = make([]float64, K), make([]float64, K), make([]float64, K)
		for k := range K {
			n := l.m.Atoms[k].N
			s.c, s.a = append(s.c, make([]float64, n*n)), append(s.a, make([]float64, n*D))
		}
	}
	workers := min(opt.Workers, max(batch, K))
	l.fits = make([]fit, workers)
	for range workers {
		l.grad = append(l.grad, make([]float64, widest))
	}
	return l, l.freeze()
}

// freeze hands the atoms as they are to the workers.
func (l *learner) freeze() error {
	a, err := newAtoms(l.m)
	if err != nil {
		return err
	}
	for i := range l.fits {
		l.fits[i].use(a)
	}
	return nil
}

// batch updates the atoms and the weights of the graphs at index, and returns the
// sum of their losses before. Workers fill slots in any order; everything that sums
// over them does so in the order of the slots.
func (l *learner) batch(ctx context.Context, index []int) (float64, error) {
	sum := l.classify(index)
	err := parallel.Each(len(l.fits), len(index), func(worker, i int) error {
		if err := l.visit(ctx, &l.fits[worker], &l.slots[i], index[i]); err != nil {
			return fmt.Errorf("graph %d: %w", index[i], err)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	slots := l.slots[:len(index)]
	for i := range slots {
		sum += slots[i].loss
		l.stats.Add(&slots[i].stats)
	}
	err = parallel.Each(len(l.fits), l.m.K(), func(worker, k int) error {
		l.update(k, slots, l.grad[worker])
		return nil
	})
	if err != nil {
		return 0, err
	}
	if l.dense != nil {
		clear(l.gz)
		for i, g := range index {
			copy(l.gz[g*l.m.K():], slots[i].dz)
		}
		l.dense.Step(l.z, l.gz)
	}
	if err := l.freeze(); err != nil {
		return 0, fmt.Errorf("the atoms after the update (is the step too large?): %w", err)
	}
	return sum, nil
}

// classify moves the classifier by the graphs at index and hands their slots its gradients in z. It
// returns the sum of the weighted cross-entropies before.
func (l *learner) classify(index []int) float64 {
	n, K := l.class, l.m.K()
	if n == nil {
		return 0
	}
	sum := n.gradient(index, l.z, K)
	for i := range index {
		l.slots[i].class = nil
	}
	for r, place := range n.labelled {
		l.slots[place].class = n.dz[r*n.k:][:K]
	}
	vec.Scale(1/float64(len(index)), n.grad)
	n.adam.Step(n.x, n.grad)
	return sum
}

// visit fills a slot with graph i's loss and gradients and moves its weights.
func (l *learner) visit(ctx context.Context, f *fit, s *slot, i int) error {
	K := l.m.K()
	z := l.z[i*K : (i+1)*K]
	softmax(z, s.w)
	if err := f.prepare(ctx, l.graphs[i], s.w, &l.opt.Transport, l.warm[i]); err != nil {
		return err
	}
	s.stats = f.stats
	s.loss = f.loss(s.w, s.half)
	f.gradients(s.w, s.c, s.a)
	if l.dense != nil {
		s.pull()
		return nil
	}
	for step := range l.opt.ZSteps {
		if step > 0 {
			softmax(z, s.w)
			f.loss(s.w, s.half)
		}
		s.pull()
		l.optZ[i].Step(z, s.dz)
	}
	return nil
}

// pull sets dz to the gradient of all the loss in z.
func (s *slot) pull() {
	pull(s.w, s.half, s.dz)
	if s.class != nil {
		vec.Add(s.class, s.dz)
	}
}

// update moves atom k against its gradient.
func (l *learner) update(k int, slots []slot, scratch []float64) {
	a := &l.m.Atoms[k]
	share := 1 / float64(len(slots))
	g := scratch[:len(a.C)]
	clear(g)
	for i := range slots {
		vec.Axpy(share, slots[i].c[k], g)
	}
	if l.x == nil {
		l.optC[k].Step(a.C, g)
		optim.ProjectSymmetric(a.C, a.N, true)
	} else {
		for e, c := range a.C {
			g[e] *= c * (1 - c/l.scale)
		}
		l.optC[k].Step(l.x[k], g)
		optim.ProjectSymmetric(l.x[k], a.N, false)
		l.squash(k)
	}
	if len(a.A) > 0 {
		g = scratch[:len(a.A)]
		clear(g)
		for i := range slots {
			vec.Axpy(share, slots[i].a[k], g)
		}
		l.optA[k].Step(a.A, g)
	}
}

// edge keeps a start's entries off the ends of the sigmoid, where it is flat.
const edge = 0.02

// parametrise writes the structures as scale * sigmoid(x).
func (l *learner) parametrise() {
	for k := range l.m.Atoms {
		for _, c := range l.m.Atoms[k].C {
			l.scale = max(l.scale, c)
		}
	}
	l.scale = cmp.Or(l.scale, 1)
	l.x = make([][]float64, l.m.K())
	for k := range l.m.Atoms {
		c := l.m.Atoms[k].C
		l.x[k] = make([]float64, len(c))
		for e, v := range c {
			v = min(max(v/l.scale, edge), 1-edge)
			l.x[k][e] = math.Log(v / (1 - v))
		}
		l.squash(k)
	}
}

func (l *learner) squash(k int) {
	c := l.m.Atoms[k].C
	for e, x := range l.x[k] {
		c[e] = l.scale / (1 + math.Exp(-x))
	}
}
