package gdl_test

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/npz"
	"ogdl/internal/test/must"
)

// full is a learner with everything in its checkpoint.
func full(t testing.TB) (*gdl.Online, gdl.OnlineSettings) {
	set := gdl.OnlineSettings{Optimizer: gdl.Adam, Detector: &gdl.ChangePointSettings{RunLength: 100, Window: 6}}
	o := online(t, must.Get(gdl.Extend(start(source(2), 2, 3, 1, 0.5), source(3))), set, nil)
	run(t, o, stream(noisy(source(1), 7, 3, 5, 1)), 0, 7)
	return o, set
}

func TestBrokenCheckpointsAreRefused(t *testing.T) {
	o, set := full(t)
	whole := checkpoint(t, o)
	read := func(b []byte, set gdl.OnlineSettings) error {
		return must.Err(gdl.ReadCheckpoint(bytes.NewReader(b), int64(len(b)), &set))
	}
	must.Do(t, read(whole, set))
	for name, c := range map[string]struct {
		array  string
		change func(*npz.Array)
	}{
		"steps below zero":     {"online", func(a *npz.Array) { a.Int[0] = -1 }},
		"huge steps":           {"online", func(a *npz.Array) { a.Int[0], a.Int[1] = math.MaxInt64, math.MaxInt64 }},
		"fewer graphs":         {"online", func(a *npz.Array) { a.Int[1] = 3 }},
		"unreported":           {"online", func(a *npz.Array) { a.Int[2] = 8 }},
		"due twice":            {"online", func(a *npz.Array) { a.Int[3] = 2 }},
		"other steps":          {"online", func(a *npz.Array) { a.Int[0], a.Int[1] = 8, 8 }},
		"short counts":         {"online", func(a *npz.Array) { a.Int, a.Shape = a.Int[:8], []int{8} }},
		"mean":                 {"online_means", func(a *npz.Array) { a.Float[0] = math.NaN() }},
		"means as counts":      {"online_means", func(a *npz.Array) { a.Float, a.Int = nil, []int{1, 2} }},
		"moment":               {"adam_c", func(a *npz.Array) { a.Float[5] = math.Inf(1) }},
		"moments' shape":       {"adam_c", func(a *npz.Array) { a.Shape = []int{2, 3, 2, 3} }},
		"moment of features":   {"adam_a", func(a *npz.Array) { a.Float[5] = math.NaN() }},
		"moment of weights":    {"adam_h", func(a *npz.Array) { a.Float[5] = math.NaN() }},
		"powers":               {"adam_powers", func(a *npz.Array) { a.Float[0] = 2 }},
		"power of 1 and steps": {"adam_powers", func(a *npz.Array) { a.Float[0] = 1 }},
		"negative variance":    {"adam_c", func(a *npz.Array) { a.Float[9] = -1 }},
		"seen":                 {"detector", func(a *npz.Array) { a.Int[0] = 6 }},
		"restarted":            {"detector", func(a *npz.Array) { a.Int[1] = 8 }},
		"lengths":              {"detector_lengths", func(a *npz.Array) { a.Int[0]++ }},
		"order":                {"detector_history", func(a *npz.Array) { slices.Reverse(a.Float) }},
		"history":              {"detector_history", func(a *npz.Array) { a.Float[0] = math.NaN() }},
		"history's length":     {"detector_history", func(a *npz.Array) { a.Float, a.Shape = a.Float[1:], []int{len(a.Float) - 1} }},
		"ratio":                {"detector_state", func(a *npz.Array) { a.Float[0] = -1 }},
		"sum":                  {"detector_state", func(a *npz.Array) { a.Float[4] = math.Inf(1) }},
		"onset":                {"detector_onset", func(a *npz.Array) { a.Int[3] = 99 }},
		"atom":                 {"C", func(a *npz.Array) { a.Float[0] = math.NaN() }},
		"schema":               {"schema", func(a *npz.Array) { a.Int[0] = 2 }},
	} {
		arrays := must.Get(npz.Read(bytes.NewReader(whole), int64(len(whole))))
		at := slices.IndexFunc(arrays, func(a npz.Array) bool { return a.Name == c.array })
		c.change(&arrays[at])
		if err := read(pack(t, arrays), set); err == nil {
			t.Errorf("%s: no error", name)
		}
		if c.array == "schema" || c.array == "C" {
			continue
		}
		if err := read(pack(t, slices.Delete(arrays, at, at+1)), set); err == nil || !strings.HasPrefix(err.Error(), `gdl: reading a checkpoint: array "`+c.array+`"`) {
			t.Errorf("without %s: %v", c.array, err)
		}
	}
	for name, change := range map[string]func(*gdl.OnlineSettings){
		"optimizer":       func(s *gdl.OnlineSettings) { s.Optimizer = gdl.SGD },
		"step_c":          func(s *gdl.OnlineSettings) { s.StepC = 0.02 },
		"step_a":          func(s *gdl.OnlineSettings) { s.StepA = 0.02 },
		"optimizer_beta1": func(s *gdl.OnlineSettings) { s.Adam = &gdl.AdamSettings{Beta1: 0.8, Beta2: 0.99, Epsilon: 1e-15} },
		"batch":           func(s *gdl.OnlineSettings) { s.Batch = 2 },
		"nonnegative":     func(s *gdl.OnlineSettings) { s.NonNegative = true },
		"mean_over":       func(s *gdl.OnlineSettings) { s.MeanOver = 3 },
		"step_h":          func(s *gdl.OnlineSettings) { s.StepH = 0.02 },
		"mu":              func(s *gdl.OnlineSettings) { s.Unmix.Mu = 0.02 },
		"lambda":          func(s *gdl.OnlineSettings) { s.Unmix.Lambda = 0.1 },
		"w_step":          func(s *gdl.OnlineSettings) { s.Unmix.WStep = gdl.ConditionalGradient },
		"starts":          func(s *gdl.OnlineSettings) { s.Unmix.Starts = gdl.Starts() },
		"gw_max_iter":     func(s *gdl.OnlineSettings) { s.Unmix.GW.MaxIter = 9 },
		"detector":        func(s *gdl.OnlineSettings) { s.Detector = nil },
		"epoch":           nil,
	} {
		other := set
		if change == nil {
			other.Batch = -1 // settings that are none
		} else {
			change(&other)
		}
		err := read(whole, other)
		if err == nil || change != nil && !strings.Contains(err.Error(), `"`+name+`"`) {
			t.Errorf("another %s: %v", name, err)
		}
	}
	must.Fail(t, read(archive(t, o.Dictionary()), set), "dictionary", "a dictionary")
	if err := read(whole[:100], set); err == nil || !strings.HasPrefix(err.Error(), "gdl: reading a checkpoint: npz: ") {
		t.Errorf("a cut file: %v", err)
	}
}

func pack(t testing.TB, arrays []npz.Array) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, npz.Write(&b, arrays))
	return b.Bytes()
}
