package eval

import "math"

// Dip returns Hartigan's dip of a sample in ascending order: the largest difference between its
// distribution function and the nearest unimodal one (Hartigan & Hartigan 1985). It is at least
// 1/(2n), its value where the sample is unimodal, and at most 1/4. The sample is scanned between
// greatest convex minorants and least concave majorants (algorithm AS 217, with the corrections of
// Maechler's diptest). Cost O(n) in practice. A sample of fewer than two points, or of equal ones,
// has 1/(2n). Points must be finite. It panics on an empty sample.
func Dip(sorted []float64) float64 {
	n := len(sorted)
	if n == 0 {
		panic("eval: Dip of no points")
	}
	x := func(i int) float64 { return sorted[i-1] } // counted from 1
	least := 1 / float64(2*n)
	if n < 2 || x(1) == x(n) {
		return least
	}
	if size := max(math.Abs(x(1)), math.Abs(x(n))); size > 0x1p900 || size < 0x1p-900 {
		sorted = scaled(sorted) // products of differences stay in range
	}
	// The points of the minorant below each point, and of the majorant above it.
	below, above := make([]int, n+1), make([]int, n+1)
	below[1], above[n] = 1, n
	// reach sets the point next to j on a hull that ends at last.
	reach := func(next []int, j, step, last int) {
		next[j] = j + step
		for {
			a := next[j]
			b := next[a]
			if a == last || float64((x(j)-x(a))*float64(a-b)) < float64((x(a)-x(b))*float64(j-a)) {
				return
			}
			next[j] = b
		}
	}
	for j := 2; j <= n; j++ {
		reach(below, j, -1, 1)
	}
	for k := n - 1; k >= 1; k-- {
		reach(above, k, 1, n)
	}
	low, high, dip := 1, n, 1.0 // of n times twice the dip
	for {
		minorant, majorant := []int{high}, []int{low}
		for at := high; at > low; {
			at = below[at]
			minorant = append(minorant, at)
		}
		for at := low; at < high; {
			at = above[at]
			majorant = append(majorant, at)
		}
		lg, lm := len(minorant)-1, len(majorant)-1
		g, m, d := lg, lm, 1.0 // where the two are farthest apart
		if lg != 1 || lm != 1 {
			d = 0
			for i, k := lg-1, 1; ; {
				a, b := minorant[i], majorant[k]
				if a > b {
					c := minorant[i+1]
					dx := float64(b-c+1) - float64((x(b)-x(c))*float64(a-c))/(x(a)-x(c))
					if k++; dx >= d {
						d, g, m = dx, i+1, k-1
					}
				} else {
					c := majorant[k-1]
					dx := float64((x(a)-x(c))*float64(b-c))/(x(b)-x(c)) - float64(a-c-1)
					if i--; dx >= d {
						d, g, m = dx, i+1, k
					}
				}
				i, k = max(i, 0), min(k, lm)
				if minorant[i] == majorant[k] {
					break
				}
			}
		}
		if d < dip {
			return dip * least
		}
		worst := 1.0
		for j := g; j < lg; j++ {
			from, to := minorant[j+1], minorant[j]
			for i := from; i <= to && x(to) != x(from); i++ {
				worst = max(worst, float64(i-from+1)-float64((x(i)-x(from))*float64(to-from))/(x(to)-x(from)))
			}
		}
		for j := m; j < lm; j++ {
			from, to := majorant[j], majorant[j+1]
			for i := from; i <= to && x(to) != x(from); i++ {
				worst = max(worst, float64((x(i)-x(from))*float64(to-from))/(x(to)-x(from))-float64(i-from-1))
			}
		}
		dip = max(dip, worst)
		if low == minorant[g] && high == majorant[m] {
			return dip * least
		}
		low, high = minorant[g], majorant[m]
	}
}
