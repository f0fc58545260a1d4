package main

import (
	"math"

	"ogdl/datasets"
)

// What a cell costs is estimated from its parameters and the sizes of its data set
// alone, so that every machine comes to the same estimate whatever its store and data
// folder hold: shards are cut by it, long cells start first by it, and -plan scales it by
// the timings of a store. Its coefficients are CPU seconds on one core of a 2024 server,
// fitted to the cells of the quick configurations.
//
// Estimates decide who computes what: they must not differ between processors. So they use
// products rounded before they are added (no fused sums), and roots, which are exact everywhere;
// no powers, exponentials or logarithms.

// size is what an estimate knows of a data set.
type size struct {
	graphs, classes int
	distinct        int     // graphs whose adjacency matrices differ
	order           float64 // mean number of nodes
	median          float64
	density         float64 // 2 edges / (n-1)^2, mean
}

// sizes of the known data sets, as datasets.toml prints them.
var sizes = map[string]size{
	"IMDB-B":    {1000, 2, 825, 19.77, 17, 0.555},
	"IMDB-M":    {1500, 3, 705, 13.00, 10, 0.864},
	"MUTAG":     {188, 2, 164, 17.93, 17, 0.148},
	"PTC-MR":    {344, 2, 284, 14.29, 13, 0.251},
	"BZR":       {405, 2, 361, 35.75, 35, 0.067},
	"COX2":      {467, 2, 407, 41.22, 41, 0.054},
	"ENZYMES":   {600, 6, 595, 32.63, 32, 0.171},
	"PROTEIN":   {1113, 2, 1067, 39.06, 26, 0.236},
	"TRIANGLES": {45000, 10, 45000, 20.85, 17, 0.267},

	nameTwitch:  {127094, 2, 127094, 29.67, 29, 0.21},
	namePartial: {800, 2, 800, 36.84, 37, 0.227},
	nameDrawn:   {45000, 10, 45000, 14.5, 14, 0.3},
}

// unknownSize stands for a user's folder, which is not opened.
var unknownSize = size{500, 2, 500, 30, 30, 0.2}

// sizeOf returns the size of a cell's data set, of simulated ones by their settings.
func sizeOf(c *cell) size {
	if !isSimulated(c.dataset) {
		if s, ok := sizes[c.dataset]; ok && c.own == nil {
			return s
		}
		return unknownSize
	}
	return simulatedSize(c.dataset, c.params)
}

// simulatedSize is the size of D1 or D2 by its settings.
func simulatedSize(dataset string, v values) size {
	s := size{graphs: v.integer("sbm_graphs"), order: float64(v.integer("sbm_order_min")+v.integer("sbm_order_max")) / 2}
	s.median = s.order
	s.density = (v.number("sbm_p_in") + v.number("sbm_p_out")) / 2
	if dataset == nameD2 {
		if s.graphs == 0 {
			s.graphs = 150
		}
	} else {
		if s.graphs == 0 {
			s.graphs = 100
		}
		s.graphs, s.classes = 3*s.graphs, 3
	}
	s.distinct = s.graphs
	return s
}

// Coefficients, in seconds.
const (
	costStart    = 0.002  // of any cell: storing it
	costUnmix    = 0.8e-7 // GDL: per graph and pass, times the orders of graph and atom and the root of the number of atoms
	costAnother  = 0.45   // GDL: each start after the first, beside it
	costWeights  = 5.5    // GDL_h beside GDL
	costProximal = 1.5e-8 // GWF: per graph, pass, atom and proximal step, times the orders of graph and atom
	costCentroid = 5.5e-6 // GW k-means: per graph and cluster, times the orders of graph and centroid
	costPoint    = 2.0e-8 // k-means: per run, graph, cluster and coordinate
	costPair     = 1.5e-7 // distances: per pair of distinct graphs, times their orders
	costFine     = 1.1    // distances solved to less than 1e-6 beside those to 1e-6
	costModels   = 2.2e-6 // GDL-distances: per pair of graphs, times the orders of their models, from two couplings
	costAffinity = 1.2e-8 // SC: per pair of graphs
	costVectors  = 3.5e-8 // SC: per pair of graphs and cluster, k-means and a share of the eigenvectors
	costGraph    = 1.0e-5 // per graph of methods that fit nothing
)

// costOf estimates the CPU seconds of a cell, without the product that it shares.
func costOf(c *cell) float64 {
	v, s := c.params, sizeOf(c)
	graphs := float64(s.graphs)
	if c.method.streams {
		return costStart + costOfStream(c, s)
	}
	if !c.method.fits {
		return costStart + float64(costGraph*graphs)
	}
	k := max(1, s.classes)
	if n := v.integer("clusters"); n > 0 {
		k = n
	}
	clusters := float64(k)
	atoms, order := atomsOf(v, s), orderOf(v, s)
	if c.method.distances != nil && atoms == 0 {
		pairs := graphs * graphs
		total := costStart + float64(costAffinity*pairs)
		if v.text("labels") != "" && v.has("kmeans_restarts") {
			restarts := float64(v.integer("kmeans_restarts")) / 100
			total += float64(costVectors * pairs * clusters * (0.3 + float64(0.7*restarts)))
		}
		return total
	}
	dense := 1 + float64(2*s.density)
	total := costStart
	epochs := float64(max(1, v.integer("epochs")))
	if v.text("epochs") == wordByFeatures {
		epochs = float64(epochsByFeatures(v))
	}
	switch {
	case v.has("prox_steps"):
		step := float64(costProximal * graphs * s.order * order) // rounded: doubling it must not fuse
		steps := proximalSteps(v)
		if v.text("barycentre") == "full" {
			step *= 2
		}
		passes := epochs
		if v.text("embedding") == embeddingFresh || v.has("time_graphs") {
			passes += 2
		}
		total += float64(step * atoms * steps * passes)
	case atoms > 0:
		pass := float64(costUnmix*graphs*s.order*order*dense*math.Sqrt(atoms)) * startsCost(v)
		if v.has("mu") {
			pass *= costWeights
		}
		passes := epochs + 1
		if v.has("time_graphs") {
			passes++
		}
		total += float64(pass * passes)
	}
	if c.method.distances != nil {
		total += float64(costModels * graphs * graphs / 2 * order * order * coupled(v))
	}
	if v.has("gwk_restarts") {
		of := s.order
		if atoms > 0 && !v.has("prox_steps") {
			of = order // what a dictionary makes of a graph has the order of its atoms
		}
		total += float64(costCentroid * graphs * clusters * of * order * float64(v.integer("gwk_restarts")) * coupled(v))
	}
	if v.has("kmeans_restarts") {
		total += float64(costPoint * graphs * clusters * atoms * float64(v.integer("kmeans_restarts")))
	}
	return total
}

