package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"ogdl/datasets"
	"ogdl/gdl"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/ot/gw"
	"ogdl/reports/summary"
)

// gdlMethod is the paper's own method; lambda = 0 is its GDL, lambda > 0 its
// GDL_lambda.
func gdlMethod() row {
	return row{fit: fitGDL, method: method{
		name:    "GDL",
		version: 4,
		doc:     "online graph dictionary learning; lambda > 0 is the paper's GDL_lambda",
		tables: []string{summary.TableClustering, summary.TableEnzymes, summary.TableGWKMeans,
			summary.FigureAtoms, summary.FigureSimplex, summary.FigureInterpolation, summary.FigureWeights},
		params:   append(gdlParams(), keepParam()),
		protocol: clusteredBy(embeddedClustering(), costClustering),
		check:    checkGDL,
		resolve:  resolveGDL,
		counts:   checkStarts,
		cost:     costGDL,
		disk:     diskAtoms,
	}}
}

// Texts that parameters of GDL take.
const (
	stepExact   = "exact"
	stepCG      = "conditional_gradient"
	defaultStep = 0.1
)

func gdlParams() []param {
	starts := choice("unmix_starts", "couplings that an unmixing starts from, of which the lowest end is kept", gdl.Starts()...)
	starts.names = true
	return []param{
		{name: "lambda", kind: number, def: 0.0, min: 0, max: 1e6, doc: "weight of the negative quadratic regularisation"},
		alphaParam(),
		{name: "atoms", kind: integer, min: 1, max: 10000, doc: "number of atoms; or atoms_per_class"},
		{name: "atoms_per_class", kind: integer, min: 1, max: 1000, doc: "number of atoms as a multiple of the number of classes"},
		{name: "order", kind: integer, def: wordMedian, min: 1, max: 10000, words: []string{wordMedian}, doc: "number of nodes of an atom"},
		choice("init", "where atoms start", gdl.SampleInit, gdl.SamplePerClassInit, gdl.RandomInit),
		{name: "batch", kind: integer, def: int64(16), min: 1, max: 1e6, doc: "graphs per minibatch"},
		{name: "epochs", kind: integer, def: int64(20), min: 1, max: 1e6, doc: "passes over the data"},
		{name: "step_structure", kind: number, def: defaultStep, min: 0, max: 1e6, open: true, doc: "step size on the atoms' structures"},
		withFeatures(param{name: "step_features", kind: number, def: wordByAlpha, min: 0, max: 1e6, open: true, words: []string{wordByAlpha},
			doc: "step size on the atoms' features; by_alpha = 0.1 for alpha < 0.5, else 1"}),
		choice("optimizer", "rule of the steps", gdl.Adam, gdl.SGD),
		{name: "non_negative", kind: flagged, def: true, doc: "keep the atoms' structures non-negative"},
		choice("keep", "the dictionary of the last epoch, or of the one with the lowest loss", gdl.KeepLast, gdl.KeepBest),
		{name: "unmix_rounds", kind: integer, def: int64(gdl.DefaultMaxOuter), min: 1, max: 1e6, doc: "rounds of block coordinate descent per graph at most"},
		{name: "unmix_tol", kind: number, def: gdl.DefaultTol, min: 0, max: 1, open: true, doc: "relative change that ends the rounds"},
		starts,
		choice("w_step", "solver of the weights at a fixed coupling", stepExact, stepCG),
		only(param{name: "w_steps", kind: integer, def: int64(gdl.DefaultMaxInner), min: 1, max: 1e6, doc: "steps of that solver at most"}, "w_step", stepCG),
		{name: "gw_tol_rel", kind: number, def: gdl.DefaultGWTolRel, min: 0, max: 1, open: true, doc: "relative change that ends a GW solve"},
		{name: "gw_tol_abs", kind: number, def: 0.0, min: 0, max: 1, doc: "absolute change that ends a GW solve; 0 = 1e-7 of the objective's term of the graph alone"},
		{name: "gw_iterations", kind: integer, def: int64(10000), min: 1, max: 1e7, doc: "iterations of a GW solve at most"},
	}
}

func checkGDL(v values) (key, want string) {
	if key, want = checkAtoms(v); key != "" {
		return key, want
	}
	if key, want = checkAlpha(v); key != "" {
		return key, want
	}
	if v.text(datasetKey) == nameD2 && gdl.Init(v.text("init")) == gdl.SamplePerClassInit {
		return "init", `D2 has no classes; must be "sample" or "random"`
	}
	if err := checkSize(v); err != nil {
		return "order", err.Error()
	}
	return "", ""
}

// checkAtoms wants the number of atoms, one way or the other.
func checkAtoms(v values) (key, want string) {
	switch {
	case v.has("atoms") && v.has("atoms_per_class"):
		return "atoms", "stands beside atoms_per_class; give one of the two"
	case !v.has("atoms") && !v.has("atoms_per_class"):
		return "atoms", "missing; give atoms (a number) or atoms_per_class"
	case v.text(datasetKey) == nameD2 && v.has("atoms_per_class"):
		return "atoms_per_class", "D2 has no classes; give atoms"
	}
	return "", ""
}

