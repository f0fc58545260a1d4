package reports

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/record"
	"ogdl/internal/test/golden"
	"ogdl/internal/test/must"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"ogdl/reports/tables"
)

// sixMethods asks for all that the paper's main table prints, with the parameters
// that differ from method to method, and for a simulated set beside it. One cell
// of COX2 is missing.
func sixMethods() *grid {
	g := &grid{spec: summary.Spec{Name: "six"}}
	two := []int{0, 0, 1, 1, 0, 1}
	with := func(base map[string]any, more ...any) map[string]any {
		out := map[string]any{}
		for k, v := range base {
			out[k] = v
		}
		for i := 0; i < len(more); i += 2 {
			out[more[i].(string)] = more[i+1]
		}
		return out
	}
	for i, dataset := range paper.Numbers().ScoreDatasets(summary.TableClustering) {
		shared := map[string]any{"alpha": 1, "features": "none", "clusters": "classes"}
		alphas := []float64{1}
		if i >= 2 {
			shared["features"] = "attributes"
			alphas = []float64{0.5, 0.9}
		}
		for rep := range 2 {
			ri := 0.5 + float64(i)/100 + float64(rep)/200
			for j, alpha := range alphas {
				b := with(shared, "alpha", alpha)
				objective := 1 + float64(j)
				g.put(dataset, "GDL", with(b, "lambda", 0, "atoms_per_class", 2, "epochs", 10+10*min(i, 1)), rep, ri, 0.1, objective, two...)
				g.put(dataset, "GDL", with(b, "lambda", 0.01, "atoms_per_class", 2, "epochs", 10+10*min(i, 1)), rep, ri, 0.1, objective, two...)
				for _, method := range []string{"GWF-r", "GWF-f"} {
					r := g.put(dataset, method, with(b, "gamma", 0.1, "atoms_per_class", 4), rep, ri, 0.1, objective, two...)
					r.Convergence.MaxGap = 0
					r.Scores["max_marginal_error"] = 1e-5
				}
				g.put(dataset, "GW-k", with(b, "order", "median"), rep, ri, 0.1, objective, two...)
				for _, gamma := range []float64{1, 16} {
					e := with(b, "gamma", gamma, "labels", "kmeans")
					if dataset == "COX2" && rep == 1 {
						g.ask(dataset, "SC", e, rep)
						continue
					}
					r := g.put(dataset, "SC", e, rep, ri, 0.1, 0, two...)
					delete(r.Scores, "objective")
					r.Scores["eigengap"], r.Scores["ncut"] = gamma/100, 0.5
					r.Convergence = record.Convergence{}
					r.Products = []record.Used{{ID: fmt.Sprintf("%08d", 10*i+j), Kind: "gw_distances",
						Convergence: record.Convergence{Solves: 10, CapHits: 1, Iterations: 50, MaxGap: 1e-9}}}
				}
			}
		}
	}
	for rep := range 2 {
		g.put("D1", "GDL", map[string]any{"alpha": 1, "lambda": 0, "atoms": 3, "epochs": 20, "sbm_graphs": 12}, rep, 1, 1, 0.1, two...)
	}
	return g
}

func TestSixMethodsGolden(t *testing.T) {
	g := sixMethods()
	tabs := tables.Clustering(g.frame())
	shown := []table.Table{named(t, tabs, "clustering_convergence"), named(t, tabs, "clustering_layout")}
	golden.Check(t, "testdata/six.txt", terminal(t, shown, 0))
}

