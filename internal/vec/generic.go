package vec

import (
	"math"
	"math/bits"
)

// The kernels in Go. The ones in assembly are copies to the last bit.

func axpy(f float64, x, y []float64) {
	for len(x) >= 4 && len(y) >= 4 {
		a, b := (*[4]float64)(x), (*[4]float64)(y)
		b[0] += float64(f * a[0])
		b[1] += float64(f * a[1])
		b[2] += float64(f * a[2])
		b[3] += float64(f * a[3])
		x, y = x[4:], y[4:]
	}
	for k, v := range x {
		y[k] += float64(f * v)
	}
}

// axpy4 adds (c0 x0 + c1 x1) + (c2 x2 + c3 x3) to y.
func axpy4(c0, c1, c2, c3 float64, x0, x1, x2, x3, y []float64) {
	n := len(y)
	x0, x1, x2, x3 = x0[:n], x1[:n], x2[:n], x3[:n]
	for j := range y {
		s := float64(c0*x0[j]) + float64(c1*x1[j])
		t := float64(c2*x2[j]) + float64(c3*x3[j])
		y[j] += s + t
	}
}

func dot(x, y []float64) float64 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	for len(x) >= 8 && len(y) >= 8 {
		a, b := (*[8]float64)(x), (*[8]float64)(y)
		s0 += float64(a[0] * b[0])
		s1 += float64(a[1] * b[1])
		s2 += float64(a[2] * b[2])
		s3 += float64(a[3] * b[3])
		s4 += float64(a[4] * b[4])
		s5 += float64(a[5] * b[5])
		s6 += float64(a[6] * b[6])
		s7 += float64(a[7] * b[7])
		x, y = x[8:], y[8:]
	}
	if len(x) >= 4 {
		a, b := (*[4]float64)(x), (*[4]float64)(y)
		s0 += float64(a[0] * b[0])
		s1 += float64(a[1] * b[1])
		s2 += float64(a[2] * b[2])
		s3 += float64(a[3] * b[3])
		if x, y = x[4:], y[4:]; len(x) > 0 {
			s4 += float64(x[0] * y[0])
			if len(x) > 1 {
				s5 += float64(x[1] * y[1])
			}
			if len(x) > 2 {
				s6 += float64(x[2] * y[2])
			}
		}
	} else if len(x) > 0 {
		s0 += float64(x[0] * y[0])
		if len(x) > 1 {
			s1 += float64(x[1] * y[1])
		}
		if len(x) > 2 {
			s2 += float64(x[2] * y[2])
		}
	}
	return ((s0 + s4) + (s1 + s5)) + ((s2 + s6) + (s3 + s7))
}

func lerp(f float64, x, y []float64) {
	for len(x) >= 4 && len(y) >= 4 {
		a, b := (*[4]float64)(x), (*[4]float64)(y)
		b[0] += float64(f * (a[0] - b[0]))
		b[1] += float64(f * (a[1] - b[1]))
		b[2] += float64(f * (a[2] - b[2]))
		b[3] += float64(f * (a[3] - b[3]))
		x, y = x[4:], y[4:]
	}
	for k, v := range x {
		y[k] += float64(f * (v - y[k]))
	}
}

func scale(f float64, x []float64) {
	for i := range x {
		x[i] *= f
	}
}

func add(x, y []float64) {
	x = x[:len(y)]
	for j := range y {
		y[j] += x[j]
	}
}

func adam(x, m, v, g []float64, r *AdamRules) {
	x, m, v = x[:len(g)], m[:len(g)], v[:len(g)]
	rest1, rest2 := 1-r.Beta1, 1-r.Beta2
	for i, gi := range g {
		mean := float64(r.Beta1*m[i]) + float64(rest1*gi)
		square := float64(r.Beta2*v[i]) + float64(rest2*float64(gi*gi))
		m[i], v[i] = mean, square
		if mean != 0 {
			x[i] -= float64(r.Step*float64(mean*r.By1)) / (math.Sqrt(float64(square*r.By2)) + r.Epsilon)
		}
	}
}