// checkAlpha wants features for a trade-off.
func checkAlpha(v values) (key, want string) {
	if v.number("alpha") < 1 && v.text("features") == datasets.KindNone {
		return "alpha", `must be 1 without node features (features = "none")`
	}
	return "", ""
}

// checkStarts wants enough graphs for atoms to start from.
func checkStarts(v values, graphs, classes int) (key, want string) {
	if gdl.Init(v.text("init")) == gdl.RandomInit {
		return "", ""
	}
	key, atoms := "atoms", v.integer("atoms")
	if v.has("atoms_per_class") {
		key, atoms = "atoms_per_class", v.integer("atoms_per_class")*classes
	}
	if atoms > graphs {
		return key, fmt.Sprintf("%s of %s: atoms start from graphs of %s, each once, unless init = %q", plural(atoms, "atom", "atoms"), plural(graphs, "graph", "graphs"), v.text(datasetKey), gdl.RandomInit)
	}
	return "", ""
}

// maxNumbers bounds the entries of a dictionary's structures (half a gigabyte, of
// which the optimiser keeps some copies): running out of memory would end the
// program, not the cell.
const maxNumbers = 1 << 26

// checkSize refuses dictionaries that are too large, as far as v tells their size.
func checkSize(v values) error {
	s, n := float64(v.integer("atoms")), float64(v.integer("order")) // 0 while they hang on the data
	if s*n*n > maxNumbers || s*s > maxNumbers {
		return fmt.Errorf("too large with atoms = %.0f: atoms x order^2 and atoms^2 are at most %d", s, maxNumbers)
	}
	return nil
}

// resolveGDL turns what hangs on the data into numbers.
func resolveGDL(v values, d *datasets.Dataset) error {
	if err := resolveAtoms(v, d); err != nil {
		return err
	}
	if err := resolveOrder(v, d); err != nil {
		return err
	}
	if v.text("step_features") == wordByAlpha {
		v["step_features"] = 1.0
		if v.number("alpha") < 0.5 {
			v["step_features"] = 0.1
		}
	}
	if err := checkSize(v); err != nil {
		return fmt.Errorf("order = %d: %w", v.integer("order"), err)
	}
	return nil
}

// resolveAtoms turns atoms per class into atoms.
func resolveAtoms(v values, d *datasets.Dataset) error {
	if v.has("atoms_per_class") {
		if d.NumClasses() == 0 {
			return errors.New("atoms_per_class: the data set has no classes; give atoms")
		}
		v["atoms"] = int64(v.integer("atoms_per_class") * d.NumClasses())
	}
	return nil
}

// resolveOrder turns the median into a number.
func resolveOrder(v values, d *datasets.Dataset) error {
	if v.text("order") == wordMedian {
		v["order"] = int64(max(1, d.MedianOrder()))
	}
	return nil
}

// startsOf reads the starts of an unmixing off the parameters; records of old have none, and their
// unmixings one.
func startsOf(v values) []gdl.Start {
	if !v.has("unmix_starts") {
		return []gdl.Start{gdl.StartProduct}
	}
	var starts []gdl.Start
	for _, name := range namesIn(v.text("unmix_starts")) {
		starts = append(starts, gdl.Start(name))
	}
	return starts
}

// unmixSettings reads the settings of an unmixing off the parameters.
func unmixSettings(v values) gdl.UnmixSettings {
	set := gdl.UnmixSettings{
		Lambda: v.number("lambda"), Mu: v.number("mu"), MaxOuter: v.integer("unmix_rounds"), Tol: v.number("unmix_tol"), WStep: gdl.Exact, Starts: startsOf(v),
		GW: gw.Settings{TolRel: v.number("gw_tol_rel"), TolAbs: v.number("gw_tol_abs"), MaxIter: v.integer("gw_iterations")},
	}
	if v.text("w_step") == stepCG {
		set.WStep, set.MaxInner = gdl.ConditionalGradient, v.integer("w_steps")
	}
	return set
}

// trainSettings reads the settings of learning off the parameters.
func trainSettings(v values) gdl.TrainSettings {
	return gdl.TrainSettings{
		Epochs: v.integer("epochs"), Batch: v.integer("batch"),
		StepC: v.number("step_structure"), StepA: v.number("step_features"), StepH: v.number("step_weights"),
		Optimizer: gdl.Optimizer(v.text("optimizer")), NonNegative: v.flag("non_negative"), Keep: gdl.Keep(v.text("keep")),
		Workers: 1, Unmix: unmixSettings(v),
	}
}

