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

func TestTriangles(t *testing.T) {
	set := &datasets.TriangleSettings{Train: 6, Validation: 2, Test: 3, TestLarge: 2}
	d := must.Get(datasets.Triangles(set, rand.New(rand.NewPCG(1, 2))))
	split := set.Split()
	if want := (datasets.Split{
		Train: datasets.Range{First: 0, End: 60}, Validation: datasets.Range{First: 60, End: 80},
		Test: datasets.Range{First: 80, End: 110}, TestLarge: datasets.Range{First: 110, End: 130},
	}); split != want {
		t.Fatalf("parts %+v, want %+v", split, want)
	}
	if len(d.Graphs) != 130 || len(d.Classes) != 130 || d.NumClasses() != 10 || d.AttributeDim != 1 || d.Digest != d.ComputeDigest() {
		t.Fatalf("%d graphs, %d classes of %d values, %d attributes, digest %s", len(d.Graphs), len(d.Classes), d.NumClasses(), d.AttributeDim, d.Digest)
	}
	seen := map[string]bool{}
	for k := range d.Graphs {
		lo, hi := 4, 25
		if k >= split.TestLarge.First {
			lo, hi = 26, 100
		}
		checkTriangles(t, &d.Graphs[k], d.ClassValues[d.Classes[k]], lo, hi)
		key := fmt.Sprint(d.Graphs[k].Neighbors)
		if seen[key] {
			t.Errorf("graph %d comes twice", k)
		}
		seen[key] = true
	}
	for _, part := range []datasets.Range{split.Train, split.Validation, split.Test, split.TestLarge} {
		balanced(t, d.Classes[part.First:part.End], 10)
	}
	ascending := func(r datasets.Range) bool {
		for k := r.First + 1; k < r.End; k++ {
			if d.Classes[k] < d.Classes[k-1] {
				return false
			}
		}
		return true
	}
	if !ascending(split.Train) || !ascending(split.Validation) || !ascending(split.Test) || ascending(split.TestLarge) {
		t.Errorf("classes %v, want label by label, the large graphs permuted", d.Classes)
	}
	again, err := datasets.Triangles(set, rand.New(rand.NewPCG(1, 2)))
	if err != nil || again.Digest != d.Digest {
		t.Errorf("the same seed gave digests %s and %s, error %v", d.Digest, again.Digest, err)
	}
	other, err := datasets.Triangles(set, rand.New(rand.NewPCG(1, 3)))
	if err != nil || other.Digest == d.Digest {
		t.Errorf("another seed gave digest %s, error %v", other.Digest, err)
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

// TestTriangleSettings: a set of one's own, and what is rejected.
func TestTriangleSettings(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	set := &datasets.TriangleSettings{MinOrder: 6, MaxOrder: 9, Labels: []int{0, 3}, Train: 5}
	d := must.Get(datasets.Triangles(set, rng))
	if !reflect.DeepEqual(d.ClassValues, []int{0, 3}) || len(d.Graphs) != 10 || set.Split().Train.Len() != 10 || set.Split().TestLarge.Len() != 0 {
		t.Errorf("%d graphs of classes %v, parts %+v", len(d.Graphs), d.ClassValues, set.Split())
	}
	if want := (datasets.Range{First: 40000, End: 45000}); (*datasets.TriangleSettings)(nil).Split().TestLarge != want {
		t.Errorf("the large graphs of the collection are %+v, want %+v", (*datasets.TriangleSettings)(nil).Split().TestLarge, want)
	}
	for _, c := range []struct {
		set  datasets.TriangleSettings
		want string
	}{
		{datasets.TriangleSettings{MinOrder: 2}, "orders 2 to 25"},
		{datasets.TriangleSettings{MinOrder: 30}, "orders 30 to 25"},
		{datasets.TriangleSettings{MaxOrder: 1 << 30}, "orders 4 to 1073741824"},
		{datasets.TriangleSettings{MinLarge: 200}, "orders 200 to 100 of large"},
		{datasets.TriangleSettings{Labels: []int{}}, "no number of triangles"},
		{datasets.TriangleSettings{Labels: []int{-1}}, "numbers of triangles [-1]"},
		{datasets.TriangleSettings{Labels: []int{2, 1}}, "numbers of triangles [2 1]"},
		{datasets.TriangleSettings{Labels: []int{1, 1}}, "numbers of triangles [1 1]"},
		{datasets.TriangleSettings{Labels: []int{21}}, "numbers of triangles [21]"},
		{datasets.TriangleSettings{MaxOrder: 4}, "10 triangles in graphs of at most 4 nodes, want at most 4"},
		{datasets.TriangleSettings{Train: -1}, "-1, 0, 0 and 0 graphs"},
	} {
		for what, err := range map[string]error{
			"Validate":          c.set.Validate(),
			"Triangles":         must.Err(datasets.Triangles(&c.set, rng)),
			"NewTriangleStream": must.Err(datasets.NewTriangleStream(&c.set, rng)),
		} {
			must.Fail(t, err, c.want, what, c.set)
		}
	}
	// Three nodes have one graph with a triangle; four nodes never have three.
	few := &datasets.TriangleSettings{MinOrder: 3, MaxOrder: 3, Labels: []int{1}, Train: 2}
	must.Fail(t, must.Err(datasets.Triangles(few, rng)), "1 graphs of 3 to 3 nodes not met", "two of the one triangle")
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
	split := (*datasets.TriangleSettings)(nil).Split()
	must.Equal(t, split.TestLarge.End, len(real.Graphs), "graphs")
	set := &datasets.TriangleSettings{Train: 500, Validation: 50, Test: 50, TestLarge: 300}
	ours := must.Get(datasets.Triangles(set, rand.New(rand.NewPCG(9, 10))))
	ourSplit := set.Split()
	for _, part := range []struct {
		name         string
		real, ours   datasets.Range
		lo, hi, step int
	}{
		{"train", split.Train, ourSplit.Train, 4, 25, 1},
		{"large test", split.TestLarge, ourSplit.TestLarge, 26, 100, 1},
		{"validation", split.Validation, ourSplit.Validation, 4, 25, 1},
		{"test", split.Test, ourSplit.Test, 4, 25, 1},
	} {
		balanced(t, real.Classes[part.real.First:part.real.End], 10)
		balanced(t, ours.Classes[part.ours.First:part.ours.End], 10)
		var a, b profile
		for k := part.real.First; k < part.real.End; k++ {
			label := real.ClassValues[real.Classes[k]]
			if k%8 == 0 {
				checkTriangles(t, &real.Graphs[k], label, part.lo, part.hi)
			}
			a.add(&real.Graphs[k], label)
		}
		for k := part.ours.First; k < part.ours.End; k++ {
			b.add(&ours.Graphs[k], ours.ClassValues[ours.Classes[k]])
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
