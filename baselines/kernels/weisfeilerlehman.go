package kernels

import (
	"context"
	"fmt"
	"slices"
)

// WeisfeilerLehman computes the Weisfeiler-Lehman subtree kernels of all depths from 0 to depth
// (Shervashidze et al., "Weisfeiler-Lehman graph kernels", JMLR 2011). Matrix h of the result is
//
//	K_h(G, G') = sum over k = 0..h and labels l of N_G,k(l) N_G',k(l),
//
// N_G,k(l) being the number of nodes of G with label l after k rounds. In a round every
// node of every graph gets a new label for its own and the sorted ones
// of its neighbours; all graphs of the set share the relabelling. Graphs without labels can be
// given equal ones: the first round then turns them into degrees.
//
// Entries are integers, exact below 2^53. A round costs a sort of all nodes of the set and
// a sum for every two graphs that share a label. No labels and a depth below 0 are errors.
func WeisfeilerLehman(ctx context.Context, graphs []Graph, depth int) ([][]float64, error) {
	if err := check(ctx, graphs, WithLabels); err != nil {
		return nil, err
	}
	if depth < 0 {
		return nil, fmt.Errorf("kernels: depth is %d, expected at least 0", depth)
	}
	label, first, _ := labelRanks(graphs, WithLabels)
	n := len(graphs)
	var (
		out [][]float64
		c   counts
		sum = make([]float64, n*n)
	)
	for h := range depth + 1 {
		if h > 0 {
			label = relabel(graphs, label, first)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c = c.ofRanks(label, first)
		c.gram(sum, n)
		K := slices.Clone(sum)
		mirror(K, n)
		out = append(out, K)
	}
	return out, nil
}

// relabel numbers the nodes of all graphs by their labels and their neighbours' labels.
func relabel(graphs []Graph, label []int32, first []int) []int32 {
	var (
		flat []int32
		at   = make([]int, 1, len(label)+1) // node v has flat[at[v]:at[v+1]]
	)
	for i := range graphs {
		of := label[first[i]:first[i+1]]
		for v, list := range graphs[i].Neighbors {
			flat = append(flat, of[v])
			for _, w := range list {
				flat = append(flat, of[w])
			}
			slices.Sort(flat[at[len(at)-1]+1:])
			at = append(at, len(flat))
		}
	}
	return ranks(len(label), func(a, b int) int { return slices.Compare(flat[at[a]:at[a+1]], flat[at[b]:at[b+1]]) })
}
