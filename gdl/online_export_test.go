package gdl

import "slices"

// Shifts is the number of shifts that the detector bets on.
const Shifts = len(shifts)

// Ratios are the likelihood ratios of x after a baseline of the given values.
func Ratios(history []float64, x float64) []float64 {
	slices.Sort(history)
	k := track{history: history}
	k.add(x, 1)
	return k.ratio[:] // (1 + 0) L
}
