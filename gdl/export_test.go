package gdl

import "ogdl/ot/gw"

// WeightStep solves for the weights at a fixed coupling T (nil means p q').
func WeightStep(d *Dictionary, g *gw.Space, T []float64, lambda float64) (w []float64, value float64, c []float64, own float64, err error) {
	u, err := NewUnmixer(d)
	if err != nil {
		return nil, 0, nil, 0, err
	}
	if err := u.fix(g, T); err != nil {
		return nil, 0, nil, 0, err
	}
	u.qp.reset(u.model.gram, d.S, lambda)
	own = selfTerm(g, d.Alpha)
	value = own + u.weigh(own, &UnmixSettings{Lambda: lambda})
	return u.w, value, u.c, own, nil
}

// fix puts the workspace at uniform weights and the coupling T.
func (u *Unmixer) fix(g *gw.Space, T []float64) error {
	for s := range u.w {
		u.w[s] = 1 / float64(len(u.w))
	}
	u.target.Mix(u.model.atoms, u.w)
	if err := u.solver.Bind(g, u.target, u.model.d.Alpha); err != nil {
		return err
	}
	if T != nil {
		if err := u.solver.Start(T); err != nil {
			return err
		}
	}
	u.pull(g)
	return nil
}
