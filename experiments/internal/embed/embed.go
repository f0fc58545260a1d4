// Package embed puts graphs into a dictionary that was learned before: their weights over its atoms, the nearest of the clusters that
// its cell had, and, where asked, their classes.
package embed

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
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
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/gdl"
	"ogdl/internal/artifact"
	"ogdl/internal/disk"
	"ogdl/internal/npz"
	"ogdl/internal/vec"
	"ogdl/internal/words"
)

// Settings say which graphs are embedded, and where to.
type Settings struct {
	Data     string // a folder in the TU format, or a file of JSON Lines
	Out      string // a name without ending, or a folder; "": a name of its own
	Force    bool   // replace an output that is there
	Classify bool   // predict the class of every graph from those of the others
	New      string // graphs whose classes are predicted too; "": none
	Workers  int
}

// Run embeds the graphs, writes what came out, and says so on stdout.
func (m *Model) Run(ctx context.Context, set Settings, stdout io.Writer) error {
	d, err := m.load(set.Data)
	if err != nil {
		return err
	}
	if set.Classify && d.Classes == nil {
		return fmt.Errorf("embed: -classify: %s has no classes", d.Name)
	}
	names := []string{outputName(set.Out, d.Name)}
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
		if found, all[1], err = m.classify(ctx, set, d, e); err != nil {
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
	}
	fmt.Fprintf(stdout, "%s of %s embedded over %s, mean reconstruction %s\n", words.Plural(len(e.order), "graph", "graphs"), d.Name,
		words.Plural(e.width, "atom", "atoms"), spec.Short(e.meanReconstruction()))
	switch {
	case e.assignment != nil:
	case m.bare:
		fmt.Fprintf(stdout, "the dictionary is not a cell's: nothing assigned\nsettings: %s (-set changes them)\n", m.settings())
	case m.params.Text("cluster_by") == method.ByGWKMeans:
		fmt.Fprintln(stdout, "the cell was clustered by GW k-means, which has no centres among the embeddings: nothing assigned")
	default:
		fmt.Fprintln(stdout, "the cell has no clusters: nothing assigned")
	}
	if d.UnusedEdges {
		fmt.Fprintf(stdout, "%s: %s\n", d.Name, source.EdgesUnused)
	}
	if found != nil {
		fmt.Fprintf(stdout, "classes predicted by an SVM from the other graphs: %.1f %% right "+
			"(95 %% interval %.1f to %.1f, %d folds; the largest class has %.1f %%)\n", 100*found.Accuracy,
			100*found.Low, 100*found.High, found.Folds, 100*found.Majority)
	}
	for _, name := range names {
		fmt.Fprintf(stdout, "written: %s.npz, %s.csv\n", name, name)
	}
	return nil
}

// classify predicts the classes of the embedded graphs of d, each by an SVM that has not seen it, and those of new graphs, which it embeds.
func (m *Model) classify(ctx context.Context, set Settings, d *datasets.Dataset, e *embedded) (*nested.Classification, *embedded, error) {
	if e.coordinates == nil {
		return nil, nil, errors.New("-classify: atoms with node weights of their own have no distance between embeddings")
	}
	points, more := e.coordinates, (*embedded)(nil)
	if set.New != "" {
		others, err := m.load(set.New)
		if err != nil {
			return nil, nil, err
		}
		if more, err = m.embed(ctx, others, set.Workers); err != nil {
			return nil, nil, fmt.Errorf("-new: %w", err)
		}
		points = slices.Concat(points, more.coordinates)
	}
	classes := make([]int, len(e.order))
	for i, graph := range e.order {
		classes[i] = d.Classes[graph]
	}
	c, err := nested.Classify(ctx, points, e.width, classes, rand.New(rand.NewPCG(1, 0)), nil)
	if err != nil {
		return nil, nil, fmt.Errorf("-classify: %w", err)
	}
	named := func(name string, of []int) column {
		c := column{name: name}
		for _, k := range of {
			c.of = append(c.of, d.ClassName(k))
		}
		return c
	}
	e.classes = []column{named("class", classes), named("predicted", c.HeldOut)}
	if more != nil {
		more.classes = []column{named("predicted", c.Unlabelled)}
	}
	return c, more, nil
}

