package reports

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"ogdl/internal/record"
)

// Run is a cell that a grid asks for, with what it left.
type Run struct {
	Expected
	Record *record.Record // nil: nothing yet. Of its parameters those that were asked for as they are may be left out
	Timing *record.Timing // nil: it was not timed
	folded *folded        // see Fold; nil: no labels
}

// missingStatus is the status of a cell without a record.
const missingStatus = "missing"

func (r Run) status() string {
	if r.Record == nil {
		return missingStatus
	}
	return r.Record.Status
}

// ok reports whether the cell ended well. Whether it left a Rand Index is another question: data
// without classes have none.
func (r Run) ok() bool { return r.Record != nil && r.Record.Status == record.OK }

// score is a score of a finished cell.
func (r Run) score(name string) (float64, bool) {
	if !r.ok() {
		return 0, false
	}
	v, ok := r.Record.Scores[name]
	return v, ok && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// number is a parameter as the record has resolved it, else as it was asked for.
func (r Run) number(name string) (float64, bool) {
	if r.Record != nil {
		if v, ok := r.Record.Number(name); ok {
			return v, true
		}
	}
	v := params(r.Params).at(name)
	return v.number, v.isNum
}

// compareRuns orders the runs of a configuration.
func compareRuns(a, b Run) int {
	return cmp.Or(cmp.Compare(a.BaseSeed, b.BaseSeed), cmp.Compare(a.Repetition, b.Repetition), cmp.Compare(a.ID, b.ID))
}

// configuration is one set of parameters and its runs over seeds, ordered by
// base seed and repetition.
type configuration struct {
	params
	names []string // of the parameters
	runs  []Run
	done  int // runs that ended well
	// confirmed are the runs on fresh repetitions, where it was chosen (see
	// Expected.Confirm). No choice, sweep or stability sees them.
	confirmed []Run
	// stability is the mean adjusted Rand Index over the pairs of seeds; NaN
	// where there is no pair.
	stability float64
	// largest is the share of the graphs that the largest cluster holds, mean
	// over the seeds that left a clustering; NaN where none did.
	largest float64
	// sizes are the numbers of graphs in the clusters of a clustering, from the largest
	// on, mean over the seeds; nil where none left a clustering.
	sizes []float64
}

func (c *configuration) complete() bool { return c.done == len(c.runs) }

// stat sums up one score over the runs that ended well, times scale. It is empty
// (n = 0) unless each of them has the score: means over different seeds would not
// stand beside each other.
func (c *configuration) stat(name string, scale float64) stat { return statOver(c.runs, name, scale) }

// statOver sums up one score over the runs that ended well.
func statOver(runs []Run, name string, scale float64) stat {
	var values []float64
	for _, r := range runs {
		if !r.ok() {
			continue
		}
		v, ok := r.score(name)
		if !ok {
			return stat{}
		}
		values = append(values, v*scale)
	}
	return statOf(values)
}

// finish orders the runs and works out what the tables ask of them. A cell that is asked for twice counts once.
func (c *configuration) finish() {
	for _, runs := range []*[]Run{&c.runs, &c.confirmed} {
		if slices.ContainsFunc(*runs, Run.unfolded) {
			Fold(*runs)
		}
		slices.SortFunc(*runs, compareRuns)
		*runs = slices.CompactFunc(*runs, func(a, b Run) bool { return a.ID == b.ID })
	}
	c.done = 0
	for _, r := range c.runs {
		if r.ok() {
			c.done++
		}
	}
	found := clustered(c.runs)
	c.stability, c.largest, c.sizes = stability(found), largestShare(found), meanSizes(found)
}

// firstLine cuts a reason to what a note can hold.
func firstLine(s string) string {
	s, _, cut := strings.Cut(strings.TrimSpace(s), "\n")
	if r := []rune(s); len(r) > 160 {
		s, cut = string(r[:160]), true
	}
	if cut {
		s += " ..."
	}
	return s
}

// over is the mean of a score over the runs that ended well and have it, whether they
// were clustered or not.
func (c *configuration) over(name string) stat {
	var values []float64
	for _, r := range c.runs {
		if v, ok := r.score(name); ok {
			values = append(values, v)
		}
	}
	return statOf(values)
}

// cost is the mean processor time of the scored cells, with the products that each of them rests on; false
// where that is not known of all.
func (c *configuration) cost(products map[string]float64) (seconds float64, known bool) {
	var all []float64
	for _, r := range c.runs {
		if !r.ok() {
			continue
		}
		if r.Timing == nil {
			return 0, false
		}
		s := processor(r.Timing.CPUSeconds, r.Timing.Seconds)
		for _, u := range r.Record.Products {
			p, ok := products[u.ID]
			if !ok {
				return 0, false
			}
			s += p
		}
		all = append(all, s)
	}
	if len(all) == 0 {
		return 0, false
	}
	return statOf(all).mean, true
}

// processor is processor time, or the wall clock where it is not known.
func processor(cpu, wall float64) float64 {
	if cpu > 0 {
		return cpu
	}
	return wall
}
