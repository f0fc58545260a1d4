package grid

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ogdl/experiments/internal/protocol"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/test/must"
)

func parsed(t *testing.T, src string) *Config {
	t.Helper()
	return must.Get(Parse([]byte(src), "test.toml", protocol.Methods().Described()))
}

func ids(cells []*spec.Cell) []string {
	var out []string
	for _, c := range cells {
		out = append(out, c.ID)
	}
	return out
}

const gridHead = "table = \"clustering\"\nrepetitions = 2\nseed = 7\n"

func TestGridMultipliesUnitesPairs(t *testing.T) {
	c := parsed(t, gridHead+`
[[grid]]
dataset = ["D1", "IMDB-B"]
method = "GDL"
atoms = [2, 3]
lambda = [0, 0.01, 0.1]
[[grid]] # shares D1, atoms 2, lambda 0 and 0.01 with the first
dataset = "D1"
method = "GDL"
atoms = 2
lambda = [0, 0.01, 0.2]
[[grid]]
dataset = "BZR"
method = "GDL"
atoms = 2
features = "labels"
alpha = [0.1, 0.9]
step_structure = [0.01, 0.1, 1]
`)
	cells := c.Cells()
	// (2 x 2 x 3 + 1 new + 2 x 3) x 2 repetitions
	must.Check(t, len(cells), (12+1+6)*2, "cells")
	all := ids(cells)
	slices.Sort(all)
	must.Check(t, len(slices.Compact(all)), len(cells), "different ids, and cells")
}

// TestIdentity: what a cell is decides its id, and nothing else does.
func TestIdentity(t *testing.T) {
	id := func(block string) string {
		t.Helper()
		return parsed(t, gridHead+"[[grid]]\nmethod = \"GDL\"\n"+block).Cells()[0].ID
	}
	base := id("dataset = \"IMDB-B\"\natoms = 4\n")
	for name, block := range map[string]string{
		"a default written out":       "dataset = \"IMDB-B\"\natoms = 4\nbatch = 16\nlambda = 0\norder = \"median\"\n",
		"another order of the keys":   "atoms = 4\ndataset = \"IMDB-B\"\n",
		"the TU name":                 "dataset = \"IMDB-BINARY\"\natoms = 4\n",
		"an integer for a real":       "dataset = \"IMDB-B\"\natoms = 4\nlambda = 0\nalpha = 1\n",
		"a longer list":               "dataset = \"IMDB-B\"\natoms = [4, 6]\n",
		"more data sets, ours first":  "dataset = [\"IMDB-B\", \"D1\"]\natoms = 4\n",
		"a real written differently":  "dataset = \"IMDB-B\"\natoms = 4\nstep_structure = 1e-1\n",
		"a parameter of its defaults": "dataset = \"IMDB-B\"\natoms = 4\nrepresentation = \"adjacency\"\n",
	} {
		must.Check(t, id(block), base, "the id after %s", name)
	}
	for name, block := range map[string]string{
		"another data set": "dataset = \"IMDB-M\"\natoms = 4\n",
		"more atoms":       "dataset = \"IMDB-B\"\natoms = 5\n",
		"another lambda":   "dataset = \"IMDB-B\"\natoms = 4\nlambda = 0.01\n",
		"another order":    "dataset = \"IMDB-B\"\natoms = 4\norder = 17\n",
	} {
		if id(block) == base {
			t.Errorf("%s keeps the id", name)
		}
	}
	cells := parsed(t, gridHead+"[[grid]]\nmethod = \"GDL\"\ndataset = \"IMDB-B\"\natoms = 4\n").Cells()
	if len(cells) != 2 || cells[0].ID == cells[1].ID {
		t.Error("repetitions must have ids of their own")
	}
	newer := *cells[0].Method
	newer.Version++
	changed := *cells[0]
	changed.Method = &newer
	if changed.Identify(); changed.ID == base {
		t.Error("a new version of the method keeps the id")
	}
}

// TestSeedsArePaired: hyper-parameters and methods stay out of the random streams.
func TestSeedsArePaired(t *testing.T) {
	draw := func(seed int64, dataset string, repetition int, stage string) uint64 {
		return source.Rand(seed, dataset, repetition, stage).Uint64()
	}
	base := draw(1, "MUTAG", 0, "init")
	must.Check(t, base, draw(1, "MUTAG", 0, "init"), "the same stream twice")
	for name, other := range map[string]uint64{
		"seed": draw(2, "MUTAG", 0, "init"), "data set": draw(1, "BZR", 0, "init"),
		"repetition": draw(1, "MUTAG", 1, "init"), "stage": draw(1, "MUTAG", 0, "batches"),
	} {
		if other == base {
			t.Errorf("another %s, the same stream", name)
		}
	}
	// The streams are part of the promise of equal numbers: they never change. The
	// words are those that sha256sum prints for the text, read as little-endian.
	if want := rand.NewPCG(0x139d929133cb4b10, 0xf683fbda55125931).Uint64(); base != want {
		t.Errorf("the first draw of (1, MUTAG, 0, init) is %d, want %d", base, want)
	}
}

