package plots

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Tick is a labelled place on an axis, or a labelled line there.
type Tick = plot.Tick

// fits reports whether an axis can show a value. Values of hundreds of digits would overflow in
// the differences and quotients that axes work with.
func fits(v float64, log bool) bool {
	if log {
		return v > 1e-100 && v < 1e100
	}
	return math.Abs(v) < 1e300
}

// axis is one of a panel's axes.
type axis struct {
	*plot.Axis
	log bool
}

// include widens the range.
func (a axis) include(ticks []Tick) {
	for _, t := range ticks {
		if fits(t.Value, a.log) {
			a.Min, a.Max = min(a.Min, t.Value), max(a.Max, t.Value)
		}
	}
}

// pad leaves room beyond the outermost values.
func (a axis) pad(share float64) {
	wide, big := a.Max-a.Min, max(math.Abs(a.Min), math.Abs(a.Max))
	switch same := wide <= 1e-9*big || big < 1e-290; {
	case a.log && same:
		a.Min, a.Max = a.Min/2, a.Max*2
	case a.log:
		factor := math.Pow(a.Max/a.Min, share)
		a.Min, a.Max = a.Min/factor, a.Max*factor
	case same:
		room := max(0.05*big, 1e-9)
		a.Min, a.Max = a.Min-room, a.Max+room
	default:
		a.Min, a.Max = a.Min-share*wide, a.Max+share*wide
	}
}

// dress sets up how an axis of about this length looks. A label that would cover the one before
// is left out; size is how much of the axis a label takes.
func (a axis) dress(given []Tick, length vg.Length, size func(label string) vg.Length) {
	a.Padding = 0
	a.LineStyle = draw.LineStyle{Color: rule, Width: 0.6}
	a.Tick.LineStyle = a.LineStyle
	a.Tick.Length = 3
	a.Tick.Label.Font, a.Tick.Label.Color = style(ink).Font, ink
	if a.log {
		a.Scale = plot.LogScale{}
	}
	var ticks []Tick
	switch {
	case given != nil:
		for _, t := range given {
			if fits(t.Value, a.log) {
				ticks = append(ticks, Tick{Value: t.Value, Label: clean(t.Label)})
			}
		}
	case a.log && a.Max > 15*a.Min:
		ticks = plot.LogTicks{Prec: 3}.Ticks(a.Min, a.Max)
	default:
		ticks = linearTicks(a.Min, a.Max)
	}
	slices.SortStableFunc(ticks, func(x, y Tick) int { return cmp.Compare(x.Value, y.Value) })
	free := vg.Length(math.Inf(-1))
	for i, t := range ticks {
		if t.IsMinor() {
			continue
		}
		at, room := length*vg.Length(a.Norm(t.Value)), size(t.Label)
		if at-room/2 < free {
			ticks[i].Label = "" // which makes it a minor tick
			continue
		}
		free = at + room/2
	}
	a.Tick.Marker = plot.ConstantTicks(ticks)
}

// linearTicks are three to seven round numbers.
func linearTicks(lo, hi float64) (out []Tick) {
	step := math.Pow(10, math.Floor(math.Log10(hi-lo))-1)
	for _, m := range []float64{2, 2.5, 2, 2} { // 2, 5, 10, 20
		if hi-lo > 7*step {
			step *= m
		}
	}
	for i := math.Ceil(lo / step); i*step <= hi; i++ {
		v := float64(i*step) + 0 // never -0
		out = append(out, Tick{Value: v, Label: strconv.FormatFloat(v, 'g', 6, 64)})
	}
	return out
}