// All 48 printed numbers stand in the layout, with ours below.
func TestLayoutIsThePapers(t *testing.T) {
	g := sixMethods()
	layout := named(t, tables.Clustering(g.frame()), "clustering_layout")
	printed := paper.Numbers()
	numbers := 0
	for _, m := range printed.ScoreRows(summary.TableClustering) {
		for _, d := range printed.ScoreDatasets(summary.TableClustering) {
			p, _ := printed.Score(summary.TableClustering, m, d)
			if got := at(t, layout, find(t, layout, m, "paper"), d); got.Value != p.Mean || got.Std != p.Std || got.Kind != table.Number {
				t.Errorf("%s %s: paper %q", m, d, got.Plain())
			}
			if ours := at(t, layout, find(t, layout, m, "selected"), d); ours.Kind == table.Number {
				numbers++
			}
		}
	}
	must.Check(t, numbers, 48, "numbers of ours")
	// Rows and columns that are not asked for are not listed, one line counts them; missing is asked for
	// and not computed.
	part := &grid{}
	for _, e := range g.asked {
		if e.Method == "SC" && (e.Dataset == "MUTAG" || e.Dataset == "COX2") || e.Method == "GW-k" && e.Dataset == "MUTAG" {
			part.asked = append(part.asked, e)
		}
	}
	layout = named(t, tables.Clustering(part.frame()), "clustering_layout")
	if len(layout.Rows) != 4 || len(layout.Columns) != 4 {
		t.Errorf("%d rows, %d columns; want 2 methods of 2 rows on 2 data sets", len(layout.Rows), len(layout.Columns))
	}
	for at2, want := range map[[2]string]string{{"SC", "MUTAG"}: "missing", {"GW-k", "MUTAG"}: "missing", {"GW-k", "COX2"}: "-"} {
		reads(t, layout, find(t, layout, at2[0], "selected"), map[string]string{at2[1]: want})
	}
	for _, tab := range tables.Clustering((&grid{asked: g.asked[len(g.asked)-2:], recs: g.recs}).frame()) {
		if tab.Name == "clustering_layout" {
			t.Error("a simulated set alone has the paper's layout")
		}
	}
}

// Lists give each parameter a column in CSV.
func TestParametersOfLists(t *testing.T) {
	g := sixMethods()
	tabs := tables.Clustering(g.frame())
	for _, name := range []string{"clustering_cells", "clustering_configurations"} {
		var b bytes.Buffer
		must.Do(t, table.CSV(&b, named(t, tabs, name)))
		head, _, _ := strings.Cut(b.String(), "\n")
		if want := ",alpha,atoms,atoms_per_class,"; !strings.Contains(head, want) || !strings.Contains(head, ",gamma,") || !strings.HasSuffix(head, ",sbm_graphs") {
			t.Errorf("%s: no %q in %s", name, want, head)
		}
	}
}

// Of notes that differ in numbers alone one is an example.
func TestRecordNotes(t *testing.T) {
	g := &grid{}
	for rep, notes := range [][]string{
		{"9 of 376 unmixings stopped at unmix_rounds = 20", "2 atoms padded", "on D1", "11 of 376 unmixings stopped at unmix_rounds = 20"},
		{"10 of 376 unmixings stopped at unmix_rounds = 20", "on D2", "tolerance 1e-05, share 0.5"},
		{"100 of 376 unmixings stopped at unmix_rounds = 20", "tolerance 1e-06, share 0.25"},
		{"odd\x00 1.2.3 text 4"},
		nil,
	} {
		g.put("MUTAG", "GDL", p(1, 0, 4), rep, 1, 1, 1, 0, 1).Notes = notes
	}
	cells := named(t, tables.Clustering(g.frame()), "clustering_cells")
	must.Contain(t, strings.Join(cells.Notes, "\n"),
		"MUTAG GDL, 3 cells, such as: 10 of 376 unmixings stopped at unmix_rounds = 20\n",
		"MUTAG GDL, 1 cell, such as: 2 atoms padded", "MUTAG GDL, 1 cell, such as: odd\x00 1.2.3 text 4",
		"MUTAG GDL, 2 cells, such as: tolerance 1e-05, share 0.5")
}

// The solves of shared distances count once, however many cells use them.
func TestProductsCountOnce(t *testing.T) {
	g := sixMethods()
	tab := named(t, tables.Clustering(g.frame()), "clustering_convergence")
	row := find(t, tab, "MUTAG", "SC", "all") // two alphas, two gammas, two repetitions
	reads(t, tab, row, map[string]string{
		"solves": "20", "at cap, %": "10.00", "mean iterations": "5.0", "largest gap": "1e-09", "largest marginal error": "-",
	})
	row = find(t, tab, "MUTAG", "GWF-f", "all")
	reads(t, tab, row, map[string]string{"largest gap": "-", "largest marginal error": "1e-05"})
}

