package summary

import (
	"math"
	"slices"

	"ogdl/internal/artifact"
)

// Chance says whether a race still asks for a cell.
type Chance int

// The chances of a cell. One with a result is sure.
const (
	Sure     Chance = iota // asked for
	MayBe                  // asked for later, unless its setting is ruled out before
	RuledOut               // its setting cannot be selected any more
)

// A race decides after each whole repetition from the second on. Four standard errors settle a difference.
const (
	racedFrom = 2
	sureBy    = 4
)

// race replays the race of the row on its records and gives each cell its chance. The decision after n repetitions reads the first n
// repetitions of the settings that are left, and nothing else: so workers, order and interruptions play no part. It waits for cells
// that have not run. A setting with a failed repetition is compared with no other and stays in the race.
func (l *Row) race() {
	most := 0
	for r := range l.Runs() {
		l.raced, most = l.raced || r.Race, max(most, r.Repetition+1)
	}
	if !l.raced {
		return
	}
	turn := min(racedFrom, most)
	for ; turn < most; turn++ {
		left := pick(l.Configs, func(c *Config) bool { return c.out == 0 })
		if slices.ContainsFunc(left, func(c *Config) bool { return c.waits(turn) }) {
			break
		}
		for _, c := range losers(left, l.Metric.Score, turn) {
			c.out = turn
		}
	}
	for _, c := range l.Configs {
		for i := range c.Runs {
			r := &c.Runs[i]
			r.Chance = Sure
			switch {
			case r.OK():
			case c.out > 0 && r.Repetition >= c.out:
				r.Chance = RuledOut
			case r.Repetition >= turn:
				r.Chance = MayBe
			}
		}
	}
}

// waits reports whether one of the first n repetitions neither ended well nor failed.
func (c *Config) waits(n int) bool {
	return slices.ContainsFunc(c.Runs, func(r Run) bool { return r.Repetition < n && !r.OK() && !r.Failed() })
}

// values returns a score of the first n repetitions; nil unless each of them has it.
func (c *Config) values(score string, n int) (out []float64) {
	for _, r := range c.Runs {
		v, ok := r.Score(score)
		if r.Repetition < n && !ok {
			return nil
		}
		if r.Repetition < n {
			out = append(out, v)
		}
	}
	return out
}

// losers returns the settings that cannot be selected any more after n repetitions: first the alphas whose mean objective is higher than
// that of another alpha, all else being equal, then all alphas that are left of a group if each scores less than every alpha of the
// group with the best worst score.
func losers(left []*Config, score string, n int) (out []*Config) {
	groups := byAlpha(left)
	scores, costs := map[*Config][]float64{}, map[*Config][]float64{}
	for _, c := range left {
		scores[c], costs[c] = c.values(score, n), c.values(artifact.Objective, n)
	}
	var duels []duel
	var higher []*Config
	for _, g := range groups {
		lead, _ := Best(g, func(c *Config) float64 { return -mean(costs[c]) })
		for _, c := range g {
			if lead != nil && c != lead {
				duels, higher = append(duels, duel{low: costs[lead], high: costs[c]}), append(higher, c)
			}
		}
	}
	lost := map[*Config]bool{}
	for i, settled := range settle(duels) {
		if settled {
			lost[higher[i]] = true
		}
	}
	best, top := -1, math.Inf(-1)
	for i, g := range groups {
		groups[i] = pick(g, func(c *Config) bool { return !lost[c] })
		worst := math.Inf(1)
		for _, c := range groups[i] {
			worst = min(worst, mean(scores[c]))
		}
		if worst > top {
			best, top = i, worst
		}
	}
	duels = nil
	for i, g := range groups {
		for _, c := range g {
			for k := 0; best >= 0 && i != best && k < len(groups[best]); k++ {
				duels = append(duels, duel{low: scores[c], high: scores[groups[best][k]]})
			}
		}
	}
	settled := settle(duels)
	for i, g := range groups {
		if best >= 0 && i != best {
			of := len(g) * len(groups[best])
			for _, c := range g {
				lost[c] = !slices.Contains(settled[:of], false)
			}
			settled = settled[of:]
		}
	}
	return pick(left, func(c *Config) bool { return lost[c] })
}

// duel has the values of two settings on the same repetitions, the second the higher ones as far as their means tell.
type duel struct{ low, high []float64 }

// settle reports which duels are settled: the mean difference exceeds four standard errors, by the deviation of the paired
// differences or, if that is larger, by the median deviation of all duels.
func settle(duels []duel) []bool {
	by, deviations := make([]float64, len(duels)), make([]float64, len(duels))
	var known []float64
	for i, d := range duels {
		by[i], deviations[i] = d.apart()
		if !math.IsNaN(deviations[i]) {
			known = append(known, deviations[i])
		}
	}
	out := make([]bool, len(duels))
	if len(known) == 0 {
		return out
	}
	slices.Sort(known)
	median := known[len(known)/2]
	for i, d := range duels {
		error := max(deviations[i], median) / math.Sqrt(float64(len(d.low)))
		out[i] = by[i] > sureBy*error && !same(mean(d.low), mean(d.high))
	}
	return out
}

// apart returns the mean of the paired differences and their standard deviation; NaN if there are no pairs.
func (d duel) apart() (by, deviation float64) {
	if len(d.low) != len(d.high) || len(d.low) < 2 {
		return math.NaN(), math.NaN()
	}
	by = mean(d.high) - mean(d.low)
	sum := 0.0
	for i, v := range d.high {
		x := v - d.low[i] - by
		sum += float64(x * x)
	}
	return by, math.Sqrt(sum / float64(len(d.low)-1))
}

// mean is NaN without values.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// Chances returns the chances of all cells but sure ones, by id.
func (f *Frame) Chances() map[string]Chance {
	out := map[string]Chance{}
	for _, l := range f.Rows {
		for r := range l.Runs() {
			if r.Chance != Sure {
				out[r.ID] = r.Chance
			}
		}
	}
	return out
}

// RuledOut returns after how many repetitions a race has ruled the setting out; 0 if it has not, or if all repetitions are there nevertheless.
func (c *Config) RuledOut() int {
	if c.Complete() {
		return 0
	}
	return c.out
}

// Settled reports whether all settings of the row have all their repetitions, but for those that a race has ruled out.
func (l *Row) Settled() bool {
	return !slices.ContainsFunc(l.Configs, func(c *Config) bool { return !c.Complete() && c.out == 0 })
}
