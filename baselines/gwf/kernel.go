package gwf

import "ogdl/internal/vec"

// mul sets out to L R for a rows x inner matrix L (stride ldl), which may have many zeros, and
// inner rows of R; rows of R and out have stride ld, a multiple of four.
func mul(l []float64, ldl, rows, inner int, r, out []float64, ld int) {
	clear(out[:rows*ld])
	vec.MulFew(l, ldl, rows, inner, r, ld, out, ld, ld)
}

// mulT sets out to L'R for an inner x rows matrix L (stride ldl) and inner rows of R; rows of R
// and out have stride ld, a multiple of four.
func mulT(l []float64, ldl, rows, inner int, r, out []float64, ld int) {
	clear(out[:rows*ld])
	vec.MulDense(l, 1, ldl, rows, inner, r, ld, out, ld, ld)
}

// writeScaled writes s times the first width columns of rows of stride ld to out, without padding.
func writeScaled(s float64, x []float64, ld, width int, out []float64) {
	for i := range len(out) / width {
		row := x[i*ld:][:width]
		for j, v := range row {
			out[i*width+j] = s * v
		}
	}
}

// padRows copies rows of d entries to rows of stride vec.Pad(d), with zeros in the padding.
func padRows(x []float64, d int, out []float64) {
	ld := vec.Pad(d)
	for i := range len(x) / d {
		clear(out[i*ld+d : (i+1)*ld])
		copy(out[i*ld:], x[i*d:(i+1)*d])
	}
}
