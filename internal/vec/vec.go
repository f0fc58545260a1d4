// Package vec holds the loops over vectors that all solvers spend their time in.
//
// There are two sets of kernels: AVX2 on the amd64 processors that have it, chosen once at the start, and Go
// elsewhere, with the build tag purego, or where GODEBUG=cpu.avx2=off asks for it. Both give the same bits: products are rounded
// before they are added (float64(x*y)), so that no compiler fuses them, and sums run in one order. The AVX2
// kernels are written by tools/vecgen; a NaN may differ in its payload.
//
// Arguments that do not fit each other panic where a kernel would leave its vectors. Nothing but [Grow] allocates.
package vec

// Kernels names the kernels in use: "avx2" or "go".
func Kernels() string {
	if fast {
		return "avx2"
	}
	return "go"
}

// Pad is the least multiple of four that is at least n: the length of a row where kernels are to meet no rest.
func Pad(n int) int { return (n + 3) &^ 3 }

// Grow returns a slice of length n, x itself where it is large enough. Its content is undefined.
func Grow[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n)
	}
	return x[:n]
}

// Axpy adds f x to y, which is at least as long as x.
func Axpy(f float64, x, y []float64) {
	y = y[:len(x)]
	if fast && len(x) > 0 {
		axpyAVX2(f, &x[0], &y[0], len(x))
		return
	}
	axpy(f, x, y)
}

// AxpyInTurn adds c0 x0, c1 x1, c2 x2 and c3 x3 to y, one after the other, as four calls of Axpy do; the x are at least as long.
func AxpyInTurn(c0, c1, c2, c3 float64, x0, x1, x2, x3, y []float64) {
	n := len(y)
	x0, x1, x2, x3 = x0[:n], x1[:n], x2[:n], x3[:n]
	if fast && n > 0 {
		inTurnAVX2(c0, c1, c2, c3, &x0[0], &x1[0], &x2[0], &x3[0], &y[0], n)
		return
	}
	axpy(c0, x0, y)
	axpy(c1, x1, y)
	axpy(c2, x2, y)
	axpy(c3, x3, y)
}

// Dot returns the sum of x_i y_i over the entries of x; y is at least as long. Lane k of eight sums the products at k, k+8,
// k+16 and so on; lanes k and k+4 are added to one of four, and these as (0 + 1) + (2 + 3).
func Dot(x, y []float64) float64 {
	y = y[:len(x)]
	if fast && len(x) > 0 {
		return dotAVX2(&x[0], &y[0], len(x))
	}
	return dot(x, y)
}

// Dots sets out_k to Dot(x_k, y), for rows x_k and an out at least as long as y and x are.
func Dots(x [][]float64, y, out []float64) {
	out = out[:len(x)]
	k := 0
	for n := len(y); fast && n > 0 && k+4 <= len(x); k += 4 {
		dotsAVX2(&x[k][:n][0], &x[k+1][:n][0], &x[k+2][:n][0], &x[k+3][:n][0], &y[0], n, &out[k])
	}
	for ; k < len(x); k++ {
		out[k] = Dot(y, x[k])
	}
}

// Lerp moves y to y + f (x - y); y is at least as long as x.
func Lerp(f float64, x, y []float64) {
	y = y[:len(x)]
	if fast && len(x) > 0 {
		lerpAVX2(f, &x[0], &y[0], len(x))
		return
	}
	lerp(f, x, y)
}

// Scale multiplies x by f.
func Scale(f float64, x []float64) {
	if fast && len(x) > 0 {
		scaleAVX2(f, &x[0], len(x))
		return
	}
	scale(f, x)
}

// Add adds x to y, which is at least as long.
func Add(x, y []float64) {
	y = y[:len(x)]
	if fast && len(x) > 0 {
		addAVX2(&x[0], &y[0], len(x))
		return
	}
	add(x, y)
}

// AdamRules are the numbers of a step of Adam.
type AdamRules struct {
	Beta1, Beta2  float64 // decay rates
	By1, By2      float64 // what the moments are multiplied by, for their start at zero
	Step, Epsilon float64
}

// Adam takes a step with the gradient g from x: the moments m and v, which decay towards g and its square, give its length. An entry
// whose first moment is zero stays. x, m and v are at least as long as g.
func Adam(x, m, v, g []float64, r *AdamRules) {
	x, m, v = x[:len(g)], m[:len(g)], v[:len(g)]
	if fast && len(g) > 0 {
		adamAVX2(&x[0], &m[0], &v[0], &g[0], len(g), r.Beta1, 1-r.Beta1, r.Beta2, 1-r.Beta2, r.By1, r.By2, r.Step, r.Epsilon)
		return
	}
	adam(x, m, v, g, r)
}

