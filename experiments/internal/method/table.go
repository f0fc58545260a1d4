// Package method defines Row, Task and Result, the interface of a method. It implements the methods
// that embed and cluster graphs, and those that measure times and distances.
package method

import (
	"context"
	"fmt"
	"math/rand/v2"

	"ogdl/baselines/gwf"
	"ogdl/datasets"
	"ogdl/experiments/internal/product"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/ot/gw"
)

// Row is one row of the table of methods: a baseline joins by adding its own to [Rows].
type Row struct {
	spec.Method
	Fit Fit
}

// Fit runs a method on one cell.
type Fit func(ctx context.Context, t *Task) (*Result, error)

// Table is a table of methods.
type Table []Row

// Rows are the rows of all methods but those that classify.
func Rows() Table {
	return Table{
		GDL(),
		GWF("GWF-r", gwf.RandomOrder), GWF("GWF-f", gwf.FixedOrder),
		GDLH(),
		gwkMethod(), spectralMethod(), distancesMethod(),
		gdlTimeMethod(), gwfTimeMethod(),
		onlineMethod(),
		statisticsMethod(),
	}
}

// Described returns the descriptions of all rows, without the Fit functions.
func (t Table) Described() []spec.Method {
	out := make([]spec.Method, len(t))
	for i, r := range t {
		out[i] = r.Method
		out[i].All = r.Parameters()
	}
	return out
}

// Fit computes a cell by the row of its method.
func (t Table) Fit(ctx context.Context, of *Task) (*Result, error) {
	for _, r := range t {
		if r.Name == of.Cell.Method.Name {
			return r.Fit(ctx, of)
		}
	}
	return nil, fmt.Errorf("no method %q", of.Cell.Method.Name)
}

// Task holds the inputs of Fit: read-only data, resolved parameters and random streams. Numerics
// are serial: cells run in parallel.
type Task struct {
	Params   spec.Values
	Data     *datasets.Dataset
	Spaces   []*gw.Space // one per graph; nil for methods that do not work on them
	Features *datasets.FeatureMap
	// Proportions are, for D2, each graph's share of nodes in the first block.
	Proportions []float64
	Stream      *source.Stream // of methods that read streams; nil for the others
	// Rand returns the random stream of a stage ("init", "batches", "kmeans"), the
	// same for every method and hyper-parameter of one (data set, repetition).
	Rand func(stage string) *rand.Rand

	Cell       *spec.Cell
	Cache      *product.Cache
	Checkpoint Checkpoint
}

// NoteIf adds a note for the record if a condition holds.
func (out *Result) NoteIf(holds bool, format string, args ...any) {
	if holds {
		out.Notes = append(out.Notes, fmt.Sprintf(format, args...))
	}
}

// At returns the elements of a list at some places.
func At[T any](list []T, places []int) []T {
	out := make([]T, len(places))
	for k, i := range places {
		out[k] = list[i]
	}
	return out
}

// Checkpoint stores the state of an unfinished cell.
type Checkpoint struct {
	Store *record.Store
	// Resume lets the cell continue from its checkpoint. It is false for a cell that has a result.
	Resume bool
	Logf   func(format string, args ...any) // logs messages for the user
}

// Clusters is the number of clusters that the cell asks for; 0 if that is the number
// of classes and there are none.
func (t *Task) Clusters() int {
	if t.Params.Text("clusters") != wordClasses {
		return t.Params.Integer("clusters")
	}
	return t.Data.NumClasses()
}

// Distances returns the matrix of distances of the task's graphs that [product.Distances] describes.
func (t *Task) Distances(ctx context.Context, set gw.Settings) (*product.Matrix, error) {
	c, v := t.Cell, t.Params
	return t.Cache.Matrix(ctx, product.Distances(c, set), t.Data.Digest, func() (*gw.Pairs, error) {
		chain := gw.ChainSettings{Starts: v.Integer("starts"), Skip: v.Integer("skip")}
		pairs := &gw.PairSettings{GW: set, Blocks: t.Cache.Blocks, Chain: chain}
		if chain.Starts > 0 {
			pairs.Rand = func(i, j int) *rand.Rand { return source.Rand(c.Seed, c.Dataset, 0, fmt.Sprintf("chain %d %d", i, j)) }
		}
		return gw.NewPairs(t.Spaces, v.Number("alpha"), pairs)
	})
}

// Result holds the outputs of Fit.
type Result struct {
	// Embedding holds one row of width numbers per graph, in coordinates whose
	// Euclidean distance is the method's own: k-means clusters these. Methods that
	// cluster by themselves leave it nil and give labels.
	Embedding []float64
	Width     int
	Labels    []int
	// models returns the model of every graph, for cluster_by = "gw_kmeans", and the order of the
	// centroids; 0 means the models' median order.
	models func() (spaces []*gw.Space, order int, err error)
	// A method that predicts classes sets one of three: Distances (n x n, for kernels exp(-gamma
	// D)), Kernel (n x n), or Predictions of the split's test part, in its order.
	Distances, Kernel []float64
	Predictions       []int

	// Reconstruction is the objective without penalty of each graph, of methods that learn GDL's dictionaries.
	Reconstruction []float64

	Scores      map[string]float64
	Times       *record.EmbedTimes // of methods that measure time
	Convergence record.Convergence
	EpochLoss   []float64
	Notes       []string
	// Arrays are the learned arrays, kept in the cell's npz.
	Arrays []npz.Array
}
