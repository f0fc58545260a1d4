package run

import "ogdl/experiments/internal/spec"

// Times holds what cells and products took, by kind: one method, or one kind of product, on one data set.
type Times map[spec.KindKey]*Took

// Took sums up the measurements of a kind.
type Took struct {
	Seconds, Work float64
	N             int
	Bytes         float64 // in Files cells or products
	Files         int
}

func (t Times) of(k spec.KindKey) *Took {
	if t[k] == nil {
		t[k] = &Took{}
	}
	return t[k]
}

// Add takes note of the seconds for some work; 0 seconds say nothing.
func (t Times) Add(k spec.KindKey, seconds, work float64) {
	if seconds > 0 {
		x := t.of(k)
		x.Seconds += seconds
		x.Work += work
		x.N++
	}
}

// AddBytes takes note of the size of a cell's or product's files.
func (t Times) AddBytes(k spec.KindKey, bytes float64) {
	if bytes > 0 {
		x := t.of(k)
		x.Bytes += bytes
		x.Files++
	}
}

// Rate returns the seconds for a unit of work; false where none of the kind was measured.
func (t Times) Rate(k spec.KindKey) (float64, bool) {
	x := t[k]
	if x == nil || x.N == 0 {
		return 0, false
	}
	return x.Seconds / x.Work, true
}

// MeanBytes returns the mean size of the kind's files, 0 where none is known.
func (t Times) MeanBytes(k spec.KindKey) float64 {
	if x := t[k]; x != nil && x.Files > 0 {
		return x.Bytes / float64(x.Files)
	}
	return 0
}

// Need is a product that cells share and that is not whole yet.
type Need struct {
	spec.KindKey
	Label   string
	Missing float64 // the part that is not there
}

// Needs lists the missing products of cells, each once. there has the parts of products that the store holds, by spec.ProductText.
func Needs(cells []*spec.Cell, there map[string]float64) (out []*Need) {
	seen := map[string]bool{}
	for _, c := range cells {
		for _, p := range c.Products() {
			if key := p.Key(); !seen[key] {
				seen[key] = true
				if missing := 1 - there[spec.ProductText(c, p)]; missing > 0 {
					out = append(out, &Need{spec.KindKey{Method: p.Kind().Name, Dataset: c.Dataset}, p.Label(), missing})
				}
			}
		}
	}
	return out
}
