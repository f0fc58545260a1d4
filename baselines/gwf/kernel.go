package gwf

import "ogdl/internal/vec"

// mul sets out to L R for a rows x inner matrix L (stride ldl) and inner rows of R;
// rows of R and out have stride ld, a multiple of four.
func mul(l []float64, ldl, rows, inner int, r, out []float64, ld int) {
	clear(out[:rows*ld])
	vec.MulDense(l, ldl, 1, rows, inner, r, ld, out, ld, ld)
}

// mulT sets out to s L'R for an inner x rows matrix L (stride ldl) and inner rows
// of R (stride ldr, width entries each); out has rows of width entries.
func mulT(s float64, l []float64, ldl, rows, inner int, r []float64, ldr, width int, out []float64) {
	for i := range rows {
		o := out[i*width : (i+1)*width]
		clear(o)
		k := 0
		for ; k+4 <= inner; k += 4 {
			vec.Axpy4(s*l[k*ldl+i], s*l[(k+1)*ldl+i], s*l[(k+2)*ldl+i], s*l[(k+3)*ldl+i],
				r[k*ldr:], r[(k+1)*ldr:], r[(k+2)*ldr:], r[(k+3)*ldr:], o)
		}
		for ; k < inner; k++ {
			vec.Axpy(s*l[k*ldl+i], r[k*ldr:k*ldr+width], o)
		}
	}
}

func pad(m int) int { return (m + 3) &^ 3 }

// grow returns a slice of length n, x itself where it is large enough. What it
// holds is not defined.
func grow(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n)
	}
	return x[:n]
}
