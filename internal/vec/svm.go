package vec

import "math"

// LessMax takes c0 x0 + c1 x1 off v and returns the last place of the largest v_k + off_k, and that sum: what sequential minimal optimisation
// does with the gradient of an SVM's dual, where off is 0 at the places that count and -Inf at others. Where no sum is above -Inf the place is 0.
// The length of v is a multiple of four; x0, x1 and off are at least as long.
func LessMax(c0, c1 float64, x0, x1 []float32, v, off []float64) (place int, top float64) {
	n := len(v)
	x0, x1, off = x0[:n], x1[:n], off[:n]
	if n%4 != 0 {
		panic("vec: LessMax: the length is no multiple of four")
	}
	if fast && n > 0 {
		place, top = lessMaxAVX2(c0, c1, &x0[0], &x1[0], &v[0], &off[0], n)
	} else {
		place, top = lessMax(c0, c1, x0, x1, v, off)
	}
	if math.IsInf(top, -1) {
		place = 0
	}
	return place, top
}

func lessMax(c0, c1 float64, x0, x1 []float32, v, off []float64) (place int, top float64) {
	top = math.Inf(-1)
	for k := range v {
		v[k] -= float64(float64(x0[k])*c0) + float64(float64(x1[k])*c1)
		if x := v[k] + off[k]; x >= top {
			place, top = k, x
		}
	}
	return place, top
}

// BestGain returns the last place of the largest t^2 / a among those with t > 0, for t = m - (v_k +
// off_k) and a = d + diag_k - 2 row_k, with tau instead of an a that is not positive; -1 if there
// is none. It is the second-order working set selection (Fan, Chen & Lin 2005), with off 0 at the
// places that count and +Inf at others. The length of v is a multiple of four; the others are at
// least as long.
func BestGain(v, off, diag []float64, row []float32, d, m, tau float64) int {
	n := len(v)
	off, diag, row = off[:n], diag[:n], row[:n]
	if n%4 != 0 {
		panic("vec: BestGain: the length is no multiple of four")
	}
	if fast && n > 0 {
		return bestGainAVX2(&v[0], &off[0], &diag[0], &row[0], n, d, m, tau)
	}
	return bestGain(v, off, diag, row, d, m, tau)
}

// belowOne lowers a quotient by more than its rounding.
const belowOne = 1 - 0x1p-50

func bestGain(v, off, diag []float64, row []float32, d, m, tau float64) int {
	place := -1
	var best, bar float64
	for k := 0; k < len(v); k += 4 {
		for l := k; l < k+4; l++ {
			t, a := m-(v[l]+off[l]), d+diag[l]-float64(2*float64(row[l]))
			// A quotient is needed only where a product tells that it may be the best.
			if square := float64(t * t); t > 0 && !(square < float64(bar*a)) {
				if a <= 0 {
					a = tau
				}
				if gain := square / a; gain >= best {
					place, best = l, gain
				}
			}
		}
		bar = float64(best * belowOne) // four places share one, as in the kernel
	}
	return place
}
