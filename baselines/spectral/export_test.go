package spectral

// Smallest, Full and the estimated work of a pair, for tests.
var (
	Smallest = smallest
	Full     = full
)

// SolveTridiagonal solves (T - lambda I) y = x in place, for the symmetric tridiagonal T
// with diagonal d and off-diagonal e.
func SolveTridiagonal(d, e []float64, lambda float64, x []float64) {
	t := newTridiagonal(len(d))
	copy(t.d, d)
	copy(t.e, e)
	t.factor(lambda, 1e-300)
	t.solve(x)
}

// BlockWork is the estimated work of block b, and the largest of one of its pairs.
func (p *Pairs) BlockWork(b int) (sum, largest float64) {
	for i, j := range p.pairs.Of(b) {
		w := p.work(i, j)
		sum += w
		largest = max(largest, w)
	}
	return sum, largest
}
