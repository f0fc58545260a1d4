package eval_test

import (
	"fmt"
	"math"
	"testing"

	"ogdl/eval"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"

	"pgregory.net/rapid"
)

func TestRandIndexTable(t *testing.T) {
	tests := []struct {
		name    string
		a, b    []int
		ri, ari float64
	}{
		{"no items", nil, nil, 1, 1},
		{"one item", []int{3}, []int{-1}, 1, 1},
		{"renamed", []int{0, 0, 1, 1}, []int{7, 7, -2, -2}, 1, 1},
		{"crossed", []int{0, 0, 1, 1}, []int{0, 1, 0, 1}, 1. / 3, -0.5},
		{"one cluster against halves", []int{0, 0, 0, 0}, []int{0, 0, 1, 1}, 1. / 3, 0},
		{"one cluster against singletons", []int{0, 0, 0}, []int{0, 1, 2}, 0, 0},
		{"one cluster twice", []int{5, 5, 5}, []int{1, 1, 1}, 1, 1},
		{"singletons twice", []int{2, 1, 0}, []int{0, 1, 2}, 1, 1},
		// pairs: both 1 (the first two), only a 1, only b 0, neither 4
		{"one moved", []int{0, 0, 1, 1}, []int{0, 0, 1, 2}, 5. / 6, 4. / 7},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			must.Check(t, eval.RandIndex(tt.a, tt.b), tt.ri, "RandIndex")
			must.Check(t, eval.AdjustedRandIndex(tt.a, tt.b), tt.ari, "AdjustedRandIndex")
		})
	}
}

func TestTrivialLevelsBuiltIn(t *testing.T) {
	// The class sizes and levels of three of the paper's data sets.
	for _, tt := range []struct {
		name        string
		sizes       []int
		one, random float64
	}{
		{"MUTAG", []int{63, 125}, 0.5519968141995676, 0.5},
		{"ENZYMES", []int{100, 100, 100, 100, 100, 100}, 0.1652754590984975, 0.723149693934335},
		{"IMDB-BINARY", []int{500, 500}, 0.4994994994994995, 0.5},
	} {
		t.Run(tt.name, func(t *testing.T) { checkTrivial(t, tt.sizes, tt.one, tt.random) })
	}
}

func checkTrivial(t *testing.T, sizes []int, one, random float64) {
	t.Helper()
	var classes []int
	for c, size := range sizes {
		for range size {
			classes = append(classes, c)
		}
	}
	must.Check(t, eval.OneClusterRI(classes), one, "OneClusterRI")
	must.Within(t, eval.IndependentRI(classes, len(sizes)), random, 1e-15, "IndependentRI")
}

func TestSharedReference(t *testing.T) {
	var misc struct {
		RandIndex []struct {
			A, B    []int
			RI, ARI float64
		} `json:"rand_index"`
		Trivial map[string]struct {
			One     float64 `json:"one_cluster"`
			Random  float64 `json:"random_equal_clusters"`
			Classes []int
		} `json:"trivial_RI"`
	}
	sharedtest.JSON(t, "misc.json", &misc)
	if len(misc.RandIndex) == 0 || len(misc.Trivial) == 0 {
		t.Fatal("misc.json holds no examples")
	}
	for k, e := range misc.RandIndex {
		must.Check(t, eval.RandIndex(e.A, e.B), e.RI, "example %d: RandIndex", k)
		must.Check(t, eval.AdjustedRandIndex(e.A, e.B), e.ARI, "example %d: AdjustedRandIndex", k)
	}
	for name, e := range misc.Trivial {
		t.Run(name, func(t *testing.T) { checkTrivial(t, e.Classes, e.One, e.Random) })
	}
}

func TestIndependentRIMean(t *testing.T) {
	rng := newRand(3)
	classes := []int{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2}
	const draws = 20000
	var mean float64
	labels := make([]int, len(classes))
	for range draws {
		for i := range labels {
			labels[i] = rng.IntN(4)
		}
		mean += eval.RandIndex(classes, labels) / draws
	}
	// The standard deviation of one index is below 0.1, that of the mean below 0.001.
	must.Within(t, mean, eval.IndependentRI(classes, 4), 0.003, "mean of random labels, and IndependentRI")
}

// TestPairsProperties compares with the count over all pairs, and checks what both indices
// are invariant under.
func TestPairsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(t, "n")
		// Up to 100 names makes the contingency table sparse at times.
		names := rapid.SampledFrom([]int{1, 2, 3, 6, 100}).Draw(t, "names")
		label := rapid.IntRange(-names/2, names-1-names/2)
		a := rapid.SliceOfN(label, n, n).Draw(t, "a")
		b := rapid.SliceOfN(label, n, n).Draw(t, "b")

		var both, onlyA, onlyB, neither float64
		for i := range n {
			for j := range i {
				switch inA, inB := a[i] == a[j], b[i] == b[j]; {
				case inA && inB:
					both++
				case inA:
					onlyA++
				case inB:
					onlyB++
				default:
					neither++
				}
			}
		}
		all := both + onlyA + onlyB + neither
		ri := 1.0
		if all > 0 {
			ri = (both + neither) / all
		}
		must.Equal(t, eval.RandIndex(a, b), ri, "RandIndex, and by counted pairs")
		// Hubert & Arabie's form, (index - expected) / (maximal - expected).
		ari := 1.0
		if onlyA+onlyB > 0 {
			expected := (both + onlyA) * (both + onlyB) / all
			ari = (both - expected) / ((2*both+onlyA+onlyB)/2 - expected)
		}
		got := eval.AdjustedRandIndex(a, b)
		must.Within(t, got, ari, 1e-12, "AdjustedRandIndex")
		if eval.RandIndex(b, a) != ri || eval.AdjustedRandIndex(b, a) != got {
			t.Fatal("not symmetric")
		}
		renamed := make([]int, n)
		for i := range a {
			renamed[i] = 1000 - 3*a[i]
		}
		if eval.RandIndex(renamed, b) != ri || eval.AdjustedRandIndex(renamed, b) != got {
			t.Fatal("depends on the names of the clusters")
		}
	})
}

func TestLabelsOfDifferentLengthPanic(t *testing.T) {
	must.Panic(t, "", map[string]func(){
		"RandIndex":         func() { eval.RandIndex([]int{1}, nil) },
		"AdjustedRandIndex": func() { eval.AdjustedRandIndex([]int{1}, nil) },
	})
	if ri := eval.IndependentRI([]int{1}, 0); !math.IsNaN(ri) {
		t.Errorf("of no clusters: %v, expected NaN", ri)
	}
}

func ExampleRandIndex() {
	classes := []int{0, 0, 0, 1, 1, 1}
	clusters := []int{2, 2, 2, 2, 5, 5} // one of the second class strayed
	fmt.Printf("RI %.3f, ARI %.3f\n", eval.RandIndex(classes, clusters), eval.AdjustedRandIndex(classes, clusters))
	fmt.Printf("one cluster %.3f, independent labels %.3f\n", eval.OneClusterRI(classes), eval.IndependentRI(classes, 2))
	// Output:
	// RI 0.667, ARI 0.324
	// one cluster 0.400, independent labels 0.500
}
