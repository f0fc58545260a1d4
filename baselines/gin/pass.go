package gin

import (
	"fmt"
	"math"

	"ogdl/internal/nn"
	"ogdl/internal/vec"
)

// pass has room for a batch on its way through a model.
type pass struct {
	m             *Model
	batch         []int // room for the places of its graphs in a set
	graphs, nodes int
	first         []int   // first node of graph i of the batch; one more at the end
	rowPtr, col   []int32 // A + I
	layers        []activations
	sums          [][]float64 // per depth, a row for each graph
	scores        []float64   // a row for each graph
	part          []float64   // of the scores, what one depth gives
	factors       [][]float64 // per depth, as scores: what dropout multiplies them by
}

// activations are what a layer makes of the nodes of a batch, for its gradient.
type activations struct {
	z    []float64 // what the first map is applied to
	maps [2]nn.Units
}

// newPass makes room for the batches of some sets.
func newPass(m *Model, sets ...*set) *pass {
	graphs, nodes, entries := 0, 0, 0
	for _, s := range sets {
		graphs = max(graphs, min(m.batch, s.len()))
		n, e := s.largest(m.batch)
		nodes, entries = max(nodes, n), max(entries, e)
	}
	c := vec.Pad(m.classes)
	p := &pass{m: m, batch: make([]int, graphs), first: make([]int, graphs+1), rowPtr: make([]int32, nodes+1), col: make([]int32, entries),
		layers: make([]activations, m.layers), sums: make([][]float64, m.layers+1), scores: make([]float64, graphs*c), part: make([]float64, graphs*c),
		factors: make([][]float64, m.layers+1)}
	for l := range p.layers {
		p.layers[l].z = make([]float64, nodes*vec.Pad(m.width(l)))
		for k := range p.layers[l].maps {
			p.layers[l].maps[k] = nn.NewUnits(nodes, m.hidden)
		}
	}
	for l := range p.sums {
		p.sums[l], p.factors[l] = make([]float64, graphs*vec.Pad(m.width(l))), make([]float64, graphs*c)
	}
	return p
}

// each calls f with the scores of every graph of a set, in order. Scores that are no finite numbers
// are an error.
func (p *pass) each(s *set, f func(row []float64)) error {
	for from := 0; from < s.len(); from += len(p.batch) {
		batch := p.batch[:min(len(p.batch), s.len()-from)]
		for i := range batch {
			batch[i] = from + i
		}
		p.load(s, batch)
		p.forward(false)
		for i := range batch {
			row := p.scores[i*vec.Pad(p.m.classes):][:p.m.classes]
			for _, v := range row {
				if !(math.Abs(v) <= math.MaxFloat64) {
					return fmt.Errorf("gin: %s[%d]: a score is %v; its inputs may be too large", s.name, from+i, v)
				}
			}
			f(row)
		}
	}
	return nil
}

// load makes a batch of some graphs of a set.
func (p *pass) load(s *set, batch []int) {
	p.graphs, p.nodes = len(batch), 0
	ld, entries := vec.Pad(p.m.inputs), 0
	for i, g := range batch {
		from, to := int(s.first[g]), int(s.first[g+1])
		copy(p.layers[0].z[p.nodes*ld:], s.z[from*ld:to*ld])
		copy(p.sums[0][i*ld:(i+1)*ld], s.sums[g*ld:])
		for _, j := range s.col[s.rowPtr[from]:s.rowPtr[to]] {
			p.col[entries] = int32(p.nodes) + j
			entries++
		}
		at := int32(entries) - s.rowPtr[to]
		for k := from; k < to; k++ {
			p.rowPtr[p.nodes] = at + s.rowPtr[k]
			p.nodes++
		}
		p.first[i+1] = p.nodes
	}
	p.rowPtr[p.nodes] = int32(entries)
}

// forward computes the scores of the batch: with the trained model, or in a step of training, where
// batch normalisation takes the batch's own means and variances and moves the running ones, and
// scores are multiplied by the factors.
func (p *pass) forward(training bool) {
	m, n, h, c := p.m, p.nodes, vec.Pad(p.m.hidden), vec.Pad(p.m.classes)
	var rows []float64
	for l := range p.layers {
		a := &p.layers[l]
		if l > 0 {
			clear(a.z[:n*h])
			p.aggregate(rows, a.z)
		}
		in, width := a.z, vec.Pad(m.width(l))
		for k := range a.maps {
			x, y := &m.weights.layers[l][k], &a.maps[k]
			clear(y.Unit[:n*h])
			vec.MulDense(in, width, 1, n, width, x.W, h, y.Unit, h, h)
			y.Activate(x, &m.running[l][k], n, training)
			in, width = y.Out, h
		}
		rows = in
		for i := range p.graphs {
			sum := p.sums[l+1][i*h : (i+1)*h]
			clear(sum)
			for k := p.first[i]; k < p.first[i+1]; k++ {
				vec.Add(rows[k*h:(k+1)*h], sum)
			}
		}
	}
	scores, part := p.scores[:p.graphs*c], p.part[:p.graphs*c]
	clear(scores)
	for l, x := range m.weights.heads {
		for i := range p.graphs {
			copy(part[i*c:(i+1)*c], x.bias)
		}
		width := vec.Pad(m.width(l))
		vec.MulDense(p.sums[l], width, 1, p.graphs, width, x.w, c, part, c, c)
		for i, f := range p.factors[l][:len(part)] {
			if !training {
				f = 1
			}
			scores[i] += float64(f * part[i])
		}
	}
}

// aggregate adds (A + I) X to out.
func (p *pass) aggregate(x, out []float64) {
	if p.nodes > 0 {
		h := vec.Pad(p.m.hidden)
		vec.MulEqual(1, p.rowPtr[:p.nodes+1], p.col[:p.rowPtr[p.nodes]], x, out, h)
	}
}
