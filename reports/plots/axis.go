package plots

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// axis sets up an axis of this length.
func (p *pen) axis(a *plot.Axis, label string, s scale, length vg.Length) {
	a.Min, a.Max = s.lo, s.hi
	a.Scale = plot.LinearScale{}
	if s.log {
		a.Scale = plot.LogScale{}
	}
	a.Padding = 0
	a.LineStyle = draw.LineStyle{Color: rule, Width: 0.6}
	a.Tick.LineStyle = a.LineStyle
	a.Tick.Length = 3
	a.Tick.Label = p.style(smallSize, ink)
	a.Tick.Label.XAlign = text.XCenter
	a.Label.Text = cut(p.style(textSize, ink), clean(label), length)
	a.Label.TextStyle = p.style(textSize, ink)
	a.Label.Padding = 2
	a.Tick.Marker = ticker{s, int(math.Round(min(max(length.Points()/38, 2), 8)))}
}

// spare blanks the labels on an axis of this length that would cover the one before. size is how
// much of the axis a label takes.
func spare(a *plot.Axis, length vg.Length, size func(label string) vg.Length) {
	ticks := a.Tick.Marker.Ticks(a.Min, a.Max)
	slices.SortStableFunc(ticks, func(a, b plot.Tick) int { return cmp.Compare(a.Value, b.Value) })
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

// ticker places an axis's ticks.
type ticker struct {
	scale
	about int // how many there should be
}

// Ticks are at most a few more than asked for, at round numbers.
func (t ticker) Ticks(lo, hi float64) []plot.Tick {
	if len(t.ticks) > 0 {
		var out []plot.Tick
		for _, k := range t.ticks {
			if fits(k.Value, t.log) {
				out = append(out, plot.Tick{Value: k.Value, Label: cmp.Or(clean(k.Label), blank)})
			}
		}
		return out
	}
	if t.log && math.Log10(hi/lo) > 1.2 {
		return logTicks(lo, hi, t.about)
	}
	step := roundUp((hi - lo) / float64(t.about))
	var out []plot.Tick
	digits := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	for i := math.Ceil(lo / step); i*step <= hi && len(out) < 50; i++ {
		v := i * step
		if i == 0 {
			v = 0
		}
		out = append(out, plot.Tick{Value: v, Label: number(v, step, digits)})
	}
	if t.log { // less than a decade: only positive numbers
		for len(out) > 0 && out[0].Value <= 0 {
			out = out[1:]
		}
	}
	return out
}

// number writes a tick's value, with as many digits as tell it from the next one.
func number(v, step float64, digits int) string {
	a := max(math.Abs(v), step)
	if a < 1e5 && digits <= 5 {
		return strconv.FormatFloat(v, 'f', digits, 64)
	}
	if v == 0 {
		return "0"
	}
	s := strconv.FormatFloat(v, 'e', int(math.Floor(math.Log10(a)+1e-9)-math.Floor(math.Log10(step)+1e-9)), 64)
	mantissa, exponent, _ := strings.Cut(s, "e")
	n, err := strconv.Atoi(exponent)
	if err != nil {
		return s
	}
	return mantissa + "e" + strconv.Itoa(n)
}

// roundUp is the next of 1, 2, 5 times a power of ten.
func roundUp(v float64) float64 {
	base := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if base*m >= v*(1-1e-9) {
			return base * m
		}
	}
	return 10 * base
}

// logTicks are powers of ten, between them 2 and 5 where there is room.
func logTicks(lo, hi float64, about int) []plot.Tick {
	var out []plot.Tick
	from, to := int(math.Floor(math.Log10(lo))), int(math.Ceil(math.Log10(hi)))
	every := max(1, (to-from+about-1)/about)
	between := to-from <= 2
	for e := from; e <= to; e++ {
		for _, m := range []float64{1, 2, 3, 4, 5, 6, 7, 8, 9} {
			v := m * math.Pow(10, float64(e))
			if v < lo || v > hi {
				continue
			}
			label := ""
			if m == 1 && e%every == 0 || between && (m == 2 || m == 5) {
				label = strconv.FormatFloat(v, 'g', -1, 64)
				if m == 1 && (e > 4 || e < -3) {
					label = "1e" + strconv.Itoa(e)
				}
			}
			if label != "" || every == 1 {
				out = append(out, plot.Tick{Value: v, Label: label})
			}
		}
	}
	return out
}