// spectral adds one configuration of SC with two repetitions.
func (g *grid) spectral(alpha, gamma float64, labels string, ri, eigengap, ncut float64, first, second []int) {
	for rep, a := range [][]int{first, second} {
		r := g.put("MUTAG", "SC", map[string]any{"alpha": alpha, "gamma": gamma, "labels": labels}, rep, ri, 0, 0, a...)
		delete(r.Scores, "objective")
		if eigengap > 0 {
			r.Scores["eigengap"], r.Scores["ncut"] = eigengap, ncut
		}
	}
}

func TestChoiceOfSpectralClustering(t *testing.T) {
	two, other := []int{0, 0, 0, 1, 1, 1}, []int{0, 1, 0, 1, 0, 1}
	one := []int{0, 0, 0, 0, 0, 0}
	for _, c := range []struct {
		name string
		put  func(g *grid)
		want string
	}{
		{"stability before all", func(g *grid) {
			g.spectral(0.5, 1, "kmeans", 0.9, 0.9, 0.1, two, other)
			g.spectral(0.9, 2, "kmeans", 0.5, 0.1, 0.9, two, two)
		}, "alpha 0.9, gamma 2"},
		{"one cluster takes no part", func(g *grid) {
			g.spectral(0.5, 1, "kmeans", 0.9, 0.9, 0.1, one, one)
			g.spectral(0.5, 2, "kmeans", 0.5, 0.1, 0.9, two, other)
			g.spectral(0.5, 4, "kmeans", 0.5, 0.2, 0.9, two, two)
		}, "gamma 4"},
		{"one is left", func(g *grid) {
			g.spectral(0.5, 1, "kmeans", 0.9, 0.9, 0.1, one, one)
			g.spectral(0.5, 2, "kmeans", 0.5, 0.1, 0.9, two, other)
		}, "gamma 2"},
		{"all are one cluster", func(g *grid) {
			g.spectral(0.5, 1, "kmeans", 0.9, 0.1, 0.1, one, one)
			g.spectral(0.5, 2, "kmeans", 0.5, 0.2, 0.9, one, one)
		}, "gamma 2"},
		{"eigengap", func(g *grid) {
			g.spectral(0.5, 1, "kmeans", 0.9, 0.1, 0.1, two, two)
			g.spectral(0.5, 2, "kmeans", 0.5, 0.3, 0.9, other, other)
			g.spectral(0.5, 4, "kmeans", 0.5, 0.2, 0.5, two, two)
		}, "gamma 2"},
		{"normalised cut", func(g *grid) {
			g.spectral(0.5, 1, "discretise", 0.5, 0.3, 0.5, two, two)
			g.spectral(0.5, 1, "kmeans", 0.5, 0.3, 0.4, other, other)
			g.spectral(0.5, 2, "kmeans", 0.5, 0.2, 0.1, two, two)
		}, "gamma 1, labels kmeans"},
		{"one clustering, its clusters numbered otherwise: rounding does not decide", func(g *grid) {
			g.spectral(0.5, 1, "kmeans", 0.5, 0.3, math.Nextafter(0.4, 0), two, two)
			g.spectral(0.5, 1, "discretise", 0.5, 0.3, 0.4, two, two)
		}, "labels discretise"},
		{"first in order", func(g *grid) {
			g.spectral(0.5, 2, "kmeans", 0.9, 0, 0, two, two)
			g.spectral(0.5, 1, "kmeans", 0.5, 0, 0, two, two)
		}, "gamma 1"},
	} {
		g := &grid{}
		c.put(g)
		careful := named(t, tables.Clustering(g.frame()), "clustering_careful")
		reads(t, careful, find(t, careful, "MUTAG", "SC", "without labels"), map[string]string{"setting": c.want})
	}
}

