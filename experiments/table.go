package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"ogdl/baselines/gwf"
	"ogdl/datasets"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/ot/gw"
)

// row is one row of the table of methods: a baseline joins by adding its own to methods().
type row struct {
	method
	fit fit
}

// fit runs a method on one cell.
type fit func(ctx context.Context, t *task) (*fitted, error)

// methodTable is the table of methods of a program.
type methodTable []row

// methods returns the table. It is a function, not a variable, so that nothing
// can change it behind a run's back.
func methods() methodTable {
	return methodTable{
		gdlMethod(),
		gwfMethod("GWF-r", gwf.RandomOrder), gwfMethod("GWF-f", gwf.FixedOrder),
		gdlhMethod(),
		gwkMethod(), spectralMethod(), distancesMethod(),
		gdlTimeMethod(), gwfTimeMethod(),
		onlineMethod(),
		statisticsMethod(),
	}
}

// described are the rows without what computes them.
func (t methodTable) described() []method {
	out := make([]method, len(t))
	for i, r := range t {
		out[i] = r.method
	}
	return out
}

// fit computes a cell by the row of its method.
func (t methodTable) fit(ctx context.Context, of *task) (*fitted, error) {
	for _, r := range t {
		if r.name == of.cell.method.name {
			return r.fit(ctx, of)
		}
	}
	return nil, fmt.Errorf("no method %q", of.cell.method.name)
}

// task is what a method gets: read-only data, resolved parameters and the cell's
// random streams. Numerics are serial: cells run in parallel.
type task struct {
	params   values
	data     *datasets.Dataset
	spaces   []*gw.Space // one per graph; nil for methods that do not work on them
	features *datasets.FeatureMap
	// proportions are, for D2, each graph's share of nodes in the first block.
	proportions []float64
	stream      *opened // of methods that read streams; nil for the others
	// rng returns the random stream of a stage ("init", "batches", "kmeans"), the
	// same for every method and hyper-parameter of one (data set, repetition).
	rng func(stage string) *rand.Rand

	cell       *cell
	cache      *cache
	watch      *stopwatch
	checkpoint checkpoint
	used       []record.Used // products that the fit rested on
}

// checkpoint is where a cell keeps what it goes on from when it is stopped before its end.
type checkpoint struct {
	store *record.Store // nil: nothing is kept
	// resume says that the cell has no result yet: one that is computed again begins afresh.
	resume bool
	logf   func(format string, args ...any) // what a user should know; may be nil
}

// note tells what a user should know.
func (p *checkpoint) note(format string, args ...any) {
	if p.logf != nil {
		p.logf(format, args...)
	}
}

// clusters is the number of clusters that the cell asks for; 0 if that is the number
// of classes and there are none.
func (t *task) clusters() int {
	if t.params.text("clusters") != wordClasses {
		return t.params.integer("clusters")
	}
	return t.data.NumClasses()
}

// distances returns a matrix of distances of the task's graphs. The time that takes is not
// the cell's, and the record says what the matrix is and how its solves went.
func (t *task) distances(ctx context.Context) (*matrix, error) {
	var m *matrix
	var err error
	d := t.cell.products()[0].(distances)
	t.watch.pause(func() { m, err = t.cache.matrix(ctx, d, t.spaces, t.data.Digest) })
	if err != nil {
		return nil, err
	}
	t.used = append(t.used, m.used)
	return m, nil
}

// Names of the arrays beside a dictionary's own in a cell's npz.
const (
	arrayCenters    = "centers"         // clusters x width, in the coordinates of k-means
	arrayAssignment = "assignment"      // cluster of every graph
	arrayParams     = "cell_parameters" // JSON: every parameter, resolved
	arrayFeatures   = "cell_features"   // JSON: the map from labels or attributes to features
	arrayMethod     = "cell_method"     // the method's name
	arrayDataset    = "cell_dataset"    // and the data set's
)

// errNoClusters ends the cell of a method that does nothing but cluster.
var errNoClusters = errors.New(`clusters = "classes": the data set has no classes; give their number, clusters = N`)

// fitted is what a method hands back.
type fitted struct {
	// embedding holds one row of width numbers per graph, in coordinates whose
	// Euclidean distance is the method's own: k-means clusters these. Methods that
	// cluster by themselves leave it nil and give labels.
	embedding []float64
	width     int
	labels    []int
	// models returns what the method makes of every graph, for cluster_by =
	// "gw_kmeans", and the order of the centroids (0: the median of the models').
	models func() (spaces []*gw.Space, order int, err error)

	scores      map[string]float64
	times       *record.EmbedTimes // of methods that measure time
	convergence record.Convergence
	epochLoss   []float64
	notes       []string
	// arrays are kept in the cell's npz: what the method learned.
	arrays []npz.Array
}
