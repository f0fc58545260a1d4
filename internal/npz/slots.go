package npz

// Slot ties an array to the slice of its elements. A list of slots writes arrays and reads them back.
type Slot struct {
	name  string
	at    any
	shape []int
}

// SlotOf returns the slot of an array; at is a *[]float64, *[]int or *[]string.
func SlotOf(name string, at any, shape ...int) Slot { return Slot{name, at, shape} }

// Arrays returns the arrays of slots. A nil slice counts as an empty one.
func Arrays(slots ...Slot) []Array {
	out := make([]Array, len(slots))
	for i, x := range slots {
		a := Array{Name: x.name, Shape: x.shape}
		switch at := x.at.(type) {
		case *[]float64:
			a.Float = notNil(*at)
		case *[]int:
			a.Int = notNil(*at)
		case *[]string:
			a.Text = notNil(*at)
		}
		out[i] = a
	}
	return out
}

func notNil[T any](x []T) []T {
	if x == nil {
		return []T{}
	}
	return x
}

// Fill fills slots. Arrays that are missing, or of another shape, are mistakes.
func (f *Fields) Fill(slots ...Slot) {
	for _, x := range slots {
		switch at := x.at.(type) {
		case *[]float64:
			*at = f.FloatsOf(x.name, x.shape...)
		case *[]int:
			*at = f.IntsOf(x.name, x.shape...)
		case *[]string:
			if a := f.Get(x.name, len(x.shape), false); a != nil {
				if *at = a.Text; len(a.Text) != x.shape[0] {
					f.Fail(x.name, "does not hold %d texts", x.shape[0])
				}
			}
		}
	}
}

// Length returns the length of a vector, whatever it holds: its companions must have it too.
func (f *Fields) Length(name string) int {
	if a := f.Get(name, 1, false); a != nil && len(a.Shape) == 1 {
		return a.Shape[0]
	}
	return 0
}
