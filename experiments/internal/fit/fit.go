// Package fit learns dictionaries of a user's own graphs, several from different seeds, chooses among them by how well their
// clusterings agree, and says what came out: a table, an npz file and a page.
package fit

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"ogdl/datasets"
	"ogdl/eval"
	"ogdl/eval/nested"
	"ogdl/experiments/internal/classify"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/protocol"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/parallel"
	"ogdl/internal/words"
	"ogdl/ot/gw"
)

// fewestGraphs can be told apart.
const fewestGraphs = 2

// Repetitions is how many seeds every number of atoms is learned from.
const Repetitions = 5

// Range is a range of numbers, both ends included.
type Range struct{ From, To int }

// Settings say what is learned.
type Settings struct {
	Atoms    Range
	Clusters Range // its zero: the number of classes, without any 2 to 8
	// Given are parameters of GDL, as -set has them, in the place of the defaults here.
	Given map[string]any
	// UsableWeights returns the values of edge_weights that the graphs can be read with.
	UsableWeights func(zero bool) []string
	Seed          int64
	Workers       int
	// Classify predicts the class of every graph from those of the others.
	Classify bool
	// Worked is told which share of the work is done; nil where nobody listens. It is called by one goroutine at a time.
	Worked func(share float64)
}

// Fit is what came out.
type Fit struct {
	method.Placed // cluster 0 is the largest
	Features      *datasets.FeatureMap
	Notes         []string // what was chosen for the user, and what was left out
	Seed          int64
	Chosen        Candidate
	Tried         []Candidate
	Params        spec.Values // resolved, with the number of atoms chosen
	NoPNG         bool        // [Fit.Write] draws figures as SVG and PDF alone
	Force         bool        // [Fit.Write] replaces files of somebody else
	Centers       []float64   // clusters x atoms, in the coordinates of the metric
	// Classified is what Classify found; nil where it was not asked for.
	Classified *nested.Classification

	spaces []*gw.Space
	trials []*trial // of that number of atoms, by seed
	best   int      // the trial of the lowest objective, which is kept
	// clusterings are those of the trials into as many clusters as were chosen.
	clusterings []eval.Clustering
}

// trial is a dictionary learned from one seed, with its clusterings.
type trial struct {
	*method.Result
	clusterings map[int]eval.Clustering // by the number of clusters
}

// mostClusters and fewestClusters are tried where neither the user nor classes say how many.
const (
	fewestClusters = 2
	mostClusters   = 8
)

// hidden are parameters of GDL that are not for own graphs, or that flags give.
var hidden = []string{"atoms", "atoms_per_class", "clusters", "cluster_by", "keep_graphs", "centroid_weights"}

// Keys lists the parameters that may be given. edge_weights also decides how graphs are read.
func Keys() (keys []string) {
	row := method.GDL()
	for _, q := range row.Parameters() {
		if !slices.Contains(hidden, q.Name) && !strings.HasPrefix(q.Name, "sbm_") && !strings.HasPrefix(q.Name, "gwk_") && !strings.HasPrefix(q.Name,
			"barycentre_") {
			keys = append(keys, q.Name)
		}
	}
	return keys
}

// edgesNote says how the attributes of edges that are not used could be.
func edgesNote(usable []string) string {
	if len(usable) == 0 {
		return "Edges have attributes that are not used. They cannot weigh edges: weights are finite, 0 or more, and the same both ways."
	}
	return fmt.Sprintf("Edges have attributes that are not used: -set edge_weights=%s weighs edges by them.", strings.Join(usable, " or "))
}

