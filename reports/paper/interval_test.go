package paper

import (
	"math"
	"testing"

	"ogdl/internal/test/must"
)

// seeds are the independent runs behind the clustering tables.
var seeds = Sampling{Printed: 5, Widest: WidestRandIndex}

// The wanted values come from an integration of Student's density, apart from this program.
func TestWelch(t *testing.T) {
	for _, c := range []struct {
		ours      Stat
		mean, std float64
		low, high float64
	}{
		{Stat{Mean: 68.10, Std: 4.18, N: 20}, 70.89, 0.11, -4.7995366592801805, -0.7804633407198325},
		{StatOf([]float64{69.89, 71.89, 71.89, 73.89, 73.89}), 70.89, 0.11, -0.6745534275502778, 3.474553427550289},
		{Stat{Mean: 70.31, Std: 0, N: 5}, 68.83, 1.47, -0.5606871523204031, 3.520687152320411},
		{Stat{Mean: 66, Std: 1, N: 5}, 54.4, 9.45, -1.4787761897302758, 24.67877618973028},
	} {
		i := seeds.Welch(c.ours, c.mean, c.std)
		if !i.Known || !(math.Abs(i.Low-c.low) <= 1e-6) || !(math.Abs(i.High-c.high) <= 1e-6) {
			t.Errorf("%v against %v (%v): %v to %v, want %v to %v", c.ours, c.mean, c.std, i.Low, i.High, c.low, c.high)
		}
	}
	if i := seeds.Welch(Stat{Mean: 60, Std: 0, N: 1}, 60, 1); i.Known {
		t.Error("one repetition has an interval")
	}
}

// TestOverlappingSplits: the variance of a mean is (1/r + n_test/n_train) times that of a split, on both sides. The wanted values come
// from an integration of Student's density, apart from this program.
func TestOverlappingSplits(t *testing.T) {
	must.Check(t, Overlap(188), 19.0/169, "overlap")
	splits := Sampling{Printed: 10, Overlap: 1.0 / 9, Widest: WidestAccuracy}
	i := splits.Welch(Stat{Mean: 80, Std: 4, N: 10}, 82, 5)
	if !(math.Abs(i.Low+8.537902550630085) <= 1e-6) || !(math.Abs(i.High-4.5379025506300845) <= 1e-6) {
		t.Errorf("%v to %v", i.Low, i.High)
	}
	if i := splits.Student(Stat{Mean: 2, Std: 3, N: 10}, 0); !(math.Abs(i.Low+1.2868381556813309) <= 1e-6) ||
		!(math.Abs(i.High-5.28683815568133) <= 1e-6) {
		t.Errorf("paired: %v to %v", i.Low, i.High)
	}
	// More splits have a limit, which the graphs that they share set.
	if e, ok := splits.StdError(Stat{Std: 3, N: 1 << 30}); !ok || !(math.Abs(e-1) <= 1e-6) {
		t.Errorf("error %v over all splits", e)
	}
	if _, ok := splits.StdError(Stat{Std: 3, N: 1}); ok || splits.Student(Stat{N: 1}, 0).Known {
		t.Error("one split has an interval")
	}
}

// TestJudge: at the edges of the rule.
func TestJudge(t *testing.T) {
	between := func(low, high float64) Interval {
		return Interval{Diff: (low + high) / 2, Low: low, High: high, Known: true}
	}
	for _, c := range []struct {
		i        Interval
		rounding float64
		want     Outcome
	}{
		{between(-3, 3), 0, Agrees},
		{between(0, 6), 0, Agrees},
		{between(-6, 0), 0, Agrees},
		{between(-3, 3.01), 0, Undecided},
		{between(0.01, 0.02), 0, Higher},
		{between(0.01, 40), 0, Higher},
		{between(-40, -0.01), 0, Lower},
		{between(0.005, 0.005), 0.005, Agrees}, // neither varies
		{between(-0.005, -0.005), 0.005, Agrees},
		{between(0.006, 0.006), 0.005, Higher},
		{between(-0.006, -0.006), 0.005, Lower},
		{Interval{}, 0, NoVerdict},
	} {
		must.Check(t, c.i.Judge(c.rounding, WidestRandIndex), c.want, "%+v", c.i)
	}
}
