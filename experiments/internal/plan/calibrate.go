package plan

import (
	"cmp"
	"slices"

	"ogdl/experiments/internal/cost"
	"ogdl/experiments/internal/run"
	"ogdl/experiments/internal/spec"
)

const (
	// calibrationCells is how many cells of a kind are timed.
	calibrationCells = cost.Enough
	// CalibrationSeconds is the CPU time that all of them may take together, as the
	// model has it.
	CalibrationSeconds = 600
)

// sampleKind is what -calibrate would run of a kind.
type sampleKind struct {
	spec.KindKey
	Cells []*spec.Cell
	Cost  float64 // their own, and that of the products they need
}

// Calibration picks missing cells of the kinds that have too few timings: the cheapest
// kinds first, as many as the budget pays for; those left out are returned too.
func Calibration(p *Plan, budget float64) (chosen, left []sampleKind) {
	pending := map[spec.KindKey][]planned{}
	var order []spec.KindKey
	for _, x := range p.pending {
		k := x.cell.Kind()
		if p.known.States[x.cell.ID] == run.StateFailed || p.known.seconds.Speaks(k) {
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
	slices.SortStableFunc(kinds, func(a, b sampleKind) int { return cmp.Compare(a.Cost, b.Cost) })
	for _, k := range kinds {
		if k.Cost > budget {
			left = append(left, k)
			continue
		}
		budget -= k.Cost
		chosen = append(chosen, k)
	}
	return chosen, left
}

// chooseSample takes the cheapest cell of a kind and others at even steps of the cheaper
// half, all on as few products as possible.
func (p *Plan) chooseSample(k spec.KindKey, pending []planned) sampleKind {
	slices.SortStableFunc(pending, func(a, b planned) int { return cmp.Compare(a.cost, b.cost) })
	first := p.burdens[pending[0].place]
	pending = slices.DeleteFunc(pending, func(x planned) bool { return first.Shared != "" && p.burdens[x.place].Shared != first.Shared })
	out := sampleKind{KindKey: k, Cost: p.known.productsOf([]cost.Burden{first}).CPUSeconds}
	n := min(calibrationCells, len(pending))
	for i := range n {
		x := pending[i*(len(pending)-1)/max(1, 2*(n-1))]
		if slices.Contains(out.Cells, x.cell) {
			x = pending[i]
		}
		out.Cells = append(out.Cells, x.cell)
		out.Cost += x.cost
	}
	return out
}
