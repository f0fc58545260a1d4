// Package cost estimates what cells and the products that they share take, by the model of the methods' rows and by what was
// measured, and cuts cells into shards by it.
package cost

import "ogdl/experiments/internal/spec"

// Burden is what a cell is estimated to take, by the model of its method's row: the one sum of costs, from which shards,
// the order of a run, plans and the time that is left are read.
type Burden struct {
	Cell    *spec.Cell
	Seconds float64 // of the cell alone
	Shared  string  // names the products that it shares with the cells of the same name; "" for none
	needs   []*Need // these products
}

// Need is a product that cells share.
type Need struct {
	spec.Product
	of             *spec.Cell // the first that needs it
	Seconds, Bytes float64
	Missing        float64 // the part of it that is not in the store
}

// Burdens estimates cells. there has the parts of products that a store holds, by ProductText.
func Burdens(cells []*spec.Cell, there map[string]float64) []Burden {
	out := make([]Burden, len(cells))
	shared := map[string]*Need{}
	for i, c := range cells {
		b := Burden{Cell: c, Seconds: c.Cost()}
		for _, p := range c.Products() {
			key := p.Key()
			n := shared[key]
			if n == nil {
				content, kind := p.Content(), p.Kind()
				n = &Need{p, c, kind.Cost(content, c.Size()), kind.Disk(content, c.Size()), max(0, 1-there[spec.ProductText(c, p)])}
				shared[key] = n
			}
			b.Shared += key
			b.needs = append(b.needs, n)
		}
		out[i] = b
	}
	return out
}

// Like is what the product has in common with others.
func (n *Need) Like() spec.KindKey { return spec.KindKey{Method: n.Kind().Name, Dataset: n.of.Dataset} }

// Products are the seconds of what the cell shares.
func (b *Burden) Products() (seconds float64) {
	for _, n := range b.needs {
		seconds += n.Seconds
	}
	return seconds
}

// Microseconds makes sums of costs exact, and so free of their order.
func Microseconds(seconds float64) int64 {
	const most = 1e15 // thirty years: no sum over a configuration overflows
	return max(1, int64(min(1e6*seconds, most/200)))
}

// Unmet yields what is not whole yet of the products that cells need, each once.
func Unmet(cells []Burden) func(yield func(*Need) bool) {
	return func(yield func(*Need) bool) {
		seen := map[*Need]bool{}
		for _, b := range cells {
			for _, n := range b.needs {
				if n.Missing > 0 && !seen[n] {
					seen[n] = true
					if !yield(n) {
						return
					}
				}
			}
		}
	}
}
