package compare

import (
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"

	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

// recorded is the record of a cell, with a Rand Index.
func recorded(method string, version, repetition int, ri float64, params map[string]any) *record.Record {
	return &record.Record{
		ID: fmt.Sprint(method, version, repetition, len(params), params["lambda"]), Status: record.OK, Method: method, MethodVersion: version,
		Dataset: "D1", Params: maps.Clone(params), Repetition: repetition, Digest: "d", Scores: map[string]float64{"ri": ri},
	}
}

// side is what was read of these records.
func side(records ...*record.Record) *Side {
	s := &Side{}
	for _, r := range records {
		s.Add(r)
	}
	return s
}

// rowsOf compares two sides.
func rowsOf(t *testing.T, a, b *Side, by ...string) []*Row {
	t.Helper()
	return must.Get(Of(a, b, by...))
}

// repeated are records of a version, one for each number.
func repeated(version int, params map[string]any, numbers ...float64) (out []*record.Record) {
	for i, v := range numbers {
		out = append(out, recorded("GDL", version, i, v, params))
	}
	return out
}

func TestOutcomes(t *testing.T) {
	p := map[string]any{"lambda": 0.0}
	more := map[string]any{"lambda": 0.0, "unmix_starts": "product"}
	other := repeated(3, p, .7, .8, .9)
	other[1].EpochLoss = []float64{1}
	failed := repeated(4, p, .7, .8, .9)
	failed[2].Status, failed[2].Scores = record.Failed, nil
	streams := repeated(3, p, 0, 0)
	streams[0].Scores, streams[1].Scores = nil, nil
	later := repeated(4, p, 0, 0)
	later[0].Scores, later[1].Scores = nil, nil
	for _, c := range []struct {
		name    string
		a, b    []*record.Record
		want    Outcome
		changed int
	}{
		{"the same cells", repeated(3, p, .7, .8, .9), repeated(3, p, .7, .8, .9), Same, 0},
		{"a score of a cell", repeated(3, p, .7, .8, .9), repeated(3, p, .7, .8, .91), Moved, 1},
		{"a loss of a cell", repeated(3, p, .7, .8, .9), other, Moved, 1},
		{"a part of the cells", repeated(3, p, .7, .8, .9), repeated(3, p, .7, .8), Same, 0},
		{"no repetition that both have", repeated(3, p, .7), repeated(3, p, .7, .8)[1:], Unsettled, 0},
		{"another version, equal numbers", repeated(3, p, .7, .8, .9), repeated(4, p, .7, .8, .9), Same, 0},
		{"another version, noise", repeated(3, p, .7, .8, .9), repeated(4, p, .71, .79, .9), Within, 0},
		{"another version, a shift", repeated(3, p, .7, .8, .9), repeated(4, p, .75, .851, .9505), Moved, 0},
		{"another version, all by the same", repeated(3, p, .5, .25), repeated(4, p, .625, .375), Moved, 0},
		{"another version, one repetition", repeated(3, p, .7), repeated(4, p, .9), Unsettled, 0},
		{"another version, no score", streams, later, Unsettled, 0},
		{"another version, one that fails", repeated(3, p, .7, .8, .9), failed, Moved, 0},
		{"a default that came later", repeated(3, p, .7, .8, .9), repeated(4, more, .7, .8, .9), Same, 0},
		{"only there before", repeated(3, p, .7), append(repeated(3, map[string]any{"lambda": 1.0}, .7), repeated(3, map[string]any{"lambda": 2.0}, .7)...), OnlyA, 0},
	} {
		rows := rowsOf(t, side(c.a...), side(c.b...))
		if len(rows) == 0 {
			t.Fatalf("%s: no rows", c.name)
		}
		if r := rows[0]; r.Outcome != c.want || r.Changed != c.changed || r.Outcome.Missing() != (c.want == OnlyA || c.want == OnlyB) {
			t.Errorf("%s: %s with %d changed, want %s with %d: %+v", c.name, r.Outcome, r.Changed, c.want, c.changed, r)
		}
	}
}

// TestLevelIsShared: what is beyond chance alone is within it among many rows.
func TestLevelIsShared(t *testing.T) {
	grid := func(version int, shift float64, rows int) *Side {
		var all []*record.Record
		for k := range rows {
			noise := shift
			if k > 0 {
				noise = 0
			}
			p := map[string]any{"lambda": float64(k)}
			all = append(all, repeated(version, p, .5+noise, .6+.9*noise, .7+1.2*noise)...)
		}
		return side(all...)
	}
	for rows, want := range map[int]Outcome{1: Moved, 200: Within} {
		got := rowsOf(t, grid(3, 0, rows), grid(4, .05, rows))
		if len(got) != rows || got[0].Outcome != want {
			t.Errorf("%d rows: %s, want %s: %+v", len(got), got[0].Outcome, want, got[0].Difference)
		}
		if rows > 1 && got[1].Outcome != Same {
			t.Errorf("a row that is equal: %s", got[1].Outcome)
		}
	}
}

// TestOnBothSides: rows come in one order, each with what its side says, and the newest version counts.
func TestOnBothSides(t *testing.T) {
	p, q := map[string]any{"lambda": 0.0}, map[string]any{"lambda": 1.0}
	a := side(append(repeated(2, p, .1, .2), repeated(3, p, .5, .7)...)...)
	b := side(append(repeated(3, p, .5, .7), repeated(3, q, .25)...)...)
	rows := rowsOf(t, a, b)
	if len(rows) != 2 || rows[0].Outcome != Same || rows[1].Outcome != OnlyB {
		t.Fatalf("%+v", rows)
	}
	if r, s := rows[0], rows[0].Stats; s[0].N != 2 || s[0].Mean != 60 || s[1] != s[0] || r.Repetitions != 2 || r.Version[0] != 3 {
		t.Errorf("%+v", r)
	}
	if r := rows[1]; r.Stats[1].Mean != 25 || r.Stats[0].N != 0 || r.Version != [2]int{0, 3} {
		t.Errorf("%+v", r)
	}
}

// TestSplitsOverlap: accuracies of splits that share graphs are known less well than as many independent numbers, and the same splits under
// other base seeds are no more of them.
func TestSplitsOverlap(t *testing.T) {
	splits := func(score, dataset string, version, splits, seeds int, shift, spread float64) *Side {
		s := &Side{}
		for k := range splits * seeds {
			r := recorded("WLK", version, k%splits, 0, map[string]any{"depth": 1.0})
			r.Dataset, r.BaseSeed, r.ID = dataset, int64(k/splits), fmt.Sprint(version, k)
			r.Scores = map[string]float64{score: .5 + shift + spread*float64(k%2*2-1)}
			s.Add(r)
		}
		return s
	}
	for _, c := range []struct {
		name, score, dataset string
		splits, seeds        int
		spread, half         float64 // of the interval: worked out apart from this program
		want                 Outcome
	}{
		{"independent repetitions", "ri", "MUTAG", 10, 1, .02, 1.50810, Moved},
		{"overlapping splits", "accuracy", "MUTAG", 10, 1, .02, 2.19804, Within},
		{"of an own data set", "accuracy", "MINE", 10, 1, .02, 2.19123, Within},
		{"less noise", "accuracy", "MUTAG", 10, 1, .015, 1.64853, Moved},
		{"under two base seeds", "accuracy", "MUTAG", 10, 2, .02, 2.19804, Within},
		{"independent under two", "ri", "MUTAG", 10, 2, .02, 0.96035, Moved},
	} {
		rows := rowsOf(t, splits(c.score, c.dataset, 3, c.splits, c.seeds, 0, 0), splits(c.score, c.dataset, 4, c.splits, c.seeds, .02, c.spread))
		if d := rows[0].Difference; len(rows) != 1 || rows[0].Outcome != c.want || !(math.Abs(d.High-d.Low-2*c.half) <= 2e-5) ||
			!(math.Abs(d.Diff-2) <= 1e-9) {
			t.Errorf("%s: %s, %+v, want %s and a half width of %v", c.name, rows[0].Outcome, d, c.want, c.half)
		}
	}
}

// TestBy: rows that differ in one key are pairs, with its values; a store with two values of it in a row, and a key that nobody has,
// are errors.
func TestBy(t *testing.T) {
	at := func(epochs, lambda float64) map[string]any { return map[string]any{"epochs": epochs, "lambda": lambda} }
	a := side(append(repeated(3, at(5, 0), .7, .8, .9), repeated(3, at(5, 1), .7, .8, .9)...)...)
	b := side(append(repeated(3, at(10, 0), .75, .851, .9505), repeated(3, at(10, 1), .71, .79, .9)...)...)
	for _, r := range append(a.records, b.records...) {
		r.ID += fmt.Sprint(r.Params["epochs"])
	}
	if rows := rowsOf(t, a, b); len(rows) != 4 || rows[0].Outcome != OnlyA {
		t.Errorf("%d rows without a key, the first %s", len(rows), rows[0].Outcome)
	}
	rows := rowsOf(t, a, b, "epochs")
	if len(rows) != 2 || rows[0].Outcome != Moved || rows[1].Outcome != Within {
		t.Fatalf("%+v", rows)
	}
	if r := rows[0]; r.By != [2]string{"5", "10"} || r.Params["epochs"] != nil || r.Repetitions != 3 ||
		!(math.Abs(r.Difference.Diff-5.05) <= .01) {
		t.Errorf("%+v", r)
	}
	for key, want := range map[string]string{"epoch": `no record has a parameter "epoch"`, "lambda": `in A: D1 GDL has both "0" and "1" as lambda`} {
		if _, err := Of(a, b, key); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", key, err)
		}
	}
}
