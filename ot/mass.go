package ot

import (
	"fmt"
	"math"
)

// maxUnits bounds the integer total mass. Sums of masses stay below 2^53, so
// they are exact also where they pass through a float64.
const maxUnits = 1 << 50

// greatestSum keeps masses, and their differences, finite.
const greatestSum = 1e300

// checkWeights returns the sum of w, or an error that names the first bad entry.
func checkWeights(name string, w []float64) (float64, error) {
	var sum, c float64 // Neumaier's compensated sum
	for i, x := range w {
		if !(x >= 0) || math.IsInf(x, 1) {
			return 0, fmt.Errorf("%w: %s[%d] = %v", ErrWeights, name, i, x)
		}
		t := sum + x
		if sum >= x {
			c += (sum - t) + x
		} else {
			c += (x - t) + sum
		}
		sum = t
	}
	if sum <= greatestSum {
		sum += c
	}
	if !(sum > 0 && sum <= greatestSum) {
		return 0, fmt.Errorf("%w: the sum of %s is %v, expected a number in (0, %g]", ErrWeights, name, sum, greatestSum)
	}
	return sum, nil
}

// checkMarginals returns the sums of the weights of both sides, which Reset of either
// solver takes, or says why it does not.
func checkMarginals(a, b []float64) (sa, sb float64, err error) {
	if len(a) == 0 || len(b) == 0 {
		return 0, 0, fmt.Errorf("%w: %d weights a and %d weights b, expected at least one of each", ErrWeights, len(a), len(b))
	}
	if sa, err = checkWeights("a", a); err != nil {
		return 0, 0, err
	}
	if sb, err = checkWeights("b", b); err != nil {
		return 0, 0, err
	}
	if math.Abs(sa-sb) > 1e-6*max(sa, sb) {
		return 0, 0, fmt.Errorf("%w: sum of a is %v, sum of b is %v", ErrUnbalanced, sa, sb)
	}
	return sa, sb, nil
}

// integerMasses writes weights as multiples of one unit, the total of a and b,
// which it returns. Weights that are fractions with a small common denominator
// (uniform weights, degrees over their sum) are met exactly; any others to
// within 1.5 units of 2^-50 of the total, unless nearly all are that tiny.
func integerMasses(a, b []float64, sa, sb float64, ia, ib []int64) int64 {
	da, db := commonDenominator(a, sa), commonDenominator(b, sb)
	if da > 0 && db > 0 {
		// Both denominators are at most 2^24, so the total is at most 2^48.
		units := da / gcd(da, db) * db
		for i, x := range a {
			ia[i] = int64(math.Round(x/sa*float64(da))) * (units / da)
		}
		for j, x := range b {
			ib[j] = int64(math.Round(x/sb*float64(db))) * (units / db)
		}
		if sumInt(ia) == units && sumInt(ib) == units {
			return units
		}
	}
	roundMasses(a, sa, ia)
	roundMasses(b, sb, ib)
	return maxUnits
}

// roundMasses rounds w/sum to units of 1/maxUnits and makes the sum exact.
func roundMasses(w []float64, sum float64, iw []int64) {
	var total int64
	for i, x := range w {
		iw[i] = int64(math.Round(x / sum * maxUnits))
		total += iw[i]
	}
	// Hand the rest out one unit at a time, so that no entry is off by more
	// than 1.5 units while most exceed one unit, over positive entries only.
	for rest := maxUnits - total; rest != 0; {
		for i := range iw {
			if rest > 0 && iw[i] > 0 {
				iw[i]++
				rest--
			} else if rest < 0 && iw[i] > 1 {
				iw[i]--
				rest++
			}
		}
	}
}

// commonDenominator returns the smallest d up to 2^24 for which every w_i/sum is
// a multiple of 1/d to rounding, or 0 where none was found.
func commonDenominator(w []float64, sum float64) int64 {
	const limit = 1 << 24
	d, last := int64(1), math.NaN()
	for _, x := range w {
		if x == last {
			continue
		}
		last = x
		// The denominator still missing: x*d/sum modulo 1 as a continued
		// fraction.
		y := float64(x / sum * float64(d))
		tol := 4e-16 * y
		if r := math.Abs(y - math.Round(y)); r <= tol {
			continue
		}
		q := denominator(y-math.Floor(y), tol, limit/d)
		if q == 0 {
			return 0
		}
		d *= q
	}
	return d
}

// denominator returns the smallest q <= limit for which y in (0, 1) is within
// tol*q of a multiple of 1/q, found by its continued fraction; 0 if there is none.
func denominator(y, tol float64, limit int64) int64 {
	q0, q1 := int64(0), int64(1)
	x := y
	for range 40 {
		x = 1 / x
		k := math.Floor(x)
		if k > float64(limit) {
			return 0
		}
		q0, q1 = q1, int64(k)*q1+q0
		if q1 > limit {
			return 0
		}
		z := float64(y * float64(q1))
		if math.Abs(z-math.Round(z)) <= float64(tol*float64(q1)) {
			return q1
		}
		x -= k
		if x <= 0 {
			return 0
		}
	}
	return 0
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func sumInt(w []int64) int64 {
	var s int64
	for _, x := range w {
		s += x
	}
	return s
}
