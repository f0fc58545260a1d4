package vec

import (
	"math"
	"math/big"
)

// The exponentials and logarithms of the scaling algorithms: quick, and without
// a fused multiply-add anywhere, so that every processor gives the same bits.

const (
	expLow  = -708 // below, Exp is 0: results that would be denormal, or nearly
	expHigh = 709  // above, Exp is infinite

	// ln 2 / 64 in two parts, the first with 28 zero bits at its end, so that its
	// product with |k| < 2^17 is exact.
	ln2By64Hi = 0x1.62e42fp-7
	ln2By64Lo = 0x1.df473de6af279p-32
	by64Ln2   = 0x1.71547652b82fep+6

	roundShift = 0x1.8p52 // adding it rounds to an integer, kept in the low bits
)

// Exp is e^x with an error below 1.5 units in the last place, 0 for x < -708
// (-Inf too) and +Inf for x > 709. x = (64 e + k) ln 2 / 64 + r with
// |r| <= ln 2 / 128, whose exponential is a polynomial; 2^(k/64) is tabulated.
func Exp(x float64) float64 {
	if !(x >= expLow && x <= expHigh) {
		return expEdge(x)
	}
	z := float64(x*by64Ln2) + roundShift
	k := math.Float64bits(z)
	z -= roundShift
	r := (x - float64(z*ln2By64Hi)) - float64(z*ln2By64Lo)
	r2 := float64(r * r)
	p := (r + float64(r2*(0.5+float64(r*(1.0/6))))) + float64(float64(r2*r2)*(1.0/24+float64(r*(1.0/120))))
	t := expTable[k&63]
	y := t + float64(t*p)
	// Times 2^e: y is in [0.9, 2.1), so the exponent neither over- nor underflows.
	return math.Float64frombits(math.Float64bits(y) + (k&^63)<<46)
}

func expEdge(x float64) float64 {
	switch {
	case x < expLow:
		return 0
	case x > expHigh:
		return math.Inf(1)
	}
	return x
}

// Log is the natural logarithm of x > 0 with an error below one unit in the
// last place: the method of FreeBSD's e_log.c. It is -Inf at 0.
func Log(x float64) float64 {
	if !(x > 0) || x > math.MaxFloat64 {
		return math.Log(x)
	}
	f, e := math.Frexp(x)
	if f < math.Sqrt2/2 {
		f *= 2
		e--
	}
	f--
	k := float64(e)
	s := f / (2 + f)
	s2 := float64(s * s)
	s4 := float64(s2 * s2)
	t1 := float64(s2 * (6.666666666666735130e-01 + float64(s4*(2.857142874366239149e-01+float64(s4*(1.818357216161805012e-01+
		float64(s4*1.479819860511658591e-01)))))))
	t2 := float64(s4 * (3.999999999940941908e-01 + float64(s4*(2.222219843214978396e-01+float64(s4*1.531383769920937332e-01)))))
	h := float64(0.5 * f * f)
	return float64(k*6.93147180369123816490e-01) - ((h - (float64(s*(h+(t1+t2))) + float64(k*1.90821492927058770002e-10))) - f)
}

// expTable holds 2^(k/64), rounded to nearest.
var expTable = powers()

func powers() (table [64]float64) {
	root := big.NewFloat(2).SetPrec(200)
	for range 6 {
		root.Sqrt(root)
	}
	x := big.NewFloat(1).SetPrec(200)
	for k := range table {
		table[k], _ = x.Float64()
		x.Mul(x, root)
	}
	return table
}
