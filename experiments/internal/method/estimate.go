package method

import (
	"math"

	"ogdl/baselines/gwf"
	"ogdl/experiments/internal/product"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
)

// What a cell costs is estimated from its parameters and the sizes of its data set
// alone, so that every machine comes to the same estimate whatever its store and data
// folder hold: shards are cut by it, long cells start first by it, and plan scales it by
// the timings of a store. Its coefficients are CPU seconds on one core of a 2024 server,
// fitted to the cells of the quick configurations.
//
// Estimates decide who computes what: they must not differ between processors. So they use
// products rounded before they are added (no fused sums), and roots, which are exact everywhere;
// no powers, exponentials or logarithms.

// Coefficients, in seconds.
const (
	costUnmix    = 0.8e-7 // GDL: per graph and pass, times the orders of graph and atom and the root of the number of atoms
	costAnother  = 0.45   // GDL: each start after the first, beside it
	costWeights  = 5.5    // GDL_h beside GDL
	costProximal = 1.5e-8 // GWF: per graph, pass, atom and proximal step, times the orders of graph and atom
	costCentroid = 5.5e-6 // GW k-means: per graph and cluster, times the orders of graph and centroid
	costPoint    = 2.0e-8 // k-means: per run, graph, cluster and coordinate
	costModels   = 2.2e-6 // GDL-distances: per pair of graphs, times the orders of their models, from two couplings
	costAffinity = 1.2e-8 // SC: per pair of graphs
	costVectors  = 3.5e-8 // SC: per pair of graphs and cluster, k-means and a share of the eigenvectors
	costGraph    = 1.0e-5 // per graph of methods that fit nothing
)

// estimate is what the estimates of a cell share.
type estimate struct {
	*spec.Cell
	spec.Size
	number float64 // of graphs
	atoms  float64 // 0 for methods without
	nodes  float64 // of an atom or a centroid; GWF-r takes those of its graphs
}

func newEstimate(c *spec.Cell) estimate {
	v, s := c.Params, c.Size()
	e := estimate{Cell: c, Size: s, number: float64(s.Graphs), atoms: float64(v.Integer("atoms")), nodes: s.Order}
	if v.Has("atoms_per_class") {
		e.atoms = float64(max(1, s.Classes) * v.Integer("atoms_per_class"))
	}
	switch {
	case v.Text("order") == wordMedian:
		e.nodes = s.Median
	case v.Has("order"):
		e.nodes = float64(v.Integer("order"))
	}
	return e
}

// clusters is the number of clusters asked for.
func (e *estimate) clusters() float64 {
	if n := e.Params.Integer("clusters"); n > 0 {
		return float64(n)
	}
	return float64(max(1, e.Classes))
}

// learning estimates a dictionary: its epochs and so many more passes, each so many times a pass of GDL.
func learning(more, factor float64) func(c *spec.Cell) float64 {
	return func(c *spec.Cell) float64 {
		e := newEstimate(c)
		dense := 1 + float64(2*e.Density)
		pass := float64(costUnmix*e.number*e.Order*e.nodes*dense*math.Sqrt(e.atoms)) * startsCost(e.Params) * factor
		passes := float64(max(1, e.Params.Integer("epochs"))) + more
		return spec.CostStart + float64(pass*passes)
	}
}

func costGDLDistances(c *spec.Cell) float64 {
	e := newEstimate(c)
	return learning(1, 1)(c) + float64(costModels*e.number*e.number/2*e.nodes*e.nodes*product.Coupled(c.Params.Number("alpha")))
}

// costGWF is that of GWF's atoms, with more passes where graphs are embedded afresh or timed.
func costGWF(c *spec.Cell) float64 {
	e, v, more := newEstimate(c), c.Params, 0.0
	if v.Text("embedding") == embeddingFresh || v.Has("time_graphs") {
		more = 2
	}
	passes := float64(max(1, v.Integer("epochs"))) + more
	if v.Text("epochs") == wordByFeatures {
		passes = float64(epochsByFeatures(v)) + more
	}
	step := float64(costProximal * e.number * e.Order * e.nodes) // rounded: doubling it must not fuse
	if v.Text("barycentre") == string(gwf.Full) {
		step *= 2
	}
	return spec.CostStart + float64(step*e.atoms*proximalSteps(v)*passes)
}

