package vec

// Kernels of Sinkhorn's algorithm and of the proximal steps around it. A kernel matrix K has rows of stride ld, a multiple
// of four, with zeros in the padding; factors and weights of its columns have ld entries, zero in the padding.

// Sweep is a sweep of Sinkhorn's algorithm over a kernel K. For every row with wa_i != 0 it sets a_i to wa_i / <k_i, b> (a sum
// as Dot has it), then next to the sum of the a_i k_i, row after row, then next_j to wb_j / next_j, or 0 where wb_j is. err
// is the sum of |a_i <k_i, b> - wa_i| with the a from before. Where a quotient is not in [low, high] it stops: ok is false, and a, next and err
// have no meaning.
func Sweep(k []float64, ld int, wa, wb, a, b, next []float64, low, high float64) (err float64, ok bool) {
	rows := len(wa)
	k, a, wb, b, next = k[:rows*ld], a[:rows], wb[:ld], b[:ld], next[:ld]
	if fast && len(k) > 0 {
		return sweepAVX2(&k[0], ld, rows, &wa[0], &wb[0], &a[0], &b[0], &next[0], low, high)
	}
	return sweep(k, ld, wa, wb, a, b, next, low, high)
}

// Quotients sets x_j to w_j / x_j, or 0 where w_j is, and reports whether all others are in [low, high]. The
// length of w is a multiple of four, x is at least as long.
func Quotients(w, x []float64, low, high float64) bool {
	x = x[:len(w)]
	if fast && len(w) > 0 {
		return quotientsAVX2(&w[0], &x[0], len(w), low, high)
	}
	return quotients(w, x, low, high)
}

// Plan sets out to the plan k_ij (a_i b_j) of a kernel K; out has its shape and may be K itself. err is the sum over rows of
// |row sum - w_i|, change the sum of |out_ij - out_ij before|. Lane k of four sums the entries of columns k, k+4 and so on; lanes are added as
// (0 + 1) + (2 + 3).
func Plan(k []float64, ld int, w, a, b, out []float64) (err, change float64) {
	rows := len(w)
	k, a, b, out = k[:rows*ld], a[:rows], b[:ld], out[:rows*ld]
	if fast && len(k) > 0 {
		return planAVX2(&k[0], ld, rows, &w[0], &a[0], &b[0], &out[0])
	}
	return plan(k, ld, w, a, b, out)
}

// TiltExp adds (f_i + g_j) + (times p_ij - base_ij) to l_ij and sets k_ij to Exp(l_ij + (f_i + g_j)), for every entry of f and
// of g; col is set to the column sums of K, row after row. All matrices have rows as long as g, a multiple of four; with -Inf in the padding of
// g and zeros in the padding of p and base, the padding of K becomes zero.
func TiltExp(l, p, base []float64, times float64, f, g, k, col []float64) {
	if len(f) == 0 || len(g) == 0 {
		return
	}
	ld := len(g)
	size := len(f) * ld
	l, p, base, k, col = l[:size], p[:size], base[:size], k[:size], col[:ld]
	if fast && ld&3 == 0 {
		if !tiltExpAVX2(&l[0], &p[0], &base[0], times, &f[0], &g[0], &k[0], &col[0], ld, len(f), &expTable[0]) {
			expRows(l, ld, f, g, k, col, ld) // infinite or no numbers
		}
		return
	}
	tilt(l, p, base, times, f, g, ld)
	expRows(l, ld, f, g, k, col, ld)
}

// ExpRows sets k_ij to Exp(l_ij + (f_i + g_j)), for every entry of f and of g, and col to the column sums of K, row after
// row. Rows of l have stride ldl. Padding is left alone.
func ExpRows(l []float64, ldl int, f, g, k, col []float64, ld int) {
	if len(f) == 0 || len(g) == 0 {
		return
	}
	l, k, col = l[:(len(f)-1)*ldl+len(g)], k[:(len(f)-1)*ld+len(g)], col[:len(g)]
	if fast {
		expRowsAVX2(&l[0], 8*ldl, &f[0], &g[0], &k[0], &col[0], 8*ld, len(f), len(g), &expTable[0])
		return
	}
	expRows(l, ldl, f, g, k, col, ld)
}

// ExpSum returns the largest of the l_j + g_j and the sum of Exp((l_j + g_j) - top), entry by entry; the sum has no meaning where
// the largest is -Inf. x is room for them, rounded up to a multiple of four; g is at least as long as l.
func ExpSum(l, g, x []float64) (top, sum float64) {
	g, x = g[:len(l)], x[:(len(l)+3)&^3]
	if fast && len(l) > 0 {
		return expSumAVX2(&l[0], &g[0], &x[0], len(l), &expTable[0])
	}
	return expSum(l, g, x)
}

// AddMax sets k to l + f and raises every entry of top to the entry of k where it is larger; l and top are at least as long as k.
func AddMax(f float64, l, k, top []float64) {
	l, top = l[:len(k)], top[:len(k)]
	if fast && len(k) > 0 {
		addMaxAVX2(f, &l[0], &k[0], &top[0], len(k))
		return
	}
	addMax(f, l, k, top)
}

// ExpLess adds Exp(k_j - top_j) to sum_j; top and sum are at least as long as k.
func ExpLess(k, top, sum []float64) {
	top, sum = top[:len(k)], sum[:len(k)]
	if fast && len(k) > 0 {
		expLessAVX2(&k[0], &top[0], &sum[0], len(k), &expTable[0])
		return
	}
	expLess(k, top, sum)
}

// LogAdd adds Log(x_j) to y_j, which is at least as long.
func LogAdd(x, y []float64) {
	y = y[:len(x)]
	for fast && len(x) > 0 {
		done := logAddAVX2(&x[0], &y[0], len(x))
		x, y = x[done:], y[done:]
		// The kernel ends before an entry that it cannot do.
		n := min(4, len(x))
		logAdd(x[:n], y)
		x, y = x[n:], y[n:]
	}
	logAdd(x, y)
}

// Sum returns the sum of x in eight lanes, folded as Dot has them.
func Sum(x []float64) float64 {
	if fast && len(x) > 0 {
		return sumAVX2(&x[0], len(x))
	}
	return sum(x)
}

// Transpose sets out to the transpose of a matrix. The strides are at least as long as their content.
// It is fastest where rows and columns are multiples of four.
func Transpose(in []float64, ld, rows, cols int, out []float64, ldo int) {
	if rows <= 0 || cols <= 0 {
		return
	}
	in, out = in[:(rows-1)*ld+cols], out[:(cols-1)*ldo+rows]
	r, c := 0, 0 // rows and columns of whole blocks
	if fast && rows >= 4 && cols >= 4 {
		r, c = rows&^3, cols&^3
		transposeAVX2(&in[0], 8*ld, r, c, &out[0], 8*ldo)
	}
	if r < rows {
		transpose(in[r*ld:], ld, rows-r, cols, out[r:], ldo)
	}
	if r > 0 && c < cols {
		transpose(in[c:], ld, r, cols-c, out[c*ldo:], ldo)
	}
}
