// Package nn has what small neural networks share: linear maps with batch normalisation and ReLU, dropout, softmax
// cross-entropy, Adam, and epochs of batches. Gradients are written by hand. Matrices are row by row; rows are padded
// with zeros to vec.Pad of their width. Results are the same bits on every processor, and nothing allocates once it has
// begun.
package nn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"ogdl/internal/optim"
	"ogdl/internal/vec"
)

const (
	epsilon  = 1e-5 // added to variances
	momentum = 0.1  // by which running numbers move
	// chunk is how many rows of a product of columns are taken at a time: few enough to stay in the cache.
	chunk = 64
)

// CheckInputs returns an error unless there are so many inputs of a width, all finite.
func CheckInputs(inputs []float64, nodes, width int) error {
	if len(inputs) != nodes*width {
		return fmt.Errorf("%d inputs, expected %d for each of its %d nodes", len(inputs), width, nodes)
	}
	for k, x := range inputs {
		if !(math.Abs(x) <= math.MaxFloat64) {
			return fmt.Errorf("input %d of node %d is %v, expected a finite number", k%width, k/width, x)
		}
	}
	return nil
}

// Layer is a linear map without bias and the batch normalisation that follows, y = scale x + shift; or the gradient by them.
type Layer struct{ W, Scale, Shift []float64 }

// Moments are the running means and variances of what a batch normalisation sees.
type Moments struct{ Mean, Variance []float64 }

// NewMoments returns the moments that training begins with: mean 0 and variance 1 of each of so many columns.
func NewMoments(width int) Moments {
	m := Moments{make([]float64, vec.Pad(width)), make([]float64, vec.Pad(width))}
	for j := range m.Variance {
		m.Variance[j] = 1
	}
	return m
}

// Units are what a layer makes of the rows of a batch, kept for its gradient.
type Units struct {
	Unit           []float64 // the product, after Normalise: mean 0 and variance 1
	Out            []float64 // ReLU(scale unit + shift)
	inverse        []float64 // 1 / standard deviation
	mean, variance []float64 // of columns, in training
}

// NewUnits returns room for so many rows of a width.
func NewUnits(rows, width int) Units {
	h := vec.Pad(width)
	return Units{make([]float64, rows*h), make([]float64, rows*h), make([]float64, h), make([]float64, h), make([]float64, h)}
}

// Activate turns the products in the first rows of Unit into normalised ones, and sets Out to their ReLU. Training takes
// the means and variances of these rows and moves the running ones; else the running ones are taken.
func (u *Units) Activate(x *Layer, r *Moments, rows int, training bool) {
	unit, mean, variance := u.Unit[:rows*len(u.inverse)], r.Mean, r.Variance
	if training && rows > 0 {
		u.measure(unit, r)
		mean, variance = u.mean, u.variance
	}
	normalise(unit, mean, variance, u.inverse)
	rectify(unit, x.Scale, x.Shift, u.Out)
}

// Back turns d, the gradient by Out of a step of training, into the gradient by the products, and adds to the gradients of scale
// and shift.
func (u *Units) Back(d []float64, x, grad *Layer) {
	normaliseBack(d, u.Out, u.Unit, x.Scale, u.inverse, grad.Scale, grad.Shift)
}

// measure sets mean and variance to the columns' of x, and moves the running ones towards them (of variances, towards
// the one with the divisor n - 1).
func (u *Units) measure(x []float64, r *Moments) {
	h := len(u.mean)
	n := float64(len(x) / h)
	mean, variance := u.mean, u.variance[:h]
	clear(mean)
	clear(variance)
	for at := 0; at < len(x); at += h {
		vec.Add(x[at:at+h], mean)
	}
	vec.Scale(1/n, mean)
	for at := 0; at < len(x); at += h {
		for j, v := range x[at : at+h] {
			v -= mean[j]
			variance[j] += float64(v * v)
		}
	}
	vec.Scale(1/n, variance)
	vec.Lerp(momentum, mean, r.Mean)
	for j, v := range variance {
		if n > 1 {
			v = v * n / (n - 1)
		}
		r.Variance[j] += float64(momentum * (v - r.Variance[j]))
	}
}

// normalise takes away the means of the columns of x and divides by the roots of variance + epsilon, whose inverses it keeps.
func normalise(x, mean, variance, inverse []float64) {
	for j, v := range variance {
		inverse[j] = 1 / math.Sqrt(v+epsilon)
	}
	mean = mean[:len(inverse)]
	for ; len(x) > 0; x = x[len(inverse):] {
		row := x[:len(inverse)]
		for j, v := range row {
			row[j] = (v - mean[j]) * inverse[j]
		}
	}
}

// rectify sets out to the positive part of scale x + shift, by columns.
func rectify(x, scale, shift, out []float64) {
	h := len(scale)
	shift = shift[:h]
	for ; len(x) > 0; x, out = x[h:], out[h:] {
		row, o := x[:h], out[:h]
		for j, v := range row {
			o[j] = max(float64(scale[j]*v)+shift[j], 0)
		}
	}
}

// normaliseBack turns d, the gradient by out = ReLU(scale unit + shift), into that by what unit was made of (see
// normalise), and adds to dscale and dshift.
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

