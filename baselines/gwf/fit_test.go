package gwf

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/internal/npz"
	"ogdl/internal/test/must"
	"ogdl/internal/vec"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"

	"pgregory.net/rapid"
)

func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// randomGraph has entries in [0, 1) without ties, uneven weights (the last one is
// zero where hollow is set) and normal features.
func randomGraph(rng *rand.Rand, n, d int, hollow bool) *gw.Space {
	c := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			c[i*n+j] = rng.Float64()
			c[j*n+i] = c[i*n+j]
		}
	}
	a := gwtest.Slice(n*d, rng.NormFloat64)
	p := gwtest.Slice(n, func() float64 { return 0.5 + rng.Float64() })
	if hollow {
		p[n-1] = 0
	}
	gwtest.Normalized(p)
	return must.Get(gw.NewSpace(c, a, n, d, p))
}

func randomGraphs(rng *rand.Rand, count, least, most, d int) []*gw.Space {
	out := make([]*gw.Space, count)
	for k := range out {
		out[k] = randomGraph(rng, least+rng.IntN(most-least+1), d, false)
	}
	return out
}

// byDefinition is the loss from the package's comment, straight from couplings T_k.
func byDefinition(m *Model, g *gw.Space, w []float64, T [][]float64) (loss float64, B, F []float64) {
	n, d, p := g.N(), m.D, g.P()
	B, F = make([]float64, n*n), make([]float64, n*d)
	for k, at := range m.Atoms {
		for i := range n {
			for j := range n {
				sum := 0.0
				for a := range at.N {
					for b := range at.N {
						sum += T[k][i*at.N+a] * at.C[a*at.N+b] * T[k][j*at.N+b]
					}
				}
				if p[i] > 0 && p[j] > 0 {
					B[i*n+j] += w[k] * sum / (p[i] * p[j])
				}
			}
			for a := range at.N {
				for e := range d {
					if p[i] > 0 {
						F[i*d+e] += w[k] * T[k][i*at.N+a] * at.A[a*d+e] / p[i]
					}
				}
			}
		}
	}
	c, ld := g.C()
	for i := range n {
		for j := range n {
			e := c[i*ld+j] - B[i*n+j]
			loss += m.Alpha * e * e * p[i] * p[j]
		}
		for e := range d {
			x := g.A()[i*d+e] - F[i*d+e]
			loss += (1 - m.Alpha) * p[i] * x * x
		}
	}
	return loss, B, F
}

// couplings undoes the scaling of a fit's couplings.
func (f *fit) couplings() [][]float64 {
	out := make([][]float64, len(f.t))
	for k, y := range f.atoms.spaces {
		m, ld := y.N(), vec.Pad(y.N())
		for i := range f.n {
			for j := range m {
				out[k] = append(out[k], f.root[i]*f.t[k][i*ld+j])
			}
		}
	}
	return out
}

func prepared(t testing.TB, m *Model, g *gw.Space, w []float64, tr Transport) *fit {
	t.Helper()
	tr = must.Get(tr.resolve())
	f := new(fit)
	f.use(must.Get(newAtoms(m)))
	must.Do(t, f.prepare(context.Background(), g, w, &tr, nil))
	return f
}

func randomWeights(rng *rand.Rand, K int) (z, w []float64) {
	z, w = gwtest.Slice(K, rng.NormFloat64), make([]float64, K)
	softmax(z, w)
	return z, w
}

func TestLossIsItsDefinition(t *testing.T) {
	for _, d := range []int{0, 3} {
		for _, alpha := range []float64{0, 0.3, 1} {
			if d == 0 && alpha < 1 {
				continue
			}
			for _, hollow := range []bool{false, true} {
				rng := source(1)
				m := must.Get(InitRandomOrder(randomGraphs(rng, 3, 4, 9, d), 3, alpha, rng))
				g := randomGraph(rng, 7, d, hollow)
				_, w := randomWeights(rng, 3)
				f := prepared(t, m, g, w, Transport{})
				half := make([]float64, 3)
				got := f.loss(w, half)
				want, B, F := byDefinition(m, g, w, f.couplings())
				must.Within(t, got, want, 1e-12*(1+want), "d %d, alpha %v: loss, and by definition", d, alpha)
				// It is the FGW objective at the identity coupling.
				x := must.Get(gw.NewSpace(B, F, g.N(), d, g.P()))
				v := gw.Objective(x, g, alpha, gwtest.Diagonal(g.P()))
				must.Within(t, v, want, 1e-12*(1+want), "d %d, alpha %v: objective at the identity, and loss", d, alpha)
			}
		}
	}
}

