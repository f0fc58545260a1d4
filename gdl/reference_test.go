package gdl_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/datasets"
	"ogdl/gdl"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"
)

// mutag loads MUTAG with one-hot labels, or without features.
func mutag(t testing.TB, features bool) []*gw.Space {
	t.Helper()
	kind := datasets.KindNone
	if features {
		kind = datasets.KindLabels
	}
	graphs, _ := gwtest.Load(t, "MUTAG", datasets.KindAdjacency, kind)
	return graphs
}

type matrix [][]float64

func (m matrix) flat() []float64 { return slices.Concat(m...) }

type unmixingFile struct {
	Dictionaries map[string]struct{ C, A []matrix }
	Runs         []struct {
		Dict, Kind string
		Alpha, Reg float64
		Graph      int
		Default    struct {
			W     []float64
			Value float64
		}
		Tight struct {
			Value float64
			T     matrix
		}
		Relabel    [2]float64
		ExactAtPQT exact `json:"exact_at_pqT"`
		ExactAtT   exact `json:"exact_at_T"`
	}
}

type exact struct {
	Lin   []float64
	Const float64
	W     []float64
	Value float64
	Q     matrix
}

func (f *unmixingFile) dictionary(name string, alpha float64) *gdl.Dictionary {
	stored := f.Dictionaries[name]
	n, dim := len(stored.C[0]), len(stored.A[0][0])
	if alpha == 1 {
		dim = 0
	}
	d := must.Get(gdl.NewDictionary(len(stored.C), n, dim, alpha))
	for s := range d.S {
		d.C[s] = stored.C[s].flat()
		if dim > 0 {
			d.A[s] = stored.A[s].flat()
		}
	}
	return d
}

// The step in w at a fixed coupling, against global minima from enumeration.
func TestReferenceWeightStep(t *testing.T) {
	var f unmixingFile
	sharedtest.JSON(t, "unmixing_MUTAG.json", &f)
	gw1, fgw := mutag(t, false), mutag(t, true)
	var worst, off float64
	type matrix struct {
		dict, kind string
		alpha      float64
	}
	stored := map[matrix][]float64{} // M stands with the first run that has it
	for _, r := range f.Runs {
		if q := r.ExactAtPQT.Q; q != nil {
			stored[matrix{r.Dict, r.Kind, r.Alpha}] = q.flat()
		}
	}
	for _, r := range f.Runs {
		d := f.dictionary(r.Dict, r.Alpha)
		g := gw1[r.Graph]
		if r.Kind == "fgw" {
			g = fgw[r.Graph]
		}
		tol := 1e-9
		if r.Reg > 0 {
			tol = 5e-3
		}
		for place, x := range map[string]struct {
			T []float64
			e exact
		}{"pq'": {nil, r.ExactAtPQT}, "T": {r.Tight.T.flat(), r.ExactAtT}} {
			w, value, c, own, err := gdl.WeightStep(d, g, x.T, r.Reg)
			if err != nil {
				t.Fatal(err)
			}
			// Ours are relative to the origin, the stored ones are not: as quadratics
			// on the simplex, which its vertices and the middles of its edges
			// determine, they agree. T is stored to 1e-13, hence lin to no more.
			m, q := must.Get(d.Mahalanobis()), stored[matrix{r.Dict, r.Kind, r.Alpha}]
			for s := range c {
				for u := range s + 1 {
					ours, theirs := own, x.e.Const
					for _, i := range []int{s, u} {
						ours -= c[i]
						theirs -= x.e.Lin[i]
						for _, j := range []int{s, u} {
							ours += m[i*d.S+j] / 4
							theirs += q[i*d.S+j] / 4
						}
					}
					at := fmt.Sprintf("%s %s graph %d at %s", r.Dict, r.Kind, r.Graph, place)
					must.Within(t, ours, theirs, 1e-11, "%s: middle of atoms %d and %d", at, s, u)
				}
			}
			diff := value - x.e.Value
			if !(math.Abs(diff) <= tol) {
				t.Errorf("%s %s lambda %v graph %d at %s: value %v at %v, want %v at %v", r.Dict, r.Kind, r.Reg, r.Graph, place, value, w, x.e.Value, x.e.W)
			}
			if r.Reg > 0 {
				off = max(off, diff)
			} else {
				worst = max(worst, math.Abs(diff))
			}
		}
	}
	t.Logf("largest difference: %.1e at lambda 0, %.1e above at lambda 0.01", worst, off)
}

