// Package plan estimates time and disk space of missing cells from similar cells in store or ledger.
package plan

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/product"
	"ogdl/experiments/internal/run"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/parallel"
	"ogdl/internal/record"
	"ogdl/internal/words"
	"ogdl/reports/summary"
)

// Plan is the estimate for a configuration, or a part of it. Times are CPU seconds on one core.
// They omit cells and products of kinds that were never measured. plan -json prints the exported
// fields, for scripts that size a job by it, so their keys must not change.
type Plan struct {
	Cells          int     `json:"cells"`
	Done           int     `json:"done"`
	missing                // cells that a run would compute, failed ones too; all but their number with the products
	Failed         int     `json:"failed"`
	WallSeconds    float64 `json:"wall_seconds"`     // with -workers
	ShardsForLimit int     `json:"shards_for_limit"` // 0 without -limit, when nothing is pending and when nothing was measured
	Shards         []part  `json:"shards"`           // of -shards, by number; empty without it
	Products       missing `json:"products"`         // shared by pending cells and not whole yet, each counted once
	// MayBe sums up the cells that races ask for later unless their settings are ruled out before; in no other number.
	MayBe struct {
		Cells      int     `json:"cells"`
		CPUSeconds float64 `json:"cpu_seconds"`
	} `json:"may_be"`
	RuledOut int `json:"ruled_out"` // cells, by races
	// ToBeChosen estimates the re-runs of settings that are still to be selected, by confirm; in no other number.
	ToBeChosen struct {
		Least      int     `json:"least"` // cells: if the choices with labels and without agree
		Most       int     `json:"most"`
		CPUSeconds float64 `json:"cpu_seconds"` // of the most, by the rows' slowest configurations
	} `json:"to_be_chosen"`
	Kinds []*kind `json:"kinds"` // in the order of the cells

	known   *Knowledge
	pending []*spec.Cell
	needs   []*run.Need // of the pending cells
}

// missing sums up cells or products that are not there.
type missing struct {
	Pending    int       `json:"pending"`
	Unmeasured int       `json:"unmeasured"` // of kinds that were never measured
	CPUSeconds float64   `json:"cpu_seconds"`
	DiskBytes  DiskBytes `json:"disk_bytes"` // 0 where it is not known: a ledger has no files
}

// disk writes the disk space.
func (m *missing) disk() string {
	return cmp.Or(words.If(m.Pending > 0 && m.DiskBytes == 0, "not known"), m.DiskBytes.String())
}

// add adds a cell or product of a kind, with the work that is left and the number of its files.
func (m *missing) add(times run.Times, k spec.KindKey, work, files float64) {
	rate, measured := times.Rate(k)
	if !measured {
		m.Unmeasured++
	}
	m.Pending++
	m.CPUSeconds += float64(rate * work)
	m.DiskBytes += DiskBytes(files * (times[k].Bytes / float64(max(1, times[k].Files))))
}

// DiskBytes are written as whole numbers.
type DiskBytes float64

// MarshalJSON rounds up.
func (b DiskBytes) MarshalJSON() ([]byte, error) { return json.Marshal(int64(math.Ceil(float64(b)))) }

// part is the estimate for one shard.
type part struct {
	Shard   int     `json:"shard"`
	Pending int     `json:"pending"` // as above
	Seconds float64 `json:"seconds"` // on -workers cores
}

// kind sums up the cells of one method on one data set, without the products that they share.
type kind struct {
	Method  string `json:"method"`
	Dataset string `json:"dataset"`
	Cells   int    `json:"cells"`
	Done    int    `json:"done"`
	missing
	Timings int `json:"timings"` // measured cells; 0: the times are not known
}

// Knowledge holds the states of cells and the times of similar cells. It comes from records,
// timings and the names of files; no data and no arrays are read.
type Knowledge struct {
	States   map[string]run.State
	Times    run.Times
	products map[string]float64 // the part that is there, by spec.ProductText
}

