package classify

import (
	"context"
	"fmt"
	"slices"

	"ogdl/baselines/kernels"
	"ogdl/datasets"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/product"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/reports/summary"
)

// graphKernel is a row of the table of graph kernels.
type graphKernel struct {
	name, doc string
	// param is the parameter whose values of ladder are computed together; "" for none.
	param  string
	ladder []float64
	params []spec.Param // that one first, then what else decides the matrices
	needs  string       // "labels" or "attributes" of nodes
	// random tells whether the matrices hang on draws, which come from the base seed; nil: never.
	random func(v spec.Values) bool
	// compute returns the matrices in the order of the values; nil for a value that has none.
	compute func(ctx context.Context, graphs []kernels.Graph, values []float64, c *spec.Cell) ([][]float64, error)
}

// graphKernels are the graph kernels, each with the parameters that the paper tries.
func graphKernels() []graphKernel {
	return []graphKernel{
		{name: "GK", doc: "graphlets of three nodes (Shervashidze et al. 2009)",
			random: func(v spec.Values) bool { return v.Integer("graphlet_draws") > 0 },
			params: []spec.Param{spec.Int("graphlet_draws", "graphlets drawn of each graph; 0: all are counted", 0, 0, 1e9)},
			compute: func(ctx context.Context, graphs []kernels.Graph, _ []float64, c *spec.Cell) ([][]float64, error) {
				if n := c.Params.Integer("graphlet_draws"); n > 0 {
					return one(kernels.SampledGraphlets(ctx, graphs, n, source.Rand(c.Seed, c.Dataset, 0, "graphlets")))
				}
				return one(kernels.Graphlets(ctx, graphs))
			}},
		{name: "SPK", doc: "shortest paths (Borgwardt & Kriegel 2005)",
			params: []spec.Param{spec.Choice("node_labels", "labels at the ends of paths: where the data have them, or never", "if_any", "never")},
			compute: func(ctx context.Context, graphs []kernels.Graph, _ []float64, c *spec.Cell) ([][]float64, error) {
				use := kernels.Labels(c.Params.Text("node_labels") == "if_any" && graphs[0].Labels != nil)
				return one(kernels.ShortestPath(ctx, graphs, use))
			}},
		{name: "RWK", doc: "random walks with equal labels (Gaertner et al. 2003)", needs: needsLabels,
			param: "walk_lambda", ladder: []float64{1e-6, 1e-5, 1e-4, 1e-3, 1e-2},
			params: []spec.Param{spec.Above("walk_lambda", "factor of each step of a walk", 1e-3, 0, 1)},
			compute: func(ctx context.Context, graphs []kernels.Graph, values []float64, _ *spec.Cell) ([][]float64, error) {
				for len(values) > 0 {
					largest := len(values) - 1
					if ok, err := kernels.RandomWalkConverges(ctx, graphs, values[largest], kernels.WithLabels); err != nil {
						return nil, err
					} else if ok {
						return kernels.RandomWalk(ctx, graphs, values, kernels.WithLabels, 1)
					}
					values = values[:largest]
				}
				return nil, nil
			}},
		{name: "WLK", doc: "Weisfeiler-Lehman subtrees (Shervashidze et al. 2011)", needs: needsLabels,
			param: "depth", ladder: []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
			params: []spec.Param{spec.Int("depth", "rounds of relabelling", 4, 0, 1000)},
			compute: func(ctx context.Context, graphs []kernels.Graph, values []float64, _ *spec.Cell) ([][]float64, error) {
				deepest := int(values[len(values)-1])
				all, err := kernels.WeisfeilerLehman(ctx, graphs, deepest)
				if err != nil {
					return nil, err
				}
				return all[deepest+1-len(values):], nil // all depths, or the last alone
			}},
		{name: "HOPPERK", doc: "GraphHopper: attributes along shortest paths (Feragen et al. 2013)", needs: needsAttributes,
			params: []spec.Param{
				spec.Choice("node_kernel", "kernel of two nodes' attributes: the inner product, or exp(-node_mu |x - y|^2)", "linear", "gaussian"),
				spec.Only(spec.Above("node_mu", "coefficient of the Gaussian kernel of two nodes", 1.0, 0, 1e6), "node_kernel", "gaussian")},
			compute: func(ctx context.Context, graphs []kernels.Graph, _ []float64, c *spec.Cell) ([][]float64, error) {
				if c.Params.Text("node_kernel") == "gaussian" {
					return one(kernels.GraphHopperGaussian(ctx, graphs, c.Params.Number("node_mu"), 1))
				}
				return one(kernels.GraphHopper(ctx, graphs))
			}},
		{name: "PROPAK", doc: "propagation of attributes (Neumann et al. 2016)", needs: needsAttributes,
			random: func(spec.Values) bool { return true },
			param:  "t_max", ladder: []float64{1, 3, 5, 8, 10, 15, 20},
			params: []spec.Param{
				spec.Int("t_max", "steps of propagation", 5, 1, 1000),
				spec.Above("bin_width", "width of the bins of attributes", 4, 0, 1e12)},
			compute: func(ctx context.Context, graphs []kernels.Graph, values []float64, c *spec.Cell) ([][]float64, error) {
				var steps []int
				for _, t := range values {
					steps = append(steps, int(t))
				}
				draws, err := kernels.NewDraws(steps[len(steps)-1], len(graphs[0].Attributes)/graphs[0].Order(), c.Params.Number("bin_width"),
					source.Rand(c.Seed, c.Dataset, 0, "propagation"))
				if err != nil {
					return nil, err
				}
				return kernels.Propagation(ctx, graphs, draws, steps)
			}},
	}
}