// atFixed is the loss of another model and other weights at the couplings of f.
func (f *fit) atFixed(m *Model, w []float64) float64 {
	g := *f
	g.atoms = must.Get(newAtoms(m))
	for k, x := range g.atoms.spaces { // as seen from the origin of f's target
		from := make([]float64, m.D)
		for j := range from {
			from[j] = f.atoms.origin[j] - g.atoms.origin[j]
		}
		x.Relative(from, x)
		if m.D > 0 {
			padRows(x.A(), m.D, g.atoms.a[k])
		}
	}
	g.b, g.f = make([][]float64, m.K()), make([][]float64, m.K())
	g.gram, g.c, g.work = make([]float64, m.K()*m.K()), make([]float64, m.K()), nil
	g.assemble()
	g.quadratic()
	return g.loss(w, make([]float64, m.K()))
}

func TestGradientsAgreeWithFiniteDifferences(t *testing.T) {
	const K, eps = 3, 1e-5
	for _, c := range []struct {
		name  string
		d     int
		alpha float64
		tr    Transport
	}{
		{"GW", 0, 1, Transport{}},
		{"FGW", 2, 0.4, Transport{}},
		{"features only", 2, 0, Transport{}},
		{"structure only", 2, 1, Transport{}},
		{"full GW", 0, 1, Transport{Barycentre: Full, Gamma: 0.01}},
		{"full FGW", 2, 0.4, Transport{Barycentre: Full, Gamma: 0.01}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rng := source(2)
			m := must.Get(InitRandomOrder(randomGraphs(rng, K, 4, 7, c.d), K, c.alpha, rng))
			g := randomGraph(rng, 6, c.d, false)
			z, w := randomWeights(rng, K)
			f := prepared(t, m, g, w, c.tr)
			half, dz := make([]float64, K), make([]float64, K)
			f.loss(w, half)
			pull(w, half, dz)
			var gc, ga [][]float64
			for _, a := range m.Atoms {
				gc, ga = append(gc, make([]float64, len(a.C))), append(ga, make([]float64, len(a.A)))
			}
			f.gradients(w, gc, ga)
			check := func(what string, got float64, plus, minus float64) {
				t.Helper()
				want := (plus - minus) / (2 * eps)
				must.Within(t, got, want, 1e-6*max(1, math.Abs(want)), "%s: gradient, and finite difference", what)
			}
			for k, a := range m.Atoms {
				for i := range a.N {
					for j := range i + 1 {
						shifted := func(by float64) float64 {
							q := m.Clone()
							q.Atoms[k].C[i*a.N+j] += by
							if i != j {
								q.Atoms[k].C[j*a.N+i] += by
							}
							return f.atFixed(q, w)
						}
						got := gc[k][i*a.N+j]
						if i != j {
							got += gc[k][j*a.N+i]
						}
						check("structure", got, shifted(eps), shifted(-eps))
					}
				}
				for e := range a.A {
					shifted := func(by float64) float64 {
						q := m.Clone()
						q.Atoms[k].A[e] += by
						return f.atFixed(q, w)
					}
					check("features", ga[k][e], shifted(eps), shifted(-eps))
				}
			}
			for k := range z {
				shifted := func(by float64) float64 {
					z, w := slices.Clone(z), make([]float64, K)
					z[k] += by
					softmax(z, w)
					return f.atFixed(m, w)
				}
				check("free weight", dz[k], shifted(eps), shifted(-eps))
			}
		})
	}
}

// The full barycentre is compared through a coupling that the identity does not
// beat, and its loss is the objective at it.
func TestFullBarycentreIsNotWorseThanItsIdentity(t *testing.T) {
	rng := source(3)
	lower := 0
	for range 20 {
		m := must.Get(InitRandomOrder(randomGraphs(rng, 3, 4, 8, 2), 3, 0.5, rng))
		g := randomGraph(rng, 6, 2, false)
		_, w := randomWeights(rng, 3)
		f := prepared(t, m, g, w, Transport{Barycentre: Full, Gamma: 0.01})
		loss := f.loss(w, make([]float64, 3))
		identity, B, F := byDefinition(m, g, w, f.couplings())
		if loss > identity*(1+1e-12) {
			t.Errorf("loss %v at the coupling, %v at the identity", loss, identity)
		}
		if loss < identity*(1-1e-9) {
			lower++
			// full.t holds the coupling P of the barycentre and g.
			ld, P := vec.Pad(6), make([]float64, 36)
			for i := range 6 {
				for j := range 6 {
					P[i*6+j] = f.root[i] * f.full.t[i*ld+j]
				}
			}
			x := must.Get(gw.NewSpace(B, F, 6, 2, g.P()))
			must.Within(t, gw.Objective(x, g, 0.5, P), loss, 1e-10, "loss, and objective at its coupling")
		}
	}
	if lower == 0 {
		t.Error("no coupling ever beat the identity: the branch was not tested")
	}
}

