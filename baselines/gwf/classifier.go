package gwf

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"ogdl/internal/nn"
	"ogdl/internal/optim"
	"ogdl/internal/vec"
)

// Unlabelled is the class of a graph that training uses without its class.
const Unlabelled = -1

// Defaults of a Supervision.
const (
	DefaultHidden = 32
	DefaultWeight = 0.1
)

// Supervision adds a classifier of the free weights z to training: a network of two layers, ReLU
// between them, whose cross-entropy on the labelled graphs is added to the loss. All graphs of
// Train take part in the dictionary's loss, so the classes of the unlabelled ones can be predicted.
// A zero number means its default.
type Supervision struct {
	Classes []int // class of each graph from 0 on, or Unlabelled
	Hidden  int   // width of the hidden layer. Default 32
	// Weight multiplies the cross-entropy of each graph, > 0. Default 0.1.
	Weight float64
	// Step is Adam's step size on the network, > 0. Default StepZ, as in the published code.
	Step float64
	// Balanced weighs each class inversely to its number of labelled graphs; else graphs count
	// alike, as published.
	Balanced bool
}

// classifier is the network in training, with room for a batch. Rows are padded to k, h and c.
type classifier struct {
	*Supervision
	count, k, h, c int       // classes; padded numbers of atoms, hidden units and scores
	weights        []float64 // of the classes in the loss

	x, grad        []float64 // all weights of the network, in the order of [classifier.split]
	adam           *optim.Adam
	z, dz          []float64 // rows of a batch: inputs and the gradient by them
	hidden, d      []float64
	scores, ds     []float64
	transposed     []float64
	labelled, rows []int // places of labelled graphs in the batch; of the rows of z
}

func newClassifier(s *Supervision, graphs, atoms int, opt *Settings, rng *rand.Rand) (*classifier, error) {
	own := *s
	n := &classifier{Supervision: &own}
	own.Weight = cmp.Or(own.Weight, DefaultWeight)
	own.Step = cmp.Or(own.Step, opt.StepZ)
	own.Hidden = cmp.Or(own.Hidden, DefaultHidden)
	switch {
	case len(s.Classes) != graphs:
		return nil, fmt.Errorf("gwf: %d classes of %d graphs, expected as many", len(s.Classes), graphs)
	case own.Hidden < 0 || own.Hidden > math.MaxInt16:
		return nil, fmt.Errorf("gwf: Hidden is %d, expected a number from 1 to %d, or 0 for the default", own.Hidden, math.MaxInt16)
	case !(own.Weight > 0 && own.Weight <= math.MaxFloat64 && own.Step > 0 && own.Step <= math.MaxFloat64):
		return nil, fmt.Errorf("gwf: Weight is %v and Step %v, expected finite numbers > 0, or 0 for the default", own.Weight, own.Step)
	}
	members := make([]int, graphs)
	labelled, seen := 0, 0
	for i, c := range s.Classes {
		if c < Unlabelled || c >= graphs {
			return nil, fmt.Errorf("gwf: the class of graph %d is %d, expected one from 0 to %d, or %d", i, c, graphs-1, Unlabelled)
		}
		if c != Unlabelled {
			if members[c] == 0 {
				seen++
			}
			members[c]++
			labelled, n.count = labelled+1, max(n.count, c+1)
		}
	}
	if seen < 2 {
		return nil, fmt.Errorf("gwf: the labelled graphs have %d classes, expected two at least", seen)
	}
	for _, m := range members[:n.count] {
		w := own.Weight
		if own.Balanced {
			w *= float64(labelled) / float64(seen*max(m, 1))
		}
		n.weights = append(n.weights, w)
	}
	n.k, n.h, n.c = vec.Pad(atoms), vec.Pad(own.Hidden), vec.Pad(n.count)
	size := n.k*n.h + n.h + n.h*n.c + n.c
	n.x, n.grad, n.adam = make([]float64, size), make([]float64, size), opt.adam(size, own.Step)
	w1, b1, w2, b2 := n.split(n.x)
	nn.Uniform(w1, atoms, own.Hidden, atoms, rng)
	nn.Uniform(b1, 1, own.Hidden, atoms, rng)
	nn.Uniform(w2, own.Hidden, n.count, own.Hidden, rng)
	nn.Uniform(b2, 1, n.count, own.Hidden, rng)
	rows := min(opt.Batch, graphs)
	n.z, n.dz = make([]float64, rows*n.k), make([]float64, rows*n.k)
	n.hidden, n.d = make([]float64, rows*n.h), make([]float64, rows*n.h)
	n.scores, n.ds = make([]float64, rows*n.c), make([]float64, rows*n.c)
	n.transposed = make([]float64, n.h*max(n.k, n.c))
	return n, nil
}