// SquaredDistance returns the sum of (x_i - y_i)^2 over the entries of x, from
// first to last; y is at least as long.
func SquaredDistance(x, y []float64) float64 {
	y = y[:len(x)]
	sum := 0.0
	for k, v := range x {
		e := v - y[k]
		sum += float64(e * e)
	}
	return sum
}

// Distances sets out, of ld entries, to f times the squared distances from a to the columns of bt, a len(a) x ld matrix; ld is a
// multiple of four. Each is summed from the first entry to the last, as by SquaredDistance.
func Distances(f float64, a, bt []float64, ld int, out []float64) {
	out = out[:ld]
	if len(a) == 0 {
		clear(out)
		return
	}
	bt = bt[:len(a)*ld]
	if fast && ld > 0 {
		distancesAVX2(f, &a[0], len(a), &bt[0], ld, &out[0])
		return
	}
	distances(f, a, bt, ld, out)
}

// Scatter adds f mass_e times row src_e of X to row dst_e of Y, for every arc e in turn. Rows have the given width. Rows of X
// begin ldx entries apart, rows of Y ldy. src and dst name rows that are there (not checked).
func Scatter(f float64, mass []float64, src, dst []int32, x []float64, ldx int, y []float64, ldy, width int) {
	src, dst = src[:len(mass)], dst[:len(mass)]
	if fast && len(mass) > 0 && width > 0 {
		scatterAVX2(f, &mass[0], &src[0], &dst[0], len(mass), &x[0], ldx, &y[0], ldy, width)
		return
	}
	for e, m := range mass {
		axpy(float64(f*m), x[int(src[e])*ldx:][:width], y[int(dst[e])*ldy:][:width])
	}
}

// MulDense adds B X to out, for a rows x inner matrix B whose entry (i, k) is at i rowStep + k
// step, so that B may be the transpose of the stored matrix. Rows of X begin ldx entries apart,
// rows of out ld; the first width columns count, a multiple of four. Four products are added at a
// time, as (b0 x0 + b1 x1) + (b2 x2 + b3 x3).
func MulDense(b []float64, rowStep, step, rows, inner int, x []float64, ldx int, out []float64, ld, width int) {
	if rows <= 0 || inner <= 0 || width <= 0 {
		return
	}
	b, x, out = b[:(rows-1)*rowStep+(inner-1)*step+1], x[:(inner-1)*ldx+width], out[:(rows-1)*ld+width]
	if fast {
		denseAVX2(&b[0], 8*rowStep, 8*step, rows, inner, &x[0], 8*ldx, &out[0], 8*ld, width)
		return
	}
	dense(b, rowStep, step, rows, inner, x, ldx, out, ld, width)
}

// MulFew is MulDense for a B with many zeros, whose entries of a row are adjacent. It skips groups
// of four products whose entries of B are all zero, if the row in the middle shows that this pays.
// It gives the bits of MulDense where X is finite and no entry of out is -0.
func MulFew(b []float64, rowStep, rows, inner int, x []float64, ldx int, out []float64, ld, width int) {
	if rows <= 0 || inner <= 0 || width <= 0 {
		return
	}
	if inner > 256 || !manyZeros(b[rows/2*rowStep:][:inner]) {
		MulDense(b, rowStep, 1, rows, inner, x, ldx, out, ld, width)
		return
	}
	b, x, out = b[:(rows-1)*rowStep+inner], x[:(inner-1)*ldx+width], out[:(rows-1)*ld+width]
	if fast {
		denseFewAVX2(&b[0], 8*rowStep, rows, inner, &x[0], 8*ldx, &out[0], 8*ld, width)
		return
	}
	denseFew(b, rowStep, rows, inner, x, ldx, out, ld, width)
}

// manyZeros reports whether more than a quarter of the fours of a row are zero.
func manyZeros(row []float64) bool {
	some := 0
	for k := 0; k+4 <= len(row); k += 4 {
		c := (*[4]float64)(row[k:])
		if c[0] != 0 || c[1] != 0 || c[2] != 0 || c[3] != 0 {
			some++
		}
	}
	return 4*some < 3*(len(row)/4)
}

// MulInOrder is MulDense with one product added after the other, as by Axpy.
func MulInOrder(b []float64, rowStep, step, rows, inner int, x []float64, ldx int, out []float64, ld, width int) {
	if rows <= 0 || inner <= 0 || width <= 0 {
		return
	}
	b, x, out = b[:(rows-1)*rowStep+(inner-1)*step+1], x[:(inner-1)*ldx+width], out[:(rows-1)*ld+width]
	if fast {
		inOrderAVX2(&b[0], 8*rowStep, 8*step, rows, inner, &x[0], 8*ldx, &out[0], 8*ld, width)
		return
	}
	inOrder(b, rowStep, step, rows, inner, x, ldx, out, ld, width)
}

