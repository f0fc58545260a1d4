package spectral_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/baselines/spectral"
	"ogdl/internal/test/must"

	"pgregory.net/rapid"
)

// euclidean is the matrix of distances of n points of dimension d.
func euclidean(x []float64, n, d int) []float64 {
	out := make([]float64, n*n)
	for i := range n {
		for j := range n {
			sum := 0.0
			for c := range d {
				e := x[i*d+c] - x[j*d+c]
				sum += float64(e * e)
			}
			out[i*n+j] = math.Sqrt(sum)
		}
	}
	return out
}

// cliques is the matrix of distances of groups of the given sizes: inside within a
// group, between from one group to another.
func cliques(inside, between float64, sizes ...int) []float64 {
	var of []int
	for g, size := range sizes {
		of = append(of, slices.Repeat([]int{g}, size)...)
	}
	n := len(of)
	out := make([]float64, n*n)
	for i := range n {
		for j := range n {
			switch {
			case i == j:
			case of[i] == of[j]:
				out[i*n+j] = inside
			default:
				out[i*n+j] = between
			}
		}
	}
	return out
}

// TestCliques has what can be computed by hand. Two cliques of three, with affinity a
// inside and b between them: all degrees are e = 1 + 2a + 3b, and W has the
// eigenvalues 1 + 2a + 3b (the constant), 1 + 2a - 3b (the sides against each other)
// and four times 1 - a.
func TestCliques(t *testing.T) {
	const gamma = 2
	for _, c := range []struct{ inside, between float64 }{{.1, 1}, {.1, 3}, {1, 1.5}, {0.01, 20}} {
		a, b := math.Exp(-gamma*c.inside), math.Exp(-gamma*c.between)
		deg := 1 + 2*a + 3*b
		e := must.Get(spectral.Embed(context.Background(), cliques(c.inside, c.between, 3, 3), 6, 2, gamma))
		must.Near(t, "eigenvalues", e.Eigenvalues, []float64{0, 6 * b / deg, 3 * (a + b) / deg}, 1e-14)
		unit := 1 / math.Sqrt(6*deg) // u'Du = 1
		for i := range 6 {
			side := math.Copysign(unit, e.Vectors[1]) // the first one's
			if i >= 3 {
				side = -side
			}
			if c.between < 20 { // else 0 is a double eigenvalue, to rounding
				must.Near(t, "vectors", e.Vectors[i*2:i*2+2], []float64{unit, side}, 1e-13)
			}
		}
	}

	// Three against two: on vectors constant on the sides, D^-1/2 W D^-1/2 is a 2 x 2
	// matrix with trace (1 + 2a)/d1 + (1 + a)/d2 and the eigenvalue 1.
	a, b := math.Exp(-gamma*.3), math.Exp(-gamma*.9)
	d1, d2 := 1+2*a+2*b, 1+a+3*b
	e := must.Get(spectral.Embed(context.Background(), cliques(.3, .9, 3, 2), 5, 1, gamma))
	must.Near(t, "eigenvalues", e.Eigenvalues, []float64{0, 2 - (1+2*a)/d1 - (1+a)/d2}, 1e-14)
}

