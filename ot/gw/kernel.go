package gw

import "ogdl/internal/vec"

// mulStructure adds C X to out, where C is the structure of s and X has s.n rows
// of stride ld.
func (s *Space) mulStructure(x, out []float64, ld int) {
	switch {
	case !s.sparse:
		vec.MulDense(s.c, s.ld, 1, s.n, s.n, x, ld, out, ld, ld)
	case s.unit != 0:
		vec.MulEqual(s.unit, s.rowPtr, s.col, x, out, ld)
	default:
		vec.MulSparse(s.rowPtr, s.col, s.val, x, out, ld)
	}
}

// addProduct adds M C to out for a rows x n matrix M; both have stride s.ld. Entries of out are not
// -0.
func (s *Space) addProduct(m []float64, rows int, out []float64) {
	switch {
	case !s.sparse:
		vec.MulDense(m, s.ld, 1, rows, s.n, s.c, s.ld, out, s.ld, s.ld)
	case s.filled:
		vec.MulInOrder(m, s.ld, 1, rows, s.n, s.c, s.ld, out, s.ld, s.ld)
	default:
		for i := range rows {
			o := out[i*s.ld : (i+1)*s.ld]
			for j, x := range m[i*s.ld : i*s.ld+s.n] {
				if x != 0 {
					s.addRow(x, j, o)
				}
			}
		}
	}
}

// addRow adds alpha times row i of C, its stored entries alone, to a row of stride s.ld.
func (s *Space) addRow(alpha float64, i int, out []float64) {
	lo, hi := int(s.rowPtr[i]), int(s.rowPtr[i+1])
	if s.unit != 0 {
		alpha = float64(alpha * s.unit)
		for _, c := range s.col[lo:hi] {
			out[c] += alpha
		}
		return
	}
	for k, c := range s.col[lo:hi] {
		out[c] += float64(alpha * s.val[lo+k])
	}
}

// addRows adds f mass_e times row src_e of C to row dst_e of a matrix of stride s.ld, for
// every arc e. Entries of out are not -0.
func (s *Space) addRows(f float64, mass []float64, src, dst []int32, out []float64) {
	if !s.sparse || s.filled {
		vec.Scatter(f, mass, src, dst, s.c, s.ld, out, s.ld, s.ld)
		return
	}
	for e, x := range mass {
		i := int(dst[e])
		s.addRow(float64(f*x), int(src[e]), out[i*s.ld:(i+1)*s.ld])
	}
}

// work returns the number of multiply-adds of a product of C with a matrix of m columns, roughly.
func (s *Space) work(m int) int {
	if s.sparse {
		return len(s.col) * m
	}
	return s.n * s.n * m
}
