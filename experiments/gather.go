package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"ogdl/datasets"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/run"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/parallel"
	"ogdl/internal/record"
	"ogdl/internal/words"
	"ogdl/reports/summary"
)

// reader reads the cells of a store for reports and names their data sets. Data of different digests
// get separate rows, which have the paper's values only if the data are the published ones.
type reader struct {
	store          *record.Store
	w              io.Writer               // for messages about records that cannot be used
	costs          map[string]summary.Cost // of the products that the records rest on; none of a product without a timed block
	products       map[string]bool         // that have been looked up
	contradictions run.Contradictions

	found    map[data]string // the folder that data were given by; "" for the known data sets
	names    map[data]string
	digests  map[string][]string // of known data sets, by name
	warnings map[string]string   // by name
}

// data identifies a data set, since several may have one name.
type data struct{ dataset, weights, digest string }

// unknownData begins the digest of a folder that cannot be read or is not there; its path follows.
const unknownData = "data not known, path = "

// digestLetters is how much of a digest a name holds.
const digestLetters = 8

// unusable holds the reasons why a report omits the record or the timing of a cell.
type unusable struct {
	record, timing error
	contradiction  string
}

// errNothing is the error of a report without a cell that has run.
var errNothing = errors.New("nothing to report")

func newReader(store *record.Store, w io.Writer) *reader {
	return &reader{store: store, w: w, costs: map[string]summary.Cost{}, products: map[string]bool{},
		contradictions: run.Contradictions{}, found: map[data]string{}, names: map[data]string{},
		digests: map[string][]string{}, warnings: map[string]string{}}
}

// frameOf reads the records of a grid and of its re-runs into a frame. warnings explain ambiguous
// names of data sets. Unusable records are reported to w.
func frameOf(ctx context.Context, c *grid.Config, cells []*spec.Cell, store *record.Store, w io.Writer) (f *summary.Frame,
	warnings map[string]string, err error) {
	g := newReader(store, w)
	runs, err := g.read(ctx, cells)
	if err != nil {
		return nil, nil, err
	}
	if !slices.ContainsFunc(runs, func(r summary.Run) bool { return r.Record != nil }) {
		return nil, nil, fmt.Errorf("%s holds no record of the cells of %s: %w; -out names the folder that a run has had as -out",
			store.Dir(), c.Name, errNothing)
	}
	f = summary.NewFrame(summary.Spec{Name: c.Name, Table: c.Table, Confirm: c.Confirm}, runs, g.costs)
	if again := run.Confirming(c, cells, f); len(again) > 0 {
		if runs, err = g.read(ctx, again); err != nil {
			return nil, nil, err
		}
		f.Add(runs, g.costs)
	}
	return f, g.warnings, nil
}

// read returns the runs of cells, in their order. It reads on all cores and folds the labels of
// each setting as soon as all its runs are read.
func (g *reader) read(ctx context.Context, cells []*spec.Cell) ([]summary.Run, error) {
	runs, troubles := make([]summary.Run, len(cells)), make([]unusable, len(cells))
	starts, workers := run.Bounds(cells), runtime.GOMAXPROCS(0)
	before := make([]*summary.Run, workers) // the last run that each worker has read: the next shares much with it
	if err := parallel.Each(workers, len(starts)-1, func(worker, k int) error {
		for i := starts[k]; i < starts[k+1]; i++ {
			r := &runs[i]
			troubles[i] = g.one(cells[i], r)
			r.Place = i
			if r.Record == nil {
				continue
			}
			if b := before[worker]; b != nil {
				r.Record.Share(b.Record)
				if r.Timing != nil && b.Timing != nil {
					r.Timing.Share(b.Timing)
				}
			}
			before[worker] = r
		}
		run.Fold(runs[starts[k]:starts[k+1]])
		return ctx.Err()
	}); err != nil {
		return nil, err
	}
	for i, u := range troubles {
		g.leaveOut("tables", u.record)
		g.contradictions.Report(cells[i], u.contradiction, g.w)
		g.leaveOut("times", u.timing)
	}
	for _, r := range runs {
		if r.Record == nil {
			continue
		}
		for _, u := range r.Record.Products {
			if !g.products[u.ID] {
				g.products[u.ID] = true
				g.addCost(u.ID)
			}
		}
	}
	g.name(cells, runs)
	return runs, nil
}