func add2(f float64, x0, x1, y []float64) {
	n := len(y)
	x0, x1 = x0[:n], x1[:n]
	for j := range y {
		y[j] += float64(f * (x0[j] + x1[j]))
	}
}

func add4(f float64, x0, x1, x2, x3, y []float64) {
	n := len(y)
	x0, x1, x2, x3 = x0[:n], x1[:n], x2[:n], x3[:n]
	for j := range y {
		y[j] += float64(f * ((x0[j] + x1[j]) + (x2[j] + x3[j])))
	}
}

// distances takes four columns at a time: their sums do not wait for one another.
func distances(f float64, a, bt []float64, ld int, out []float64) {
	for j := 0; j < ld; j += 4 {
		var s0, s1, s2, s3 float64
		for k, x := range a {
			b := (*[4]float64)(bt[k*ld+j:])
			e0, e1, e2, e3 := x-b[0], x-b[1], x-b[2], x-b[3]
			s0 += float64(e0 * e0)
			s1 += float64(e1 * e1)
			s2 += float64(e2 * e2)
			s3 += float64(e3 * e3)
		}
		o := (*[4]float64)(out[j:])
		o[0], o[1], o[2], o[3] = f*s0, f*s1, f*s2, f*s3
	}
}

// panels calls f for the columns of a product, from j on and w of them: so few at a time that the rows of X, as many as inner,
// stay in the cache while all rows of the result are made. What goes over the rows is a function of its own, for its registers.
func panels(inner, width int, f func(j, w int)) {
	const room = 1 << 16 // entries
	w := width
	if inner*width > room {
		w = max(32, room/inner&^3)
	}
	for j := 0; j < width; j += w {
		f(j, min(w, width-j))
	}
}

func dense(b []float64, rowStep, step, rows, inner int, x []float64, ldx int, out []float64, ld, width int) {
	panels(inner, width, func(j, w int) { densePanel(b, rowStep, step, rows, inner, x[j:], ldx, out[j:], ld, w) })
}

func densePanel(b []float64, rowStep, step, rows, inner int, x []float64, ldx int, out []float64, ld, width int) {
	for i := range rows {
		at, o := i*rowStep, out[i*ld:i*ld+width]
		k := 0
		for ; k+4 <= inner; k += 4 {
			r := x[k*ldx:]
			axpy4(b[at], b[at+step], b[at+2*step], b[at+3*step], r[:width], r[ldx:ldx+width], r[2*ldx:2*ldx+width], r[3*ldx:3*ldx+width], o)
			at += 4 * step
		}
		for ; k < inner; k++ {
			axpy(b[at], x[k*ldx:k*ldx+width], o)
			at += step
		}
	}
}

// denseFew needs no panels: it has at most 256 rows of X.
func denseFew(b []float64, rowStep, rows, inner int, x []float64, ldx int, out []float64, ld, width int) {
	for i := range rows {
		row, o := b[i*rowStep:i*rowStep+inner], out[i*ld:i*ld+width]
		k := 0
		for ; k+4 <= inner; k += 4 {
			c := (*[4]float64)(row[k:])
			if c[0] != 0 || c[1] != 0 || c[2] != 0 || c[3] != 0 {
				r := x[k*ldx:]
				axpy4(c[0], c[1], c[2], c[3], r[:width], r[ldx:ldx+width], r[2*ldx:2*ldx+width], r[3*ldx:3*ldx+width], o)
			}
		}
		for ; k < inner; k++ {
			axpy(row[k], x[k*ldx:k*ldx+width], o)
		}
	}
}

func inOrder(b []float64, rowStep, step, rows, inner int, x []float64, ldx int, out []float64, ld, width int) {
	panels(inner, width, func(j, w int) {
		for i := range rows {
			o := out[i*ld+j : i*ld+j+w]
			for k := range inner {
				axpy(b[i*rowStep+k*step], x[k*ldx+j:k*ldx+j+w], o)
			}
		}
	})
}

