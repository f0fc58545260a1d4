package main

// burden is what a cell is estimated to take, by the model of its method's row: the one sum of costs, from which shards,
// the order of a run, plans and the time that is left are read.
type burden struct {
	cell    *cell
	seconds float64 // of the cell alone
	shared  string  // names the products that it shares with the cells of the same name; "" for none
	needs   []*need // these products
}

// need is a product that cells share.
type need struct {
	product
	of             *cell // the first that needs it
	seconds, bytes float64
	missing        float64 // the part of it that is not in the store
}

// burdens estimates cells. there has the parts of products that a store holds, by productText.
func burdens(cells []*cell, there map[string]float64) []burden {
	out := make([]burden, len(cells))
	shared := map[string]*need{}
	for i, c := range cells {
		b := burden{cell: c, seconds: c.cost()}
		for _, p := range c.products() {
			key := p.Key()
			n := shared[key]
			if n == nil {
				content, kind := p.Content(), p.Kind()
				n = &need{p, c, kind.cost(content, c.size()), kind.disk(content, c.size()), max(0, 1-there[productText(c, p)])}
				shared[key] = n
			}
			b.shared += key
			b.needs = append(b.needs, n)
		}
		out[i] = b
	}
	return out
}

// kind is what the product has in common with others.
func (n *need) kind() kindKey { return kindKey{n.Kind().name, n.of.dataset} }

// products are the seconds of what the cell shares.
func (b *burden) products() (seconds float64) {
	for _, n := range b.needs {
		seconds += n.seconds
	}
	return seconds
}

// microseconds makes sums of costs exact, and so free of their order.
func microseconds(seconds float64) int64 {
	const most = 1e15 // thirty years: no sum over a configuration overflows
	return max(1, int64(min(1e6*seconds, most/200)))
}

// unmet yields what is not whole yet of the products that cells need, each once.
func unmet(cells []burden) func(yield func(*need) bool) {
	return func(yield func(*need) bool) {
		seen := map[*need]bool{}
		for _, b := range cells {
			for _, n := range b.needs {
				if n.missing > 0 && !seen[n] {
					seen[n] = true
					if !yield(n) {
						return
					}
				}
			}
		}
	}
}
