package main

import (
	"context"
	"fmt"
	"math"
	"sync"

	"ogdl/baselines/spectral"
	"ogdl/datasets/loader"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/ot/gw"
)

const (
	kindDistances = "gw_distances"
	// distancesVersion is part of the identity of every matrix. Raise it when the
	// solves of ot/gw or the blocks of spectral.Pairs change, so that matrices of the
	// old ones are not reused.
	distancesVersion = 3
)

// Names of the arrays of a block of distances in the store.
const (
	arrayDistances = "distances" // in the order of spectral.Block
	arrayCounts    = "counts"    // solves, cap hits, iterations
	arrayMaxGap    = "max_gap"
)

// distanceSettings are what decides a matrix of distances, beside the graphs.
type distanceSettings struct {
	alpha  float64
	gw     gw.Settings // without starts
	blocks int         // into which the matrix is cut; 0: as spectral.Pairs does
}

// distances is the finished matrix of pairwise (F)GW distances of a cell's graphs,
// shared read-only by all cells that need it.
type distances struct {
	used   record.Used
	n      int
	matrix []float64 // n x n, row by row: roots, symmetric, zero diagonal
	// embeddings are the eigenvectors under the matrix's affinities, which cells share
	// as long as they share the matrix.
	embeddings memo[embeddingKey, *spectral.Embedding]
}

type embeddingKey struct {
	gamma    float64
	clusters int
}

// distances returns the matrix of distances that the method's row asks for,
// computing it together with all cells that wait for it. The time that takes is not
// the cell's, and the record says what the matrix is and how its solves went.
func (t *task) distances(ctx context.Context) (*distances, error) {
	var d *distances
	var err error
	t.watch.aside(func() { d, err = t.shelf.get(ctx, t) })
	if err != nil {
		return nil, err
	}
	t.used = append(t.used, d.used)
	return d, nil
}

// shelf holds the matrices that cells of this run still need. Safe for concurrent
// use.
type shelf struct {
	bench *bench

	mu      sync.Mutex
	entries map[string]*shelved
	left    map[string]int // cells that still need a key
}

// shelved is a matrix in the making, or made.
type shelved struct {
	once   sync.Once
	shared *shared[*spectral.Block, *distances]
	err    error
}

func newShelf(b *bench) *shelf {
	return &shelf{bench: b, entries: map[string]*shelved{}, left: map[string]int{}}
}

// distancesKey names the matrix that a cell needs; "" for none.
func (c *cell) distancesKey() string {
	if c.method.distances == nil {
		return ""
	}
	return fmt.Sprintf("%s %v", c.spacesKey(), c.method.distances(c.params))
}

// expect says which cells will need their matrix: it is freed when the last of them
// has released it.
func (s *shelf) expect(cells []*cell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range cells {
		if key := c.distancesKey(); key != "" {
			s.left[key]++
		}
	}
}

// release says that a cell needs its matrix no more.
func (s *shelf) release(c *cell) {
	key := c.distancesKey()
	if key == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left[key]--; s.left[key] <= 0 {
		delete(s.left, key)
		delete(s.entries, key)
	}
}

func (s *shelf) get(ctx context.Context, t *task) (*distances, error) {
	key := t.cell.distancesKey()
	s.mu.Lock()
	e := s.entries[key]
	if e == nil {
		e = &shelved{}
		s.entries[key] = e
	}
	s.mu.Unlock()
	e.once.Do(func() {
		defer caught(&e.err)
		var r *recipe[*spectral.Block, *distances]
		if r, e.err = distancesRecipe(t); e.err == nil {
			e.shared, e.err = newShared(s.bench, r)
		}
	})
	if e.err != nil {
		return nil, e.err
	}
	return e.shared.get(ctx)
}