// defaults are those in which a fit departs from a grid's: the released code's steps, and fewer runs of k-means.
func defaults(d *datasets.Dataset, given map[string]any) (v map[string]any, notes []string, err error) {
	v = map[string]any{"step_structure": 0.01, "kmeans_restarts": int64(20)}
	kind := datasets.KindNone
	switch {
	case d.AttributeDim > 0:
		kind = datasets.KindAttributes
	case len(d.LabelValues) > 0:
		kind = datasets.KindLabels
	}
	if text, ok := given["features"].(string); ok {
		kind = datasets.FeatureKind(text)
	} else if problem := cmp.Or(d.AttributeProblem, d.LabelProblem); problem != "" && d.AttributeDim == 0 {
		return nil, nil, fmt.Errorf("%s; -features none fits without features of the nodes", problem)
	} else if d.AttributeDim > 0 && len(d.LabelValues) > 0 {
		notes = append(notes, "Nodes have labels and attributes: the attributes are the features; -features labels takes the labels.")
	}
	v["features"] = string(kind)
	if kind != datasets.KindNone {
		v["alpha"], v["step_features"] = 0.5, 0.01
	}
	if kind == datasets.KindAttributes {
		v["scaling"] = string(datasets.ScalingStandardise)
	}
	maps.Copy(v, given)
	return v, notes, nil
}

// Run learns, embeds and clusters. The same graphs and settings give the same fit, whatever the workers.
func Run(ctx context.Context, d *datasets.Dataset, set Settings) (*Fit, error) {
	f := &Fit{Seed: set.Seed, Placed: method.Place(d)}
	if f.LeftOut != "" {
		f.Notes = append(f.Notes, f.LeftOut)
	}
	if n := len(f.Data.Graphs); n < fewestGraphs {
		return nil, fmt.Errorf("a fit needs at least %d graphs with nodes: %s has %d", fewestGraphs, d.Name, n)
	}
	if set.Classify && f.Data.Classes == nil {
		return nil, fmt.Errorf("-classify: %s has no classes", d.Name)
	}
	for _, key := range []string{"atoms", "clusters"} {
		if _, ok := set.Given[key]; ok {
			return nil, fmt.Errorf("-set %s: it has a flag of its own, -%[1]s", key)
		}
	}
	row := method.GDL()
	given, notes, err := defaults(f.Data, set.Given)
	if err != nil {
		return nil, err
	}
	f.Notes = append(f.Notes, notes...)
	base, err := row.FromSet(Keys(), given)
	if err != nil {
		return nil, err
	}
	if d.UnusedEdges && set.UsableWeights != nil {
		f.Notes = append(f.Notes, edgesNote(set.UsableWeights(base.Text("representation") != string(datasets.KindShortestPath))))
	}
	values, err := withAtoms(&row.Method, base, f.Data, set.Atoms)
	if err != nil {
		return nil, err
	}
	clusters, err := f.clusters(set.Clusters)
	if err != nil {
		return nil, err
	}
	if f.Features, err = source.FeaturesOf(base).Fit(f.Data); err != nil {
		return nil, err
	}
	if f.spaces, _, err = source.BuildSpaces(f.Data, base, f.Features); err != nil {
		return nil, err
	}
	w := newWork(values, set.Worked)
	trials := make([]*trial, len(values)*Repetitions)
	err = parallel.Each(set.Workers, len(trials), func(_, k int) (err error) {
		trials[k], err = f.try(ctx, row.Fit, values[k/Repetitions], k%Repetitions, clusters, w)
		return err
	})
	if err != nil {
		return nil, err
	}
	f.choose(values, trials, clusters)
	if err := f.assign(); err != nil || !set.Classify {
		return f, err
	}
	x := f.trials[f.best]
	if f.Classified, err = nested.Classify(ctx, x.Embedding, x.Width, f.Data.Classes, source.Rand(f.Seed, seedName, 0, "classify"), nil); err != nil {
		return nil, classify.NameClass(err, f.Data)
	}
	f.Predicted = f.Data.ClassNames(f.Classified.HeldOut)
	return f, nil
}

// seedName stands for the data set in random streams: equal graphs of other names are learned alike.
const seedName = "own graphs"

// ownFlags are the parameters of GDL that have a flag of their own.
var ownFlags = []string{"atoms", "order", "alpha", "lambda", "features"}