func TestWeightsAreProved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := source(rapid.Uint64().Draw(t, "seed"))
		K := rapid.IntRange(1, 20).Draw(t, "K")
		rank := rapid.IntRange(1, 25).Draw(t, "rank")
		scale := math.Pow(10, float64(rapid.IntRange(-6, 8).Draw(t, "scale")))
		inside := rapid.Bool().Draw(t, "representable")
		b, y := make([][]float64, K), make([]float64, rank)
		for k := range b {
			b[k] = make([]float64, rank)
			for i := range b[k] {
				b[k][i] = scale * rng.NormFloat64()
			}
		}
		_, truth := randomWeights(rng, K)
		for i := range y {
			y[i] = scale * rng.NormFloat64()
			if inside {
				y[i] = 0
				for k := range b {
					y[i] += truth[k] * b[k][i]
				}
			}
		}
		f := &fit{gram: make([]float64, K*K), c: make([]float64, K), own: vec.Dot(y, y)}
		for k := range K {
			f.c[k] = vec.Dot(b[k], y)
			for l := range K {
				f.gram[k*K+l] = vec.Dot(b[k], b[l])
			}
		}
		value := func(w []float64) float64 {
			sum := 0.0
			for i := range y {
				e := -y[i]
				for k := range b {
					e += w[k] * b[k][i]
				}
				sum += e * e
			}
			return sum
		}
		precision := math.Pow(10, -float64(rapid.IntRange(2, 8).Draw(t, "precision")))
		w := make([]float64, K)
		loss, bound, steps := new(weigher).solve(f, w, precision)
		floor := 1e-12 * scale * scale * float64(rank)
		must.Within(t, value(w), loss, floor, "loss, and by definition")
		if loss-bound > precision*loss+floor {
			t.Fatalf("loss %v, bound %v after %d steps", loss, bound, steps)
		}
		if steps > 40 {
			t.Fatalf("%d steps", steps)
		}
		if must.Simplex(t, "weights", w, 1e-12); slices.Min(w) == 0 {
			t.Fatalf("a weight of zero: %v", w)
		}
		// No other point, vertices and pair mixtures among them, goes below the bound.
		for range 30 {
			_, v := randomWeights(rng, K)
			k := rng.IntN(K)
			step := rng.Float64()
			for i := range v {
				v[i] = w[i] * (1 - step)
			}
			v[k] += step
			if value(v) < bound-floor {
				t.Fatalf("%v is below the bound %v", value(v), bound)
			}
		}
	})
}

// TestArrays: the arrays go through an archive, and features are there where the model has any.
func TestArrays(t *testing.T) {
	for d, want := range map[int][]string{
		0: {"alpha", "orders", "C0", "p0", "C1", "p1"},
		2: {"alpha", "orders", "C0", "A0", "p0", "C1", "A1", "p1"},
	} {
		rng, alpha := source(50), 1.0
		if d > 0 {
			alpha = 0.25
		}
		m := must.Get(InitRandomOrder(randomGraphs(rng, 5, 2, 4, d), 2, alpha, rng))
		var b bytes.Buffer
		must.Do(t, npz.Write(&b, m.Arrays()))
		var names []string
		for _, a := range must.Get(npz.Read(bytes.NewReader(b.Bytes()), int64(b.Len()))) {
			names = append(names, a.Name)
		}
		must.Same(t, names, want, "arrays for d %d", d)
		f := must.Get(npz.Open(bytes.NewReader(b.Bytes()), int64(b.Len()), "model"))
		x := m.Atoms[1]
		must.Same(t, f.FloatsOf("alpha"), []float64{alpha}, "alpha")
		must.Same(t, f.IntsOf("orders", 2), []int{m.Atoms[0].N, x.N}, "orders")
		must.Same(t, f.FloatsOf("C1", x.N, x.N), x.C, "structure")
		must.Same(t, f.FloatsOf("p1", x.N), x.P, "weights")
		if d > 0 {
			must.Same(t, f.FloatsOf("A1", x.N, d), x.A, "features")
		}
	}
}
