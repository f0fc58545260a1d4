package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/internal/ledger"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

// TestReproduceHasEveryConfiguration: scripts/reproduce.sh runs every configuration of the page but the runtimes, which are measured alone.
func TestReproduceHasEveryConfiguration(t *testing.T) {
	t.Parallel()
	_, steps, _ := strings.Cut(read(t, filepath.Join("..", "scripts", "reproduce.sh")), "<<'STEPS'\n")
	steps, _, _ = strings.Cut(steps, "\nSTEPS\n")
	for _, part := range published() {
		has := slices.ContainsFunc(strings.Split(steps, "\n"), func(step string) bool {
			name, _, _ := strings.Cut(step, " ")
			return name == part.Config
		})
		if has == (part.Config == "runtimes") {
			t.Errorf("%s: a step is %v", part.Config, has)
		}
	}
}

// TestVerdictsKeepFiles: verdicts replace no page that they have not written.
func TestVerdictsKeepFiles(t *testing.T) {
	t.Parallel()
	s := newSession(t, unconfirmed)
	for _, name := range []string{"docs/reproduction.md", "docs/reproduction/values.md"} {
		s.write(name, "mine\n")
		s.verb(exitFatal, "verdicts", "-docs", filepath.Join(s.dir, "docs"))
		s.wantErr(name + ": verdicts has not written this page")
		must.Equal(t, read(t, filepath.Join(s.dir, name)), "mine\n", "the page")
		must.Do(t, os.Remove(filepath.Join(s.dir, name)))
	}
}

// TestReproduction: the page on the whole paper is made of store and ledger alike, joins the reasons, and names what was not run.
func TestReproduction(t *testing.T) {
	if !*full {
		t.Skip("runs with -full: makes the page of the whole paper again and again")
	}
	t.Parallel()
	s := newSession(t, unconfirmed)
	store := must.Get(record.Open(filepath.Join(s.dir, "out")))
	n := 0
	// Of figures and of choices; the last cell of these is in no other grid.
	others := exptest.Config(t, "figure_weights").Cells()
	for _, name := range []string{"clustering_choices", "clustering_attributes_choices"} {
		cells := exptest.Config(t, name).Cells()
		others = append(others, cells[len(cells)-1])
	}
	for _, x := range slices.Concat(exptest.Config(t, "clustering").Cells(), others) {
		other := slices.Contains(others, x)
		if !other && (x.Method.Name != "GW-k" || x.Dataset != "IMDB-B") {
			continue
		}
		r := exptest.Record(x, "d67d4479adad7236c179c2a4f98bac7005a577c81ccbd28ad612c6c3edff0fc4")
		r.Assignment = record.Labels{0, 1, 1}
		r.Scores = map[string]float64{"ri": 0.6, "ari": 0.1, "objective": 1, "trivial_one": 0.5, "trivial_independent": 0.5}
		must.Do(t, store.Put(r, &record.Timing{ID: x.ID, Seconds: 72}, []byte("arrays")))
		if !other {
			n++
		}
	}
	docs := filepath.Join(s.dir, "docs")
	report := func(want int) string {
		t.Helper()
		s.verb(want, "verdicts", "-docs", docs, "-out", filepath.Join(s.dir, "out"), "-data", filepath.Join(s.dir, "data"))
		return read(t, filepath.Join(docs, "reproduction.md"))
	}
	s.verb(exitFatal, "verdicts", "-docs", docs, "-out", filepath.Join(s.dir, "out"))
	s.wantErr("-ledger "+filepath.Join(docs, "reproduction", "ledger")+": no ledger there", "ledger add ")
	absent(t, filepath.Join(docs, "reproduction.md"))
	s.verb(exitOK, "ledger", "add", filepath.Join(s.dir, "out"), filepath.Join(docs, "reproduction", "ledger"))
	s.wantOut(fmt.Sprintf("ledger: %d cells added", n+len(others)))
	page := report(exitOK)
	runs := read(t, filepath.Join(docs, "reproduction", "runs.md"))
	for _, want := range []string{"| Rand Indices, selected | 1 | 0 | 1 | 0 | 0 |", "| IMDB-B GW-k | no reason given yet | - | - |  |",
		fmt.Sprintf("| clustering | 82810 | %d | 0 | %.2f |", n, 0.02*float64(n)),
		"| figure\\_online | 20 | 0 | 0 |",
		"[Tables of figure\\_weights](figure_weights/tables.md)"} {
		if !strings.Contains(page+runs, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, file := range []string{"verdicts_clustering.csv", "paper-clustering.svg", "values.md", "choices.md", "clustering/clustering.csv",
		"clustering_choices.csv", "clustering_attributes_choices.csv",
		"ledger/IMDB-B_GW-k" + ledger.Ending} {
		must.Do(t, must.Err(os.Stat(filepath.Join(docs, "reproduction", file))))
	}
	absent(t, filepath.Join(docs, "reproduction", "clustering", "clustering_cells.csv"))
	// Without the store: the same, from the ledger, but for figures: these stay. With a reason, and then one that is stale.
	figure := filepath.Join(docs, "reproduction", "figure_weights")
	if s.write("docs/reproduction/figure_weights/weights.csv", "of before"); !strings.Contains(read(t, filepath.Join(figure, "tables.md")), "IMDB-M") {
		t.Error("the tables of a figure are not beside it")
	}
	must.Do(t, os.RemoveAll(filepath.Join(s.dir, "out")))
	reason := "[[reason]]\ntable = \"clustering\"\ndataset = \"IMDB-B\"\nmethod = \"GW-k\"\ncause = \"not found\"\ntext = \"Looked at.\"\n"
	s.write("docs/reproduction/reasons.toml", reason)
	again := report(exitOK)
	if !strings.Contains(again, "IMDB-B GW-k | not found | 0 | 0 | Looked at. |") {
		t.Error("from the ledger a page without the reason")
	}
	if head, _, _ := strings.Cut(again, "\n## Why"); !strings.HasPrefix(page, head) {
		t.Error("from the ledger another page")
	}
	if read(t, filepath.Join(figure, "weights.csv")) != "of before" {
		t.Error("without its arrays a figure's table was written again")
	}
	// Figures of other cells than the ledger's are no figures of the page.
	cells := read(t, filepath.Join(figure, "cells.sum"))
	s.write("docs/reproduction/figure_weights/cells.sum", strings.Replace(cells, others[0].ID, strings.Repeat("0", 16), 1))
	must.Same(t, report(exitFatal), again, "the page after a report that failed")
	s.wantErr("figure_weights: ", "cells.sum: the figure was drawn of other cells than the ledger has")
	s.write("docs/reproduction/figure_weights/cells.sum", cells)
	s.write("docs/reproduction/reasons.toml", strings.Replace(reason, "IMDB-B", "IMDB-M", 1))
	s.write("docs/reproduction/clustering/clustering.csv", "of before")
	if left := report(exitFatal); left != again || read(t, filepath.Join(docs, "reproduction", "clustering", "clustering.csv")) != "of before" {
		t.Error("a report that failed changed the page, or a table beside it")
	}
	s.wantErr("reason 1", "IMDB-M", "stale")
	// Without its folder the ledger cannot draw it.
	s.write("docs/reproduction/reasons.toml", reason)
	must.Do(t, os.RemoveAll(figure))
	report(exitOK)
	s.wantErr("Warning: figure_weights has no figure")
}
