package main

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// plan is what a configuration, or a part of it, still takes. Times are CPU seconds on one
// core.
type plan struct {
	cells, done, failed int
	rows                []planRow // by method and data set, in the order of the cells
	burdens             []burden
	pending             []planned
	// matrices that pending cells share and that are not whole yet, each counted once
	products        int
	productSeconds  float64
	productBytes    float64
	productTimings  int   // matrices that the estimate rests on
	productBasis    basis // of the one that takes longest
	seconds, bytes  float64
	longest         float64 // of the pending cells
	longestCell     *cell
	longestProduct  float64
	unknown, nearby int           // pending cells whose method has no timings; has some on other data only
	parts           []part        // by shard, of -shards; nil if not asked
	further         *confirmation // what is to be chosen
	furtherSeconds  float64       // that it takes at most, by the mean of the rows' configurations
}

// planned is a pending cell with what it is expected to take.
type planned struct {
	cell  *cell
	place int // among the cells
	cost  float64
}

// part is what one shard still takes.
type part struct {
	pending int     // cells that a run of the shard would compute
	seconds float64 // that it then takes
}

// planRow sums up the cells of one method on one data set.
type planRow struct {
	method, dataset     string
	cells, done, failed int
	seconds, bytes      float64 // of the missing ones, without the matrices that they share
	basis, disk         basis
}

// missing is the number of cells that a run would compute.
func (r *planRow) missing() int { return r.cells - r.done }

// makePlan estimates what is missing of the cells.
func makePlan(ctx context.Context, cells []*cell, known *knowledge) (*plan, error) {
	p := &plan{cells: len(cells), burdens: burdens(cells), productTimings: known.productTimings, further: &confirmation{}}
	at := map[kindKey]int{}
	matrices := map[string]bool{}
	for i, c := range cells {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		key := c.kind()
		k, ok := at[key]
		if !ok {
			k = len(p.rows)
			at[key] = k
			p.rows = append(p.rows, planRow{method: c.method.name, dataset: c.dataset, basis: known.seconds.basis(key), disk: known.bytes.basis(key)})
		}
		row := &p.rows[k]
		row.cells++
		switch known.states[c.id] {
		case stateDone:
			p.done++
			row.done++
			continue
		case stateFailed:
			p.failed++
			row.failed++
		}
		cost, size := float64(c.cost()*row.basis.ratio), float64(c.disk()*row.disk.ratio)
		row.seconds += cost
		row.bytes += size
		p.pending = append(p.pending, planned{c, i, cost})
		p.seconds += cost
		p.bytes += size
		if cost > p.longest {
			p.longest, p.longestCell = cost, c
		}
		switch row.basis.from {
		case fromElsewhere:
			p.unknown++
		case fromMethod:
			p.nearby++
		}
		if matrix := p.burdens[i].matrix; matrix != "" && !matrices[matrix] {
			matrices[matrix] = true
			p.needsProducts(c, known)
		}
	}
	p.seconds += p.productSeconds
	p.bytes += p.productBytes
	return p, nil
}

// expect adds the cells that are to be chosen, which the other sums leave out.
func (p *plan) expect(c *config, further *confirmation, known *knowledge) {
	p.further = further
	for _, r := range further.open {
		configurations := c.configurations(r)
		var sum float64
		for _, x := range configurations {
			sum += float64(x.cost() * known.seconds.basis(x.kind()).ratio)
		}
		n := len(configurations)
		p.furtherSeconds += float64(sum / float64(n) * float64(min(2, n)*c.confirm*len(c.seeds)))
	}
}

// needsProducts adds what is missing of the products that a pending cell rests on.
func (p *plan) needsProducts(c *cell, known *knowledge) {
	for _, x := range c.products() {
		missing := 1 - known.products[productText(c, x)]
		if missing <= 0 {
			continue
		}
		kind, content := x.Kind(), x.Content()
		at := kindKey{kind.name, c.dataset}
		b := known.productSeconds.basis(at)
		cost := float64(missing * kind.cost(content, c.size()) * b.ratio)
		p.products++
		p.productSeconds += cost
		p.productBytes += float64(missing * kind.disk(content, c.size()) * known.productBytes.basis(at).ratio)
		if cost > p.longestProduct {
			p.longestProduct, p.productBasis = cost, b
		}
	}
}

// wall estimates the time that pending cells and their matrices take on n cores: wave by wave the longest
// cells start first, matrices are computed by all, and cells that measure time run one
// after the other when all others are done.
func wall(pending []planned, products float64, n int) float64 {
	var alone float64
	type turn struct {
		wave int
		cost int64
	}
	turns := make([]turn, 0, len(pending))
	for _, x := range pending {
		if x.cell.method.alone {
			alone += x.cost
			continue
		}
		turns = append(turns, turn{x.cell.wave(), microseconds(x.cost)})
	}
	slices.SortFunc(turns, func(a, b turn) int { return cmp.Or(cmp.Compare(a.wave, b.wave), cmp.Compare(b.cost, a.cost)) })
	cores := newLoads(n)
	var last int64
	for _, x := range turns {
		cores[0].cost += x.cost
		last = max(last, cores[0].cost)
		cores.settle()
	}
	return float64(last)/1e6 + products/float64(n) + alone
}

// shardsFor returns the least number of shards, as far as the search tells, that each end
// within the limit on so many cores, and how long the longest then takes. More shards than missing
// cells are never asked for: a cell that exceeds the limit exceeds it in any shard.
func (p *plan) shardsFor(limit time.Duration, cores int, cells []*cell, known *knowledge) (n int, longest float64) {
	if len(p.pending) == 0 {
		return 0, 0
	}
	most := min(len(p.pending), maxShards)
	work := p.seconds / float64(cores)
	n = min(most, max(1, int(work/limit.Seconds())))
	for {
		longest = p.longestShard(n, cores, cells, known)
		if longest <= limit.Seconds() || n == most || p.longest > limit.Seconds() && float64(n) > 2*work/limit.Seconds() {
			return n, longest
		}
		n = min(most, n+1+n/20)
	}
}

// longestShard is the time of the slowest of n shards.
func (p *plan) longestShard(n, cores int, cells []*cell, known *knowledge) float64 {
	var longest float64
	for _, x := range p.splitInto(n, cores, cells, known) {
		longest = max(longest, x.seconds)
	}
	return longest
}

// splitInto says what each of n shards still takes on so many cores. The split is that of
// -shard: of all cells, whatever is done.
func (p *plan) splitInto(n, cores int, cells []*cell, known *knowledge) []part {
	at := splitBurdens(cells, p.burdens, n)
	pending := make([][]planned, n)
	for _, x := range p.pending {
		pending[at[x.place]] = append(pending[at[x.place]], x)
	}
	out := make([]part, n)
	for i, mine := range pending {
		var shared plan
		matrices := map[string]bool{}
		for _, x := range mine {
			if matrix := p.burdens[x.place].matrix; matrix != "" && !matrices[matrix] {
				matrices[matrix] = true
				shared.needsProducts(x.cell, known)
			}
		}
		out[i] = part{len(mine), wall(mine, shared.productSeconds, cores)}
	}
	return out
}