// Learn reads the knowledge of a store about these cells. Cells of other configurations count for a
// kind if none of these cells of that kind was measured.
func Learn(ctx context.Context, cells []*spec.Cell, store *record.Store, ms []spec.Method) (*Knowledge, error) {
	k := &Knowledge{States: map[string]run.State{}, Times: run.Times{}, products: map[string]float64{}}
	ids, errIDs := store.Known()
	stored, errStored := product.StoredProducts(ctx, store)
	if err := cmp.Or(errIDs, errStored); err != nil {
		return nil, err
	}
	mine := make(map[string]*spec.Cell, len(cells))
	for _, c := range cells {
		mine[c.ID] = c
	}
	type finding struct {
		kind                 spec.KindKey // empty: not comparable
		state                run.State    // "": of another configuration
		seconds, work, bytes float64
		user                 *spec.Cell
		products             []record.Used
	}
	found := make([]finding, len(ids))
	if err := parallel.Each(runtime.GOMAXPROCS(0), len(ids), func(_, i int) error {
		r, err := store.Head(ids[i])
		if err != nil || r == nil {
			return ctx.Err() // cells that cannot be used, or have gone since, are pending
		}
		t, err := store.Timing(r.ID)
		if err != nil {
			return ctx.Err()
		}
		f := &found[i]
		c := mine[ids[i]]
		if c != nil {
			f.state = run.StateOf(c, r, t)
		} else if c = spec.Stored(ms, r); c == nil {
			return ctx.Err()
		}
		if f.kind, f.work = c.Kind(), c.Work(); r.Status != record.OK {
			return ctx.Err()
		}
		f.bytes, f.user, f.products = float64(store.Bytes(r)), c, r.Products
		if t != nil {
			f.seconds = cmp.Or(max(t.CPUSeconds, 0), t.Seconds)
		}
		return ctx.Err()
	}); err != nil {
		return nil, err
	}
	users, others := map[string]*spec.Cell{}, run.Times{}
	for i, f := range found {
		if f.kind.Method == "" {
			continue
		}
		for _, u := range f.products {
			if users[u.ID] == nil { // by a ledger; learnProducts adds the store's
				k.Times.Add(spec.KindKey{Method: u.Kind, Dataset: f.kind.Dataset}, store.KeptSeconds(u.ID), product.Work(u.Kind, f.user.Params), 0)
			}
			users[u.ID] = f.user
		}
		times := others
		if f.state != "" {
			k.States[ids[i]] = f.state
			times = k.Times
		}
		times.Add(f.kind, f.seconds, f.work, f.bytes) // a ledger's cells have no files
	}
	for kind, took := range others {
		if _, known := k.Times.Rate(kind); !known {
			took.Elsewhere = true
			k.Times[kind] = took
		}
	}
	k.learnProducts(store, stored, users)
	return k, nil
}

// learnProducts reads the times of the stored products, each once even if several methods use it.
// users has a cell of each product that a record rests on.
func (k *Knowledge) learnProducts(store *record.Store, stored []product.Stored, users map[string]*spec.Cell) {
	for _, x := range stored {
		user := users[x.Head.ID]
		dataset, _ := x.Head.Content["dataset"].(string)
		text := x.Text(user)
		k.products[text] = max(k.products[text], x.Part)
		wall, cpu, timed := store.ProductCost(x.Head)
		work := product.Work(x.Head.Kind, x.Head.Content) * float64(timed) / float64(x.Head.Blocks)
		k.Times.Add(spec.KindKey{Method: x.Head.Kind, Dataset: dataset}, cmp.Or(cpu, wall), work, float64(x.Bytes)/x.Part)
	}
}

