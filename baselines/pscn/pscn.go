// Package pscn is the convolutional network PATCHY-SAN (Niepert, Ahmed & Kutzkov, "Learning
// Convolutional Neural Networks for Graphs", ICML 2016), a baseline in the supervised benchmark of
// "Online Graph Dictionary Learning" (ICML 2021).
//
// [NewSet] turns each graph into a sequence of fields. A labelling orders the nodes, and every
// Stride-th has a field, Width of them. The field of a node holds Field nodes: itself, then others
// by distance, by Weisfeiler-Lehman rank within one distance. Fields and places that a graph is too
// small for are zero. The ranks begin with degrees and inputs, so that nodes whose ranks tie have
// the same inputs: however ties are broken the network sees the same, and the order of a graph's
// nodes plays no part.
//
// [Train] learns from them: a convolution over the fields to 16 channels, one over ten neighbouring
// fields to 8, a dense layer, each with batch normalisation and ReLU, dropout, and a linear layer
// to the scores of the classes.
//
// Results are functions of the arguments and the random source alone: the same bytes on every run
// and processor. All is serial; a Set may be shared by goroutines.
package pscn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"ogdl/internal/nn"
	"ogdl/internal/optim"
	"ogdl/internal/vec"
)

// Defaults of the settings, as in the benchmark and the published network.
const (
	DefaultField   = 10
	DefaultStride  = 1
	DefaultHidden  = 128
	DefaultDropout = 0.5
	DefaultBatch   = 128
	DefaultEpochs  = 150
	DefaultRate    = 0.01
	DefaultHalve   = 50
)

const (
	channels1 = 16 // of the convolution over the places of a field
	channels2 = 8  // and of the one over fields,
	window    = 10 // how many it sees
)

// Settings are the inputs, layers and training. Nil means the defaults, and so does a zero field.
type Settings struct {
	Labelling Labelling // order of the nodes; default Betweenness
	Width     int       // fields of a graph; default: the mean number of nodes, rounded
	Stride    int       // nodes from one field to the next; default 1
	Field     int       // nodes of a field; default 10

	Hidden  int     // width of the dense layer; default 128
	Dropout float64 // part of its outputs that a training step drops, in [0, 1); default 0.5; below 0: none

	Epochs     int     // number of epochs; default 150
	Batch      int     // graphs of a step; default 128
	Steps      int     // steps of an epoch, each with a batch drawn afresh; default 0: one pass over the graphs
	Rate       float64 // Adam's step size, > 0; default 0.01
	HalveEvery int     // epochs after which the rate is halved; default 50; below 0: it is not
}

func (set *Settings) resolve() (Settings, error) {
	s := *cmp.Or(set, &Settings{})
	for _, f := range []struct {
		name  string
		value *int
		def   int
	}{{"Width", &s.Width, 0}, {"Stride", &s.Stride, DefaultStride}, {"Field", &s.Field, DefaultField}, {"Hidden", &s.Hidden, DefaultHidden},
		{"Epochs", &s.Epochs, DefaultEpochs}, {"Batch", &s.Batch, DefaultBatch}, {"Steps", &s.Steps, 0}} {
		if *f.value < 0 || *f.value > math.MaxInt32 {
			return s, fmt.Errorf("pscn: %s is %d, expected a number from 1 to %d, or 0 for the default", f.name, *f.value, math.MaxInt32)
		}
		*f.value = cmp.Or(*f.value, f.def)
	}
	s.Dropout = max(cmp.Or(s.Dropout, DefaultDropout), 0)
	s.Rate = cmp.Or(s.Rate, DefaultRate)
	s.HalveEvery = cmp.Or(s.HalveEvery, DefaultHalve)
	s.Labelling = cmp.Or(s.Labelling, Betweenness)
	switch {
	case s.Labelling != Betweenness && s.Labelling != WeisfeilerLehman:
		return s, fmt.Errorf("pscn: unknown labelling %q, expected %q or %q", s.Labelling, Betweenness, WeisfeilerLehman)
	case !(s.Dropout < 1):
		return s, fmt.Errorf("pscn: Dropout is %v, expected a number below 1", s.Dropout)
	case !(s.Rate > 0 && s.Rate <= math.MaxFloat64):
		return s, fmt.Errorf("pscn: Rate is %v, expected a finite number > 0", s.Rate)
	}
	return s, nil
}

// Result is what training hands back.
type Result struct {
	// Loss[e] is the mean cross-entropy of the graphs of epoch e, each before it was learned from.
	Loss []float64
	// Watched[e][i] is the class predicted for the i-th graph watched, at the end of epoch e.
	Watched [][]int
}