// trainGDL learns a dictionary, whose atoms have node weights of their own for GDL_h.
func trainGDL(ctx context.Context, t *task) (*gdl.Training, []string, error) {
	start, notes, err := startGDL(t)
	if err == nil && t.params.has("step_weights") {
		start, err = gdl.Extend(start, t.rng("node weights"))
	}
	if err != nil {
		return nil, nil, err
	}
	set := trainSettings(t.params)
	training, err := gdl.Train(ctx, t.spaces, start, &set, t.rng("batches"))
	if err != nil {
		return nil, nil, fmt.Errorf("training: %w", err)
	}
	return training, notes, nil
}

// fitGDL learns a dictionary and embeds every graph in it.
func fitGDL(ctx context.Context, t *task) (*fitted, error) {
	training, notes, err := trainGDL(ctx, t)
	if err != nil {
		return nil, err
	}
	d := training.Dictionary
	set := unmixSettings(t.params)
	embeddings, err := d.Embed(ctx, t.spaces, &set, 1)
	if err != nil {
		return nil, fmt.Errorf("embedding: %w", err)
	}
	out := &fitted{scores: map[string]float64{}, notes: notes}
	w, v, err := out.embed(d, embeddings)
	if err != nil {
		return nil, err
	}
	model := func(i int) (*gw.Space, error) { return d.Model(embeddings[i].W, embeddings[i].V) }
	out.models = modelsOf(len(embeddings), d.N, model)
	stats := training.Stats
	for i := range embeddings {
		stats.Add(&embeddings[i])
	}
	out.learned(t, training.EpochLoss, &stats)
	if out.arrays, err = dictionaryArrays(d.WriteNPZ); err != nil {
		return nil, err
	}
	shape := []int{len(t.spaces), d.S}
	out.arrays = append(out.arrays, npz.Array{Name: artifact.Weights, Shape: shape, Float: w})
	if v != nil {
		out.arrays = append(out.arrays, npz.Array{Name: artifact.NodeWeights, Shape: shape, Float: v})
	}
	return out, out.keep(t, model, func(i int) float64 { return embeddings[i].Reconstruction })
}

// learned fills in how learning and embedding went.
func (out *fitted) learned(t *task, epochLoss []float64, stats *gdl.SolveStats) {
	out.epochLoss = epochLoss
	if n := len(epochLoss); n > 0 {
		out.scores["loss_first"], out.scores["loss_last"] = epochLoss[0], epochLoss[n-1]
	}
	out.convergence = record.Convergence{Solves: stats.Solves, CapHits: stats.CapHits, Iterations: stats.Iterations, MaxGap: stats.MaxGap}
	if stats.RoundCaps > 0 {
		out.notes = append(out.notes, fmt.Sprintf("%d of %d unmixings stopped at unmix_rounds = %d", stats.RoundCaps, stats.Unmixings, t.params.integer("unmix_rounds")))
	}
}

// embed fills in what the embeddings say: means, and Mahalanobis coordinates but for GDL_h, which has no such metric.
// It returns the weights, and those of nodes for GDL_h, one row per graph.
func (out *fitted) embed(d *gdl.Dictionary, embeddings []gdl.Embedding) (w, v []float64, err error) {
	n := len(embeddings)
	var root []float64
	if d.H == nil {
		if root, err = metricRoot(d); err != nil {
			return nil, nil, err
		}
		out.width, out.embedding = d.S, make([]float64, n*d.S)
	}
	var objective, reconstruction, largest float64
	for i, e := range embeddings {
		if root != nil {
			gdl.Apply(root, e.W, out.embedding[i*d.S:(i+1)*d.S])
		}
		w, v = append(w, e.W...), append(v, e.V...)
		objective += e.Objective
		reconstruction += e.Reconstruction
		largest += slices.Max(e.W)
	}
	out.scores["objective"] = objective / float64(n)
	out.scores["reconstruction"] = reconstruction / float64(n)
	out.scores["mean_max_weight"] = largest / float64(n)
	return w, v, nil
}

// metricRoot is the symmetric root of the dictionary's Mahalanobis metric.
func metricRoot(d *gdl.Dictionary) ([]float64, error) {
	m, err := d.Mahalanobis()
	if err != nil {
		return nil, err
	}
	return gdl.SymmetricRoot(m, d.S)
}

// startGDL makes the dictionary that training starts from.
func startGDL(t *task) (*gdl.Dictionary, []string, error) {
	v, init := t.params, gdl.Init(t.params.text("init"))
	if init == gdl.SamplePerClassInit && t.data.NumClasses() == 0 {
		return nil, nil, errors.New(`init = "sample_per_class": the data set has no classes`)
	}
	return init.Dictionary(t.spaces, t.data.Classes, v.integer("atoms"), v.integer("order"), v.number("alpha"), t.rng("init"))
}

// dictionaryArrays are the arrays of a dictionary's own file.
func dictionaryArrays(write func(io.Writer, map[string]string) error) ([]npz.Array, error) {
	var b bytes.Buffer
	if err := write(&b, nil); err != nil {
		return nil, err
	}
	return npz.Read(bytes.NewReader(b.Bytes()), int64(b.Len()))
}
