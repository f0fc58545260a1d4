package main

import (
	"cmp"
	"slices"
)

const (
	// calibrationCells is how many cells of a kind are timed.
	calibrationCells = enough
	// calibrationSeconds is the CPU time that all of them may take together, as the
	// model has it.
	calibrationSeconds = 600
)

// sampleKind is what -calibrate would run of a kind.
type sampleKind struct {
	kindKey
	cells []*cell
	cost  float64 // their own, and that of the products they need
}

// calibration picks missing cells of the kinds that have too few timings: the cheapest
// kinds first, as many as the budget pays for; those left out are returned too.
func calibration(p *plan, budget float64) (run, left []sampleKind) {
	pending := map[kindKey][]planned{}
	var order []kindKey
	for _, x := range p.pending {
		k := x.cell.kind()
		if p.known.states[x.cell.id] == stateFailed || p.known.seconds.speaks(k) {
			continue
		}
		if pending[k] == nil {
			order = append(order, k)
		}
		pending[k] = append(pending[k], x)
	}
	var kinds []sampleKind
	for _, k := range order {
		kinds = append(kinds, p.chooseSample(k, pending[k]))
	}
	slices.SortStableFunc(kinds, func(a, b sampleKind) int { return cmp.Compare(a.cost, b.cost) })
	for _, k := range kinds {
		if k.cost > budget {
			left = append(left, k)
			continue
		}
		budget -= k.cost
		run = append(run, k)
	}
	return run, left
}

// chooseSample takes the cheapest cell of a kind and others at even steps of the cheaper
// half, all on as few products as possible.
func (p *plan) chooseSample(k kindKey, pending []planned) sampleKind {
	slices.SortStableFunc(pending, func(a, b planned) int { return cmp.Compare(a.cost, b.cost) })
	first := p.burdens[pending[0].place]
	pending = slices.DeleteFunc(pending, func(x planned) bool { return first.shared != "" && p.burdens[x.place].shared != first.shared })
	out := sampleKind{kindKey: k, cost: p.known.productsOf([]burden{first}).CPUSeconds}
	n := min(calibrationCells, len(pending))
	for i := range n {
		x := pending[i*(len(pending)-1)/max(1, 2*(n-1))]
		if slices.Contains(out.cells, x.cell) {
			x = pending[i]
		}
		out.cells = append(out.cells, x.cell)
		out.cost += x.cost
	}
	return out
}
