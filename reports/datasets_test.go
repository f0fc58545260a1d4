package reports

import (
	"testing"

	"ogdl/datasets/loader"
	"ogdl/internal/artifact"
	"ogdl/internal/record"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/golden"
	"ogdl/internal/test/must"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/tables"
)

// datasetGrid has the records of data sets, and four that are not there.
func datasetGrid(rows ...artifact.DatasetRow) *grid {
	g := &grid{spec: summary.Spec{Table: summary.TableDatasets}}
	for _, r := range rows {
		g.leave(g.ask(r.Name, "statistics", nil, 0), record.Record{Status: record.OK, Scores: r.Scores()})
	}
	return g
}

func datasetRows() []artifact.DatasetRow {
	return []artifact.DatasetRow{
		{Name: "mine", Graphs: 3, Classes: 2, MeanNodes: 4, MinNodes: 1, MaxNodes: 9, MedianNodes: 2, Attributes: "none"},
		{Name: "COX2", Graphs: 467, Classes: 2, MeanNodes: 41.225, MinNodes: 32, MaxNodes: 56, MedianNodes: 41,
			MeanEdges: 43.45, Connectivity: 5.425, Attributes: "real", AttributeDim: 3},
		{Name: "IMDB-BINARY", Graphs: 1000, Classes: 2, MeanNodes: 19.773, MinNodes: 12, MaxNodes: 136, MedianNodes: 17,
			MeanEdges: 96.53, Connectivity: 55.539, Attributes: "none"},
	}
}

func TestDatasetsGolden(t *testing.T) {
	g := datasetGrid(datasetRows()...)
	g.ask("PTC-MR", "statistics", nil, 0)
	g.leave(g.ask("b", "statistics", nil, 0), record.Record{Status: record.Skipped, Reason: "not fetched"})
	g.leave(g.ask("c", "statistics", nil, 0), record.Record{Status: record.OK, Scores: map[string]float64{"graphs": 1}})
	golden.Check(t, "testdata/datasets.txt", terminal(t, tables.Datasets(g.frame()), 0))
}

// The eight sets as they are loaded differ from the paper's table in what
// ../shared/tudatasets/README.md names, and in nothing else.
func TestDatasetsAgainstPaper(t *testing.T) {
	want := map[string]string{
		"IMDB-B": "-", "IMDB-M": "-", "MUTAG": "dimension (+4)", "PTC-MR": "-", "BZR": "-",
		"COX2": "connectivity (+0.18)", "PROTEIN": "mean nodes (+10.00)", "ENZYMES": "-",
	}
	if testing.Short() {
		t.Skip("reads all data sets")
	}
	var names []string
	printed := paper.Numbers()
	for _, p := range printed.Datasets {
		names = append(names, p.TU)
	}
	dir := sharedtest.Data(t, names...)
	var rows []artifact.DatasetRow
	for _, p := range printed.Datasets {
		d := must.Get(loader.Load(dir, p.TU))
		s := d.Statistics()
		row := artifact.DatasetRow{Name: p.Name, Graphs: s.Graphs, Classes: s.Classes, MeanNodes: s.MeanOrder, MinNodes: s.MinOrder,
			MaxNodes: s.MaxOrder, MedianNodes: s.MedianOrder, MeanEdges: s.MeanEdges, Connectivity: s.Connectivity, Attributes: "none"}
		switch {
		case s.AttributeDim > 0:
			row.Attributes, row.AttributeDim = "real", s.AttributeDim
		case len(s.LabelCounts) > 0:
			row.Attributes, row.AttributeDim = "discrete", s.LabelCounts[0]
		}
		rows = append(rows, row)
	}
	tab := tables.Datasets(datasetGrid(rows...).frame())[0]
	for name, differs := range want {
		reads(t, tab, find(t, tab, name, "ours"), map[string]string{"differs in": differs})
	}
}

func TestTimingsGolden(t *testing.T) {
	g := mutag()
	var timings []record.Timing
	for i, r := range g.recs {
		if r.Dataset != "IMDB-B" {
			timings = append(timings, record.Timing{ID: r.ID, Seconds: float64(i) + 0.5, CPUSeconds: float64(i), PeakRSS: int64(i) * 1e6})
		}
	}
	golden.Check(t, "testdata/timings.txt", terminal(t, tables.Timings(g.timed(timings, nil)), 0))
	numberless(t, tables.Timings(g.frame())[:1])
}
