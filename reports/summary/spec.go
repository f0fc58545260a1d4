// Package summary groups the runs of a report by row and setting, and selects settings.
package summary

import "strings"

// Spec is the head of a configuration: name, table and number of re-runs.
type Spec struct {
	// Name of the configuration, for titles: "clustering-quick".
	Name string
	// Table is the kind of tables that are asked for: one of the constants
	// below. "" is [TableClustering].
	Table string
	// Confirm is how many fresh repetitions are asked for of each chosen
	// configuration, for tables to have a column for; 0: none.
	Confirm int
}

// The kinds of tables.
const (
	TableClustering = "clustering"           // the paper's main table
	TableEnzymes    = "clustering_enzymes"   // the supplement's, batches of 64
	TableGWKMeans   = "clustering_gw_kmeans" // the supplement's, GW k-means on embedded graphs
	TableRuntimes   = "runtimes"             // time to embed one graph
	TableDatasets   = "datasets"             // statistics of the data sets

	TableClassification = "classification" // the supplement's three tables of accuracies
)

// The kinds of figures. Configurations of clustering tables get figures as well: scores against
// parameters, losses, and time against quality.
const (
	FigureAtoms         = "figure_atoms"         // atoms as matrices and as graphs (the paper's Figure 1)
	FigureSimplex       = "figure_simplex"       // embeddings in the simplex of three atoms (Figure 2)
	FigureInterpolation = "figure_interpolation" // graphs and models between two atoms (Figure 3)
	FigureDistances     = "figure_distances"     // distances of embeddings against distances of graphs (Figure 4)
	FigureWeights       = "figure_weights"       // graphs and their models with node weights (Figure 5)
	FigureOnline        = "figure_online"        // losses on streams (Figure 6)
)

// IsFigure reports whether a kind is one of the figures above.
func IsFigure(kind string) bool { return strings.HasPrefix(kind, "figure_") }

// Expected is one cell that a grid asks for. Its fields are the fields of the
// record that the cell will leave behind.
type Expected struct {
	ID      string // the cell's identity, as in record.Record
	Method  string // "GDL"
	Dataset string // "MUTAG"
	// Params are all resolved parameters. The tables read some of them by name, such as "alpha",
	// "lambda", "atoms" and "cluster_by"; the others only tell configurations apart. Numbers are
	// int, int64, float64 or json.Number: 4, int64(4) and 4.0 are equal.
	Params     map[string]any
	BaseSeed   int64
	Repetition int
	// Place is the index of the cell in its grid. It breaks ties: the first setting is selected.
	Place int
	// Confirm is set for a cell that confirms a choice: the chosen configuration on a repetition
	// that it was not chosen by. Tables show the scores of re-runs in columns of their own.
	// Selection, sweeps and stability ignore them.
	Confirm bool
	// Race is set for a cell whose row races: only settings that can still be selected are
	// computed.
	Race bool
}

// Titled is a table's title with the configuration's name.
func (s Spec) Titled(what string) string {
	if s.Name == "" {
		return what
	}
	return what + " (" + s.Name + ")"
}

// IsClustering tells the clustering tables, whose choices can be confirmed, from others; "" is the paper's main one.
func IsClustering(tab string) bool {
	return tab == "" || tab == TableClustering || tab == TableEnzymes || tab == TableGWKMeans
}
