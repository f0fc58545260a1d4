package gin

import (
	"math"
	"math/rand/v2"

	"ogdl/internal/vec"
)

// Adam's decay rates and the epsilon that is added outside the root.
const (
	beta1, beta2 = 0.9, 0.999
	adamEpsilon  = 1e-8
)

// chunk is how many rows of a product of columns are taken at a time: few enough to stay in the cache.
const chunk = 64

// descent is a pass with its way back: gradients, and steps of Adam.
type descent struct {
	*pass
	grad           *weights
	dscores, dpart []float64 // gradients by scores, by what one depth gives,
	dsums          []float64 // by the sums of one depth,
	dh, de         []float64 // and by what stands at the nodes
	transposed     []float64 // room for a matrix
	m1, m2         []float64 // Adam's moments
	power1, power2 float64   // and the powers of its decay rates
}

func newDescent(p *pass) *descent {
	h, c := vec.Pad(p.m.hidden), vec.Pad(p.m.classes)
	graphs, nodes := len(p.batch), len(p.rowPtr)-1
	d := &descent{pass: p, grad: newWeights(&p.m.shape), dscores: make([]float64, graphs*c), dpart: make([]float64, graphs*c),
		dsums: make([]float64, graphs*h), dh: make([]float64, nodes*h), de: make([]float64, nodes*h), transposed: make([]float64, h*max(h, c)),
		power1: 1, power2: 1}
	d.m1, d.m2 = make([]float64, len(d.grad.flat)), make([]float64, len(d.grad.flat))
	return d
}

// drop draws which scores of the batch are dropped, a part of them, and by what the others are multiplied.
func (d *descent) drop(part float64, rng *rand.Rand) {
	c := vec.Pad(d.m.classes)
	for _, f := range d.factors {
		for i := range d.graphs {
			for j := range d.m.classes {
				f[i*c+j] = 0
				if part == 0 || rng.Float64() >= part {
					f[i*c+j] = 1 / (1 - part)
				}
			}
		}
	}
}

// step makes a step of Adam by the batch, whose classes these are, and returns the mean loss before.
func (d *descent) step(classes []int, rate float64) float64 {
	d.forward(true)
	loss := d.loss(classes)
	d.backward()
	d.power1, d.power2 = float64(d.power1*beta1), float64(d.power2*beta2)
	vec.Adam(d.m.weights.flat, d.m1, d.m2, d.grad.flat, &vec.AdamRules{
		Beta1: beta1, Beta2: beta2, By1: 1 / (1 - d.power1), By2: 1 / (1 - d.power2), Step: rate, Epsilon: adamEpsilon,
	})
	return loss
}

// loss returns the mean cross entropy of the batch, and keeps its gradient by the scores.
func (d *descent) loss(classes []int) float64 {
	c, sum := vec.Pad(d.m.classes), 0.0
	for i := range d.graphs {
		sum += crossEntropy(d.scores[i*c:][:d.m.classes], classes[i], d.dscores[i*c:])
	}
	vec.Scale(1/float64(d.graphs), d.dscores[:d.graphs*c])
	return sum / float64(d.graphs)
}

// crossEntropy returns log(sum of exp(score)) less the score of the class, and sets grad to its gradient.
func crossEntropy(scores []float64, class int, grad []float64) float64 {
	top, sum := scores[best(scores)], 0.0
	for j, v := range scores {
		grad[j] = vec.Exp(v - top)
		sum += grad[j]
	}
	for j := range scores {
		grad[j] /= sum
	}
	grad[class]--
	return vec.Log(sum) + (top - scores[class])
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
		mulColumns(d.sums[l], vec.Pad(m.width(l)), part, c, g.w)
		if l == 0 {
			break // inputs stay
		}
		d.mulBack(part, c, m.weights.heads[l].w, h, d.dsums)
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
		normaliseBack(dh, second.out, second.unit, x[1].scale, second.inverse, gx[1].scale, gx[1].shift)
		mulColumns(first.out, h, dh, h, gx[1].w)
		d.mulBack(dh, h, x[1].w, h, de)
		normaliseBack(de, first.out, first.unit, x[0].scale, first.inverse, gx[0].scale, gx[0].shift)
		mulColumns(a.z, vec.Pad(m.width(l-1)), de, h, gx[0].w)
		if l > 1 {
			d.mulBack(de, h, x[0].w, h, dh)
		}
		dh, de = de, dh
	}
}

// normaliseBack turns d, the gradient by out = ReLU(scale unit + shift), into that by what unit was made of (see normalise), and sets dscale
// and dshift.
func normaliseBack(d, out, unit, scale, inverse, dscale, dshift []float64) {
	h := len(scale)
	if len(d) == 0 {
		return
	}
	dscale, dshift, inverse = dscale[:h], dshift[:h], inverse[:h]
	for at := 0; at < len(d); at += h {
		row, o, u := d[at:at+h], out[at:at+h], unit[at:at+h]
		for j, v := range row {
			// v where o > 0, else 0: which of them would be hard to foresee.
			v = math.Float64frombits(math.Float64bits(v) & uint64(-int64(math.Float64bits(o[j]))>>63))
			row[j] = v
			dshift[j] += v
			dscale[j] += float64(v * u[j])
		}
	}
	rows := float64(len(d) / h)
	for at := 0; at < len(d); at += h {
		row, u := d[at:at+h], unit[at:at+h]
		for j, v := range row {
			row[j] = float64(scale[j]*inverse[j]) * (v - (dshift[j]+float64(u[j]*dscale[j]))/rows)
		}
	}
}

// mulColumns adds X' D to out, for as many rows of X, of a width, as D has, of width ld.
func mulColumns(x []float64, width int, d []float64, ld int, out []float64) {
	for rows := len(d) / ld; rows > 0; rows -= chunk {
		some := min(chunk, rows)
		vec.MulDense(x, 1, width, width, some, d, ld, out, ld, ld)
		x, d = x[some*width:], d[some*ld:]
	}
}

// mulBack sets out to D W', for rows of D of width ld and a W with so many rows.
func (d *descent) mulBack(of []float64, ld int, w []float64, rows int, out []float64) {
	t := d.transposed[:ld*rows]
	for i := range rows {
		for j, v := range w[i*ld : (i+1)*ld] {
			t[j*rows+i] = v
		}
	}
	n := len(of) / ld
	clear(out[:n*rows])
	vec.MulDense(of, ld, 1, n, ld, t, rows, out, rows, rows)
}
