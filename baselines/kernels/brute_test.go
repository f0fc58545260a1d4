package kernels_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/baselines/kernels"
	"ogdl/internal/test/must"

	"gonum.org/v1/gonum/mat"
)

// randomSet draws small graphs, some of them without nodes, without edges or in several parts, with labels that are not
// contiguous.
func randomSet(rng *rand.Rand, count int) []kernels.Graph {
	graphs := make([]kernels.Graph, count)
	for i := range graphs {
		n, density := rng.IntN(7), rng.Float64()
		var edges [][2]int
		for u := range n {
			for v := range u {
				if rng.Float64() < density {
					edges = append(edges, [2]int{u, v})
				}
			}
		}
		g := fromEdges(n, edges)
		for range n {
			g.Labels = append(g.Labels, []int{-4, 0, 7, 1 << 40}[rng.IntN(4)])
			g.Attributes = append(g.Attributes, rng.NormFloat64(), float64(rng.IntN(3)), 3*rng.NormFloat64())
		}
		graphs[i] = g
	}
	return graphs
}

// allPaths calls f with every shortest path of g, both ways, those of one node included.
func allPaths(g *kernels.Graph, f func(path []int)) {
	d := distances(g)
	var extend func(path []int)
	extend = func(path []int) {
		f(path)
		last := path[len(path)-1]
		for _, w := range g.Neighbors[last] {
			if d[path[0]][w] == len(path) {
				extend(append(slices.Clone(path), int(w)))
			}
		}
	}
	for u := range g.Order() {
		extend([]int{u})
	}
}

// distances are those of Floyd and Warshall; at least 1000 where there is no path.
func distances(g *kernels.Graph) [][]int {
	n := g.Order()
	d := make([][]int, n)
	for u := range d {
		d[u] = make([]int, n)
		for v := range d[u] {
			d[u][v] = 1000
		}
		for _, v := range g.Neighbors[u] {
			d[u][v] = 1
		}
		d[u][u] = 0
	}
	for w := range n {
		for u := range n {
			for v := range n {
				d[u][v] = min(d[u][v], d[u][w]+d[w][v])
			}
		}
	}
	return d
}

// product is the inner product of counts by anything.
func product[K comparable](a, b map[K]float64) (sum float64) {
	for k, x := range a {
		sum += x * b[k]
	}
	return sum
}

// definition computes a kernel of two graphs, each on its own, in the most obvious way.
func definition(name string, g, h *kernels.Graph) float64 {
	switch name {
	case "SPK", "SPK-unlabelled":
		count := func(g *kernels.Graph) map[string]float64 {
			c := map[string]float64{}
			for u, row := range distances(g) {
				for v, d := range row {
					if u == v || d >= 1000 {
						continue
					}
					if name == "SPK" {
						c[fmt.Sprint(g.Labels[u], g.Labels[v], d)]++
					} else {
						c[fmt.Sprint(d)]++
					}
				}
			}
			return c
		}
		return product(count(g), count(h))
	case "WLK": // nine rounds
		sum := 0.0
		a, b := names(g, nil), names(h, nil)
		for range 10 {
			ca, cb := map[string]float64{}, map[string]float64{}
			for _, s := range a {
				ca[s]++
			}
			for _, s := range b {
				cb[s]++
			}
			sum += product(ca, cb)
			// Names grow fast, so that each is replaced by a number that both graphs share.
			a, b = names(g, a), names(h, b)
			short := map[string]string{}
			for _, list := range [][]string{a, b} {
				for i, s := range list {
					if short[s] == "" {
						short[s] = fmt.Sprint("#", len(short))
					}
					list[i] = short[s]
				}
			}
		}
		return sum
	case "GK":
		count := func(g *kernels.Graph) map[string]float64 {
			c, n, d := map[string]float64{}, g.Order(), distances(g)
			joined := func(u, v int) int {
				if d[u][v] == 1 {
					return 1
				}
				return 0
			}
			switch n {
			case 0, 1:
				c[fmt.Sprint("whole ", n)]++
			case 2:
				c[fmt.Sprint("whole 2 ", joined(0, 1))]++
			}
			for u := range n {
				for v := range u {
					for w := range v {
						c[fmt.Sprint(joined(u, v)+joined(u, w)+joined(v, w))]++
					}
				}
			}
			return c
		}
		return product(count(g), count(h))
	case "RWK", "RWK-unlabelled": // of lambda 1e-2, 1e-5
		lambda := 1e-2
		if name == "RWK-unlabelled" {
			lambda = 1e-5
		}
		n, m := g.Order(), h.Order()
		if n*m == 0 {
			return 0
		}
		dg, dh := distances(g), distances(h)
		same := func(u, a int) bool { return name == "RWK-unlabelled" || g.Labels[u] == h.Labels[a] }
		system, ones, x := mat.NewDense(n*m, n*m, nil), mat.NewVecDense(n*m, nil), mat.NewVecDense(n*m, nil)
		for u := range n {
			for a := range m {
				ones.SetVec(u*m+a, 1)
				for v := range n {
					for b := range m {
						w := 0.0
						if dg[u][v] == 1 && dh[a][b] == 1 && same(u, a) && same(v, b) {
							w = -lambda
						}
						if u == v && a == b {
							w++
						}
						system.Set(u*m+a, v*m+b, w)
					}
				}
			}
		}
		if err := x.SolveVec(system, ones); err != nil {
			panic(err)
		}
		return mat.Sum(x)
	case "HOPPERK", "HOPPERK-gaussian":
		sum := 0.0
		allPaths(g, func(p []int) {
			allPaths(h, func(q []int) {
				if len(p) != len(q) {
					return
				}
				for k := range p {
					x, y := g.Attributes[p[k]*3:p[k]*3+3], h.Attributes[q[k]*3:q[k]*3+3]
					inner, apart := 0.0, 0.0
					for c := range x {
						inner += x[c] * y[c]
						apart += (x[c] - y[c]) * (x[c] - y[c])
					}
					if name == "HOPPERK" {
						sum += inner
					} else {
						sum += math.Exp(-.5 * apart)
					}
				}
			})
		})
		return sum
	}
	panic(name)
}

