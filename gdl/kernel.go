package gdl

// Products are rounded before they are added (float64(x*y)), so that no compiler
// fuses them and every processor takes the same decisions.

// axpy adds f x to y, whose lengths are equal multiples of four.
func axpy(f float64, x, y []float64) {
	for len(x) >= 4 && len(y) >= 4 {
		a, b := (*[4]float64)(x), (*[4]float64)(y)
		b[0] += float64(f * a[0])
		b[1] += float64(f * a[1])
		b[2] += float64(f * a[2])
		b[3] += float64(f * a[3])
		x, y = x[4:], y[4:]
	}
}

// dot sums x_i y_i in four lanes.
func dot(x, y []float64) float64 {
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

// axpyAny is axpy for any length.
func axpyAny(f float64, x, y []float64) {
	k := len(x) &^ 3
	axpy(f, x[:k], y[:k])
	for ; k < len(x); k++ {
		y[k] += float64(f * x[k])
	}
}

// lerp sets y to y + f (x - y); lengths are equal multiples of four.
func lerp(f float64, x, y []float64) {
	for len(x) >= 4 && len(y) >= 4 {
		a, b := (*[4]float64)(x), (*[4]float64)(y)
		b[0] += float64(f * (a[0] - b[0]))
		b[1] += float64(f * (a[1] - b[1]))
		b[2] += float64(f * (a[2] - b[2]))
		b[3] += float64(f * (a[3] - b[3]))
		x, y = x[4:], y[4:]
	}
}