// Node data that kernels may need.
const (
	needsLabels     = "labels"
	needsAttributes = "attributes"
)

func one(K []float64, err error) ([][]float64, error) { return [][]float64{K}, err }

// kernelMethods are the rows of the graph kernels.
func kernelMethods() []method.Row {
	var out []method.Row
	for _, k := range graphKernels() {
		out = append(out, method.Row{Fit: k.fit, Method: spec.Method{
			Name:     k.name,
			Version:  1,
			Doc:      "SVM on the kernel of " + k.doc,
			Tables:   []string{summary.TableClassification},
			Params:   k.params,
			Input:    spec.InputGraphs,
			Protocol: classifiedBy(svmParams()...),
			Counts:   k.check,
			Products: func(c *spec.Cell) []spec.Product { return []spec.Product{k.product(c)} },
		}})
	}
	return out
}

// value is the cell's value of the parameter.
func (k *graphKernel) value(v spec.Values) float64 {
	if x, isInt := v[k.param].(int64); isInt {
		return float64(x)
	}
	return v.Number(k.param)
}

// values are the values of the ladder, or the cell's alone if it is none of them.
func (k *graphKernel) values(v spec.Values) []float64 {
	if slices.Contains(k.ladder, k.value(v)) {
		return k.ladder
	}
	return []float64{k.value(v)}
}

// product describes the matrices of all values.
func (k *graphKernel) product(c *spec.Cell) spec.Product {
	settings := map[string]any{}
	for _, q := range k.params {
		if x, ok := c.Params[q.Name]; ok && q.Name != k.param {
			settings[q.Name] = x
		}
	}
	if k.random != nil && k.random(c.Params) {
		settings["seed"] = c.Seed
	}
	return product.Kernel(c, k.name, k.values(c.Params), settings)
}