// Train learns the classes of some graphs of a set, and predicts after every epoch the classes of
// the graphs watched, which it never learns from. Fields come from the set. Classes that do not fit
// the graphs or are all the same are errors, and so are bad settings, a nil ctx, set of
// graphs or rng, the end of the context and a loss that becomes infinite.
func Train(ctx context.Context, s *Set, learn, classes, watch []int, set *Settings, rng *rand.Rand) (*Result, error) {
	n, err := newNetwork(ctx, s, learn, classes, watch, set, rng)
	if err != nil {
		return nil, err
	}
	out := &Result{Loss: make([]float64, n.Epochs), Watched: make([][]int, n.Epochs)}
	schedule := &nn.Schedule{Batch: n.Batch, Steps: n.Steps, Rate: n.Rate, HalveEvery: n.HalveEvery}
	deck := nn.NewDeck(classes, n.Batch, rng)
	for e := range out.Loss {
		out.Loss[e], err = deck.Epoch(ctx, schedule, e, func(batch, of []int, rate float64) float64 {
			graphs := n.batch[:len(batch)]
			for i, k := range batch {
				graphs[i] = learn[k]
			}
			nn.Drop(n.factors, len(batch), n.Hidden, n.Dropout, rng)
			loss := n.gradient(graphs, of)
			n.adam.Rate = rate
			n.adam.Step(n.x.flat, n.grad.flat)
			return loss
		})
		if err != nil {
			if ctx.Err() == nil {
				err = fmt.Errorf("pscn: %w", err)
			}
			return nil, err
		}
		for from := 0; from < len(watch); from += len(n.batch) {
			some := watch[from:min(from+len(n.batch), len(watch))]
			n.forward(some, false)
			for i := range some {
				out.Watched[e] = append(out.Watched[e], nn.Best(n.scores[i*n.c:][:n.classes]))
			}
		}
	}
	return out, nil
}

// weights holds the learned parameters, or a gradient by them.
type weights struct {
	flat   []float64
	layers [3]nn.Layer // two convolutions, the dense layer
	w, b   []float64   // of the scores
}

// network is a network in training, with room for a batch.
type network struct {
	Settings
	set            *Set
	classes        int
	seen, places   int // fields that the second convolution sees, and where
	h, c           int // padded widths of the dense layer and of scores
	x, grad        weights
	running        [3]nn.Moments
	units          [3]nn.Units
	dropped        []float64 // outputs of the dense layer times factors
	factors        []float64
	scores         []float64
	dscores        []float64
	d              [3][]float64 // gradients by the outputs of the layers
	windows, room  []float64    // gradient by the windows of the second convolution; of transposed weights
	adam           *optim.Adam
	batch          []int
	columns, views int // inputs of a field, of a window
}

func newNetwork(ctx context.Context, s *Set, learn, classes, watch []int, set *Settings, rng *rand.Rand) (*network, error) {
	resolved, err := set.resolve()
	switch {
	case err != nil:
		return nil, err
	case ctx == nil:
		return nil, errors.New("pscn: ctx is nil, expected a context")
	case s == nil:
		return nil, errors.New("pscn: s is nil, expected a set from NewSet")
	case rng == nil:
		return nil, errors.New("pscn: rng is nil, expected a source of random numbers")
	case len(learn) == 0 || len(classes) != len(learn):
		return nil, fmt.Errorf("pscn: %d classes of %d graphs, expected as many, one at least", len(classes), len(learn))
	}
	n := &network{Settings: resolved, set: s}
	one := true
	for i, c := range classes {
		if c < 0 || c >= s.graphs {
			return nil, fmt.Errorf("pscn: classes[%d] is %d, expected a number from 0 on, below that of the graphs (%d)", i, c, s.graphs)
		}
		n.classes, one = max(n.classes, c+1), one && c == classes[0]
	}
	if one {
		return nil, fmt.Errorf("pscn: all graphs (%d) are of class %d, expected two classes at least", len(learn), classes[0])
	}
	for _, list := range [][]int{learn, watch} {
		for _, g := range list {
			if g < 0 || g >= s.graphs {
				return nil, fmt.Errorf("pscn: graph %d, expected one of the set's %d", g, s.graphs)
			}
		}
	}
	n.seen = min(window, s.width)
	n.places = s.width - n.seen + 1
	n.columns, n.views = s.field*s.inputs, n.seen*channels1
	n.h, n.c = vec.Pad(n.Hidden), vec.Pad(n.classes)
	n.x, n.grad = n.newWeights(), n.newWeights()
	for k, l := range n.layers() {
		nn.Uniform(n.x.layers[k].W, l.inputs, l.outputs, l.inputs, rng)
		for j := range l.outputs {
			n.x.layers[k].Scale[j] = 1
		}
		n.running[k] = nn.NewMoments(l.outputs)
	}
	nn.Uniform(n.x.w, n.Hidden, n.classes, n.Hidden, rng)
	nn.Uniform(n.x.b, 1, n.classes, n.Hidden, rng)
	n.adam = nn.NewAdam(len(n.x.flat))
	rows := min(n.Batch, s.graphs)
	n.batch = make([]int, rows)
	for k, r := range []int{rows * s.width, rows * n.places, rows} {
		width := n.layers()[k].outputs
		n.units[k], n.d[k] = nn.NewUnits(r, width), make([]float64, r*vec.Pad(width))
	}
	n.dropped, n.factors = make([]float64, rows*n.h), make([]float64, rows*n.h)
	n.scores, n.dscores = make([]float64, rows*n.c), make([]float64, rows*n.c)
	n.windows = make([]float64, rows*n.places*n.views)
	n.room = make([]float64, max(channels2*n.views, n.h*n.places*channels2, n.h*n.c))
	return n, nil
}

