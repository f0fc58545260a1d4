package kernels

import (
	"cmp"
	"slices"
)

// count says how often a key occurs in a graph.
type count struct {
	key   uint64
	graph int
	times float64
}

// counts are the sparse features of a set of graphs.
type counts []count

// add counts the keys of a graph. It sorts them.
func (c counts) add(graph int, keys []uint64) counts {
	slices.Sort(keys)
	for lo, hi := 0, 0; lo < len(keys); lo = hi {
		for hi = lo + 1; hi < len(keys) && keys[hi] == keys[lo]; hi++ {
		}
		c = append(c, count{keys[lo], graph, float64(hi - lo)})
	}
	return c
}

// ofRanks counts ranks instead; the ranks of graph i begin at first[i].
func (c counts) ofRanks(rank []int32, first []int) counts {
	c = c[:0]
	var keys []uint64
	for i := range len(first) - 1 {
		keys = keys[:0]
		for _, r := range rank[first[i]:first[i+1]] {
			keys = append(keys, uint64(r))
		}
		c = c.add(i, keys)
	}
	return c
}

// gram adds the inner products of the counts of n graphs to the upper triangle of K. Its
// cost is a sort and one sum for every two graphs that share a key.
func (c counts) gram(K []float64, n int) {
	slices.SortFunc(c, func(a, b count) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.graph, b.graph))
	})
	for lo, hi := 0, 0; lo < len(c); lo = hi {
		for hi = lo + 1; hi < len(c) && c[hi].key == c[lo].key; hi++ {
		}
		same := c[lo:hi]
		for i, a := range same {
			row := K[a.graph*n : (a.graph+1)*n]
			for _, b := range same[i:] {
				row[b.graph] += float64(a.times * b.times)
			}
		}
	}
}

// mirror copies the upper triangle of K to the lower one.
func mirror(K []float64, n int) {
	for i := range n {
		for j := range i {
			K[i*n+j] = K[j*n+i]
		}
	}
}

// ranks sorts n things by compare and numbers them in that order from 0, equal ones alike.
func ranks(n int, compare func(a, b int) int) []int32 {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, compare)
	rank, next := make([]int32, n), int32(0)
	for k, i := range order {
		if k > 0 && compare(order[k-1], i) != 0 {
			next++
		}
		rank[i] = next
	}
	return rank
}

// labelRanks numbers the labels of all graphs together, in ascending order, and returns how
// many there are. rank holds the labels of graph i from first[i]. Without labels all have rank 0.
func labelRanks(graphs []Graph, labels Labels) (rank []int32, first []int, distinct int) {
	first = make([]int, len(graphs)+1)
	for i := range graphs {
		first[i+1] = first[i] + graphs[i].Order()
	}
	if labels == WithoutLabels {
		return make([]int32, first[len(graphs)]), first, 1
	}
	all := make([]int, 0, first[len(graphs)])
	for i := range graphs {
		all = append(all, graphs[i].Labels...)
	}
	rank = ranks(len(all), func(a, b int) int { return cmp.Compare(all[a], all[b]) })
	for _, r := range rank {
		distinct = max(distinct, int(r)+1)
	}
	return rank, first, distinct
}
