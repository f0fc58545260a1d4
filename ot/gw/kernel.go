package gw

import "ogdl/internal/lanes"

// The kernels below and those of package lanes work on rows padded to a multiple
// of four. Products are rounded before they are added (float64(x*y)), so that no
// compiler fuses them and every processor takes the same decisions.

// add4 adds c (x0 + x1 + x2 + x3) to y.
func add4(c float64, x0, x1, x2, x3, y []float64) {
	n := len(y)
	x0, x1, x2, x3 = x0[:n], x1[:n], x2[:n], x3[:n]
	for j := range y {
		y[j] += float64(c * ((x0[j] + x1[j]) + (x2[j] + x3[j])))
	}
}

// add2 adds c (x0 + x1) to y.
func add2(c float64, x0, x1, y []float64) {
	n := len(y)
	x0, x1 = x0[:n], x1[:n]
	for j := range y {
		y[j] += float64(c * (x0[j] + x1[j]))
	}
}

// add adds x to y.
func add(x, y []float64) {
	x = x[:len(y)]
	for j := range y {
		y[j] += x[j]
	}
}

// scale multiplies x by c.
func scale(c float64, x []float64) {
	for i := range x {
		x[i] *= c
	}
}

// distances4 is the squared distance from a to each of four vectors that stand one after the
// other in b, side by side: the sums do not wait for one another.
func distances4(a, b []float64) (s0, s1, s2, s3 float64) {
	d := len(a)
	b0, b1, b2, b3 := b[:d], b[d:2*d], b[2*d:3*d], b[3*d:4*d]
	for k, x := range a {
		e0, e1, e2, e3 := x-b0[k], x-b1[k], x-b2[k], x-b3[k]
		s0 += float64(e0 * e0)
		s1 += float64(e1 * e1)
		s2 += float64(e2 * e2)
		s3 += float64(e3 * e3)
	}
	return
}

// mulDense adds B X to out, for a rows x inner matrix B (stride ldb) and inner
// rows of X; rows of X and out have stride ld.
func mulDense(b []float64, ldb, rows, inner int, x, out []float64, ld int) {
	for i := range rows {
		br := b[i*ldb : i*ldb+inner]
		o := out[i*ld : i*ld+ld]
		k := 0
		for ; k+4 <= inner; k += 4 {
			r := x[k*ld : k*ld+4*ld]
			lanes.Axpy4(br[k], br[k+1], br[k+2], br[k+3], r[:ld], r[ld:2*ld], r[2*ld:3*ld], r[3*ld:], o)
		}
		for ; k < inner; k++ {
			lanes.Axpy(br[k], x[k*ld:k*ld+ld], o)
		}
	}
}

// mulDenseT adds B'X to out, for an inner x rows matrix B (stride ldb).
func mulDenseT(b []float64, ldb, rows, inner int, x, out []float64, ld int) {
	for i := range rows {
		o := out[i*ld : i*ld+ld]
		k := 0
		for ; k+4 <= inner; k += 4 {
			r := x[k*ld : k*ld+4*ld]
			lanes.Axpy4(b[k*ldb+i], b[(k+1)*ldb+i], b[(k+2)*ldb+i], b[(k+3)*ldb+i], r[:ld], r[ld:2*ld], r[2*ld:3*ld], r[3*ld:], o)
		}
		for ; k < inner; k++ {
			lanes.Axpy(b[k*ldb+i], x[k*ld:k*ld+ld], o)
		}
	}
}

// mulStructure adds C X to out, where C is the structure of s and X has s.n rows
// of stride ld.
func (s *Space) mulStructure(x, out []float64, ld int) {
	if !s.sparse {
		mulDense(s.c, s.ld, s.n, s.n, x, out, ld)
		return
	}
	for i := range s.n {
		lo, hi := int(s.rowPtr[i]), int(s.rowPtr[i+1])
		cols := s.col[lo:hi]
		o := out[i*ld : i*ld+ld]
		if s.unit == 0 {
			for k, c := range cols {
				lanes.Axpy(s.val[lo+k], x[int(c)*ld:int(c)*ld+ld], o)
			}
			continue
		}
		for len(cols) >= 4 {
			c0, c1, c2, c3 := int(cols[0])*ld, int(cols[1])*ld, int(cols[2])*ld, int(cols[3])*ld
			add4(s.unit, x[c0:c0+ld], x[c1:c1+ld], x[c2:c2+ld], x[c3:c3+ld], o)
			cols = cols[4:]
		}
		if len(cols) >= 2 {
			c0, c1 := int(cols[0])*ld, int(cols[1])*ld
			add2(s.unit, x[c0:c0+ld], x[c1:c1+ld], o)
			cols = cols[2:]
		}
		if len(cols) == 1 {
			c0 := int(cols[0]) * ld
			lanes.Axpy(s.unit, x[c0:c0+ld], o)
		}
	}
}

// addRow adds alpha times row i of C to a row of stride s.ld.
func (s *Space) addRow(alpha float64, i int, out []float64) {
	if !s.sparse {
		lanes.Axpy(alpha, s.c[i*s.ld:i*s.ld+s.ld], out)
		return
	}
	lo, hi := int(s.rowPtr[i]), int(s.rowPtr[i+1])
	if s.unit != 0 {
		alpha *= s.unit
		for _, c := range s.col[lo:hi] {
			out[c] += alpha
		}
		return
	}
	for k, c := range s.col[lo:hi] {
		out[c] += float64(alpha * s.val[lo+k])
	}
}

// work is the number of multiply-adds of a product of C with a matrix of m
// columns, roughly.
func (s *Space) work(m int) int {
	if s.sparse {
		return len(s.col) * m
	}
	return s.n * s.n * m
}
