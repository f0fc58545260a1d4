package datasets

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"
	"slices"
	"strconv"
)

// Dataset is a named collection of graphs, with a class for each graph where
// the data have one. One made by hand needs Graphs, and with classes, labels or attributes also
// ClassValues, LabelValues or AttributeDim.
type Dataset struct {
	// Name is the name of the TU collection (see TUName), or the one that the
	// generator or the folder gives.
	Name string
	// Graphs holds the graphs in the order of the data, graphs without nodes
	// included (see WithoutEmpty).
	Graphs []Graph
	// Classes[k] in 0..NumClasses()-1 is the class of graph k; nil where the
	// data have no classes.
	Classes []int
	// ClassValues holds the raw value of each class, ascending.
	ClassValues []int
	// ClassTexts holds the text of each class, ascending, where classes are texts: values are then
	// 0, 1, ...
	ClassTexts []string
	// LabelValues[c] holds the distinct node labels of column c, ascending.
	LabelValues [][]int
	// LabelTexts holds the text of each label, ascending, where the labels of the one column are
	// texts: values are then 0, 1, ...
	LabelTexts []string
	// Names holds the name of each graph, "" where it has none; nil where no graph has one.
	Names []string
	// AttributeDim is the number of real attributes per node.
	AttributeDim int
	// Weighted says that the edges of the graphs have weights.
	Weighted bool
	// ZeroWeight is the place of the first edge of weight 0, as "FILE:LINE: what"; "" where
	// there is none. Such an edge has no length (see KindShortestPath).
	ZeroWeight string
	// UnusedEdges says that the files hold attributes of edges, and none was read.
	UnusedEdges bool
	// LabelProblem and AttributeProblem say why node labels or attributes could not be read, as
	// "FILE:LINE: what"; "" where there are none or they were read. The data set has then none, and
	// Features that need them fail with this text.
	LabelProblem, AttributeProblem string
	// Doubts are sentences on probable mistakes in the files.
	Doubts []string
	// Digest is the hexadecimal SHA-256 of the parsed content, as
	// ComputeDigest returns it.
	Digest string
}

// NumClasses returns the number of distinct classes, 0 without classes.
func (d *Dataset) NumClasses() int { return len(d.ClassValues) }

// ClassNames returns classes, each in 0..NumClasses()-1, as the data have them: their texts, or
// their raw values; nil for none.
func (d *Dataset) ClassNames(classes []int) (names []string) {
	for _, k := range classes {
		if d.ClassTexts != nil {
			names = append(names, d.ClassTexts[k])
		} else {
			names = append(names, strconv.Itoa(d.ClassValues[k]))
		}
	}
	return names
}

// MedianOrder returns the median number of nodes, rounded down: the order that
// the paper gives to its atoms. It is 0 for a data set without graphs.
func (d *Dataset) MedianOrder() int { return int(math.Floor(d.medianOrder())) }

func (d *Dataset) medianOrder() float64 {
	k := len(d.Graphs)
	if k == 0 {
		return 0
	}
	orders := make([]int, k)
	for i := range d.Graphs {
		orders[i] = d.Graphs[i].Order()
	}
	slices.Sort(orders)
	return float64(orders[(k-1)/2]+orders[k/2]) / 2
}

// WithoutEmpty returns the data set without its graphs of order 0, on which no
// transport is defined, and how many there were. Where there are none it
// returns d itself; otherwise the graphs are shared with d, classes that have
// no other graph go too, and the digest is computed anew.
func (d *Dataset) WithoutEmpty() (*Dataset, int) {
	kept := *d
	kept.Graphs, kept.Classes, kept.Names = nil, nil, nil
	for k := range d.Graphs {
		if d.Graphs[k].Order() == 0 {
			continue
		}
		kept.Graphs = append(kept.Graphs, d.Graphs[k])
		if d.Classes != nil {
			kept.Classes = append(kept.Classes, d.Classes[k])
		}
		if d.Names != nil {
			kept.Names = append(kept.Names, d.Names[k])
		}
	}
	removed := len(d.Graphs) - len(kept.Graphs)
	if removed == 0 {
		return d, 0
	}
	used := slices.Compact(slices.Sorted(slices.Values(kept.Classes)))
	kept.ClassValues, kept.ClassTexts = nil, nil
	for k, c := range used {
		if d.ClassTexts == nil {
			kept.ClassValues = append(kept.ClassValues, d.ClassValues[c])
		} else {
			kept.ClassValues, kept.ClassTexts = append(kept.ClassValues, k), append(kept.ClassTexts, d.ClassTexts[c])
		}
	}
	for i, c := range kept.Classes {
		kept.Classes[i], _ = slices.BinarySearch(used, c)
	}
	kept.Digest = kept.ComputeDigest()
	return &kept, removed
}

