package reports

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/internal/disktest"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
	"ogdl/reports/page"
	"ogdl/reports/summary"

	"github.com/google/go-cmp/cmp"
)

// fromRecords are the clusters that the records of a grid have, with classes of some graphs of d1 alone.
func fromRecords(classes ...string) Clusterings {
	return Clusterings{
		Of: func(r summary.Run) (record.Labels, error) { return r.Record.Assignment, nil },
		Classes: func(r summary.Run) []string {
			if r.Record.Digest == "d1" {
				return classes
			}
			return nil
		},
	}
}

// clustersOf writes the report of a grid, and returns the files with clusters and what the page links to.
func clustersOf(t *testing.T, dir string, g *grid, from Clusterings) (files map[string]string, text string, unclustered error) {
	t.Helper()
	r := must.Get(Render(t.Context(), dir, g.frame(), Options{Clusterings: from}))
	must.Do(t, r.Write(t.Context()))
	b := must.Get(os.ReadFile(filepath.Join(dir, IndexPage)))
	checkMarkup(t, string(b))
	files = disktest.Folder(t, filepath.Join(dir, ClustersFolder))
	for name := range files {
		if !strings.HasSuffix(name, ".csv") {
			continue
		}
		if want := `href="clusters/` + name + `"`; strings.Count(string(b), want) != 1 {
			t.Errorf("the page has %d links %s", strings.Count(string(b), want), want)
		}
	}
	if n := strings.Count(string(b), `href="clusters/`); n > len(files) {
		t.Errorf("%d links to %d files", n, len(files))
	}
	return files, string(b), r.Unclustered
}

// TestClusters: a file for each configuration that is chosen, with the clusters that its records have, whatever their order.
func TestClusters(t *testing.T) {
	dir := t.TempDir()
	g := mutag()
	got := must.First(clustersOf(t, dir, g, fromRecords("a", "-1", "b, c", "a", "a", "a")))
	lines := func(first string, rows ...string) string { return first + "\n" + strings.Join(rows, "\n") + "\n" }
	three := "graph,class,repetition_0,repetition_1,repetition_2"
	want := map[string]string{
		// Of each number of atoms the lowest objective: alpha 0.5, 8 atoms by its score; alpha 0.9, 4 atoms without labels.
		"mutag-gdl.csv":                lines(three, "0,a,0,0,0", "1,-1,0,0,0", `2,"b, c",1,1,1`, "3,a,1,1,1", "4,a,0,1,0", "5,a,1,1,1"),
		"mutag-gdl-without_labels.csv": lines(three, "0,a,0,0,0", "1,-1,0,0,0", `2,"b, c",1,1,1`, "3,a,1,1,1", "4,a,0,0,0", "5,a,1,1,1"),
		"mutag-gdl_lambda.csv":         lines(three, "0,a,0,0,0", "1,-1,0,0,0", `2,"b, c",1,1,1`, "3,a,1,1,1", "4,a,0,0,0", "5,a,1,1,1"),
		"home-gdl.csv":                 lines("graph,class,repetition_0,repetition_1", "0,a,0,", "1,-1,0,", `2,"b, c",1,`, "3,a,1,", "4,a,0,", "5,a,1,"),
	}
	same(t, got, want)
	rng := rand.New(rand.NewPCG(1, 2))
	g.recs, g.asked = shuffled(rng, g.recs), shuffled(rng, g.asked)
	if other, _, _ := clustersOf(t, t.TempDir(), g, fromRecords("a", "-1", "b, c", "a", "a", "a")); !cmp.Equal(got, other) {
		t.Errorf("another order of the records, other files:\n%s", cmp.Diff(got, other))
	}
	// A smaller report takes the place of the first: files of rows that are gone go, others' files stay.
	mine := filepath.Join(dir, ClustersFolder, "My notes.txt")
	must.Do(t, os.WriteFile(mine, nil, 0o666))
	small := &grid{}
	small.put("MUTAG", "GDL", p(0.5, 0, 4), 0, 0.7, 0.4, 2, 0, 1)
	got, _, _ = clustersOf(t, dir, small, fromRecords())
	same(t, got, map[string]string{"mutag-gdl.csv": "graph,class,repetition_0\n0,,0\n1,,1\n", "My notes.txt": ""})
}

