package reports

import (
	"slices"
	"strings"
)

// kind is a family of clustering tables. Its name is that of the family's main
// table, the beginning of the other tables' names, and the name under which
// printed.toml has the paper's numbers.
type kind struct {
	name  string
	title string // titles of the tables begin with it
	// methods and datasets are the rows and columns that the paper prints, in
	// its order.
	methods, datasets []string
	printed           Printed
}

// kindOf returns the family that a spec asks for; what is no clustering table
// is ordered as the main one.
func kindOf(printed Printed, tab string) kind {
	k := kind{name: TableClustering, title: "Clustering", printed: printed}
	switch tab {
	case TableEnzymes:
		k.name, k.title = tab, "Clustering of ENZYMES, batches of 64"
	case TableGWKMeans:
		k.name, k.title = tab, "Clustering by GW k-means on embedded graphs"
	}
	k.methods, k.datasets = printed.methods(k.name), printed.datasets(k.name)
	return k
}

// score is what the paper prints for a row and a data set.
func (k kind) score(row, dataset string) (PrintedScore, bool) {
	return k.printed.score(k.name, row, dataset)
}

// Parameters and values that say which row a cell belongs to.
const (
	paramClusterBy = "cluster_by"
	paramStarts    = "unmix_starts"
	byGWKMeans     = "gw_kmeans"
)

// method spells a record's method as the paper does, whatever its case.
func (k kind) method(name string) string {
	for _, c := range k.printed.Scores {
		if strings.EqualFold(c.Method, name) {
			return c.Method
		}
	}
	return name
}

// row is the row of the table that a cell belongs to. The paper prints GDL (and
// GDL_h) for lambda = 0 apart from lambda > 0, which is GDL_lambda (GDL_h_lambda)
// here. What unmixes from more starts than the paper's, or is clustered in another way than
// the family's tables say, has a row of its own, which the paper does not print.
func (k kind) row(method string, p params) string {
	row := k.method(method)
	if v := p.at(paramLambda); (row == "GDL" || row == "GDL_h") && v.isNum && v.number > 0 {
		row += suffixLambda
	}
	row += startsOf(p)
	if by, given := p.get(paramClusterBy); given && (by.text == byGWKMeans) != (k.name == TableGWKMeans) {
		row += " by " + by.text
	}
	return row
}

// startsOf names the starts of an unmixing beside the paper's, the product coupling:
// ", sorted start"; "" for none.
func startsOf(p params) string {
	starts := strings.Split(p.at(paramStarts).text, "+")[1:]
	switch len(starts) {
	case 0:
		return ""
	case 1:
		return ", " + starts[0] + " start"
	}
	return ", " + strings.Join(starts, " and ") + " starts"
}

// rank orders names that the paper prints as it does, others behind them.
func rank(list []string, name string) int {
	if i := slices.Index(list, name); i >= 0 {
		return i
	}
	return len(list)
}