// points are three loose groups in the plane, and the vectors of two affinities of
// theirs: scipy.linalg.eigh(D - W, D), SciPy 1.10. All labellings of
// scikit-learn 1.2.1's SpectralClustering (k-means and discretize) on them are groups.
var (
	points = []float64{0, 0, 1, 0, 0, 2, 1, 1, 6, 1, 7, 0, 8, 2, 3, 6, 4, 7, 2, 8, 4, 5, 5, 4}
	groups = []int{0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2}

	scipy = []struct {
		gamma  float64
		values []float64
		second []float64
		third  []float64
	}{
		{0.25, []float64{0, 5.2243393300274088e-01, 5.8044903158277594e-01, 8.3393171156336909e-01},
			[]float64{0.2097950682733002, 0.1900085538029451, 0.1519821742930661, 0.1669417297409791, -0.0286903611198128, -0.0321083348878635,
				-0.0725328068999174, -0.1202256985451843, -0.151273271620418, -0.1511667761715224, -0.1027657218974816, -0.0835168270673079},
			[]float64{-0.0482411659631787, -0.0300314207893657, -0.0669927928112955, -0.0400875131198494, 0.1985769779283073, 0.2605695819060937,
				0.2378120554876099, -0.1160763504376842, -0.1244580917781857, -0.177188886216591, -0.0576123721505012, 0.018295119960748}},
		{1, []float64{0, 1.8420266538525909e-02, 4.2604797921903262e-02, 2.1384260258917248e-01},
			[]float64{0.3049039137885125, 0.3007512117571806, 0.291798689148087, 0.2948688566366959, -0.1749021595538215, -0.1838216286019221,
				-0.1913943388302363, -0.1769060901214022, -0.184021879398748, -0.1905272950152388, -0.1712374641947713, -0.1682078751406307},
			[]float64{0.0029548597760024, 0.0044046862744617, -0.0036966446148028, 0.0020086509015229, 0.3714651739986127, 0.416425773562976,
				0.3961395964482171, -0.2354337360198038, -0.2483064749632599, -0.2892406418378041, -0.1888626483634576, -0.1060278697849065}},
	}
)

func TestReference(t *testing.T) {
	D := euclidean(points, 12, 2)
	for _, c := range scipy {
		e := must.Get(spectral.Embed(context.Background(), D, 12, 3, c.gamma))
		must.Near(t, "eigenvalues", e.Eigenvalues, c.values, 1e-14)
		for i := range 12 {
			must.Near(t, "vectors", e.Vectors[i*3+1:i*3+3], []float64{c.second[i], c.third[i]}, 1e-13)
		}
		for _, labels := range all {
			for seed := range uint64(5) {
				r := must.Get(e.Cluster(&spectral.Settings{Labels: labels, Restarts: 2}, newRand(seed)))
				same(t, string(labels), r.Labels, groups)
			}
		}
	}
}

// TestSmallest compares with a full decomposition, on matrices that make inverse
// iteration hard: clusters of eigenvalues, decoupled parts, zeros.
func TestSmallest(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(r, "n")
		k := rapid.IntRange(1, n).Draw(r, "k")
		kind := rapid.SampledFrom([]string{"random", "zero", "identity", "rank one", "blocks", "cluster", "wilkinson"}).Draw(r, "kind")
		rng := newRand(rapid.Uint64().Draw(r, "seed"))
		m := make([]float64, n*n)
		set := func(i, j int, v float64) { m[i*n+j], m[j*n+i] = v, v }
		u := make([]float64, n)
		for i := range u {
			u[i] = rng.NormFloat64()
		}
		for i := range n {
			for j := range i + 1 {
				switch kind {
				case "random":
					set(i, j, rng.NormFloat64())
				case "identity":
					if i == j {
						set(i, j, 1)
					}
				case "rank one":
					set(i, j, u[i]*u[j])
				case "blocks":
					if i/4 == j/4 {
						set(i, j, rng.Float64())
					}
				case "cluster":
					set(i, j, 1e-13*rng.NormFloat64())
					if i == j {
						set(i, i, 1+m[i*n+i])
					}
				case "wilkinson":
					switch i - j {
					case 0:
						set(i, i, math.Abs(float64(2*i-n+1)/2))
					case 1:
						set(i, j, 1)
					}
				}
			}
		}
		fill := func(a []float64) { copy(a, m) }
		values, vectors := must.Get2(spectral.Smallest(context.Background(), n, k, fill))
		want, wantVectors := must.Get2(spectral.Full(context.Background(), n, k, fill))
		if len(values) != n || len(vectors) != k*n || len(wantVectors) != k*n {
			r.Fatalf("%d values and vectors of %d and %d entries", len(values), len(vectors), len(wantVectors))
		}
		scale := max(1, math.Abs(want[0]), math.Abs(want[n-1]))
		tol := 1e-13 * scale * float64(n)
		for i := range n {
			must.Within(r, values[i], want[i], tol, "%s: eigenvalue %d", kind, i)
		}
		for _, z := range [][]float64{vectors, wantVectors} {
			for i := range k {
				x := z[i*n : (i+1)*n]
				for j := range i + 1 {
					dot := 0.0
					for c := range n {
						dot += x[c] * z[j*n+c]
					}
					if i == j {
						dot--
					}
					must.Within(r, dot, 0, 1e-12, "%s: vectors %d and %d are off orthonormal by", kind, i, j)
				}
				for row := range n {
					res := -values[i] * x[row]
					for c := range n {
						res += m[row*n+c] * x[c]
					}
					must.Within(r, res, 0, tol, "%s: residual of vector %d", kind, i)
				}
			}
		}
	})
}

