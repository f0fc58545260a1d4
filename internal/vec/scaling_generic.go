package vec

import "math"

func sweep(k []float64, ld int, wa, wb, a, b, next []float64, low, high float64) (err float64, ok bool) {
	clear(next)
	for i, v := range wa {
		if v == 0 {
			continue
		}
		row := k[i*ld : i*ld+ld]
		sum := dot(row, b)
		x := v / sum
		if !(x >= low && x <= high) {
			return err, false
		}
		err += math.Abs(float64(a[i]*sum) - v)
		a[i] = x
		axpy(x, row, next)
	}
	return err, quotients(wb, next, low, high)
}

func quotients(w, x []float64, low, high float64) bool {
	ok := true
	for j, v := range w {
		if v == 0 {
			x[j] = 0
			continue
		}
		x[j] = v / x[j]
		ok = ok && x[j] >= low && x[j] <= high
	}
	return ok
}

func plan(k []float64, ld int, w, a, b, out []float64) (err, change float64) {
	var d0, d1, d2, d3 float64
	for i, v := range w {
		var s0, s1, s2, s3 float64
		c, x, y, o := a[i], k[i*ld:i*ld+ld], b, out[i*ld:i*ld+ld]
		for len(x) >= 4 && len(y) >= 4 && len(o) >= 4 {
			p, q, r := (*[4]float64)(x), (*[4]float64)(y), (*[4]float64)(o)
			x0 := float64(p[0] * float64(c*q[0]))
			x1 := float64(p[1] * float64(c*q[1]))
			x2 := float64(p[2] * float64(c*q[2]))
			x3 := float64(p[3] * float64(c*q[3]))
			s0 += x0
			s1 += x1
			s2 += x2
			s3 += x3
			d0 += math.Abs(x0 - r[0])
			d1 += math.Abs(x1 - r[1])
			d2 += math.Abs(x2 - r[2])
			d3 += math.Abs(x3 - r[3])
			r[0], r[1], r[2], r[3] = x0, x1, x2, x3
			x, y, o = x[4:], y[4:], o[4:]
		}
		err += math.Abs(((s0 + s1) + (s2 + s3)) - v)
	}
	return err, (d0 + d1) + (d2 + d3)
}

func tilt(l, p, base []float64, times float64, f, g []float64, ld int) {
	for i, c := range f {
		row := l[i*ld:][:len(g)]
		p, base := p[i*ld:][:len(g)], base[i*ld:][:len(g)]
		for j, y := range g {
			row[j] += (c + y) + (float64(times*p[j]) - base[j])
		}
	}
}

// expRows is Exp, written out so that it does not cost a call an entry.
func expRows(l []float64, ldl int, f, g, k, col []float64, ld int) {
	clear(col)
	for i, c := range f {
		dst, row, col := k[i*ld:][:len(g)], l[i*ldl:][:len(g)], col[:len(g)]
		for j, y := range g {
			x := row[j] + (c + y)
			if !(x >= expLow && x <= expHigh) {
				dst[j] = expEdge(x)
				col[j] += dst[j]
				continue
			}
			z := float64(x*by64Ln2) + roundShift
			k := math.Float64bits(z)
			z -= roundShift
			r := (x - float64(z*ln2By64Hi)) - float64(z*ln2By64Lo)
			r2 := float64(r * r)
			p := (r + float64(r2*(0.5+float64(r*(1.0/6))))) + float64(float64(r2*r2)*(1.0/24+float64(r*(1.0/120))))
			t := expTable[k&63]
			dst[j] = math.Float64frombits(math.Float64bits(t+float64(t*p)) + (k&^63)<<46)
			col[j] += dst[j]
		}
	}
}

func expSum(l, g, x []float64) (top, sum float64) {
	top = math.Inf(-1)
	for j, y := range l {
		x[j] = y + g[j]
		if x[j] > top {
			top = x[j]
		}
	}
	for _, y := range x[:len(l)] {
		sum += Exp(y - top)
	}
	return top, sum
}

func addMax(f float64, l, k, top []float64) {
	for j, y := range l {
		k[j] = y + f
		if k[j] > top[j] {
			top[j] = k[j]
		}
	}
}

func expLess(k, top, sum []float64) {
	for j, y := range k {
		sum[j] += Exp(y - top[j])
	}
}

func logAdd(x, y []float64) {
	for j, v := range x {
		y[j] += Log(v)
	}
}

func transpose(in []float64, ld, rows, cols int, out []float64, ldo int) {
	for i := range rows {
		for j, x := range in[i*ld : i*ld+cols] {
			out[j*ldo+i] = x
		}
	}
}

func sum(x []float64) float64 {
	var s [8]float64
	for len(x) >= 8 {
		for k, v := range x[:8] {
			s[k] += v
		}
		x = x[8:]
	}
	for k, v := range x {
		s[k] += v
	}
	return ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]))
}
