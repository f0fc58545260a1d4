package method

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"ogdl/datasets"
	"ogdl/experiments/internal/spec"
	"ogdl/gdl"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/internal/words"
	"ogdl/ot/gw"
	"ogdl/reports/summary"
)

// GDL is the paper's own method; lambda = 0 is its GDL, lambda > 0 its GDL_lambda.
func GDL() Row {
	return gdlRow(fitGDL, gdlParams(), spec.Method{
		Name:    "GDL",
		Version: 4,
		Doc:     "online graph dictionary learning; lambda > 0 is the paper's GDL_lambda",
		Tables: []string{summary.TableClustering, summary.TableEnzymes, summary.TableGWKMeans,
			summary.FigureAtoms, summary.FigureSimplex, summary.FigureInterpolation, summary.FigureWeights},
		Params: []spec.Param{keepParam(), shareParam(), {Name: HeldOutKey, Kind: spec.Boolean,
			Doc: "with share: also learn on four fifths of the graphs, and keep the reconstruction errors of the others, as fit does"}},
		Products: sharedOf,
		Protocol: clusteredBy(embeddedClustering(byWeights, byScaled)),
		Work:     atomsAndEpochs,
	})
}

// GDLH is the paper's extended model, which learns node weights too. Its models have different node
// weights, so no Mahalanobis distance bounds their distances. GW k-means clusters the models.
func GDLH() Row {
	clustering := append(clustersParam(),
		spec.Choice("cluster_by", "GW k-means of the embedded graphs, or no clustering (figures)", ByGWKMeans, ByNothing))
	return gdlRow(fitGDL, gdlParams(stepCorrective), spec.Method{
		Name:     "GDL_h",
		Version:  5,
		Doc:      "graph dictionary learning with node weights (the paper's extended model)",
		Tables:   []string{summary.TableGWKMeans, summary.FigureWeights},
		Products: sharedOf,
		Params: []spec.Param{keepParam(), shareParam(),
			spec.Num("mu", "weight of the negative quadratic regularisation of the node weights' embedding", 0.0, 0, 1e6),
			spec.Above("step_weights", "step size on the atoms' node weights", gdl.DefaultStepH, 0, 1e6),
		},
		Protocol: clusteredBy(append(clustering, modelsClustering()...)),
		Work:     atomsAndEpochs,
	})
}

// gdlRow returns the row of a method that learns GDL's dictionaries. It adds the parameters of GDL
// (params) before those of m, and the rules of GDL.
func gdlRow(fit Fit, params []spec.Param, m spec.Method) Row {
	m.Params = append(params, m.Params...)
	m.Check, m.Counts, m.Resolve = spec.Rules(CheckAtoms, CheckAlpha, CheckSize), checkStarts, resolveGDL
	return Row{Fit: fit, Method: m}
}

// Texts that parameters of GDL take.
const (
	stepExact      = "exact"
	stepCG         = "conditional_gradient"
	stepCorrective = "fully_corrective"
	defaultStep    = 0.1
)

