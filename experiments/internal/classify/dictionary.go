package classify

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"ogdl/baselines/gwf"
	"ogdl/datasets"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/product"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/gdl"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/ot/gw"
	"ogdl/reports/summary"

	"gonum.org/v1/gonum/floats"
)

// learner is a method whose dictionaries others take: they are products, the very ones of its own cells.
type learner struct{ method.Row }

// Parameters of methods that take dictionaries. The method that learns them has its own.
const (
	paramAlphas     = "alphas"
	paramRepetition = "dictionary_repetition"
	paramOn         = "dictionary_on"
	onTrain         = "train"
	paramProximal   = "prox_gamma" // gamma of GWF, where gamma is the kernel's
)

// measure returns the distances of the task's graphs, n x n, from the arrays of a dictionary.
type measure func(ctx context.Context, t *method.Task, arrays []npz.Array) ([]float64, error)

// row is the row of a method that classifies by distances from this learner's dictionaries.
func (l *learner) row(of measure, m spec.Method) method.Row {
	var params []spec.Param
	for _, q := range l.Params {
		switch q.Name {
		case "alpha":
			q = spec.Numbers(paramAlphas, "trade-offs between structures and features, a dictionary each, of which that of the lowest objective "+
				"is taken; one list is one choice", 0, 1, 1)
			q.Open = false
		case "gamma":
			q.Name = paramProximal
		case "keep_graphs", "weights", method.ShareKey, method.HeldOutKey: // for figures, for k-means
			continue
		}
		params = append(params, q)
	}
	m.Tables = []string{summary.TableClassification}
	m.Params = slices.Concat(params, m.Params, []spec.Param{
		spec.Int(paramRepetition, "repetition of the clustering tables whose dictionary it is", 0, 0, 1e6),
	})
	m.Protocol = classifiedBy(distanceParams()...)
	m.Check, m.Counts, m.Resolve = spec.Rules(method.CheckAtoms, checkAlphas, method.CheckSize), l.Counts, method.ResolveSizes
	l.All = l.Parameters()
	fit := func(ctx context.Context, t *method.Task) (*method.Result, error) { return l.fit(ctx, t, of) }
	return method.Row{Fit: fit, Method: m}
}

// checkAlphas wants features for trade-offs.
func checkAlphas(v spec.Values) (key, want string) {
	if v.Text(paramAlphas) != "1" && v.Text("features") == string(datasets.KindNone) {
		return paramAlphas, `must be 1 without node features (features = "none")`
	}
	return "", ""
}

// gdlwMethod classifies by the distances of GDL's embeddings.
func gdlwMethod() method.Row {
	l := &learner{method.GDL()}
	return l.row(ofWeights, spec.Method{Name: "GDL-w", Version: 1, Params: []spec.Param{onParam()}, Products: l.dictionaries,
		Doc: "SVM with the kernel exp(-gamma D) of the Mahalanobis distances of GDL's embeddings"})
}

// gdlgMethod classifies by the distances of GDL's models of the graphs.
func gdlgMethod() method.Row {
	l := &learner{method.GDL()}
	return l.row(l.ofModels, spec.Method{Name: "GDL-g", Version: 1, Params: append(method.SolveParams(method.OfModels), onParam()),
		Products: func(c *spec.Cell) []spec.Product { return append(l.dictionaries(c), l.modelDistances(c)) },
		Doc:      "SVM with the kernel exp(-gamma D) of the (F)GW objectives between GDL's models of the graphs"})
}

func onParam() spec.Param {
	return spec.Choice(paramOn, "graphs that the dictionary, and the scaling of attributes, are learned on: "+
		"all, without classes, or the training part of the split", "all", onTrain)
}

// gwfSVM are rows of our own: an SVM on GWF's weights.
func gwfSVM(name string, start gwf.Init) method.Row {
	l := &learner{method.GWF(name, start)}
	return l.row(ofWeights, spec.Method{Name: name + " + SVM", Version: 1, Products: l.dictionaries,
		Doc: "SVM with the kernel exp(-gamma D) of the distances of " + name + "'s weights"})
}

