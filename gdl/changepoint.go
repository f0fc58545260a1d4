package gdl

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Defaults of ChangePointSettings.
const (
	DefaultRunLength = 1e6
	DefaultWindow    = 2000
)

// ChangePointSettings are the rate of false alarms and the window of a ChangePointDetector. A nil
// *ChangePointSettings means the defaults, and so does a field that is zero.
type ChangePointSettings struct {
	// RunLength is the rate of false alarms, whatever the values' distribution: from a start or a
	// restart on, the mean number of values to an alarm is at least RunLength if nothing changes,
	// and the probability of an alarm within n values at most n / (2 RunLength). From 1 to
	// 1e15; default 1e6. Ten times as much delays the alarm of a shift by d standard deviations of normal
	// values by 4.6/d^2 values.
	RunLength float64
	// Window is the number of values after which a baseline is begun afresh, even
	// and from 4 to 2^20; memory is 2 Window numbers. At any time one baseline
	// is between Window/2 and Window values old (once so many were seen). Long
	// windows see small shifts, short ones follow a falling loss. Default 2000.
	Window int
	// TwoSided detects downward changes too, at the same rate of false alarms and with 1.4/d^2
	// values more delay. A switch to graphs that are easier to model makes losses fall. Learning
	// does so too, and raises alarms until it has settled. Default false: upward changes alone.
	TwoSided bool
	// BurnIn is the number of first values that the detector counts but ignores, because losses
	// still fall while the dictionary learns. The detector starts with the value after them.
	// Default 0.
	BurnIn int64
}

func (s *ChangePointSettings) resolve() (ChangePointSettings, error) {
	r := *cmp.Or(s, &ChangePointSettings{})
	r.RunLength = cmp.Or(r.RunLength, DefaultRunLength)
	r.Window = cmp.Or(r.Window, DefaultWindow)
	if !(r.RunLength >= 1) || r.RunLength > 1e15 {
		return r, fmt.Errorf("gdl: a run length of %v between false alarms, expected a number in [1, 1e15]", r.RunLength)
	}
	if r.Window < 4 || r.Window > 1<<20 || r.Window%2 != 0 {
		return r, fmt.Errorf("gdl: a baseline of %d values, expected an even number from 4 to %d", r.Window, 1<<20)
	}
	if r.BurnIn < 0 || r.BurnIn > maxCount {
		return r, fmt.Errorf("gdl: %d values before the detector starts, expected a number from 0 to 2^60", r.BurnIn)
	}
	return r, nil
}

// Change is an alarm of a ChangePointDetector. Values are counted from 1 on, over
// the detector's whole life.
type Change struct {
	// At is the index, from 1, of the loss that raised the alarm.
	At int64
	// Onset is the estimate of the first value after the change: for the shift d with the largest
	// statistic, the sum of log-likelihood ratios is positive from there on. At - Onset estimates
	// the delay.
	Onset int64
	// Down says that losses have fallen; only where the detector is two-sided.
	Down bool
	// Statistic is the Shiryaev-Roberts statistic over its threshold, at least 1.
	Statistic float64
}

// shifts are the alternatives of the test, in standard deviations of normal scores. A one-sided
// detector uses the first half.
var shifts = [...]float64{0.25, 0.5, 1, 2, -0.25, -0.5, -1, -2}

// baselines is the number of histories a value is compared with. Their beginnings
// are spread over the window.
const baselines = 2

// ChangePointDetector watches a stream of losses for an upward change, or for one
// in either direction. It
// works on ranks, so neither the unit nor the skewness of the losses matters,
// and the stated rate of false alarms is proved, not fitted:
//
// A value's rank among those since the baseline's beginning is uniform and
// independent of earlier ranks as long as the values are exchangeable. With
// R of t the rank and Phi the normal distribution function, the likelihood ratio of
// normal scores shifted by d, averaged over the rank's slot,
//
//	L_d = t [Phi(Phi^-1(R/t) - d) - Phi(Phi^-1((R-1)/t) - d)]
//
// (over all slots that a tie could take) then has mean 1 given the past,
// and the Shiryaev-Roberts statistic
//
//	S_t = mean over d of S_d,t,   S_d,t = (1 + S_d,t-1) L_d,   d = 1/4, 1/2, 1, 2 (and -d)
//
// is a submartingale with mean t: by Doob's inequality it reaches 4 RunLength
// within n values with a probability of at most n / (4 RunLength). Of two such
// statistics, whose baselines begin half a window apart so that one is always old
// enough, the larger raises the alarm: n / (2 RunLength) together, and summed
// over n that makes a mean time of at least RunLength. Three to four times as much
// is usual where values do not tie, since statistics jump over the threshold and
// both mostly alarm together. (Ranks: McDonald, "A cusum procedure
// based on sequential ranks", 1990; the statistic: Shiryaev 1963, Roberts 1966.)
//
// Falling losses, as learning brings them, make alarms rarer. Losses that rise slowly or are
// correlated are not exchangeable: the bound does not hold for them.
//
// After an alarm everything begins afresh with the next value. The zero value has the default
// settings. A detector is deterministic; it must not be used by two goroutines at once. A value
// costs O(Window) moves of memory, about a microsecond, and nothing is allocated.
type ChangePointDetector struct {
	set   ChangePointSettings
	count int64 // values seen, over the whole life
	since int64 // values seen since the last start
	track [baselines]track
}

