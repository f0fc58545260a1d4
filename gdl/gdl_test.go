package gdl_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"ogdl/gdl"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"
	"ogdl/ot/ottest"

	"pgregory.net/rapid"
)

func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 99)) }

// noisy draws graphs of orders low..high: two blocks with noise on every entry,
// so that no two costs tie, and features that follow the blocks.
func noisy(rng *rand.Rand, count, low, high, dim int) []*gw.Space {
	graphs := make([]*gw.Space, count)
	for k := range graphs {
		n := low + rng.IntN(high-low+1)
		cut := 1 + rng.IntN(n)
		c := make([]float64, n*n)
		for i := range n {
			for j := range i {
				v := 0.3 * rng.Float64()
				if (i < cut) == (j < cut) {
					v += 0.7
				}
				c[i*n+j], c[j*n+i] = v, v
			}
		}
		var a []float64
		for i := range n {
			for j := range dim {
				v := 0.3 * rng.Float64()
				if (i < cut) == (j%2 == 0) {
					v++
				}
				a = append(a, v)
			}
		}
		graphs[k] = space(c, a, n, dim, nil)
	}
	return graphs
}

func space(c, a []float64, n, dim int, p []float64) *gw.Space {
	return must.Get(gw.NewSpace(c, a, n, dim, p))
}

// start is a dictionary for dim features: alpha is 1 without any.
func start(rng *rand.Rand, s, n, dim int, alpha float64) *gdl.Dictionary {
	if dim == 0 {
		alpha = 1
	}
	return must.Get(gdl.InitRandom(s, n, dim, alpha, rng))
}

func tight(e *gdl.Embedding, n, m int) []float64 {
	return ottest.Tight(e.T, e.TStride, n, m)
}

func square(w []float64) float64 {
	sum := 0.0
	for _, x := range w {
		sum += x * x
	}
	return sum
}

// The relative change is taken against the absolute objective: with a large
// lambda the loss is negative and the descent still goes on.
func TestNegativeLossGoesOn(t *testing.T) {
	rng := source(5)
	d := start(rng, 4, 6, 0, 1)
	u := must.Get(gdl.NewUnmixer(d))
	rounds := 0
	for _, g := range noisy(rng, 20, 5, 9, 0) {
		e := must.Get(u.Unmix(context.Background(), g, &gdl.UnmixSettings{Lambda: 2, WStep: gdl.ConditionalGradient}))
		if e.Objective >= 0 {
			t.Fatalf("objective %v: the test needs a negative one", e.Objective)
		}
		if max := slices.Max(e.W); max < 0.999 {
			t.Errorf("lambda 2 leaves weights %v, want a vertex", e.W)
		}
		rounds = max(rounds, e.Rounds)
	}
	if rounds < 2 {
		t.Errorf("every unmixing stops after one round")
	}
}

// On structures whose solves end at vertices, so that rounding cannot move the
// end.
func TestUnmixInvariances(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		set := &gdl.UnmixSettings{GW: gw.Settings{TolRel: 1e-12, TolAbs: -1}, Starts: gdl.Starts()[:rapid.IntRange(0, 3).Draw(t, "starts")]}
		rng := source(rapid.Uint64().Draw(t, "seed"))
		dim := rapid.SampledFrom([]int{0, 2}).Draw(t, "dim")
		d := start(rng, 3, 5, dim, 0.5)
		for s := range d.S {
			copy(d.C[s], kernel(rng, d.N))
		}
		g := kernels(rng, 1, 4, 8, dim)[0]
		base := must.Get(d.Embed(ctx, []*gw.Space{g}, set, 1))[0]

		// Another order of the graph's nodes.
		other := must.Get(d.Embed(ctx, []*gw.Space{gwtest.Relabelled(g, rng.Perm(g.N()))}, set, 1))[0]
		must.Near(t, "permuted nodes", other.W, base.W, 1e-9)

		// Another order of atoms.
		order := rng.Perm(d.S)
		shuffled := d.Clone()
		for s, o := range order {
			copy(shuffled.C[s], d.C[o])
			if dim > 0 {
				copy(shuffled.A[s], d.A[o])
			}
		}
		other = must.Get(shuffled.Embed(ctx, []*gw.Space{g}, set, 1))[0]
		w := make([]float64, d.S)
		for s, o := range order {
			w[o] = other.W[s]
		}
		must.Near(t, "permuted atoms", w, base.W, 1e-9)

	})
}

func scale(x []float64, f float64) {
	for k := range x {
		x[k] *= f
	}
}