// names are the nodes' labels, or what they become from those before.
func names(g *kernels.Graph, before []string) []string {
	out := make([]string, g.Order())
	for u := range out {
		if before == nil {
			out[u] = fmt.Sprint(g.Labels[u])
			continue
		}
		var around []string
		for _, v := range g.Neighbors[u] {
			around = append(around, before[v])
		}
		slices.Sort(around)
		out[u] = fmt.Sprint(before[u], around)
	}
	return out
}

// TestDefinition compares with the definitions on random graphs.
func TestDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		graphs := randomSet(rng, 8)
		for _, k := range all {
			if k.name == "PROPAK" {
				continue // see TestPropagation
			}
			matrices := must.Get(k.matrices(ctx, graphs))
			K := matrices[0]
			switch k.name {
			case "WLK":
				K = matrices[9]
			case "RWK":
				K = matrices[1]
			}
			tol := 0.0
			if exact := k.name == "SPK" || k.name == "SPK-unlabelled" || k.name == "WLK" || k.name == "GK"; !exact {
				tol = 1e-12
			}
			for i := range graphs {
				for j := range graphs {
					want := definition(k.name, &graphs[i], &graphs[j])
					// Inner products of attributes may cancel.
					size := max(math.Abs(want), math.Sqrt(K[i*8+i]*K[j*8+j]))
					must.Within(t, K[i*8+j], want, tol*size, "%s: graphs %v and %v", k.name, graphs[i], graphs[j])
				}
			}
		}
	}
}

// TestPropagation compares with bins that are named one by one.
func TestPropagation(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		graphs := randomSet(rng, 8)
		draws := must.Get(kernels.NewDraws(4, 3, .5, rng))
		steps := []int{3, 1, 4, 3}
		got := must.Get(kernels.Propagation(ctx, graphs, draws, steps))
		count := func(g *kernels.Graph, step int) map[string]float64 {
			x := slices.Clone(g.Attributes)
			for range step {
				old := slices.Clone(x)
				clear(x)
				for u, list := range g.Neighbors {
					for _, v := range list {
						for k := range 3 {
							x[u*3+k] += old[int(v)*3+k] / float64(len(list))
						}
					}
				}
			}
			c := map[string]float64{}
			for u := range g.Order() {
				var bin []int
				for k := range 3 {
					bin = append(bin, int(math.Floor((x[u*3+k]*draws.U[step][k]+draws.B[step][k])/.5)))
				}
				c[fmt.Sprint(bin)]++
			}
			return c
		}
		for s, last := range steps {
			for i := range graphs {
				for j := range graphs {
					want := 0.0
					for step := range last {
						want += product(count(&graphs[i], step), count(&graphs[j], step))
					}
					must.Equal(t, got[s][i*8+j], want, "%d steps, graphs %v and %v", last, graphs[i], graphs[j])
				}
			}
		}
	}
}
