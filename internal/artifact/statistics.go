package artifact

// DatasetRow holds the statistics of one data set, ours or the paper's: a row of the table.
type DatasetRow struct {
	Name         string  `toml:"name"` // the paper's or the TU name
	Graphs       int     `toml:"graphs"`
	Classes      int     `toml:"classes"`
	MeanNodes    float64 `toml:"mean_nodes"`
	MinNodes     int     `toml:"min_nodes"`
	MaxNodes     int     `toml:"max_nodes"`
	MedianNodes  float64 `toml:"median_nodes"`
	MeanEdges    float64 `toml:"-"`                         // distinct undirected edges; the paper has none
	Connectivity float64 `toml:"mean_connectivity_percent"` // percent: 100 times the mean of 2|E| / (n-1)^2
	// Attributes is "none", "discrete" or "real", and AttributeDim the number
	// of one-hot columns or real attributes.
	Attributes   string `toml:"attributes"`
	AttributeDim int    `toml:"attribute_dim"`
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
