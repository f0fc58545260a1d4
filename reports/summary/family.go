package summary

import (
	"slices"
	"strings"

	"ogdl/reports/paper"
)

// Family is a family of clustering tables. Its name is that of the family's main
// table, the beginning of the other tables' names, and the name under which
// printed.toml has the paper's numbers.
type Family struct {
	Name  string
	Title string // titles of the tables begin with it
	// Methods and datasets are the rows and columns that the paper prints, in
	// its order.
	Methods, Datasets []string
	Metric            *Metric
	Printed           paper.Printed
}

// FamilyOf returns the family that a spec asks for; what is no clustering table
// is ordered as the main one.
func FamilyOf(printed paper.Printed, tab string) Family {
	k := Family{Name: TableClustering, Title: "Clustering", Metric: RandIndex(), Printed: printed}
	switch tab {
	case TableEnzymes:
		k.Name, k.Title = tab, "Clustering of ENZYMES, batches of 64"
	case TableGWKMeans:
		k.Name, k.Title = tab, "Clustering by GW k-means on embedded graphs"
	}
	k.Methods, k.Datasets = printed.ScoreRows(k.Name), printed.ScoreDatasets(k.Name)
	return k
}

// Score is what the paper prints for a row and a data set.
func (k Family) Score(row, dataset string) (paper.PrintedScore, bool) {
	return k.Printed.Score(k.Name, row, dataset)
}

// Parameters and values that say which row a cell belongs to.
const (
	paramClusterBy = "cluster_by"
	paramStarts    = "unmix_starts"
	byGWKMeans     = "gw_kmeans"
)

// method spells a record's method as the paper does, whatever its case.
func (k Family) method(name string) string {
	for _, c := range k.Printed.Scores {
		if strings.EqualFold(c.Method, name) {
			return c.Method
		}
	}
	return name
}

// Row is the row of the table that a cell belongs to. The paper prints GDL (and
// GDL_h) for lambda = 0 apart from lambda > 0, which is GDL_lambda (GDL_h_lambda)
// here. What unmixes from more starts than the paper's, or is clustered in another way than
// the family's tables say, has a row of its own, which the paper does not print.
func (k Family) Row(method string, p Params) string {
	row := k.method(method)
	if v := p.At(ParamLambda); (row == "GDL" || row == "GDL_h") && v.IsNum && v.Number > 0 {
		row += paper.SuffixLambda
	}
	row += startsOf(p)
	if by, given := p.Get(paramClusterBy); given && (by.Text == byGWKMeans) != (k.Name == TableGWKMeans) {
		row += " by " + by.Text
	}
	return row
}

// startsOf names the starts of an unmixing beside the paper's, the product coupling:
// ", sorted start"; "" for none.
func startsOf(p Params) string {
	starts := strings.Split(p.At(paramStarts).Text, "+")[1:]
	switch len(starts) {
	case 0:
		return ""
	case 1:
		return ", " + starts[0] + " start"
	}
	return ", " + strings.Join(starts, " and ") + " starts"
}

// Rank orders names that the paper prints as it does, others behind them.
func Rank(list []string, name string) int {
	if i := slices.Index(list, name); i >= 0 {
		return i
	}
	return len(list)
}
