package main

import (
	"context"
	"fmt"
	"math"

	"ogdl/baselines/spectral"
	"ogdl/datasets"
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

// distances is the product of the pairwise (F)GW distances of a cell's graphs.
type distances struct {
	of     *cell
	alpha  float64
	gw     gw.Settings // without starts
	blocks int         // into which the matrix is cut; 0: as spectral.Pairs does
}

// kindOfDistances are the matrices of distances.
var kindOfDistances = &productKind{name: kindDistances, cost: costOfDistances, disk: diskOfDistances}

// productKinds are the kinds of product there are, by name.
func productKinds() map[string]*productKind {
	return map[string]*productKind{kindDistances: kindOfDistances}
}

func (d distances) Kind() *productKind { return kindOfDistances }

func (d distances) Key() string {
	return fmt.Sprintf("%s %v %v %d", d.of.spacesKey(), d.alpha, d.gw, d.blocks)
}

func (d distances) Label() string {
	s := d.of.dataset + " distances alpha=" + short(d.alpha)
	for _, q := range dataParams() {
		if x, ok := d.of.params[q.name]; ok && x != q.def {
			s += fmt.Sprintf(" %s=%v", q.name, x)
		}
	}
	if isSimulated(d.of.dataset) {
		s += fmt.Sprintf(" seed=%d", d.of.seed)
	}
	return s
}

func (d distances) Content() map[string]any {
	content := map[string]any{
		"version": distancesVersion,
		"dataset": d.of.dataset, "loader": loader.Version,
		"alpha": d.alpha, "tol_rel": d.gw.TolRel, "tol_abs": d.gw.TolAbs, "iterations": d.gw.MaxIter,
	}
	if d.of.own != nil {
		content["digest"] = d.of.own.digest
	}
	for _, k := range dataKeys {
		// Matrices of earlier versions know no weights.
		if v, ok := d.of.params[k]; ok && !(k == edgeWeightsKey && v == loader.EdgesUnweighted) {
			content[k] = v
		}
	}
	return content
}

// Coefficients of the estimates of matrices; see estimate.go.
const (
	costPair = 1.5e-7 // seconds per pair of distinct graphs, times their orders
	costFine = 1.1    // distances solved to less than 1e-6 beside those to 1e-6
)

// distinctPairs is the number of pairs whose distances are computed: of distinct graphs, which
// features tell apart.
func distinctPairs(content map[string]any, s size) float64 {
	graphs := float64(s.distinct)
	if features, _ := content["features"].(string); features != "" && features != datasets.KindNone {
		graphs = float64(s.graphs)
	}
	return graphs * graphs / 2
}

func costOfDistances(content map[string]any, s size) float64 {
	alpha, _ := content["alpha"].(float64)
	cost := costPair * distinctPairs(content, s) * s.order * s.order * (1 + float64(2*s.density)) * coupled(alpha)
	if tolRel, _ := content["tol_rel"].(float64); tolRel < 1e-6 {
		cost *= costFine
	}
	return cost
}

func diskOfDistances(content map[string]any, s size) float64 { return 8 * distinctPairs(content, s) }

// coupled is how a solve gets cheaper as the features decide it.
func coupled(alpha float64) float64 {
	square := alpha * alpha
	return 0.2 + float64(0.8*square*square)
}

// matrix is the finished matrix of pairwise (F)GW distances of a cell's graphs,
// shared read-only by all cells that need it.
type matrix struct {
	used   record.Used
	n      int
	values []float64 // n x n, row by row: roots, symmetric, zero diagonal
	// embeddings are the eigenvectors under the matrix's affinities, which cells share
	// as long as they share the matrix.
	embeddings memo[embeddingKey, *spectral.Embedding]
}

type embeddingKey struct {
	gamma    float64
	clusters int
}

// matrix computes the distances between the spaces, together with all cells that wait for them.
func (k *cache) matrix(ctx context.Context, d distances, spaces []*gw.Space, digest string) (*matrix, error) {
	return fetch(ctx, k, d, func() (*recipe[*spectral.Block, *matrix], error) { return d.recipe(spaces, digest) })
}

// recipe is how the matrix is computed. digest is that of data known by name.
func (d distances) recipe(spaces []*gw.Space, digest string) (*recipe[*spectral.Block, *matrix], error) {
	pairs, err := spectral.NewPairs(spaces, d.alpha, &spectral.PairSettings{GW: d.gw, Blocks: d.blocks})
	if err != nil {
		return nil, err
	}
	content := d.Content()
	if d.of.own == nil {
		content["digest"] = digest
	}
	head := record.NewProduct(kindDistances, content, pairs.Blocks())
	return &recipe[*spectral.Block, *matrix]{
		head:  head,
		label: d.Label(),
		worker: func() func(context.Context, int) (*spectral.Block, error) {
			var solver gw.Solver
			return func(ctx context.Context, b int) (*spectral.Block, error) { return pairs.Block(ctx, b, &solver) }
		},
		pack: packDistances,
		unpack: func(b int, arrays []npz.Array) (*spectral.Block, error) {
			return unpackDistances(arrays, pairs.BlockLen(b))
		},
		finish: func(blocks []*spectral.Block) (*matrix, error) {
			values, err := pairs.Matrix(blocks)
			if err != nil {
				return nil, err
			}
			sum := spectral.Sum(blocks)
			return &matrix{n: pairs.Len(), values: values, used: record.Used{ID: head.ID, Kind: kindDistances, Convergence: record.Convergence{
				Solves: sum.Solves, CapHits: sum.CapHits, Iterations: sum.Iterations, MaxGap: sum.MaxGap}}}, nil
		},
	}, nil
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