// Whole runs by their means: inside or below [mean of best, mean of worst] over
// relabellings.
func TestReferenceUnmixing(t *testing.T) {
	var f unmixingFile
	sharedtest.JSON(t, "unmixing_MUTAG.json", &f)
	gw1, fgw := mutag(t, false), mutag(t, true)
	type key struct {
		dict, kind string
		reg        float64
	}
	type mean struct{ ours, pot, low, high, n float64 }
	for _, step := range []gdl.WStep{gdl.Exact, gdl.ConditionalGradient} {
		means := map[key]*mean{}
		for _, r := range f.Runs {
			d := f.dictionary(r.Dict, r.Alpha)
			g := gw1[r.Graph]
			if r.Kind == "fgw" {
				g = fgw[r.Graph]
			}
			u := must.Get(gdl.NewUnmixer(d))
			e := must.Get(u.Unmix(context.Background(), g, &gdl.UnmixSettings{Lambda: r.Reg, WStep: step}))
			k := key{r.Dict, r.Kind, r.Reg}
			m := means[k]
			if m == nil {
				m = new(mean)
				means[k] = m
			}
			m.n++
			m.ours += e.Objective
			m.pot += r.Default.Value
			m.low += min(r.Relabel[0], r.Default.Value)
			m.high += max(r.Relabel[1], r.Default.Value)
		}
		for k, m := range means {
			t.Logf("step %d, %v: %.5f, POT %.5f, band %.5f .. %.5f", step, k, m.ours/m.n, m.pot/m.n, m.low/m.n, m.high/m.n)
			if !(m.ours <= m.high) {
				t.Errorf("step %d, %v: mean objective %v above the band's %v", step, k, m.ours/m.n, m.high/m.n)
			}
		}
	}
}

// Learning from a stored start: the loss of the last epoch, against the largest of three runs of POT.
func TestReferenceTraining(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector, and has nothing for it")
	}
	var f struct {
		Runs []struct {
			Kind           string
			Alpha, Reg     float64
			Seed           uint64
			EpochMeanLoss  []float64 `json:"epoch_mean_loss"`
			FinalObjective float64   `json:"final_mean_objective"`
		}
	}
	sharedtest.JSON(t, "training_MUTAG.json", &f)
	var start unmixingFile
	sharedtest.JSON(t, "unmixing_MUTAG.json", &start)
	graphs := map[string][]*gw.Space{"gw": mutag(t, false), "fgw": mutag(t, true)}
	type key struct {
		kind string
		reg  float64
	}
	ours, theirs := map[key]float64{}, map[key]float64{}
	for _, r := range f.Runs {
		k := key{r.Kind, r.Reg}
		theirs[k] = max(theirs[k], r.EpochMeanLoss[len(r.EpochMeanLoss)-1])
		if r.Seed > 0 {
			continue
		}
		fit := must.Get(gdl.Train(context.Background(), graphs[r.Kind], start.dictionary("smooth", r.Alpha), &gdl.TrainSettings{
			Epochs: 20, Batch: 16, StepC: 0.01, StepA: 0.01, NonNegative: true, Workers: 2,
			Adam:  &gdl.AdamSettings{Beta1: 0.9, Beta2: 0.99, Epsilon: 1e-9},
			Unmix: gdl.UnmixSettings{Lambda: r.Reg},
		}, rand.New(rand.NewPCG(r.Seed, 0))))
		ours[k] = fit.EpochLoss[len(fit.EpochLoss)-1]
	}
	for k := range ours {
		if !(ours[k] <= 1.02*theirs[k]) {
			t.Errorf("%v: loss of the last epoch %v, want at most 1.02 times %v", k, ours[k], theirs[k])
		}
	}
}