// dictionaries are the products that a cell chooses from, in the order of their alphas.
func (l *learner) dictionaries(c *spec.Cell) (out []spec.Product) {
	given := spec.Values{}
	for _, q := range l.All {
		name := q.Name
		if name == "gamma" {
			name = paramProximal
		}
		if x, ok := c.Params[name]; ok {
			given[q.Name] = x
		}
	}
	on := ""
	if c.Params.Text(paramOn) == onTrain {
		on = fmt.Sprintf("the training part of split %d, folds %s", c.Repetition, c.Params.Text("folds"))
	}
	for _, alpha := range c.Params.List(paramAlphas) {
		v := maps.Clone(given)
		v["alpha"] = alpha
		out = append(out, product.Dictionary(&spec.Cell{Method: &l.Method, Dataset: c.Dataset, Own: c.Own, Params: v, Seed: c.Seed,
			Repetition: c.Params.Integer(paramRepetition)}, on))
	}
	return out
}

func (l *learner) modelDistances(c *spec.Cell) spec.Product {
	return product.ModelDistances(l.dictionaries(c), method.GWSettings(c.Params, method.OfModels))
}

// fit measures distances from the dictionary of the lowest objective among the cell's, the first of equal ones.
func (l *learner) fit(ctx context.Context, t *method.Task, of measure) (out *method.Result, err error) {
	var best *product.Learned
	out = &method.Result{Scores: map[string]float64{}}
	for _, d := range l.dictionaries(t.Cell) {
		got, err := t.Cache.Dictionary(ctx, d, t.Data.Digest, func(ctx context.Context) (*product.Learned, error) {
			return l.learn(ctx, t, d.Of)
		})
		if err != nil {
			return nil, err
		}
		if best == nil || got.Objective < best.Objective {
			best, out.Notes = got, slices.Clone(got.Notes)
			out.Scores[artifact.Objective], out.Scores[artifact.ChosenAlpha] = got.Objective, d.Of.Params.Number("alpha")
		}
	}
	out.Distances, err = of(ctx, t, best.Arrays)
	return out, err
}

// learn computes the dictionary of a cell of the learner, as this cell would.
func (l *learner) learn(ctx context.Context, t *method.Task, c *spec.Cell) (*product.Learned, error) {
	of := &method.Task{Params: maps.Clone(c.Params), Data: t.Data, Spaces: t.Spaces, Features: t.Features, Cell: c,
		Rand: func(stage string) *rand.Rand { return source.Rand(c.Seed, c.Dataset, c.Repetition, stage) }}
	var train []int
	var spaces []*gw.Space // of all graphs
	if t.Params.Text(paramOn) == onTrain {
		split, err := Split(t, t.Cell.Repetition)
		if err != nil {
			return nil, err
		}
		train = slices.Sorted(slices.Values(split.Train))
		if spaces, err = restrict(of, train); err != nil {
			return nil, err
		}
	}
	if err := l.Resolve(of.Params, of.Data); err != nil {
		return nil, err
	}
	r, err := l.Fit(ctx, of)
	if err != nil {
		return nil, err
	}
	out, err := r.Learned()
	if err == nil && train != nil {
		err = embedAll(ctx, out, of.Params, train, spaces)
	}
	return out, err
}

// restrict reduces a task to these graphs. It returns the spaces of all graphs, with features
// encoded as these graphs define them.
func restrict(t *method.Task, graphs []int) ([]*gw.Space, error) {
	all := t.Data
	part := *all
	part.Graphs, part.Classes = method.At(all.Graphs, graphs), method.At(all.Classes, graphs)
	t.Data = &part
	var err error
	if t.Features, err = source.FeaturesOf(t.Params).Fit(&part); err != nil {
		return nil, err
	}
	spaces, _, err := source.BuildSpaces(all, t.Params, t.Features) // labels are known from all graphs
	if err != nil {
		return nil, err
	}
	t.Spaces = method.At(spaces, graphs)
	return spaces, nil
}

