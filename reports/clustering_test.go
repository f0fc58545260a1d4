package reports

import (
	"math"
	"slices"
	"strings"
	"testing"

	"ogdl/eval"
	"ogdl/internal/record"
	"ogdl/internal/test/golden"
	"ogdl/internal/test/must"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"ogdl/reports/tables"

	"pgregory.net/rapid"
)

// mutag is a small grid with everything in it: a complete method, one with a
// better but incomplete configuration, failures, a data set that the paper
// does not have, and one that has not been run at all.
func mutag() *grid {
	g := &grid{spec: summary.Spec{Name: "example"}}
	a, b := []int{0, 0, 1, 1, 0, 1}, []int{0, 0, 1, 1, 1, 1}
	for rep := range 3 {
		d := float64(rep) / 100
		// alpha 0.5 has the higher score, 0.9 the lower objective.
		g.put("MUTAG", "GDL", p(0.5, 0, 4), rep, 0.71+d, 0.4+d, 2, a...)
		g.put("MUTAG", "GDL", p(0.9, 0, 4), rep, 0.60+d, 0.2+d, 1, a...)
		// Eight atoms: less stable, lower objective.
		c := a
		if rep == 1 {
			c = b
		}
		g.put("MUTAG", "GDL", p(0.5, 0, 8), rep, 0.65+d, 0.3+d, 0.5, c...)
		g.put("MUTAG", "GDL", p(0.9, 0, 8), rep, 0.64+d, 0.3+d, 0.6, a...)
		g.put("MUTAG", "GDL", p(0.9, 0.01, 4), rep, 0.69, 0.35, 1, a...)
	}
	g.put("MUTAG", "GDL", p(0.9, 0.1, 4), 0, 0.99, 0.9, 3, a...)
	e := g.ask("MUTAG", "GDL", p(0.9, 0.1, 4), 1)
	g.leave(e, record.Record{Status: record.Failed, Reason: "gdl: cost is NaN\nat line 7"})
	g.ask("MUTAG", "GDL", p(0.9, 0.1, 4), 2)
	g.put("home", "GDL", p(0.9, 0, 4), 0, 1, 1, 0.1, a...).Notes = []string{"2 atoms padded"}
	e = g.ask("home", "GDL", p(0.9, 0, 4), 1)
	g.leave(e, record.Record{Status: record.Timeout})
	for rep := range 2 {
		e = g.ask("IMDB-B", "GDL", p(1, 0, 4), rep)
		if rep == 0 {
			g.leave(e, record.Record{Status: record.Skipped, Reason: "run scripts/fetch_tudatasets.sh IMDB-BINARY"})
		}
	}
	return g
}

func TestClusteringGolden(t *testing.T) {
	g := mutag()
	tabs := tables.Clustering(g.frame())
	golden.Check(t, "testdata/clustering.txt", terminal(t, tabs, 0))
}

// A configuration with fewer repetitions is passed over for a complete one, aloud.
func TestIncompleteIsNotPreferred(t *testing.T) {
	g := mutag()
	main := named(t, tables.Clustering(g.frame()), "clustering")
	row := find(t, main, "MUTAG", "GDL_lambda")
	reads(t, main, row, map[string]string{"selected": "69.00 (0.00)#"})
	must.Contain(t, strings.Join(main.Notes, "\n"),
		"MUTAG GDL_lambda, 6 cells: 4 ok, 1 failed (gdl: cost is NaN ...), 1 missing.",
		"# selected before",
		"* a mean over fewer repetitions",
		"home GDL, 2 cells: 1 ok, 1 timeout.",
		"IMDB-B GDL, 2 cells: 1 skipped (run scripts/fetch_tudatasets.sh IMDB-BINARY), 1 missing.")
	// Where no configuration is complete, the only one is shown with its mark.
	row = find(t, main, "home", "GDL")
	reads(t, main, row, map[string]string{"selected": "100.00*"})
	if got := at(t, main, row, "paper"); got.Kind != table.Blank {
		t.Errorf("home: paper %v", got)
	}
}

// Among incomplete configurations those with the most repetitions are compared.
func TestMostSeedsFirst(t *testing.T) {
	g := &grid{}
	g.put("MUTAG", "GDL", p(0.5, 0, 4), 0, 0.9, 0, 1)
	g.ask("MUTAG", "GDL", p(0.5, 0, 4), 1)
	g.ask("MUTAG", "GDL", p(0.5, 0, 4), 2)
	for rep := range 2 {
		g.put("MUTAG", "GDL", p(0.9, 0, 4), rep, 0.6, 0, 1)
	}
	g.ask("MUTAG", "GDL", p(0.9, 0, 4), 2)
	main := named(t, tables.Clustering(g.frame()), "clustering")
	row := find(t, main, "MUTAG", "GDL")
	reads(t, main, row, map[string]string{"selected": "60.00 (0.00)*#", "repetitions": "2 of 3"})
}