// TestBeyondCopies has an affinity that is not positive: an eigenvalue above 1, after
// the one that tells the copies of the first graph apart.
func TestBeyondCopies(t *testing.T) {
	D := []float64{
		0, 0, .1, 9,
		0, 0, .1, 9,
		.1, .1, 0, .1,
		9, 9, .1, 0,
	}
	const n, k = 4, 3
	e := must.Get(spectral.Embed(context.Background(), D, n, k, 1))
	if v := e.Eigenvalues; len(v) != 4 || !(math.Abs(v[2]-1) <= 1e-14) || !(v[1] < .9) || !(v[3] > 1.1) {
		t.Errorf("eigenvalues %v, want the third to be 1", v)
	}
	for c := range k {
		for i := range n {
			degree, wu := 0.0, 0.0
			for j := range n {
				w := math.Exp(-D[i*n+j])
				degree += w
				wu += w * e.Vectors[j*k+c]
			}
			u := e.Vectors[i*k+c]
			must.Within(t, degree*u-wu-e.Eigenvalues[c]*degree*u, 0, 1e-14, "vector %d: residual", c)
		}
	}
}

// TestEqualRows takes copies apart by a hair: the shortcut for equal rows must be
// where the limit is.
func TestEqualRows(t *testing.T) {
	rng := newRand(4)
	const distinct, n, k = 9, 25, 4
	x := make([]float64, n*2)
	of := make([]int, n)
	for i := range n {
		of[i] = i
		if i < distinct {
			x[2*i], x[2*i+1] = 3*rng.NormFloat64(), 3*rng.NormFloat64()
			continue
		}
		of[i] = rng.IntN(distinct)
		copy(x[2*i:2*i+2], x[2*of[i]:])
	}
	e := must.Get(spectral.Embed(context.Background(), euclidean(x, n, 2), n, k, .7))
	for i, j := range of {
		must.Same(t, e.Vectors[i*k:(i+1)*k], e.Vectors[j*k:(j+1)*k], "rows of copies %d and %d", i, j)
	}
	for i := range x {
		x[i] += 1e-9 * rng.Float64()
	}
	f := must.Get(spectral.Embed(context.Background(), euclidean(x, n, 2), n, k, .7))
	must.Near(t, "eigenvalues", e.Eigenvalues, f.Eigenvalues, 1e-8)
	must.Near(t, "vectors", e.Vectors, f.Vectors, 1e-7)

	// More vectors than distinct rows: those that tell copies apart have eigenvalue 1.
	D := cliques(0, 2, 2, 3)
	e = must.Get(spectral.Embed(context.Background(), D, 5, 4, 1))
	b := math.Exp(-2)
	must.Near(t, "eigenvalues", e.Eigenvalues, []float64{0, 2 - 2/(2+3*b) - 3/(3+2*b), 1, 1, 1}, 1e-14)
}