func equal(f float64, rowPtr, col []int32, x, out []float64, ld int) {
	panels(len(x)/ld, ld, func(j, w int) { equalPanel(f, rowPtr, col, x[j:], out[j:], ld, w) })
}

func equalPanel(f float64, rowPtr, col []int32, x, out []float64, ld, width int) {
	for i := range len(rowPtr) - 1 {
		cols := col[rowPtr[i]:rowPtr[i+1]]
		o := out[i*ld : i*ld+width]
		for len(cols) >= 4 {
			c0, c1, c2, c3 := int(cols[0])*ld, int(cols[1])*ld, int(cols[2])*ld, int(cols[3])*ld
			add4(f, x[c0:c0+width], x[c1:c1+width], x[c2:c2+width], x[c3:c3+width], o)
			cols = cols[4:]
		}
		if len(cols) >= 2 {
			c0, c1 := int(cols[0])*ld, int(cols[1])*ld
			add2(f, x[c0:c0+width], x[c1:c1+width], o)
			cols = cols[2:]
		}
		if len(cols) == 1 {
			c0 := int(cols[0]) * ld
			axpy(f, x[c0:c0+width], o)
		}
	}
}

func sparse(rowPtr, col []int32, val, x, out []float64, ld int) {
	panels(len(x)/ld, ld, func(j, w int) {
		for i := range len(rowPtr) - 1 {
			o := out[i*ld+j : i*ld+j+w]
			for k := rowPtr[i]; k < rowPtr[i+1]; k++ {
				c := int(col[k])*ld + j
				axpy(val[k], x[c:c+w], o)
			}
		}
	})
}

func moments(c []float64, ld int, p, cp, c2p []float64) {
	for j, w := range p {
		row := c[j*ld : j*ld+ld]
		cp, c2p := cp[:len(row)], c2p[:len(row)]
		for i, x := range row {
			xp := float64(x * w)
			cp[i] += xp
			c2p[i] += float64(x * xp)
		}
	}
}

func price(c []float64, ld int, v, pi []float64, eps float64, i, clean int) (row, col, seen int) {
	for clean < len(pi) {
		if j := least(c[i*ld:i*ld+len(v)], v, -eps-pi[i]); j >= 0 {
			return i, j, clean
		}
		clean++
		if i++; i == len(pi) {
			i = 0
		}
	}
	return i, -1, clean
}

func least(c, v []float64, limit float64) int {
	v = v[:len(c)]
	best, j := -1, 0
	for ; j < len(c)-7; j += 8 {
		if c[j]-v[j] < limit || c[j+1]-v[j+1] < limit || c[j+2]-v[j+2] < limit || c[j+3]-v[j+3] < limit ||
			c[j+4]-v[j+4] < limit || c[j+5]-v[j+5] < limit || c[j+6]-v[j+6] < limit || c[j+7]-v[j+7] < limit {
			for k := j; k < j+8; k++ {
				if d := c[k] - v[k]; d < limit {
					limit, best = d, k
				}
			}
		}
	}
	for ; j < len(c); j++ {
		if d := c[j] - v[j]; d < limit {
			limit, best = d, j
		}
	}
	return best
}

func shift(x []float64, word uint64, sigma float64) {
	for ; word != 0; word &= word - 1 {
		x[bits.TrailingZeros64(word)] += sigma
	}
}

func survey(x, least, sums []float64) {
	least, sums = least[:len(x)], sums[:len(x)]
	for j, v := range x {
		if v < least[j] {
			least[j] = v
		}
		sums[j] += v
	}
}

func relax(c, v, d []float64, from []int64, shift float64, i int64) int {
	v, d, from = v[:len(c)], d[:len(c)], from[:len(c)]
	best, least := -1, math.Inf(1)
	for j, x := range c {
		x = (x - v[j]) - shift
		if x < d[j] {
			d[j], from[j] = x, i
		}
		if d[j] < least {
			best, least = j, d[j]
		}
	}
	return best
}
