package summary

import (
	"cmp"
	"iter"
	"maps"
	"reflect"
	"slices"

	"ogdl/internal/words"
	"ogdl/reports/paper"
	"ogdl/reports/table"
)

// Frame holds the runs of a configuration, grouped by row and setting and sorted, with the selected
// settings. Tables, figures and pages are made from it.
type Frame struct {
	Spec
	Family Family
	Rows   []*Row
	costs  map[string]Cost // of products
}

// Cost sums up the timed blocks of a product.
type Cost struct {
	Blocks  int
	Seconds float64 // of the processor, where that is known, else of the clock
}

// NewFrame puts the cells of a grid, and those that confirm its choices, into a frame. costs has
// the costs of the products that the records use, by id; nil if there are none. The frame keeps the runs
// and reorders them; they, their parameters and records must not be changed afterwards, but for the
// labels of those that went through [Fold]. The order of the runs plays no part. It is fastest
// where the cells of a configuration follow each other and share one map of parameters.
func NewFrame(spec Spec, runs []Run, costs map[string]Cost) *Frame {
	f := &Frame{Spec: spec, Family: FamilyOf(spec.Table), costs: map[string]Cost{}}
	f.Add(runs, costs)
	return f
}

// Add adds runs, and costs of products, to those that [NewFrame] was given, such as the cells that confirm the
// choices: these do not change the selection.
func (f *Frame) Add(runs []Run, costs map[string]Cost) {
	maps.Copy(f.costs, costs)
	at := map[[2]string]*Row{}
	for _, l := range f.Rows {
		at[[2]string{l.Dataset, l.Method}] = l
	}
	changed, touched := map[*Row]bool{}, map[*Config]bool{}
	var names []string
	for from, to := 0, 0; from < len(runs); from = to {
		for to = from + 1; to < len(runs) && runs[to].beside(&runs[from]); to++ {
		}
		x := &runs[from]
		method := f.Family.Row(x.Method, x.Params)
		l := at[[2]string{x.Dataset, method}]
		if l == nil {
			l = &Row{Metric: f.Family.Metric, Dataset: x.Dataset, Method: method, Base: f.Family.base(x.Method, x.Params),
				Printed: f.Family.printed(x.Method, x.Params)}
			at[[2]string{x.Dataset, method}] = l
			f.Rows = append(f.Rows, l)
		}
		names = Params(x.Params).namesAs(names)
		i, found := slices.BinarySearchFunc(l.Configs, names, func(c *Config, names []string) int {
			return compareNamed(c.Params, x.Params, c.Names, names)
		})
		if !found {
			l.Configs = slices.Insert(l.Configs, i, &Config{Params: x.Params, Names: names})
		}
		c := l.Configs[i]
		part := &c.Runs
		if x.Confirm {
			part = &c.Confirmed
		}
		if *part == nil {
			*part = runs[from:to:to]
		} else {
			*part = append(*part, runs[from:to]...)
		}
		touched[c], changed[l] = true, changed[l] || !x.Confirm || !found
	}
	for c := range touched {
		c.finish()
	}
	maps.DeleteFunc(changed, func(_ *Row, grid bool) bool { return !grid })
	if len(changed) == 0 {
		return
	}
	for l := range changed {
		l.Complete = len(Pick(l.Configs, (*Config).Complete))
		l.race()
		l.choose()
		l.findLevels()
	}
	f.nameParams()
	findClassless(f.Rows)
	k := f.Family
	slices.SortFunc(f.Rows, func(a, b *Row) int {
		return cmp.Or(
			cmp.Compare(Rank(k.Datasets, k.Printed.DatasetName(a.Dataset)), Rank(k.Datasets, k.Printed.DatasetName(b.Dataset))),
			cmp.Compare(a.Dataset, b.Dataset),
			k.CompareRows(a.Method, b.Method),
			cmp.Compare(a.Method, b.Method))
	})
}

// beside reports whether two runs share data set, method, kind and parameter map. It may be false
// for equal parameters in different maps.
func (r *Run) beside(other *Run) bool {
	return r.Confirm == other.Confirm && r.Dataset == other.Dataset && r.Method == other.Method &&
		reflect.ValueOf(r.Params).Pointer() == reflect.ValueOf(other.Params).Pointer()
}

// nameParams finds which parameters vary on a data set with a base method.
func (f *Frame) nameParams() {
	grids := map[[2]string][]Params{}
	for l, c := range Configs(f.Rows) {
		at := [2]string{l.Dataset, l.Base}
		grids[at] = append(grids[at], c.Params)
	}
	for _, l := range f.Rows {
		l.Names = Varying(grids[[2]string{l.Dataset, l.Base}])
	}
}

// All yields all cells, in the order of the tables.
func (f *Frame) All() iter.Seq[Run] { return over(f.Rows, (*Row).All) }

// Configs yields the settings of rows, each with its row.
func Configs(rows []*Row) iter.Seq2[*Row, *Config] {
	return func(yield func(*Row, *Config) bool) {
		for _, l := range rows {
			for _, c := range l.Configs {
				if !yield(l, c) {
					return
				}
			}
		}
	}
}

