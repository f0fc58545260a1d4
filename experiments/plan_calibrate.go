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
	cost  float64 // their own, and that of the matrices they need
}

// calibration picks missing cells of the kinds that have too few timings: the cheapest
// kinds first, as many as the budget pays for; those left out are returned too.
func calibration(p *plan, known *knowledge, budget float64) (run, left []sampleKind) {
	pending := map[kindKey][]planned{}
	var order []kindKey
	for _, x := range p.pending {
		k := x.cell.kind()
		if known.states[x.cell.id] == stateFailed || known.seconds.speaks(k) {
			continue
		}
		if pending[k] == nil {
			order = append(order, k)
		}
		pending[k] = append(pending[k], x)
	}
	var kinds []sampleKind
	for _, k := range order {
		kinds = append(kinds, chooseSample(k, pending[k], known))
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
// half, all on as few matrices as possible.
func chooseSample(k kindKey, pending []planned, known *knowledge) sampleKind {
	slices.SortStableFunc(pending, func(a, b planned) int { return cmp.Compare(a.cost, b.cost) })
	if matrix := pending[0].cell.shared(); matrix != "" {
		pending = slices.DeleteFunc(slices.Clone(pending), func(x planned) bool { return x.cell.shared() != matrix })
	}
	out := sampleKind{kindKey: k}
	n := min(calibrationCells, len(pending))
	for i := range n {
		x := pending[i*(len(pending)-1)/max(1, 2*(n-1))]
		if slices.Contains(out.cells, x.cell) {
			x = pending[i]
		}
		out.cells = append(out.cells, x.cell)
		out.cost += x.cost
	}
	var shared plan
	shared.needsProducts(pending[0].cell, known)
	out.cost += shared.productSeconds
	return out
}
