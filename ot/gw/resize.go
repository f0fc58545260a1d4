package gw

import "fmt"

// Resized returns the graph with m nodes of the weights p, nil for uniform ones. A graph of m nodes
// keeps structure and features. Otherwise structure and features are averaged along the north-west
// corner coupling T of the weights: C = T'CT / (p p'), A = diag(1/p) T'A, zero for a node of weight
// zero. A nil graph and one of order 0 are errors; others come from [NewTarget] and
// [NewSpace].
func (s *Space) Resized(m int, p []float64) (*Space, error) {
	if err := checkSpace("the graph to resize", s); err != nil {
		return nil, err
	}
	blank, err := NewTarget(m, s.D(), p)
	if err != nil {
		return nil, err
	}
	n, d, q := s.N(), s.D(), blank.P()
	c, ld := s.C()
	C, A := make([]float64, m*m), make([]float64, m*d)
	if n == m {
		for i := range n {
			copy(C[i*n:(i+1)*n], c[i*ld:])
		}
		return NewSpace(C, s.A(), m, d, p)
	}
	arcs := corner(s.P(), q)
	for _, e := range arcs {
		share := e.mass / q[e.j]
		for k := range d {
			A[e.j*d+k] += float64(share * s.A()[e.i*d+k])
		}
		for _, f := range arcs {
			C[e.j*m+f.j] += float64(share * (f.mass / q[f.j]) * c[e.i*ld+f.i])
		}
	}
	for i := range m {
		for j := range i { // the same sums in another order
			C[i*m+j] = C[j*m+i]
		}
	}
	return NewSpace(C, A, m, d, p)
}

// nearest returns the graph whose order comes nearest to m, resized to it.
func nearest(graphs []*Space, m int) (*Space, error) {
	var best *Space
	off := func(s *Space) int { return max(s.n-m, m-s.n) }
	for k, g := range graphs {
		if err := checkSpace(fmt.Sprintf("graphs[%d]", k), g); err != nil {
			return nil, err
		}
		if best == nil || off(g) < off(best) {
			best = g
		}
	}
	if best == nil {
		return nil, fmt.Errorf("gw: graphs is empty, expected one at least")
	}
	return best.Resized(m, nil)
}

type arc struct {
	i, j int
	mass float64
}

// corner lists the arcs with mass of the north-west corner coupling of p and q.
func corner(p, q []float64) []arc {
	var arcs []arc
	i, j := 0, 0
	a, b := p[0], q[0]
	for {
		x := min(a, b)
		if x > 0 {
			arcs = append(arcs, arc{i, j, x})
		}
		a, b = a-x, b-x
		switch {
		case i == len(p)-1 && j == len(q)-1:
			return arcs
		case j == len(q)-1 || (a <= b && i < len(p)-1):
			i++
			a = p[i]
		default:
			j++
			b = q[j]
		}
	}
}
