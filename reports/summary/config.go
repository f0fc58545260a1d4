package summary

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/internal/record"
	"ogdl/internal/words"
	"ogdl/reports/paper"
)

// Run is a cell of a grid with its record and timing, if it has run.
type Run struct {
	Expected
	Record *record.Record // nil if the cell has not run. Params may omit parameters that the run did not change
	Timing *record.Timing // nil: it was not timed
	folded *record.Kept   // all that tables need of its labels, with agreements with runs before it: see Fold; nil: no labels
	Chance Chance         // in a race, see [Frame.Chances]
}

// The statuses of cells without a record.
const (
	MissingStatus  = "missing"
	RuledOutStatus = "ruled out" // by a race
)

// Status returns the status of the record. A cell that failed before a race ruled it out is not computed again.
func (r Run) Status() string {
	switch {
	case r.Chance == RuledOut:
		return RuledOutStatus
	case r.Record != nil:
		return r.Record.Status
	}
	return MissingStatus
}

// OK reports whether the cell ended well. Whether it left a Rand Index is another question: data
// without classes have none.
func (r Run) OK() bool { return r.Record != nil && r.Record.Status == record.OK }

// Failed reports whether the cell was tried and did not end well. A skipped or interrupted cell has
// not failed.
func (r Run) Failed() bool {
	return r.Chance != RuledOut && r.Record != nil && (r.Record.Status == record.Failed || r.Record.Status == record.Timeout)
}

// Score is a score of a finished cell, an adjusted Rand Index as [record.ARI] has it.
func (r Run) Score(name string) (float64, bool) {
	if !r.OK() {
		return 0, false
	}
	v, ok := r.Record.Scores[name]
	if name == artifact.ARI {
		v = record.ARI(v)
	}
	return v, ok && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// Has reports whether the cell has the score.
func (r Run) Has(score string) bool {
	_, ok := r.Score(score)
	return ok
}

// Number is a parameter as the record has resolved it, else as it was asked for.
func (r Run) Number(name string) (float64, bool) {
	if r.Record != nil {
		if v, ok := r.Record.Number(name); ok {
			return v, true
		}
	}
	v := Params(r.Params).At(name)
	return v.Number, v.IsNum
}

// compareRuns orders the runs of a configuration.
func compareRuns(a, b Run) int {
	return cmp.Or(cmp.Compare(a.BaseSeed, b.BaseSeed), cmp.Compare(a.Repetition, b.Repetition), cmp.Compare(a.ID, b.ID))
}

// Config is one set of parameters and its runs over repetitions, ordered by
// base seed and repetition.
type Config struct {
	Params
	Names []string // of the parameters
	Runs  []Run
	Done  int    // runs that ended well
	rest  string // the parameters but alpha, see byAlpha; "": not asked for yet
	out   int    // repetitions after which a race ruled it out; 0: it has not
	// Confirmed are the runs on fresh repetitions, where it was chosen (see
	// Expected.Confirm). No choice, sweep or stability sees them.
	Confirmed []Run
	// Stability is the mean adjusted Rand Index over the pairs of repetitions; NaN
	// where there is no pair. Unknown counts the pairs that are not in it.
	Stability float64
	Unknown   int
	// Largest is the share of the graphs that the largest cluster holds, mean
	// over the repetitions that left a clustering; NaN where none did.
	Largest float64
	// Sizes are the numbers of graphs in the clusters of a clustering, from the largest
	// on, mean over the repetitions; nil where none left a clustering.
	Sizes []float64
}

// Each yields the cells of the grid; none without a configuration.
func (c *Config) Each() iter.Seq[Run] {
	if c == nil {
		return slices.Values([]Run(nil))
	}
	return slices.Values(c.Runs)
}

// Everything yields the cells of the grid and those that confirm the configuration.
func (c *Config) Everything() iter.Seq[Run] {
	return over([][]Run{c.Runs, c.Confirmed}, slices.Values[[]Run])
}

// Lambda is the weight of the penalty; 0 where there is none.
func (c *Config) Lambda() float64 { return c.Params.At(ParamLambda).Number }

// Atoms returns the number of atoms; 0 if it is not a number.
func (c *Config) Atoms() int { return int(c.Params.At(ParamAtoms).Number) }

// Clusters returns the number of clusters that the setting asks for; 0 if it is not a number.
func (c *Config) Clusters() int { return int(c.Params.At(ParamClusters).Number) }

// Complete reports whether all cells of the grid ended well.
func (c *Config) Complete() bool { return c.Done == len(c.Runs) }

// StatOver sums up one score over the runs that ended well, times scale. It is empty (n = 0) unless each of them has the
// score: means over different repetitions cannot be compared.
func StatOver(runs []Run, name string, scale float64) paper.Stat {
	if slices.ContainsFunc(runs, func(r Run) bool { return r.OK() && !r.Has(name) }) {
		return paper.Stat{}
	}
	return paper.StatOf(Values(runs, name, scale))
}

// Values are one score of the runs that have it, times scale.
func Values(runs []Run, name string, scale float64) (out []float64) {
	for _, r := range runs {
		if v, ok := r.Score(name); ok {
			out = append(out, scale*v)
		}
	}
	return out
}

// Over is the mean of a score over the runs that ended well and have it, whether they
// were clustered or not.
func (c *Config) Over(name string) paper.Stat { return paper.StatOf(Values(c.Runs, name, 1)) }

// Has reports whether a run has the score.
func (c *Config) Has(name string) bool {
	return slices.ContainsFunc(c.Runs, func(r Run) bool { return r.Has(name) })
}

// finish orders the runs and computes the values that tables need. A cell that is asked for twice
// counts once.
func (c *Config) finish() {
	for _, runs := range []*[]Run{&c.Runs, &c.Confirmed} {
		if slices.ContainsFunc(*runs, func(r Run) bool { return r.folded == nil && r.clustered() }) {
			Fold(*runs)
		}
		slices.SortFunc(*runs, compareRuns)
		*runs = slices.CompactFunc(*runs, func(a, b Run) bool { return a.ID == b.ID })
	}
	c.Done = len(Pick(c.Runs, Run.OK))
	found := Clustered(c.Runs)
	c.Stability, c.Unknown = Stability(found)
	c.Largest, c.Sizes = LargestShare(found), meanSizes(found)
}

// FirstLine shortens a reason to the length of a note.
func FirstLine(s string) string {
	s, _, cut := strings.Cut(strings.TrimSpace(s), "\n")
	if r := []rune(s); len(r) > 160 {
		s, cut = string(r[:160]), true
	}
	return s + words.If(cut, " ...")
}
