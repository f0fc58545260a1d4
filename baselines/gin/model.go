package gin

import (
	"errors"
	"math/rand/v2"

	"ogdl/internal/nn"
	"ogdl/internal/vec"
)

// shape is what decides the shapes of a network.
type shape struct{ inputs, hidden, classes, layers int }

// width returns the width of the rows of a depth, 0 being the input.
func (s *shape) width(depth int) int {
	if depth == 0 {
		return s.inputs
	}
	return s.hidden
}

// weights holds the learned parameters, or a gradient by them. Matrices are stored row by row,
// (inputs) x (outputs), padded with rows and columns of zeros.
type weights struct {
	flat   []float64
	layers []layer
	heads  []head // one for each depth
}

// layer has the two linear maps of a layer.
type layer [2]nn.Layer

// head turns the sums of a depth into scores.
type head struct{ w, bias []float64 }

func newWeights(s *shape) *weights {
	w, h, c, next := &weights{}, vec.Pad(s.hidden), vec.Pad(s.classes), 0
	take := func(n int) []float64 {
		next += n
		if w.flat == nil {
			return nil
		}
		return w.flat[next-n : next : next]
	}
	cut := func() {
		w.layers, w.heads, next = make([]layer, s.layers), make([]head, s.layers+1), 0
		for l := range w.layers {
			for k, inputs := range []int{vec.Pad(s.width(l)), h} {
				x := &w.layers[l][k]
				x.W, x.Scale, x.Shift = take(inputs*h), take(h), take(h)
			}
		}
		for l := range w.heads {
			w.heads[l] = head{take(vec.Pad(s.width(l)) * c), take(c)}
		}
	}
	cut() // to count
	w.flat = make([]float64, next)
	cut()
	return w
}

// draw sets the weights to those that training begins with.
func (w *weights) draw(s *shape, rng *rand.Rand) {
	for l := range w.layers {
		for k, inputs := range []int{s.width(l), s.hidden} {
			nn.Uniform(w.layers[l][k].W, inputs, s.hidden, inputs, rng)
			for j := range s.hidden {
				w.layers[l][k].Scale[j] = 1
			}
		}
	}
	for l, x := range w.heads {
		nn.Uniform(x.w, s.width(l), s.classes, s.width(l), rng)
		nn.Uniform(x.bias, 1, s.classes, s.width(l), rng)
	}
}

// moments are the running means and variances of what the batch normalisations of a layer see.
type moments [2]nn.Moments

// Model is a trained network. It may be shared by goroutines.
type Model struct {
	shape
	batch   int
	weights *weights
	running []moments
}

func newModel(s shape, batch int, rng *rand.Rand) *Model {
	m := &Model{shape: s, batch: batch, weights: newWeights(&s), running: make([]moments, s.layers)}
	m.weights.draw(&s, rng)
	for l := range m.running {
		for k := range m.running[l] {
			m.running[l][k] = nn.NewMoments(s.hidden)
		}
	}
	return m
}

// take reads graphs for the model.
func (m *Model) take(graphs []Graph) (*set, error) {
	if m == nil || m.classes == 0 {
		return nil, errors.New("gin: the model is nil or empty, expected one from Train")
	}
	return newSet("graphs", graphs, m.inputs)
}

// Scores returns the scores of the classes of every graph, a row for each: their softmax estimates
// how probable the classes are. Errors: graphs that do not fit the description of Graph, graphs
// with another number of inputs than the model was trained on, inputs so large that scores are not
// finite, and a nil model.
func (m *Model) Scores(graphs []Graph) ([]float64, error) {
	s, err := m.take(graphs)
	if err != nil {
		return nil, err
	}
	scores := make([]float64, 0, len(graphs)*m.classes)
	if err := newPass(m, s).each(s, func(row []float64) { scores = append(scores, row...) }); err != nil {
		return nil, err
	}
	return scores, nil
}

// Predict returns the class of the highest score of every graph, the first of a tie. Its errors are
// Scores' errors.
func (m *Model) Predict(graphs []Graph) ([]int, error) {
	s, err := m.take(graphs)
	if err != nil {
		return nil, err
	}
	out := make([]int, 0, len(graphs))
	if err := newPass(m, s).each(s, func(row []float64) { out = append(out, nn.Best(row)) }); err != nil {
		return nil, err
	}
	return out, nil
}
