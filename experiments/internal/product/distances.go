package product

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"

	"ogdl/baselines/spectral"
	"ogdl/datasets/loader"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/memo"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/ot/gw"
)

const (
	kindDistances = "gw_distances"
	// distancesVersion is part of the identity of every matrix. Raise it when the
	// solves of ot/gw or the blocks of gw.Pairs change, so that matrices of the
	// old ones are not reused.
	distancesVersion = 3
)

// Names of the arrays of a block of distances in the store.
const (
	arrayDistances = "distances" // in the order of gw.PairBlock
	arrayCounts    = "counts"    // solves, cap hits, iterations
	arrayMaxGap    = "max_gap"
)

// Distances is the product of the pairwise (F)GW distances of a cell's graphs.
type Distances struct {
	Of     *spec.Cell
	Alpha  float64
	GW     gw.Settings // without starts
	Blocks int         // into which the matrix is cut; 0: as gw.Pairs does
	// Starts of each pair besides p q', from a chain, and the steps between two of them; 0: none.
	Starts, Skip int
}

// Kinds are the kinds of product there are.
var Kinds = []string{kindDistances, kindKernel, kindFolds, KindDictionary, kindModelDistances}

func (d Distances) Kind() string { return kindDistances }

func (d Distances) Key() string {
	return fmt.Sprintf("%s %v %v %d %v", d.Of.SpacesKey(), d.Alpha, d.GW, d.Blocks, d.chain())
}

// chain is the part of the content that says where starts come from; nil without.
func (d Distances) chain() map[string]any {
	if d.Starts == 0 {
		return nil
	}
	return map[string]any{"starts": d.Starts, "skip": d.Skip, "seed": d.Of.Seed}
}

func (d Distances) Label() string {
	s := d.Of.Dataset + " distances alpha=" + spec.Short(d.Alpha)
	if d.Starts > 0 {
		s += fmt.Sprintf(" starts=%d skip=%d", d.Starts, d.Skip)
	}
	for _, q := range spec.DataParams() {
		if x, ok := d.Of.Params[q.Name]; ok && x != q.Def {
			s += fmt.Sprintf(" %s=%v", q.Name, x)
		}
	}
	if spec.IsSimulated(d.Of.Dataset) {
		s += fmt.Sprintf(" seed=%d", d.Of.Seed)
	}
	return s
}

func (d Distances) Content() map[string]any {
	content := map[string]any{
		"version": distancesVersion,
		"dataset": d.Of.Dataset, "loader": loader.Version,
		"alpha": d.Alpha, "tol_rel": d.GW.TolRel, "tol_abs": d.GW.TolAbs, "iterations": d.GW.MaxIter,
	}
	maps.Copy(content, d.chain())
	if d.Of.Own != nil {
		content["digest"] = d.Of.Own.Digest
	}
	for _, k := range spec.DataKeys {
		// Matrices of earlier versions know no weights.
		if v, ok := d.Of.Params[k]; ok && !(k == spec.EdgeWeightsKey && v == loader.EdgesUnweighted) {
			content[k] = v
		}
	}
	return content
}

// Matrix is the finished matrix of pairwise (F)GW distances of a cell's graphs,
// shared read-only by all cells that need it.
type Matrix struct {
	Used   record.Used
	N      int
	Values []float64 // n x n, row by row: roots, symmetric, zero diagonal
	// Embeddings are the eigenvectors under the matrix's affinities, which cells share
	// as long as they share the matrix.
	Embeddings memo.Memo[EmbeddingKey, *spectral.Embedding]
}

func (m *Matrix) used() *record.Used { return &m.Used }

type EmbeddingKey struct {
	Gamma    float64
	Clusters int
}

// Matrix computes the distances between the spaces, together with all cells that wait for them.
func (k *Cache) Matrix(ctx context.Context, d Distances, spaces []*gw.Space, digest string) (*Matrix, error) {
	return fetch(ctx, k, d, func() (*recipe[*gw.PairBlock, *Matrix], error) {
		set := &gw.PairSettings{GW: d.GW, Blocks: d.Blocks, Chain: gw.ChainSettings{Starts: d.Starts, Skip: d.Skip}}
		if d.Starts > 0 {
			set.Rand = func(i, j int) *rand.Rand {
				return source.Rand(d.Of.Seed, d.Of.Dataset, 0, fmt.Sprintf("chain %d %d", i, j))
			}
		}
		return matrixRecipe(d, withDigest(d.Content(), d.Of, digest), spaces, d.Alpha, set)
	})
}

// withDigest adds the digest of data known by name.
func withDigest(content map[string]any, of *spec.Cell, digest string) map[string]any {
	if of.Own == nil {
		content["digest"] = digest
	}
	return content
}

// matrixRecipe is how a product of that content is computed that is the matrix of the spaces' distances.
func matrixRecipe(p spec.Product, content map[string]any, spaces []*gw.Space, alpha float64, set *gw.PairSettings,
) (*recipe[*gw.PairBlock, *Matrix], error) {
	pairs, err := gw.NewPairs(spaces, alpha, set)
	if err != nil {
		return nil, err
	}
	return &recipe[*gw.PairBlock, *Matrix]{
		head: record.NewProduct(p.Kind(), content, pairs.Blocks()),
		worker: func() func(context.Context, int) (*gw.PairBlock, error) {
			var solver gw.Solver
			return func(ctx context.Context, b int) (*gw.PairBlock, error) { return pairs.Block(ctx, b, &solver) }
		},
		pack: packDistances,
		unpack: func(b int, arrays []npz.Array) (*gw.PairBlock, error) {
			return unpackDistances(arrays, pairs.BlockLen(b))
		},
		finish: func(blocks []*gw.PairBlock) (*Matrix, error) {
			values, err := pairs.Matrix(blocks)
			if err != nil {
				return nil, err
			}
			sum := gw.SumBlocks(blocks)
			return &Matrix{N: pairs.Len(), Values: values, Used: record.Used{Convergence: record.Convergence{
				Solves: sum.Solves, CapHits: sum.CapHits, Iterations: sum.Iterations, MaxGap: sum.MaxGap}}}, nil
		},
	}, nil
}

func packDistances(b *gw.PairBlock) []npz.Array {
	return []npz.Array{
		{Name: arrayDistances, Shape: []int{len(b.Values)}, Float: b.Values},
		{Name: arrayCounts, Shape: []int{3}, Int: []int{int(b.Solves), int(b.CapHits), int(b.Iterations)}},
		{Name: arrayMaxGap, Shape: []int{1}, Float: []float64{b.MaxGap}},
	}
}

// unpackDistances reads a block of n distances.
func unpackDistances(arrays []npz.Array, n int) (*gw.PairBlock, error) {
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
	return &gw.PairBlock{Values: values.Float, MaxGap: gap.Float[0],
		Solves: int64(counts.Int[0]), CapHits: int64(counts.Int[1]), Iterations: int64(counts.Int[2])}, nil
}