// MakePlan estimates the missing cells, and the re-runs of settings that are not selected yet, which
// no other sum contains.
func MakePlan(ctx context.Context, c *grid.Config, cells []*spec.Cell, known *Knowledge, further *run.Confirmation) (*Plan, error) {
	p := &Plan{Cells: len(cells), Shards: []part{}, Kinds: []*kind{}, known: known}
	kinds := map[spec.KindKey]*kind{}
	for _, x := range cells {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		key := x.Kind()
		k := kinds[key]
		if k == nil {
			k = &kind{Method: key.Method, Dataset: key.Dataset, Timings: known.Times[key].N}
			kinds[key], p.Kinds = k, append(p.Kinds, k)
		}
		k.Cells++
		switch known.States[x.ID] {
		case run.StateDone:
			p.Done++
			k.Done++
			continue
		case run.StateFailed:
			p.Failed++
		}
		switch further.Chances[x.ID] {
		case summary.RuledOut:
			p.RuledOut++
		case summary.MayBe:
			p.MayBe.Cells++
			p.MayBe.CPUSeconds += known.Times.Of(x)
		default:
			k.add(known.Times, key, x.Work(), 1)
			p.pending = append(p.pending, x)
		}
	}
	p.needs = run.Needs(p.pending, known.products)
	for _, n := range p.needs {
		p.Products.add(known.Times, n.KindKey, n.Missing*n.Work, n.Missing)
	}
	p.missing, p.Pending = p.Products, len(p.pending)
	for _, k := range p.Kinds {
		p.CPUSeconds += k.CPUSeconds
		p.DiskBytes += k.DiskBytes
		p.Unmeasured += k.Unmeasured
	}
	p.ToBeChosen.Least, p.ToBeChosen.Most = further.Least, further.Most
	for _, r := range further.Open {
		var each []float64
		for _, x := range r.Configurations(c) {
			each = append(each, known.Times.Of(x))
		}
		slices.Sort(each)
		for _, seconds := range each[max(0, len(each)-2):] {
			p.ToBeChosen.CPUSeconds += float64(seconds * float64(c.Confirm*len(c.Seeds)))
		}
	}
	return p, nil
}

// Divide adds the time on a number of cores, and the shards that were asked for.
func (p *Plan) Divide(workers, shards int, limit time.Duration) {
	p.WallSeconds = run.Wall(p.pending, p.needs, p.known.Times, workers)
	if limit > 0 && p.Pending > 0 && p.CPUSeconds > 0 {
		p.ShardsForLimit = p.shardsFor(limit, workers)
	}
	if shards > 0 {
		p.Shards = p.splitInto(shards, workers)
	}
}

// shardsFor returns a number of shards that each end within the limit on so many cores, as far as the search tells. More shards than missing
// cells are never asked for: a cell that exceeds the limit exceeds it in any shard.
func (p *Plan) shardsFor(limit time.Duration, cores int) int {
	most := min(p.Pending, run.MaxShards)
	work := p.CPUSeconds / float64(cores)
	n := min(most, max(1, int(work/limit.Seconds())))
	for n < most && p.longestShard(n, cores) > limit.Seconds() && float64(n) <= 4*work/limit.Seconds() {
		n = min(most, n+1+n/20)
	}
	return n
}

// longestShard is the time of the slowest of n shards.
func (p *Plan) longestShard(n, cores int) float64 {
	return slices.MaxFunc(p.splitInto(n, cores), func(a, b part) int { return cmp.Compare(a.Seconds, b.Seconds) }).Seconds
}

// splitInto returns the estimate for each of n shards on a number of cores.
func (p *Plan) splitInto(n, cores int) []part {
	pending := make([][]*spec.Cell, n)
	for _, c := range p.pending {
		i := run.ShardOf(c, n)
		pending[i] = append(pending[i], c)
	}
	out := make([]part, n)
	for i, mine := range pending {
		out[i] = part{i, len(mine), run.Wall(mine, run.Needs(mine, p.known.products), p.known.Times, cores)}
	}
	return out
}

// textWidth is the width of sentences in a plan.
const textWidth = 120

