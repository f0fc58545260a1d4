package reports

import "strings"

// What [FigureDistances] compares over all pairs of graphs. They are names of
// arrays in a cell's npz: vectors of n(n-1)/2 distances, the upper triangle of the n x n
// matrix row by row, all roots of their objectives.
const (
	DistancesGraphs     = "distances_graphs"     // GW distance between graphs
	DistancesModels     = "distances_models"     // GW distance between embedded graphs
	DistancesEmbeddings = "distances_embeddings" // Mahalanobis distance between embeddings
	// DistancesClasses holds the class of every graph, where there are classes.
	DistancesClasses = "classes"
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
	return coefficient + "_" + strings.TrimPrefix(p.X, distancesPrefix) + "_" + strings.TrimPrefix(p.Y, distancesPrefix)
}

const distancesPrefix = "distances_"
