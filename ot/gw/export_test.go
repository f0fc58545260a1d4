package gw

import "iter"

// FirstLinear is the value of the linear problem in the full gradient at the
// coupling just bound.
func (s *Solver) FirstLinear() float64 {
	s.direction()
	rows, cols, mass := s.lp.Arcs()
	v := 0.0
	for e, x := range mass {
		i, j := int(rows[e]), int(cols[e])
		v += x * (s.k[i*s.ld+j] + 2*s.alpha*(s.x.c2p[i]+s.y.c2p[j]))
	}
	return v
}

// Distinct is the number of distinct graphs.
func (p *Pairs) Distinct() int { return len(p.first) }

// Of yields the pairs of block b in their order.
func (p *Pairs) Of(b int) iter.Seq2[int, int] { return p.of(b) }

// BlockWork is the estimated work of block b, and the largest of one of its pairs.
func (p *Pairs) BlockWork(b int) (sum, largest float64) {
	for i, j := range p.of(b) {
		w := p.work(i, j)
		sum += w
		largest = max(largest, w)
	}
	return sum, largest
}

// StepBy is Step with any source of numbers.
func (c *Chain) StepBy(r interface {
	Float64() float64
	NormFloat64() float64
}) {
	c.step(r)
}
