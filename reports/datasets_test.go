package reports

import (
	"fmt"
	"testing"

	"ogdl/datasets/loader"
	"ogdl/internal/artifact"
	"ogdl/internal/record"
	"ogdl/internal/sharedtest"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"ogdl/reports/tables"

	"github.com/google/go-cmp/cmp"
)

func datasetRows() []artifact.DatasetRow {
	return []artifact.DatasetRow{
		{Name: "mine", Graphs: 3, Classes: 2, MeanNodes: 4, MinNodes: 1, MaxNodes: 9, MedianNodes: 2, Attributes: "none"},
		{Name: "COX2", Graphs: 467, Classes: 2, MeanNodes: 41.225, MinNodes: 32, MaxNodes: 56, MedianNodes: 41,
			MeanEdges: 43.45, Connectivity: 5.425, Attributes: "real", AttributeDim: 3},
		{Name: "IMDB-BINARY", Graphs: 1000, Classes: 2, MeanNodes: 19.773, MinNodes: 12, MaxNodes: 136, MedianNodes: 17,
			MeanEdges: 96.53, Connectivity: 55.539, Attributes: "none"},
		{Name: "PTC-MR", Missing: "run scripts/fetch_tudatasets.sh PTC_MR"},
	}
}

func TestDatasetsGolden(t *testing.T) {
	golden(t, "datasets.txt", terminal(t, tables.Datasets(datasetRows()), 0))
}

func TestDatasetScoresRoundTrip(t *testing.T) {
	var g grid
	for i, want := range datasetRows() {
		if want.Missing != "" {
			continue
		}
		e := summary.Expected{ID: fmt.Sprintf("%08x", i), Method: "statistics", Dataset: want.Name}
		g.asked = append(g.asked, e)
		g.recs = append(g.recs, record.Record{ID: e.ID, Status: record.OK, Scores: want.Scores()})
	}
	g.asked = append(g.asked,
		summary.Expected{ID: "1a", Dataset: "a"}, summary.Expected{ID: "1b", Dataset: "b"}, summary.Expected{ID: "1c", Dataset: "c"})
	g.recs = append(g.recs,
		record.Record{ID: "1b", Status: record.Skipped, Reason: "not fetched"},
		record.Record{ID: "1c", Status: record.OK, Scores: map[string]float64{"graphs": 1}})
	got := map[string]artifact.DatasetRow{}
	for _, r := range tables.DatasetRows(g.frame()) {
		got[r.Name] = r
	}
	want := map[string]artifact.DatasetRow{
		"a": {Name: "a", Missing: "not run"},
		"b": {Name: "b", Missing: "skipped: not fetched"},
		"c": {Name: "c", Missing: "the record has no attribute_dim"},
	}
	for _, r := range datasetRows() {
		if r.Missing == "" {
			want[r.Name] = r
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The eight sets as they are loaded differ from the paper's table in what
// ../shared/tudatasets/README.md names, and in nothing else.
func TestDatasetsAgainstPaper(t *testing.T) {
	want := map[string]string{
		"IMDB-B": "nothing", "IMDB-M": "nothing", "MUTAG": "dimension (+4)", "PTC-MR": "nothing", "BZR": "nothing",
		"COX2": "connectivity (+0.18)", "PROTEIN": "mean nodes (+10.00)", "ENZYMES": "nothing",
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
		d, err := loader.Load(dir, p.TU)
		if err != nil {
			t.Fatal(err)
		}
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
	tab := tables.Datasets(rows)[0]
	for name, differs := range want {
		if got := at(t, tab, find(t, tab, name, "ours"), "differs in").Plain(); got != differs {
			t.Errorf("%s differs in %q, want %q", name, got, differs)
		}
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
	golden(t, "timings.txt", terminal(t, tables.Timings(g.timed(timings, nil)), 0))
	tab := tables.Timings(g.frame())[0]
	for _, row := range tab.Rows {
		for _, c := range row {
			if c.Kind == table.Number {
				t.Errorf("without timings there is the number %s", c.Plain())
			}
		}
	}
}