// track is a baseline with the statistics of the ranks in it.
type track struct {
	history []float64 // sorted
	ratio   [len(shifts)]float64
	cusum   [len(shifts)]float64 // of log L_d, not below zero
	onset   [len(shifts)]int64   // the value after the last at which cusum was zero
}

// NewChangePointDetector returns a detector that has seen nothing. Settings out
// of range are errors.
func NewChangePointDetector(set *ChangePointSettings) (*ChangePointDetector, error) {
	opt, err := set.resolve()
	if err != nil {
		return nil, err
	}
	d := &ChangePointDetector{set: opt}
	d.begin()
	return d, nil
}

// begin makes room by the settings.
func (d *ChangePointDetector) begin() {
	for i := range d.track {
		d.track[i].history = make([]float64, 0, d.set.Window)
	}
	d.restart()
}

// Count returns the number of values seen.
func (d *ChangePointDetector) Count() int64 { return d.count }

// Add takes the next loss and says whether it raises an alarm. NaN counts as
// plus infinity.
func (d *ChangePointDetector) Add(loss float64) (Change, bool) {
	if d.set.Window == 0 { // the zero value
		d.set, _ = new(ChangePointSettings).resolve()
		d.begin()
	}
	if math.IsNaN(loss) {
		loss = math.Inf(1)
	}
	d.count++
	if d.count <= d.set.BurnIn {
		d.restart()
		return Change{}, false
	}
	d.since++
	var top *track
	largest := 0.0
	for i := range d.track {
		k := &d.track[i]
		// Baseline i ends where since, shifted by its share of the window, is a
		// multiple of the window.
		if (d.since-1+int64(i*d.set.Window/baselines))%int64(d.set.Window) == 0 {
			k.history = k.history[:0]
		}
		if s := k.add(loss, d.count, d.shifts()); top == nil || s > largest {
			top, largest = k, s
		}
	}
	threshold := 2 * baselines * d.set.RunLength
	if largest < threshold {
		return Change{}, false
	}
	best := 0
	for j, r := range top.ratio {
		if r > top.ratio[best] {
			best = j
		}
	}
	c := Change{At: d.count, Onset: min(top.onset[best], d.count), Down: shifts[best] < 0, Statistic: largest / threshold}
	d.restart()
	return c, true
}

func (d *ChangePointDetector) restart() {
	d.since = 0
	for i := range d.track {
		k := &d.track[i]
		*k = track{history: k.history[:0]}
		for j := range k.onset {
			k.onset[j] = d.count + 1
		}
	}
}

// shifts returns the shifts that the detector tests.
func (d *ChangePointDetector) shifts() []float64 {
	if d.set.TwoSided {
		return shifts[:]
	}
	return shifts[:len(shifts)/2]
}

// add returns the statistic with x, the value of the given number.
func (k *track) add(x float64, number int64, shifts []float64) float64 {
	below, _ := slices.BinarySearch(k.history, x)
	equal := 0
	for below+equal < len(k.history) && k.history[below+equal] == x {
		equal++
	}
	t := float64(len(k.history) + 1)
	low, high := normalQuantile(float64(below)/t), normalQuantile(float64(below+equal+1)/t)
	k.history = slices.Insert(k.history, below, x)

	share, sum := t/float64(equal+1), 0.0
	for j, d := range shifts {
		l := float64(share * normalBetween(low-d, high-d))
		k.ratio[j] = float64((1 + k.ratio[j]) * l)
		sum += k.ratio[j]
		if k.cusum[j] += math.Log(l); !(k.cusum[j] > 0) {
			k.cusum[j], k.onset[j] = 0, number+1
		}
	}
	return sum / float64(len(shifts))
}

// normalQuantile returns the inverse of the normal distribution function on [0, 1].
func normalQuantile(p float64) float64 { return float64(-math.Sqrt2 * math.Erfcinv(2*p)) }

// normalBetween returns the normal probability of [x, y].
func normalBetween(x, y float64) float64 {
	if x > 0 { // both in the upper tail, where 1 - p has no digits
		x, y = -y, -x
	}
	return (math.Erfc(-y/math.Sqrt2) - math.Erfc(-x/math.Sqrt2)) / 2
}
