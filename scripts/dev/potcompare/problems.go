//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"ogdl/gdl"
	"ogdl/internal/npz"
	"ogdl/internal/usage"
	"ogdl/ot"
	"ogdl/ot/gw"
)

func open(path string) (*npz.Fields, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return npz.Open(bytes.NewReader(data), int64(len(data)), path)
}

// space reads a structure and, if features names one, a feature matrix.
func space(f *npz.Fields, structure, features string) (*gw.Space, error) {
	c, a := f.Floats(structure, 2, false), &npz.Array{Shape: make([]int, 2)}
	if features != "" {
		a = f.Floats(features, 2, false)
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	return gw.NewSpace(c.Float, a.Float, c.Shape[0], a.Shape[1], nil)
}

// linear solves sequences of linear problems with one pair of marginals each.
type linear struct {
	sequences []sequence
	warm      bool
}

type sequence struct {
	solver ot.Solver
	a, b   []float64
	costs  [][]float64
}

func loadLinear(f *npz.Fields, q request) (solver, error) {
	l := &linear{sequences: make([]sequence, q.Count), warm: q.Kind == "warm"}
	for k := range l.sequences {
		s := &l.sequences[k]
		a, b := f.Floats(fmt.Sprintf("a_%d", k), 1, false), f.Floats(fmt.Sprintf("b_%d", k), 1, false)
		m := f.Floats(fmt.Sprintf("M_%d", k), 3, false)
		if err := f.Err(); err != nil {
			return nil, err
		}
		size := m.Shape[1] * m.Shape[2]
		if m.Shape[1] != a.Shape[0] || m.Shape[2] != b.Shape[0] {
			return nil, fmt.Errorf("costs M_%d: shape %v beside %d and %d weights", k, m.Shape, a.Shape[0], b.Shape[0])
		}
		s.a, s.b = a.Float, b.Float
		for i := range m.Shape[0] {
			s.costs = append(s.costs, m.Float[i*size:(i+1)*size])
		}
	}
	return l, nil
}

// round solves every problem; a warm sequence begins, before the clock, with its
// first problem, and each further one starts from the basis of the one before.
func (l *linear) round() (seconds, values []float64, err error) {
	values = make([]float64, len(l.sequences))
	first, start := 0, ot.Cold
	for k := range l.sequences {
		s := &l.sequences[k]
		if err := s.solver.Reset(s.a, s.b); err != nil {
			return nil, nil, err
		}
		if l.warm {
			first, start = 1, ot.Warm
			if err := s.solve(s.costs[0], ot.Cold); err != nil {
				return nil, nil, err
			}
		}
	}
	solved := 0
	begin := usage.ProcessCPU()
	for k := range l.sequences {
		s := &l.sequences[k]
		sum := 0.0
		for _, m := range s.costs[first:] {
			if err := s.solve(m, start); err != nil {
				return nil, nil, err
			}
			sum += s.value(m)
		}
		values[k] = sum / float64(len(s.costs)-first)
		solved += len(s.costs) - first
	}
	return []float64{(usage.ProcessCPU() - begin) / float64(solved)}, values, nil
}

func (s *sequence) solve(m []float64, start ot.Start) error {
	if status := s.solver.SolveUnchecked(m, len(s.b), start); status != ot.Optimal {
		return fmt.Errorf("linear problem %d x %d: %v", len(s.a), len(s.b), status)
	}
	return nil
}

func (s *sequence) value(m []float64) float64 {
	rows, cols, mass := s.solver.Arcs()
	sum := 0.0
	for k, x := range mass {
		sum += x * m[int(rows[k])*len(s.b)+int(cols[k])]
	}
	return sum
}

// pairs solves (F)GW between pairs of graphs.
type pairs struct {
	solver   gw.Solver
	x, y     []*gw.Space
	alpha    float64
	settings gw.Settings
}

func loadPairs(f *npz.Fields, q request) (solver, error) {
	p := &pairs{alpha: q.Alpha, settings: gw.Settings{MaxIter: q.Iter}}
	for k := range q.Count {
		var names [4]string
		names[0], names[1] = fmt.Sprintf("C1_%d", k), fmt.Sprintf("C2_%d", k)
		if q.Kind == "fgw" {
			names[2], names[3] = fmt.Sprintf("A1_%d", k), fmt.Sprintf("A2_%d", k)
		}
		x, err := space(f, names[0], names[2])
		if err != nil {
			return nil, err
		}
		y, err := space(f, names[1], names[3])
		if err != nil {
			return nil, err
		}
		p.x, p.y = append(p.x, x), append(p.y, y)
	}
	return p, nil
}

func (p *pairs) round() (seconds, values []float64, err error) {
	seconds, values = make([]float64, len(p.x)), make([]float64, len(p.x))
	for k := range p.x {
		begin := usage.ProcessCPU()
		r, err := p.solver.Solve(context.Background(), p.x[k], p.y[k], p.alpha, nil, &p.settings)
		seconds[k] = usage.ProcessCPU() - begin
		if err != nil {
			return nil, nil, err
		}
		values[k] = r.Value
	}
	return seconds, values, nil
}

// unmixing embeds graphs in one dictionary.
type unmixing struct {
	unmixer  *gdl.Unmixer
	order    int
	graphs   []*gw.Space
	settings gdl.UnmixSettings
	w, t     [][]float64 // what the last round of embeddings found; else nil
}

func loadUnmixing(f *npz.Fields, q request) (solver, error) {
	atoms := f.Floats("atoms", 3, false)
	if err := f.Err(); err != nil {
		return nil, err
	}
	s, n := atoms.Shape[0], atoms.Shape[1]
	if atoms.Shape[2] != n {
		return nil, fmt.Errorf("atoms: shape %v, expected square ones", atoms.Shape)
	}
	d, err := gdl.NewDictionary(s, n, 0, 1)
	if err != nil {
		return nil, err
	}
	for k := range s {
		copy(d.C[k], atoms.Float[k*n*n:(k+1)*n*n])
	}
	u := &unmixing{order: n}
	if u.unmixer, err = gdl.NewUnmixer(d); err != nil {
		return nil, err
	}
	if u.graphs, err = graphs(f, q.Count); err != nil {
		return nil, err
	}
	switch {
	case q.Kind == "embedding":
		u.settings = gdl.UnmixSettings{Tol: precision}
		u.w, u.t = make([][]float64, q.Count), make([][]float64, q.Count)
	case q.Step == "same":
		u.settings = gdl.UnmixSettings{
			Tol: 1e-5, MaxOuter: 20, MaxInner: 200, WStep: gdl.ConditionalGradient,
			GW: gw.Settings{TolRel: q.TolRel, TolAbs: q.TolAbs, MaxIter: q.Iter},
		}
	}
	return u, nil
}

func (u *unmixing) round() (seconds, values []float64, err error) {
	seconds, values = make([]float64, len(u.graphs)), make([]float64, len(u.graphs))
	for k, g := range u.graphs {
		begin := usage.ProcessCPU()
		e, err := u.unmixer.Unmix(context.Background(), g, &u.settings)
		seconds[k] = usage.ProcessCPU() - begin
		if err != nil {
			return nil, nil, err
		}
		values[k] = e.Objective
		if u.w != nil { // outside the clock
			u.w[k], u.t[k] = append(u.w[k][:0], e.W...), u.t[k][:0]
			for i := range g.N() {
				u.t[k] = append(u.t[k], e.T[i*e.TStride:][:u.order]...)
			}
		}
	}
	return seconds, values, nil
}
