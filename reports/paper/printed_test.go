package paper

import (
	"math"
	"ogdl/internal/sharedtest"
	"path/filepath"
	"strings"
	"testing"

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

func TestParsePrintedRefuses(t *testing.T) {
	cell := "[[cell]]\ntable = \"clustering\"\nmethod = \"GDL\"\ndataset = \"A\"\nmean = 1\nstd = 1\n"
	data := "[[dataset]]\nname = \"A\"\ntu = \"A\"\ngraphs = 1\nclasses = 1\nmean_nodes = 1\nmean_connectivity_percent = 1\n"
	run := "[[runtime]]\ndataset = \"A\"\natoms = 1\nGDL = 1\nGWF = 1\n"
	for _, good := range []string{"", cell, data, run, cell + data + run} {
		if _, err := parsePrinted(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{
		"x = 1", cell + cell, data + data, run + run, cell + "more = 1\n",
		strings.Replace(cell, "mean = 1", "mean = nan", 1), strings.Replace(cell, "mean = 1", "mean = 101", 1),
		strings.Replace(cell, "std = 1", "std = -1", 1), strings.Replace(cell, "mean = 1", "mean = \"1\"", 1),
		strings.Replace(cell, "\"GDL\"", "\"\"", 1), strings.Replace(data, "graphs = 1", "graphs = 0", 1),
		strings.Replace(run, "GWF = 1", "GWF = 0", 1), "[[cell]",
	} {
		if _, err := parsePrinted(bad); err == nil {
			t.Errorf("%q is no error", bad)
		}
	}
}

func TestParsePrintedCorrelations(t *testing.T) {
	good := "[[correlation]]\ndataset = \"D1\"\nx = \"graphs\"\ny = \"embeddings\"\npearson = 0.96\ndecimals = 2\n"
	if _, err := parsePrinted(good); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{good + good, strings.Replace(good, "0.96", "1.96", 1), strings.Replace(good, "0.96", "nan", 1),
		strings.Replace(good, "graphs", "embeddings", 1), strings.Replace(good, "= 2", "= 0", 1), strings.Replace(good, "D1", "", 1)} {
		if _, err := parsePrinted(bad); err == nil {
			t.Errorf("%q is no error", bad)
		}
	}
}
