// Package eval scores clusterings: k-means, the Rand Index and its adjusted form, and the
// levels that clusterings without any information reach; and correlations of two lists of numbers.
package eval

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// RandIndex returns the share of pairs of items on which two labellings agree: together in
// both, or apart in both (Rand 1971). It lies in [0, 1], is symmetric, and ignores which
// integers name the clusters; it is not adjusted for chance (see AdjustedRandIndex,
// OneClusterRI and IndependentRI). Fewer than two items have no pairs; their index is 1.
//
// Labels are of type int or uint16. The pairs are counted exactly, from the contingency table, in
// O(n + clusters of a x clusters of b). It panics if the lengths differ.
func RandIndex[L label](a, b []L) float64 {
	p := countPairs(a, b)
	if p.all() == 0 {
		return 1
	}
	return float64(p.both+p.neither) / float64(p.all())
}

// AdjustedRandIndex returns the Rand Index corrected for chance under the permutation model (Hubert
// & Arabie 1985): 1 for equal clusterings, 0 on average for independent ones of the same cluster
// sizes, negative (at least -0.5) for worse agreement. Two labellings that put the same pairs
// together have index 1, trivial clusterings included. Cost and panics are as for RandIndex.
func AdjustedRandIndex[L label](a, b []L) float64 {
	p := countPairs(a, b)
	if p.onlyA == 0 && p.onlyB == 0 {
		return 1
	}
	both, neither := float64(p.both), float64(p.neither)
	onlyA, onlyB := float64(p.onlyA), float64(p.onlyB)
	return 2 * (float64(both*neither) - float64(onlyA*onlyB)) /
		(float64((both+onlyA)*(onlyA+neither)) + float64((both+onlyB)*(onlyB+neither)))
}

// OneClusterRI returns the Rand Index, against the classes, of the clustering that puts
// everything into one cluster: the share of pairs within a class.
func OneClusterRI(classes []int) float64 {
	return RandIndex(classes, make([]int, len(classes)))
}

// IndependentRI returns the Rand Index that labels drawn uniformly from k clusters,
// independently of the classes, reach on average: s/k + (1-s)(k-1)/k, where s is the share of
// pairs within a class. It is NaN for k < 1.
func IndependentRI(classes []int, k int) float64 {
	if k < 1 {
		return math.NaN()
	}
	s := OneClusterRI(classes)
	return (float64(s) + float64((1-s)*float64(k-1))) / float64(k)
}

// pairs counts the pairs of items by who puts them together.
type pairs struct{ both, onlyA, onlyB, neither int64 }

func (p pairs) all() int64 { return p.both + p.onlyA + p.onlyB + p.neither }

// label is what may name a cluster.
type label interface{ ~int | ~uint16 }

func countPairs[L label](a, b []L) pairs {
	if len(a) != len(b) {
		panic(fmt.Sprintf("eval: labels of %d and %d items", len(a), len(b)))
	}
	ka, kb := bound(a), bound(b)
	// Labels that name few clusters from 0 on index a table themselves; others are renamed first.
	if size := 4*len(a) + 64; ka > size || kb > size || ka*kb > size {
		da, na := dense(a)
		db, nb := dense(b)
		return contingency(da, db, na, nb)
	}
	return contingency(a, b, ka, kb)
}

// bound returns the largest label plus 1, or the largest int if a label is negative.
func bound[L label](labels []L) int {
	top := 0
	for _, l := range labels {
		if l < 0 {
			return math.MaxInt
		}
		top = max(top, int(l))
	}
	if top == math.MaxInt {
		return top
	}
	return top + 1
}

// contingency counts pairs from labels 0..ka-1 and 0..kb-1.
func contingency[L label](a, b []L, ka, kb int) pairs {
	var together [3][64]int64 // of few clusters, which are most, without an allocation
	count := func(k, n int) []int64 {
		if n <= len(together[k]) {
			return together[k][:n]
		}
		return make([]int64, n)
	}
	inA, inB := count(0, ka), count(1, kb)
	for i := range a {
		inA[a[i]]++
		inB[b[i]]++
	}
	within := func(sizes []int64) (pairs int64) {
		for _, c := range sizes {
			pairs += c * (c - 1) / 2
		}
		return pairs
	}
	// A map where the table would be larger than the items it counts.
	var both int64
	if ka*kb <= 4*len(a)+64 {
		table := count(2, ka*kb)
		for i := range a {
			table[int(a[i])*kb+int(b[i])]++
		}
		both = within(table)
	} else {
		table := make(map[[2]L]int64)
		for i := range a {
			table[[2]L{a[i], b[i]}]++
		}
		both = within(slices.Collect(maps.Values(table)))
	}
	togetherA, togetherB := within(inA), within(inB)
	n := int64(len(a))
	return pairs{
		both:    both,
		onlyA:   togetherA - both,
		onlyB:   togetherB - both,
		neither: n*(n-1)/2 - togetherA - togetherB + both,
	}
}

// dense renames labels to 0..k-1 in the order in which they appear.
func dense[L label](labels []L) (renamed []int, k int) {
	names := make(map[L]int)
	renamed = make([]int, len(labels))
	for i, l := range labels {
		c, ok := names[l]
		if !ok {
			c = len(names)
			names[l] = c
		}
		renamed[i] = c
	}
	return renamed, len(names)
}
