package gdl

import (
	"context"
	"math/rand/v2"

	"ogdl/ot/gw"
)

// WeightStep solves for the weights at a fixed coupling T (nil means p q').
func WeightStep(d *Dictionary, g *gw.Space, T []float64, lambda float64) (w []float64, value float64, c []float64, own float64, err error) {
	u, err := NewUnmixer(d)
	if err != nil {
		return nil, 0, nil, 0, err
	}
	if err := u.fix(g, T); err != nil {
		return nil, 0, nil, 0, err
	}
	r := u.won
	r.qp.reset(r.gram, d.S, lambda, true)
	own = selfTerm(u.model.see(g, &u.seen), d.Alpha)
	value = own + r.weigh(own, &UnmixSettings{Lambda: lambda})
	return r.w, value, r.c, own, nil
}

// fix puts the workspace at uniform weights and the coupling T.
func (u *Unmixer) fix(g *gw.Space, T []float64) error {
	g = u.model.see(g, &u.seen)
	r := u.won
	level(r.w)
	if err := r.mix(); err != nil {
		return err
	}
	r.bind(g, StartProduct)
	if T != nil {
		if err := r.solver.Start(T); err != nil {
			return err
		}
	}
	r.pull(g)
	return nil
}

// TrainEach is Train without looking for equal graphs.
func TrainEach(graphs []*gw.Space, init *Dictionary, set *TrainSettings, rng *rand.Rand) (*Training, error) {
	opt, err := set.resolve()
	if err != nil {
		return nil, err
	}
	l, err := newLearner(init, min(opt.Batch, len(graphs)), &opt)
	if err != nil {
		return nil, err
	}
	return l.learn(context.Background(), graphs, &opt, rng)
}

// SymmetricRoot and Apply are the root of a metric, and its product with weights.
var SymmetricRoot, Apply = symmetricRoot, apply
