package reports

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ogdl/internal/record"

	"pgregory.net/rapid"
)

// five puts five seeds of one configuration whose Rand Indices in percent are ri.
func (g *grid) five(dataset, method string, params map[string]any, ri ...float64) {
	for rep, x := range ri {
		g.put(dataset, method, params, rep, x/100, 0.1, 1, 0, 1, 1, 0)
	}
}

func verdictOf(t *testing.T, g *grid, dataset, row string) Verdict {
	t.Helper()
	for _, v := range Verdicts(g.spec, g.recs) {
		if v.Dataset == dataset && v.Row == row {
			return v
		}
	}
	t.Fatalf("no verdict on %s %s", dataset, row)
	return Verdict{}
}

// The paper prints for MUTAG: GDL 70.02 (0.29), GDL_lambda 70.89 (0.11), GWF-r 68.83
// (1.47), GW-k 57.56 (1.5), SC 50.82 (2.71).
func TestVerdicts(t *testing.T) {
	g := &grid{spec: Spec{Name: "v"}}
	g.five("MUTAG", "GDL", p(0.5, 0, 4), 69.73, 69.73, 69.73)                 // .29 below: within the paper's deviation, to the last digit
	g.five("MUTAG", "GDL", p(0.5, 0.1, 4), 69.89, 71.89, 71.89, 73.89, 73.89) // 1.4 above, our deviation 1.497
	g.five("MUTAG", "GWF-r", p(0.5, 0, 4), 70.31, 70.31)                      // 1.48 above
	g.five("MUTAG", "GW-k", p(0.5, 0, 4), 56.05, 56.05)                       // 1.51 below
	g.leave(g.ask("MUTAG", "SC", p(0.5, 0, 4), 0), record.Record{Status: record.Failed, Reason: "no such thing"})
	for _, c := range []struct {
		row    string
		want   Outcome
		seeds  int
		remark string
	}{
		{"GDL", Reproduced, 3, ""},
		{"GDL_lambda", Reproduced, 5, ""},
		{"GWF-r", Better, 2, ""},
		{"GW-k", Worse, 2, ""},
		{"SC", NoRun, 0, "no such thing"},
		{"GWF-f", NoRun, 0, notAskedRemark},
	} {
		v := verdictOf(t, g, "MUTAG", c.row)
		if v.Outcome != c.want || v.Seeds != c.seeds || !strings.Contains(v.Remark, c.remark) || c.remark == "" && v.Remark != "" {
			t.Errorf("%s: %s over %d seeds, %q; want %s over %d, %q", c.row, v.Outcome, v.Seeds, v.Remark, c.want, c.seeds, c.remark)
		}
	}
	counts := CountOutcomes(Verdicts(g.spec, g.recs))
	if got, want := counts.Sentence(), "Of 48 printed numbers: 2 reproduced, 1 better, 1 worse, 44 missing."; got != want {
		t.Errorf("%s; want %s", got, want)
	}
	table, ok := VerdictTable(g.spec, Verdicts(g.spec, g.recs))
	if !ok || table.Name != "clustering_verdict" || len(table.Rows) != 48 {
		t.Fatalf("table %q of %d rows", table.Name, len(table.Rows))
	}
	row := find(t, table, "MUTAG", "GDL_lambda", "reproduced")
	if got := at(t, table, row, "ours").Plain(); got != "72.29 (1.50)" {
		t.Errorf("ours %s", got)
	}
}

// t.975 is 2.776 with four degrees of freedom and 12.706 with one.
func TestInterval(t *testing.T) {
	s := statOf([]float64{69.89, 71.89, 71.89, 73.89, 73.89})
	low, high, ok := s.interval()
	half := 2.7764451 * 1.6733201 / math.Sqrt(5) // the sample's deviation
	if !ok || math.Abs(low-(72.29-half)) > 1e-6 || math.Abs(high-(72.29+half)) > 1e-6 {
		t.Errorf("%v to %v, want 72.29 and %v to both sides", low, high, half)
	}
	if low, high, ok = statOf([]float64{1, 3}).interval(); !ok || math.Abs(low-(2-12.7062047)) > 1e-6 || math.Abs(high-(2+12.7062047)) > 1e-6 {
		t.Errorf("of 1 and 3: %v to %v", low, high)
	}
	if _, _, ok := statOf([]float64{1}).interval(); ok {
		t.Error("one value has an interval")
	}
}

