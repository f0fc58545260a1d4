package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"ogdl/baselines/gwf"
	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/ot/gw"
	"ogdl/reports/summary"
)

// method is one row of the table of methods: everything the program knows about
// an algorithm. A baseline joins by adding its row to methods() and a fit function.
type method struct {
	name string
	// version is part of every cell's identity. Raise it when a default or the
	// algorithm changes, so that numbers of the old one are not reused.
	version int
	doc     string
	// tables are the kinds of table that the method's numbers may go to.
	tables []string
	// params are the method's own parameters; shared ones (data, clustering) are
	// added by parameters().
	params []param
	// fits says that the method works on gw.Spaces and yields a clustering: it gets
	// the data and clustering parameters, seeds and repetitions. The others see the
	// data set alone, once.
	fits bool
	// streams says that the method reads its graphs one by one: nothing is loaded for
	// it, task.data and task.spaces are nil, and task.stream is where graphs come from.
	streams bool
	// alone says that cells measure time: they run one after the other when all others
	// are done, and what another machine has measured is not reused.
	alone bool
	// check holds rules between parameters; it returns the key at fault and what is
	// allowed, or "".
	check func(v values) (key, want string)
	// resolve adds to v what depends on the data set (order = "median" becomes a
	// number); nil where nothing does.
	resolve func(v values, d *datasets.Dataset) error
	// fit runs the method on one cell.
	fit func(ctx context.Context, t *task) (*fitted, error)
	// distances says which matrix of pairwise distances a cell needs, for methods
	// that call task.distances; nil for the others.
	distances func(v values) distanceSettings
	// shares names what cells on one matrix share besides it, computed by the first of
	// them: they are spread, so that few wait for it. nil where there is nothing.
	shares func(v values) string
	// clustering lists the shared parameters of the clustering as they apply to the
	// method; nil for clusteringParams.
	clustering func() []param

	// all caches parameters() for the many cells of a grid.
	all []param
}

// task is what a method gets: read-only data, resolved parameters and the cell's
// random streams. Numerics are serial: cells run in parallel.
type task struct {
	params   values
	data     *datasets.Dataset
	spaces   []*gw.Space // one per graph; nil for methods that do not fit
	features *datasets.FeatureMap
	// proportions are, for D2, each graph's share of nodes in the first block.
	proportions []float64
	stream      *opened // of methods that read streams; nil for the others
	// rng returns the random stream of a stage ("init", "batches", "kmeans"), the
	// same for every method and hyper-parameter of one (data set, repetition).
	rng func(stage string) *rand.Rand

	cell  *cell
	shelf *shelf
	watch *stopwatch
	used  []record.Used // products that the fit rested on
}

// clusters is the number of clusters that the cell asks for; 0 if that is the number
// of classes and there are none.
func (t *task) clusters() int {
	if t.params.text("clusters") != wordClasses {
		return t.params.integer("clusters")
	}
	return t.data.NumClasses()
}

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

// checkTable holds the rule between a kind of table and the parameters; it returns
// the key at fault and what is allowed, or "".
func checkTable(table string, v values) (key, want string) {
	switch {
	case !v.has("cluster_by") || summary.IsFigure(table):
	case table == summary.TableGWKMeans && v.text("cluster_by") != byGWKMeans:
		return "cluster_by", fmt.Sprintf("must be %q in the table %q", byGWKMeans, table)
	case table != summary.TableGWKMeans && v.text("cluster_by") != byEmbedding:
		return "cluster_by", fmt.Sprintf("must be %q in the table %q", byEmbedding, table)
	}
	return "", ""
}

// methods returns the table. It is a function, not a variable, so that nothing
// can change it behind a run's back.
func methods() []method {
	return []method{
		gdlMethod(),
		gwfMethod("GWF-r", gwf.RandomOrder), gwfMethod("GWF-f", gwf.FixedOrder),
		gdlhMethod(),
		gwkMethod(), spectralMethod(), distancesMethod(),
		gdlTimeMethod(), gwfTimeMethod(),
		onlineMethod(),
		statisticsMethod(),
	}
}

// parameters lists every parameter of the method: its own, those of the data and
// those of the clustering.
func (m *method) parameters() []param {
	if m.all != nil {
		return m.all
	}
	all := slices.Clone(m.params)
	if m.streams {
		return append(all, streamDataParams()...)
	}
	all = append(all, simulationParams()...)
	if m.fits {
		all = append(all, dataParams()...)
		if m.clustering != nil {
			all = append(all, m.clustering()...)
		} else {
			all = append(all, clusteringParams()...)
		}
	}
	return all
}

func equals(name, want string) (func(values) bool, string) {
	return func(v values) bool { return v.text(name) == want }, name + ` = "` + want + `"`
}

// only restricts a parameter to configurations where another has a given value.
func only(p param, name, want string) param {
	p.applies, p.condition = equals(name, want)
	return p
}

// withFeatures restricts a parameter to configurations with node features.
func withFeatures(p param) param {
	p.applies = func(v values) bool { return v.text("features") != datasets.KindNone }
	p.condition = `features = "labels", "attributes" or "degree"`
	return p
}