// split returns the weights and biases of both layers, as parts of all.
func (n *classifier) split(all []float64) (w1, b1, w2, b2 []float64) {
	w1, all = all[:n.k*n.h], all[n.k*n.h:]
	b1, all = all[:n.h], all[n.h:]
	return w1, b1, all[:n.h*n.c], all[n.h*n.c:]
}

// forward computes the scores of some graphs, whose weights are in z by rows of so many atoms.
func (n *classifier) forward(graphs []int, z []float64, atoms int) {
	w1, b1, w2, b2 := n.split(n.x)
	for r, i := range graphs {
		copy(n.z[r*n.k:], z[i*atoms:(i+1)*atoms])
		copy(n.hidden[r*n.h:], b1)
		copy(n.scores[r*n.c:], b2)
	}
	rows := len(graphs)
	vec.MulDense(n.z, n.k, 1, rows, n.k, w1, n.h, n.hidden, n.h, n.h)
	for j, v := range n.hidden[:rows*n.h] {
		n.hidden[j] = max(v, 0)
	}
	vec.MulDense(n.hidden, n.h, 1, rows, n.h, w2, n.c, n.scores, n.c, n.c)
}

// gradient returns the sum of the weighted cross-entropies of the labelled graphs among some. It
// sets the gradients by the network, and by z in the rows of dz: the graphs at the places labelled.
func (n *classifier) gradient(graphs []int, z []float64, atoms int) (sum float64) {
	n.labelled, n.rows = n.labelled[:0], n.rows[:0]
	for place, i := range graphs {
		if n.Classes[i] != Unlabelled {
			n.labelled, n.rows = append(n.labelled, place), append(n.rows, i)
		}
	}
	n.forward(n.rows, z, atoms)
	_, _, w2, _ := n.split(n.x)
	g1, gb1, g2, gb2 := n.split(n.grad)
	clear(n.grad)
	rows := len(n.rows)
	ds, d := n.ds[:rows*n.c], n.d[:rows*n.h]
	for r, i := range n.rows {
		w, row := n.weights[n.Classes[i]], ds[r*n.c:(r+1)*n.c]
		sum += float64(w * nn.Loss(n.scores[r*n.c:], n.count, n.Classes[i:i+1], row))
		vec.Scale(w, row)
		vec.Add(row, gb2)
	}
	nn.MulColumns(n.hidden, n.h, n.h, ds, n.c, g2)
	nn.MulBack(ds, n.c, w2, n.h, n.transposed, d)
	for j := range d {
		if n.hidden[j] == 0 {
			d[j] = 0
		}
	}
	for r := range rows {
		vec.Add(d[r*n.h:(r+1)*n.h], gb1)
	}
	nn.MulColumns(n.z, n.k, n.k, d, n.h, g1)
	nn.MulBack(d, n.h, n.x[:n.k*n.h], n.k, n.transposed, n.dz)
	return sum
}

// predict returns the classes of all graphs by their weights, and how many labelled ones are right.
func (n *classifier) predict(z []float64, atoms int) (classes []int, right int) {
	for from := 0; from < len(n.Classes); from += len(n.z) / n.k {
		n.rows = n.rows[:0]
		for i := from; i < min(from+len(n.z)/n.k, len(n.Classes)); i++ {
			n.rows = append(n.rows, i)
		}
		n.forward(n.rows, z, atoms)
		for r, i := range n.rows {
			classes = append(classes, nn.Best(n.scores[r*n.c:][:n.count]))
			if classes[i] == n.Classes[i] {
				right++
			}
		}
	}
	return classes, right
}