// digestTag is hashed first, so that another encoding never yields an equal
// digest by accident.
const digestTag = "ogdl data set, encoding 1\n"

// weightedTag takes its place where edges have weights.
const weightedTag = "ogdl data set with edge weights, encoding 1\n"

// textTag is hashed before either where classes or labels are texts.
const textTag = "ogdl data set with texts, encoding 1\n"

// ComputeDigest returns the hexadecimal SHA-256 of the graphs, the classes, and the values and texts
// of classes and labels. Graphs count with orders, edges, their weights, and the nodes' labels and
// attributes bit by bit. Name, Names, ZeroWeight, UnusedEdges, LabelProblem, AttributeProblem, Doubts
// and Digest do not count. Two files that differ only in the order or the repetition of edges, in
// spacing or in line ends have the same digest.
func (d *Dataset) ComputeDigest() string {
	w := NewDigester(d, len(d.Graphs))
	for k := range d.Graphs {
		w.Add(&d.Graphs[k])
	}
	return w.Sum()
}

// Digester computes the digest of a data set whose graphs are never in memory
// all at once.
type Digester struct {
	h hash.Hash
	w *bufio.Writer // to h
}

// NewDigester begins with everything in d but its graphs (its own Graphs play
// no part) and the number of graphs that will be added.
func NewDigester(d *Dataset, graphs int) *Digester {
	h := sha256.New()
	w := &Digester{h, bufio.NewWriterSize(h, 1<<15)}
	if d.ClassTexts != nil || d.LabelTexts != nil {
		w.w.WriteString(textTag)
		w.texts(d.ClassTexts)
		w.texts(d.LabelTexts)
	}
	if d.Weighted {
		w.w.WriteString(weightedTag)
	} else {
		w.w.WriteString(digestTag)
	}
	w.number(graphs)
	w.number(d.AttributeDim)
	w.numbers(d.ClassValues)
	w.numbers(d.Classes)
	w.number(len(d.LabelValues))
	for _, values := range d.LabelValues {
		w.numbers(values)
	}
	return w
}

// Add continues with the next graph.
func (d *Digester) Add(g *Graph) {
	d.number(g.Order())
	for _, nb := range g.Neighbors {
		d.number(len(nb))
		for _, j := range nb {
			d.w.Write(binary.LittleEndian.AppendUint32(d.w.AvailableBuffer(), uint32(j)))
		}
	}
	d.number(len(g.Labels))
	for _, column := range g.Labels {
		d.numbers(column)
	}
	d.floats(g.Attributes)
	for _, weights := range g.Weights {
		d.floats(weights)
	}
}

// Sum returns the digest that Dataset.ComputeDigest returns for the whole, once
// every graph has been added. Nothing may be added afterwards.
func (d *Digester) Sum() string {
	d.w.Flush()
	return hex.EncodeToString(d.h.Sum(nil))
}

func (d *Digester) word(v uint64) {
	d.w.Write(binary.LittleEndian.AppendUint64(d.w.AvailableBuffer(), v))
}

func (d *Digester) number(v int) { d.word(uint64(v)) }

func (d *Digester) numbers(vs []int) {
	d.number(len(vs))
	for _, v := range vs {
		d.number(v)
	}
}

func (d *Digester) texts(texts []string) {
	d.number(len(texts))
	for _, text := range texts {
		d.number(len(text))
		d.w.WriteString(text)
	}
}

func (d *Digester) floats(xs []float64) {
	d.number(len(xs))
	for _, x := range xs {
		d.word(math.Float64bits(x))
	}
}
