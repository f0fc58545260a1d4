package datasets

// Statistics sums up a data set as the paper's table of data sets does.
type Statistics struct {
	Name    string
	Graphs  int
	Classes int
	// Orders of the graphs.
	MeanOrder          float64
	MinOrder, MaxOrder int
	MedianOrder        float64 // not rounded: 17.5 for MUTAG
	// MeanEdges is the mean number of distinct undirected edges.
	MeanEdges float64
	// Connectivity, in per cent, is 100 times the mean over graphs of
	// 2|E| / (n-1)^2; a graph with fewer than two nodes counts as 0. This is
	// the definition behind the paper's column (a complete graph has more
	// than 100).
	Connectivity float64
	// AttributeDim is the number of real attributes per node, LabelCounts the
	// number of distinct values of each label column.
	AttributeDim int
	LabelCounts  []int
	// IsolatedNodes counts the nodes without a neighbour, Disconnected the
	// graphs of more than one component.
	IsolatedNodes, Disconnected int
}

// Statistics computes the table row of the data set in O(nodes + edges). All
// means of a data set without graphs are 0.
func (d *Dataset) Statistics() Statistics {
	s := Statistics{
		Name: d.Name, Graphs: len(d.Graphs), Classes: d.NumClasses(),
		MedianOrder: d.medianOrder(), AttributeDim: d.AttributeDim,
	}
	for _, values := range d.LabelValues {
		s.LabelCounts = append(s.LabelCounts, len(values))
	}
	if s.Graphs == 0 {
		return s
	}
	nodes, edges, connectivity := 0, 0, 0.0
	s.MinOrder = d.Graphs[0].Order()
	for k := range d.Graphs {
		g := &d.Graphs[k]
		n, e := g.Order(), g.Edges()
		nodes += n
		edges += e
		s.MinOrder = min(s.MinOrder, n)
		s.MaxOrder = max(s.MaxOrder, n)
		if n > 1 {
			connectivity += 2 * float64(e) / (float64(n-1) * float64(n-1))
		}
		for i := range n {
			if g.Degree(i) == 0 {
				s.IsolatedNodes++
			}
		}
		if count, _ := g.Components(); count > 1 {
			s.Disconnected++
		}
	}
	k := float64(s.Graphs)
	s.MeanOrder = float64(nodes) / k
	s.MeanEdges = float64(edges) / k
	s.Connectivity = 100 * connectivity / k
	return s
}
