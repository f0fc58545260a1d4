package reports

import (
	"slices"
	"testing"

	"ogdl/internal/record"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawParams draws parameters of few names and values, so that many are alike.
func drawParams(t *rapid.T) params {
	p := params{}
	for _, name := range []string{"alpha", "atoms", "init"} {
		switch rapid.IntRange(0, 3).Draw(t, name) {
		case 1:
			p[name] = valueOf(1)
		case 2:
			p[name] = valueOf(0.5)
		case 3:
			p[name] = valueOf("sample")
		}
	}
	return p
}

// TestOrderOfParams: compareParams is an order, equal exactly for equal parameters, as are keys; a
// parameter that is not there comes first.
func TestOrderOfParams(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := drawParams(t), drawParams(t), drawParams(t)
		ab := compareParams(a, b)
		if ab != -compareParams(b, a) {
			t.Errorf("%v and %v: %d, and %d", a, b, ab, compareParams(b, a))
		}
		if (ab == 0) != cmp.Equal(a, b, cmp.AllowUnexported(value{})) || (ab == 0) != (a.key() == b.key()) {
			t.Errorf("%v and %v: %d, keys %q and %q", a, b, ab, a.key(), b.key())
		}
		if ab <= 0 && compareParams(b, c) <= 0 && compareParams(a, c) > 0 {
			t.Errorf("%v, %v, %v: no order", a, b, c)
		}
	})
	less, more := params{}, params{"alpha": valueOf(1)}
	if compareParams(less, more) != -1 {
		t.Error("a parameter that is not there comes first")
	}
}

// TestFrame: tables of a framed spec are those of a plain one; other records than the framed ones
// are framed anew.
func TestFrame(t *testing.T) {
	t.Parallel()
	spec := Spec{Name: "test", Table: TableClustering}
	var recs []record.Record
	for i, alpha := range []float64{0.9, 0.5, 0.9, 0.5} {
		recs = append(recs, record.Record{ID: []string{"aaaaaaaa", "bbbbbbbb", "cccccccc", "dddddddd"}[i], Status: record.OK, Method: "GDL", Dataset: "MUTAG",
			Params: map[string]any{"alpha": alpha, "lambda": 0.0}, Repetition: i / 2, Scores: map[string]float64{"ri": 0.5 + 0.1*float64(i)}, Assignment: record.Labels{0, 1, uint16(i % 2)}})
	}
	same := func(recs []record.Record, framed Spec) {
		t.Helper()
		want, _ := Tables(spec, recs, nil, nil)
		got, _ := Tables(framed, recs, nil, nil)
		for _, tables := range [][]Table{want, got} {
			for i := range tables {
				tables[i] = tables[i].whole()
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || len(got) == 0 {
			t.Errorf("-plain +framed:\n%s", diff)
		}
	}
	framed := spec
	framed.Frame(recs)
	same(recs, framed)
	same(recs[1:], framed)
	same(slices.Clone(recs)[:2], framed)
	framed.Table = TableEnzymes
	spec.Table = TableEnzymes
	same(recs, framed)
}
