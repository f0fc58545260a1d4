package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
)

// FeatureKind names what nodes have as features, Scaling how these are scaled.
type (
	FeatureKind string
	Scaling     string
)

// Kinds of node features and of their scaling.
const (
	// KindNone leaves the nodes without features: GW instead of FGW.
	KindNone FeatureKind = "none"
	// KindLabels is the one-hot code of the discrete labels, the codes of
	// several columns side by side, values ascending.
	KindLabels FeatureKind = "labels"
	// KindAttributes takes the real attributes.
	KindAttributes FeatureKind = "attributes"
	// KindDegree is one feature, the number of the node's neighbours. Every
	// graph has it.
	KindDegree FeatureKind = "degree"

	// ScalingNone leaves attributes as they are, as the paper does.
	ScalingNone Scaling = "none"
	// ScalingStandardise gives every attribute mean 0 and variance 1 over all
	// nodes of the data set that was fitted; a constant attribute becomes 0.
	ScalingStandardise Scaling = "standardise"
)

// maxFeatureValues bounds the values of one data set's features: 2 GiB.
const maxFeatureValues = 1 << 28

// Features says how nodes get their feature vectors.
type Features struct {
	// Kind is KindNone, KindLabels, KindAttributes or KindDegree; "" means
	// KindNone.
	Kind FeatureKind
	// Scaling is ScalingNone or, for KindAttributes only,
	// ScalingStandardise; "" means ScalingNone.
	Scaling Scaling
}

// Validate reports a kind or a scaling that is not allowed.
func (f Features) Validate() error {
	switch f.Kind {
	case "", KindNone, KindLabels, KindAttributes, KindDegree:
	default:
		return fmt.Errorf("datasets: features %q, want %q, %q, %q or %q", f.Kind, KindNone, KindLabels, KindAttributes, KindDegree)
	}
	switch f.Scaling {
	case "", ScalingNone:
	case ScalingStandardise:
		if f.Kind != KindAttributes {
			return fmt.Errorf("datasets: scaling %q goes with features %q only", f.Scaling, KindAttributes)
		}
	default:
		return fmt.Errorf("datasets: scaling %q, want %q or %q", f.Scaling, ScalingNone, ScalingStandardise)
	}
	return nil
}

// Of returns the features of every graph of the data set: rows[k] holds n_k
// rows of dim values. Without features rows is nil and dim 0. It is Fit
// followed by Apply on the same data set.
func (f Features) Of(d *Dataset) (rows [][]float64, dim int, err error) {
	m, err := f.Fit(d)
	if err != nil {
		return nil, 0, err
	}
	rows, err = m.Apply(d)
	return rows, m.Dim, err
}

// FeatureMap is what Features learns from a data set: new graphs go through the
// map of the graphs that a dictionary was fitted on. Its fields are plain data,
// so that it can be stored with the dictionary.
type FeatureMap struct {
	Kind FeatureKind
	// Dim is the number of features per node.
	Dim int
	// Values[c] holds the coded values of label column c, ascending.
	Values [][]int `json:",omitempty"`
	// Texts holds the texts of the coded values, ascending, where labels are texts.
	Texts []string `json:",omitempty"`
	// Mean and Scale are set when attributes are standardised:
	// (x - Mean) / Scale.
	Mean  []float64 `json:",omitempty"`
	Scale []float64 `json:",omitempty"`
}

// Fit learns the map from the data set's nodes. It is an error if the data set
// does not have the labels or attributes that are asked for.
func (f Features) Fit(d *Dataset) (*FeatureMap, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	switch f.Kind {
	case KindLabels:
		if d.LabelProblem != "" {
			return nil, fmt.Errorf("datasets: features %q: %s", f.Kind, d.LabelProblem)
		}
		if len(d.LabelValues) == 0 {
			return nil, fmt.Errorf("datasets: features %q, but %s has no node labels", f.Kind, d.Name)
		}
		m := &FeatureMap{Kind: KindLabels, Texts: slices.Clone(d.LabelTexts)}
		for _, values := range d.LabelValues {
			m.Values = append(m.Values, slices.Clone(values))
			m.Dim += len(values)
		}
		return m, nil
	case KindAttributes:
		if d.AttributeProblem != "" {
			return nil, fmt.Errorf("datasets: features %q: %s", f.Kind, d.AttributeProblem)
		}
		if d.AttributeDim == 0 {
			return nil, fmt.Errorf("datasets: features %q, but %s has no node attributes", f.Kind, d.Name)
		}
		m := &FeatureMap{Kind: KindAttributes, Dim: d.AttributeDim}
		if f.Scaling == ScalingStandardise {
			m.Mean, m.Scale = moments(d)
			for c := range m.Mean {
				// The squares of finite attributes may overflow, or vanish.
				if s := m.Mean[c] + m.Scale[c]; m.Scale[c] == 0 || math.IsInf(s, 0) || math.IsNaN(s) {
					return nil, fmt.Errorf("datasets: attribute %d of %s is too large or too small to be standardised", c, d.Name)
				}
			}
		}
		return m, nil
	case KindDegree:
		return &FeatureMap{Kind: KindDegree, Dim: 1}, nil
	}
	return &FeatureMap{Kind: KindNone}, nil
}

