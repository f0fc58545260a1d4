package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"ogdl/datasets/loader"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/product"
	"ogdl/experiments/internal/protocol"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"
	"ogdl/internal/usage"
	"ogdl/internal/words"
	"ogdl/reports/summary"
)

// Run computes cells in rounds: first the grid, then the re-runs of the selected settings. The
// caller sets the exported fields before the first round and reads the counts after the last.
type Run struct {
	protocol.Env
	Options
	Config *grid.Config
	Stderr io.Writer
	Log    *Log // of the cells that are finished; nil: none
	Blocks int  // see product.Cache

	Before   int                  // cells that were done already
	due      map[string]bool      // the cells of the rounds, true for those that were not done
	reported map[spec.Source]bool // data sets whose change has been reported

	// Of the last round.
	progress *progress
	stop     context.CancelCauseFunc // ends it

	// storing is held for reading by those that store and count a result, and for writing when the
	// round is left: from then on nothing is stored or counted. Nobody holds mu while a disk is at work.
	storing sync.RWMutex
	closed  bool

	mu      sync.Mutex
	Counts  map[string]int
	Failed  []*record.Record
	skipped map[string]int // by reason
	broken  error          // the store rejected a record
}

// Round computes the cells without a result. what begins its line of progress.
func (r *Run) Round(ctx context.Context, what string, cells []*spec.Cell) error {
	r.init()
	known, err := Survey(ctx, r.Store, cells, r.Verify, r.Stderr)
	checkDigests(ctx, r.Data, cells, known, r.reported, r.Stderr)
	r.Absent = map[string]bool{}
	before := 0
	var pending []*spec.Cell
	for i, x := range cells {
		done := known[i].State == StateDone
		r.due[x.ID] = !done
		if r.computes(known[i].State) {
			pending = append(pending, x)
			r.Absent[x.ID] = !known[i].current
		} else if done {
			before++
		}
	}
	if r.Before += before; err != nil {
		return err
	}
	r.Data.Expect(pending)
	for _, x := range sourcesOf(r.Data, pending) {
		if errors.Is(x.err, loader.ErrMissing) {
			fmt.Fprintf(r.Stderr, "%s: its %s will be skipped: %v\n", x.first.Dataset, words.Plural(x.cells, "cell", "cells"), x.err)
		}
	}
	f, err := r.expected(ctx, cells, pending, known)
	if err != nil {
		return err
	}
	_, work, unknown := f.remaining()
	hours := words.If(work.Hours() >= 0.1, " (%s %.1f hours of one core%s)", // less is not worth a word
		cmp.Or(words.If(unknown > 0, "at least"), "about"), work.Hours(), without(unknown))
	fmt.Fprintf(r.Stderr, "%s%s%s: %d done already, %d to compute%s, %s\n", words.If(r.Shard.Of > 1, "shard %s: ", r.Shard), what,
		words.Plural(len(cells), "cell", "cells"), before, len(pending), hours, words.Plural(r.Workers, "worker", "workers"))
	if len(pending) == 0 {
		if r.Rerun != "" && before < len(cells) {
			fmt.Fprintln(r.Stderr, "-rerun failed: no cell has failed. Without it this command computes the missing cells, and cells whose data have changed.")
		}
		return nil
	}
	r.progress = newProgress(r.Stderr, before, len(pending), f)
	r.Data.Logf, r.Cache.Logf = r.progress.logf, r.progress.logf
	r.Cache.Show, r.Cache.Spent = r.progress.product, r.progress.computed
	defer r.progress.stop()
	return r.run(ctx, pending)
}

// init makes the counts, and the cache where cells compute what they share, before the first round.
func (r *Run) init() {
	if r.Counts != nil {
		return
	}
	r.due = map[string]bool{}
	r.Counts, r.skipped, r.reported = map[string]int{}, map[string]int{}, map[spec.Source]bool{}
	r.Cache = &product.Cache{Store: r.Store, Where: r.Where, Rejected: r.breaks, Blocks: r.Blocks}
}

