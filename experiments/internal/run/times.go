package run

import "ogdl/experiments/internal/spec"

// Times holds the times of cells and products by kind: a method, or kind of product, on a data set.
type Times map[spec.KindKey]Took

// Took sums up the measurements of a kind.
type Took struct {
	N             int     // measurements of time
	Seconds, Work float64 // of these
	Files         int     // cells or products whose files have a size
	Bytes         float64 // of these
}

// Add takes note of the seconds for some work, and of the size of its files. 0 seconds and 0 bytes say nothing.
func (t Times) Add(k spec.KindKey, seconds, work, bytes float64) {
	x := t[k]
	if seconds > 0 {
		x.N++
		x.Seconds += seconds
		x.Work += work
	}
	if bytes > 0 {
		x.Files++
		x.Bytes += bytes
	}
	t[k] = x
}

// Rate returns the seconds for a unit of work. It is false where none of the kind was measured.
func (t Times) Rate(k spec.KindKey) (float64, bool) {
	x := t[k]
	if x.N == 0 {
		return 0, false
	}
	return x.Seconds / x.Work, true
}

// Of returns the seconds that a cell is expected to take. It is false where none of its kind was measured.
func (t Times) Of(c *spec.Cell) (float64, bool) {
	rate, measured := t.Rate(c.Kind())
	return float64(rate * c.Work()), measured
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
					out = append(out, &Need{spec.KindKey{Method: p.Kind, Dataset: c.Dataset}, p.Label, missing})
				}
			}
		}
	}
	return out
}