// one reads a cell.
func (g *reader) one(x *spec.Cell, r *summary.Run) (u unusable) {
	r.Expected = run.Expected(x)
	if r.Record, u.record = g.store.Head(x.ID); r.Record == nil {
		return u
	}
	if u.contradiction = run.Contradiction(x, r.Record); u.contradiction != "" {
		r.Record = nil
		return u
	}
	r.Record.ID = x.ID
	resolved := map[string]any{} // parameters that the run resolved, such as "median" to a number
	for name, v := range r.Record.Params {
		asked, there := x.Params[name]
		if _, isText := asked.(string); !there || isText && asked != v {
			resolved[name] = v
		}
	}
	r.Record.Params = resolved
	r.Timing, u.timing = g.store.Timing(x.ID)
	return u
}

// leaveOut reports a record or a timing that cannot be used; nil is ignored.
func (g *reader) leaveOut(of string, err error) {
	if err != nil {
		fmt.Fprintf(g.w, "left out of the %s: %v\n", of, err)
	}
}

// addCost adds the cost of a product's timed blocks. Unknown costs are no error.
func (g *reader) addCost(id string) {
	p, err := g.store.Product(id)
	g.leaveOut("times", err)
	if p == nil {
		if kept := g.store.KeptSeconds(id); kept > 0 { // the sum
			g.costs[id] = summary.Cost{Blocks: 1, Seconds: kept}
		}
		return
	}
	for b := range p.Blocks {
		t, err := g.store.BlockTiming(id, b)
		g.leaveOut("times", err)
		if t != nil {
			c := g.costs[id]
			g.costs[id] = summary.Cost{Blocks: c.Blocks + 1, Seconds: c.Seconds + summary.Processor(t.CPUSeconds, t.Seconds)}
		}
	}
}

// name sets the data set name of each run. Data that were named before keep their name. A cell without a result
// has the data of those with one, where these are the same.
func (g *reader) name(cells []*spec.Cell, runs []summary.Run) {
	of := make([]data, len(cells))
	for i, c := range cells {
		switch r := runs[i].Record; {
		case spec.IsSimulated(c.Dataset) || c.Dataset == spec.NameDrawn:
		case c.Own != nil:
			of[i] = data{c.Dataset, c.Own.Weights, cmp.Or(c.Own.Digest, unknownData+c.Own.Written)}
			g.found[of[i]] = c.Own.Written
		case r != nil && r.Status == record.OK:
			of[i] = data{dataset: c.Dataset, digest: r.Digest}
			g.found[of[i]] = ""
			if d := g.digests[c.Dataset]; !slices.Contains(d, r.Digest) {
				g.digests[c.Dataset] = append(d, r.Digest)
			}
		}
	}
	for i, x := range of {
		if d := g.digests[cells[i].Dataset]; x.digest == "" && len(d) == 1 && cells[i].Own == nil {
			x = data{dataset: cells[i].Dataset, digest: d[0]}
		}
		if x.digest == "" {
			continue
		}
		if _, known := g.names[x]; !known {
			g.names[x] = g.nameOf(x, cells[i].Own != nil)
		}
		runs[i].Dataset = g.names[x]
	}
}

// nameOf returns the name of data in tables, and adds the warning that goes with it.
func (g *reader) nameOf(x data, own bool) string {
	beginning := func(digest string) string {
		if strings.HasPrefix(digest, unknownData) {
			return digest
		}
		return digest[:min(len(digest), digestLetters)]
	}
	var alike []string
	weighed := false // with other weights of edges, too
	for d, folder := range g.found {
		switch {
		case d.dataset != x.dataset:
		case d.weights != x.weights:
			weighed = true
		default:
			text := beginning(d.digest)
			alike = append(alike, text+words.If(folder != "" && text != d.digest, " (path = %s)", folder))
		}
	}
	slices.Sort(alike)
	name, published := x.dataset, datasets.PublishedDigest(x.dataset)
	switch {
	case own && x.weights != "" && weighed:
		name += ", edge_weights = " + x.weights
	case !own && published != "" && published != x.digest:
		name += " [not the published data, " + beginning(x.digest) + "]"
		g.warnings[name] = fmt.Sprintf("Warning: %s: these cells were computed on files whose digest is %s, and the digest of the published %s is %s. "+
			"Their numbers are not next to the paper's.", name, x.digest, x.dataset, published)
	}
	if len(alike) > 1 && (own || published == "") {
		name += " [" + beginning(x.digest) + "]"
		g.warnings[name] = fmt.Sprintf("Warning: %d data sets are called %s; their rows are told apart by the beginnings of their digests: %s.",
			len(alike), x.dataset, strings.Join(alike, ", "))
	}
	return name
}
