package gwf

import (
	"cmp"
	"fmt"
	"math"

	"ogdl/internal/optim"
	"ogdl/internal/parallel"
)

// Barycentre names the model of a graph.
type Barycentre string

// Models of a graph.
const (
	// OneStep is the released model of a graph: one averaging step with couplings
	// between the atoms and the graph itself, compared through the identity.
	OneStep Barycentre = "one_step"
	// Full is the barycentre of the paper's text. Couplings between the atoms and the barycentre
	// alternate with averages until the barycentre settles. A further coupling then compares it
	// with the graph.
	Full Barycentre = "full"
)

// NonNegative names a way in which structures stay non-negative.
type NonNegative string

// Ways to stay non-negative.
const (
	// ReLU clips structures at 0 after each step.
	ReLU NonNegative = "relu"
	// Sigmoid writes every entry as scale * sigmoid(x) and moves x.
	Sigmoid NonNegative = "sigmoid"
)

// ZAdam names a way in which Adam moves the weights; see Settings.ZAdam.
type ZAdam string

// Ways to move the weights.
const (
	Dense   ZAdam = "dense"
	Visited ZAdam = "visited"
)

// Keep names the state that training returns.
type Keep string

// States to keep.
const (
	KeepLast Keep = "last" // the last one
	// KeepBest is the one at the end of the epoch with the lowest EpochLoss; with Supervision, of
	// the last epoch with the most labelled graphs right.
	KeepBest Keep = "best"
)

// Defaults of the settings.
const (
	DefaultGamma     = 0.1
	DefaultOuter     = 50
	DefaultSweeps    = 5
	DefaultTol       = 1e-6
	DefaultRounds    = 5
	DefaultPrecision = 1e-4
	DefaultEpochs    = 10
	DefaultBatch     = 16
	DefaultStep      = 0.1
)

// Transport has the settings of couplings between graphs and atoms, which the proximal point
// algorithm ([gw.Proximal]) finds. A field that is zero means its default.
type Transport struct {
	// Gamma is the proximal coefficient ("regularisation"), > 0, in the unit of the objective; the
	// paper's comparison takes it from {1, 0.1, 0.01, 0.001}. If it is far below the objective (raw
	// attributes), Sinkhorn's sweeps do not meet the marginals, and rounding then blurs the
	// coupling. Default 0.1.
	Gamma float64
	// Outer caps the proximal steps of one coupling, Sweeps is the number of
	// Sinkhorn sweeps in each. Defaults 50 and 5, the released settings.
	Outer, Sweeps int
	// Tol ends a coupling before the cap, as in gw.ProximalSettings. Default 1e-6; gw.Never, or any
	// negative number, never ends it, as in the released code.
	Tol float64
	// Barycentre is OneStep (default) or Full.
	Barycentre Barycentre
	// Rounds caps the averaging steps of the full barycentre after the first; it ends earlier when
	// the weighted objective to the atoms changes by less than 1e-5 of itself. Default 5.
	Rounds int
}

func (t Transport) resolve() (Transport, error) {
	t.Gamma = cmp.Or(t.Gamma, DefaultGamma)
	if !(t.Gamma > 0) || math.IsInf(t.Gamma, 1) {
		return t, fmt.Errorf("gwf: gamma is %v, expected a finite number > 0", t.Gamma)
	}
	if t.Outer < 0 || t.Sweeps < 0 || t.Rounds < 0 {
		return t, fmt.Errorf("gwf: %d outer steps of %d sweeps, %d rounds: expected numbers >= 1, or 0 for the default", t.Outer, t.Sweeps, t.Rounds)
	}
	t.Outer = cmp.Or(t.Outer, DefaultOuter)
	t.Sweeps = cmp.Or(t.Sweeps, DefaultSweeps)
	t.Rounds = cmp.Or(t.Rounds, DefaultRounds)
	t.Tol = cmp.Or(t.Tol, DefaultTol)
	if math.IsNaN(t.Tol) {
		return t, fmt.Errorf("gwf: tolerance NaN")
	}
	t.Barycentre = cmp.Or(t.Barycentre, OneStep)
	if t.Barycentre != OneStep && t.Barycentre != Full {
		return t, fmt.Errorf("gwf: unknown barycentre %q, expected %q or %q", t.Barycentre, OneStep, Full)
	}
	return t, nil
}

// AdamSettings are Adam's decay rates, in [0, 1), and the epsilon >= 0, outside of the root.
type AdamSettings struct{ Beta1, Beta2, Epsilon float64 }

// DefaultAdam returns the settings of Kingma & Ba (2015), as released: 0.9, 0.999, 1e-8.
func DefaultAdam() AdamSettings { return AdamSettings{Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8} }

