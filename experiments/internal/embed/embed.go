// Package embed puts graphs into a dictionary that was learned before: their weights over its atoms, the nearest of the clusters that
// its cell had, and, where asked, their classes.
package embed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/eval"
	"ogdl/eval/nested"
	"ogdl/experiments/internal/classify"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/artifact"
	"ogdl/internal/disk"
	"ogdl/internal/npz"
	"ogdl/internal/vec"
	"ogdl/internal/words"
	"ogdl/reports/own"
)

// Settings say which graphs are embedded, and where to.
type Settings struct {
	Data     string // a folder in the TU format, or a file of JSON Lines
	Out      string // a name without ending, or a folder; "": a name of its own
	Force    bool   // replace an output that is there
	Classify bool   // predict the class of every graph from the classes of the others
	New      string // graphs whose classes are predicted too, only with Classify; "": none
	Workers  int
}

// Run embeds the graphs, writes the results, and reports them on stdout.
func (m *Model) Run(ctx context.Context, set Settings, stdout io.Writer) error {
	d, err := m.load(set.Data)
	if err != nil {
		return err
	}
	if set.Classify && d.Classes == nil {
		return fmt.Errorf("embed: -classify: %s has no classes; -data takes the graphs of known classes, -new the graphs to predict", d.Name)
	}
	names := []string{outputName(set.Out, d.Name)}
	if err := disk.Writable(disk.OS{}, filepath.Dir(names[0])); err != nil {
		return fmt.Errorf("embed: -out %s: not in a writable folder: %w", names[0], err)
	}
	if set.New != "" {
		names = append(names, names[0]+"_new")
	}
	for _, name := range names {
		for _, path := range []string{name + ".npz", name + ".csv"} {
			if _, err := os.Lstat(path); !set.Force && !errors.Is(err, fs.ErrNotExist) {
				return cmp.Or(err, fmt.Errorf("embed: %s is there already: -force replaces it, -out names another", path))
			}
		}
	}
	e, err := m.embed(ctx, d, set.Workers)
	if err != nil {
		return fmt.Errorf("embed: %w", err)
	}
	all := []*embedded{e, nil}
	var found *nested.Classification
	if set.Classify {
		if found, all[1], err = m.classify(ctx, set, e); err != nil {
			return fmt.Errorf("embed: %w", err)
		}
	}
	for i, name := range names {
		if err := all[i].write(name); err != nil {
			return err
		}
		for _, line := range all[i].unseenLines() {
			fmt.Fprintf(stdout, "Warning: %s\n", line)
		}
		if line := all[i].unlike(); line != "" {
			fmt.Fprintln(stdout, line)
		}
		if all[i].LeftOut != "" {
			fmt.Fprintf(stdout, "%s: %s\n", all[i].Data.Name, all[i].LeftOut)
		}
		for _, line := range all[i].Data.Doubts {
			fmt.Fprintf(stdout, "Warning: %s\n", line)
		}
		if all[i].Data.UnusedEdges {
			fmt.Fprintf(stdout, "%s: %s\n", all[i].Data.Name, source.EdgesUnused)
		}
	}
	fmt.Fprintf(stdout, "%s of %s embedded over %s, mean reconstruction error %.4g\n", words.Plural(len(e.Number), "graph", "graphs"), d.Name,
		words.Plural(m.Dictionary.S, "atom", "atoms"), e.out.Scores[artifact.Reconstruction])
	switch {
	case e.Cluster != nil:
	case m.bare:
		fmt.Fprintf(stdout, "the dictionary is not a cell's: nothing assigned\nsettings: %s (-set changes them)\n", m.settings())
	case method.InOtherDistance(m.Params):
		fmt.Fprintf(stdout, "the cell was clustered by %s, not in the Mahalanobis distance: nothing assigned\n", m.Params.Text("cluster_by"))
	case m.Params.Text("cluster_by") == method.ByGWKMeans:
		fmt.Fprintln(stdout, "the cell was clustered by GW k-means, which has no centres among the embeddings: nothing assigned")
	default:
		fmt.Fprintln(stdout, "the cell has no clusters: nothing assigned")
	}
	if found != nil {
		for _, name := range e.Data.ClassNames(found.Rare) {
			fmt.Fprintf(stdout, "Warning: class %q has fewer than 4 graphs: some folds are without it\n", name)
		}
		fmt.Fprintf(stdout, "classes predicted by an SVM from the other graphs: %.1f %% right "+
			"(95 %% interval %.1f to %.1f, %d folds; the largest class has %.1f %%)\n", 100*found.Accuracy,
			100*found.Low, 100*found.High, found.Folds, 100*found.Majority)
	}
	for _, name := range names {
		fmt.Fprintf(stdout, "written: %s.npz, %s.csv\n", name, name)
	}
	return nil
}