func TestUnmixAllocatesNothing(t *testing.T) {
	ctx := context.Background()
	for _, dim := range []int{0, 3} {
		rng := source(uint64(dim))
		graphs := slices.Concat(noisy(rng, 2, 4, 12, dim), binary(rng, 2, 4, 14, dim))
		for _, d := range []*gdl.Dictionary{start(rng, 6, 8, dim, 0.5), far(rng, 4, 7, dim, 0.5)} {
			for _, set := range []*gdl.UnmixSettings{nil, {Lambda: 0.05}, {WStep: gdl.ConditionalGradient}, {WStep: gdl.FullyCorrective}, {Starts: gdl.Starts()}} {
				u := must.Get(gdl.NewUnmixer(d))
				all := func() {
					for _, g := range graphs {
						must.Get(u.Unmix(ctx, g, set))
						u.Gap(g)
					}
				}
				all()
				if n := testing.AllocsPerRun(1, all); n != 0 {
					t.Errorf("dim %d, own node weights %v, settings %+v: %v allocations", dim, d.H != nil, set, n)
				}
			}
		}
	}
}

// A workspace carries nothing from one graph to the next, nor from one dictionary.
func TestUnmixForgets(t *testing.T) {
	ctx := context.Background()
	rng := source(8)
	graphs := slices.Concat(noisy(rng, 3, 4, 9, 2), binary(rng, 3, 3, 14, 2))
	u := new(gdl.Unmixer)
	for _, d := range []*gdl.Dictionary{start(rng, 5, 6, 2, 0.5), far(rng, 4, 7, 2, 0.5), far(rng, 2, 9, 2, 0.5), start(rng, 2, 9, 2, 0.7)} {
		must.Do(t, u.Reset(d))
		for _, lambda := range []float64{0, 0.1} {
			set := &gdl.UnmixSettings{Lambda: lambda}
			for _, k := range []int{0, 3, 3, 1, 5, 0} {
				e := must.Get(u.Unmix(ctx, graphs[k], set))
				fresh := must.Get(must.Get(gdl.NewUnmixer(d)).Unmix(ctx, graphs[k], set))
				if !slices.Equal(e.W, fresh.W) || !slices.Equal(e.V, fresh.V) || !slices.Equal(e.T, fresh.T) || e.Objective != fresh.Objective {
					t.Fatalf("graph %d: %v and afresh %v", k, e.W, fresh.W)
				}
			}
		}
	}
}