// Settings says how a factorization is learned. A nil *Settings means the
// defaults, and so does a field that is zero.
type Settings struct {
	Transport

	// Epochs is the number of passes over the graphs. Default 10; the paper's
	// comparison takes 20 where there are features.
	Epochs int
	// Batch is the number of graphs between two steps of the atoms; every epoch visits every graph
	// once, in a new order, and its last batch may be smaller. Default 16.
	Batch int
	// StepC, StepA and StepZ are the constant step sizes (Adam's) of structures,
	// features and free weights, above 0. StepA moves raw attributes: choose it to
	// their scale. Defaults: 0.1, StepC and StepC.
	StepC, StepA, StepZ float64
	// ZAdam is how Adam moves the free weights. Dense (default, as released) has one Adam on the
	// weights of all graphs. It steps with every batch, so momentum moves a graph's weights between
	// its visits too. Visited has one Adam for every graph, which steps when the graph is visited.
	ZAdam ZAdam
	// ZSteps is the number of steps of a graph's free weights at every visit, with couplings, atoms
	// and the classifier's gradient fixed. Steps cost next to nothing. More than 1 needs ZAdam =
	// Visited. Default 1.
	ZSteps int
	// Adam's settings, used without changes; nil means DefaultAdam.
	Adam *AdamSettings
	// NonNegative is how structures stay >= 0: ReLU (default) or Sigmoid.
	NonNegative NonNegative
	// Keep is the state that is returned: KeepBest (default) or KeepLast.
	Keep Keep
	// Supervision adds a classifier of the weights; nil: there is none.
	Supervision *Supervision
	// Warm starts the coupling of a graph and an atom where it ended in the epoch before, mixed
	// with a tenth of the product coupling so that no entry is stuck at zero. A small Outer (5)
	// then takes a fourth to a fifth of the time of the default, which starts from the product
	// coupling each time, as released; but couplings stay near the couplings of the first epochs.
	// Over 5 seeds on MUTAG, PTC-MR, IMDB-M, BZR and ENZYMES the loss ended 5 to 12 % higher, at
	// similar Rand Indices. Warm keeps all couplings in memory: 4 bytes times nodes of all graphs
	// times nodes of all atoms.
	Warm bool
	// Workers share a batch; the result does not depend on their number. 0 counts as 1.
	Workers int
}

func (s *Settings) resolve() (Settings, error) {
	r := *cmp.Or(s, &Settings{})
	var err error
	if r.Transport, err = r.Transport.resolve(); err != nil {
		return r, err
	}
	if r.Epochs < 0 || r.Batch < 0 || r.ZSteps < 0 {
		return r, fmt.Errorf("gwf: %d epochs, batch %d, %d steps of the weights: expected numbers >= 1, or 0 for the default",
			r.Epochs, r.Batch, r.ZSteps)
	}
	if r.Workers, err = parallel.Workers(r.Workers); err != nil {
		return r, fmt.Errorf("gwf: %w", err)
	}
	r.Epochs = cmp.Or(r.Epochs, DefaultEpochs)
	r.Batch = cmp.Or(r.Batch, DefaultBatch)
	r.ZSteps = cmp.Or(r.ZSteps, 1)
	r.StepC = cmp.Or(r.StepC, DefaultStep)
	r.StepA = cmp.Or(r.StepA, r.StepC)
	r.StepZ = cmp.Or(r.StepZ, r.StepC)
	for _, step := range []float64{r.StepC, r.StepA, r.StepZ} {
		if !(step > 0) || math.IsInf(step, 1) {
			return r, fmt.Errorf("gwf: step size %v, expected a finite number > 0", step)
		}
	}
	r.NonNegative = cmp.Or(r.NonNegative, ReLU)
	if r.NonNegative != ReLU && r.NonNegative != Sigmoid {
		return r, fmt.Errorf("gwf: unknown way to stay non-negative %q, expected %q or %q", r.NonNegative, ReLU, Sigmoid)
	}
	r.ZAdam = cmp.Or(r.ZAdam, Dense)
	if r.ZAdam != Dense && r.ZAdam != Visited {
		return r, fmt.Errorf("gwf: unknown Adam on the weights %q, expected %q or %q", r.ZAdam, Dense, Visited)
	}
	if r.ZAdam == Dense && r.ZSteps > 1 {
		return r, fmt.Errorf("gwf: %d steps of the weights at a visit need ZAdam = %q", r.ZSteps, Visited)
	}
	r.Keep = cmp.Or(r.Keep, KeepBest)
	if r.Keep != KeepLast && r.Keep != KeepBest {
		return r, fmt.Errorf("gwf: unknown state to keep %q, expected %q or %q", r.Keep, KeepLast, KeepBest)
	}
	adam := DefaultAdam()
	r.Adam = cmp.Or(r.Adam, &adam)
	if a := r.Adam; !(a.Beta1 >= 0 && a.Beta1 < 1 && a.Beta2 >= 0 && a.Beta2 < 1) || !(a.Epsilon >= 0) || math.IsInf(a.Epsilon, 1) {
		return r, fmt.Errorf("gwf: Adam with %+v, expected decay rates in [0, 1) and a finite epsilon >= 0", *r.Adam)
	}
	return r, nil
}

func (s *Settings) adam(n int, step float64) *optim.Adam {
	return optim.NewAdam(n, step, s.Adam.Beta1, s.Adam.Beta2, s.Adam.Epsilon)
}

// EmbedSettings says how graphs are embedded in given atoms. A nil *EmbedSettings
// means the defaults, and so does a field that is zero.
type EmbedSettings struct {
	Transport

	// Precision ends the search for the weights when the loss is proved to be
	// within this share of its minimum, at the couplings found. Default 1e-4. A search that 200 steps
	// or rounding end earlier leaves a larger difference of [Embedding]'s Loss and Bound.
	Precision float64
}

func (s *EmbedSettings) resolve() (EmbedSettings, error) {
	r := *cmp.Or(s, &EmbedSettings{})
	var err error
	if r.Transport, err = r.Transport.resolve(); err != nil {
		return r, err
	}
	r.Precision = cmp.Or(r.Precision, DefaultPrecision)
	if !(r.Precision > 0 && r.Precision < 1) {
		return r, fmt.Errorf("gwf: precision %v, expected a number between 0 and 1", r.Precision)
	}
	return r, nil
}