// load reads graphs with the weights of edges that the dictionary's had.
func (m *Model) load(path string) (*datasets.Dataset, error) {
	return loader.Options{EdgeWeights: m.params.Text(spec.EdgeWeightsKey)}.LoadFolder(path)
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

// embedded is what Run writes.
type embedded struct {
	order          []int    // number of the graph in its data set, counted from 0
	names          []string // of the graphs; nil where none has one
	unseen         []datasets.Unseen
	width          int
	weights        []float64
	nodeWeights    []float64 // of GDL_h: graphs x atoms, on the simplex; nil for the others
	reconstruction []float64
	// coordinates are those whose Euclidean distances are the Mahalanobis distances; nil for GDL_h.
	coordinates []float64
	classes     []column  // the graphs' own, and those that an SVM gives them; nil where nobody asked
	assignment  []int     // nil without clusters
	distance    []float64 // to the nearest centre, Mahalanobis
}

// embed unmixes every graph and finds its nearest centre.
func (m *Model) embed(ctx context.Context, d *datasets.Dataset, workers int) (*embedded, error) {
	e := &embedded{width: m.dictionary.S}
	for i := range d.Graphs {
		if d.Graphs[i].Order() > 0 {
			e.order = append(e.order, i)
		}
	}
	d, _ = d.WithoutEmpty()
	if len(d.Graphs) == 0 {
		return nil, errors.New("the data set has no graphs with nodes")
	}
	if m.bare && m.features.Kind == "" {
		features, err := source.FeaturesOf(m.params).Fit(d)
		if err != nil {
			return nil, err
		}
		if m.features = features; features.Dim != m.dictionary.D {
			return nil, fmt.Errorf("%s per node, the dictionary has %d; -set features=... says which ones it was learned on",
				words.Plural(features.Dim, "feature", "features"), m.dictionary.D)
		}
	}
	e.names = d.Names
	spaces, unseen, err := source.BuildSpaces(d, m.params, m.features)
	if err != nil {
		return nil, err
	}
	e.unseen = unseen
	set := method.UnmixSettings(m.params)
	embeddings, err := m.dictionary.Embed(ctx, spaces, &set, workers)
	if err != nil {
		return nil, err
	}
	out := &method.Result{Scores: map[string]float64{}}
	if e.weights, e.nodeWeights, err = out.Embed(m.dictionary, embeddings); err != nil {
		return nil, err
	}
	e.coordinates = out.Embedding
	for _, x := range embeddings {
		e.reconstruction = append(e.reconstruction, x.Reconstruction)
	}
	if m.means == nil {
		return e, nil
	}
	root, err := method.MetricRoot(m.dictionary)
	if err != nil {
		return nil, err
	}
	c := eval.Clustering{K: len(m.means), D: m.dictionary.S}
	for _, mean := range m.means {
		c.Centers = append(c.Centers, gdl.Apply(root, mean, nil)...)
	}
	e.assignment = c.Assign(out.Embedding, len(embeddings))
	for i, k := range e.assignment {
		e.distance = append(e.distance, math.Sqrt(vec.SquaredDistance(out.Embedding[i*c.D:(i+1)*c.D], c.Centers[k*c.D:(k+1)*c.D])))
	}
	return e, nil
}

// unseenNamed is how many graphs with unseen labels are named.
const unseenNamed = 20

// unseenLines name the graphs with labels that the dictionary was not learned on.
func (e *embedded) unseenLines() (lines []string) {
	for k, u := range e.unseen {
		if k == unseenNamed {
			return append(lines, fmt.Sprintf("and %d more graphs with such labels", len(e.unseen)-k))
		}
		name := fmt.Sprintf("graph %d", e.order[u.Graph])
		if e.names != nil && e.names[u.Graph] != "" {
			name += fmt.Sprintf(" (%s)", e.names[u.Graph])
		}
		lines = append(lines, fmt.Sprintf("%s: the dictionary was not learned on label %s; its %s no feature there", name, u.Label,
			words.Plural(u.Nodes, "node has", "nodes have")))
	}
	return lines
}

func (e *embedded) meanReconstruction() float64 {
	sum := 0.0
	for _, x := range e.reconstruction {
		sum += x
	}
	return sum / float64(len(e.reconstruction))
}

// write makes NAME.npz and NAME.csv.
func (e *embedded) write(name string) error {
	n := len(e.order)
	arrays := []npz.Array{
		{Name: "graph", Shape: []int{n}, Int: e.order},
		{Name: artifact.Weights, Shape: []int{n, e.width}, Float: e.weights},
		{Name: "reconstruction", Shape: []int{n}, Float: e.reconstruction},
	}
	if e.nodeWeights != nil {
		arrays = append(arrays, npz.Array{Name: artifact.NodeWeights, Shape: []int{n, e.width}, Float: e.nodeWeights})
	}
	if e.assignment != nil {
		arrays = append(arrays, npz.Array{Name: artifact.Assignment, Shape: []int{n}, Int: e.assignment},
			npz.Array{Name: "distance", Shape: []int{n}, Float: e.distance})
	}
	for _, x := range e.classes {
		arrays = append(arrays, npz.Array{Name: x.name, Shape: []int{n}, Text: x.of})
	}
	packed, err := npz.Pack(arrays)
	if err != nil {
		return err
	}
	text, err := e.csv()
	if err != nil {
		return err
	}
	return disk.Put(disk.OS{}, disk.Data{Path: name + ".npz", Bytes: packed}, disk.Data{Path: name + ".csv", Bytes: text})
}

// column is a text of every graph.
type column struct {
	name string
	of   []string
}

// csv has one line per graph: its number, cluster, distance, reconstruction, weights, classes.
func (e *embedded) csv() ([]byte, error) {
	lines := [][]string{{"graph (from 0)", "cluster (from 0)", "distance", "reconstruction"}}
	if e.names != nil {
		lines[0] = slices.Insert(lines[0], 1, "name")
	}
	all := [][]float64{e.weights}
	if e.nodeWeights != nil {
		all = append(all, e.nodeWeights)
	}
	for k := range all {
		for s := range e.width {
			lines[0] = append(lines[0], "wv"[k:k+1]+strconv.Itoa(s))
		}
	}
	for _, x := range e.classes {
		lines[0] = append(lines[0], x.name)
	}
	for i, number := range e.order {
		line := []string{strconv.Itoa(number), "", "", spec.Short(e.reconstruction[i])}
		if e.assignment != nil {
			line[1], line[2] = strconv.Itoa(e.assignment[i]), spec.Short(e.distance[i])
		}
		if e.names != nil {
			line = slices.Insert(line, 1, e.names[i])
		}
		for _, weights := range all {
			for _, x := range weights[i*e.width : (i+1)*e.width] {
				line = append(line, spec.Short(x))
			}
		}
		for _, x := range e.classes {
			line = append(line, x.of[i])
		}
		lines = append(lines, line)
	}
	var b bytes.Buffer
	err := csv.NewWriter(&b).WriteAll(lines)
	return b.Bytes(), err
}
