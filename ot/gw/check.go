package gw

import (
	"errors"
	"fmt"
	"math"
)

// Bounds of the largest entry of structures and features. Within them squares neither overflow nor
// lose digits.
const (
	leastEntry    = 1e-100
	greatestEntry = 1e100

	greatestOrder, greatestDimension = 1 << 17, 1 << 24 // so that no size overflows
)

var errNoContext = errors.New("gw: ctx is nil, expected a context")

func checkShape(n, d int) error {
	switch {
	case n < 1:
		return fmt.Errorf("gw: the order n is %d, expected at least 1", n)
	case n > greatestOrder:
		return fmt.Errorf("gw: the order n is %d, expected at most %d", n, greatestOrder)
	case d < 0:
		return fmt.Errorf("gw: the feature dimension d is %d, expected at least 0", d)
	case d > greatestDimension:
		return fmt.Errorf("gw: the feature dimension d is %d, expected at most %d", d, greatestDimension)
	}
	return nil
}

// checkSizes returns the largest absolute value in C.
func checkSizes(C, A []float64, n, d int) (scale float64, err error) {
	if scale, err = largest("structure entry", C, n); err != nil {
		return 0, err
	}
	_, err = largest("feature", A, d)
	return scale, err
}

// largest returns the largest absolute value in a matrix of the given width, if that and all others
// are within the bounds.
func largest(what string, x []float64, width int) (size float64, err error) {
	at := 0
	for k, v := range x {
		v = math.Abs(v)
		if !(v <= greatestEntry) {
			return 0, fmt.Errorf("gw: %s (%d, %d) is %v, expected a finite number of size at most %g, whose square does not overflow",
				what, k/width, k%width, x[k], greatestEntry)
		}
		if v > size {
			size, at = v, k
		}
	}
	if size > 0 && size < leastEntry {
		return 0, fmt.Errorf("gw: %s (%d, %d) is %v and none is larger, expected zeros or a size of at least %g, whose square keeps its digits",
			what, at/width, at%width, x[at], leastEntry)
	}
	return size, nil
}

// checkSpace returns an error for a space that cannot be an argument.
func checkSpace(name string, s *Space) error {
	switch {
	case s == nil:
		return fmt.Errorf("gw: %s is nil, expected a space", name)
	case s.n == 0:
		return fmt.Errorf("gw: %s has order 0, expected a space from NewSpace or NewTarget", name)
	}
	return nil
}

// checkPair returns an error for a bad problem of x against y, which the caller gave under these
// names.
func checkPair(nameX string, x *Space, nameY string, y *Space, alpha float64) error {
	if err := checkSpace(nameX, x); err != nil {
		return err
	}
	if err := checkSpace(nameY, y); err != nil {
		return err
	}
	switch {
	case x.d != y.d:
		return fmt.Errorf("gw: %s has feature dimension %d and %s %d, expected the same", nameX, x.d, nameY, y.d)
	case !(alpha >= 0 && alpha <= 1):
		return fmt.Errorf("gw: alpha is %v, expected a number in [0, 1]", alpha)
	case x.d == 0 && alpha != 1:
		return fmt.Errorf("gw: alpha is %v without features, expected 1", alpha)
	}
	return nil
}