// MulColumns adds X' D to out, for as many rows of X as D has, of width ld. A row of X has a width and begins step after
// the one before: rows overlap where step is less.
func MulColumns(x []float64, step, width int, d []float64, ld int, out []float64) {
	for rows := len(d) / ld; rows > 0; rows -= chunk {
		some := min(chunk, rows)
		vec.MulDense(x, 1, step, width, some, d, ld, out, ld, ld)
		if rows > some {
			x, d = x[some*step:], d[some*ld:]
		}
	}
}

// MulBack sets out to D W', for rows of D of width ld and a W with so many rows; room has ld times rows entries.
func MulBack(d []float64, ld int, w []float64, rows int, room, out []float64) {
	t := room[:ld*rows]
	vec.Transpose(w, ld, rows, ld, t, rows)
	n := len(d) / ld
	clear(out[:n*rows])
	vec.MulDense(d, ld, 1, n, ld, t, rows, out, rows, rows)
}

// Uniform draws the entries of a matrix uniform on +-1/sqrt(inputs), as PyTorch does for a layer of so many inputs.
func Uniform(x []float64, rows, columns, inputs int, rng *rand.Rand) {
	bound := 1 / math.Sqrt(float64(inputs))
	for i := range rows {
		for j := range columns {
			u := float64(rng.Float64())
			x[i*vec.Pad(columns)+j] = (u + u - 1) * bound
		}
	}
}

// Drop draws the factors of dropout, row by row: 0 for a part of the entries, and by what the others are multiplied.
func Drop(factors []float64, rows, columns int, part float64, rng *rand.Rand) {
	for i := range rows {
		for j := range columns {
			at := i*vec.Pad(columns) + j
			factors[at] = 0
			if part == 0 || rng.Float64() >= part {
				factors[at] = 1 / (1 - part)
			}
		}
	}
}

// Loss returns the mean cross-entropy of the softmax of rows of scores, one row for each of the classes, and sets grad
// to its gradient.
func Loss(scores []float64, columns int, classes []int, grad []float64) float64 {
	c, sum := vec.Pad(columns), 0.0
	for i, class := range classes {
		sum += crossEntropy(scores[i*c:][:columns], class, grad[i*c:])
	}
	n := len(classes)
	vec.Scale(1/float64(n), grad[:n*c])
	return sum / float64(n)
}

// crossEntropy returns log(sum of exp(score)) less the score of the class, and sets grad to its gradient.
func crossEntropy(scores []float64, class int, grad []float64) float64 {
	top, sum := scores[Best(scores)], 0.0
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

// Best returns the place of the largest number, the first of those that tie.
func Best(x []float64) int {
	k := 0
	for j, v := range x {
		if v > x[k] {
			k = j
		}
	}
	return k
}

// NewAdam returns Adam for n numbers, with PyTorch's decay rates and epsilon. Its rate is to be set.
func NewAdam(n int) *optim.Adam { return optim.NewAdam(n, 0, 0.9, 0.999, 1e-8) }

// Schedule says how epochs are made of batches.
type Schedule struct {
	Batch      int     // graphs of a step
	Steps      int     // steps of an epoch, each with a batch drawn afresh; 0: an epoch is one pass in a new order
	Rate       float64 // Adam's step size
	HalveEvery int     // epochs after which the rate is halved; below 1: it is not
}

// Deck holds the indices of the training samples, in an order that changes.
type Deck struct {
	places  []int
	of      []int // classes of a batch
	classes []int
	rng     *rand.Rand
}

// NewDeck returns a deck of things with these classes, for batches of such a size.
func NewDeck(classes []int, batch int, rng *rand.Rand) *Deck {
	d := &Deck{make([]int, len(classes)), make([]int, min(batch, len(classes))), classes, rng}
	for i := range d.places {
		d.places[i] = i
	}
	return d
}

// Epoch makes the steps of epoch e and returns their mean loss. step learns from a batch with its classes, and returns
// the mean loss before. The end of the context is an error, and so is a loss that becomes infinite.
func (d *Deck) Epoch(ctx context.Context, s *Schedule, e int, step func(batch, classes []int, rate float64) float64) (float64, error) {
	rate := s.Rate
	if s.HalveEvery > 0 {
		rate = math.Ldexp(rate, -min(e/s.HalveEvery, 2000))
	}
	n := len(d.places)
	batch, steps := min(s.Batch, n), s.Steps
	if steps == 0 {
		steps = (n + batch - 1) / batch
	}
	sum, seen := 0.0, 0
	for k := range steps {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		from := 0
		if s.Steps == 0 {
			from = k * batch
		}
		some := d.draw(from, min(from+batch, n))
		sum += float64(step(some, d.of[:len(some)], rate) * float64(len(some)))
		seen += len(some)
		if !(math.Abs(sum) <= math.MaxFloat64) {
			return 0, fmt.Errorf("training diverged: the loss of epoch %d is %v; a smaller Rate or smaller inputs may help", e+1, sum/float64(seen))
		}
	}
	return sum / float64(seen), nil
}

// draw fills the places of the deck from there on, and tells their classes.
func (d *Deck) draw(from, to int) []int {
	for i := from; i < to; i++ {
		j := i + d.rng.IntN(len(d.places)-i)
		d.places[i], d.places[j] = d.places[j], d.places[i]
		d.of[i-from] = d.classes[d.places[i]]
	}
	return d.places[from:to]
}