// over concatenates the sequences of of(x) for every x in list.
func over[T any](list []T, of func(T) iter.Seq[Run]) iter.Seq[Run] {
	return func(yield func(Run) bool) {
		for _, x := range list {
			for r := range of(x) {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// Row is one row of a table of scores or runtimes, or of a figure: a method on a data set, with its
// configurations in the order of their parameters.
type Row struct {
	Metric          *Metric
	Dataset, Method string
	// Base is the row's name without lambda and cluster_by, but with its starts. Rows with one Base
	// share a grid. In the classification table it is the row's name.
	Base string
	// Printed is the row of the paper that this row corresponds to: the name without starts,
	// cluster_by and changes of the protocol.
	Printed string
	Configs []*Config
	// Complete counts the configurations with all their repetitions.
	Complete int
	Names    []string // parameters that vary on this data set with this base method
	// The selected settings:
	Oracle *Config // with labels; nil: nothing has run
	Free   *Config // without; nil: no choice, or the metric is nested
	Nested nested  // for every split, where the metric is nested
	// Unpaired counts the settings from which Free is selected whose stability lacks pairs of repetitions.
	Unpaired int

	Levels []table.Cell // of [Metric.Trivial], as they are shown; missing where they are not known
	// Unlabelled is set if the data set has no classes: cells of it are done and none has a score.
	Unlabelled bool
}

// First returns a run of the row, for properties that all its runs share.
func (l *Row) First() Run {
	for r := range l.All() {
		return r
	}
	return Run{}
}

// Runs yields the cells of the grid.
func (l *Row) Runs() iter.Seq[Run] { return over(l.Configs, (*Config).Each) }

// All yields the cells of the grid and those that confirm its choices.
func (l *Row) All() iter.Seq[Run] { return over(l.Configs, (*Config).Everything) }

// Mark returns the mark of a number of the chosen configuration.
func (s *Row) Mark(c *Config) string {
	return words.If(c != nil && !c.Complete(), table.MarkFewer) + words.If(!s.Settled() && len(s.Configs) > 1, table.MarkGrid)
}

// findClassless marks the rows of the data sets without classes: some of their cells, of whatever method, have ended
// well, and none was compared with classes. A method that needs classes and fails is named there too.
func findClassless(rows []*Row) {
	done, compared := map[string]bool{}, map[string]bool{}
	for l, c := range Configs(rows) {
		done[l.Dataset] = done[l.Dataset] || c.Done > 0
		compared[l.Dataset] = compared[l.Dataset] || c.Has(l.Metric.Score)
	}
	for _, l := range rows {
		l.Unlabelled = done[l.Dataset] && !compared[l.Dataset]
	}
}

// Shown returns the setting that figures draw: the one selected with labels or, for data without
// classes, without labels. nil if nothing has run.
func (l *Row) Shown() *Config {
	if l.Unlabelled {
		return l.Free
	}
	return l.Oracle
}

// Join returns the first row with the settings of all rows, and selects among them.
func Join(rows []*Row) *Row {
	if len(rows) == 1 {
		return rows[0]
	}
	joined := *rows[0]
	for _, l := range rows[1:] {
		joined.Configs = slices.Concat(joined.Configs, l.Configs)
	}
	joined.choose()
	joined.findLevels()
	return &joined
}

// Processor is processor time, or the wall clock where it is not known.
func Processor(cpu, wall float64) float64 { return cmp.Or(max(cpu, 0), wall) }

// ProductCost returns the number of timed blocks of products and their processor seconds; known is
// false if a product has no timed block.
func (f *Frame) ProductCost(ids map[string]bool) (blocks int, cpu float64, known bool) {
	known = true
	for _, id := range slices.Sorted(maps.Keys(ids)) { // sums depend on the order
		c, timed := f.costs[id]
		known = known && timed
		blocks += c.Blocks
		cpu += c.Seconds
	}
	return blocks, cpu, known
}

// Cost is the processor time of the runs that ended well and, once each, of the products that they rest on; false where
// not all of it is known.
func (f *Frame) Cost(runs iter.Seq[Run]) (seconds float64, known bool) {
	products := map[string]bool{}
	known = true
	for r := range runs {
		if !r.OK() {
			continue
		}
		if known = known && r.Timing != nil; r.Timing != nil {
			seconds += Processor(r.Timing.CPUSeconds, r.Timing.Seconds)
		}
		for _, u := range r.Record.Products {
			products[u.ID] = true
		}
	}
	_, cpu, all := f.ProductCost(products)
	return seconds + cpu, known && all
}

// MeanCost is the mean cost of a configuration's runs that ended well, each with all products that it rests on; false where
// not all of it is known.
func (f *Frame) MeanCost(c *Config) (seconds float64, known bool) {
	var all []float64
	for _, r := range Pick(c.Runs, Run.OK) {
		s, ok := f.Cost(slices.Values([]Run{r}))
		if !ok {
			return 0, false
		}
		all = append(all, s)
	}
	return paper.StatOf(all).Mean, len(all) > 0
}
