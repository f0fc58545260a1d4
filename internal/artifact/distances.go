package artifact

import (
	"strings"
)

// What [FigureDistances] compares over all pairs of graphs. They are names of
// arrays in a cell's npz: vectors of n(n-1)/2 distances, the upper triangle of the n x n
// matrix row by row, all roots of their objectives.
const (
	DistancesGraphs     = DistancesPrefix + "graphs"     // (F)GW distance between graphs
	DistancesModels     = DistancesPrefix + "models"     // (F)GW distance between embedded graphs
	DistancesEmbeddings = DistancesPrefix + "embeddings" // Mahalanobis distance between embeddings
	// DistancesClasses holds the class of every graph, where there are classes.
	DistancesClasses = "classes"

	DistancesPrefix = "distances_"
)

// Scores that a cell leaves beside the correlations (see [DistancePair.Score]).
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

// Score is the name of a coefficient of the two among a record's scores:
// "pearson_graphs_models".
func (p DistancePair) Score(coefficient string) string {
	return coefficient + "_" + p.key()
}

func (p DistancePair) key() string { return distancesWord(p.X) + "_" + distancesWord(p.Y) }

func distancesWord(name string) string { return strings.TrimPrefix(name, DistancesPrefix) }

// DistancesText says what one of the vectors holds.
func DistancesText(name string) string {
	switch name {
	case DistancesGraphs:
		return "GW, graphs"
	case DistancesModels:
		return "GW, embedded graphs"
	}
	return "Mahalanobis, embeddings"
}
