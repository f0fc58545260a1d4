package gdl

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ogdl/internal/parallel"
	"ogdl/internal/vec"
	"ogdl/ot"
	"ogdl/ot/gw"
)

// Embed unmixes every graph on the given number of workers (0 counts as 1) and returns the
// embeddings in the order of the graphs, each owning its slices and with its Gap. Graphs are
// embedded independently of each other: the result does not depend on workers. Equal graphs are
// unmixed once. A dictionary that Check rejects and a nil context are errors; otherwise the error
// is the first graph's (see Unmixer.Unmix), or the context's. No graphs give no embeddings.
func (d *Dictionary) Embed(ctx context.Context, graphs []*gw.Space, set *UnmixSettings, workers int) ([]Embedding, error) {
	m, err := newModel(d)
	if err != nil {
		return nil, err
	}
	if err := checkCall(ctx, graphs, d.D); err != nil {
		return nil, err
	}
	opt, err := set.resolve()
	if err != nil {
		return nil, err
	}
	if err := checkMu(opt.Mu, d.H != nil); err != nil {
		return nil, err
	}
	if workers, err = parallel.Workers(workers); err != nil {
		return nil, fmt.Errorf("gdl: %w", err)
	}
	out := make([]Embedding, len(graphs))
	us := make([]*Unmixer, min(workers, max(len(graphs), 1)))
	for i := range us {
		us[i] = new(Unmixer)
		us[i].use(m)
	}
	first := firsts(graphs)
	var todo []int
	for k, f := range first {
		if f == k {
			todo = append(todo, k)
		}
	}
	err = parallel.Each(len(us), len(todo), func(worker, i int) error {
		u, k := us[worker], todo[i]
		e, err := u.Unmix(ctx, graphs[k], set)
		if err != nil {
			return fmt.Errorf("graph %d: %w", k, err)
		}
		e.Gap = u.Gap(graphs[k])
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
func (e Embedding) Clone() Embedding {
	for _, x := range []*[]float64{&e.W, &e.V, &e.H, &e.T, &e.Trace} {
		*x = slices.Clone(*x)
	}
	return e
}

// SolveStats sums up how unmixings ended.
type SolveStats struct {
	// Unmixings, and how many ended at the cap on rounds.
	Unmixings, RoundCaps int64
	// Solves of couplings, how many ended at the cap on iterations, and
	// the iterations of all.
	Solves, CapHits, Iterations int64
	// MaxGap is the largest Frank-Wolfe gap of a final coupling (Embedding.Gap)
	// among those that were computed; 0 if none was.
	MaxGap float64
}

// Add counts one embedding.
func (s *SolveStats) Add(e *Embedding) {
	s.Unmixings++
	if e.Status == RoundLimit {
		s.RoundCaps++
	}
	s.Solves += int64(e.Solves)
	s.CapHits += int64(e.CapHits)
	s.Iterations += int64(e.Iterations)
	if e.Gap > s.MaxGap { // not for NaN
		s.MaxGap = e.Gap
	}
}

// Summarise counts embeddings.
func Summarise(es []Embedding) SolveStats {
	var s SolveStats
	for k := range es {
		s.Add(&es[k])
	}
	return s
}

// Gap returns the Frank-Wolfe gap of the coupling at the end of the last Unmix, which must have
// been of g: <G, T> - min <G, X> over U(p, q), where G is the gradient at T against the final
// model. It costs a cold linear transport problem and O(nN(N + D)). If atoms have their own node
// weights, it is the gap of coupling and v together. It is NaN after no Unmix, or after one of a
// graph of other sizes.
func (u *Unmixer) Gap(g *gw.Space) float64 {
	if u == nil || u.order == 0 || g == nil || g.N() != u.order || g.D() != u.model.d.D {
		return math.NaN()
	}
	if u.model.h != nil {
		return u.certify(nil)
	}
	d := &u.model.d
	won := u.won
	t, ld := won.solver.Coupling()
	ct, _ := won.solver.CT()
	c, ldc := won.target.C()
	n := g.N()
	g = u.model.see(g, &u.seen)
	u.cost = vec.Grow(u.cost, len(t))
	clear(u.cost)
	inner := 0.0
	for i := range n {
		row := u.cost[i*ld : (i+1)*ld]
		for l := range d.N {
			vec.Axpy(-4*d.Alpha*ct[i*ld+l], c[l*ldc:(l+1)*ldc], row)
		}
		for k := range d.N {
			if d.D > 0 && d.Alpha < 1 {
				row[k] += float64((1 - d.Alpha) * vec.SquaredDistance(g.A()[i*d.D:(i+1)*d.D], won.target.A()[k*d.D:]))
			}
			inner += float64(row[k] * t[i*ld+k])
		}
	}
	if err := u.lp.Reset(g.P(), won.target.P()); err != nil {
		return math.NaN() // both are weights that a Space has checked
	}
	u.lp.SolveUnchecked(u.cost, ld, ot.Cold)
	rows, cols, mass := u.lp.Arcs()
	for e, x := range mass {
		inner -= float64(x * u.cost[int(rows[e])*ld+int(cols[e])])
	}
	return max(inner, 0)
}