func (k *graphKernel) fit(ctx context.Context, t *method.Task) (*method.Result, error) {
	graphs := kernelGraphs(t.Data)
	p := k.product(t.Cell)
	got, err := t.Cache.Kernels(ctx, p, t.Data.Digest, len(graphs), func(ctx context.Context) (product.Kernels, error) {
		values, out := k.values(t.Cell.Params), product.Kernels{}
		all, err := k.compute(ctx, graphs, values, t.Cell)
		for i, K := range all {
			if K != nil {
				out[values[i]] = K
			}
		}
		return out, err
	})
	if err != nil {
		return nil, err
	}
	K := got[k.value(t.Params)]
	if K == nil {
		return nil, fmt.Errorf("%s = %v: %s", k.param, k.value(t.Params), diverges(ctx, t.Cell.Dataset, graphs))
	}
	K, err = kernels.Normalize(K, len(graphs))
	return &method.Result{Kernel: K}, err
}

// diverges returns an error with the upper bound of the factor of random walks.
func diverges(ctx context.Context, name string, graphs []kernels.Graph) string {
	limit, err := kernels.RandomWalkLimit(ctx, graphs, kernels.WithLabels)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("must be below %.6g for %s, from where on the sum over walks diverges", limit, name)
}

// walkLimits are the upper bounds of walk_lambda on data sets known by name, rounded down.
var walkLimits = map[string]float64{"MUTAG": 0.139, "PTC-MR": 0.12, "BZR": 0.167, "COX2": 0.147, "ENZYMES": 0.0378, "PROTEIN": 0.0142}

// check wants the labels or attributes that the kernel needs, and walks that converge.
func (k *graphKernel) check(v spec.Values, d spec.Counts) (key, want string) {
	name := v.Text(spec.DatasetKey)
	labels, attributes := spec.HasOnNodes(name)
	if d.Data != nil {
		labels, attributes = len(d.Data.LabelValues) > 0, d.Data.AttributeDim > 0
		switch {
		case (k.needs == needsLabels || v.Text("node_labels") == "if_any") && d.Data.LabelProblem != "":
			return spec.DatasetKey, d.Data.LabelProblem
		case k.needs == needsAttributes && d.Data.AttributeProblem != "":
			return spec.DatasetKey, d.Data.AttributeProblem
		}
	}
	switch {
	case k.needs == needsLabels && !labels:
		return spec.DatasetKey, fmt.Sprintf("%s has no node labels, which %s compares", name, k.name)
	case k.needs == needsAttributes && !attributes:
		return spec.DatasetKey, fmt.Sprintf("%s has no real attributes of nodes, which %s compares", name, k.name)
	case k.param != "walk_lambda":
	case d.Data == nil:
		if limit, known := walkLimits[name]; known && v.Number(k.param) > limit {
			return k.param, fmt.Sprintf("must be at most %v for %s, from where on the sum over walks diverges", limit, name)
		}
	default:
		graphs := kernelGraphs(d.Data)
		if ok, err := kernels.RandomWalkConverges(context.Background(), graphs, v.Number(k.param), kernels.WithLabels); err == nil && !ok {
			return k.param, diverges(context.Background(), name, graphs)
		}
	}
	return "", ""
}

// kernelGraphs are the graphs of a data set as kernels read them. Several labels of a node are one: two nodes have the same if they agree
// in all.
func kernelGraphs(d *datasets.Dataset) []kernels.Graph {
	seen := map[string]int{}
	out := make([]kernels.Graph, len(d.Graphs))
	for i := range d.Graphs {
		g := &d.Graphs[i]
		out[i] = kernels.Graph{Neighbors: g.Neighbors, Attributes: g.Attributes}
		switch len(g.Labels) {
		case 0:
		case 1:
			out[i].Labels = g.Labels[0]
		default:
			labels := make([]int, g.Order())
			for u := range labels {
				var all []int
				for _, column := range g.Labels {
					all = append(all, column[u])
				}
				key := fmt.Sprint(all)
				if _, ok := seen[key]; !ok {
					seen[key] = len(seen)
				}
				labels[u] = seen[key]
			}
			out[i].Labels = labels
		}
	}
	return out
}
