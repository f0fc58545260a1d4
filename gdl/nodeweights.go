package gdl

import (
	"context"
	"fmt"

	"ogdl/internal/vec"
	"ogdl/ot/gw"
)

// nodeWeights extends a descent to atoms with node weights of their own. Couplings and node weights
// then move together. Where all atoms' are equal they cannot matter, and couplings move alone.
type nodeWeights struct {
	joint
	gram  []float64 // of this graph's node weights
	sheet []float64 // their products, packed as the atoms are
	z     []float64 // an atom under them
	ht    []float64 // sum_s v_s h_s
	tight []float64 // T, n rows of N entries
}

// use makes room for the sizes of a model.
func (x *nodeWeights) use(m *model) {
	x.gram = vec.Grow(x.gram, m.d.S*m.d.S)
	x.sheet, x.z = vec.Grow(x.sheet, len(m.packed[0])), vec.Grow(x.z, len(m.packed[0]))
	x.ht = vec.Grow(x.ht, m.d.N)
}

// begin sets the graph, with v uniform; if the atoms' node weights are equal and mu > 0, v is the
// first vertex, which is optimal.
func (x *nodeWeights) begin(g, target *gw.Space, m *model, mu float64) {
	x.bind(g, target, m.h, m.d.Alpha, mu)
	if !m.uneven {
		copy(x.ht, target.P())
		if mu > 0 {
			clear(x.v)
			x.v[0] = 1
		}
	}
}

// moveNodes moves coupling and node weights together.
func (u *descent) moveNodes(ctx context.Context, g *gw.Space, opt *UnmixSettings, rules *gw.Settings) error {
	x := u.nodes
	if u.e.Rounds == 1 {
		u.load()
	}
	x.retarget()
	rest, ofW := float64(u.model.d.Alpha*g.SelfTerm()), penalty(opt.Lambda, u.w)
	status, iterations := x.descend(ctx, rest-ofW, rules, opt.WStep == FullyCorrective)
	u.e.count(status, iterations)
	u.trace = append(u.trace, rest+x.value()-ofW)
	if err := u.reweigh(opt.Lambda); err != nil {
		return err
	}
	x.pull(u.model, u.tct, u.ta)
	u.linear()
	return nil
}

// load hands the coupling to the joint problem.
func (u *descent) load() {
	t, ld := u.solver.Coupling()
	ct, _ := u.solver.CT()
	u.nodes.load(t, ct, ld)
}

// nodeCoupling returns the coupling of the last round and of the joint problem.
func (u *descent) nodeCoupling() []float64 {
	x := u.nodes
	if !u.model.uneven {
		u.load()
	}
	x.tight = vec.Grow(x.tight, x.n*x.m)
	x.coupling(x.tight)
	return x.tight
}

// reweigh updates what depends on the node weights of v: the target's, and the Gram matrix
//
//	alpha sum_kl h_k h_l C_s,kl C_t,kl + (1 - alpha) sum_k h_k <A_s,k , A_t,k>
func (u *descent) reweigh(lambda float64) error {
	x, m := u.nodes, u.model
	d := &m.d
	mix(x.ht, x.h, x.v)
	if err := u.target.Reweigh(x.ht); err != nil {
		return fmt.Errorf("gdl: %w", err)
	}
	for k, hk := range x.ht {
		at := m.row[k]
		x.sheet[at+k] = hk * hk
		for l := k + 1; l < d.N; l++ { // the atoms' entries are doubled there
			x.sheet[at+l] = float64(float64(hk*x.ht[l]) * 0.5)
		}
	}
	for s := range d.S {
		for i, c := range m.packed[s] {
			x.z[i] = c * x.sheet[i]
		}
		for t := range s + 1 {
			v := float64(d.Alpha * vec.Dot(x.z, m.packed[t]))
			if d.D > 0 {
				v += float64((1 - d.Alpha) * featureProduct(m.atoms[s].A(), m.atoms[t].A(), x.ht, d.D))
			}
			x.gram[s*d.S+t], x.gram[t*d.S+s] = v, v
		}
	}
	u.qp.reset(x.gram, d.S, lambda, true)
	return nil
}

// certify computes the gap of coupling and node weights at the end of the last
// Unmix, >= 0, and writes the potentials of the model's nodes, centred: the
// objective's subgradient in h, where it has one (section "extended model";
// proposition 3 for the potentials of the whole gradient). potentials may be nil.
func (u *Unmixer) certify(potentials []float64) float64 {
	x := u.won.nodes
	x.retarget()
	x.direction()
	if potentials != nil {
		x.potentials(potentials)
	}
	return max(x.gap, 0)
}
