package spectral

// Smallest and Full, for tests.
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
