package gdl_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/test/must"

	"pgregory.net/rapid"
)

// laws of losses without a change: skewed, heavy-tailed, tied, constant.
var laws = []struct {
	name string
	draw func(*rand.Rand) float64
}{
	{"normal", (*rand.Rand).NormFloat64},
	{"exponential", (*rand.Rand).ExpFloat64},
	{"log-normal", func(r *rand.Rand) float64 { return math.Exp(2 * r.NormFloat64()) }},
	{"Cauchy", func(r *rand.Rand) float64 { return math.Tan(math.Pi * (r.Float64() - 0.5)) }},
	{"two values", func(r *rand.Rand) float64 { return float64(r.IntN(10) / 9) }},
	{"five values", func(r *rand.Rand) float64 { return float64(r.IntN(5)) }},
	{"constant", func(*rand.Rand) float64 { return 3 }},
}

func detector(t testing.TB, runLength float64, window int) *gdl.ChangePointDetector {
	return must.Get(gdl.NewChangePointDetector(&gdl.ChangePointSettings{RunLength: runLength, Window: window}))
}

// The stated rate: an alarm within n values has a probability of at most
// n / (2 RunLength), for every law, window and n; and the mean time to an alarm
// is no shorter than RunLength.
func TestFalseAlarmsAreAsRareAsStated(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector, and has nothing for it")
	}
	const streams = 40
	for k, law := range laws {
		for _, c := range []struct {
			runLength float64
			window    int
			twoSided  bool
		}{{100, 20, false}, {100, 200, false}, {300, 100, false}, {100, 100, true}} {
			rng := rand.New(rand.NewPCG(uint64(k), uint64(c.window)))
			var lengths []float64
			within, mean := map[float64]float64{}, 0.0
			for range streams {
				d := must.Get(gdl.NewChangePointDetector(&gdl.ChangePointSettings{RunLength: c.runLength, Window: c.window, TwoSided: c.twoSided}))
				length := 0.0
				for limit := 12 * c.runLength; length < limit; {
					length++
					if _, alarm := d.Add(law.draw(rng)); alarm {
						break
					}
				}
				lengths = append(lengths, length)
				mean += length / streams
				for _, n := range []float64{0.1, 0.25, 0.5} {
					if length <= 2*n*c.runLength {
						within[n] += 1.0 / streams
					}
				}
			}
			for n, p := range within {
				if slack := 3.5 * math.Sqrt(n*(1-n)/streams); p > n+slack {
					t.Errorf("%s, window %d: alarms within %v run lengths: %.3f of the streams", law.name, c.window, 2*n, p)
				}
			}
			variance := 0.0
			for _, x := range lengths {
				variance += (x - mean) * (x - mean) / streams
			}
			if mean < c.runLength-3.5*math.Sqrt(variance/streams) {
				t.Errorf("%s, window %d: mean time to an alarm %.0f, stated %.0f", law.name, c.window, mean, c.runLength)
			}
			if law.name == "normal" {
				t.Logf("window %d: mean time to a false alarm %.1f of the stated, within its half %.3f", c.window, mean/c.runLength, within[0.25])
				if mean > 6*c.runLength {
					t.Errorf("window %d: mean time to an alarm %.0f for %.0f stated: the threshold is too high", c.window, mean, c.runLength)
				}
			}
		}
	}
}

// What makes the bound exact: whichever of any values comes last, the mean of its
// likelihood ratio over all choices is 1, ties or not.
func TestLikelihoodRatiosHaveMeanOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float64 {
			if rapid.Bool().Draw(t, "tied") {
				return float64(rapid.IntRange(-1, 1).Draw(t, "value"))
			}
			return rapid.Float64().Draw(t, "value")
		}), 1, 40).Draw(t, "values")
		sum := make([]float64, gdl.Shifts)
		for last := range x {
			others := slices.Delete(slices.Clone(x), last, last+1)
			for j, l := range gdl.Ratios(others, x[last]) {
				if !(l >= 0) {
					t.Fatalf("a ratio of %v", l)
				}
				sum[j] += l / float64(len(x))
			}
		}
		for j, m := range sum {
			must.Within(t, m, 1, 1e-12, "mean at shift %d of %v", j, x)
		}
	})
}

func TestOnlyRanksMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	a, b := detector(t, 50, 30), detector(t, 50, 30)
	alarms := 0
	for k := range 3000 {
		x := rng.NormFloat64() + float64(k/500)
		c, alarm := a.Add(x)
		if e, also := b.Add(1e-3 * math.Exp(3*x)); also != alarm || e != c {
			t.Fatalf("value %d: %+v of the values, %+v of their exponentials", k, c, e)
		}
		if alarm {
			alarms++
			if c.At != int64(k+1) || c.At != a.Count() || c.Onset < 1 || c.Onset > c.At || !(c.Statistic >= 1) {
				t.Errorf("value %d: %+v", k+1, c)
			}
		}
	}
	if alarms == 0 {
		t.Error("no alarm: the test shows nothing")
	}
}

