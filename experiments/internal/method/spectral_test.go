package method

import (
	"math"
	"testing"

	"ogdl/internal/test/must"
)

// TestNormalisedCut: two pairs at distance 0 within and log 2 between; the affinities
// are 1 and 1/2, a cluster's volume is 3 and its cut 1.
func TestNormalisedCut(t *testing.T) {
	l := math.Ln2
	d := []float64{0, 0, l, l, 0, 0, l, l, l, l, 0, 0, l, l, 0, 0}
	for _, c := range []struct {
		labels []int
		want   float64
	}{{[]int{0, 0, 1, 1}, 2.0 / 3}, {[]int{0, 1, 0, 1}, 1}, {[]int{0, 0, 0, 0}, 0}} {
		must.Within(t, normalisedCut(d, 4, 1, c.labels), c.want, 1e-12, "%v", c.labels)
	}
}
