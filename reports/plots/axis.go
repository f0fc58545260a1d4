package plots

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Tick is a labelled place on an axis.
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
func (a axis) include(values ...float64) {
	for _, v := range values {
		if fits(v, a.log) {
			a.Min, a.Max = min(a.Min, v), max(a.Max, v)
		}
	}
}

// pad leaves room beyond the outermost values.
func (a axis) pad(share float64) {
	wide, big := a.Max-a.Min, max(math.Abs(a.Min), math.Abs(a.Max))
	room, factor := share*wide, 1.0
	switch {
	case a.log && wide <= 1e-9*big:
		room, factor = 0, 2
	case a.log:
		room, factor = 0, math.Pow(a.Max/a.Min, share)
	case big < 1e-290:
		room = 0.5
	case wide <= 1e-9*big:
		room = max(0.05*big, 1e-9)
	}
	a.Min, a.Max = a.Min/factor-room, a.Max*factor+room
}

// dress sets up how an axis of about this length looks. Its ticks are those given, or as many as there is room for. A label that would
// cover the one before is left out; size is how much of the axis a label takes.
func (a axis) dress(given []Tick, length vg.Length, size func(label string) vg.Length) {
	a.Padding = 0
	if a.log {
		a.Scale = plot.LogScale{}
	}
	a.LineStyle = draw.LineStyle{Color: rule, Width: 0.6}
	a.Tick.LineStyle = a.LineStyle
	a.Tick.Length = 3
	a.Tick.Label.Font, a.Tick.Label.Color = style(ink).Font, ink
	var ticks []Tick
	many := int(math.Round(min(max(length.Points()/32, 2), 8)))
	switch {
	case len(given) > 0:
		for _, t := range given {
			if fits(t.Value, a.log) {
				ticks = append(ticks, Tick{Value: t.Value, Label: cmp.Or(clean(t.Label), blank)})
			}
		}
	case a.log && math.Log10(a.Max/a.Min) > 1.2:
		ticks = logTicks(a.Min, a.Max, many)
	default:
		for ; len(ticks) < 2 && many < 20; many++ {
			ticks = linearTicks(a.Min, a.Max, many)
		}
	}
	slices.SortStableFunc(ticks, func(x, y Tick) int { return cmp.Compare(x.Value, y.Value) })
	free := vg.Length(math.Inf(-1))
	for i, t := range ticks {
		if t.IsMinor() {
			continue
		}
		at, room := length*vg.Length(a.Norm(t.Value)), size(t.Label)
		if at-room/2 < free {
			ticks[i].Label = blank
			continue
		}
		free = at + room/2
	}
	a.Tick.Marker = plot.ConstantTicks(ticks)
}

// blank is a label that is not seen: a tick without any would be a minor one.
const blank = " "

// linearTicks are at round numbers, at most a few more than asked for.
func linearTicks(lo, hi float64, many int) (out []Tick) {
	// The step is the next of 1, 2, 5 times a power of ten.
	least := (hi - lo) / float64(many)
	base := math.Pow(10, math.Floor(math.Log10(least)))
	step := 10 * base
	for _, m := range []float64{5, 2, 1} {
		if base*m >= least*(1-1e-9) {
			step = base * m
		}
	}
	for i := math.Ceil(lo / step); i*step <= hi && len(out) < 50; i++ {
		v := float64(i*step) + 0 // never -0
		out = append(out, Tick{Value: v, Label: number(v, step)})
	}
	return out
}

// magnitude is the power of ten of a number's first digit.
func magnitude(v float64) int { return int(math.Floor(math.Log10(v) + 1e-9)) }

// shortExponent writes 1e+06 as 1e6.
var shortExponent = strings.NewReplacer("e+0", "e", "e-0", "e-", "e+", "e")

// number writes a tick's value, with as many digits as tell it from the next one.
func number(v, step float64) string {
	a, digits := max(math.Abs(v), step), max(0, -magnitude(step))
	switch {
	case a < 1e5 && digits <= 5:
		return strconv.FormatFloat(v, 'f', digits, 64)
	case v == 0:
		return "0"
	}
	return shortExponent.Replace(strconv.FormatFloat(v, 'e', magnitude(a)-magnitude(step), 64))
}

// logTicks are powers of ten, between them 2 and 5 where there is room.
func logTicks(lo, hi float64, many int) (out []Tick) {
	from, to := int(math.Floor(math.Log10(lo))), int(math.Ceil(math.Log10(hi)))
	least, most := int(math.Ceil(math.Log10(lo))), int(math.Floor(math.Log10(hi)))
	every := max(1, (most-least+many)/many)
	two := func() bool {
		return math.Floor(float64(most)/float64(every)) > math.Ceil(float64(least)/float64(every))
	}
	for every > 1 && !two() { // labels say nothing of a scale alone
		every--
	}
	for e := from; e <= to; e++ {
		for m := 1.0; m < 10; m++ {
			v := m * math.Pow(10, float64(e))
			label := ""
			switch {
			case m == 1 && e%every == 0 && (e > 4 || e < -3):
				label = "1e" + strconv.Itoa(e)
			case m == 1 && e%every == 0, to-from <= 2 && (m == 2 || m == 5):
				label = strconv.FormatFloat(v, 'g', -1, 64)
			}
			if v >= lo && v <= hi && (label != "" || every == 1) {
				out = append(out, Tick{Value: v, Label: label})
			}
		}
	}
	return out
}
