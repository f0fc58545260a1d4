package gw

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"ogdl/internal/parallel"
)

// PairSettings are the settings of NewPairs; nil means all defaults.
type PairSettings struct {
	// GW has the tolerances and caps of each solve. MaxIter defaults to 200 here, the other fields
	// as in [Settings]. On IMDB-M 2 of 10000 solves reach the cap. Starts above 1 are an error,
	// because their draws would depend on the order of the solves; use Rand.
	GW Settings
	// Rand returns the random source of a pair of graphs, i < j. If it is given, each pair is also
	// solved from the couplings of a [Chain], and its distance is the least that was found. Chain
	// says from which (its own Rand is not looked at). The same draws for a pair, whenever and by
	// whichever goroutine it is solved, give the same matrix. Of equal graphs only the first is
	// solved.
	Rand  func(i, j int) *rand.Rand
	Chain ChainSettings
	// Blocks is the number of blocks that the pairs are cut into, at most one per
	// pair. Default: by the estimated work, so that one takes about a second; the same
	// graphs always give the same blocks. The matrix does not depend on it.
	Blocks int
}

// Pairs is the task of computing all pairwise (F)GW distances of n graphs, cut
// into blocks that do not depend on one another. It is immutable: methods may be
// called by any number of goroutines, each with a solver of its own.
//
// Equal graphs, which agree in every bit of structure, features and weights, are
// solved once: they share a row and are at distance 0 from each other. The
// remaining pairs are solved once each, from the coupling p q', and mirrored. The
// graph of smaller order is the first argument of [Solver.Solve] (15 % faster on
// dense graphs than the reverse), of equal orders the one that comes first.
//
// A distance is the root of the objective where the conditional gradient ends, a local minimum: an
// upper bound of the true distance. It need not obey the triangle inequality, and need not be 0
// between graphs that differ only by a permutation. It scales with structures and features, to the
// last bit for a power of two.
type Pairs struct {
	graphs []*Space
	alpha  float64
	set    PairSettings
	first  []int // first[g] is the first of the equal graphs of group g, ascending
	group  []int // group[i] is the group of graph i
	cut    []int // block b has the pairs cut[b] to cut[b+1]-1 of the groups' upper triangle
}

// PairBlock holds the distances of one block and the counts of its solves.
type PairBlock struct {
	// Values are the distances of its pairs of distinct graphs, in the order of the
	// upper triangle, row by row.
	Values     []float64
	Solves     int64   // GW solves
	CapHits    int64   // solves that ended at the cap of iterations
	Iterations int64   // of all solves
	MaxGap     float64 // largest Frank-Wolfe gap at the end of a solve
}

// NewPairs prepares the distances between the graphs: alpha weighs the structures
// and must be 1 for graphs without features. A bad alpha, no graphs, a nil one, feature
// dimensions that differ and bad settings are errors. Cost O(sum n_i^2).
func NewPairs(graphs []*Space, alpha float64, set *PairSettings) (*Pairs, error) {
	p := &Pairs{graphs: slices.Clone(graphs), alpha: alpha, set: *cmp.Or(set, &PairSettings{})}
	p.set.GW.MaxIter = cmp.Or(p.set.GW.MaxIter, 200)
	if len(graphs) == 0 {
		return nil, errors.New("gw: graphs is empty, expected one at least")
	}
	for i, g := range graphs {
		if err := checkPair(fmt.Sprintf("graphs[%d]", i), g, "graphs[0]", graphs[0], alpha); err != nil {
			return nil, err
		}
	}
	switch {
	case p.set.GW.Starts > 1:
		return nil, fmt.Errorf("gw: %d starts, expected one", p.set.GW.Starts)
	case p.set.GW.check() != nil:
		return nil, p.set.GW.check()
	case p.set.Chain.check() != nil:
		return nil, p.set.Chain.check()
	case p.set.Blocks < 0:
		return nil, fmt.Errorf("gw: %d blocks, expected a number >= 0", p.set.Blocks)
	}
	p.divide()
	return p, nil
}