// moments returns the mean and the standard deviation of each attribute over
// all nodes; a constant attribute has its value and 1.
func moments(d *Dataset) (mean, scale []float64) {
	dim, nodes := d.AttributeDim, 0
	mean, scale = make([]float64, dim), make([]float64, dim)
	first, varies := make([]float64, dim), make([]bool, dim)
	for k := range d.Graphs {
		for i, x := range d.Graphs[k].Attributes {
			c := i % dim
			if nodes == 0 && i < dim {
				first[c] = x
			}
			varies[c] = varies[c] || x != first[c]
			mean[c] += x
		}
		nodes += d.Graphs[k].Order()
	}
	n := float64(max(nodes, 1))
	for c := range mean {
		mean[c] /= n
	}
	for pass := range 2 {
		clear(scale)
		off := make([]float64, dim) // by what the sums have rounded the means
		for k := range d.Graphs {
			for i, x := range d.Graphs[k].Attributes {
				e := x - mean[i%dim]
				scale[i%dim] += float64(e * e)
				off[i%dim] += e / n
			}
		}
		for c := range scale {
			if pass == 0 && math.Abs(mean[c]) > 1e8*math.Sqrt(scale[c]/n) {
				mean[c] += off[c]
			}
		}
	}
	for c := range scale {
		scale[c] = math.Sqrt(scale[c] / n)
		// Sums round: only equality tells that there is no spread.
		if !varies[c] {
			mean[c], scale[c] = first[c], 1
		}
	}
	return mean, scale
}

// Check returns an error where the map breaks the promises of its fields, as one that
// was read from a file may: Apply relies on them.
func (m *FeatureMap) Check() error {
	if m == nil {
		return errors.New("datasets: the map of features is nil")
	}
	dim := 0
	switch m.Kind {
	case KindNone:
	case KindLabels:
		for _, values := range m.Values {
			dim += len(values)
		}
	case KindAttributes:
		dim = max(m.Dim, 0)
	case KindDegree:
		dim = 1
	default:
		return fmt.Errorf("datasets: features %q, want %q, %q, %q or %q", m.Kind, KindNone, KindLabels, KindAttributes, KindDegree)
	}
	if m.Texts != nil && (m.Kind != KindLabels || len(m.Values) != 1 || len(m.Texts) != dim) {
		return fmt.Errorf("datasets: features %q of dimension %d with %d texts", m.Kind, dim, len(m.Texts))
	}
	if m.Dim != dim {
		return fmt.Errorf("datasets: features %q have dimension %d, want %d", m.Kind, m.Dim, dim)
	}
	for c, values := range m.Values {
		if !ascending(values) {
			return fmt.Errorf("datasets: the values of label column %d do not ascend", c)
		}
	}
	if !ascending(m.Texts) {
		return errors.New("datasets: the texts of the labels do not ascend")
	}
	if m.Mean == nil && m.Scale == nil {
		return nil
	}
	if m.Kind != KindAttributes || len(m.Mean) != dim || len(m.Scale) != dim {
		return fmt.Errorf("datasets: features %q of dimension %d with %d means and %d scales", m.Kind, dim, len(m.Mean), len(m.Scale))
	}
	for c, s := range m.Scale {
		if mean := m.Mean[c]; !(s > 0 && s <= math.MaxFloat64 && math.Abs(mean) <= math.MaxFloat64) {
			return fmt.Errorf("datasets: attribute %d has mean %v and scale %v, want finite numbers, the scale above 0", c, mean, s)
		}
	}
	return nil
}

// ascending reports whether each entry is above the one before.
func ascending[T cmp.Ordered](x []T) bool {
	for i := range len(x) - 1 {
		if !(x[i] < x[i+1]) {
			return false
		}
	}
	return true
}

// Unseen is a label of a graph that a FeatureMap does not know.
type Unseen struct {
	Graph int    // in the data set
	Label string // the integer or the text
	Nodes int    // that have it
}

