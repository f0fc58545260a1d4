package reports

import (
	"cmp"
	"math"
	"reflect"
	"slices"

	"ogdl/eval"
	"ogdl/internal/record"
)

// run is one cell: what was asked for, and what it left (nil: nothing yet).
type run struct {
	Expected
	rec *record.Record
	// graphs is how many have a label in the record; the labels themselves are read by group alone.
	graphs int
}

// missingStatus is the status of a cell without a record.
const missingStatus = "missing"

func (r run) status() string {
	if r.rec == nil {
		return missingStatus
	}
	return r.rec.Status
}

// ok reports whether the cell ended well. Whether it left a Rand Index is another question: data
// without classes have none.
func (r run) ok() bool { return r.rec != nil && r.rec.Status == record.OK }

// score is a score of a finished cell.
func (r run) score(name string) (float64, bool) {
	if !r.ok() {
		return 0, false
	}
	v, ok := r.rec.Scores[name]
	return v, ok && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// configuration is one set of parameters and its runs over seeds, ordered by
// base seed and repetition.
type configuration struct {
	params
	runs []run
	done int // runs that ended well
	// confirmed are the runs on fresh repetitions, where it was chosen (see
	// Expected.Confirm). No choice, sweep or stability sees them.
	confirmed []run
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

// stat is a mean with the standard deviation of the population, over n values.
type stat struct {
	mean, std float64
	n         int
}

// stat sums up one score over the runs that ended well, times scale. It is empty
// (n = 0) unless each of them has the score: means over different seeds would not
// stand beside each other.
func (c *configuration) stat(name string, scale float64) stat { return statOver(c.runs, name, scale) }

// statOver sums up one score over the runs that ended well.
func statOver(runs []run, name string, scale float64) stat {
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

// statOf adds in the order given, deviations from the mean in a second pass.
func statOf(values []float64) stat {
	if len(values) == 0 {
		return stat{}
	}
	n := float64(len(values))
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	mean := sum / n
	squares := 0.0
	for _, v := range values {
		squares += float64((v - mean) * (v - mean))
	}
	return stat{mean, math.Sqrt(squares / n), len(values)}
}

func (s stat) cell(mark string) Cell {
	if s.n == 0 {
		return None()
	}
	c := MeanStd(s.mean, s.std)
	c.Mark = mark
	return c
}

// line is one row of the clustering table: a method on a data set, with its
// configurations in the order of their parameters.
type line struct {
	dataset, method string
	// base is the method without lambda or way of clustering, with its starts: rows of one
	// base method share a grid.
	base    string
	configs []*configuration
	names   []string // parameters that vary on this data set with this base method
	// What is chosen of the configurations: the one place where it is.
	oracle *configuration // with labels; nil: nothing has run
	free   choice         // without

	// classless tells that the data set has no classes, as far as its cells tell.
	classless bool

	grid, every []run // see runs and all
}

// runs are the cells of the grid. Nobody may change them.
func (l *line) runs() []run { return l.grid }

// all are the cells of the grid and those that confirm its choices. Nobody may change them.
func (l *line) all() []run { return l.every }

// collect lists the cells of the configurations, once for all who ask.
func (l *line) collect() {
	asked, confirmed := 0, 0
	for _, c := range l.configs {
		asked, confirmed = asked+len(c.runs), confirmed+len(c.confirmed)
	}
	l.grid = make([]run, 0, asked)
	for _, c := range l.configs {
		from := len(l.grid)
		l.grid = append(l.grid, c.runs...)
		c.runs = slices.Clip(l.grid[from:]) // held once
	}
	if l.every = l.grid; confirmed == 0 {
		return
	}
	l.every = make([]run, 0, len(l.grid)+confirmed)
	for _, c := range l.configs {
		l.every = append(append(l.every, c.runs...), c.confirmed...)
	}
}

// group puts the records into the frame of the spec. Nobody may change what it returns.
func group(k kind, spec Spec, recs []record.Record) []*line {
	if f := spec.framed; f != nil && f.kind == k.name && len(f.recs) == len(recs) && (len(recs) == 0 || &f.recs[0] == &recs[0]) {
		return f.lines
	}
	byID := make(map[string]*record.Record, len(recs))
	for i := range recs {
		byID[recs[i].ID] = &recs[i]
	}
	expected := spec.Expected
	if len(expected) == 0 {
		for i := range recs {
			r := &recs[i]
			expected = append(expected, Expected{ID: r.ID, Method: r.Method, Dataset: r.Dataset, Params: r.Params, BaseSeed: r.BaseSeed, Repetition: r.Repetition})
		}
	}
	lines := map[[2]string]*line{}
	configs := map[[3]string]*configuration{}
	grids := map[[2]string][]params{}
	seen := make(map[string]bool, len(expected))
	var last uintptr // the parameters of the cell before: its repetitions share them
	var p params
	var key string
	for _, e := range expected {
		if seen[e.ID] {
			continue // blocks of a grid may ask for one cell twice
		}
		seen[e.ID] = true
		if at := reflect.ValueOf(e.Params).Pointer(); p == nil || at != last {
			p = paramsOf(e.Params)
			last, key = at, p.key()
		}
		method, base := k.row(e.Method, p), k.method(e.Method)+startsOf(p)
		at := [2]string{e.Dataset, method}
		l := lines[at]
		if l == nil {
			l = &line{dataset: e.Dataset, method: method, base: base}
			lines[at] = l
		}
		full := [3]string{e.Dataset, method, key}
		c := configs[full]
		if c == nil {
			c = &configuration{params: p}
			configs[full] = c
			l.configs = append(l.configs, c)
			grid := [2]string{e.Dataset, base}
			grids[grid] = append(grids[grid], p)
		}
		x := run{Expected: e, rec: byID[e.ID]}
		if x.rec != nil {
			x.graphs = len(x.rec.Assignment)
		}
		if e.Confirm {
			c.confirmed = append(c.confirmed, x)
		} else {
			c.runs = append(c.runs, x)
		}
	}
	out := make([]*line, 0, len(lines))
	for _, l := range lines {
		l.names = varying(grids[[2]string{l.dataset, l.base}])
		sortConfigurations(l.configs)
		for _, c := range l.configs {
			c.finish()
		}
		l.collect()
		l.oracle, l.free = oracle(l.configs), labelFree(l.configs)
		out = append(out, l)
	}
	findClassless(out)
	slices.SortFunc(out, func(a, b *line) int {
		return cmp.Or(
			cmp.Compare(rank(k.datasets, k.printed.datasetName(a.dataset)), rank(k.datasets, k.printed.datasetName(b.dataset))),
			cmp.Compare(a.dataset, b.dataset),
			cmp.Compare(rank(k.methods, a.method), rank(k.methods, b.method)),
			cmp.Compare(a.method, b.method))
	})
	return out
}

// sortConfigurations orders configurations as compareParams does.
func sortConfigurations(all []*configuration) {
	names := make(map[*configuration][]string, len(all))
	for _, c := range all {
		names[c] = c.names()
	}
	slices.SortFunc(all, func(a, b *configuration) int { return compareNamed(a.params, b.params, names[a], names[b]) })
}

// finish orders the runs and works out what the tables ask of them.
func (c *configuration) finish() {
	for _, runs := range [][]run{c.runs, c.confirmed} {
		slices.SortFunc(runs, func(a, b run) int {
			return cmp.Or(cmp.Compare(a.BaseSeed, b.BaseSeed), cmp.Compare(a.Repetition, b.Repetition), cmp.Compare(a.ID, b.ID))
		})
	}
	for _, r := range c.runs {
		if r.ok() {
			c.done++
		}
	}
	found := clustered(c.runs)
	c.stability, c.largest, c.sizes = stability(found), largestShare(found), meanSizes(found)
}

// clustered are the records of the runs that left a clustering.
func clustered(runs []run) []*record.Record {
	var out []*record.Record
	for _, r := range runs {
		if r.ok() && len(r.rec.Assignment) > 0 {
			out = append(out, r.rec)
		}
	}
	return out
}

// largestShare is the mean share of the graphs in a clustering's largest cluster.
func largestShare(recs []*record.Record) float64 {
	var shares []float64
	for _, r := range recs {
		shares = append(shares, float64(slices.Max(sizesOf(r.Assignment)))/float64(len(r.Assignment)))
	}
	if len(shares) == 0 {
		return math.NaN()
	}
	return statOf(shares).mean
}

// meanSizes are the sizes of the clusters in descending order, mean over the clusterings; a
// clustering with fewer clusters has empty ones.
func meanSizes(recs []*record.Record) []float64 {
	var mean []float64
	for _, r := range recs {
		sizes := sizesOf(r.Assignment)
		slices.SortFunc(sizes, func(a, b int) int { return cmp.Compare(b, a) })
		for i, n := range sizes {
			if i == len(mean) {
				mean = append(mean, 0)
			}
			mean[i] += float64(n)
		}
	}
	for i := range mean {
		mean[i] /= float64(len(recs))
	}
	return mean
}

// sizesOf counts the graphs of each cluster; clusters without any are left out.
func sizesOf(assignment record.Labels) []int {
	var sizes []int
	for _, k := range assignment {
		for int(k) >= len(sizes) {
			sizes = append(sizes, 0)
		}
		sizes[k]++
	}
	return slices.DeleteFunc(sizes, func(n int) bool { return n == 0 })
}

// stability is the mean adjusted Rand Index over all pairs of clusterings of the
// same data (a simulated set is drawn anew for every base seed): 1 where every
// seed finds the same clusters, about 0 where they share nothing. It is NaN
// where there is no pair, or one of unequal length.
func stability(recs []*record.Record) float64 {
	sum, pairs := 0.0, 0
	for i, a := range recs {
		for _, b := range recs[:i] {
			if a.Digest != b.Digest {
				continue
			}
			if len(a.Assignment) != len(b.Assignment) {
				return math.NaN()
			}
			sum += eval.AdjustedRandIndex(a.Assignment, b.Assignment)
			pairs++
		}
	}
	if pairs == 0 {
		return math.NaN()
	}
	return sum / float64(pairs)
}