// divide groups equal graphs and cuts the pairs of groups into blocks of equal estimated work.
func (p *Pairs) divide() {
	p.group = make([]int, len(p.graphs))
	seen := make(map[[sha256.Size]byte]int, len(p.graphs))
	for i, x := range p.graphs {
		key := x.Digest()
		g, ok := seen[key]
		if !ok {
			g = len(p.first)
			seen[key] = g
			p.first = append(p.first, i)
		}
		p.group[i] = g
	}
	n := len(p.first)
	pairs := n * (n - 1) / 2
	total := 0.0
	for i, j := range p.from(0, pairs) {
		total += p.work(i, j)
	}
	blocks := p.set.Blocks
	if blocks == 0 {
		blocks = 1 + int(total/blockWork)
	}
	blocks = max(1, min(blocks, pairs))
	p.cut = make([]int, 1, blocks+1)
	done, at := 0.0, 0
	for i, j := range p.from(0, pairs) {
		done += p.work(i, j)
		at++
		// Cut where the work is done, and where each block left must have a pair.
		b := len(p.cut)
		if b < blocks && (done >= total*float64(b)/float64(blocks) || pairs-at == blocks-b) {
			p.cut = append(p.cut, at)
		}
	}
	p.cut = append(p.cut, pairs)
}

// from yields the pairs of graphs i < j at the places from lo to hi-1 of the groups' upper triangle.
func (p *Pairs) from(lo, hi int) iter.Seq2[int, int] {
	return func(yield func(i, j int) bool) {
		n := len(p.first)
		start := func(i int) int { return i * (2*n - i - 1) / 2 } // of row i
		i := sort.Search(n, func(i int) bool { return start(i+1) > lo })
		for j, at := i+1+lo-start(i), lo; at < hi; at++ {
			if !yield(p.first[i], p.first[j]) {
				return
			}
			if j++; j == n {
				i++
				j = i + 1
			}
		}
	}
}

// of yields the pairs of block b in their order.
func (p *Pairs) of(b int) iter.Seq2[int, int] { return p.from(p.cut[b], p.cut[b+1]) }

// Digest returns a hash of structure, features and weights, bit by bit.
func (s *Space) Digest() [sha256.Size]byte {
	c, ld := s.C()
	buf := binary.LittleEndian.AppendUint64(nil, uint64(s.N()))
	for r := range s.N() {
		buf = appendFloats(buf, c[r*ld:r*ld+s.N()])
	}
	return sha256.Sum256(appendFloats(appendFloats(buf, s.A()), s.P()))
}

func appendFloats(buf []byte, x []float64) []byte {
	for _, v := range x {
		buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(v))
	}
	return buf
}

// blockWork is the estimated work of one block by default.
const blockWork = 1e7

// work estimates the time of one solve, in units of about 0.1 us: it goes with the
// product of the orders, and without features there are more iterations.
func (p *Pairs) work(i, j int) float64 {
	x, y := p.graphs[i], p.graphs[j]
	w := float64(x.N()*y.N() + 25)
	if x.D() == 0 {
		w *= 8
	}
	if p.set.Rand != nil {
		w *= float64(1 + cmp.Or(p.set.Chain.Starts, defaultStarts))
	}
	return w
}

// Len returns the number of graphs.
func (p *Pairs) Len() int { return len(p.graphs) }

// Blocks returns the number of blocks, at least 1.
func (p *Pairs) Blocks() int { return len(p.cut) - 1 }

// BlockLen returns the number of distances of block b, 0 where there is no such block.
func (p *Pairs) BlockLen(b int) int {
	if b < 0 || b >= p.Blocks() {
		return 0
	}
	return p.cut[b+1] - p.cut[b]
}

