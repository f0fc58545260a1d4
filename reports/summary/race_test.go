package summary

import (
	"fmt"
	"slices"
	"testing"

	"ogdl/internal/artifact"
	"ogdl/internal/record"
)

// racer is a setting with its scores and objectives, repetition by repetition; it has as many finished repetitions as scores.
type racer struct {
	atoms         int
	alpha         float64
	scores, costs []float64
}

// raceOf is a row of five repetitions for each racer.
func raceOf(racers ...racer) *Row {
	var runs []Run
	for _, x := range racers {
		params := map[string]any{"atoms": x.atoms, ParamAlpha: x.alpha}
		for k := range 5 {
			id := fmt.Sprint(x.atoms, x.alpha, k)
			r := Run{Expected: Expected{ID: id, Method: "GDL", Dataset: "own", Params: params, Repetition: k, Race: true}}
			if k < len(x.scores) {
				r.Record = &record.Record{ID: id, Status: record.OK, Method: "GDL", Dataset: "own", Digest: "d", Params: params, Repetition: k,
					Scores: map[string]float64{artifact.RI: x.scores[k]}}
				if x.costs != nil {
					r.Record.Scores[artifact.Objective] = x.costs[k]
				}
			}
			runs = append(runs, r)
		}
	}
	return NewFrame(Spec{Table: TableClustering}, runs, nil).Rows[0]
}

// TestRace: which settings are ruled out, after how many repetitions, and how many are asked for of each.
func TestRace(t *testing.T) {
	same := []float64{.5, .5, .5, .5, .5}
	for name, c := range map[string]struct {
		racers []racer
		out    []int // by setting, in the order of atoms and alpha
		sure   []int // repetitions
		chosen int   // place of the setting with labels; -1: none
	}{
		"nothing has run": {[]racer{{2, .1, nil, nil}, {2, .2, nil, nil}}, []int{0, 0}, []int{2, 2}, -1},
		"one repetition decides nothing": {[]racer{{2, .1, same[:1], []float64{1}}, {2, .2, same[:1], []float64{9}}}, []int{0, 0},
			[]int{2, 2}, 0},
		"an alpha with too high an objective": {[]racer{{2, .1, same[:2], []float64{1, 1.1}}, {2, .2, same[:2], []float64{9, 9.1}},
			{2, .3, same[:2], []float64{1.1, 1}}}, []int{0, 2, 0}, []int{3, 2, 3}, 0},
		"a decision waits for the whole repetition": {[]racer{{2, .1, same[:2], []float64{1, 1.1}}, {2, .2, same[:2], []float64{9, 9.1}},
			{2, .3, same[:1], []float64{1}}}, []int{0, 0, 0}, []int{2, 2, 2}, 0},
		"at least the median deviation": {[]racer{{2, .1, same[:2], []float64{1, 2}}, {2, .2, same[:2], []float64{3, 4}},
			{2, .3, same[:2], []float64{3, 1}}, {2, .4, same[:2], []float64{2, 4.5}}}, []int{0, 0, 0, 0}, []int{3, 3, 3, 3}, 0},
		"objectives of other atoms say nothing": {[]racer{{2, .1, same[:2], []float64{9, 9.1}}, {3, .1, same[:2], []float64{1, 1.1}}},
			[]int{0, 0}, []int{3, 3}, 0},
		"a score that cannot be the highest": {[]racer{{2, .1, []float64{.9, .91}, []float64{9, 9}}, {3, .1, []float64{.5, .51}, []float64{1, 1}}},
			[]int{0, 2}, []int{3, 2}, 0},
		// The alpha of .2 may yet be chosen by the objective, and its score is high.
		"a group stays for one of its alphas": {[]racer{{2, .1, []float64{.9, .9}, []float64{9, 9}}, {3, .1, []float64{.5, .51}, []float64{1, 2}},
			{3, .2, []float64{.91, .9}, []float64{2, 1}}}, []int{0, 0, 0}, []int{3, 3, 3}, 0},
		"equal scores are not lower": {[]racer{{2, .1, []float64{.3, .3}, nil}, {3, .1, []float64{.3, .3}, nil}, {4, .1, []float64{.2, .2}, nil}},
			[]int{0, 0, 2}, []int{3, 3, 2}, 0},
		"after a later repetition": {[]racer{{2, .1, []float64{.9, .5, .7}, nil}, {3, .1, []float64{.1, .1, .1}, nil}}, []int{0, 3},
			[]int{4, 3}, 0},
		"in the end": {[]racer{{2, .1, same, []float64{1, 1.1, 1, 1, 1}}, {2, .2, same[:2], []float64{9, 9.1}}}, []int{0, 2}, []int{5, 2}, 0},
		"what is whole stays in the choice": {[]racer{{2, .1, same, []float64{1, 1, 9, 9, 9}}, {2, .2, same, []float64{2, 2, 2, 2, 2}}},
			[]int{0, 0}, []int{5, 5}, 1},
	} {
		row := raceOf(c.racers...)
		var out, sure []int
		for _, x := range row.Configs {
			out = append(out, x.RuledOut())
			sure = append(sure, len(pick(x.Runs, func(r Run) bool { return r.Chance == Sure })))
		}
		if !slices.Equal(out, c.out) || !slices.Equal(sure, c.sure) {
			t.Errorf("%s: ruled out after %v, sure %v; want %v, %v", name, out, sure, c.out, c.sure)
		}
		if at := slices.Index(row.Configs, row.Oracle); at != c.chosen {
			t.Errorf("%s: setting %d is selected, want %d", name, at, c.chosen)
		}
		whole := !slices.ContainsFunc(row.Configs, func(c *Config) bool { return !c.Complete() && c.RuledOut() == 0 })
		if row.Settled() != whole {
			t.Errorf("%s: settled %v", name, row.Settled())
		}
	}
}

// TestRaceWithFailures: a setting with a failed repetition is neither ruled out nor waited for, and rules out no other; with the next
// decision the cells are MayBe, of what is out RuledOut.
func TestRaceWithFailures(t *testing.T) {
	fails := racer{2, .2, []float64{.1, .1}, []float64{1, 1}}
	row := raceOf(racer{2, .1, []float64{.5, .5}, []float64{5, 5}}, fails, racer{2, .3, []float64{.5, .5}, []float64{9, 9}})
	runs := slices.Concat(row.Configs[0].Runs, row.Configs[1].Runs, row.Configs[2].Runs)
	runs[6].Record.Status = record.Timeout
	f := NewFrame(Spec{Table: TableClustering}, runs, nil)
	if out := []int{f.Rows[0].Configs[0].out, f.Rows[0].Configs[1].out, f.Rows[0].Configs[2].out}; !slices.Equal(out, []int{0, 0, 2}) {
		t.Errorf("ruled out after %v", out)
	}
	chances := f.Chances()
	if len(chances) != 3+2+2 || chances["2 0.3 2"] != RuledOut || chances["2 0.1 2"] != Sure || chances["2 0.1 3"] != MayBe || chances["2 0.2 3"] != MayBe {
		t.Errorf("%v", chances)
	}
}