// WriteText prints the plan for people.
func (p *Plan) WriteText(w io.Writer, name string, workers int, limit time.Duration, further *run.Confirmation) {
	text := fmt.Sprintf("%s: %s, %d done, %d to compute", name, words.Plural(p.Cells, "cell", "cells"), p.Done, p.Pending) +
		words.If(p.Failed > 0, " (%d of them failed before)", p.Failed) +
		words.If(p.MayBe.Cells > 0 || p.RuledOut > 0,
			", %d more unless a race rules them out (at most %s of CPU time, not in the sums), %d ruled out",
			p.MayBe.Cells, Duration(p.MayBe.CPUSeconds), p.RuledOut) +
		words.If(len(further.Open) > 0, ", %s when their rows are whole, to confirm them (at most %s of CPU time, not in the sums)",
			further, Duration(p.ToBeChosen.CPUSeconds)) +
		words.If(p.Unmeasured > 0, ". No total is known: %d of %d cells and products have no measured time", p.Unmeasured,
			p.Pending+p.Products.Pending)
	fmt.Fprintf(w, "%s\n\n", words.Wrap(text, textWidth))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "method\tcells\tdone\tto compute\tCPU time\tdisk\tnot measured\t")
	first := func(k *kind) int {
		return slices.IndexFunc(p.Kinds, func(x *kind) bool { return x.Method == k.Method })
	}
	byMethod := func(a, b *kind) int { return first(a) - first(b) }
	for _, m := range slices.SortedStableFunc(slices.Values(p.Kinds), byMethod) {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%s\t%s\t%d\t\n", m.Method+" on "+m.Dataset, m.Cells, m.Done, m.Pending, Duration(m.CPUSeconds), m.disk(), m.Unmeasured)
	}
	if x := p.Products; x.Pending > 0 {
		fmt.Fprintf(t, "shared products\t\t\t%d\t%s\t%s\t%d\t\n", x.Pending, Duration(x.CPUSeconds), x.disk(), x.Unmeasured)
	}
	fmt.Fprintf(t, "total\t%d\t%d\t%d\t%s\t%s\t%d\t\n", p.Cells, p.Done, p.Pending, Duration(p.CPUSeconds), p.disk(), p.Unmeasured)
	t.Flush()
	if p.Pending == 0 {
		return
	}
	least := words.If(p.Unmeasured > 0 && p.WallSeconds > 0, "at least ")
	takes := cmp.Or(words.If(p.Unmeasured > 0 && p.WallSeconds == 0, "not known"), Duration(p.WallSeconds))
	fmt.Fprintf(w, "\nTime with -workers %d: %s%s.\n", workers, least, takes)
	var elsewhere []string
	for _, k := range p.Kinds {
		if k.Pending > 0 && p.known.Times[spec.KindKey{Method: k.Method, Dataset: k.Dataset}].Elsewhere {
			elsewhere = append(elsewhere, k.Method+" on "+k.Dataset)
		}
	}
	if elsewhere != nil {
		text := "Measured in other configurations, whose cells may be shorter or longer: " + strings.Join(elsewhere, ", ") + "."
		fmt.Fprintln(w, words.Wrap(text, textWidth))
	}
	if n := p.ShardsForLimit; n > 0 {
		longest, text := p.longestShard(n, workers), "Shards that each end within %s with -workers %d: %s%d; the longest takes %s%s.\n"
		if longest > limit.Seconds() {
			text = "No number of shards was found that each end within %s with -workers %d: of %s%d the longest takes %s%s.\n"
		}
		fmt.Fprintf(w, text, limit, workers, least, n, least, Duration(longest))
	} else if limit > 0 {
		fmt.Fprintf(w, "The number of shards for %s is not known: nothing was measured.\n", limit)
	}
	if p.Unmeasured > 0 {
		text := fmt.Sprintf("%d cells and products have no time, since none like them has run, and count as 0. run -for 5m computes one of each kind "+
			"first%s.", p.Unmeasured, words.If(p.Done == 0, "; -ledger docs/reproduction/ledger takes the runs of this repository as done, and their "+
			"times for the others"))
		fmt.Fprintln(w, words.Wrap(text, textWidth))
	}
	if len(p.Shards) == 0 {
		return
	}
	some := slices.DeleteFunc(slices.Clone(p.Shards), func(x part) bool { return x.Pending == 0 })
	fmt.Fprintf(w, "Of %s %s something to compute:\n\n", words.Plural(len(p.Shards), "shard", "shards"), words.Plural(len(some), "has", "have"))
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "shard\tto compute\ttime with -workers %d\t\n", workers)
	for _, x := range some {
		fmt.Fprintf(t, "%s\t%d\t%s\t\n", run.Shard{Index: x.Shard, Of: len(p.Shards)}, x.Pending, Duration(x.Seconds))
	}
	t.Flush()
}

// Duration writes seconds in the unit that suits them.
func Duration(seconds float64) string {
	switch {
	case seconds >= 100*3600:
		return fmt.Sprintf("%.0f h", seconds/3600)
	case seconds >= 2*3600:
		return fmt.Sprintf("%.1f h", seconds/3600)
	case seconds >= 120:
		return fmt.Sprintf("%.1f min", seconds/60)
	case seconds >= 10:
		return fmt.Sprintf("%.0f s", seconds)
	}
	return fmt.Sprintf("%.2f s", seconds)
}

// String writes them in the unit that suits them.
func (b DiskBytes) String() string {
	switch {
	case b >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(b/1e9))
	case b >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(b/1e6))
	}
	return fmt.Sprintf("%.0f kB", float64(b/1e3))
}
