package artifact

import (
	"iter"
	"math"
	"strings"

	"ogdl/internal/npz"
)

// Names of the compared distances in a cell's npz. Each array is the upper triangle of the n x n
// matrix, n(n-1)/2 distances row by row. They are roots of the objectives.
const (
	DistancesGraphs     = DistancesPrefix + "graphs"     // (F)GW distance between graphs
	DistancesModels     = DistancesPrefix + "models"     // (F)GW distance between embedded graphs
	DistancesEmbeddings = DistancesPrefix + "embeddings" // Mahalanobis distance between embeddings
	// distancesClasses holds the class of every graph, where there are classes.
	distancesClasses = "classes"

	// DistancesPrefix begins their names.
	DistancesPrefix = "distances_"
)

// Pairs are the distances of all pairs of one cell's graphs, by the names above.
type Pairs struct {
	N       int // graphs
	Vectors map[string][]float64
	Classes []int // nil without
}

// Distances are the names of the vectors.
func Distances() []string { return []string{DistancesGraphs, DistancesModels, DistancesEmbeddings} }

// All yields the pairs of graphs in their order, with their places in the vectors.
func (p *Pairs) All() iter.Seq2[int, [2]int] {
	return func(yield func(int, [2]int) bool) {
		for at, i := 0, 0; i < p.N; i++ {
			for j := i + 1; j < p.N; j++ {
				if !yield(at, [2]int{i, j}) {
					return
				}
				at++
			}
		}
	}
}

// Arrays returns the arrays of the distances in a cell's npz.
func (p *Pairs) Arrays() (out []npz.Array) {
	for _, name := range Distances() {
		out = append(out, npz.Array{Name: name, Shape: []int{len(p.Vectors[name])}, Float: p.Vectors[name]})
	}
	if p.Classes != nil {
		out = append(out, npz.Array{Name: distancesClasses, Shape: []int{p.N}, Int: p.Classes})
	}
	return out
}

// ReadPairs finds the distances among a cell's arrays.
func ReadPairs(arrays []npz.Array) (*Pairs, error) {
	f := npz.Among(arrays, "reports: a cell's distances")
	first := f.Floats(DistancesGraphs, 1, false)
	if f.Err() != nil {
		return nil, f.Err()
	}
	m := len(first.Float)
	p := &Pairs{N: int(math.Round((1 + math.Sqrt(1+8*float64(m))) / 2)), Vectors: map[string][]float64{}}
	if p.N*(p.N-1)/2 != m {
		f.Fail(DistancesGraphs, "holds %d numbers, not those of all pairs of some graphs", m)
	}
	for _, name := range Distances() {
		p.Vectors[name] = f.FloatsOf(name, m)
	}
	if f.Has(distancesClasses) {
		p.Classes = f.IntsOf(distancesClasses, p.N)
	}
	return p, f.Err()
}

// Scores of a cell in addition to the correlations (see [DistancePair.Score]).
const (
	// BoundViolations counts the pairs whose embedded graphs are further apart than their
	// embeddings, by more than rounding: Proposition 1 says that there are none.
	BoundViolations = "bound_violations"
	// BoundAttained is the share of pairs whose two distances are equal.
	BoundAttained = "bound_attained"
)

// Coefficients of [DistancePair.Score].
const (
	CoefficientPearson  = "pearson"
	CoefficientSpearman = "spearman"
	CoefficientWithin   = "pearson_within"  // over the pairs of one class
	CoefficientBetween  = "pearson_between" // over the pairs of two classes
)

// DistancePair names two of the vectors.
type DistancePair struct{ X, Y string }

// DistancePairs are the pairs in the order of the paper's figure, from left to right.
func DistancePairs() []DistancePair {
	return []DistancePair{{DistancesGraphs, DistancesModels}, {DistancesGraphs, DistancesEmbeddings}, {DistancesModels, DistancesEmbeddings}}
}

// Score is the name of a coefficient of the two among a record's scores: "pearson_graphs_models".
func (p DistancePair) Score(coefficient string) string {
	return coefficient + "_" + strings.TrimPrefix(p.X, DistancesPrefix) + "_" + strings.TrimPrefix(p.Y, DistancesPrefix)
}

// DistancesText says what one of the vectors holds; graphs are compared by gw, "GW" or "FGW".
func DistancesText(name, gw string) string {
	switch name {
	case DistancesGraphs:
		return gw + ", graphs"
	case DistancesModels:
		return gw + ", embedded graphs"
	}
	return "Mahalanobis, embeddings"
}
