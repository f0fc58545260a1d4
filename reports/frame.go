package reports

import (
	"cmp"
	"iter"
	"reflect"
	"slices"

	"ogdl/internal/record"
)

// Frame is what a configuration asks for with what its cells left: rows of configurations of runs, put into their
// order once for all tables, figures and pages that are made from it, and for the choices.
type Frame struct {
	Spec
	kind   kind
	lines  []*line
	blocks []record.BlockTiming
}

// NewFrame puts the cells of a grid, and those that confirm its choices, into a frame. blocks are what the products cost
// that their records rest on; nil where there are none. The frame keeps the runs and reorders them; they, their parameters and
// records must not be changed afterwards, but for the labels of those that went through [Fold]. The order of the runs
// plays no part. It is fastest where the cells of a configuration follow each other and share one map of parameters.
func NewFrame(spec Spec, runs []Run, blocks []record.BlockTiming) *Frame {
	f := &Frame{Spec: spec, kind: kindOf(PaperNumbers(), spec.Table)}
	f.Add(runs, blocks)
	return f
}

// Add adds runs, and blocks, to those that [NewFrame] was given, such as the cells that confirm the choices: these change no choice,
// and cost nothing but themselves.
func (f *Frame) Add(runs []Run, blocks []record.BlockTiming) {
	f.blocks = append(f.blocks, blocks...)
	at := map[[2]string]*line{}
	for _, l := range f.lines {
		at[[2]string{l.dataset, l.method}] = l
	}
	changed := map[*line]bool{}
	var names []string
	for from, to := 0, 0; from < len(runs); from = to {
		for to = from + 1; to < len(runs) && runs[to].beside(&runs[from]); to++ {
		}
		x := &runs[from]
		method := f.kind.row(x.Method, x.Params)
		l := at[[2]string{x.Dataset, method}]
		if l == nil {
			l = &line{dataset: x.Dataset, method: method, base: f.kind.method(x.Method) + startsOf(x.Params)}
			at[[2]string{x.Dataset, method}] = l
			f.lines = append(f.lines, l)
		}
		if x.Confirm && !changed[l] {
			if i, found := l.find(x.Params); found {
				c := l.configs[i]
				c.confirmed = append(c.confirmed, runs[from:to]...)
				c.finish()
				continue
			}
		}
		names = params(x.Params).namesAs(names)
		c := &configuration{params: x.Params, names: names}
		if x.Confirm {
			c.confirmed = runs[from:to:to]
		} else {
			c.runs = runs[from:to:to]
		}
		l.configs = append(l.configs, c)
		changed[l] = true
	}
	if len(changed) == 0 {
		return
	}
	for l := range changed {
		l.configs = merge(l.configs)
		for _, c := range l.configs {
			c.finish()
		}
		l.complete = 0
		for _, c := range l.configs {
			if c.complete() {
				l.complete++
			}
		}
		l.oracle, l.free = oracle(l.configs), labelFree(l.configs)
	}
	f.nameParams()
	findClassless(f.lines)
	k := f.kind
	slices.SortFunc(f.lines, func(a, b *line) int {
		return cmp.Or(
			cmp.Compare(rank(k.datasets, k.printed.datasetName(a.dataset)), rank(k.datasets, k.printed.datasetName(b.dataset))),
			cmp.Compare(a.dataset, b.dataset),
			cmp.Compare(rank(k.methods, a.method), rank(k.methods, b.method)),
			cmp.Compare(a.method, b.method))
	})
}

// beside tells whether two runs are of one configuration, as far as a glance shows it: cells that share a map have equal
// parameters.
func (r *Run) beside(other *Run) bool {
	return r.Confirm == other.Confirm && r.Dataset == other.Dataset && r.Method == other.Method &&
		reflect.ValueOf(r.Params).Pointer() == reflect.ValueOf(other.Params).Pointer()
}

