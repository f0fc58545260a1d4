// Package plan says what cells still take, by the model of costs and the timings in a store.
package plan

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"ogdl/experiments/internal/cost"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/run"
	"ogdl/experiments/internal/spec"
	"slices"
	"strconv"
	"time"
)

// Plan is what a configuration, or a part of it, still takes. Times are CPU seconds on one core. With its
// exported fields it is what plan -json prints, for scripts that size a job by it: their keys stay.
type Plan struct {
	Cells          int       `json:"cells"`
	Done           int       `json:"done"`
	Pending        int       `json:"pending"` // cells that a run would compute: failed ones too
	Failed         int       `json:"failed"`
	CPUSeconds     float64   `json:"cpu_seconds"`
	DiskBytes      DiskBytes `json:"disk_bytes"`
	ShardsForLimit int       `json:"shards_for_limit"` // 0 without -limit, and when nothing is pending

	LongestShardSeconds float64            `json:"longest_shard_seconds"` // of those shards
	LongestCellSeconds  float64            `json:"longest_cell_seconds"`
	WallSeconds         map[string]float64 `json:"wall_seconds"` // by number of cores
	Shards              []part             `json:"shards"`       // of -shards, by number; empty without it
	Products            planProducts       `json:"products"`
	ToBeChosen          chosen             `json:"to_be_chosen"` // by confirm; in no other number
	Kinds               []planKind         `json:"kinds"`        // in the order of the cells

	known       *knowledge
	burdens     []cost.Burden // of all cells
	pending     []planned
	longestCell *spec.Cell
}

// DiskBytes are written as whole numbers.
type DiskBytes float64

// MarshalJSON rounds up.
func (b DiskBytes) MarshalJSON() ([]byte, error) { return json.Marshal(int64(math.Ceil(float64(b)))) }

// part is what one shard still takes.
type part struct {
	Shard   int     `json:"shard"`
	Pending int     `json:"pending"` // as above
	Seconds float64 `json:"seconds"` // on -workers cores
}

// planProducts sums up the products that pending cells share and that are not whole yet, each counted once.
type planProducts struct {
	Pending    int       `json:"pending"`
	CPUSeconds float64   `json:"cpu_seconds"`
	DiskBytes  DiskBytes `json:"disk_bytes"`
	Timings    int       `json:"timings"`

	longest float64
	basis   cost.Basis // of the one that takes longest
}

// chosen is what is to be chosen.
type chosen struct {
	Least      int     `json:"least"` // cells: if the choices with labels and without agree
	Most       int     `json:"most"`
	CPUSeconds float64 `json:"cpu_seconds"` // of the most, by the mean of the rows' configurations
}

// planKind sums up the cells of one method on one data set, without the products that they share.
type planKind struct {
	Method     string    `json:"method"`
	Dataset    string    `json:"dataset"`
	Cells      int       `json:"cells"`
	Done       int       `json:"done"`
	Pending    int       `json:"pending"`
	CPUSeconds float64   `json:"cpu_seconds"`
	DiskBytes  DiskBytes `json:"disk_bytes"`
	Timings    int       `json:"timings"`
	From       string    `json:"from"` // whose timings: kind, method (on other data), others, none

	seconds, bytes cost.Basis
	extrapolated   int // in the sum of a method: missing cells without timings of the method on their data
}

// planned is a pending cell with what it is expected to take.
type planned struct {
	cell  *spec.Cell
	place int // among the cells
	cost  float64
}

// MakePlan estimates what is missing of the cells.
func MakePlan(ctx context.Context, cells []*spec.Cell, known *knowledge) (*Plan, error) {
	p := &Plan{Cells: len(cells), WallSeconds: map[string]float64{}, Shards: []part{}, Kinds: []planKind{},
		known: known, burdens: cost.Burdens(cells, known.products)}
	at := map[spec.KindKey]int{}
	var needing []cost.Burden
	for i, b := range p.burdens {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c, key := b.Cell, b.Cell.Kind()
		k, ok := at[key]
		if !ok {
			k = len(p.Kinds)
			at[key] = k
			seconds := known.seconds.Basis(key)
			p.Kinds = append(p.Kinds, planKind{Method: key.Method, Dataset: key.Dataset, Timings: seconds.N, From: seconds.From,
				seconds: seconds, bytes: known.bytes.Basis(key)})
		}
		kind := &p.Kinds[k]
		kind.Cells++
		switch known.States[c.ID] {
		case run.StateDone:
			p.Done++
			kind.Done++
			continue
		case run.StateFailed:
			p.Failed++
		}
		kind.Pending++
		cost, size := float64(b.Seconds*kind.seconds.Ratio), DiskBytes(c.Disk()*kind.bytes.Ratio)
		kind.CPUSeconds += cost
		kind.DiskBytes += size
		p.pending = append(p.pending, planned{c, i, cost})
		p.CPUSeconds += cost
		p.DiskBytes += size
		if cost > p.LongestCellSeconds {
			p.LongestCellSeconds, p.longestCell = cost, c
		}
		needing = append(needing, b)
	}
	p.Pending = len(p.pending)
	p.Products = known.productsOf(needing)
	p.CPUSeconds += p.Products.CPUSeconds
	p.DiskBytes += p.Products.DiskBytes
	return p, nil
}

