package artifact

// DatasetRow holds the statistics of one data set: a row of the table.
type DatasetRow struct {
	Name         string // the paper's or the TU name
	Graphs       int
	Classes      int
	MeanNodes    float64
	MinNodes     int
	MaxNodes     int
	MedianNodes  float64
	MeanEdges    float64 // distinct undirected edges
	Connectivity float64 // percent: 100 times the mean of 2|E| / (n-1)^2
	// Attributes is "none", "discrete" or "real", and AttributeDim the number
	// of one-hot columns or real attributes.
	Attributes   string
	AttributeDim int
}

// Scores returns the numbers of the row for a record's Scores; its Attributes
// become "attributes_real" and "attributes_discrete", 0 or 1.
func (r DatasetRow) Scores() map[string]float64 {
	is := func(kind string) float64 {
		if r.Attributes == kind {
			return 1
		}
		return 0
	}
	return map[string]float64{
		"graphs": float64(r.Graphs), "classes": float64(r.Classes),
		"mean_nodes": r.MeanNodes, "min_nodes": float64(r.MinNodes), "max_nodes": float64(r.MaxNodes),
		"median_nodes": r.MedianNodes, "mean_edges": r.MeanEdges, "connectivity": r.Connectivity,
		"attribute_dim": float64(r.AttributeDim), "attributes_real": is("real"), "attributes_discrete": is("discrete"),
	}
}

// AttributesOf reads Attributes of what [DatasetRow.Scores] wrote.
func AttributesOf(s map[string]float64) string {
	switch {
	case s["attributes_real"] == 1:
		return "real"
	case s["attributes_discrete"] == 1:
		return "discrete"
	}
	return "none"
}