type sizes struct{ inputs, outputs int }

func (n *network) layers() [3]sizes {
	return [3]sizes{{n.columns, channels1}, {n.views, channels2}, {n.places * channels2, n.Hidden}}
}

func (n *network) newWeights() (w weights) {
	total := n.h*n.c + n.c
	for _, l := range n.layers() {
		total += (l.inputs + 2) * vec.Pad(l.outputs)
	}
	w.flat = make([]float64, total)
	rest := w.flat
	take := func(k int) (x []float64) {
		x, rest = rest[:k:k], rest[k:]
		return x
	}
	for k, l := range n.layers() {
		h := vec.Pad(l.outputs)
		w.layers[k] = nn.Layer{W: take(l.inputs * h), Scale: take(h), Shift: take(h)}
	}
	w.w, w.b = take(n.h*n.c), take(n.c)
	return w
}

// forward computes the scores of some graphs, in training with the dense layer times the factors.
func (n *network) forward(graphs []int, training bool) {
	s, u, x := n.set, &n.units, &n.x
	rows, dense := len(graphs), n.places*channels2
	clear(u[0].Unit[:rows*s.width*channels1])
	for i, g := range graphs {
		vec.MulSparse(s.rowPtr[g*s.width:(g+1)*s.width+1], s.col, s.val, x.layers[0].W, u[0].Unit[i*s.width*channels1:], channels1)
	}
	u[0].Activate(&x.layers[0], &n.running[0], rows*s.width, training)
	clear(u[1].Unit[:rows*dense])
	for i := range rows {
		in, out := u[0].Out[i*s.width*channels1:], u[1].Unit[i*dense:]
		vec.MulDense(in, channels1, 1, n.places, n.views, x.layers[1].W, channels2, out, channels2, channels2)
	}
	u[1].Activate(&x.layers[1], &n.running[1], rows*n.places, training)
	clear(u[2].Unit[:rows*n.h])
	vec.MulDense(u[1].Out, dense, 1, rows, dense, x.layers[2].W, n.h, u[2].Unit, n.h, n.h)
	u[2].Activate(&x.layers[2], &n.running[2], rows, training)
	copy(n.dropped, u[2].Out[:rows*n.h])
	if training {
		for i, f := range n.factors[:rows*n.h] {
			n.dropped[i] *= f
		}
	}
	for i := range rows {
		copy(n.scores[i*n.c:], x.b)
	}
	vec.MulDense(n.dropped, n.h, 1, rows, n.h, x.w, n.c, n.scores, n.c, n.c)
}

// gradient returns the mean loss of some graphs, and sets grad to its gradient.
func (n *network) gradient(graphs, classes []int) float64 {
	n.forward(graphs, true)
	loss := nn.Loss(n.scores, n.classes, classes, n.dscores)
	s, u, x, g := n.set, &n.units, &n.x, &n.grad
	rows, dense := len(graphs), n.places*channels2
	clear(g.flat)
	ds := n.dscores[:rows*n.c]
	for i := range rows {
		vec.Add(ds[i*n.c:(i+1)*n.c], g.b)
	}
	nn.MulColumns(n.dropped, n.h, n.h, ds, n.c, g.w)
	d := n.d[2][:rows*n.h]
	nn.MulBack(ds, n.c, x.w, n.h, n.room, d)
	for i, f := range n.factors[:len(d)] {
		d[i] *= f
	}
	u[2].Back(d, &x.layers[2], &g.layers[2])
	nn.MulColumns(u[1].Out, dense, dense, d, n.h, g.layers[2].W)
	d2 := n.d[1][:rows*dense]
	nn.MulBack(d, n.h, x.layers[2].W, dense, n.room, d2)
	u[1].Back(d2, &x.layers[1], &g.layers[1])
	nn.MulBack(d2, channels2, x.layers[1].W, n.views, n.room, n.windows)
	d1 := n.d[0][:rows*s.width*channels1]
	clear(d1)
	for i := range rows {
		nn.MulColumns(u[0].Out[i*s.width*channels1:], channels1, n.views, d2[i*dense:(i+1)*dense], channels2, g.layers[1].W)
		for p := range n.places {
			vec.Add(n.windows[(i*n.places+p)*n.views:][:n.views], d1[(i*s.width+p)*channels1:])
		}
	}
	u[0].Back(d1, &x.layers[0], &g.layers[0])
	for i, graph := range graphs {
		for p := range s.width {
			row := d1[(i*s.width+p)*channels1:][:channels1]
			for e := s.rowPtr[graph*s.width+p]; e < s.rowPtr[graph*s.width+p+1]; e++ {
				vec.Axpy(s.val[e], row, g.layers[0].W[int(s.col[e])*channels1:])
			}
		}
	}
	return loss
}
