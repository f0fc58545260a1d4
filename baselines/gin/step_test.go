package gin

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/internal/vec"
)

// real points at the weights without those of padding: per layer and map the matrix, scale and shift, then per depth the matrix and
// the biases.
func (w *weights) real(s *shape) []*float64 {
	var out []*float64
	add := func(x []float64, rows, columns int) {
		for i := range rows {
			for j := range columns {
				out = append(out, &x[i*vec.Pad(columns)+j])
			}
		}
	}
	for l := range w.layers {
		for k, inputs := range []int{s.width(l), s.hidden} {
			x := w.layers[l][k]
			add(x.W, inputs, s.hidden)
			add(x.Scale, 1, s.hidden)
			add(x.Shift, 1, s.hidden)
		}
	}
	for l, x := range w.heads {
		add(x.w, s.width(l), s.classes)
		add(x.bias, 1, s.classes)
	}
	return out
}

// near compares numbers with those of a reference.
func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	must.Within(t, got, want, tol*(1+math.Abs(want)), "%s", what)
}

// TestStep compares two steps of training, and the model after them, with testdata/step.py.
func TestStep(t *testing.T) {
	const tol = 1e-11
	var ref struct {
		Hidden, Classes, Layers int
		Rate                    float64
		Class                   []int
		Start                   []float64
		Graphs                  []Graph
		Steps                   []struct {
			Batch             []int
			Factors           [][][]float64
			Scores            [][]float64
			Loss              float64
			Gradient, Weights []float64
			Means, Variances  [][]float64
		}
		Scores [][]float64
	}
	data := must.Get(os.ReadFile("testdata/step.json"))
	must.Do(t, json.Unmarshal(data, &ref))
	s := shape{inputs: 2, hidden: ref.Hidden, classes: ref.Classes, layers: ref.Layers}
	m := newModel(s, 4, rand.New(rand.NewPCG(1, 1)))
	graphs := must.Get(newSet("graphs", ref.Graphs, s.inputs))
	d := newDescent(newPass(m, graphs))
	theta, grad := m.weights.real(&s), d.grad.real(&s)
	if len(theta) != len(ref.Start) || len(ref.Steps) != 2 {
		t.Fatalf("%d weights, %d in the reference, which has %d steps", len(theta), len(ref.Start), len(ref.Steps))
	}
	for i, x := range ref.Start {
		*theta[i] = x
	}
	c := vec.Pad(s.classes)
	for _, step := range ref.Steps {
		d.load(graphs, step.Batch)
		classes := make([]int, len(step.Batch))
		for i, g := range step.Batch {
			classes[i] = ref.Class[g]
		}
		for l := range d.factors {
			for i, row := range step.Factors[l] {
				copy(d.factors[l][i*c:], row)
			}
		}
		near(t, "loss", d.step(classes, ref.Rate), step.Loss, tol)
		for i, row := range step.Scores {
			for j, x := range row {
				near(t, "score", d.scores[i*c+j], x, tol)
			}
		}
		for i := range theta {
			near(t, "gradient", *grad[i], step.Gradient[i], tol)
			near(t, "weight", *theta[i], step.Weights[i], tol)
		}
		for l := range m.running {
			for k, r := range m.running[l] {
				for j := range s.hidden {
					near(t, "running mean", r.Mean[j], step.Means[2*l+k][j], tol)
					near(t, "running variance", r.Variance[j], step.Variances[2*l+k][j], tol)
				}
			}
		}
	}
	scores := must.Get(m.Scores(ref.Graphs))
	for i, row := range ref.Scores {
		for j, x := range row {
			near(t, "score of the model", scores[i*s.classes+j], x, tol)
		}
	}
}
