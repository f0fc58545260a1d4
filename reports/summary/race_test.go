package summary

import (
	"fmt"
	"slices"
	"testing"

	"ogdl/internal/artifact"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

// list is short for values, repetition by repetition.
type list []float64

// racer is a setting with its scores and, if it has any, objectives. It has as many finished repetitions as scores.
type racer struct {
	atoms        int
	alpha        float64
	scores, cost list
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
				r.Record = &record.Record{ID: id, Status: record.OK, Method: "GDL", Dataset: "own", Digest: "d", Params: params,
					Repetition: k, Scores: map[string]float64{artifact.RI: x.scores[k]}}
				if x.cost != nil {
					r.Record.Scores[artifact.Objective] = x.cost[k]
				}
			}
			runs = append(runs, r)
		}
	}
	return NewFrame(Spec{Table: TableClustering}, runs, nil).Rows[0]
}

// TestRace: which settings are ruled out, after how many repetitions, how many repetitions are asked for of each, and which
// setting is selected with labels.
func TestRace(t *testing.T) {
	same, two := list{.5, .5, .5, .5, .5}, list{.5, .5}
	for name, c := range map[string]struct {
		racers []racer
		out    []int // by setting
		sure   []int // repetitions
		chosen int   // place of the setting; -1: none
	}{
		"nothing has run": {[]racer{{2, .1, nil, nil}, {2, .2, nil, nil}}, []int{0, 0}, []int{2, 2}, -1},
		"one repetition decides nothing": {[]racer{{2, .1, list{.5}, list{1}}, {2, .2, list{.5}, list{9}}},
			[]int{0, 0}, []int{2, 2}, 0},
		"an alpha with too high an objective": {[]racer{{2, .1, two, list{1, 1.1}}, {2, .2, two, list{9, 9.1}},
			{2, .3, two, list{1.1, 1}}},
			[]int{0, 2, 0}, []int{3, 2, 3}, 0},
		"one repetition and the deviation of pilots": {[]racer{{2, .1, two, list{1, 1.1}}, {2, .2, two, list{9, 9.2}},
			{3, .1, list{.5}, list{1}}, {3, .2, list{.5}, list{9}}, {3, .3, list{.5}, list{1.2}}},
			[]int{0, 0, 0, 1, 0}, []int{2, 2, 2, 1, 2}, 0},
		"one repetition waits for pilots": {[]racer{{2, .1, two, list{1, 1.1}}, {2, .2, list{.5}, list{9}},
			{3, .1, list{.5}, list{1}}, {3, .2, list{.5}, list{9}}}, []int{0, 0, 0, 0}, []int{2, 1, 2, 1}, 0},
		"a decision waits for the whole repetition": {[]racer{{2, .1, two, list{1, 1.1}}, {2, .2, two, list{9, 9.1}},
			{2, .3, list{.5}, list{1}}},
			[]int{0, 0, 0}, []int{2, 2, 2}, 0},
		"at least the median deviation": {[]racer{{2, .1, two, list{1, 2}}, {2, .2, two, list{3, 4}}, {2, .3, two, list{3, 1}},
			{2, .4, two, list{2, 4.5}}}, []int{0, 0, 0, 0}, []int{3, 3, 3, 3}, 0},
		"objectives of other atoms say nothing": {[]racer{{2, .1, two, list{9, 9.1}}, {3, .1, two, list{1, 1.1}}},
			[]int{0, 0}, []int{3, 3}, 0},
		"a score that cannot be the highest": {[]racer{{2, .1, list{.9, .91}, list{9, 9}}, {3, .1, list{.5, .51}, list{1, 1}}},
			[]int{0, 2}, []int{3, 2}, 0},
		"a group stays for one of its alphas": {[]racer{{2, .1, list{.9, .9}, list{9, 9}}, {3, .1, list{.5, .51}, list{1, 2}},
			{3, .2, list{.91, .9}, list{2, 1}}}, []int{0, 0, 0}, []int{3, 3, 3}, 0},
		"equal scores are not lower": {[]racer{{2, .1, list{.3, .3}, nil}, {3, .1, list{.3, .3}, nil}, {4, .1, list{.2, .2}, nil}},
			[]int{0, 0, 2}, []int{3, 3, 2}, 0},
		"after a later repetition": {[]racer{{2, .1, list{.9, .5, .7}, nil}, {3, .1, list{.1, .1, .1}, nil}},
			[]int{0, 3}, []int{4, 3}, 0},
		"in the end": {[]racer{{2, .1, same, same}, {2, .2, two, list{9, 9}}}, []int{0, 2}, []int{5, 2}, 0},
		"what is whole stays in the choice": {[]racer{{2, .1, same, list{1, 1, 9, 9, 9}}, {2, .2, same, list{2, 2, 2, 2, 2}}},
			[]int{0, 0}, []int{5, 5}, 1},
	} {
		row := raceOf(c.racers...)
		var out, sure []int
		settled := true
		for _, x := range row.Configs {
			out = append(out, x.RuledOut())
			sure = append(sure, len(Pick(x.Runs, func(r Run) bool { return r.Chance == Sure })))
			settled = settled && (x.Complete() || x.RuledOut() > 0)
		}
		if !slices.Equal(out, c.out) || !slices.Equal(sure, c.sure) || row.Settled() != settled {
			t.Errorf("%s: ruled out after %v, sure %v, settled %v; want %v, %v, %v", name, out, sure, row.Settled(),
				c.out, c.sure, settled)
		}
		must.Check(t, slices.Index(row.Configs, row.Oracle), c.chosen, "%s: selected setting", name)
	}
}

// TestRaceWithFailures: a setting with a failed repetition is neither ruled out nor waited for, and rules out no other.
func TestRaceWithFailures(t *testing.T) {
	two := list{.5, .5}
	row := raceOf(racer{2, .1, two, list{5, 5}}, racer{2, .2, two, list{1, 1}}, racer{2, .3, two, list{9, 9}})
	runs := slices.Concat(row.Configs[0].Runs, row.Configs[1].Runs, row.Configs[2].Runs)
	runs[6].Record.Status = record.Timeout
	f := NewFrame(Spec{Table: TableClustering}, runs, nil)
	for i, want := range []int{0, 0, 2} {
		must.Check(t, f.Rows[0].Configs[i].out, want, "repetitions after which setting %d is ruled out", i)
	}
	chances := f.Chances()
	for id, want := range map[string]Chance{"2 0.1 2": Sure, "2 0.1 3": MayBe, "2 0.2 1": Sure, "2 0.2 3": MayBe,
		"2 0.3 1": Sure, "2 0.3 2": RuledOut} {
		must.Check(t, chances[id], want, "cell %s has chance", id)
	}
}

// TestRuledOutAfterFailure: a cell that failed, and that a race then ruled out, has not failed.
func TestRuledOutAfterFailure(t *testing.T) {
	r := Run{Record: &record.Record{Status: record.Failed}}
	must.Check(t, r.Failed(), true, "without a race: failed")
	r.Chance = RuledOut
	must.Check(t, r.Failed(), false, "failed")
	must.Check(t, r.Status(), RuledOutStatus, "status")
}
