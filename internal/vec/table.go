package vec

import "math/big"

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