// Without a run there is no number in a row, in any table.
func TestMissingIsNoNumber(t *testing.T) {
	g := mutag()
	tabs := tables.Clustering(g.without())
	for _, tab := range tabs {
		if tab.List && len(tab.Rows) > 0 { // a report of one cell of 80,000 would have them all
			t.Errorf("%s: %d rows", tab.Name, len(tab.Rows))
		}
	}
	numberless(t, tabs, "paper", "repetition")
	main := named(t, tabs, "clustering")
	row := find(t, main, "IMDB-B", "GDL")
	reads(t, main, row, map[string]string{"selected": "missing", "selected - paper": "missing", "repetitions": "missing"})
}

// TestNotesOfConfirmation: tables speak of it where something is to be confirmed.
func TestNotesOfConfirmation(t *testing.T) {
	for _, confirm := range []int{0, 2} {
		g := mutag()
		g.spec.Confirm = confirm
		for _, tab := range tables.Clustering(g.frame()) {
			confirms := confirm > 0 && (tab.Name == "clustering" || tab.Name == "clustering_careful")
			if got := strings.Contains(strings.Join(tab.Notes, "\n"), "Re-run:"); got != confirms {
				t.Errorf("confirm = %d, %s: a note on what is confirmed: %v", confirm, tab.Name, got)
			}
		}
	}
}

func TestCarefulTable(t *testing.T) {
	g := mutag()
	careful := named(t, tables.Clustering(g.frame()), "clustering_careful")
	// Per number of atoms the lowest objective: alpha 0.9 for 4 atoms, 0.5 for
	// 8. Of those 8 atoms score higher, and 4 atoms find the same clusters with every repetition.
	for way, of := range map[string]map[string]string{
		"with labels": {"RI one cluster": "55.20", "RI random": "50.00", "RI": "66.00 (0.82)", "ARI": "31.00 (0.82)"},
		"without labels": {"RI one cluster": "55.20", "RI": "61.00 (0.82)", "ARI": "21.00 (0.82)", "stability": "100.00",
			"setting": "alpha 0.9, atoms 4, lambda 0"},
	} {
		reads(t, careful, find(t, careful, "MUTAG", "GDL", way), of)
	}
	configs := named(t, tables.Clustering(g.frame()), "clustering_configurations")
	row := find(t, configs, "MUTAG", "GDL", "alpha 0.5, atoms 8, lambda 0")
	a, b := []int{0, 0, 1, 1, 0, 1}, []int{0, 0, 1, 1, 1, 1}
	want := 100 * (1 + 2*record.ARI(eval.AdjustedRandIndex(a, b))) / 3
	must.Within(t, at(t, configs, row, "stability").Value, want, 1e-9, "stability")
}

// The objective chooses alpha only: a lower one at another lambda must not win. TestChoices has another number of atoms.
func TestObjectiveComparesAlphaOnly(t *testing.T) {
	same, other := []int{0, 1, 0, 1}, []int{0, 0, 1, 1}
	g := &grid{}
	for rep := range 2 {
		g.put("MUTAG", "GDL", p(0.5, 0.1, 4), rep, 0.5, 0, 5, same...)
		q := same
		if rep == 1 {
			q = other
		}
		g.put("MUTAG", "GDL", p(0.5, 0.01, 4), rep, 0.9, 0, -7, q...)
	}
	careful := named(t, tables.Clustering(g.frame()), "clustering_careful")
	reads(t, careful, find(t, careful, "MUTAG", "GDL_lambda", "without labels"), map[string]string{"RI": "50.00 (0.00)"})
	reads(t, careful, find(t, careful, "MUTAG", "GDL_lambda", "with labels"), map[string]string{"RI": "90.00 (0.00)"})
}

// TestStabilityWithinOneDraw: graphs of different draws are not compared.
func TestStabilityWithinOneDraw(t *testing.T) {
	g := &grid{}
	g.put("D1", "GDL", p(1, 0, 3), 0, 1, 1, 5, 0, 0, 1, 1)
	g.put("D1", "GDL", p(1, 0, 3), 1, 1, 1, 5, 1, 1, 0, 0)
	g.put("D1", "GDL", p(1, 0, 3), 2, 1, 1, 5, 0, 1, 0, 1).Digest = "d2"
	g.put("D1", "GDL", p(1, 0, 3), 3, 1, 1, 5, 1, 0, 1, 0).Digest = "d2"
	careful := named(t, tables.Clustering(g.frame()), "clustering_careful")
	reads(t, careful, find(t, careful, "D1", "GDL", "without labels"), map[string]string{"stability": "100.00"})
}