// Delays of the defaults: about log(2 RunLength) over the information of a value.
func TestDelays(t *testing.T) {
	for _, c := range []struct {
		shift float64
		most  float64 // values
	}{{0.5, 190}, {1, 55}, {2, 20}, {5, 10}} {
		delay, onset, streams := 0.0, 0.0, 20
		for seed := range streams {
			rng := rand.New(rand.NewPCG(uint64(seed), 7))
			d := detector(t, gdl.DefaultRunLength, gdl.DefaultWindow)
			const before = 2950 // just before a baseline ends
			for k := range before + 3000 {
				x := rng.NormFloat64()
				if k >= before {
					x += c.shift
				}
				e, alarm := d.Add(math.Exp(x))
				if !alarm {
					continue
				}
				if k < before {
					t.Fatalf("shift %v: a false alarm at %d", c.shift, k)
				}
				delay += float64(e.At-before) / float64(streams)
				onset += math.Abs(float64(e.Onset-before-1)) / float64(streams)
				break
			}
		}
		t.Logf("shift %v: delay %.1f, onset off by %.1f", c.shift, delay, onset)
		if delay == 0 || delay > c.most {
			t.Errorf("shift %v: mean delay %v, expected at most %v", c.shift, delay, c.most)
		}
		if onset > delay {
			t.Errorf("shift %v: the onset is off by %v, more than the delay %v", c.shift, onset, delay)
		}
	}
}

// Learning makes losses fall, and alarms rarer than on losses that stay.
func TestFallingLossesRaiseFewerAlarms(t *testing.T) {
	alarms := map[bool]int{}
	for _, falling := range []bool{false, true} {
		for seed := range 40 {
			rng := rand.New(rand.NewPCG(uint64(seed), 3))
			d := detector(t, 200, 400)
			for k := range 2000 {
				x := 3 + rng.ExpFloat64()
				if falling {
					x *= 1 + 10*math.Exp(-float64(k)/1000)
				}
				if _, alarm := d.Add(x); alarm {
					alarms[falling]++
				}
			}
		}
	}
	if alarms[false] < 30 || 5*alarms[true] > alarms[false] {
		t.Errorf("%d alarms on losses that stay, %d on falling ones", alarms[false], alarms[true])
	}
}

func TestTwoSidedDetectorsSeeFallsToo(t *testing.T) {
	var changes []gdl.Change
	for _, twoSided := range []bool{false, true} {
		rng := rand.New(rand.NewPCG(5, 8))
		d := must.Get(gdl.NewChangePointDetector(&gdl.ChangePointSettings{TwoSided: twoSided}))
		for k := range 6000 {
			x := rng.ExpFloat64()
			if k >= 2000 && k < 4000 {
				x *= 0.4
			}
			if c, alarm := d.Add(x); alarm {
				changes = append(changes, c)
			}
		}
	}
	must.Equal(t, len(changes), 3, "the rise, the fall and the rise in %+v", changes)
	for k, from := range []int64{4001, 2001, 4001} {
		if c := changes[k]; c.At < from || c.At > from+80 || c.Onset < from-20 || c.Onset > from+20 || c.Down != (k == 1) {
			t.Errorf("%+v, expected a change at %d", c, from)
		}
	}
}

// After its burn-in a detector is one that begins there, and counts on.
func TestBurnInIsNotLookedAt(t *testing.T) {
	const burnIn = 700
	late := must.Get(gdl.NewChangePointDetector(&gdl.ChangePointSettings{RunLength: 1000, Window: 100, BurnIn: burnIn}))
	fresh := detector(t, 1000, 100)
	rng := rand.New(rand.NewPCG(5, 8))
	alarms := 0
	for k := range int64(3000) {
		x := rng.ExpFloat64() + float64(k/500) // jumps in the burn-in too
		c, alarm := late.Add(x)
		if k < burnIn {
			if alarm {
				t.Fatalf("an alarm at %d", k+1)
			}
			continue
		}
		want, also := fresh.Add(x)
		if also {
			alarms++
			want.At, want.Onset = want.At+burnIn, want.Onset+burnIn
		}
		if alarm != also || c != want {
			t.Fatalf("value %d: %+v, expected %+v", k+1, c, want)
		}
	}
	if alarms < 3 || late.Count() != 3000 {
		t.Errorf("%d alarms, %d values", alarms, late.Count())
	}
}

func TestNaNIsAboveAll(t *testing.T) {
	a, b := detector(t, 50, 30), detector(t, 50, 30)
	rng := rand.New(rand.NewPCG(1, 1))
	for k := range 500 {
		x := rng.Float64()
		y := x
		if k%3 == 0 {
			x, y = math.NaN(), math.Inf(1)
		}
		c, alarm := a.Add(x)
		if e, also := b.Add(y); e != c || also != alarm {
			t.Fatalf("value %d: %+v and %+v", k, c, e)
		}
	}
}

func TestDetectorSettings(t *testing.T) {
	for _, s := range []gdl.ChangePointSettings{
		{RunLength: 0.5}, {RunLength: -1}, {RunLength: math.NaN()}, {RunLength: math.Inf(1)},
		{Window: -2}, {Window: 2}, {Window: 7}, {Window: 1 << 21}, {BurnIn: -1},
	} {
		if _, err := gdl.NewChangePointDetector(&s); err == nil {
			t.Errorf("%+v: no error", s)
		}
	}
	must.Do(t, must.Err(gdl.NewChangePointDetector(nil)))
}
