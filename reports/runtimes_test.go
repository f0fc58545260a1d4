package reports

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ogdl/internal/record"
	"ogdl/internal/test/golden"
	"ogdl/internal/test/must"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"ogdl/reports/tables"
)

// timed is a run that times embeddings: two cells of one row, one failed, one
// without times, and others that the paper does not have.
func timed() (*grid, []record.Timing) {
	g := &grid{spec: summary.Spec{Name: "times", Table: summary.TableRuntimes}}
	var timings []record.Timing
	cell := func(dataset, method string, params map[string]any, rep int, ms float64) {
		e := g.ask(dataset, method, params, rep)
		g.leave(e, record.Record{Status: record.OK, Scores: map[string]float64{"objective": 0.1 + float64(rep)/10},
			Convergence: record.Convergence{Solves: 200, Iterations: 900},
			Provenance:  record.Provenance{Revision: "abc", GoVersion: "go1.26", GOARCH: "amd64"}})
		tm := record.Timing{ID: e.ID, Seconds: 2, CPUSeconds: 1.5, PeakRSS: 5e7, Host: "bench", CPU: "Processor 9",
			Started: time.Date(2026, 1, 2, 3, 4+len(timings), 0, 0, time.UTC)}
		if ms > 0 {
			tm.Embed = &record.EmbedTimes{Graphs: 150 * (rep + 1), MeanMS: ms, MedianMS: ms / 2, P90MS: 2 * ms}
		}
		timings = append(timings, tm)
	}
	for rep, ms := range []float64{0.3, 0.6} {
		cell("IMDB-BINARY", "GDL-time", map[string]any{"atoms": 12, "epochs": 10}, rep, ms)
	}
	cell("IMDB-M", "GDL-time", map[string]any{"atoms_per_class": 4, "epochs": 10}, 0, 0.25)
	g.recs[len(g.recs)-1].Params = map[string]any{"atoms_per_class": 4, "atoms": 12, "epochs": 10}
	cell("IMDB-M", "GDL-time", map[string]any{"atoms": 18, "epochs": 10}, 0, 0)
	cell("IMDB-M", "GWF-time", map[string]any{"atoms": 12, "init": "random"}, 0, 4)
	cell("IMDB-M", "GWF-time", map[string]any{"atoms": 12, "init": "fixed"}, 0, 5)
	cell("MUTAG", "GDL-time", map[string]any{"atoms": 8, "epochs": 10}, 0, 1)
	e := g.ask("IMDB-M", "GWF-time", map[string]any{"atoms": 18, "init": "random"}, 0)
	g.leave(e, record.Record{Status: record.Timeout, Reason: "not done after 1m"})
	g.ask("IMDB-M", "GWF-time", map[string]any{"atoms": 18, "init": "random"}, 1)
	return g, timings
}

func TestRuntimesGolden(t *testing.T) {
	g, timings := timed()
	stable, unstable := tablesOf(g.timed(timings, nil))
	golden.Check(t, "testdata/runtimes.txt", terminal(t, append(unstable, stable...), 0))
	must.Do(t, writeTables(t.TempDir(), append(unstable, stable...)))
}

func TestRuntimes(t *testing.T) {
	g, timings := timed()
	tabs := tables.Runtimes(g.timed(timings, nil))
	tab := tabs[0]
	// No times, no number.
	row := find(t, tab, "IMDB-M", "18", "GDL")
	for _, column := range []string{"ours, mean", "median", "90th percentile", "paper / ours", "graphs", "mean objective"} {
		if got := at(t, tab, row, column); got.Kind != table.Missing {
			t.Errorf("%s: %q", column, got.Plain())
		}
	}
	notes := strings.Join(tab.Notes, "\n")
	must.Contain(t, notes, "IMDB-M GWF, 18 atoms, 2 cells: 1 timeout (not done after 1m), 1 missing.")
	if strings.Contains(notes, "Warning") {
		t.Errorf("one machine warns:\n%s", notes)
	}
	timings[0].Host = "other"
	must.Contain(t, strings.Join(tables.Runtimes(g.timed(timings, nil))[0].Notes, "\n"),
		"Warning: the times were measured on 2 machines")
	numberless(t, tables.Runtimes(g.without()), "paper", "atoms")
}

func TestTimingMethodsGolden(t *testing.T) {
	g := sixMethods()
	var timings []record.Timing
	costs := map[string]summary.Cost{}
	for i, r := range g.recs {
		timings = append(timings, record.Timing{ID: r.ID, Seconds: 1, CPUSeconds: 0.5 + float64(i%3), PeakRSS: int64(50+i) * 1e6})
	}
	for i := range 8 {
		costs[fmt.Sprintf("%08d", 10*i)] = summary.Cost{Blocks: 2, Seconds: 5}
	}
	golden.Check(t, "testdata/timing_methods.txt", terminal(t, []table.Table{tables.Timings(g.timed(timings, costs))[0]}, 0))
	numberless(t, tables.Timings(g.without())[:1])
}
