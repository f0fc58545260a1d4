package vec

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ogdl/internal/test/must"
)

// bigExp is e^x to 100 bits and more: the series at x / 2^12, squared back.
func bigExp(x float64) *big.Float {
	const bits = 200
	r := new(big.Float).SetPrec(bits).SetMantExp(big.NewFloat(x).SetPrec(bits), -12)
	sum, term := big.NewFloat(1).SetPrec(bits), big.NewFloat(1).SetPrec(bits)
	for k := 1; k < 60; k++ {
		term.Mul(term, r)
		term.Quo(term, new(big.Float).SetInt64(int64(k)))
		sum.Add(sum, term)
	}
	for range 12 {
		sum.Mul(sum, sum)
	}
	return sum
}

// ulps is the distance of got from want in units of got's last place.
func ulps(got float64, want *big.Float) float64 {
	d := new(big.Float).Sub(new(big.Float).SetPrec(200).SetFloat64(got), want)
	_, e := math.Frexp(got)
	f, _ := d.SetMantExp(d, 53-e).Float64()
	return math.Abs(f)
}

func TestExpFast(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	worst := 0.0
	check := func(x float64) {
		if u := ulps(Exp(x), bigExp(x)); u > worst {
			worst = u
		}
	}
	for _, x := range []float64{0, 1e-300, -1e-300, 1e-17, -1e-17, 1, -1, 708.9, 709, -707.9, -708, math.Ln2, -math.Ln2} {
		check(x)
	}
	for range 800 {
		check(709 * (2*rng.Float64() - 1))
		check(2*rng.Float64() - 1)
		check(-40 * rng.Float64())
		// Where the table entry changes.
		check((float64(rng.IntN(2000)-1000) + 0.5 + 1e-13*rng.NormFloat64()) * math.Ln2 / 64)
	}
	t.Logf("largest error %.3f units in the last place", worst)
	if worst > 1.5 {
		t.Errorf("largest error %v units in the last place, expected at most 1.5", worst)
	}
	for _, c := range [][2]float64{
		{math.Inf(-1), 0}, {-1e300, 0}, {-708.1, 0}, {math.Inf(1), math.Inf(1)}, {709.1, math.Inf(1)}, {0, 1},
	} {
		must.Check(t, Exp(c[0]), c[1], "exp(%v)", c[0])
	}
	if got := Exp(math.NaN()); !math.IsNaN(got) {
		t.Errorf("exp(NaN) = %v", got)
	}
}

func TestLogFast(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		x := math.Exp(700 * (2*rng.Float64() - 1))
		if rng.IntN(2) == 0 {
			x = 0.5 + rng.Float64()
		}
		// The library's own error is below one unit too.
		got, want := Log(x), math.Log(x)
		if d := math.Abs(got - want); d > 2*math.Abs(math.Nextafter(want, math.Inf(1))-want) {
			t.Fatalf("log(%v) = %v, expected %v", x, got, want)
		}
	}
	must.Check(t, Log(1), 0, "log 1")
	if got := Log(0); !math.IsInf(got, -1) {
		t.Errorf("log 0 = %v", got)
	}
	must.Within(t, Log(5e-324), -744.4400719213812, 1e-12, "log of the least number")
}