// Apply returns the features of every graph: rows[k] holds n_k rows of Dim values, or rows is nil
// without features. A label that the map does not know, another number of label columns or of
// attributes, labels that are texts where the map's are integers or the other way round, and
// features of more than 2 GiB are errors.
func (m *FeatureMap) Apply(d *Dataset) ([][]float64, error) {
	rows, unseen, err := m.ApplyKnown(d)
	if err == nil && len(unseen) > 0 {
		u := unseen[0]
		return nil, fmt.Errorf("datasets: graph %d of %s: label %s is not among the %d known ones", u.Graph, d.Name, u.Label, m.Dim)
	}
	return rows, err
}

// ApplyKnown is Apply where nodes with a label that the map does not know have zeros in its
// columns; unseen lists such labels, graph by graph.
func (m *FeatureMap) ApplyKnown(d *Dataset) (rows [][]float64, unseen []Unseen, err error) {
	if m.Kind == KindNone {
		return nil, nil, nil
	}
	nodes := 0
	for k := range d.Graphs {
		nodes += d.Graphs[k].Order()
	}
	if m.Dim > 0 && nodes > maxFeatureValues/m.Dim {
		return nil, nil, fmt.Errorf("datasets: %d nodes of %s with %d features each are more than the %d values allowed",
			nodes, d.Name, m.Dim, maxFeatureValues)
	}
	for kind, problem := range map[FeatureKind]string{KindLabels: d.LabelProblem, KindAttributes: d.AttributeProblem} {
		if m.Kind == kind && problem != "" {
			return nil, nil, fmt.Errorf("datasets: features %q: %s", kind, problem)
		}
	}
	if m.Kind == KindAttributes && d.AttributeDim != m.Dim && nodes > 0 {
		return nil, nil, fmt.Errorf("datasets: %s has %d node attributes, want %d", d.Name, d.AttributeDim, m.Dim)
	}
	rows = make([][]float64, len(d.Graphs))
	for k := range d.Graphs {
		g := &d.Graphs[k]
		row := make([]float64, g.Order()*m.Dim)
		rows[k] = row
		switch m.Kind {
		case KindLabels:
			mine, err := m.oneHot(g, d.LabelTexts, row)
			if err != nil {
				return nil, nil, fmt.Errorf("datasets: graph %d of %s: %w", k, d.Name, err)
			}
			for _, label := range slices.Sorted(maps.Keys(mine)) {
				unseen = append(unseen, Unseen{k, label, mine[label]})
			}
		case KindDegree:
			for i := range row {
				row[i] = float64(g.Degree(i))
			}
		default:
			if len(g.Attributes) != len(row) {
				return nil, nil, fmt.Errorf("datasets: graph %d of %s has %d attributes, expected %d of each of %d nodes",
					k, d.Name, len(g.Attributes), m.Dim, g.Order())
			}
			copy(row, g.Attributes)
			if m.Mean != nil {
				for i := range row {
					c := i % m.Dim
					row[i] = (row[i] - m.Mean[c]) / m.Scale[c]
				}
			}
		}
	}
	return rows, unseen, nil
}

// oneHot codes the labels of a graph, and counts those that are not known. texts are the labels'
// texts, nil for integers.
func (m *FeatureMap) oneHot(g *Graph, texts []string, row []float64) (unseen map[string]int, err error) {
	switch {
	case g.Order() == 0:
		return nil, nil
	case len(g.Labels) == 0 && len(m.Values) > 0:
		return nil, fmt.Errorf("features %q need node labels, and there is no file of them (NAME_node_labels.txt, or \"labels\" in JSON Lines)", KindLabels)
	case len(g.Labels) != len(m.Values):
		return nil, fmt.Errorf("the file of node labels has %d a line, and the features were made for %d", len(g.Labels), len(m.Values))
	case (texts == nil) != (m.Texts == nil):
		return nil, fmt.Errorf("node labels are %s, and the features were made for %s", kindOf(texts), kindOf(m.Texts))
	}
	first := 0
	for c, column := range g.Labels {
		if len(column) != g.Order() {
			return nil, fmt.Errorf("%d labels of %d nodes", len(column), g.Order())
		}
		for i, v := range column {
			var at int
			var known bool
			label := ""
			if texts != nil {
				label = texts[v]
				at, known = slices.BinarySearch(m.Texts, label)
			} else if at, known = slices.BinarySearch(m.Values[c], v); !known {
				label = strconv.Itoa(v)
			}
			if known {
				row[i*m.Dim+first+at] = 1
				continue
			}
			if unseen == nil {
				unseen = map[string]int{}
			}
			unseen[label]++
		}
		first += len(m.Values[c])
	}
	return unseen, nil
}

// kindOf returns the kind of labels with these texts.
func kindOf(texts []string) string {
	if texts == nil {
		return "integers"
	}
	return "texts"
}
