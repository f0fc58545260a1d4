package summary

import (
	"fmt"
	"math"
	"slices"

	"ogdl/internal/artifact"
	"ogdl/internal/words"
	"ogdl/reports/paper"
)

// Chance is the state of a cell in a race.
type Chance int

// The chances of a cell. One with a result is sure.
const (
	Sure     Chance = iota // asked for
	MayBe                  // asked for later, unless its setting is ruled out before
	RuledOut               // its setting cannot be selected any more
)

// sureBy is how many standard errors settle a difference in a race.
const sureBy = 4

// race replays the race of the row on its records and gives each cell its chance. The decision after n repetitions reads
// the first n repetitions of the settings that are left, and nothing else: so workers, order and interruptions play no
// part. The first one also reads the second repetition of the pilots, the settings that differ from the row's first in
// alpha alone: they show how far repetitions scatter. A decision waits for cells that have not run. A setting with a failed
// repetition is compared with no other and stays in the race.
func (l *Row) race() {
	raced, most := false, 0
	for r := range l.Runs() {
		raced, most = raced || r.Race, max(most, r.Repetition+1)
	}
	if !raced {
		return
	}
	pilots := byAlpha(l.Configs)[0]
	turn := 1
	for ; turn < most; turn++ {
		left := Pick(l.Configs, func(c *Config) bool { return c.out == 0 })
		waits := func(c *Config) bool { return c.waits(turn) || turn == 1 && slices.Contains(pilots, c) && c.waits(2) }
		if slices.ContainsFunc(left, waits) {
			break
		}
		for _, c := range losers(left, pilots, l.Metric.Score, turn) {
			c.out = turn
		}
	}
	for _, c := range l.Configs {
		sure := turn
		if slices.Contains(pilots, c) {
			sure = max(turn, 2)
		}
		for i := range c.Runs {
			r := &c.Runs[i]
			r.Chance = Sure
			switch {
			case r.OK():
			case c.out > 0 && r.Repetition >= c.out:
				r.Chance = RuledOut
			case r.Repetition >= sure:
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
func (c *Config) values(score string, n int) []float64 {
	first := Pick(c.Runs, func(r Run) bool { return r.Repetition < n })
	if out := Values(first, score, 1); len(out) == len(first) {
		return out
	}
	return nil
}

// losers returns the settings that cannot be selected any more after n repetitions: first lose
// alphas with a higher objective than another alpha of the same group. Then a group loses if each
// of its remaining alphas scores below every alpha of the leading group, the one with the best
// worst score. After one repetition only alphas outside the pilots can lose.
func losers(left, pilots []*Config, score string, n int) []*Config {
	lost := map[*Config]bool{}
	if n == 1 {
		others := Pick(left, func(c *Config) bool { return !slices.Contains(pilots, c) })
		lose(alphas(byAlpha(others), 1), alphas([][]*Config{pilots}, 2), lost)
	} else {
		groups := byAlpha(left)
		duels := alphas(groups, n)
		if lose(duels, duels, lost); len(duels) == 0 { // without objectives alpha is chosen as all else is
			groups = slices.Collect(slices.Chunk(left, 1))
		}
		scores(groups, lost, score, n)
	}
	return Pick(left, func(c *Config) bool { return lost[c] })
}

// alphas returns a duel of each setting of a group with the setting of the lowest mean objective.
func alphas(groups [][]*Config, n int) (out []duel) {
	for _, g := range groups {
		costs := map[*Config][]float64{}
		for _, c := range g {
			costs[c] = c.values(artifact.Objective, n)
		}
		lead := Best(g, func(c *Config) float64 { return -mean(costs[c]) })
		for _, c := range g {
			if lead != nil && c != lead {
				out = append(out, duel{c, costs[lead], costs[c]})
			}
		}
	}
	return out
}

// scores adds to the settings that have lost the groups that lose by their scores.
func scores(groups [][]*Config, lost map[*Config]bool, score string, n int) {
	values := map[*Config][]float64{}
	best, top := -1, math.Inf(-1)
	left := make([][]*Config, len(groups))
	for i, g := range groups {
		left[i] = Pick(g, func(c *Config) bool { return !lost[c] })
		worst := math.Inf(1)
		for _, c := range left[i] {
			values[c] = c.values(score, n)
			worst = min(worst, mean(values[c]))
		}
		if worst > top {
			best, top = i, worst
		}
	}
	if best < 0 {
		return
	}
	var duels []duel
	for i, g := range left {
		for _, c := range g {
			for k := 0; i != best && k < len(left[best]); k++ {
				duels = append(duels, duel{c, values[c], values[left[best][k]]})
			}
		}
	}
	stays := map[*Config]bool{}
	for i, settled := range settle(duels, duels) {
		stays[duels[i].loser] = stays[duels[i].loser] || !settled
	}
	for i, g := range left {
		for _, c := range g {
			lost[c] = i != best && !slices.ContainsFunc(g, func(c *Config) bool { return stays[c] })
		}
	}
}

// duel compares two settings on the same repetitions: loser loses if high is significantly higher
// than low.
type duel struct {
	loser     *Config
	low, high []float64
}

// lose adds the losers of settled duels to those that have lost.
func lose(duels, scatter []duel, lost map[*Config]bool) {
	for i, settled := range settle(duels, scatter) {
		lost[duels[i].loser] = lost[duels[i].loser] || settled
	}
}

// settle reports which duels are lost: the mean difference exceeds four standard errors, by the deviation of the paired
// differences or, if that is larger or one repetition has none, by the median deviation of the duels in scatter.
func settle(duels, scatter []duel) []bool {
	var known []float64
	for _, d := range scatter {
		if _, deviation := d.apart(); !math.IsNaN(deviation) {
			known = append(known, deviation)
		}
	}
	out := make([]bool, len(duels))
	if len(known) == 0 {
		return out
	}
	slices.Sort(known)
	median := known[len(known)/2]
	for i, d := range duels {
		by, deviation := d.apart()
		if !(deviation > median) {
			deviation = median
		}
		out[i] = by > sureBy*deviation/math.Sqrt(float64(len(d.low))) && !same(mean(d.low), mean(d.high))
	}
	return out
}

// apart returns the mean of the paired differences and their standard deviation; NaN where there are too few pairs.
func (d duel) apart() (by, deviation float64) {
	if len(d.low) != len(d.high) {
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
func mean(values []float64) float64 { return paper.StatOf(values).OrNaN().Mean }

// Chances returns the chances of all cells but sure ones, by id.
func (f *Frame) Chances() map[string]Chance {
	out := map[string]Chance{}
	for r := range over(f.Rows, (*Row).Runs) {
		if r.Chance != Sure {
			out[r.ID] = r.Chance
		}
	}
	return out
}

// RuledOut returns after how many repetitions a race has ruled the setting out; 0 if it has not, or if all repetitions
// are there nevertheless.
func (c *Config) RuledOut() int {
	if c.Complete() {
		return 0
	}
	return c.out
}

// Raced says how many settings of the row have all repetitions, and after how many repetitions a race ruled out others; "" without a race.
func (l *Row) Raced() string {
	var after []int
	for _, c := range l.Configs {
		if k := c.RuledOut(); k > 0 {
			after = append(after, k)
		}
	}
	if after == nil {
		return ""
	}
	least, most := slices.Min(after), slices.Max(after)
	return fmt.Sprintf("%d of %d settings have all repetitions. A race ruled out %s after %s%s", l.Complete, len(l.Configs),
		words.Plural(len(after), "setting", "settings"), words.If(most > least, "%d to ", least), words.Plural(most, "repetition", "repetitions"))
}

// Settled reports whether all settings of the row have all their repetitions, but for those that a race has ruled out.
func (l *Row) Settled() bool {
	return !slices.ContainsFunc(l.Configs, func(c *Config) bool { return !c.Complete() && c.out == 0 })
}