func TestVerdictRemarks(t *testing.T) {
	g := &grid{spec: Spec{Name: "v"}}
	g.five("IMDB-M", "GDL", p(0.5, 0, 4), 55.1, 55.1)
	g.ask("IMDB-M", "GDL", p(0.5, 0, 4), 2)
	g.ask("IMDB-M", "GDL", p(0.9, 0, 4), 0)
	v := verdictOf(t, g, "IMDB-M", "GDL") // 55.08; trivial levels of helpers_test.go: 55.2 and 50
	if want := "2 of 3 seeds; 0 of 2 configurations finished; the paper's number is at or below 55.20, which a trivial clustering scores"; v.Remark != want {
		t.Errorf("%q, want %q", v.Remark, want)
	}
	if v.Mark != MarkSeeds+MarkGrid {
		t.Errorf("mark %q", v.Mark)
	}
	if v := verdictOf(t, g, "MUTAG", "GDL"); v.Remark != notAskedRemark {
		t.Errorf("%q", v.Remark)
	}
	only := &grid{}
	only.five("D1", "GDL", p(0.5, 0, 4), 90)
	if v := Verdicts(only.spec, only.recs); len(v) > 0 {
		t.Errorf("verdicts on a set that the paper has not: %v", v)
	}
	if _, ok := VerdictTable(only.spec, nil); ok {
		t.Error("a table of no verdicts")
	}
}

func TestDatasetVerdicts(t *testing.T) {
	row := DatasetRow{Name: "COX2", Graphs: 467, Classes: 2, MeanNodes: 41.22, MinNodes: 32, MaxNodes: 56, MedianNodes: 41, Connectivity: 5.42, Attributes: "real", AttributeDim: 3}
	g := &grid{spec: Spec{Table: TableDatasets}}
	g.leave(g.ask("COX2", "statistics", nil, 0), record.Record{Status: record.OK, Scores: row.Scores()})
	g.leave(g.ask("BZR", "statistics", nil, 0), record.Record{Status: record.Skipped, Reason: "not fetched"})
	verdicts := Verdicts(g.spec, g.recs)
	if got, want := CountOutcomes(verdicts).Sentence(), "Of 64 printed numbers: 7 reproduced, 0 better, 0 worse, 1 differs, 56 missing."; got != want {
		t.Errorf("%s; want %s", got, want)
	}
	table, _ := VerdictTable(g.spec, verdicts)
	if got := at(t, table, find(t, table, "COX2", "connectivity, %", "differs"), "remark").Plain(); !strings.Contains(got, "digits swapped") {
		t.Errorf("remark %q", got)
	}
	if got := at(t, table, find(t, table, "BZR", "graphs", "missing"), "remark").Plain(); got != "skipped: not fetched" {
		t.Errorf("remark %q", got)
	}
}

func TestSignFlip(t *testing.T) {
	for _, c := range []struct {
		d    []float64
		want float64
	}{
		{nil, 1},
		{[]float64{3}, 1},
		{[]float64{1, 2, 3, 4, 5}, 2. / 32},
		{[]float64{-1, -2, -3, -4, -5}, 2. / 32},
		{[]float64{-1, 2, 3, 4, 5}, 4. / 32}, // sums of 13 and more: 15, 13, and their mirror images
		{[]float64{0, 0, 0}, 1},
		{[]float64{0.1, 0.2, -0.3}, 1}, // a sum of 0, but for rounding
		{[]float64{0.1, 0.2, 0.3, 0}, 4. / 16},
	} {
		if got := signFlip(c.d); got != c.want {
			t.Errorf("%v: %v, want %v", c.d, got, c.want)
		}
	}
}