// TestUnknownPairs: two repetitions that a ledger has from different stores were never compared.
func TestUnknownPairs(t *testing.T) {
	g := &grid{}
	for rep := range 3 {
		g.put("MUTAG", "GDL", p(1, 0, 3), rep, 1, 1, 5).Kept = &record.Kept{Sizes: []int{2, 2}}
	}
	g.recs[1].Kept.Agree = []record.Agreement{{ID: g.recs[0].ID, Index: 0.5}}
	careful := named(t, tables.Clustering(g.frame()), "clustering_careful")
	reads(t, careful, find(t, careful, "MUTAG", "GDL", "without labels"), map[string]string{"stability": "50.00"})
	if notes := strings.Join(careful.Notes, "\n"); !strings.Contains(notes, "a part of the pairs: MUTAG GDL (1 setting).") {
		t.Error(notes)
	}
}

func TestNoChoiceWithoutLabels(t *testing.T) {
	g := &grid{}
	g.put("MUTAG", "GDL", p(0.5, 0, 4), 0, 0.5, 0, 5, 0, 1)
	g.put("MUTAG", "GDL", p(0.5, 0, 8), 0, 0.6, 0, 4, 0, 1)
	careful := named(t, tables.Clustering(g.frame()), "clustering_careful")
	row := find(t, careful, "MUTAG", "GDL", "without labels")
	if got := at(t, careful, row, "RI"); got.Kind != table.Blank { // all is computed
		t.Errorf("one repetition chose %q", got.Plain())
	}
	// A single configuration is no choice.
	g = &grid{}
	g.put("MUTAG", "GDL", p(0.5, 0, 4), 0, 0.5, 0, 5, 0, 1)
	careful = named(t, tables.Clustering(g.frame()), "clustering_careful")
	row = find(t, careful, "MUTAG", "GDL", "without labels")
	reads(t, careful, row, map[string]string{"RI": "50.00"})
	if got := at(t, careful, row, "stability"); got.Kind != table.Blank {
		t.Errorf("stability of one repetition: %q", got.Plain())
	}
}

func TestWarnings(t *testing.T) {
	base := func() *grid {
		g := &grid{}
		for rep := range 2 {
			g.put("MUTAG", "GDL", p(0.5, 0, 4), rep, 0.5, 0, 5, 0, 1)
			// Built by go run and from a checkout: the revision only informs.
			g.recs[rep].Provenance.Sources, g.recs[rep].Provenance.Revision = "12", []string{"", "abc"}[rep]
		}
		return g
	}
	for _, c := range []struct {
		name string
		edit func(g *grid)
		want string
	}{
		{"sources", func(g *grid) { g.recs[1].Provenance.Sources = "34" }, "computed by 2 versions of the code"},
		{"older record", func(g *grid) { g.recs[1].Provenance.Sources = "" }, "computed by 2 versions"},
		{"older records", func(g *grid) {
			g.recs[0].Provenance, g.recs[1].Provenance = record.Provenance{Revision: "def"}, record.Provenance{Revision: "abc"}
		}, "computed by 2 versions"},
	} {
		g := base()
		if main := tables.Clustering(g.frame())[0]; strings.Contains(strings.Join(main.Notes, "\n"), "Warning") {
			t.Fatalf("a plain grid warns: %v", main.Notes)
		}
		c.edit(g)
		notes := strings.Join(tables.Clustering(g.frame())[0].Notes, "\n")
		if !strings.Contains(notes, "Warning: ") || !strings.Contains(notes, c.want) {
			t.Errorf("%s: no warning %q in:\n%s", c.name, c.want, notes)
		}
	}
}

// TestTrivialLevelsOfNumbersOfClusters: random labels of 2 and of 4 clusters have Rand
// Indices of their own, which says nothing about the classes.
func TestTrivialLevelsOfNumbersOfClusters(t *testing.T) {
	var g grid
	for i, k := range []int{2, 3, 4} {
		r := g.put("MUTAG", "SC", map[string]any{"clusters": k}, 0, 0.6, 0.1, 1, 0, 1, 1)
		r.Scores["trivial_independent"] = []float64{0.5, 0.48, 0.45}[i]
	}
	careful := named(t, tables.Clustering(g.frame()), "clustering_careful")
	reads(t, careful, find(t, careful, "MUTAG", "SC"), map[string]string{"RI random": "missing", "RI one cluster": "55.20"})
}