// expected returns a forecast for the pending cells, from known times and the products in the store.
func (r *Run) expected(ctx context.Context, cells, pending []*spec.Cell, known []Known) (*forecast, error) {
	there := map[string]float64{}
	if slices.ContainsFunc(pending, func(c *spec.Cell) bool { return c.Shared() != "" }) {
		stored, err := product.StoredProducts(ctx, r.Store)
		if err != nil {
			return nil, err
		}
		users := map[string]*spec.Cell{}
		for i, c := range cells {
			for _, u := range known[i].products {
				users[u.ID] = c
			}
		}
		for _, x := range stored {
			text := x.Text(users[x.Head.ID])
			there[text] = max(there[text], x.Part)
		}
	}
	f := newForecast(pending, Needs(pending, there), r.Workers)
	for i, c := range cells {
		f.took.Add(c.Kind(), known[i].seconds, c.Work(), 0)
	}
	return f, nil
}

// Further computes what the results decide: repetitions of the settings still in the races, one at
// a time for all rows, and then the re-runs of all complete rows.
func (r *Run) Further(ctx context.Context, sel *Selection) error {
	agrees := func(c *spec.Cell, rec *record.Record) bool {
		digest, err := r.Data.Digest(ctx, c)
		return err != nil || digest == rec.Digest // data that are not there contradict nothing
	}
	for {
		r.Data.Logf = func(format string, args ...any) { fmt.Fprintf(r.Stderr, format+"\n", args...) } // the progress has ended
		now, err := ConfirmationOf(ctx, r.Config, sel.rows, r.Store, agrees, r.due)
		if err != nil {
			return err
		}
		var cells []*spec.Cell
		later := 0
		for _, x := range sel.Cells {
			_, asked := r.due[x.ID]
			switch chance := now.Chances[x.ID]; {
			case asked || x.Confirm:
			case chance == summary.Sure:
				cells = append(cells, x)
			case chance == summary.MayBe:
				later++
			}
		}
		if len(cells) == 0 && later > 0 {
			fmt.Fprintf(r.Stderr, "race: %s until all cells of the repetition before are there\n",
				words.Plural(later, "cell waits", "cells wait"))
		}
		if len(cells) == 0 {
			return r.confirm(ctx, sel, now)
		}
		if err := r.Round(ctx, "race: ", cells); err != nil {
			return err
		}
	}
}

// confirm computes the re-runs of all complete rows: those within filter and shard if a row was
// complete before this run, and all if this run completed it, since no other shard would.
func (r *Run) confirm(ctx context.Context, sel *Selection, now *Confirmation) error {
	var cells []*spec.Cell
	for _, row := range sel.rows {
		mine := now.of[row]
		completed := slices.ContainsFunc(row.cells, func(x *spec.Cell) bool { return r.due[x.ID] })
		if _, before := sel.Further.of[row]; before && !completed {
			mine = r.Shard.Pick(sel.Filter.Pick(mine))
		}
		cells = append(cells, mine...)
	}
	if len(now.Open) > 0 {
		defer fmt.Fprintf(r.Stderr, "%s whose cells are not all there: %s\n", words.Plural(len(now.Open), "row", "rows"), now)
	}
	if len(cells) == 0 {
		return nil
	}
	return r.Round(ctx, "re-runs: ", cells)
}

// Summary prints the time, the peak memory, the failures and the skipped cells of a run.
func (s *Run) Summary(w io.Writer, took time.Duration) {
	rss := usage.PeakRSS()
	fmt.Fprintf(w, "computed %s in %s%s\n%s", words.Plural(s.Counts[record.OK], "cell", "cells"), took.Round(10*time.Millisecond),
		words.If(rss > 0, ", peak memory %d MB", rss>>20), s.Cache.Summary())
	for _, reason := range slices.Sorted(maps.Keys(s.skipped)) {
		fmt.Fprintf(w, "skipped %s: %s\n", words.Plural(s.skipped[reason], "cell", "cells"), s.Data.Placed(reason))
	}
	if len(s.Failed) == 0 {
		return
	}
	fmt.Fprintf(w, "%s failed, for the reasons above; stacks and parameters are in the store:\n", words.Plural(len(s.Failed), "cell", "cells"))
	failed := map[string][]string{} // ids by reason
	for _, r := range s.Failed {
		kind := fmt.Sprintf("%s on %s, %s", r.Method, r.Dataset, r.Status)
		failed[kind] = append(failed[kind], r.ID)
	}
	const shown = 10
	for _, kind := range slices.Sorted(maps.Keys(failed)) {
		ids := slices.Sorted(slices.Values(failed[kind]))
		n := len(ids)
		fmt.Fprintf(w, "  %s: %s%s\n", kind, strings.Join(ids[:min(n, shown)], " "), words.If(n > shown, " and %d more", n-shown))
	}
	fmt.Fprintln(w, "After you fix the cause, the same command computes them again.")
}