// gdlParams returns the parameters of GDL. steps are further values of w_step.
func gdlParams(steps ...string) []spec.Param {
	starts := spec.Choice("unmix_starts", "couplings that an unmixing starts from, of which the lowest end is kept", gdl.Starts()...)
	starts.Names = true
	return []spec.Param{
		spec.Num("lambda", "weight of the negative quadratic regularisation", 0.0, 0, 1e6),
		AlphaParam(),
		spec.Int("atoms", "number of atoms; or atoms_per_class", nil, 1, 10000),
		spec.Int("atoms_per_class", "number of atoms as a multiple of the number of classes", nil, 1, 1000),
		spec.Int("order", "number of nodes of an atom", wordMedian, 1, 10000, wordMedian),
		spec.Choice("init", "where atoms start", gdl.SampleInit, gdl.SamplePerClassInit, gdl.RandomInit),
		spec.Int("batch", "graphs per minibatch", 16, 1, 1e6),
		spec.Int("epochs", "passes over the data", 20, 1, 1e6),
		spec.Above("step_structure", "step size on the atoms' structures", defaultStep, 0, 1e6),
		spec.WithFeatures(spec.Above("step_features", "step size on the atoms' features; by_alpha = 0.1 for alpha < 0.5, else 1",
			wordByAlpha, 0, 1e6, wordByAlpha)),
		spec.Choice("optimizer", "rule of the steps", gdl.Adam, gdl.SGD),
		{Name: "non_negative", Kind: spec.Boolean, Def: true, Doc: "keep the atoms' structures non-negative"},
		spec.Choice("keep", "the dictionary of the last epoch, or of the one with the lowest loss", gdl.KeepLast, gdl.KeepBest),
		spec.Int("unmix_rounds", "rounds of block coordinate descent per graph at most", gdl.DefaultMaxOuter, 1, 1e6),
		spec.Above("unmix_tol", "relative change that ends the rounds", gdl.DefaultTol, 0, 1),
		starts,
		spec.Choice("w_step", "solver of the weights at a fixed coupling",
			append([]string{stepExact, stepCG}, steps...)...),
		spec.Only(spec.Int("w_steps", "steps of that solver at most", gdl.DefaultMaxInner, 1, 1e6), "w_step", stepCG),
		spec.Above("gw_tol_rel", "relative change that ends a GW solve", gdl.DefaultGWTolRel, 0, 1),
		spec.Num("gw_tol_abs", "absolute change that ends a GW solve; 0 = 1e-7 of the objective's term of the graph alone", 0.0, 0, 1),
		spec.Int("gw_iterations", "iterations of a GW solve at most", 10000, 1, 1e7),
	}
}

// CheckAtoms checks that exactly one of atoms and atoms_per_class is given.
func CheckAtoms(v spec.Values) (key, want string) {
	switch {
	case v.Has("atoms") && v.Has("atoms_per_class"):
		return "atoms", "cannot be combined with atoms_per_class"
	case !v.Has("atoms") && !v.Has("atoms_per_class"):
		return "atoms", "missing; give atoms (a number) or atoms_per_class"
	}
	return "", ""
}

// CheckAlpha rejects alpha below 1 without node features.
func CheckAlpha(v spec.Values) (key, want string) {
	if v.Number("alpha") < 1 && v.Text("features") == string(datasets.KindNone) {
		return "alpha", `must be 1 without node features (features = "none")`
	}
	return "", ""
}

// checkClasses wants classes for the keys of a dictionary that count or use them.
func checkClasses(v spec.Values, d spec.Counts) (key, want string) {
	switch without := v.Text(spec.DatasetKey) + " has no classes; "; {
	case d.Classes > 0:
	case v.Has("atoms_per_class"):
		return "atoms_per_class", without + "give atoms"
	case gdl.Init(v.Text("init")) == gdl.SamplePerClassInit:
		return "init", without + `must be "sample" or "random"`
	}
	return "", ""
}

// checkStarts rejects more atoms than graphs, unless atoms start at random.
func checkStarts(v spec.Values, d spec.Counts) (key, want string) {
	if key, want = checkClasses(v, d); want != "" || gdl.Init(v.Text("init")) == gdl.RandomInit {
		return key, want
	}
	key, atoms := "atoms", v.Integer("atoms")
	if v.Has("atoms_per_class") {
		key, atoms = "atoms_per_class", v.Integer("atoms_per_class")*d.Classes
	}
	if atoms > d.Graphs {
		return key, fmt.Sprintf("%s start from as many graphs, there are %d; init = %q needs none",
			words.Plural(atoms, "atom", "atoms"), d.Graphs, gdl.RandomInit)
	}
	return "", ""
}

// maxNumbers bounds the entries of a dictionary's structures: half a gigabyte, and the optimiser
// keeps some copies. Running out of memory would end the program, not the cell.
const maxNumbers = 1 << 26

// CheckSize rejects dictionaries that are too large, as far as v tells their size.
func CheckSize(v spec.Values) (key, want string) {
	s, n := float64(v.Integer("atoms")), float64(v.Integer("order")) // 0 while they depend on the data
	if s*n*n > maxNumbers || s*s > maxNumbers {
		return "order", fmt.Sprintf("too large with atoms = %.0f: atoms x order^2 and atoms^2 are at most %d", s, maxNumbers)
	}
	return "", ""
}