// classify predicts the class of every embedded graph by an SVM that has not seen the graph. It
// embeds new graphs and predicts their classes too.
func (m *Model) classify(ctx context.Context, set Settings, e *embedded) (*nested.Classification, *embedded, error) {
	if e.out.Embedding == nil {
		return nil, nil, errors.New("-classify: atoms with node weights of their own have no distance between embeddings")
	}
	points, more := e.out.Embedding, (*embedded)(nil)
	if set.New != "" {
		others, err := m.load(set.New)
		if err != nil {
			return nil, nil, err
		}
		if more, err = m.embed(ctx, others, set.Workers); err != nil {
			return nil, nil, fmt.Errorf("-new: %w", err)
		}
		points = slices.Concat(points, more.out.Embedding)
	}
	c, err := nested.Classify(ctx, points, m.Dictionary.S, e.Data.Classes, rand.New(rand.NewPCG(1, 0)), nil)
	if err != nil {
		return nil, nil, fmt.Errorf("-classify: %w; -data takes the graphs of known classes, -new the graphs to predict", classify.NameClass(err, e.Data))
	}
	e.Predicted = e.Data.ClassNames(c.HeldOut)
	if more != nil {
		more.Predicted = e.Data.ClassNames(c.Unlabelled)
	}
	return c, more, nil
}

// load reads graphs with the weights of edges that the dictionary's had.
func (m *Model) load(path string) (*datasets.Dataset, error) {
	return loader.Options{EdgeWeights: m.Params.Text(spec.EdgeWeightsKey)}.LoadFolder(path)
}

// outputName is where Run writes, without ending: NAME, or a name of its own in the folder of that name.
func outputName(out, dataset string) string {
	name := "embedding_" + dataset
	info, err := os.Stat(out)
	switch {
	case out == "":
		return name
	case strings.HasSuffix(out, "/") || os.IsPathSeparator(out[len(out)-1]) || err == nil && info.IsDir():
		return filepath.Join(out, name)
	}
	return strings.TrimSuffix(strings.TrimSuffix(out, ".npz"), ".csv")
}

// embedded holds the results that Run writes.
type embedded struct {
	own.Placed
	unseen []datasets.Unseen
	out    *method.Result
}

// embed unmixes every graph and finds its nearest centre.
func (m *Model) embed(ctx context.Context, all *datasets.Dataset, workers int) (*embedded, error) {
	e := &embedded{Placed: own.Place(all), out: &method.Result{Scores: map[string]float64{}}}
	d := e.Data
	if len(d.Graphs) == 0 {
		return nil, errors.New("the data set has no graphs with nodes")
	}
	if m.bare && m.Features.Kind == "" {
		features, err := source.FeaturesOf(m.Params).Fit(d)
		if err != nil {
			return nil, err
		}
		if m.Features = features; features.Dim != m.Dictionary.D {
			return nil, fmt.Errorf("%s per node, the dictionary has %d; -set features=... says which ones it was learned on",
				words.Plural(features.Dim, "feature", "features"), m.Dictionary.D)
		}
	}
	spaces, unseen, err := source.BuildSpaces(d, m.Params, m.Features)
	if err != nil {
		return nil, err
	}
	e.unseen = unseen
	set := method.UnmixSettings(m.Params)
	embeddings, err := m.Dictionary.Embed(ctx, spaces, &set, workers)
	if err != nil {
		return nil, err
	}
	if e.Weights, e.NodeWeights, err = e.out.Embed(m.Dictionary, embeddings); err != nil {
		return nil, err
	}
	if e.Reconstruction = e.out.Reconstruction; m.errs != nil {
		e.Rank(m.orders, m.errs, m.Rounding())
	}
	if m.means == nil {
		return e, nil
	}
	c := eval.Clustering{K: len(m.means) / m.Dictionary.S, D: m.Dictionary.S}
	if c.Centers, err = method.Coordinates(m.Dictionary, m.means); err != nil {
		return nil, err
	}
	e.Cluster = c.Assign(e.out.Embedding, len(embeddings))
	for i, k := range e.Cluster {
		e.Distance = append(e.Distance, math.Sqrt(vec.SquaredDistance(e.out.Embedding[i*c.D:(i+1)*c.D], c.Centers[k*c.D:(k+1)*c.D])))
	}
	return e, nil
}