// MulEqual adds C X to out for a matrix whose entries are f or zero: the entries of row i are in the columns
// col[rowPtr[i]:rowPtr[i+1]]. Rows of X and out have ld entries, a multiple of four; X has a row for every column of
// C (not checked). f times the sum of rows of X is added, by fours, the rest by two and alone.
func MulEqual(f float64, rowPtr, col []int32, x, out []float64, ld int) {
	rows := len(rowPtr) - 1
	out = out[:rows*ld]
	if len(out) == 0 || len(col) == 0 {
		return
	}
	if fast {
		equalAVX2(f, &rowPtr[0], &rowPtr[rows], &col[0], &x[0], &out[0], ld, 8*ld)
		return
	}
	equal(f, rowPtr, col, x, out, ld)
}

// MulSparse is MulEqual for a matrix that has val[k] in column col[k]; rows of X are added one after the other.
func MulSparse(rowPtr, col []int32, val, x, out []float64, ld int) {
	rows := len(rowPtr) - 1
	out, val = out[:rows*ld], val[:len(col)]
	if len(out) == 0 || len(col) == 0 {
		return
	}
	if fast {
		sparseAVX2(&rowPtr[0], &rowPtr[rows], &col[0], &val[0], &x[0], &out[0], ld, 8*ld)
		return
	}
	sparse(rowPtr, col, val, x, out, ld)
}

// Moments sets cp to C p and c2p to (C o C) p for a symmetric matrix C with len(p) rows of stride ld, a multiple of
// four and at least len(p). cp and c2p have ld entries. Each is summed from the first column to the last.
func Moments(c []float64, ld int, p, cp, c2p []float64) {
	cp, c2p = cp[:ld], c2p[:ld]
	clear(cp)
	clear(c2p)
	if len(p) == 0 {
		return
	}
	c = c[:len(p)*ld]
	if fast {
		momentsAVX2(&c[0], ld, len(p), &p[0], &cp[0], &c2p[0])
		return
	}
	moments(c, ld, p, cp, c2p)
}

// Price looks for a row of costs with an entry c_ij - v_j < -eps - pi_i, from row i on and around. It returns the row, the first
// of its columns with the least c_ij - v_j, and how many rows without one were seen, clean ones included;
// col is -1 when that is all of them. There is a row for every entry of pi and a column for every one of v; rows of c have stride ld.
func Price(c []float64, ld int, v, pi []float64, eps float64, i, clean int) (row, col, seen int) {
	rows, cols := len(pi), len(v)
	if clean >= rows || cols == 0 {
		return i, -1, clean
	}
	c = c[:(rows-1)*ld+cols]
	if fast && uint(i) < uint(rows) {
		return priceAVX2(&c[0], 8*ld, rows, cols, &v[0], &pi[0], -eps, i, clean)
	}
	return price(c, ld, v, pi, eps, i, clean)
}

// Least returns the first index with the least c_j - v_j among those below limit, or -1 if none is; v is as long as c.
func Least(c, v []float64, limit float64) int {
	if fast && len(c) > 0 {
		pi := [1]float64{}
		_, j, _ := priceAVX2(&c[0], 0, 1, len(c), &v[:len(c)][0], &pi[0], limit, 0, 0)
		return j
	}
	return least(c, v[:len(c)], limit)
}

// Shift adds sigma to x_k for every bit k of word. x has 64 entries at least.
func Shift(x []float64, word uint64, sigma float64) {
	x = x[:64]
	if fast && word != 0 {
		shiftAVX2(&x[0], word, sigma)
		return
	}
	shift(x, word, sigma)
}

// Survey takes a row of costs into the least and the sum of every column: least_j is x_j where that is less, and x_j is added to
// sums_j. Both are at least as long as x.
func Survey(x, least, sums []float64) {
	least, sums = least[:len(x)], sums[:len(x)]
	if fast && len(x) > 0 {
		surveyAVX2(&x[0], &least[0], &sums[0], len(x))
		return
	}
	survey(x, least, sums)
}

// Relax lowers d_j to (c_j - v_j) - shift wherever that is less, sets from_j to i there, and returns the first place with the least
// d_j, or -1 if none is below +Inf. v, d and from have the length of c rounded up to a multiple of four; there v is -Inf
// and d +Inf, and shift is below +Inf.
func Relax(c, v, d []float64, from []int64, shift float64, i int64) int {
	n := (len(c) + 3) &^ 3
	v, d, from = v[:n], d[:n], from[:n]
	if fast && n > 0 {
		return relaxAVX2(&c[0], len(c), &v[0], &d[0], &from[0], shift, i)
	}
	return relax(c, v, d, from, shift, i)
}
