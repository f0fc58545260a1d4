package datasets_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"
)

// bruteTriangles counts the triangles through each node by trying all triples.
func bruteTriangles(g *datasets.Graph) (count int, through []float64) {
	n := g.Order()
	a := g.Adjacency()
	through = make([]float64, n)
	for i := range n {
		for j := i + 1; j < n; j++ {
			for k := j + 1; k < n && a[i*n+j] != 0; k++ {
				if a[i*n+k] != 0 && a[j*n+k] != 0 {
					count++
					through[i]++
					through[j]++
					through[k]++
				}
			}
		}
	}
	return count, through
}

// checkTriangles holds a graph to its label by brute force, and to the recipe.
func checkTriangles(t *testing.T, g *datasets.Graph, label, minOrder, maxOrder int) {
	t.Helper()
	n, e := g.Order(), g.Edges()
	if n < minOrder || n > maxOrder {
		t.Fatalf("%d nodes, want %d to %d", n, minOrder, maxOrder)
	}
	if most := n * (n - 1) / 2; e < min(n, most) || e > min(2*n-1, most) {
		t.Fatalf("%d edges of %d nodes", e, n)
	}
	count, through := bruteTriangles(g)
	if count != label || !reflect.DeepEqual(g.Attributes, through) {
		t.Fatalf("label %d and attributes %v, counted %d and %v", label, g.Attributes, count, through)
	}
	for i, nb := range g.Neighbors {
		for k, j := range nb {
			if int(j) == i || k > 0 && nb[k-1] >= j {
				t.Fatalf("neighbours of %d are %v", i, nb)
			}
		}
	}
}

func balanced(t *testing.T, classes []int, k int) {
	t.Helper()
	counts := make([]int, k)
	for _, c := range classes {
		counts[c]++
	}
	for c, n := range counts {
		must.Check(t, n*k, len(classes), "%d graphs are in class %d, times classes", n, c)
	}
}

// TestTriangleSettings: bad settings are errors.
func TestTriangleSettings(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		set  datasets.TriangleSettings
		want string
	}{
		{datasets.TriangleSettings{MinOrder: 2}, "orders 2 to 25"},
		{datasets.TriangleSettings{MinOrder: 30}, "orders 30 to 25"},
		{datasets.TriangleSettings{MaxOrder: 1 << 30}, "orders 4 to 1073741824"},
		{datasets.TriangleSettings{Labels: []int{}}, "no number of triangles"},
		{datasets.TriangleSettings{Labels: []int{-1}}, "numbers of triangles [-1]"},
		{datasets.TriangleSettings{Labels: []int{2, 1}}, "numbers of triangles [2 1]"},
		{datasets.TriangleSettings{Labels: []int{1, 1}}, "numbers of triangles [1 1]"},
		{datasets.TriangleSettings{Labels: []int{21}}, "numbers of triangles [21]"},
		{datasets.TriangleSettings{MaxOrder: 4}, "10 triangles in graphs of at most 4 nodes, want at most 4"},
	} {
		must.Fail(t, must.Err(datasets.NewTriangleStream(&c.set, rng)), c.want, c.set)
	}
	// Four nodes never have three triangles.
	never := must.Get(datasets.NewTriangleStream(&datasets.TriangleSettings{MinOrder: 4, MaxOrder: 4, Labels: []int{3}}, rng))
	must.Fail(t, must.Err2(never.Next()), "no graph of 4 to 4 nodes with 3 triangles", "three triangles of four nodes")
}

func TestTriangleStream(t *testing.T) {
	labels := []int{4, 5, 6, 7}
	s := must.Get(datasets.NewTriangleStream(&datasets.TriangleSettings{Labels: labels}, rand.New(rand.NewPCG(5, 6))))
	must.Same(t, s.Labels(), labels, "labels")
	const draws = 2000
	counts := make([]float64, len(labels))
	for range draws {
		g, class := must.Get2(s.Next())
		checkTriangles(t, g, labels[class], 4, 25)
		counts[class]++
	}
	// Chi-square with three degrees of freedom: 21.1 is exceeded once in 10,000.
	chi2 := 0.0
	for _, n := range counts {
		chi2 += (n - draws/4) * (n - draws/4) / (draws / 4)
	}
	if chi2 > 21.1 {
		t.Errorf("counts %v are not those of equal chances", counts)
	}
}

