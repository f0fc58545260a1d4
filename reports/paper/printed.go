// Package paper has the values of the paper, and compares ours with them.
package paper

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"sync"

	"ogdl/internal/artifact"
	"ogdl/internal/words"

	"github.com/BurntSushi/toml"
)

//go:embed printed.toml
var printedTOML string

// Printed holds the numbers that the paper prints.
type Printed struct {
	Scores   []PrintedScore   `toml:"cell"`
	Runtimes []PrintedRuntime `toml:"runtime"`
	Datasets []PrintedDataset `toml:"dataset"`
	// Categories are the blocks of rows of the classification tables.
	Categories []Category `toml:"category"`
	// Correlations are the correlations of Figure 4, which the text gives.
	Correlations []PrintedCorrelation `toml:"correlation"`
}

// PrintedScore is one entry of a clustering table, a Rand Index in percent, or of a classification table, an accuracy in
// percent.
type PrintedScore struct {
	// Table is "clustering" (the paper's main table), "clustering_enzymes"
	// (ENZYMES with batches of 64), "clustering_gw_kmeans" or "classification" (both supplement).
	Table   string `toml:"table"`
	Method  string `toml:"method"`
	Dataset string `toml:"dataset"`
	Lambda  string `toml:"lambda"` // clustering_gw_kmeans: "zero", "positive" or "none"; else ""
	// Representation is the representation of the graphs, as the parameter of that name spells it; "" for methods without.
	Representation string  `toml:"representation"`
	Mean           float64 `toml:"mean"`
	Std            float64 `toml:"std"`
}

// Category is a part of a category of rows in a table.
type Category struct {
	Table   string   `toml:"table"`
	Name    string   `toml:"name"` // as printed
	Methods []string `toml:"methods"`
	// Choices are ours where the paper leaves a method open; remarks on its numbers say them.
	Choices string `toml:"choices"`
}

// PrintedRuntime is the time to embed one graph, in milliseconds, at a relative precision of 1e-4.
type PrintedRuntime struct {
	Dataset string  `toml:"dataset"`
	Atoms   int     `toml:"atoms"`
	GDL     float64 `toml:"GDL"`
	GWF     float64 `toml:"GWF"`
}

// PrintedCorrelation is a Pearson correlation of two of the distances of [FigureDistances]
// over all pairs of a data set's graphs.
type PrintedCorrelation struct {
	Dataset  string  `toml:"dataset"`
	X        string  `toml:"x"` // "graphs" or "models"
	Y        string  `toml:"y"` // "models" or "embeddings"
	Pearson  float64 `toml:"pearson"`
	Decimals int     `toml:"decimals"` // as printed
}

// PrintedDataset is one row of the paper's table of data sets, by its name there.
type PrintedDataset struct {
	artifact.DatasetRow
	TU string `toml:"tu"` // the name of the TU files
	// Remark says where the paper's number cannot be right for the files.
	Remark string `toml:"remark"`
}

// Numbers returns the paper's numbers, parsed from the copy that the
// program carries, once. They are shared: nobody changes them.
func Numbers() Printed { return numbers() }

var numbers = sync.OnceValue(func() (p Printed) {
	meta, err := toml.Decode(printedTOML, &p)
	if err != nil || len(meta.Undecoded()) > 0 {
		panic(fmt.Sprint("reports: printed.toml: ", err, meta.Undecoded())) // built in, and tested
	}
	return p
})

// SuffixLambda ends the names of rows for lambda > 0.
const SuffixLambda = "_lambda"

// Row returns the row of the entry in its table: the method, with
// lambda > 0 or the representation in its name.
func (c PrintedScore) Row() string {
	if c.Lambda == "positive" {
		return c.Method + SuffixLambda
	}
	return c.Method + SuffixRepresentation(c.Representation)
}

// SuffixRepresentation ends the names of rows by their graphs' representation, as the paper does: " (ADJ)"; "" without one.
func SuffixRepresentation(of string) string {
	short := map[string]string{"adjacency": "ADJ", "shortest_path": "SP", "heat_kernel": "heatLAP", "laplacian": "LAP"}
	return words.If(of != "", " (%s)", cmp.Or(short[of], of))
}

// Category is the category of a method's rows.
func (p Printed) Category(tab, method string) Category {
	c, _ := find(p.Categories, func(c Category) bool { return c.Table == tab && slices.Contains(c.Methods, method) })
	return c
}

// Score looks up an entry of a table of scores; the data set goes by either of its names.
func (p Printed) Score(tab, row, dataset string) (PrintedScore, bool) {
	name := p.DatasetName(dataset)
	return find(p.Scores, func(c PrintedScore) bool { return c.Table == tab && c.Row() == row && c.Dataset == name })
}

// find returns the first entry for which is holds.
func find[T any](list []T, is func(T) bool) (found T, ok bool) {
	if i := slices.IndexFunc(list, is); i >= 0 {
		return list[i], true
	}
	return found, false
}

// Pair names the two distances.
func (c PrintedCorrelation) Pair() artifact.DistancePair {
	return artifact.DistancePair{X: artifact.DistancesPrefix + c.X, Y: artifact.DistancesPrefix + c.Y}
}

// Correlation looks up a printed correlation.
func (p Printed) Correlation(dataset string, q artifact.DistancePair) (PrintedCorrelation, bool) {
	return find(p.Correlations, func(c PrintedCorrelation) bool { return c.Dataset == p.DatasetName(dataset) && q == c.Pair() })
}

// Dataset looks up a row of the table of data sets by either name.
func (p Printed) Dataset(name string) (PrintedDataset, bool) {
	return find(p.Datasets, func(d PrintedDataset) bool { return d.Name == name || d.TU == name })
}

// DatasetName is the paper's name of a data set; others keep their own.
func (p Printed) DatasetName(name string) string {
	if d, ok := p.Dataset(name); ok {
		return d.Name
	}
	return name
}

// ScoresOf lists the entries of a table.
func (p Printed) ScoresOf(tab string) []PrintedScore {
	return slices.DeleteFunc(slices.Clone(p.Scores), func(c PrintedScore) bool { return c.Table != tab })
}

// ScoreRows lists the rows of a table of scores in its order.
func (p Printed) ScoreRows(tab string) []string { return Distinct(p.ScoresOf(tab), PrintedScore.Row) }

// ScoreDatasets lists the data sets of a table of scores in its order.
func (p Printed) ScoreDatasets(tab string) []string {
	return Distinct(p.ScoresOf(tab), func(c PrintedScore) string { return c.Dataset })
}

// Distinct lists the names in a list, each once, in their order.
func Distinct[T any, N comparable](list []T, name func(T) N) (out []N) {
	for _, x := range list {
		if n := name(x); !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}
