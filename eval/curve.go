package eval

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Settings of the principal curve.
const (
	curveTerms  = 4    // a cubic polynomial of each coordinate
	curveSteps  = 5    // of projection and regression
	curvePoints = 120  // at which the curve is looked at
	curveBeyond = 0.2  // of its length, on which it goes on as a line
	curveRidge  = 1e-6 // for points at fewer than four places
)

// curve is a principal curve of points (Hastie & Stuetzle 1989) whose coordinates are cubic
// polynomials of the arc length t in [0, 1].
type curve struct {
	n, d int
	coef mat.Dense // curveTerms x d, of Legendre polynomials
	t    []float64 // of each point
	axes mat.Dense // d x d: principal axes of the residuals, in columns
	sd   []float64 // of the residuals along them
}

// legendre returns the first curveTerms Legendre polynomials on [0, 1] at t.
func legendre(t float64) [curveTerms]float64 {
	u := 2*t - 1
	return [curveTerms]float64{1, u, (float64(3*u*u) - 1) / 2, (float64(5*u*u*u) - float64(3*u)) / 2}
}

// curveOf fits the curve to the n points of dimension d in X. The coordinate of index first orders
// the points at the start.
func curveOf(X []float64, n, d, first int) (*curve, error) {
	c := &curve{n: n, d: d, t: make([]float64, n)}
	for i := range c.t {
		c.t[i] = X[i*d+first]
	}
	for step := 0; ; step++ {
		unit(c.t)
		if err := c.regress(X); err != nil || step == curveSteps {
			return c, err
		}
		c.project(X)
	}
}

// unit maps values onto [0, 1].
func unit(x []float64) {
	low, high := slices.Min(x), slices.Max(x)
	for i, v := range x {
		x[i] = 0
		if high > low {
			x[i] = (v - low) / (high - low)
		}
	}
}

// regress fits the polynomials to the points at their t, and the normal distribution of the
// residuals.
func (c *curve) regress(X []float64) error {
	terms := mat.NewDense(c.n, curveTerms, nil)
	for i, t := range c.t {
		of := legendre(t)
		terms.SetRow(i, of[:])
	}
	points := mat.NewDense(c.n, c.d, X)
	var normal, right, fitted, cov mat.Dense
	normal.Mul(terms.T(), terms)
	for k := range curveTerms {
		normal.Set(k, k, normal.At(k, k)+float64(curveRidge*float64(c.n)))
	}
	right.Mul(terms.T(), points)
	if err := c.coef.Solve(&normal, &right); err != nil && !errors.As(err, new(mat.Condition)) {
		return err
	}
	fitted.Mul(terms, &c.coef)
	fitted.Sub(points, &fitted)
	cov.Mul(fitted.T(), &fitted)
	var eigen mat.EigenSym
	if !eigen.Factorize(mat.NewSymDense(c.d, cov.RawMatrix().Data), true) {
		return errors.New("eval: the eigen-decomposition of the residuals' covariance did not converge")
	}
	eigen.VectorsTo(&c.axes)
	c.sd = eigen.Values(nil)
	for a, v := range c.sd {
		c.sd[a] = math.Sqrt(max(v, 0) / float64(c.n))
	}
	return nil
}

// at writes the curve's point at t, on a line where t is beyond its ends.
func (c *curve) at(t float64, out []float64) {
	inside := min(max(t, 0), 1)
	of := legendre(inside)
	u := 2*inside - 1
	slope := [curveTerms]float64{0, 2, 6 * u, float64(15*u*u) - 3}
	for j := range out {
		out[j] = 0
		for k, v := range of {
			out[j] += float64((v + float64(slope[k]*(t-inside))) * c.coef.At(k, j))
		}
	}
}

// project moves the t of each point to the arc length of the curve's nearest point.
func (c *curve) project(X []float64) {
	on, arc := make([]float64, curvePoints*c.d), make([]float64, curvePoints)
	for g := range arc {
		p := on[g*c.d : (g+1)*c.d]
		c.at(float64((1+2*curveBeyond)*float64(g))/(curvePoints-1)-curveBeyond, p)
		if g > 0 {
			arc[g] = arc[g-1] + math.Sqrt(squared(p, on[(g-1)*c.d:g*c.d]))
		}
	}
	for i := range c.t {
		x, nearest := X[i*c.d:(i+1)*c.d], math.Inf(1)
		for g := range arc {
			if s := squared(x, on[g*c.d:(g+1)*c.d]); s < nearest {
				nearest, c.t[i] = s, arc[g]
			}
		}
	}
}

// squared returns the squared distance of two points.
func squared(a, b []float64) (s float64) {
	for j, x := range a {
		s += float64((x - b[j]) * (x - b[j]))
	}
	return s
}

// sample draws as many points as the curve was fitted to, uniformly along it, with normal
// residuals.
func (c *curve) sample(rng *rand.Rand) []float64 {
	out := make([]float64, c.n*c.d)
	for i := range c.n {
		p := out[i*c.d : (i+1)*c.d]
		c.at(rng.Float64(), p)
		for a, sd := range c.sd {
			e := sd * rng.NormFloat64()
			for j := range p {
				p[j] += float64(e * c.axes.At(j, a))
			}
		}
	}
	return out
}