// distancesRecipe is how the matrix of a cell is computed.
func distancesRecipe(t *task) (*recipe[*spectral.Block, *distances], error) {
	set := t.cell.method.distances(t.cell.params)
	pairs, err := spectral.NewPairs(t.spaces, set.alpha, &spectral.PairSettings{GW: set.gw, Blocks: set.blocks})
	if err != nil {
		return nil, err
	}
	content := distancesContent(t.cell, set)
	if t.cell.own == nil {
		content["digest"] = t.data.Digest
	}
	head := record.NewProduct(kindDistances, content, pairs.Blocks())
	return &recipe[*spectral.Block, *distances]{
		head:  head,
		label: labelOf(t.cell),
		worker: func() func(context.Context, int) (*spectral.Block, error) {
			var solver gw.Solver
			return func(ctx context.Context, b int) (*spectral.Block, error) { return pairs.Block(ctx, b, &solver) }
		},
		pack: packDistances,
		unpack: func(b int, arrays []npz.Array) (*spectral.Block, error) {
			return unpackDistances(arrays, pairs.BlockLen(b))
		},
		finish: func(blocks []*spectral.Block) (*distances, error) {
			matrix, err := pairs.Matrix(blocks)
			if err != nil {
				return nil, err
			}
			sum := spectral.Sum(blocks)
			return &distances{n: pairs.Len(), matrix: matrix, used: record.Used{ID: head.ID, Kind: kindDistances, Convergence: record.Convergence{
				Solves: sum.Solves, CapHits: sum.CapHits, Iterations: sum.Iterations, MaxGap: sum.MaxGap}}}, nil
		},
	}, nil
}

// distancesContent is what decides a matrix, but for the digest of data known by name.
func distancesContent(c *cell, set distanceSettings) map[string]any {
	content := map[string]any{
		"version": distancesVersion,
		"dataset": c.dataset, "loader": loader.Version,
		"alpha": set.alpha, "tol_rel": set.gw.TolRel, "tol_abs": set.gw.TolAbs, "iterations": set.gw.MaxIter,
	}
	if c.own != nil {
		content["digest"] = c.own.digest
	}
	for _, k := range dataKeys {
		// Matrices of earlier versions know no weights.
		if v, ok := c.params[k]; ok && !(k == edgeWeightsKey && v == loader.EdgesUnweighted) {
			content[k] = v
		}
	}
	return content
}

// labelOf names the matrix that a cell needs in messages; "" for none.
func labelOf(c *cell) string {
	if c.method.distances == nil {
		return ""
	}
	return c.dataset + " distances" + distinguish(c, c.method.distances(c.params))
}

// distinguish tells the matrices of a data set apart in messages: alpha, and the data
// parameters that are not their defaults.
func distinguish(c *cell, set distanceSettings) string {
	s := " alpha=" + short(set.alpha)
	for _, q := range dataParams() {
		if x, ok := c.params[q.name]; ok && x != q.def {
			s += fmt.Sprintf(" %s=%v", q.name, x)
		}
	}
	if isSimulated(c.dataset) {
		s += fmt.Sprintf(" seed=%d", c.seed)
	}
	return s
}

func packDistances(b *spectral.Block) []npz.Array {
	return []npz.Array{
		{Name: arrayDistances, Shape: []int{len(b.Values)}, Float: b.Values},
		{Name: arrayCounts, Shape: []int{3}, Int: []int{int(b.Solves), int(b.CapHits), int(b.Iterations)}},
		{Name: arrayMaxGap, Shape: []int{1}, Float: []float64{b.MaxGap}},
	}
}

// unpackDistances reads a block of n distances.
func unpackDistances(arrays []npz.Array, n int) (*spectral.Block, error) {
	find := func(name string, floats, ints int) (*npz.Array, error) {
		a, err := npz.Find(arrays, name)
		if err == nil && (len(a.Float) != floats || len(a.Int) != ints || len(a.Text) > 0) {
			err = fmt.Errorf("array %s does not hold %d numbers", name, floats+ints)
		}
		return a, err
	}
	values, err := find(arrayDistances, n, 0)
	if err != nil {
		return nil, err
	}
	for _, x := range values.Float {
		if !(x >= 0) || math.IsInf(x, 1) {
			return nil, fmt.Errorf("the distance %v, want a finite number >= 0", x)
		}
	}
	counts, err := find(arrayCounts, 0, 3)
	if err != nil {
		return nil, err
	}
	gap, err := find(arrayMaxGap, 1, 0)
	if err != nil {
		return nil, err
	}
	return &spectral.Block{Values: values.Float, MaxGap: gap.Float[0],
		Solves: int64(counts.Int[0]), CapHits: int64(counts.Int[1]), Iterations: int64(counts.Int[2])}, nil
}
