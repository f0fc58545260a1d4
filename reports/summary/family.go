package summary

import (
	"cmp"
	"slices"
	"strings"

	"ogdl/internal/words"
	"ogdl/reports/paper"
	"ogdl/reports/table"
)

// Family is a family of tables of scores. Its name is the name of the family's main
// table, the beginning of the other tables' names, and the name under which
// printed.toml has the paper's numbers.
type Family struct {
	Name  string
	Title string // titles of the tables begin with it
	// Methods and datasets are the rows and columns that the paper prints, in its order.
	Methods, Datasets []string
	Metric            *Metric
	Printed           paper.Printed
}

// FamilyOf returns the family of a kind of table. Kinds without scores get the clustering family,
// for its order of rows.
func FamilyOf(tab string) Family {
	printed := paper.Numbers()
	k := Family{Name: TableClustering, Title: "Clustering", Metric: RandIndex(), Printed: printed}
	switch tab {
	case TableEnzymes:
		k.Name, k.Title = tab, "Clustering of ENZYMES, batches of 64"
	case TableGWKMeans:
		k.Name, k.Title = tab, "Clustering by GW k-means on embedded graphs"
	case TableClassification:
		k.Name, k.Title, k.Metric = tab, "Classification", Accuracy(printed)
	}
	k.Methods, k.Datasets = printed.ScoreRows(k.Name), printed.ScoreDatasets(k.Name)
	return k
}

// CompareRows orders rows as the paper does, by its categories where it has them; rows that it does not print come last in theirs.
func (k Family) CompareRows(a, b string) int {
	place := func(row string) int { return slices.Index(k.Categories(), k.Category(row)) }
	return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(Rank(k.Methods, a), Rank(k.Methods, b)))
}

// Categories are the paper's, in its order, and "" for rows that it does not have.
func (k Family) Categories() []string {
	of := Pick(k.Printed.Categories, func(c paper.Category) bool { return c.Table == k.Name })
	return append(paper.Distinct(of, func(c paper.Category) string { return c.Name }), "")
}

// Category is the paper's category of a row; "" where it has none.
func (k Family) Category(row string) string {
	method, _, _ := strings.Cut(row, " (") // the method is before " (" or ","
	method, _, _ = strings.Cut(method, ",")
	return k.Printed.Category(k.Name, method).Name
}

// Score returns the paper's value for a row and a data set, and whether there is one.
func (k Family) Score(row, dataset string) (paper.PrintedScore, bool) {
	return k.Printed.Score(k.Name, row, dataset)
}

// PrintedCell returns the paper's value as a table cell, blank if there is none.
func (k Family) PrintedCell(row, dataset string) table.Cell {
	p, ok := k.Score(row, dataset)
	if !ok {
		return table.Cell{}
	}
	return paper.Stat{Mean: p.Mean, Std: p.Std, N: k.Metric.Sampling(dataset).Printed}.Cell("")
}

// Parameters and values that say which row a cell belongs to.
const (
	paramClusterBy      = "cluster_by"
	paramStarts         = "unmix_starts"
	byGWKMeans          = "gw_kmeans"
	byWeights           = "weights"
	byScaled            = "scaled_weights"
	paramRepresentation = "representation"
	paramFolds          = "folds"
)

// IsNetwork reports whether a row is one of the networks: their printed numbers are means over the ten folds of one partition, with an epoch
// chosen by these.
func IsNetwork(row string) bool { return row == "GIN-0" || row == "PSCN" }

// asPrinted are the parameters of the protocol of classification, with the paper's value (of a network's folds it is "partition"): other
// values have rows of their own.
var asPrinted = [...]struct{ param, value string }{
	{paramFolds, "released"}, {"dictionary_on", "all"}, {"epoch_chosen_on", "test"}, {"inner_folds", "10"}}

// method spells a record's method as the paper does, whatever its case.
func (k Family) method(name string) string {
	for _, c := range k.Printed.Scores {
		if strings.EqualFold(c.Method, name) {
			return c.Method
		}
	}
	return name
}

// Row is the row of the table that a cell belongs to. The paper prints GDL (and GDL_h) for lambda =
// 0 apart from lambda > 0, which is GDL_lambda (GDL_h_lambda) here. Settings with more starts than
// the paper's, or with another cluster_by than the family's, have rows of their own. In the
// classification table rows are of one representation ("FGWK (SP)"), and what departs from the
// paper's protocol has rows of its own ("GDL-w (ADJ), dictionary_on train").
func (k Family) Row(method string, p Params) string {
	row := k.printed(method, p)
	if k.Name == TableClassification {
		for _, x := range asPrinted {
			if x.param == paramFolds && IsNetwork(row) {
				x.value = "partition"
			}
			if v, given := p.Get(x.param); given && v.Text() != x.value {
				row += ", " + x.param + " " + v.Text()
			}
		}
		return row
	}
	row += startsOf(p)
	if by, given := p.Get(paramClusterBy); given && ((by.Text() == byGWKMeans) != (k.Name == TableGWKMeans) || by.Text() == byWeights || by.Text() == byScaled) {
		row += " by " + by.Text()
	}
	return row
}

// printed is a row's [Row.Printed].
func (k Family) printed(method string, p Params) string {
	if k.Name == TableClassification {
		method = strings.TrimSuffix(method, " + MLP") // the paper prints supervised GWF as GWF
		return k.method(method) + paper.SuffixRepresentation(p.At(paramRepresentation).Text())
	}
	row := k.method(method)
	if v := p.At(ParamLambda); (row == "GDL" || row == "GDL_h") && v.IsNum && v.Number > 0 {
		row += paper.SuffixLambda
	}
	return row
}

// base is a row's [Row.Base].
func (k Family) base(method string, p Params) string {
	if k.Name == TableClassification {
		return k.Row(method, p)
	}
	return k.method(method) + startsOf(p)
}

// Represented is the representation of a cell's graphs; "" for methods without.
func Represented(r Run) string { return Params(r.Params).At(paramRepresentation).Text() }

// startsOf names the starts of an unmixing in addition to the paper's, the product coupling: ",
// sorted start"; "" for none.
func startsOf(p Params) string {
	starts := strings.Split(p.At(paramStarts).Text(), "+")[1:]
	return words.If(len(starts) > 0, ", %s start%s", strings.Join(starts, " and "), words.If(len(starts) > 1, "s"))
}

// Rank orders names that the paper prints as it does, others behind them.
func Rank(list []string, name string) int {
	if i := slices.Index(list, name); i >= 0 {
		return i
	}
	return len(list)
}