// merge orders configurations as compareParams does, and makes one of those with equal parameters.
func merge(all []*configuration) []*configuration {
	compare := func(a, b *configuration) int { return compareNamed(a.params, b.params, a.names, b.names) }
	slices.SortFunc(all, compare)
	out := all[:0]
	for _, c := range all {
		if n := len(out); n > 0 && compare(out[n-1], c) == 0 {
			out[n-1].runs = append(out[n-1].runs, c.runs...)
			out[n-1].confirmed = append(out[n-1].confirmed, c.confirmed...)
			continue
		}
		out = append(out, c)
	}
	clear(all[len(out):])
	return out
}

// nameParams finds which parameters vary on a data set with a base method.
func (f *Frame) nameParams() {
	grids := map[[2]string][]params{}
	for _, l := range f.lines {
		at := [2]string{l.dataset, l.base}
		for _, c := range l.configs {
			grids[at] = append(grids[at], c.params)
		}
	}
	names := map[[2]string][]string{}
	for at, all := range grids {
		names[at] = varying(all)
	}
	for _, l := range f.lines {
		l.names = names[[2]string{l.dataset, l.base}]
	}
}

// all yields all cells, in the order of the tables.
func (f *Frame) all() iter.Seq[Run] {
	return func(yield func(Run) bool) {
		for _, l := range f.lines {
			for r := range l.all() {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// line is one row of the clustering table: a method on a data set, with its
// configurations in the order of their parameters.
type line struct {
	dataset, method string
	// base is the method without lambda or way of clustering, with its starts: rows of one
	// base method share a grid.
	base    string
	configs []*configuration
	// complete counts the configurations with all their seeds.
	complete int
	names    []string // parameters that vary on this data set with this base method
	// What is chosen of the configurations: the one place where it is.
	oracle *configuration // with labels; nil: nothing has run
	free   choice         // without

	// classless tells that the data set has no classes, as far as its cells tell.
	classless bool
}

// find looks for a configuration, where they are in their order.
func (l *line) find(p params) (int, bool) {
	return slices.BinarySearchFunc(l.configs, p, func(c *configuration, p params) int { return compareParams(c.params, p) })
}

// runs yields the cells of the grid.
func (l *line) runs() iter.Seq[Run] {
	return func(yield func(Run) bool) {
		for _, c := range l.configs {
			for _, r := range c.runs {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// all yields the cells of the grid and those that confirm its choices.
func (l *line) all() iter.Seq[Run] {
	return func(yield func(Run) bool) {
		for _, c := range l.configs {
			for _, runs := range [][]Run{c.runs, c.confirmed} {
				for _, r := range runs {
					if !yield(r) {
						return
					}
				}
			}
		}
	}
}

// mark is what stands beside a number of the chosen configuration.
func (s *line) mark(c *configuration) string {
	m := ""
	if c != nil && !c.complete() {
		m = MarkSeeds
	}
	if s.complete < len(s.configs) && len(s.configs) > 1 {
		m += MarkGrid
	}
	return m
}

// findClassless marks the lines of the data sets without classes: some of their cells, of whatever method, have ended
// well, and none was compared with classes. A method that needs classes and fails is told of there too.
func findClassless(lines []*line) {
	done, compared := map[string]bool{}, map[string]bool{}
	for _, l := range lines {
		for _, c := range l.configs {
			done[l.dataset] = done[l.dataset] || c.done > 0
			compared[l.dataset] = compared[l.dataset] || slices.ContainsFunc(c.runs, func(r Run) bool { _, ok := r.score("ri"); return ok })
		}
	}
	for _, l := range lines {
		l.classless = done[l.dataset] && !compared[l.dataset]
	}
}

// unlabelled reports whether the line's data set has no classes.
func (l *line) unlabelled() bool { return l.classless }

// shown is the configuration that figures draw: the one with the highest mean Rand Index or, without
// classes, the one chosen without labels. nil: nothing has run.
func (l *line) shown() *configuration {
	if l.unlabelled() {
		return labelFree(l.configs).configuration
	}
	return oracle(l.configs)
}