// resolveGDL replaces values that depend on the data by numbers.
func resolveGDL(v spec.Values, d *datasets.Dataset) error {
	if v.Text("step_features") == wordByAlpha {
		v["step_features"] = 1.0
		if v.Number("alpha") < 0.5 {
			v["step_features"] = 0.1
		}
	}
	return ResolveSizes(v, d)
}

// ResolveSizes turns atoms per class into atoms, and the median order into a number.
func ResolveSizes(v spec.Values, d *datasets.Dataset) error {
	if v.Has("atoms_per_class") {
		if d.NumClasses() == 0 {
			return errors.New("atoms_per_class: the data set has no classes; give atoms")
		}
		v["atoms"] = int64(v.Integer("atoms_per_class") * d.NumClasses())
	}
	if !v.Has("order") { // GWF-r
		return nil
	}
	if v.Text("order") == wordMedian {
		v["order"] = int64(max(1, d.MedianOrder()))
	}
	if _, want := CheckSize(v); want != "" {
		return fmt.Errorf("order = %d: %s", v.Integer("order"), want)
	}
	return nil
}

// UnmixSettings reads the settings of an unmixing off the parameters.
func UnmixSettings(v spec.Values) gdl.UnmixSettings {
	set := gdl.UnmixSettings{
		Lambda: v.Number("lambda"), Mu: v.Number("mu"), MaxOuter: v.Integer("unmix_rounds"), Tol: v.Number("unmix_tol"),
		WStep: gdl.Exact, GW: GWSettings(v, ""),
	}
	for _, name := range spec.NamesIn(cmp.Or(v.Text("unmix_starts"), string(gdl.StartProduct))) { // old records have no starts
		set.Starts = append(set.Starts, gdl.Start(name))
	}
	switch v.Text("w_step") {
	case stepCG:
		set.WStep, set.MaxInner = gdl.ConditionalGradient, v.Integer("w_steps")
	case stepCorrective:
		set.WStep = gdl.FullyCorrective
	}
	return set
}

// TrainSettings reads the settings of the learning off the parameters, for one worker.
func TrainSettings(v spec.Values) *gdl.TrainSettings {
	return &gdl.TrainSettings{
		Epochs: v.Integer("epochs"), Batch: v.Integer("batch"),
		StepC: v.Number("step_structure"), StepA: v.Number("step_features"), StepH: v.Number("step_weights"),
		Optimizer: gdl.Optimizer(v.Text("optimizer")), NonNegative: v.Flag("non_negative"), Keep: gdl.Keep(v.Text("keep")),
		Workers: 1, Unmix: UnmixSettings(v),
	}
}

// trainGDL learns a dictionary, whose atoms have node weights of their own for GDL_h.
func trainGDL(ctx context.Context, t *Task) (*gdl.Training, []string, error) {
	v, init := t.Params, gdl.Init(t.Params.Text("init"))
	start, notes, err := init.Dictionary(t.Spaces, t.Data.Classes, v.Integer("atoms"), v.Integer("order"), v.Number("alpha"),
		t.Rand("init"))
	if err == nil && v.Has("step_weights") {
		start, err = gdl.Extend(start, t.Rand("node weights"))
	}
	if err != nil {
		return nil, nil, err
	}
	training, err := gdl.Train(ctx, t.Spaces, start, TrainSettings(v), t.Rand("batches"))
	if err != nil {
		return nil, nil, fmt.Errorf("training: %w", err)
	}
	return training, notes, nil
}

// fitGDL learns a dictionary, or takes it from a product, and embeds every graph in it.
func fitGDL(ctx context.Context, t *Task) (*Result, error) {
	if t.Params.Flag(ShareKey) {
		return fitShared(ctx, t)
	}
	return learnGDL(ctx, t)
}

// learnGDL learns a dictionary and embeds every graph in it.
func learnGDL(ctx context.Context, t *Task) (*Result, error) {
	training, notes, err := trainGDL(ctx, t)
	if err != nil {
		return nil, err
	}
	d := training.Dictionary
	set := UnmixSettings(t.Params)
	embeddings, err := d.Embed(ctx, t.Spaces, &set, 1)
	if err != nil {
		return nil, fmt.Errorf("embedding: %w", err)
	}
	stats := training.Stats
	for i := range embeddings {
		stats.Add(&embeddings[i])
	}
	return resultGDL(t, d, embeddings, training.EpochLoss, &stats, notes)
}

