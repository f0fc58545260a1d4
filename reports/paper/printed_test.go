package paper

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/artifact"
	"ogdl/internal/sharedtest"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
)

// Our copy of the paper's numbers against the one read off its LaTeX.
func TestPrintedNumbersAreThePapers(t *testing.T) {
	type source struct {
		Cell    []map[string]any
		Runtime []map[string]any
		Dataset []map[string]any
	}
	var theirs, ours source
	if _, err := toml.DecodeFile(filepath.Join(sharedtest.Dir(t), "paper", "printed_numbers.toml"), &theirs); err != nil {
		t.Fatal(err)
	}
	if _, err := toml.Decode(printedTOML, &ours); err != nil {
		t.Fatal(err)
	}
	var clustering []map[string]any
	for _, c := range theirs.Cell {
		if strings.HasPrefix(c["table"].(string), "clustering") {
			clustering = append(clustering, c)
		}
	}
	theirs.Cell = clustering
	for _, d := range ours.Dataset {
		delete(d, "tu")
		delete(d, "remark")
	}
	if diff := cmp.Diff(theirs, ours); diff != "" {
		t.Errorf("(-paper +printed.toml):\n%s", diff)
	}
}

func TestPrintedNumbers(t *testing.T) {
	p := Numbers()
	if len(p.ScoreRows("clustering")) != 6 || len(p.ScoreDatasets("clustering")) != 8 || len(p.Datasets) != 8 || len(p.Runtimes) != 4 {
		t.Errorf("%v, %v, %d data sets, %d runtimes", p.ScoreRows("clustering"), p.ScoreDatasets("clustering"), len(p.Datasets), len(p.Runtimes))
	}
	for _, name := range []string{"PROTEIN", "PROTEINS_full"} {
		if c, ok := p.Score("clustering", "GDL_lambda", name); !ok || c.Mean != 60.49 || c.Std != 0.71 {
			t.Errorf("%s: %+v", name, c)
		}
	}
	if _, ok := p.Score("clustering", "GDL", "D1"); ok {
		t.Error("the paper prints no Rand Index for D1")
	}
	if math.Abs(p.Runtimes[0].GDL-52) > 0 {
		t.Errorf("runtime %+v", p.Runtimes[0])
	}
}

// TestPrintedNumbersAreWhole: every entry has its names and numbers in range, and stands once.
func TestPrintedNumbersAreWhole(t *testing.T) {
	p := Numbers()
	seen := map[string]bool{}
	want := func(ok bool, entry any, key ...any) {
		if k := fmt.Sprint(key...); !ok || seen[k] {
			t.Errorf("%+v: twice %v", entry, seen[k])
		} else {
			seen[k] = true
		}
	}
	percent := func(v float64) bool { return v >= 0 && v <= 100 }
	for _, c := range p.Scores {
		want(c.Table != "" && c.Method != "" && c.Dataset != "" && percent(c.Mean) && percent(c.Std), c, "score ", c.Table, " ", c.Method, " ", c.Dataset, " ", c.Lambda)
	}
	for _, r := range p.Runtimes {
		want(r.Dataset != "" && r.Atoms > 0 && r.GDL > 0 && r.GWF > 0, r, "time ", r.Dataset, " ", r.Atoms)
	}
	for _, d := range p.Datasets {
		want(d.Name != "" && d.TU != "" && d.Graphs > 0 && d.Classes > 0 && d.MeanNodes > 0 && d.Connectivity > 0, d, "data ", d.Name)
	}
	for _, c := range p.Correlations {
		want(c.Dataset != "" && slices.Contains(artifact.DistancePairs(), c.Pair()) && math.Abs(c.Pearson) <= 1 && c.Decimals > 0 && c.Decimals < 16, c,
			"correlation ", c.Dataset, " ", c.X, " ", c.Y)
	}
}