// TestTrianglesUniform: all graphs of four nodes and five edges, or of five
// nodes and nine, are equally likely. There are six, and ten; each has as many
// triangles as any other, so a stream of that label gives them alone.
func TestTrianglesUniform(t *testing.T) {
	for _, c := range []struct{ n, edges, label, graphs int }{{4, 5, 2, 6}, {5, 9, 7, 10}} {
		s := must.Get(datasets.NewTriangleStream(&datasets.TriangleSettings{MinOrder: c.n, MaxOrder: c.n, Labels: []int{c.label}}, rand.New(rand.NewPCG(7, 8))))
		const draws = 6000
		counts := map[string]float64{}
		for range draws {
			g, _ := must.Get2(s.Next())
			must.Equal(t, g.Edges(), c.edges, "edges")
			counts[fmt.Sprint(g.Neighbors)]++
		}
		chi2, mean := 0.0, draws/float64(c.graphs)
		for _, n := range counts {
			chi2 += (n - mean) * (n - mean) / mean
		}
		// 40 is exceeded less than once in 50,000 with nine degrees of freedom.
		if len(counts) != c.graphs || chi2 > 40 {
			t.Errorf("%d nodes: %d graphs with counts %v, want %d equally likely", c.n, len(counts), counts, c.graphs)
		}
	}
}

// profile is what a part of TRIANGLES looks like, over all labels and by label.
type profile struct {
	orders, edges [11][]float64
}

func (p *profile) add(g *datasets.Graph, label int) {
	for _, at := range []int{0, label} {
		p.orders[at] = append(p.orders[at], float64(g.Order()))
		p.edges[at] = append(p.edges[at], float64(g.Edges()))
	}
}

// ksDistance is the largest gap between two empirical distributions of integers
// below 256.
func ksDistance(a, b []float64) float64 {
	var fa, fb [256]float64
	for _, x := range a {
		fa[int(x)] += 1 / float64(len(a))
	}
	for _, x := range b {
		fb[int(x)] += 1 / float64(len(b))
	}
	gap, sa, sb := 0.0, 0.0, 0.0
	for i := range fa {
		sa += fa[i]
		sb += fb[i]
		gap = math.Max(gap, math.Abs(sa-sb))
	}
	return gap
}

// TestTrianglesOfCollection compares the generator with the real TRIANGLES: one real
// label in eight and its attributes by brute force, the parts' balance and orders, and the
// distributions of orders and edges of each label.
func TestTrianglesOfCollection(t *testing.T) {
	real := must.Get(loader.Load(sharedtest.Data(t, "TRIANGLES"), "TRIANGLES"))
	must.Equal(t, datasets.TrianglesTestLarge.End, len(real.Graphs), "graphs")
	for _, part := range []struct {
		name         string
		real         datasets.Range
		ours, lo, hi int
	}{
		{"train", datasets.TrianglesTrain, 5000, 4, 25},
		{"validation", datasets.TrianglesValidation, 500, 4, 25},
		{"test", datasets.TrianglesTest, 500, 4, 25},
		{"large test", datasets.TrianglesTestLarge, 3000, 26, 100},
	} {
		balanced(t, real.Classes[part.real.First:part.real.End], 10)
		var a, b profile
		for k := part.real.First; k < part.real.End; k++ {
			label := real.ClassValues[real.Classes[k]]
			if k%8 == 0 {
				checkTriangles(t, &real.Graphs[k], label, part.lo, part.hi)
			}
			a.add(&real.Graphs[k], label)
		}
		stream := must.Get(datasets.NewTriangleStream(&datasets.TriangleSettings{MinOrder: part.lo, MaxOrder: part.hi}, rand.New(rand.NewPCG(9, 10))))
		seen, of := map[string]bool{}, map[int]int{}
		for len(seen) < part.ours { // the collection has no graph twice, and as many of each label
			g, class := must.Get2(stream.Next())
			if key := fmt.Sprint(g.Neighbors); !seen[key] && of[class] < part.ours/10 {
				seen[key] = true
				of[class]++
				b.add(g, stream.Labels()[class])
			}
		}
		for label := range a.orders {
			n, m := float64(len(a.orders[label])), float64(len(b.orders[label]))
			// Kolmogorov and Smirnov's: exceeded once in 10,000.
			limit := 2.225 * math.Sqrt((n+m)/(n*m))
			orders, edges := ksDistance(a.orders[label], b.orders[label]), ksDistance(a.edges[label], b.edges[label])
			if orders > limit || edges > limit {
				t.Errorf("%s, label %d (0: all): orders differ by %.4f, edges by %.4f, want below %.4f", part.name, label, orders, edges, limit)
			}
			if label == 0 {
				t.Logf("%s: orders differ by %.4f, edges by %.4f, limit %.4f", part.name, orders, edges, limit)
			}
		}
	}
}