// TestExtremeGamma: everything underflows, or nothing differs, and no NaN comes of it.
func TestExtremeGamma(t *testing.T) {
	D := euclidean(points, 12, 2)
	copyOf := cliques(0, 5, 1, 3, 2)
	for _, gamma := range []float64{5e-324, 1e-20, 1e-3, 1e3, 1e20, math.MaxFloat64} {
		for _, x := range [][]float64{D, copyOf} {
			n := int(math.Sqrt(float64(len(x))))
			for k := 1; k <= 4; k++ {
				e := must.Get(spectral.Embed(context.Background(), x, n, k, gamma))
				for _, v := range append(slices.Clone(e.Eigenvalues), e.Vectors...) {
					if math.IsNaN(v) || math.IsInf(v, 0) {
						t.Fatalf("gamma %v, k = %d: %v in %v", gamma, k, v, e)
					}
				}
				for _, labels := range all {
					if _, err := e.Cluster(&spectral.Settings{Labels: labels}, newRand(1)); err != nil {
						t.Errorf("gamma %v, k = %d, %s: %v", gamma, k, labels, err)
					}
				}
			}
		}
	}
	// Large gamma leaves the sets of copies as components.
	e := must.Get(spectral.Embed(context.Background(), copyOf, 6, 3, 1e20))
	must.Near(t, "eigenvalues", e.Eigenvalues, []float64{0, 0, 0, 1}, 1e-15)
	for _, labels := range all {
		r := must.Get(e.Cluster(&spectral.Settings{Labels: labels}, newRand(1)))
		same(t, string(labels), r.Labels, []int{0, 1, 1, 1, 2, 2})
	}
}

func TestEmbedErrors(t *testing.T) {
	good := []float64{0, 1, 2, 1, 0, 3, 2, 3, 0}
	with := func(at int, v float64) []float64 {
		x := slices.Clone(good)
		x[at] = v
		return x
	}
	for _, c := range []struct {
		dist  []float64
		k     int
		gamma float64
		want  string
	}{
		{good, 0, 1, "0 clusters of 3 graphs"},
		{good, 4, 1, "4 clusters of 3 graphs"},
		{good, 2, 0, "gamma is 0"},
		{good, 2, -1, "gamma is -1"},
		{good, 2, math.NaN(), "gamma is NaN"},
		{good, 2, math.Inf(1), "gamma is +Inf"},
		{with(5, math.NaN()), 2, 1, "distance (1, 2) is NaN"},
		{with(5, -3), 2, 1, "distance (1, 2) is -3"},
		{with(5, math.Inf(1)), 2, 1, "distance (1, 2) is +Inf"},
		{with(4, 1), 2, 1, "distance (1, 1) is 1, expected 0"},
		{with(5, 2.5), 2, 1, "distances are not symmetric: entry (2, 1) is 3 and (1, 2) is 2.5"},
	} {
		must.Fail(t, must.Err(spectral.Embed(context.Background(), c.dist, 3, c.k, c.gamma)), "spectral: "+c.want)
	}
	var none context.Context
	must.Fail(t, must.Err(spectral.Embed(none, good, 3, 2, 1)), "spectral: ctx is nil")
	must.Fail(t, must.Err(spectral.Embed(ctx, nil, 0, 2, 1)), "spectral: n is 0")
	must.Panic(t, "", map[string]func(){"length": func() { spectral.Embed(context.Background(), good, 2, 1, 1) }})
}

// blobs draws n points around k centres on a circle of radius 4, and returns their
// distances and centres.
func blobs(rng *rand.Rand, n, k int, spread float64) (D []float64, labels []int) {
	x := make([]float64, n*2)
	for i := range n {
		c := rng.IntN(k)
		if i < k {
			c = i
		}
		labels = append(labels, c)
		turn := 2 * math.Pi * float64(c) / float64(k)
		x[2*i] = 4*math.Cos(turn) + float64(spread*rng.NormFloat64())
		x[2*i+1] = 4*math.Sin(turn) + float64(spread*rng.NormFloat64())
	}
	return euclidean(x, n, 2), labels
}