// streamed is the number of graphs of a stream, and of its segments.
func streamed(c *cell, s size) (graphs, segments float64) {
	segments = float64(len(segmentClasses(c.dataset, make([]int, s.classes))))
	if c.params.text("segment_graphs") == wordClass {
		return float64(s.graphs), segments
	}
	return segments * float64(c.params.integer("segment_graphs")), segments
}

// costOfStream estimates a stream: its graphs are unmixed once, those held out again and again.
func costOfStream(c *cell, s size) float64 {
	v := c.params
	graphs, segments := streamed(c, s)
	looks := graphs / float64(v.integer("batch")*v.integer("held_out_every"))
	unmixings := graphs + float64(looks*segments*float64(v.integer("held_out_graphs")))
	return float64(costUnmix * unmixings * s.order * float64(v.integer("order")) * (1 + float64(2*s.density)) * math.Sqrt(float64(v.integer("atoms"))) * startsCost(v))
}

// startsCost is what an unmixing from a cell's starts costs beside one from the first alone.
func startsCost(v values) float64 {
	return 1 + float64(costAnother*float64(len(startsOf(v))-1))
}

// proximalSteps is how many of the steps allowed a coupling takes: with a tolerance, those
// after the first few are often spared.
func proximalSteps(v values) float64 {
	steps := float64(v.integer("prox_steps"))
	if few := 5.0; v.number("prox_tol") > 0 && steps > few {
		return few + float64(0.63*(steps-few))
	}
	return steps
}

// atomsOf is the number of atoms; 0 for methods without.
func atomsOf(v values, s size) float64 {
	if v.has("atoms_per_class") {
		return float64(max(1, s.classes) * v.integer("atoms_per_class"))
	}
	return float64(v.integer("atoms"))
}

// orderOf is the order of an atom or a centroid; GWF-r takes those of its graphs.
func orderOf(v values, s size) float64 {
	switch {
	case v.text("order") == wordMedian:
		return s.median
	case v.has("order"):
		return float64(v.integer("order"))
	}
	return s.order
}

// matrix is what the estimates of a matrix of distances rest on.
type matrix struct {
	size
	features bool // that tell graphs apart
	alpha    float64
	tolRel   float64 // of its solves
}

// matrixOf describes the matrix that a cell needs.
func matrixOf(c *cell) matrix {
	return newMatrix(sizeOf(c), c.params.text("features"), c.params.number("alpha"), c.method.distances(c.params).gw.TolRel)
}

func newMatrix(s size, features string, alpha, tolRel float64) matrix {
	return matrix{s, features != "" && features != datasets.KindNone, alpha, tolRel}
}

// pairs is the number of pairs whose distances are computed: of distinct graphs, which
// features tell apart.
func (m *matrix) pairs() float64 {
	graphs := float64(m.distinct)
	if m.features {
		graphs = float64(m.graphs)
	}
	return graphs * graphs / 2
}

// cost estimates the CPU seconds of the matrix.
func (m matrix) cost() float64 {
	cost := costPair * m.pairs() * m.order * m.order * (1 + float64(2*m.density)) * coupledAt(m.alpha)
	if m.tolRel < 1e-6 {
		cost *= costFine
	}
	return cost
}

// disk estimates its bytes in the store.
func (m matrix) disk() float64 { return 8 * m.pairs() }

// coupled is how a solve gets cheaper as the features decide it.
func coupled(v values) float64 { return coupledAt(v.number("alpha")) }

func coupledAt(alpha float64) float64 {
	square := alpha * alpha
	return 0.2 + float64(0.8*square*square)
}

// productCost estimates the CPU seconds of the product that a cell shares with
// others; 0 for none.
func productCost(c *cell) float64 {
	if c.method.distances == nil {
		return 0
	}
	return matrixOf(c).cost()
}

// diskOf estimates the bytes that a cell leaves in the store, the product that it shares apart.
func diskOf(c *cell) float64 {
	if !c.method.fits {
		return 2000
	}
	v, s := c.params, sizeOf(c)
	if c.method.streams {
		steps, _ := streamed(c, s)
		return 10000 + float64(16*steps/float64(v.integer("batch")))
	}
	atoms, order := atomsOf(v, s), orderOf(v, s)
	// Record and timing with a cluster per graph; weights, twice for methods that keep
	// them before and after the softmax; atoms.
	bytes := 5000 + float64(10*s.graphs)
	if c.method.distances == nil {
		bytes += float64(8*float64(s.graphs)*atoms) + float64(8*atoms*order*order)
	}
	return bytes
}
