package fit

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"ogdl/datasets"
	"ogdl/eval/nested"
	"ogdl/experiments/internal/classify"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/gdl"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/vec"
	"ogdl/reports/figures"
	"ogdl/reports/summary"
)

// Fit is what is chosen among the cells of a fit's configuration.
type Fit struct {
	method.Placed // cluster 0 is the largest
	Notes         []string
	NoPNG         bool // [Fit.Write] draws figures as SVG and PDF alone
	Force         bool // [Fit.Write] replaces files of somebody else

	seed        int64
	features    *datasets.FeatureMap
	chosen      candidate
	tried       []candidate // by atoms and clusters
	found       int         // clusters of the kept clustering that hold graphs
	best        int         // the run of the chosen setting with the lowest objective, which is kept
	kept        []npz.Array // of that run
	read        figures.Arrays
	labels      [][]int // of the runs of the chosen setting
	params      spec.Values
	row         *spec.Method
	width       int       // of the embedding
	embedding   []float64 // in coordinates whose Euclidean distance is that of the clustering; weights where there is none
	mahalanobis bool
	centers     []float64 // clusters x width
	classified  *nested.Classification
}

// Read chooses among the cells of a fit, and reads what is chosen by arrays.
func Read(ctx context.Context, row *spec.Method, d *datasets.Dataset, s *Settings, frame *summary.Frame, arrays figures.Arrays) (*Fit, error) {
	f := &Fit{Placed: method.Place(d), seed: s.Seed, row: row, read: arrays}
	for _, l := range frame.Rows {
		for _, c := range l.Configs {
			f.tried = append(f.tried, candidateOf(c))
		}
	}
	slices.SortStableFunc(f.tried, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.atoms, b.atoms), cmp.Compare(a.clusters, b.clusters))
	})
	c := frame.Free()
	if c == nil {
		return nil, fmt.Errorf("no setting has a result")
	}
	f.chosen = candidateOf(c)
	for i, r := range c.Runs {
		if r.Record.Scores[artifact.Objective] < c.Runs[f.best].Record.Scores[artifact.Objective] {
			f.best = i
		}
	}
	for i, r := range c.Runs {
		a, err := arrays(r.ID)
		if err != nil {
			return nil, err
		}
		labels, err := npz.Find(a, artifact.Assignment)
		if err != nil {
			return nil, err
		}
		f.labels = append(f.labels, labels.Int)
		if i == f.best {
			f.kept = a
		}
	}
	if err := f.unpack(); err != nil {
		return nil, err
	}
	f.assign()
	if !s.Classify {
		return f, nil
	}
	var err error
	if f.classified, err = nested.Classify(ctx, f.embedding, f.width, f.Data.Classes, source.Rand(s.Seed, d.Name, 0, "classify"), nil); err != nil {
		return nil, classify.NameClass(err, f.Data)
	}
	f.Predicted = f.Data.ClassNames(f.classified.HeldOut)
	return f, nil
}

// unpack reads the arrays of the kept run.
func (f *Fit) unpack() error {
	n, g := len(f.Number), npz.Among(f.kept, "the kept run")
	d, err := method.DictionaryOf(f.kept)
	if err != nil {
		return err
	}
	f.width, f.Weights, f.Reconstruction = d.S, g.FloatsOf(artifact.Weights, n, d.S), g.FloatsOf(artifact.Reconstruction, n)
	var raw map[string]any
	for _, x := range []struct {
		name string
		into any
	}{{artifact.Params, &raw}, {artifact.Features, &f.features}} {
		if a := g.Get(x.name, 0, false); a != nil {
			if err := json.Unmarshal([]byte(strings.Join(a.Text, "")), x.into); err != nil {
				g.Fail(x.name, "%v", err)
			}
		}
	}
	if d.H != nil {
		f.NodeWeights = g.FloatsOf(artifact.NodeWeights, n, d.S)
		f.embedding = f.Weights // node weights of their own leave no metric
	}
	if g.Err() != nil {
		return g.Err()
	}
	f.params = spec.Values{}
	for _, q := range f.row.Parameters() {
		if x, ok := raw[q.Name]; ok {
			f.params[q.Name] = q.Restored(x)
		}
	}
	if f.mahalanobis = d.H == nil; f.mahalanobis {
		root, err := method.MetricRoot(d)
		if err != nil {
			return err
		}
		for w := range slices.Chunk(f.Weights, d.S) {
			f.embedding = append(f.embedding, gdl.Apply(root, w, nil)...)
		}
	}
	return nil
}

// assign numbers the clusters of the kept run by size, and measures the graphs' distances to their centres, the means of their embeddings.
// Clusters without graphs, of which there are some where fewer embeddings differ, are none.
func (f *Fit) assign() {
	labels := f.labels[f.best]
	sizes := sizesOf(labels)
	order := make([]int, len(sizes)) // of the clusters, the largest first
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	order = slices.DeleteFunc(order, func(k int) bool { return sizes[k] == 0 })
	f.found = len(order)
	s, name := f.width, make([]int, len(sizes))
	for k, old := range order {
		name[old] = k
	}
	f.centers = make([]float64, len(order)*s)
	row := func(i int) []float64 { return f.embedding[i*s : (i+1)*s] }
	for i, old := range labels {
		f.Cluster = append(f.Cluster, name[old])
		for j, x := range row(i) {
			f.centers[name[old]*s+j] += x / float64(sizes[old])
		}
	}
	for i, k := range f.Cluster {
		f.Distance = append(f.Distance, math.Sqrt(vec.SquaredDistance(row(i), f.centers[k*s:(k+1)*s])))
	}
}

// sizesOf counts the graphs of each cluster.
func sizesOf(labels []int) []int {
	sizes := make([]int, slices.Max(labels)+1)
	for _, k := range labels {
		sizes[k]++
	}
	return sizes
}
