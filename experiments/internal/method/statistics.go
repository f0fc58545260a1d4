package method

import (
	"context"

	"ogdl/experiments/internal/spec"
	"ogdl/internal/artifact"
	"ogdl/reports/summary"
)

// statisticsMethod returns the row that counts graphs, nodes and classes of a data set.
func statisticsMethod() Row {
	return Row{Fit: fitStatistics, Method: spec.Method{
		Name:    "statistics",
		Version: 1,
		Doc:     "graphs, classes, orders, connectivity and attributes of a data set",
		Tables:  []string{summary.TableDatasets},
		Input:   spec.InputGraphs,
		Once:    true,
	}}
}

func fitStatistics(_ context.Context, t *Task) (*Result, error) {
	s := t.Data.Statistics()
	row := artifact.DatasetRow{
		Name: s.Name, Graphs: s.Graphs, Classes: s.Classes,
		MeanNodes: s.MeanOrder, MinNodes: s.MinOrder, MaxNodes: s.MaxOrder, MedianNodes: s.MedianOrder,
		MeanEdges: s.MeanEdges, Connectivity: s.Connectivity, Attributes: "none",
	}
	switch {
	case s.AttributeDim > 0:
		row.Attributes, row.AttributeDim = "real", s.AttributeDim
	case len(s.LabelCounts) > 0:
		row.Attributes = "discrete"
		for _, n := range s.LabelCounts {
			row.AttributeDim += n
		}
	}
	return &Result{Scores: row.Scores()}, nil
}