// resultGDL returns the result of a dictionary that was learned with these losses, and of the embeddings of all graphs.
func resultGDL(t *Task, d *gdl.Dictionary, embeddings []gdl.Embedding, epochLoss []float64, stats *gdl.SolveStats,
	notes []string) (*Result, error) {
	out := &Result{Scores: map[string]float64{}, Notes: slices.Clone(notes)}
	w, v, err := out.Embed(d, embeddings)
	if err != nil {
		return nil, err
	}
	if x := clustered(t.Params, w, d.S); x != nil {
		out.Embedding = x
	}
	out.models = func() ([]*gw.Space, int, error) {
		models, err := ModelsOf(d, embeddings)
		return models, d.N, err
	}
	out.learned(t, epochLoss, stats)
	if out.Arrays, err = d.Arrays(); err != nil {
		return nil, err
	}
	shape := []int{len(t.Spaces), d.S}
	out.Arrays = append(out.Arrays, npz.Array{Name: artifact.Weights, Shape: shape, Float: w})
	if v != nil {
		out.Arrays = append(out.Arrays, npz.Array{Name: artifact.NodeWeights, Shape: shape, Float: v})
	}
	return out, out.keep(t, d, embeddings)
}

// learned sets the losses, the convergence and the notes of a result.
func (out *Result) learned(t *Task, epochLoss []float64, stats *gdl.SolveStats) {
	out.EpochLoss = epochLoss
	if n := len(epochLoss); n > 0 {
		out.Scores[artifact.LossFirst], out.Scores[artifact.LossLast] = epochLoss[0], epochLoss[n-1]
	}
	out.Convergence = ConvergenceOf(stats)
	out.NoteIf(stats.RoundCaps > 0, "%d of %d unmixings stopped at unmix_rounds = %d", stats.RoundCaps, stats.Unmixings,
		t.Params.Integer("unmix_rounds"))
}

// ConvergenceOf is how the solves of unmixings ended.
func ConvergenceOf(s *gdl.SolveStats) record.Convergence {
	return record.Convergence{Solves: s.Solves, CapHits: s.CapHits, Iterations: s.Iterations, MaxGap: s.MaxGap}
}

// Embed sets the mean scores and, except for GDL_h, the Mahalanobis coordinates. It returns the
// weights w and, for GDL_h, the node weights v, one row per graph.
func (out *Result) Embed(d *gdl.Dictionary, embeddings []gdl.Embedding) (w, v []float64, err error) {
	n := len(embeddings)
	if d.H == nil {
		if out.Embedding, err = d.Coordinates(embeddings); err != nil {
			return nil, nil, err
		}
		out.Width = d.S
	}
	var objective, reconstruction, largest float64
	for _, e := range embeddings {
		w, v = append(w, e.W...), append(v, e.V...)
		objective += e.Objective
		reconstruction += e.Reconstruction
		out.Reconstruction = append(out.Reconstruction, e.Reconstruction)
		largest += slices.Max(e.W)
	}
	out.Scores[artifact.Objective] = objective / float64(n)
	out.Scores[artifact.Reconstruction] = reconstruction / float64(n)
	out.Scores[artifact.MeanMaxWeight] = largest / float64(n)
	return w, v, nil
}

// Coordinates returns points whose Euclidean distances are the Mahalanobis distances of rows of weights.
func Coordinates(d *gdl.Dictionary, weights []float64) ([]float64, error) {
	return d.Coordinates(EmbeddingsOf(weights, d.S))
}

// EmbeddingsOf returns rows of weights over s atoms as embeddings.
func EmbeddingsOf(weights []float64, s int) (rows []gdl.Embedding) {
	for w := range slices.Chunk(weights, s) {
		rows = append(rows, gdl.Embedding{W: w})
	}
	return rows
}

// atomsAndEpochs is the work of learning a dictionary: an unmixing costs about the root of the number of atoms.
func atomsAndEpochs(v spec.Values) float64 {
	atoms := max(1, v.Integer("atoms"), v.Integer("atoms_per_class"))
	return math.Sqrt(float64(atoms)) * float64(max(1, v.Integer("epochs"))+1)
}
