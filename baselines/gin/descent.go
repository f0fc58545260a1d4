package gin

import (
	"math/rand/v2"

	"ogdl/internal/nn"
	"ogdl/internal/optim"
	"ogdl/internal/vec"
)

// descent is a pass with its way back: gradients, and steps of Adam.
type descent struct {
	*pass
	grad           *weights
	dscores, dpart []float64 // gradients by scores, by what one depth gives,
	dsums          []float64 // by the sums of one depth,
	dh, de         []float64 // and by the values at the nodes
	transposed     []float64 // room for a matrix
	adam           *optim.Adam
}

func newDescent(p *pass) *descent {
	h, c := vec.Pad(p.m.hidden), vec.Pad(p.m.classes)
	graphs, nodes := len(p.batch), len(p.rowPtr)-1
	d := &descent{pass: p, grad: newWeights(&p.m.shape), dscores: make([]float64, graphs*c), dpart: make([]float64, graphs*c),
		dsums: make([]float64, graphs*h), dh: make([]float64, nodes*h), de: make([]float64, nodes*h), transposed: make([]float64, h*max(h, c))}
	d.adam = nn.NewAdam(len(d.grad.flat))
	return d
}

// drop draws which part of the scores of the batch is dropped, and the factor of the others.
func (d *descent) drop(part float64, rng *rand.Rand) {
	for _, f := range d.factors {
		nn.Drop(f, d.graphs, d.m.classes, part, rng)
	}
}

// step makes a step of Adam by the batch with these classes, and returns the mean loss before.
func (d *descent) step(classes []int, rate float64) float64 {
	d.forward(true)
	loss := d.loss(classes)
	d.backward()
	d.adam.Rate = rate
	d.adam.Step(d.m.weights.flat, d.grad.flat)
	return loss
}

// loss returns the mean cross entropy of the batch, and keeps its gradient by the scores.
func (d *descent) loss(classes []int) float64 {
	return nn.Loss(d.scores, d.m.classes, classes[:d.graphs], d.dscores)
}

// backward sets grad to the gradient of the loss.
func (d *descent) backward() {
	m, n, h, c := d.m, d.nodes, vec.Pad(d.m.hidden), vec.Pad(d.m.classes)
	clear(d.grad.flat)
	dh, de := d.dh[:n*h], d.de[:n*h]
	for l := m.layers; l >= 0; l-- {
		// From the scores through the head of this depth,
		g, part := &d.grad.heads[l], d.dpart[:d.graphs*c]
		for i, f := range d.factors[l][:len(part)] {
			part[i] = f * d.dscores[i]
		}
		for i := range d.graphs {
			vec.Add(part[i*c:(i+1)*c], g.bias)
		}
		w := vec.Pad(m.width(l))
		nn.MulColumns(d.sums[l], w, w, part, c, g.w)
		if l == 0 {
			break // inputs stay
		}
		nn.MulBack(part, c, m.weights.heads[l].w, h, d.transposed, d.dsums)
		// to its nodes, whom the layer after this depth looks at too,
		for i := range d.graphs {
			for k := d.first[i]; k < d.first[i+1]; k++ {
				copy(dh[k*h:(k+1)*h], d.dsums[i*h:])
			}
		}
		if l < m.layers {
			d.aggregate(de, dh)
		}
		// and through the two maps of the layer.
		a, x, gx := &d.layers[l-1], &m.weights.layers[l-1], &d.grad.layers[l-1]
		second, first := &a.maps[1], &a.maps[0]
		second.Back(dh, &x[1], &gx[1])
		nn.MulColumns(first.Out, h, h, dh, h, gx[1].W)
		nn.MulBack(dh, h, x[1].W, h, d.transposed, de)
		first.Back(de, &x[0], &gx[0])
		w = vec.Pad(m.width(l - 1))
		nn.MulColumns(a.z, w, w, de, h, gx[0].W)
		if l > 1 {
			nn.MulBack(de, h, x[0].W, h, d.transposed, dh)
		}
		dh, de = de, dh
	}
}