// A row from more starts stands beside the paper's, with no printed number and no verdict, and takes no part in
// the other's choice.
func TestStartsHaveRowsOfTheirOwn(t *testing.T) {
	g := &grid{spec: summary.Spec{Name: "a", Table: summary.TableClustering}}
	for rep := range 2 {
		g.put("MUTAG", "GDL", map[string]any{"atoms": 4, "unmix_starts": "product"}, rep, 0.6, 0.1, 0, 1)
		g.put("MUTAG", "GDL", map[string]any{"atoms": 8, "unmix_starts": "product"}, rep, 0.7, 0.1, 0, 1)
		g.put("MUTAG", "GDL", map[string]any{"atoms": 8, "unmix_starts": "product+sorted"}, rep, 0.9, 0.1, 0, 1)
	}
	verdicts, _ := verdictsOf(g.frame())
	if len(verdicts) != 1 || verdicts[0].Row != "GDL" || verdicts[0].Ours != 70 {
		t.Errorf("verdicts %+v, expected one, of GDL at 70", verdicts)
	}
	main := tables.Clustering(g.frame())[0]
	row := find(t, main, "MUTAG", "GDL, sorted start")
	for name, want := range map[string]string{"paper": "-", "selected": "90.00 (0.00)", "verdict": "-"} {
		if got := at(t, main, row, name).Plain(); got != want && !(want == "-" && got == "") {
			t.Errorf("%s is %q, expected %q", name, got, want)
		}
	}
	reads(t, main, find(t, main, "MUTAG", "GDL"), map[string]string{"selected setting": "atoms 8"})
}

// Cells that are asked for twice change nothing.
func TestAskedTwice(t *testing.T) {
	g := mutag()
	want := terminal(t, tables.Clustering(g.frame()), 0)
	more := &grid{g.spec, append(slices.Clone(g.asked), g.asked[:5]...), g.recs}
	same(t, terminal(t, tables.Clustering(more.frame()), 0), want)
}

// Equal numbers are equal parameters, whatever their Go type: what the store
// returns and what the grid asks for meet in one configuration.
func TestNumbersOfAnyType(t *testing.T) {
	g := &grid{}
	g.put("MUTAG", "GDL", map[string]any{"atoms": 4, "lambda": 0}, 0, 0.5, 0, 1)
	g.put("MUTAG", "GDL", map[string]any{"atoms": 4.0, "lambda": int64(0)}, 1, 0.7, 0, 1)
	main := tables.Clustering(g.frame())[0]
	row := find(t, main, "MUTAG", "GDL")
	reads(t, main, row, map[string]string{"selected": "60.00 (10.00)"})
}

// On random complete grids the printed choice is the highest mean of the alphas with the lowest objective, and a shift
// of all objectives of one number of atoms does not change the other choice.
func TestChoices(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := &grid{}
		unit := rapid.Float64Range(0, 1)
		shift := float64(rapid.IntRange(-100, 100).Draw(rt, "shift")) // whole numbers: no rounding makes ties
		shifted := &grid{}
		lowest, score := map[int]float64{}, map[int]float64{} // by the number of atoms
		for _, alpha := range []float64{0.1, 0.5, 0.9} {
			for _, atoms := range []int{4, 8} {
				sum, objectives := 0.0, 0.0
				for rep := range 2 {
					ri, objective := unit.Draw(rt, "ri"), float64(rapid.IntRange(0, 20).Draw(rt, "objective"))
					objectives += objective
					a := rapid.SliceOfN(rapid.IntRange(0, 1), 6, 6).Draw(rt, "clusters")
					g.put("MUTAG", "GDL", p(alpha, 0, atoms), rep, ri, 0, objective, a...)
					if atoms == 8 {
						objective += shift
					}
					shifted.put("MUTAG", "GDL", p(alpha, 0, atoms), rep, ri, 0, objective, a...)
					sum += 100 * ri
				}
				if v, seen := lowest[atoms]; !seen || objectives < v {
					lowest[atoms], score[atoms] = objectives, sum/2
				}
			}
		}
		main := tables.Clustering(g.frame())[0].Whole()
		if got, want := main.Rows[0][3].Value, max(score[4], score[8]); !(math.Abs(got-want) <= 1e-9) {
			rt.Fatalf("chosen %v, expected %v", got, want)
		}
		one := named(t, tables.Clustering(g.frame()), "clustering_careful")
		two := named(t, tables.Clustering(shifted.frame()), "clustering_careful")
		before := at(t, one, one.Rows[1], "setting").Plain() // without labels
		if after := at(t, two, two.Rows[1], "setting").Plain(); before != after {
			rt.Fatalf("%q became %q", before, after)
		}
	})
}