// Bounds of the lines on unseen labels, of the graphs that each names, and of the named graphs unlike the fit's.
const (
	unseenNamed = 20
	unlikeNamed = 100
)

// name is how a message names a graph.
func (e *embedded) name(i int) string {
	return strconv.Itoa(e.Number[i]) + words.If(e.Name[i] != "", " (%s)", e.Name[i])
}

// unlike names the graphs that the dictionary reconstructs worse than those that it was learned from; "" where nobody knows.
func (e *embedded) unlike() string {
	if e.Percentile == nil {
		return ""
	}
	var names []string
	for i, p := range e.Percentile {
		if p > own.Unlike {
			names = append(names, e.name(i))
		}
	}
	n := len(names)
	if n == 0 {
		return fmt.Sprintf("%s: no graph is unlike the graphs of the fit", e.Data.Name)
	}
	return fmt.Sprintf("%s: %d of %s %s unlike the graphs of the fit (above the %dth percentile of their errors, without outliers): %s%s",
		e.Data.Name, n, words.Plural(len(e.Number), "graph", "graphs"), cmp.Or(words.If(n == 1, "is"), "are"), own.Unlike,
		strings.Join(names[:min(n, unlikeNamed)], ", "),
		words.If(n > unlikeNamed, ", and %d more, in the column percentile", n-unlikeNamed))
}

// unseenLines returns a line for each label that the dictionary was not learned on, with the graphs that have it.
func (e *embedded) unseenLines() (lines []string) {
	labels, names, nodes := []string(nil), map[string][]string{}, map[string]int{}
	for _, u := range e.unseen {
		if names[u.Label] == nil {
			labels = append(labels, u.Label)
		}
		names[u.Label] = append(names[u.Label], e.name(u.Graph))
		nodes[u.Label] += u.Nodes
	}
	for k, label := range labels {
		if k == unseenNamed {
			return append(lines, fmt.Sprintf("the dictionary was not learned on %s more", words.Plural(len(labels)-k, "label", "labels")))
		}
		n := len(names[label])
		lines = append(lines, fmt.Sprintf("the dictionary was not learned on label %s: %s of %s %s no feature for it (%s%s)", label,
			words.Plural(nodes[label], "node", "nodes"), words.Plural(n, "graph", "graphs"), cmp.Or(words.If(nodes[label] == 1, "has"), "have"),
			strings.Join(names[label][:min(n, unseenNamed)], ", "), words.If(n > unseenNamed, ", and %d more", n-unseenNamed)))
	}
	return lines
}

// write makes NAME.npz and NAME.csv.
func (e *embedded) write(name string) error {
	n, shape := len(e.Number), []int{len(e.Number), len(e.Weights) / len(e.Number)}
	all := []npz.Array{
		{Name: "graph", Shape: []int{n}, Int: e.Number},
		{Name: artifact.Weights, Shape: shape, Float: e.Weights},
		{Name: "reconstruction", Shape: []int{n}, Float: e.Reconstruction},
		{Name: artifact.NodeWeights, Shape: shape, Float: e.NodeWeights},
		{Name: "percentile", Shape: []int{n}, Float: e.Percentile},
		{Name: artifact.Assignment, Shape: []int{n}, Int: e.Cluster},
		{Name: "distance", Shape: []int{n}, Float: e.Distance},
		{Name: "class", Shape: []int{n}, Text: e.Class},
		{Name: "predicted", Shape: []int{n}, Text: e.Predicted},
	}
	unknown := func(a npz.Array) bool { return a.Float == nil && a.Int == nil && a.Text == nil }
	packed, errNPZ := npz.Pack(slices.DeleteFunc(all, unknown))
	text, errCSV := e.CSV()
	if err := cmp.Or(errNPZ, errCSV); err != nil {
		return err
	}
	_, _ = disk.Sweep(disk.OS{}, filepath.Dir(name), disk.Abandoned) // of a killed process
	return disk.Put(disk.OS{}, disk.Data{Path: name + ".npz", Bytes: packed}, disk.Data{Path: name + ".csv", Bytes: text})
}