// productsOf sums up what is missing of the products that cells need.
func (k *knowledge) productsOf(cells []cost.Burden) planProducts {
	p := planProducts{Timings: k.productTimings}
	for n := range cost.Unmet(cells) {
		b := k.seconds.Basis(n.Like())
		cost := float64(n.Missing * n.Seconds * b.Ratio)
		p.Pending++
		p.CPUSeconds += cost
		p.DiskBytes += DiskBytes(n.Missing * n.Bytes * k.bytes.Basis(n.Like()).Ratio)
		if cost > p.longest {
			p.longest, p.basis = cost, b
		}
	}
	return p
}

// Expect adds the cells that are to be chosen, which the other sums leave out.
func (p *Plan) Expect(c *grid.Config, further *run.Confirmation) {
	p.ToBeChosen.Least, p.ToBeChosen.Most = further.Least, further.Most
	for _, r := range further.Open {
		configurations := r.Configurations(c)
		var sum float64
		for _, x := range configurations {
			sum += float64(x.Cost() * p.known.seconds.Basis(x.Kind()).Ratio)
		}
		n := len(configurations)
		p.ToBeChosen.CPUSeconds += float64(sum / float64(n) * float64(min(2, n)*c.Confirm*len(c.Seeds)))
	}
}

// coreCounts are the numbers of cores that a plan tells times for.
func coreCounts(workers int) []int {
	out := []int{1, 2, 8, 64, workers}
	slices.Sort(out)
	return slices.Compact(out)
}

// Divide adds the times on so many cores, and what was asked of shards.
func (p *Plan) Divide(workers, shards int, limit time.Duration) {
	for _, n := range coreCounts(workers) {
		p.WallSeconds[strconv.Itoa(n)] = wall(p.pending, p.Products.CPUSeconds, n)
	}
	if limit > 0 {
		p.ShardsForLimit, p.LongestShardSeconds = p.shardsFor(limit, workers)
	}
	if shards > 0 {
		p.Shards = p.splitInto(shards, workers)
	}
}

// wall estimates the time that pending cells and their products take on n cores: wave by wave the longest
// cells start first, products are computed by all, and cells that measure time run one
// after the other when all others are done.
func wall(pending []planned, products float64, n int) float64 {
	var alone float64
	type turn struct {
		wave int
		cost int64
	}
	turns := make([]turn, 0, len(pending))
	for _, x := range pending {
		if x.cell.Method.Alone {
			alone += x.cost
			continue
		}
		turns = append(turns, turn{x.cell.Wave(), cost.Microseconds(x.cost)})
	}
	slices.SortFunc(turns, func(a, b turn) int { return cmp.Or(cmp.Compare(a.wave, b.wave), cmp.Compare(b.cost, a.cost)) })
	cores := cost.NewLoads(n)
	var last int64
	for _, x := range turns {
		last = max(last, cores[0].Cost+x.cost)
		cores.Add(x.cost)
	}
	return float64(last)/1e6 + products/float64(n) + alone
}

// shardsFor returns the least number of shards, as far as the search tells, that each end
// within the limit on so many cores, and how long the longest then takes. More shards than missing
// cells are never asked for: a cell that exceeds the limit exceeds it in any shard.
func (p *Plan) shardsFor(limit time.Duration, cores int) (n int, longest float64) {
	if p.Pending == 0 {
		return 0, 0
	}
	most := min(p.Pending, cost.MaxShards)
	work := p.CPUSeconds / float64(cores)
	n = min(most, max(1, int(work/limit.Seconds())))
	for {
		longest = p.longestShard(n, cores)
		if longest <= limit.Seconds() || n == most || p.LongestCellSeconds > limit.Seconds() && float64(n) > 2*work/limit.Seconds() {
			return n, longest
		}
		n = min(most, n+1+n/20)
	}
}

// longestShard is the time of the slowest of n shards.
func (p *Plan) longestShard(n, cores int) float64 {
	return slices.MaxFunc(p.splitInto(n, cores), func(a, b part) int { return cmp.Compare(a.Seconds, b.Seconds) }).Seconds
}

// splitInto says what each of n shards still takes on so many cores. The split is that of
// -shard: of all cells, whatever is done.
func (p *Plan) splitInto(n, cores int) []part {
	all := make([]*spec.Cell, len(p.burdens))
	for i, b := range p.burdens {
		all[i] = b.Cell
	}
	at := cost.Split(all, n)
	pending, needing := make([][]planned, n), make([][]cost.Burden, n)
	for _, x := range p.pending {
		i := at[x.place]
		pending[i], needing[i] = append(pending[i], x), append(needing[i], p.burdens[x.place])
	}
	out := make([]part, n)
	for i, mine := range pending {
		out[i] = part{i, len(mine), wall(mine, p.known.productsOf(needing[i]).CPUSeconds, cores)}
	}
	return out
}