// datasetKey holds the cell's data set among its values, for conditions only.
const datasetKey = "dataset"

// simulated restricts a parameter to the simulated data sets named.
func simulated(p param) param {
	p.applies = func(v values) bool { return isSimulated(v.text(datasetKey)) }
	p.condition = `dataset = "D1" or "D2"`
	return p
}

var unbounded = math.Inf(1)

// simulationParams describe the stochastic block models behind D1 and D2.
func simulationParams() []param {
	ps := []param{
		{name: "sbm_order_min", kind: integer, def: int64(10), min: 2, max: 1000, doc: "smallest order drawn (released code: 15)"},
		{name: "sbm_order_max", kind: integer, def: int64(60), min: 2, max: 1000, doc: "largest order drawn"},
		{name: "sbm_order_step", kind: integer, def: int64(5), min: 1, max: 1000, doc: "step between orders"},
		{name: "sbm_graphs", kind: integer, def: int64(0), min: 0, max: 100000, doc: "number of graphs (D1: per class); 0 = the paper's 100 or 150"},
		{name: "sbm_p_in", kind: number, def: 0.9, min: 0, max: 1, doc: "probability of an edge inside a block"},
		{name: "sbm_p_out", kind: number, def: 0.1, min: 0, max: 1, doc: "probability of an edge between blocks"},
	}
	for i := range ps {
		ps[i] = simulated(ps[i])
	}
	return ps
}

// dataParams say how graphs become gw.Spaces.
func dataParams() []param {
	return []param{
		{name: "representation", kind: text, def: datasets.KindAdjacency, doc: "structure matrix of a graph",
			words: []string{datasets.KindAdjacency, datasets.KindShortestPath, datasets.KindLaplacian, datasets.KindHeatKernel}},
		only(param{name: "unreachable", kind: text, def: datasets.UnreachableTenTimesMax, doc: "distance of nodes without a path",
			words: []string{datasets.UnreachableTenTimesMax, datasets.UnreachableMaxPlusOne, datasets.UnreachableError}},
			"representation", datasets.KindShortestPath),
		only(param{name: "heat_time", kind: number, def: 10.0, min: 0, max: unbounded, open: true, doc: "t of exp(-tL)"},
			"representation", datasets.KindHeatKernel),
		{name: "node_weights", kind: text, def: datasets.KindUniform, words: []string{datasets.KindUniform, datasets.KindPower},
			doc: "weights of a graph's nodes"},
		only(param{name: "weight_a", kind: number, def: 0.0, min: 0, max: unbounded, doc: "a of (deg + a)^b"},
			"node_weights", datasets.KindPower),
		only(param{name: "weight_b", kind: number, def: 1.0, min: 0, max: 1, doc: "b of (deg + a)^b"},
			"node_weights", datasets.KindPower),
		{name: "features", kind: text, def: datasets.KindNone, doc: "node features",
			words: []string{datasets.KindNone, datasets.KindLabels, datasets.KindAttributes, datasets.KindDegree}},
		only(param{name: "scaling", kind: text, def: datasets.ScalingNone, doc: "scaling of real attributes",
			words: []string{datasets.ScalingNone, datasets.ScalingStandardise}},
			"features", datasets.KindAttributes),
		{name: edgeWeightsKey, kind: text, def: loader.EdgesUnweighted, words: []string{loader.EdgesUnweighted, loader.EdgesAttribute, loader.EdgesAttribute + ":K"},
			doc: "weights of edges: their one attribute, or the K-th of several, counted from 0; a length in shortest paths, else a strength"},
	}
}

// edgeWeightsKey is the parameter that says what weighs edges.
const edgeWeightsKey = "edge_weights"

// streamDataParams are dataParams without what needs a look at all graphs first, or what streams do
// not read.
func streamDataParams() []param {
	ps := slices.DeleteFunc(dataParams(), func(q param) bool { return q.name == "scaling" })
	for i := range ps {
		if ps[i].name == edgeWeightsKey {
			ps[i].words, ps[i].doc = []string{loader.EdgesUnweighted}, "weights of edges, which streams do not read"
		}
	}
	return ps
}

// clustersParam is all that a method needs which gives labels itself.
func clustersParam() []param {
	return []param{{name: "clusters", kind: integer, def: wordClasses, min: 1, max: 100000, words: []string{wordClasses},
		doc: "number of clusters; data without classes are not clustered by default"}}
}

// clusteringParams say how embeddings become clusters.
func clusteringParams() []param {
	return append(clustersParam(), []param{
		{name: "kmeans_restarts", kind: integer, def: int64(100), min: 1, max: 100000, doc: "runs of k-means++, the best is kept"},
		{name: "kmeans_tol", kind: number, def: 1e-9, min: 0, max: 1, doc: "relative tolerance of k-means"},
		{name: "kmeans_iterations", kind: integer, def: int64(100000), min: 1, max: 10000000, doc: "iterations of one run at most"},
	}...)
}

const (
	wordClasses = "classes"
	wordMedian  = "median"
	wordByAlpha = "by_alpha"
)