// Block computes block b, 0 <= b < Blocks(), with the given solver, whatever it was used for
// before. The context's error is returned when it ends first. A nil context or solver, and a b
// outside this range, are errors too.
func (p *Pairs) Block(ctx context.Context, b int, solver *Solver) (*PairBlock, error) {
	switch {
	case ctx == nil:
		return nil, errNoContext
	case solver == nil:
		return nil, errors.New("gw: solver is nil, expected one of this package")
	case b < 0 || b >= p.Blocks():
		return nil, fmt.Errorf("gw: b is %d, expected one of %d blocks, from 0", b, p.Blocks())
	}
	out := &PairBlock{Values: make([]float64, 0, p.BlockLen(b))}
	var chain Chain
	for i, j := range p.of(b) {
		x, y := p.graphs[i], p.graphs[j]
		if y.N() < x.N() {
			x, y = y, x
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var r Result
		var err error
		if p.set.Rand == nil {
			r, err = solver.Solve(ctx, x, y, p.alpha, nil, &p.set.GW)
		} else {
			draws := p.set.Chain
			draws.Rand = p.set.Rand(i, j)
			r, err = chain.Solve(ctx, solver, x, y, p.alpha, &draws, &p.set.GW)
		}
		if err != nil {
			return nil, err
		}
		out.Values = append(out.Values, math.Sqrt(r.Value))
		out.Solves++
		out.Iterations += int64(r.Iterations)
		out.MaxGap = max(out.MaxGap, r.Gap)
		if r.Status == MaxIterations {
			out.CapHits++
		}
	}
	return out, nil
}

// Matrix assembles all blocks, in their order, into the n x n matrix of distances, row by row:
// symmetric, with a zero diagonal. Errors: a number of blocks or of values that does not fit, and a
// value that is negative or not finite. Matrix reads only the Values of the blocks.
func (p *Pairs) Matrix(blocks []*PairBlock) ([]float64, error) {
	if len(blocks) != p.Blocks() {
		return nil, fmt.Errorf("gw: %d blocks, expected %d", len(blocks), p.Blocks())
	}
	for b, block := range blocks {
		if block == nil || len(block.Values) != p.BlockLen(b) {
			return nil, fmt.Errorf("gw: block %d does not hold %d distances", b, p.BlockLen(b))
		}
		for _, v := range block.Values {
			if !(v >= 0) || math.IsInf(v, 1) {
				return nil, fmt.Errorf("gw: block %d holds the distance %v, expected a finite number >= 0", b, v)
			}
		}
	}
	m, n := len(p.first), p.Len()
	small := make([]float64, m*m)
	for b, block := range blocks {
		at := 0
		for i, j := range p.of(b) {
			g, h, v := p.group[i], p.group[j], block.Values[at]
			small[g*m+h], small[h*m+g] = v, v
			at++
		}
	}
	out := make([]float64, n*n)
	for i, g := range p.group {
		row := small[g*m : (g+1)*m]
		for j, h := range p.group {
			out[i*n+j] = row[h]
		}
	}
	return out, nil
}

// SumBlocks returns the counts of all blocks together, without values. Nil blocks count as nothing.
func SumBlocks(blocks []*PairBlock) PairBlock {
	var out PairBlock
	for _, b := range blocks {
		if b == nil {
			continue
		}
		out.Solves += b.Solves
		out.CapHits += b.CapHits
		out.Iterations += b.Iterations
		out.MaxGap = max(out.MaxGap, b.MaxGap)
	}
	return out
}

// Pairwise returns the n x n matrix of the distances of all pairs of graphs, row by row: roots of
// the objective, symmetric, with a zero diagonal. took counts the solves. workers goroutines share
// the work, 0 counts as 1; the bytes do not depend on their number. Errors: as [NewPairs] has them,
// a negative number of workers, and the context's.
func Pairwise(ctx context.Context, graphs []*Space, alpha float64, set *PairSettings, workers int) (D []float64, took PairBlock, err error) {
	if workers, err = parallel.Workers(workers); err != nil {
		return nil, PairBlock{}, fmt.Errorf("gw: %w", err)
	}
	p, err := NewPairs(graphs, alpha, set)
	if err != nil {
		return nil, PairBlock{}, err
	}
	blocks := make([]*PairBlock, p.Blocks())
	solvers := make([]Solver, min(workers, len(blocks)))
	err = parallel.Each(len(solvers), len(blocks), func(worker, b int) (err error) {
		blocks[b], err = p.Block(ctx, b, &solvers[worker])
		return err
	})
	if err != nil {
		return nil, PairBlock{}, err
	}
	D, err = p.Matrix(blocks)
	return D, SumBlocks(blocks), err
}