// flagOf is what gives a parameter.
func flagOf(key string) string {
	if slices.Contains(ownFlags, key) {
		return "-" + key
	}
	return "-set " + key
}

// withAtoms are the parameters for every number of atoms.
func withAtoms(m *spec.Method, base spec.Values, d *datasets.Dataset, atoms Range) (out []spec.Values, err error) {
	for n := atoms.From; n <= atoms.To; n++ {
		v := maps.Clone(base)
		v["atoms"] = int64(n)
		key, want := m.Check(v)
		if want == "" {
			if key, want = m.CheckCounts(v, spec.Counts{Graphs: len(d.Graphs), Classes: d.NumClasses(), Data: d}); key == "atoms" {
				return nil, fmt.Errorf("-atoms %d: every atom starts from a graph of its own, and %s has %d; -set init=random starts without",
					atoms.To, d.Name, len(d.Graphs))
			} else if want == "" {
				err = m.Resolve(v, d)
			}
		}
		switch {
		case want != "":
			return nil, fmt.Errorf("%s: %s", flagOf(key), want)
		case err != nil:
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// clusters are the numbers of clusters that are tried.
func (f *Fit) clusters(given Range) (out []int, err error) {
	n := len(f.Data.Graphs)
	switch classes := f.Data.NumClasses(); {
	case given.To > n:
		return nil, fmt.Errorf("-clusters %d: there are %s", given.To, words.Plural(n, "graph", "graphs"))
	case given != (Range{}):
	case classes > 1:
		given = Range{classes, classes}
	default:
		given = Range{fewestClusters, mostClusters}
	}
	for k := given.From; k <= min(given.To, n); k++ {
		out = append(out, k)
	}
	return out, nil
}

// stages of a fit besides its epochs, in epochs: embedding and clustering.
const otherStages = 2

// try learns from one seed.
func (f *Fit) try(ctx context.Context, fit method.Fit, v spec.Values, repetition int, clusters []int, w *work) (*trial, error) {
	t := &method.Task{Params: v, Data: f.Data, Spaces: f.spaces, Features: f.Features,
		Rand:    func(stage string) *rand.Rand { return source.Rand(f.Seed, seedName, repetition, stage) },
		OnEpoch: func(int, float64) { w.add(v, 1) }}
	out, err := fit(ctx, t)
	if err != nil {
		return nil, err
	}
	x := &trial{out, map[int]eval.Clustering{}}
	set := protocol.KMeansSettings(v)
	for _, k := range clusters {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if x.clusterings[k], err = eval.KMeans(out.Embedding, len(f.spaces), out.Width, k, set, t.Rand("kmeans")); err != nil {
			return nil, err
		}
	}
	w.add(v, otherStages)
	return x, nil
}

// objective is the mean over the graphs, with what lambda takes off.
func (x *trial) objective() float64 { return x.Scores[artifact.Objective] }

// assign numbers the clusters of the kept trial by size, and measures the graphs' distances to their centres. Clusters without graphs, of which
// there are some where fewer embeddings differ, are none.
func (f *Fit) assign() error {
	x, c := f.trials[f.best], f.clusterings[f.best]
	weights, err := npz.Find(x.Arrays, artifact.Weights)
	if err != nil {
		return err
	}
	f.Weights, f.Reconstruction = weights.Float, x.Reconstruction
	s, sizes := x.Width, sizesOf(c.Labels, c.K)
	order := make([]int, c.K) // of the clusters, the largest first
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	order = slices.DeleteFunc(order, func(k int) bool { return sizes[k] == 0 })
	f.Chosen.Clusters = len(order)
	name := make([]int, c.K)
	for k, old := range order {
		name[old] = k
		f.Centers = append(f.Centers, c.Centers[old*s:(old+1)*s]...)
	}
	for i, old := range c.Labels {
		f.Cluster = append(f.Cluster, name[old])
		f.Distance = append(f.Distance, distance(x.Embedding[i*s:(i+1)*s], c.Centers[old*s:(old+1)*s]))
	}
	return nil
}