// TestClustersOfSeveralSeeds: the seed joins the name; draws that differ have a class only where they agree.
func TestClustersOfSeveralSeeds(t *testing.T) {
	g := &grid{}
	for i, seed := range []int64{2, 1} {
		r := g.put("D1", "GDL", p(1, 0, 3), 0, 0.7, 0.4, 2, i, 1, 0)
		r.BaseSeed, r.Digest = seed, fmt.Sprint("draw", seed)
		g.asked[i].BaseSeed = seed
	}
	x := g.put("D1", "GDL", p(1, 0, 3), 0, 0.7, 0.4, 2, 7, 8, 9)
	x.BaseSeed, x.Repetition, x.Digest = 1, 1, "draw1"
	g.asked[2].BaseSeed, g.asked[2].Repetition, g.asked[2].Confirm = 1, 1, true
	for _, agree := range []bool{true, false} {
		from := fromRecords()
		from.Classes = func(r summary.Run) []string {
			if agree {
				return []string{"3", "4", "5"}
			}
			return []string{"3", "4", r.Record.Digest}
		}
		got, _, err := clustersOf(t, t.TempDir(), g, from)
		want := "graph,class,seed_1_repetition_0,seed_1_repetition_1,seed_2_repetition_0\n0,3,1,7,0\n1,4,1,8,1\n2,5,0,9,0\n"
		if !agree {
			want = strings.NewReplacer(",3,", ",,", ",4,", ",,", ",5,", ",,").Replace(want)
		}
		if d := cmp.Diff(map[string]string{"d1-gdl.csv": want}, got); d != "" || err != nil {
			t.Errorf("agree %v: %v, -want +got:\n%s", agree, err, d)
		}
	}
}

// TestClustersLeftOut: what nobody knows any more, or cannot be read, is said and left out; what was not clustered is none.
func TestClustersLeftOut(t *testing.T) {
	g := &grid{}
	g.put("MUTAG", "GDL", p(0.5, 0, 4), 0, 0.7, 0.4, 2, 0, 1)
	g.put("MUTAG", "SC", p(0.5, 0, 4), 0, 0.7, 0.4, 2, 0, 1)
	g.put("BZR", "SC", p(0.5, 0, 4), 0, 0.7, 0.4, 2, 0, 1)
	g.put("BZR", "GW-k", p(0.5, 0, 4), 0, 0.7, 0.4, 2)
	from := fromRecords()
	from.Of = func(r summary.Run) (record.Labels, error) {
		switch {
		case r.Method == "SC" && r.Dataset == "MUTAG":
			return nil, nil
		case r.Method == "SC":
			return nil, fmt.Errorf("cannot read %s", r.ID)
		}
		return r.Record.Assignment, nil
	}
	got, text, err := clustersOf(t, t.TempDir(), g, from)
	if len(got) != 1 || got["mutag-gdl.csv"] == "" {
		t.Errorf("%v", got)
	}
	for _, want := range []string{"clusters of 1 rows: only the ledger", "clusters of BZR SC: cannot read 00001002"} {
		must.Fail(t, err, want)
	}
	if want := "<p>MUTAG SC: lost: the ledger"; !strings.Contains(text, want) || strings.Contains(text, "GW-k: lost") {
		t.Errorf("the page says no %q, or too much", want)
	}
	// Rows whose names come to the same word have files of their own; tables of other kinds have none.
	g = &grid{}
	for _, name := range []string{"A b", "a.b"} {
		g.put(name, "GDL", p(0.5, 0, 4), 0, 0.7, 0.4, 2, 0, 1)
	}
	if got, _, _ := clustersOf(t, t.TempDir(), g, fromRecords()); got["a-b-gdl.csv"] == "" || got["a-b-gdl-2.csv"] == "" || len(got) != 2 {
		t.Errorf("%v", got)
	}
	g.spec.Table = summary.FigureAtoms
	f := NewFolder(t.TempDir())
	var links []page.Clusters
	if links, err = f.clusters(g.frame(), fromRecords()); len(links) > 0 || err != nil {
		t.Errorf("%v, %v", links, err)
	}
}