func TestSimulatedDrawSharedByRepetitions(t *testing.T) {
	cells := parsed(t, gridHead+"[[grid]]\nmethod = \"GDL\"\ndataset = \"D1\"\natoms = 3\nsbm_graphs = 2\nlambda = [0, 0.1]\n").Cells()
	for _, c := range cells[1:] {
		must.Check(t, c.Source(), cells[0].Source(), "the data of %s", c)
	}
	other := *cells[0]
	other.Seed++
	if other.Source() == cells[0].Source() {
		t.Error("another base seed must draw other data")
	}
}

func TestFilter(t *testing.T) {
	cells := parsed(t, gridHead+`
[[grid]]
dataset = ["IMDB-B", "IMDB-M", "MUTAG"]
method = "GDL"
atoms = [2, 10]
lambda = [0, 0.001, 0.01]
[[grid]]
dataset = "BZR"
method = "GDL"
features = "attributes"
scaling = "standardise"
atoms = 4
order = 9
`).Cells()
	count := func(s string) int {
		t.Helper()
		f := must.Get(ParseFilter(s, FilterKeys(protocol.Methods().Described())))
		n := 0
		for _, c := range cells {
			if f.Matches(c) {
				n++
			}
		}
		return n
	}
	for s, want := range map[string]int{
		"":                             38,
		"dataset=IMDB-BINARY":          12,
		"dataset!=IMDB-BINARY":         26,
		"method=GDL_lambda":            24,
		"method=GDL":                   38,
		"method!=GDL_lambda":           14,
		"dataset=MUTAG lambda=0":       4,
		"dataset=MUTAG,BZR":            14,
		"dataset=IMDB-*":               24,
		"dataset=IMDB-?  atoms=2":      12,
		"dataset!=MUTAG":               26,
		"dataset!=MUTAG,BZR":           24,
		"lambda>0":                     24,
		"lambda>=0.001 lambda<0.01 \t": 12,
		"lambda=1e-3":                  12,
		" lambda = 0 , 0.01  repetition >= 1 dataset= MUTAG": 4,
		"lambda<=0.0":            14,
		"repetition=1":           19,
		"seed=7":                 38,
		"seed=8":                 0,
		"order=median":           36,
		"order>5":                2,
		"scaling=none":           0,
		"scaling!=none":          38,
		`dataset="MUTAG"`:        12,
		`dataset="MU,TAG",MUTAG`: 12,
		"atoms<10":               20,
		"method=G*":              38,
		"id=" + cells[0].ID:      1,
	} {
		must.Check(t, count(s), want, "%q: cells", s)
	}
	for s, want := range map[string]string{
		"dataset":                "expected key",
		"=MUTAG":                 "expected key",
		"dataset MUTAG":          "expected key",
		"datset=MUTAG":           "unknown key \"datset\"; did you mean dataset?",
		"dataset=":               "a value is missing",
		"dataset=MUTAG,":         "a value is missing",
		"lambda<x":               "must be a number",
		"lambda<1,2":             "takes one value",
		`dataset="MUTAG`:         "without its end",
		`dataset="A"B`:           "must follow",
		"dataset=[":              "not a valid pattern",
		"lambda=0 junk":          "expected key",
		"lambda =":               "a value is missing",
		"lambda = dataset=MUTAG": "a value is missing",
		"lambda = 0,":            "a value is missing",
		"lambda==0 atoms":        "expected key",
	} {
		must.Fail(t, must.Err(ParseFilter(s, FilterKeys(protocol.Methods().Described()))), want, s)
	}
}

func FuzzFilter(f *testing.F) {
	cells := []*spec.Cell{{ID: "0123456789abcdef", Method: &protocol.Methods()[0].Method, Dataset: "MUTAG", Params: spec.Values{"lambda": 0.01, "order": "median", "atoms": int64(4)}}}
	keys := FilterKeys(protocol.Methods().Described())
	f.Fuzz(func(t *testing.T, s string) {
		got, err := ParseFilter(s, keys)
		if err != nil {
			if !strings.HasPrefix(err.Error(), strconv.Quote(s)+": ") {
				t.Fatalf("an error that does not begin with the text: %v", err)
			}
			return
		}
		if strings.TrimSpace(s) != "" && len(got) == 0 && strings.Trim(s, " \t\r\n") != "" {
			t.Fatalf("%q: no terms", s)
		}
		matched := got.Matches(cells[0])
		// A conjunction: doubled it says the same.
		if again, err := ParseFilter(s+" "+s, keys); err != nil || again.Matches(cells[0]) != matched {
			t.Fatalf("%q doubled: %v", s, err)
		}
	})
}