// With many differences p is estimated; the draws of a fixed seed must lie near the
// exact value, and give it again.
func TestSignFlipSampled(t *testing.T) {
	d := make([]float64, maxExactFlips)
	draw := rand.New(rand.NewPCG(3, 4))
	for i := range d {
		d[i] = draw.NormFloat64() + 0.3
	}
	exact := signFlip(d)
	more := append([]float64{0}, d...) // a zero changes no sum
	got := signFlip(more)
	if sd := math.Sqrt(exact * (1 - exact) / sampledFlips); math.Abs(got-exact) > 5*sd+2./sampledFlips {
		t.Errorf("estimated %v, exact %v", got, exact)
	}
	if again := signFlip(more); again != got {
		t.Errorf("%v, then %v", got, again)
	}
	far := make([]float64, 100)
	for i := range far {
		far[i] = 1
	}
	if got := signFlip(far); got != 1./(sampledFlips+1) {
		t.Errorf("a hundred equal differences: %v", got)
	}
}

func TestSignFlipProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SliceOfN(rapid.Float64Range(-50, 50), 1, 8).Draw(t, "d")
		mirrored := make([]float64, len(d))
		scaled := make([]float64, len(d))
		for i, x := range d {
			mirrored[len(d)-1-i] = -x
			scaled[i] = 4 * x
		}
		q := signFlip(d)
		if q < 2/math.Exp2(float64(len(d))) || q > 1 {
			t.Fatalf("p of %v is %v", d, q)
		}
		if m := signFlip(mirrored); m != q {
			t.Fatalf("%v: %v, with other signs and in another order %v", d, q, m)
		}
		if s := signFlip(scaled); s != q {
			t.Fatalf("%v: %v, four times as large %v", d, q, s)
		}
	})
}

func TestPairedTable(t *testing.T) {
	g := &grid{spec: Spec{Name: "v"}}
	g.five("MUTAG", "GDL", p(0.5, 0, 4), 71, 72, 73, 74, 75)
	g.five("MUTAG", "GDL", p(0.5, 0.1, 4), 70, 70, 70, 70) // a seed fewer
	g.five("BZR", "GDL", p(0.5, 0, 4), 60, 60)
	g.five("BZR", "GDL", p(0.5, 0.1, 4), 61, 61)
	g.five("COX2", "GDL", p(0.5, 0, 4), 60)
	g.five("COX2", "GDL", p(0.5, 0.1, 4), 99)
	g.recs[len(g.recs)-1].Digest = "other data"
	table, ok := PairedTable(g.spec, g.recs)
	if !ok {
		t.Fatal("no table")
	}
	for _, c := range []struct{ dataset, want string }{
		{"MUTAG", "4 +2.50 4 of 4 0.1250 0.125"},
		{"BZR", "2 -1.00 0 of 2 0.5000 0.5"},
		{"2 data sets together", "6 +1.33 4 of 6 0.2500 0.0312"},
	} {
		var parts []string
		for _, x := range find(t, table, c.dataset, "GDL", "GDL_lambda")[3:] {
			parts = append(parts, x.Plain())
		}
		if got := strings.Join(parts, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.dataset, got, c.want)
		}
	}
	if len(table.Rows) != 3 {
		t.Errorf("%d rows", len(table.Rows))
	}
	if _, ok := PairedTable(Spec{Table: TableDatasets}, g.recs); ok {
		t.Error("data sets are paired")
	}
	if _, ok := PairedTable(g.spec, g.recs[:1]); ok {
		t.Error("a table of no pairs")
	}
}

func TestDeviations(t *testing.T) {
	table := DeviationsTable()
	table.check()
	if len(table.Rows) < 12 {
		t.Errorf("%d deviations", len(table.Rows))
	}
	find(t, table, "statistics of COX2")
	one := "[[deviation]]\nabout = \"a\"\npaper = \"b\"\nours = \"c\"\nreason = \"d\"\n"
	if list, err := parseDeviations(one); err != nil || fmt.Sprint(list) != "[{a b c d}]" {
		t.Errorf("%v, %v", list, err)
	}
	for text, want := range map[string]string{
		one + "extra = 1\n":              "unknown key deviation.extra",
		one + one:                        "a comes twice",
		"[[deviation]]\nabout = \"a\"\n": "must all be there",
		"[[deviation]\n":                 "toml",
	} {
		if _, err := parseDeviations(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
