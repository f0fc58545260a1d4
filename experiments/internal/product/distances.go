package product

import (
	"context"
	"fmt"
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
	// distancesVersion is part of the identity of every matrix. Raise it when the solves of ot/gw
	// or the blocks of gw.Pairs change, so that matrices of the old ones are not reused.
	distancesVersion = 3
)

// Distances is the product of the pairwise (F)GW distances of a cell's graphs.
type Distances struct {
	Of    *spec.Cell
	Alpha float64
	GW    gw.Settings // without starts
	// Starts of each pair besides p q', from a chain, and the steps between two of them; 0: none.
	Starts, Skip int
}

// Kinds are the kinds of product there are.
var Kinds = []string{kindDistances, kindKernel, kindFolds, KindDictionary, kindModelDistances}

// contentOf returns the content of every product of a cell's data.
func contentOf(c *spec.Cell) map[string]any {
	content := map[string]any{"dataset": c.Dataset, "loader": loader.Version}
	if c.Own != nil {
		content["digest"] = c.Own.Digest
	}
	return content
}

// Product describes the distances.
func (d Distances) Product() spec.Product {
	content, label := contentOf(d.Of), d.Of.Dataset+" distances alpha="+spec.Short(d.Alpha)
	content["version"], content["alpha"] = distancesVersion, d.Alpha
	content["tol_rel"], content["tol_abs"], content["iterations"] = d.GW.TolRel, d.GW.TolAbs, d.GW.MaxIter
	if d.Starts > 0 {
		content["starts"], content["skip"], content["seed"] = d.Starts, d.Skip, d.Of.Seed
		label += fmt.Sprintf(" starts=%d skip=%d", d.Starts, d.Skip)
	}
	for _, q := range spec.DataParams() {
		v, ok := d.Of.Params[q.Name]
		if ok && v != q.Def {
			label += fmt.Sprintf(" %s=%v", q.Name, v)
		}
		if ok && !(q.Name == spec.EdgeWeightsKey && v == loader.EdgesUnweighted) { // matrices of earlier versions know no weights
			content[q.Name] = v
		}
	}
	if spec.IsSimulated(d.Of.Dataset) {
		label += fmt.Sprintf(" seed=%d", d.Of.Seed)
	}
	return spec.Product{Kind: kindDistances, Label: label, Of: d.Of, Content: content}
}

// Matrix is the finished matrix of pairwise (F)GW distances of a cell's graphs,
// shared read-only by all cells that need it.
type Matrix struct {
	Used   record.Used
	N      int
	Values []float64 // n x n, row by row: roots, symmetric, zero diagonal
	// Embeddings are the eigenvectors under the matrix's affinities, shared as the matrix is.
	Embeddings memo.Memo[EmbeddingKey, *spectral.Embedding]
}

func (m *Matrix) used() *record.Used { return &m.Used }

// EmbeddingKey identifies an embedding by eigenvectors: the affinities' gamma and the number of clusters.
type EmbeddingKey struct {
	Gamma    float64
	Clusters int
}

// Matrix computes the distances between the spaces, together with all cells that wait for them.
func (k *Cache) Matrix(ctx context.Context, d Distances, spaces []*gw.Space, digest string) (*Matrix, error) {
	return fetch(ctx, k, d.Product(), digest, func() (*recipe[*gw.PairBlock, *Matrix], error) {
		set := &gw.PairSettings{GW: d.GW, Blocks: k.Blocks, Chain: gw.ChainSettings{Starts: d.Starts, Skip: d.Skip}}
		if d.Starts > 0 {
			set.Rand = func(i, j int) *rand.Rand {
				return source.Rand(d.Of.Seed, d.Of.Dataset, 0, fmt.Sprintf("chain %d %d", i, j))
			}
		}
		return matrixRecipe(spaces, d.Alpha, set)
	})
}

// matrixRecipe returns the recipe of the matrix of distances between spaces.
func matrixRecipe(spaces []*gw.Space, alpha float64, set *gw.PairSettings) (*recipe[*gw.PairBlock, *Matrix], error) {
	pairs, err := gw.NewPairs(spaces, alpha, set)
	if err != nil {
		return nil, err
	}
	return &recipe[*gw.PairBlock, *Matrix]{
		blocks:  pairs.Blocks(),
		compute: func(ctx context.Context, b int) (*gw.PairBlock, error) { return pairs.Block(ctx, b, &gw.Solver{}) },
		pack: func(b *gw.PairBlock) []npz.Array {
			kept := keptPairs{b.Values, []int{int(b.Solves), int(b.CapHits), int(b.Iterations)}, []float64{b.MaxGap}}
			return npz.Arrays(kept.slots(len(b.Values))...)
		},
		unpack: func(b int, arrays []npz.Array) (*gw.PairBlock, error) {
			return unpackDistances(arrays, pairs.BlockLen(b))
		},
		finish: func(blocks []*gw.PairBlock) (*Matrix, error) {
			values, err := pairs.Matrix(blocks)
			sum := gw.SumBlocks(blocks)
			ended := record.Convergence{Solves: sum.Solves, CapHits: sum.CapHits, Iterations: sum.Iterations, MaxGap: sum.MaxGap}
			return &Matrix{N: pairs.Len(), Values: values, Used: record.Used{Convergence: ended}}, err
		},
	}, nil
}

// keptPairs is a block of distances as a store has it.
type keptPairs struct {
	values []float64 // in the order of gw.PairBlock
	counts []int     // solves, cap hits, iterations
	gap    []float64 // the largest
}

func (k *keptPairs) slots(n int) []npz.Slot {
	return []npz.Slot{npz.SlotOf("distances", &k.values, n), npz.SlotOf("counts", &k.counts, 3), npz.SlotOf("max_gap", &k.gap, 1)}
}

// unpackDistances reads a block of n distances.
func unpackDistances(arrays []npz.Array, n int) (*gw.PairBlock, error) {
	var k keptPairs
	f := npz.Among(arrays, "a block of distances")
	if f.Fill(k.slots(n)...); f.Err() != nil {
		return nil, f.Err()
	}
	for _, x := range k.values {
		if !(x >= 0) || math.IsInf(x, 1) {
			return nil, fmt.Errorf("the distance %v, want a finite number >= 0", x)
		}
	}
	return &gw.PairBlock{Values: k.values, MaxGap: k.gap[0], Solves: int64(k.counts[0]), CapHits: int64(k.counts[1]), Iterations: int64(k.counts[2])}, nil
}
