package product

import (
	"context"
	"fmt"
	"math"

	"ogdl/baselines/spectral"
	"ogdl/datasets/loader"
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

// Distances is the product of the pairwise (F)GW distances of a cell's graphs, under these settings without starts. Each
// pair is solved from p q' and from couplings of a chain: the parameter starts is their number (0: none), skip the steps
// between two of them.
func Distances(of *spec.Cell, set gw.Settings) spec.Product {
	alpha, starts, skip := of.Params.Number("alpha"), of.Params.Integer("starts"), of.Params.Integer("skip")
	content, label := contentOf(of), of.Dataset+" distances alpha="+spec.Short(alpha)
	content["version"], content["alpha"] = distancesVersion, alpha
	content["tol_rel"], content["tol_abs"], content["iterations"] = set.TolRel, set.TolAbs, set.MaxIter
	if starts > 0 {
		content["starts"], content["skip"], content["seed"] = starts, skip, of.Seed
		label += fmt.Sprintf(" starts=%d skip=%d", starts, skip)
	}
	for _, q := range spec.DataParams() {
		v, ok := of.Params[q.Name]
		if ok && v != q.Def {
			label += fmt.Sprintf(" %s=%v", q.Name, v)
		}
		if ok && !(q.Name == spec.EdgeWeightsKey && v == loader.EdgesUnweighted) { // matrices of earlier versions know no weights
			content[q.Name] = v
		}
	}
	if spec.IsSimulated(of.Dataset) {
		label += fmt.Sprintf(" seed=%d", of.Seed)
	}
	return spec.Product{Kind: kindDistances, Label: label, Of: of, Content: content}
}

// Work is what the time of a whole product is in proportion to: for distances the couplings that a pair is solved from. params
// are of a cell that uses it, or the product's content.
func Work(kind string, params map[string]any) float64 {
	if kind != kindDistances {
		return 1
	}
	read, _ := params["starts"].(float64) // from JSON
	return 1 + read + float64(spec.Values(params).Integer("starts"))
}

// Matrix is the finished matrix of pairwise (F)GW distances of a cell's graphs,
// shared read-only by all cells that need it.
type Matrix struct {
	N           int
	Convergence record.Convergence
	Values      []float64 // n x n, row by row: roots, symmetric, zero diagonal
	// Embeddings are the eigenvectors under the matrix's affinities, shared as the matrix is.
	Embeddings memo.Memo[EmbeddingKey, *spectral.Embedding]
}

// EmbeddingKey identifies an embedding by eigenvectors: the affinities' gamma and the number of clusters.
type EmbeddingKey struct {
	Gamma    float64
	Clusters int
}

// Matrix computes a matrix of distances of the pairs that prepare gives, together with all cells that wait for it.
func (k *Cache) Matrix(ctx context.Context, p spec.Product, digest string, prepare func() (*gw.Pairs, error)) (*Matrix, error) {
	return fetch(ctx, k, p, digest, func() (*recipe[*gw.PairBlock, *Matrix], error) {
		pairs, err := prepare()
		if err != nil {
			return nil, err
		}
		return &recipe[*gw.PairBlock, *Matrix]{
			blocks:  pairs.Blocks(),
			compute: func(ctx context.Context, b int) (*gw.PairBlock, error) { return pairs.Block(ctx, b, &gw.Solver{}) },
			pack: func(b *gw.PairBlock) []npz.Array {
				counts, gap := []int{int(b.Solves), int(b.CapHits), int(b.Iterations)}, []float64{b.MaxGap}
				return npz.Arrays(pairSlots(&b.Values, &counts, &gap, len(b.Values))...)
			},
			unpack: func(b int, arrays []npz.Array) (*gw.PairBlock, error) {
				return unpackDistances(arrays, pairs.BlockLen(b))
			},
			finish: func(blocks []*gw.PairBlock) (*Matrix, error) {
				values, err := pairs.Matrix(blocks)
				sum := gw.SumBlocks(blocks)
				ended := record.Convergence{Solves: sum.Solves, CapHits: sum.CapHits, Iterations: sum.Iterations, MaxGap: sum.MaxGap}
				return &Matrix{N: pairs.Len(), Convergence: ended, Values: values}, err
			},
			solves: func(m *Matrix) record.Convergence { return m.Convergence },
		}, nil
	})
}

// pairSlots are the arrays of a block of n distances in the store: values in the order of gw.PairBlock; solves, cap hits and iterations; the
// largest gap.
func pairSlots(values *[]float64, counts *[]int, gap *[]float64, n int) []npz.Slot {
	return []npz.Slot{npz.SlotOf("distances", values, n), npz.SlotOf("counts", counts, 3), npz.SlotOf("max_gap", gap, 1)}
}

// unpackDistances reads a block of n distances.
func unpackDistances(arrays []npz.Array, n int) (*gw.PairBlock, error) {
	var values, gap []float64
	var counts []int
	f := npz.Among(arrays, "a block of distances")
	if f.Fill(pairSlots(&values, &counts, &gap, n)...); f.Err() != nil {
		return nil, f.Err()
	}
	for _, x := range values {
		if !(x >= 0) || math.IsInf(x, 1) {
			return nil, fmt.Errorf("the distance %v, want a finite number >= 0", x)
		}
	}
	return &gw.PairBlock{Values: values, MaxGap: gap[0], Solves: int64(counts[0]), CapHits: int64(counts[1]), Iterations: int64(counts[2])}, nil
}
