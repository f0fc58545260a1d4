package own

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strconv"

	"ogdl/datasets"
	"ogdl/internal/words"
)

// Placed holds graphs with their embeddings: the columns of graphs.csv and of embed's CSV.
type Placed struct {
	Data      *datasets.Dataset // without graphs that have no nodes
	LeftOut   string            // says how many those are, "" where there are none
	Number    []int             // of each graph in the file, from 0
	Name      []string          // "" where it has none
	Class     []string          // as the file has it; nil without classes
	Predicted []string          // class predicted by an SVM that was not trained on the graph; nil without -classify

	Weights        []float64 // graphs x atoms
	NodeWeights    []float64 // graphs x atoms, where the atoms' node weights differ
	Reconstruction []float64
	Cluster        []int     // nil without clusters
	Distance       []float64 // to the centre of the cluster, in the Mahalanobis metric
	Percentile     []float64 // see Rank; nil where nobody knows the errors of a fit
}

// Unlike is the percentile of the fit's reconstruction errors above which a graph counts as unlike
// the fit's graphs.
const Unlike = 99

// fewestRanked is the least number of graphs that an error is ranked among, if the fit has as many.
const fewestRanked = 100

// Rank sets the percentile of each reconstruction error among the errors of graphs of a fit: 0 up
// to the lowest, linear between neighbours, 100 from the highest on. Errors depend on the order of
// the graph. Only the graphs nearest in order count: at least 100, if there are that many. Errors
// above Tukey's fence, 1.5 interquartile ranges above the upper quartile, do not count: these
// graphs are outliers themselves. Errors that differ by rounding or less are equal.
func (p *Placed) Rank(orders []int, errs []float64, rounding float64) {
	near := map[int][]float64{} // by order, ascending
	for i, e := range p.Reconstruction {
		order := p.Data.Graphs[i].Order()
		if near[order] == nil {
			off := make([]int, len(orders))
			for k, o := range orders {
				off[k] = max(o-order, order-o)
			}
			farthest := slices.Sorted(slices.Values(off))[min(fewestRanked, len(off))-1]
			for k, err := range errs {
				if off[k] <= farthest {
					near[order] = append(near[order], err)
				}
			}
			slices.Sort(near[order])
			near[order] = belowFence(near[order])
		}
		p.Percentile = append(p.Percentile, percentile(near[order], e, rounding))
	}
}

// belowFence returns the numbers of a sorted list up to Tukey's fence.
func belowFence(sorted []float64) []float64 {
	last := len(sorted) - 1
	low, high := sorted[last/4], sorted[3*last/4]
	above := slices.IndexFunc(sorted, func(x float64) bool { return x-high > 1.5*(high-low) })
	if above < 0 {
		return sorted
	}
	return sorted[:above]
}

// percentile is the place of an error among sorted ones. Those within rounding of it are not below.
func percentile(sorted []float64, e, rounding float64) float64 {
	switch k, _ := slices.BinarySearch(sorted, e-rounding); k {
	case 0:
		return 0
	case len(sorted):
		return 100
	default:
		return 100 * (float64(k-1) + min(1, (e-sorted[k-1])/(sorted[k]-sorted[k-1]))) / float64(len(sorted)-1)
	}
}

// Place numbers the graphs of a data set that have nodes.
func Place(d *datasets.Dataset) Placed {
	var p Placed
	for i := range d.Graphs {
		if d.Graphs[i].Order() > 0 {
			p.Number = append(p.Number, i)
		}
	}
	var empty int
	if p.Data, empty = d.WithoutEmpty(); empty > 0 {
		p.LeftOut = words.Plural(empty, "graph without nodes is left out.", "graphs without nodes are left out.")
	}
	if p.Name = p.Data.Names; p.Name == nil {
		p.Name = make([]string, len(p.Number))
	}
	p.Class = p.Data.ClassNames(p.Data.Classes)
	return p
}

// CSV returns a table with a line for each graph. It has columns of classes and percentiles if
// these are known. The columns of clusters are empty if there are none.
func (p *Placed) CSV() ([]byte, error) {
	lines := make([][]string, 1+len(p.Number))
	short := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	add := func(name string, of func(i int) string) {
		lines[0] = append(lines[0], name)
		for i := range p.Number {
			lines[i+1] = append(lines[i+1], of(i))
		}
	}
	text := func(name string, of []string) {
		if of != nil {
			add(name, func(i int) string { return words.CSV(of[i]) })
		}
	}
	add("graph", func(i int) string { return strconv.Itoa(p.Number[i]) })
	text("name", p.Name)
	text("class", p.Class)
	text("predicted", p.Predicted)
	if p.Cluster == nil {
		none := make([]string, len(p.Number))
		text("cluster", none)
		text("distance", none)
	} else {
		add("cluster", func(i int) string { return strconv.Itoa(p.Cluster[i]) })
		add("distance", func(i int) string { return short(p.Distance[i]) })
	}
	add("reconstruction", func(i int) string { return short(p.Reconstruction[i]) })
	if p.Percentile != nil {
		add("percentile", func(i int) string { return short(p.Percentile[i]) })
	}
	for k, weights := range [][]float64{p.Weights, p.NodeWeights} {
		s := len(weights) / len(p.Number)
		for j := range s {
			add("wv"[k:k+1]+strconv.Itoa(j), func(i int) string { return short(weights[i*s+j]) })
		}
	}
	var b bytes.Buffer
	err := csv.NewWriter(&b).WriteAll(lines)
	return b.Bytes(), err
}
