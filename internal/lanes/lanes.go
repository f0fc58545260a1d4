// Package lanes holds the loops over vectors that all solvers spend their time
// in, four entries at a time.
//
// Products are rounded before they are added (float64(x*y)), so that no compiler
// fuses them, and sums run in a fixed order: the same input gives the same bits
// on every processor. Vectors of unequal length, where a function does not allow
// them, give a wrong result or a panic: nothing here checks. Nothing allocates.
package lanes

// Axpy adds f x to y; both have the same length, a multiple of four.
func Axpy(f float64, x, y []float64) {
	for len(x) >= 4 && len(y) >= 4 {
		a, b := (*[4]float64)(x), (*[4]float64)(y)
		b[0] += float64(f * a[0])
		b[1] += float64(f * a[1])
		b[2] += float64(f * a[2])
		b[3] += float64(f * a[3])
		x, y = x[4:], y[4:]
	}
}

// AxpyAny is Axpy for any length of x; y is at least as long.
func AxpyAny(f float64, x, y []float64) {
	k := len(x) &^ 3
	Axpy(f, x[:k], y[:k])
	for ; k < len(x); k++ {
		y[k] += float64(f * x[k])
	}
}

// Axpy4 adds c0 x0 + c1 x1 + c2 x2 + c3 x3 to y, of any length; the x are at
// least as long. Each entry is y + ((c0 x0 + c1 x1) + (c2 x2 + c3 x3)): one
// addition to y, so not what four calls of Axpy give to the last bit.
func Axpy4(c0, c1, c2, c3 float64, x0, x1, x2, x3, y []float64) {
	n := len(y)
	x0, x1, x2, x3 = x0[:n], x1[:n], x2[:n], x3[:n]
	for j := range y {
		s := float64(c0*x0[j]) + float64(c1*x1[j])
		t := float64(c2*x2[j]) + float64(c3*x3[j])
		y[j] += s + t
	}
}

// Dot returns the sum of x_i y_i over any common length: lane k sums the products
// at k, k+4, k+8 and so on, what is left of the last four goes to lane 0, and
// the lanes are added as (0 + 1) + (2 + 3).
func Dot(x, y []float64) float64 {
	var s0, s1, s2, s3 float64
	for len(x) >= 4 && len(y) >= 4 {
		a, b := (*[4]float64)(x), (*[4]float64)(y)
		s0 += float64(a[0] * b[0])
		s1 += float64(a[1] * b[1])
		s2 += float64(a[2] * b[2])
		s3 += float64(a[3] * b[3])
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		s0 += float64(v * y[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// Lerp sets y to y + f (x - y); both have the same length, a multiple of four.
func Lerp(f float64, x, y []float64) {
	for len(x) >= 4 && len(y) >= 4 {
		a, b := (*[4]float64)(x), (*[4]float64)(y)
		b[0] += float64(f * (a[0] - b[0]))
		b[1] += float64(f * (a[1] - b[1]))
		b[2] += float64(f * (a[2] - b[2]))
		b[3] += float64(f * (a[3] - b[3]))
		x, y = x[4:], y[4:]
	}
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