func TestGWKMeansTables(t *testing.T) {
	g := &grid{spec: summary.Spec{Name: "gwk", Table: summary.TableGWKMeans}}
	for _, dataset := range []string{"IMDB-M", "IMDB-BINARY"} {
		for rep := range 2 {
			for _, method := range []string{"GWF-f", "GDL_h", "GWF-r", "GDL"} {
				for _, lambda := range []float64{0, 0.01} {
					params := map[string]any{"cluster_by": "gw_kmeans", "atoms": 12}
					if strings.HasPrefix(method, "GDL") {
						params["lambda"] = lambda
					} else if lambda > 0 {
						continue
					}
					if dataset == "IMDB-M" && method == "GDL_h" && lambda > 0 {
						g.ask(dataset, method, params, rep)
						continue
					}
					g.put(dataset, method, params, rep, 0.55, 0.1, 1, 0, 1, 0, 1)
				}
			}
		}
	}
	tabs := tables.Clustering(g.frame())
	for i, want := range []string{"", "_careful", "_convergence", "_layout", "_configurations", "_cells"} {
		must.Check(t, tabs[i].Name, "clustering_gw_kmeans"+want, "table %d", i)
	}
	golden.Check(t, "testdata/gw_kmeans.txt", terminal(t, []table.Table{tabs[0], tabs[3]}, 0))
	golden.Check(t, "testdata/gw_kmeans.tex", asLaTeX(t, tabs[3]))
	main := tabs[0]
	must.Equal(t, len(main.Rows), 12, "rows")
	for row, want := range map[[2]string]string{
		{"IMDB-BINARY", "GDL"}: "51.54 (0.29)", {"IMDB-M", "GDL_lambda"}: "56.41 (0.35)", {"IMDB-BINARY", "GDL_h"}: "52.51 (0.22)",
		{"IMDB-M", "GDL_h_lambda"}: "56.95 (0.25)", {"IMDB-M", "GWF-f"}: "54.48 (0.26)",
	} {
		reads(t, main, find(t, main, row[0], row[1]), map[string]string{"paper": want})
	}
	// What is not clustered by GW k-means does not stand beside these numbers.
	g.put("IMDB-M", "GDL", map[string]any{"cluster_by": "embedding", "lambda": 0}, 0, 0.9, 0.9, 1, 0, 1, 0, 1)
	main = tables.Clustering(g.frame())[0]
	row := find(t, main, "IMDB-M", "GDL by embedding")
	if got := at(t, main, row, "paper"); got.Kind != table.Blank {
		t.Errorf("paper %q", got.Plain())
	}
}

func TestEnzymesTables(t *testing.T) {
	g := &grid{spec: summary.Spec{Name: "enzymes", Table: summary.TableEnzymes}}
	for rep := range 2 {
		g.put("ENZYMES", "GDL", map[string]any{"lambda": 0, "batch": 64}, rep, 0.7183, 0.1, 1, 0, 1, 0, 1)
		g.put("ENZYMES", "GDL", map[string]any{"lambda": 0.01, "batch": 64}, rep, 0.72, 0.1, 1, 0, 1, 0, 1)
	}
	tabs := tables.Clustering(g.frame())
	main := named(t, tabs, "clustering_enzymes")
	row := find(t, main, "ENZYMES", "GDL_lambda")
	reads(t, main, row, map[string]string{"paper": "72.92 (0.28)", "selected": "72.00 (0.00)", "selected - paper": "-0.92"})
	if layout := named(t, tabs, "clustering_enzymes_layout"); len(layout.Rows) != 4 || len(layout.Columns) != 3 {
		t.Errorf("%d rows and %d columns", len(layout.Rows), len(layout.Columns))
	}
}

// Whatever the kind, the order of what comes in changes no byte.
func TestOrderChangesNothingInAnyKind(t *testing.T) {
	runtimes, runtimeTimings := timed()
	six, all := &grid{}, sixMethods()
	for _, e := range all.asked {
		if e.Dataset == "COX2" {
			six.asked = append(six.asked, e)
		}
	}
	for _, r := range all.recs {
		if r.Dataset == "COX2" {
			six.recs = append(six.recs, r)
		}
	}
	for _, c := range []struct {
		g       *grid
		timings []record.Timing
	}{{runtimes, runtimeTimings}, {six, nil}} {
		render := func(g *grid, timings []record.Timing) string {
			stable, unstable := tablesOf(g.timed(timings, map[string]summary.Cost{"00000050": {Blocks: 3, Seconds: 1.1}}))
			return terminal(t, append(stable, unstable...), 0)
		}
		want := render(c.g, c.timings)
		rng := rand.New(rand.NewPCG(1, 2))
		for range 10 {
			g := &grid{c.g.spec, shuffled(rng, c.g.asked), shuffled(rng, c.g.recs)}
			must.Equal(t, render(g, shuffled(rng, c.timings)), want, "the tables")
		}
	}
}

func shuffled[T any](rng *rand.Rand, list []T) []T {
	out := slices.Clone(list)
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}