// embedAll embeds the graphs that a dictionary of GDL was not learned on, and sets all weights.
func embedAll(ctx context.Context, r *product.Learned, params spec.Values, train []int, spaces []*gw.Space) error {
	d, err := gdl.FromArrays(r.Arrays)
	if err != nil {
		return err
	}
	var rest []*gw.Space
	for i, s := range spaces {
		if _, found := slices.BinarySearch(train, i); !found {
			rest = append(rest, s)
		}
	}
	set := method.UnmixSettings(params)
	embeddings, err := d.Embed(ctx, rest, &set, 1)
	if err != nil {
		return fmt.Errorf("embedding: %w", err)
	}
	weights, err := npz.Find(r.Arrays, artifact.Weights)
	if err != nil {
		return err
	}
	var all []float64
	for i := range spaces {
		if k, found := slices.BinarySearch(train, i); found {
			all = append(all, weights.Float[k*d.S:(k+1)*d.S]...)
		} else {
			all = append(all, embeddings[i-k].W...) // k of the train graphs stand before it
		}
	}
	weights.Float, weights.Shape = all, []int{len(spaces), d.S}
	stats := gdl.Summarise(embeddings)
	r.Convergence = r.Convergence.Plus(method.ConvergenceOf(&stats))
	return nil
}

// ofGDL reads a dictionary of GDL and the weights of the task's graphs. It notes the order for the record.
func ofGDL(t *method.Task, arrays []npz.Array) (*gdl.Dictionary, []float64, error) {
	d, err := gdl.FromArrays(arrays)
	if err != nil {
		return nil, nil, err
	}
	t.Params["order"] = int64(d.N)
	f := npz.Among(arrays, "a dictionary")
	return d, f.FloatsOf(artifact.Weights, len(t.Spaces), d.S), f.Err()
}

// ofWeights measures the distances of the graphs' weights: for GDL in the Mahalanobis metric, for GWF of the free ones.
func ofWeights(_ context.Context, t *method.Task, arrays []npz.Array) ([]float64, error) {
	f := npz.Among(arrays, "a dictionary")
	rows := f.Floats(artifact.FreeWeights, 2, true)
	if f.Err() != nil {
		return nil, f.Err()
	}
	if rows == nil {
		d, w, err := ofGDL(t, arrays)
		if err != nil {
			return nil, err
		}
		rows = &npz.Array{Shape: []int{len(t.Spaces), d.S}}
		if rows.Float, err = method.Coordinates(d, w); err != nil {
			return nil, err
		}
	}
	n, pairs := len(t.Spaces), method.Euclidean(rows.Float, rows.Shape[1])
	out := make([]float64, n*n)
	for i := range n {
		for j := i + 1; j < n; j++ {
			out[i*n+j], out[j*n+i] = pairs[0], pairs[0]
			pairs = pairs[1:]
		}
	}
	return out, nil
}

// ofModels measures the (F)GW objectives between the graphs' models.
func (l *learner) ofModels(ctx context.Context, t *method.Task, arrays []npz.Array) ([]float64, error) {
	d, w, err := ofGDL(t, arrays)
	if err != nil {
		return nil, err
	}
	m, err := t.Cache.Matrix(ctx, l.modelDistances(t.Cell), t.Data.Digest, func() (*gw.Pairs, error) {
		models, err := method.ModelsOf(d, method.EmbeddingsOf(w, d.S))
		if err != nil {
			return nil, err
		}
		return gw.NewPairs(models, d.Alpha, &gw.PairSettings{GW: method.GWSettings(t.Params, method.OfModels)})
	})
	if err != nil {
		return nil, err
	}
	return floats.MulTo(make([]float64, len(m.Values)), m.Values, m.Values), nil // roots of the objectives
}