func TestCancelled(t *testing.T) {
	rng := source(2)
	graphs := noisy(rng, 300, 20, 30, 0)
	for _, d := range []*gdl.Dictionary{start(rng, 4, 20, 0, 1), far(rng, 3, 6, 0, 1)} {
		for name, run := range map[string]func(context.Context) error{
			"embed": func(ctx context.Context) error { return must.Err(d.Embed(ctx, graphs, nil, 2)) },
			"train": func(ctx context.Context) error {
				return must.Err(gdl.Train(ctx, graphs, d, &gdl.TrainSettings{Epochs: math.MaxInt, Workers: 2}, rng))
			},
		} {
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
			begin := time.Now()
			err := run(ctx)
			cancel()
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: error %v", name, err)
			}
			if took := time.Since(begin); took > time.Second {
				t.Errorf("%s: %v to stop", name, took)
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		for _, set := range []*gdl.UnmixSettings{nil, from(gdl.Starts()...)} {
			e, err := must.Get(gdl.NewUnmixer(d)).Unmix(ctx, graphs[0], set)
			reached := len(e.T) >= graphs[0].N()*d.N && len(e.W) == d.S && len(e.V) == len(d.H)
			if !errors.Is(err, context.Canceled) || e.Status != gdl.Cancelled || !reached {
				t.Errorf("settings %+v: %v, %+v", set, err, e)
			}
		}
	}
}

func TestBadValuesAreErrors(t *testing.T) {
	ctx := context.Background()
	rng := source(3)
	g0 := noisy(rng, 4, 4, 6, 0)
	d0, d2, x0 := start(rng, 2, 4, 0, 1), start(rng, 2, 4, 2, 0.5), far(rng, 2, 4, 0, 1)
	model := func(d *gdl.Dictionary, w, v []float64) error { return must.Err(d.Model(w, v)) }
	change := func(d *gdl.Dictionary, f func(*gdl.Dictionary)) *gdl.Dictionary {
		c := d.Clone()
		f(c)
		return c
	}
	unmix := func(d *gdl.Dictionary, g []*gw.Space, set *gdl.UnmixSettings) error {
		return must.Err(d.Embed(ctx, g, set, 1))
	}
	train := func(set *gdl.TrainSettings) error { return must.Err(gdl.Train(ctx, g0, d0, set, rng)) }
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"dimension":         {unmix(d2, g0, nil), "features of dimension 0, expected the dictionary's 2"},
		"lambda":            {unmix(d0, g0, &gdl.UnmixSettings{Lambda: -1}), "lambda is -1"},
		"lambda NaN":        {unmix(d0, g0, &gdl.UnmixSettings{Lambda: math.NaN()}), "lambda is NaN"},
		"weight":            {change(x0, func(d *gdl.Dictionary) { d.H[1][2] = -1 }).Check(), "atom 1: node weight 2 is -1"},
		"weight sum":        {change(x0, func(d *gdl.Dictionary) { d.H[0][2]++ }).Check(), "atom 0: node weights sum"},
		"weight NaN":        {change(x0, func(d *gdl.Dictionary) { d.H[0][2] = math.NaN() }).Check(), "node weight 2 is NaN"},
		"mu below 0":        {unmix(x0, g0, &gdl.UnmixSettings{Mu: -1}), "mu is -1"},
		"mu infinite":       {unmix(x0, g0, &gdl.UnmixSettings{Mu: math.Inf(1)}), "mu is +Inf"},
		"step of weights h": {train(&gdl.TrainSettings{StepH: -1}), "StepH is -1"},
		"model":             {model(x0, []float64{1, 0}, []float64{1, 1}), "sum to"},
		"mu":                {unmix(d0, g0, &gdl.UnmixSettings{Mu: 0.1}), "mu is 0.1, expected 0: the dictionary's atoms share their node weights"},
		"mu of train":       {train(&gdl.TrainSettings{Unmix: gdl.UnmixSettings{Mu: 0.1}}), "mu is 0.1, expected 0"},
		"both weights":      {change(d0, func(d *gdl.Dictionary) { d.H = [][]float64{d.Q, d.Q} }).Check(), "shared node weights Q and also the atoms' own H"},
		"no weights":        {change(d0, func(d *gdl.Dictionary) { d.Q = nil }).Check(), "no node weights"},
		"step of weights":   {unmix(d0, g0, &gdl.UnmixSettings{WStep: 7}), "unknown solver"},
		"alpha":             {change(d2, func(d *gdl.Dictionary) { d.Alpha = 1.5 }).Check(), "alpha is 1.5"},
		"alpha of GW":       {change(d0, func(d *gdl.Dictionary) { d.Alpha = 0.5 }).Check(), "without features"},
		"not symmetric":     {change(d0, func(d *gdl.Dictionary) { d.C[1][1]++ }).Check(), "atom 1"},
		"not finite":        {change(d2, func(d *gdl.Dictionary) { d.A[0][3] = math.Inf(1) }).Check(), "atom 0"},
		"weights":           {change(d0, func(d *gdl.Dictionary) { d.Q[0] = -1 }).Check(), "node weight 0 is -1"},
		"epochs":            {train(&gdl.TrainSettings{Epochs: -1}), "Epochs is -1"},
		"step":              {train(&gdl.TrainSettings{StepC: -0.1}), "StepC is -0.1"},
		"optimizer":         {train(&gdl.TrainSettings{Optimizer: "adagrad"}), `"adagrad"`},
		"keep":              {train(&gdl.TrainSettings{Keep: "first"}), `"first"`},
		"adam":              {train(&gdl.TrainSettings{Adam: &gdl.AdamSettings{Beta1: 1}}), "decay rates"},
		"diverging":         {train(&gdl.TrainSettings{Optimizer: gdl.SGD, StepC: 1e200}), "step too large"},
	} {
		must.Fail(t, c.err, c.want, name)
	}
}

func TestShapesPanic(t *testing.T) {
	rng := source(3)
	d, x := start(rng, 2, 4, 0, 1), far(rng, 2, 4, 0, 1)
	must.Panic(t, "", map[string]func(){
		"short atom": func() { c := d.Clone(); c.C[0] = c.C[0][1:]; _ = c.Check() },
		"missing h":  func() { c := x.Clone(); c.H = c.H[1:]; _ = c.Check() },
		"short h":    func() { c := x.Clone(); c.H[1] = c.H[1][1:]; _ = c.Check() },
		"short q":    func() { c := d.Clone(); c.Q = c.Q[1:]; _ = c.Check() },
	})
}

func archive(t testing.TB, d *gdl.Dictionary) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, d.WriteNPZ(&b, nil))
	return b.Bytes()
}