// proximalSteps is how many of the steps allowed a coupling takes: with a tolerance, those
// after the first few are often spared: seven of ten, by cells of the paper's grid.
func proximalSteps(v spec.Values) float64 {
	steps := float64(v.Integer("prox_steps"))
	if few := 5.0; v.Number("prox_tol") > 0 && steps > few {
		return few + float64(0.3*(steps-few))
	}
	return steps
}

func costGWK(c *spec.Cell) float64 {
	e := newEstimate(c)
	return spec.CostStart + e.centroids(e.Order)
}

// centroids is the cost of GW k-means of spaces of that order; 0 where there is none.
func (e *estimate) centroids(order float64) float64 {
	v := e.Params
	return float64(costCentroid * e.number * e.clusters() * order * e.nodes * float64(v.Integer("gwk_restarts")) * product.Coupled(v.Number("alpha")))
}

// costClustering is the cost of clustering weights, or models of the order of the atoms.
func costClustering(c *spec.Cell) float64 {
	e := newEstimate(c)
	return e.points() + e.centroids(e.nodes)
}

// costClusteringGWF is that where models have the order of their graphs.
func costClusteringGWF(c *spec.Cell) float64 {
	e := newEstimate(c)
	return e.points() + e.centroids(e.Order)
}

// points is the cost of k-means of weights; 0 where there is none.
func (e *estimate) points() float64 {
	return float64(costPoint * e.number * e.clusters() * e.atoms * float64(e.Params.Integer("kmeans_restarts")))
}

func costSpectral(c *spec.Cell) float64 {
	e := newEstimate(c)
	pairs := e.number * e.number
	total := spec.CostStart + float64(costAffinity*pairs)
	if c.Params.Has("kmeans_restarts") {
		restarts := float64(c.Params.Integer("kmeans_restarts")) / 100
		total += float64(costVectors * pairs * e.clusters() * (0.3 + float64(0.7*restarts)))
	}
	return total
}

func costStatistics(c *spec.Cell) float64 {
	return spec.CostStart + float64(costGraph*float64(c.Size().Graphs))
}

// streamed is the number of graphs of a stream, and of its segments.
func (e *estimate) streamed() (graphs, segments float64) {
	segments = float64(len(source.SegmentClasses(e.Dataset, make([]int, e.Classes))))
	if e.Params.Text("segment_graphs") == source.WordClass {
		return e.number, segments
	}
	return segments * float64(e.Params.Integer("segment_graphs")), segments
}

// costStream: graphs are unmixed once, those held out again and again.
func costStream(c *spec.Cell) float64 {
	e, v := newEstimate(c), c.Params
	graphs, segments := e.streamed()
	looks := graphs / float64(v.Integer("batch")*v.Integer("held_out_every"))
	unmixings := graphs + float64(looks*segments*float64(v.Integer("held_out_graphs")))
	return spec.CostStart + float64(costUnmix*unmixings*e.Order*e.nodes*(1+float64(2*e.Density))*math.Sqrt(e.atoms)*startsCost(v))
}

// startsCost is what an unmixing from a cell's starts costs beside one from the first alone.
func startsCost(v spec.Values) float64 {
	return 1 + float64(costAnother*float64(len(startsOf(v))-1))
}

// diskAtoms counts atoms beside the record, and weights, twice for methods that keep them before and after the softmax.
func diskAtoms(c *spec.Cell) float64 {
	e := newEstimate(c)
	return spec.DiskOf(e.Graphs) + (float64(8*e.number*e.atoms) + float64(8*e.atoms*e.nodes*e.nodes))
}

func diskStream(c *spec.Cell) float64 {
	e := newEstimate(c)
	graphs, _ := e.streamed()
	return 10000 + float64(16*graphs/float64(c.Params.Integer("batch")))
}

func diskStatistics(*spec.Cell) float64 { return 2000 }
