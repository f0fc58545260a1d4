package main

import (
	"context"

	"ogdl/internal/artifact"
	"ogdl/reports/summary"
)

// statisticsMethod fits nothing: it counts what a data set holds.
func statisticsMethod() row {
	return row{fit: fitStatistics, method: method{
		name:    "statistics",
		version: 1,
		doc:     "graphs, classes, orders, connectivity and attributes of a data set",
		tables:  []string{summary.TableDatasets},
		input:   inputGraphs,
		once:    true,
		cost:    costStatistics,
		disk:    diskStatistics,
	}}
}

func fitStatistics(_ context.Context, t *task) (*fitted, error) {
	s := t.data.Statistics()
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
	return &fitted{scores: row.Scores()}, nil
}
