package reports

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ogdl/internal/record"
	"ogdl/internal/test/must"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"ogdl/reports/tables"
)

// unlabelledGrid has D2, without classes, by a method with objective and by one without, and MUTAG with classes.
func unlabelledGrid() *grid {
	g := &grid{spec: summary.Spec{Name: "u"}}
	leave := func(method string, alpha float64, rep int, objective float64, clusters ...int) {
		scores := map[string]float64{"inertia": 1}
		if objective > 0 {
			scores["objective"] = objective
		}
		g.leave(g.ask("D2", method, p(alpha, 0, 4), rep), record.Record{Status: record.OK, Scores: scores, Assignment: labels(clusters), EpochLoss: []float64{2, 1}})
	}
	leave("GDL", 0.5, 0, 0.25, 0, 0, 0, 1, 1, 2)
	leave("GDL", 0.5, 1, 0.35, 0, 0, 0, 1, 1, 1)
	leave("GDL", 0.9, 0, 0.5, 0, 0, 0, 1, 1, 2)
	leave("GDL", 0.9, 1, 0.5, 0, 0, 0, 1, 1, 2)
	leave("SC", 1, 0, 0, 0, 1, 0, 1, 0, 1)
	leave("SC", 1, 1, 0, 1, 0, 1, 0, 1, 0)
	leave("GWF-r", 1, 0, 0.125)
	g.five("MUTAG", "GDL", p(0.5, 0, 4), 70, 70)
	return g
}

// TestDataWithoutClasses: tables show what there is of data without classes, and nothing that was computed
// reads missing.
func TestDataWithoutClasses(t *testing.T) {
	g := unlabelledGrid()
	tabs := tables.Clustering(g.frame())
	for _, tab := range tabs {
		if tab.List {
			continue
		}
		tab = tab.Whole()
		for _, row := range tab.Rows {
			for j, c := range row {
				if c.Kind == table.Missing {
					t.Errorf("%s: %s of %s %s reads missing", tab.Name, tab.Columns[j].Title, row[0].Plain(), row[1].Plain())
				}
			}
		}
	}
	tab := named(t, tabs, "clustering_unlabelled")
	row := find(t, tab, "D2", "GDL")
	reads(t, tab, row, map[string]string{
		"objective": "0.300000 (0.050000)", "largest cluster": "50.00", "cluster sizes": "3, 2.5, 0.5", "repetitions": "2 of 2", "configurations": "2 of 2",
		"selected without labels": "alpha 0.5",
	})
	row = find(t, tab, "D2", "SC")
	reads(t, tab, row, map[string]string{"objective": "-", "stability": "100.00", "cluster sizes": "3, 3"})
	row = find(t, tab, "D2", "GWF-r")
	if got := at(t, tab, row, "cluster sizes"); got.Kind != table.Blank {
		t.Errorf("not clustered, sizes %q", got.Plain())
	}
	if notes := strings.Join(tab.Notes, "\n"); !strings.Contains(notes, "D2 GWF-r: not clustered, as there are no classes") || !strings.Contains(notes, "clusters = N") ||
		strings.Contains(notes, "without a Rand Index") {
		t.Errorf("notes:\n%s", notes)
	}
	for _, name := range []string{"clustering", "clustering_careful", "clustering_layout"} {
		for _, row := range named(t, tabs, name).Rows {
			if row[0].Text == "D2" {
				t.Errorf("%s has a row of D2", name)
			}
		}
	}
	// Without a data set that has classes there is no table of Rand Indices.
	only := &grid{asked: g.asked[:7], recs: g.recs[:7]}
	if tabs := tables.Clustering(only.frame()); tabs[0].Name != "clustering_unlabelled" {
		t.Errorf("the first table is %s", tabs[0].Name)
	}
	// What is asked for and not computed is missing as ever, in the table where the data set is.
	only.ask("D2", "GW-k", p(1, 0, 4), 0)
	tabs = tables.Clustering(only.frame())
	if got := at(t, tabs[0], find(t, tabs[0], "D2", "GW-k"), "stability"); tabs[0].Name != "clustering_unlabelled" || got.Kind != table.Missing {
		t.Errorf("not computed, in %s: %q", tabs[0].Name, got.Plain())
	}
}

// TestFiguresWithoutClasses: stability against alpha, and the loss of the configuration chosen without labels.
func TestFiguresWithoutClasses(t *testing.T) {
	g := unlabelledGrid()
	figs, _, err := drawnOf(g.frame(), nil)
	if got := strings.Join(names(figs), " "); err != nil || got != "sweep_alpha loss" {
		t.Fatalf("%s, %v", got, err)
	}
	rows := figs[0].Data[0].Rows
	if len(rows) != 2 || strings.Join(rows[1][:10], " ") != "D2 GDL 0.9 2     100 50" {
		t.Errorf("%v", rows)
	}
	if shownPage, err := NewFolder(t.TempDir()).Draw(t.Context(), "", figs); err != nil || len(shownPage) != 2 {
		t.Errorf("%d drawn, %v", len(shownPage), err)
	}
	timings := []record.Timing{{ID: g.recs[0].ID, Seconds: 1}, {ID: g.recs[1].ID, Seconds: 1}}
	if timed := timedFiguresOf(g.timed(timings, nil)); len(timed) != 0 {
		t.Errorf("a Rand Index against time: %v", names(timed))
	}
}

// TestTwoMainTables: data sets with and without classes both stand in the terminal and at the head of the page, those of the paper first; and
// each link of the page leads to a file.
func TestTwoMainTables(t *testing.T) {
	dir := t.TempDir()
	r := must.Get(Render(t.Context(), dir, unlabelledGrid().frame(), Options{}))
	must.Do(t, r.Write(t.Context()))
	var shown strings.Builder
	must.Do(t, r.Show(&shown, 120))
	text := must.Get(os.ReadFile(filepath.Join(dir, IndexPage)))
	head, _, _ := strings.Cut(string(text), `<h2 id="details">`)
	first, second := strings.Index(head, `id="table-clustering_layout"`), strings.Index(head, `id="table-clustering_unlabelled"`)
	if !strings.Contains(shown.String(), "D2") || !strings.Contains(shown.String(), "MUTAG") || first < 0 || second < first {
		t.Errorf("tables at %d and %d of the page, and in the terminal\n%s", first, second, shown.String())
	}
	links := regexp.MustCompile(`href="([^"#]+)"`).FindAllStringSubmatch(string(text), -1)
	for _, link := range links {
		if strings.HasPrefix(link[1], "../") {
			continue
		}
		must.Do(t, must.Err(os.Stat(filepath.Join(dir, link[1]))))
	}
	if len(links) < 20 {
		t.Errorf("%d links", len(links))
	}
}

// TestShowIsShort: what a command shows of a table is a line a row of at most 120 columns, and each warning once.
func TestShowIsShort(t *testing.T) {
	g := unlabelledGrid()
	for i := range g.recs {
		g.recs[i].Provenance.Sources = strings.Repeat("0123456789abcdef"[i%16:i%16+1], 64)
	}
	r := must.Get(Render(t.Context(), "dir", g.frame(), Options{}))
	var shown strings.Builder
	must.Do(t, r.Show(&shown, 120))
	for line := range strings.SplitSeq(shown.String(), "\n") {
		if len(line) > 120 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
	if n := strings.Count(shown.String(), "Warning:"); n != 1 {
		t.Errorf("%d warnings\n%s", n, shown.String())
	}
}
