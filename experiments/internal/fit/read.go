package fit

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"ogdl/datasets"
	"ogdl/eval"
	"ogdl/eval/nested"
	"ogdl/experiments/internal/classify"
	"ogdl/experiments/internal/embed"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/vec"
	"ogdl/internal/words"
	"ogdl/reports"
	"ogdl/reports/figures"
	"ogdl/reports/own"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Names of the files that a fit writes.
const (
	ConfigFile     = "fit.toml"
	ConfigHead     = "# Written by fit." // its beginning
	DictionaryFile = own.DictionaryFile
	PageFile       = "index.html"
	// UnfinishedFile exists while the files of a fit are being replaced.
	UnfinishedFile = "UNFINISHED.txt"
)

// unfinished is the content of UnfinishedFile.
const unfinished = "A fit was stopped while it wrote this folder: its files may be of two fits. Run fit again, with -force.\n"

// Fit is the selected setting of a fit, with its kept run.
type Fit struct {
	own.Page
	embeddings [][]float64 // of the chosen atoms' repetitions, in the order of their runs
}

// Read selects a setting among the cells of a fit and reads its arrays.
func Read(ctx context.Context, row *spec.Method, d *datasets.Dataset, s *Settings, frame *summary.Frame, arrays figures.Arrays) (*Fit, error) {
	f := &Fit{Page: own.Page{Placed: own.Place(d), Seed: s.Seed, Balanced: s.balanced, ByClasses: s.byClasses(d), Keys: keys(row),
		Arrays: arrays}}
	for _, c := range summary.Configs(frame.Rows) {
		f.Tried = append(f.Tried, c)
	}
	slices.SortStableFunc(f.Tried, own.ByAtoms)
	if err := f.choose(frame.Settings()); err != nil {
		return nil, err
	}
	for _, r := range f.Chosen.Runs {
		a, err := arrays(r.ID)
		if err != nil {
			return nil, err
		}
		labels, err := npz.Find(a, artifact.Assignment)
		if err != nil {
			return nil, err
		}
		f.Labels = append(f.Labels, labels.Int)
	}
	err := f.keep(f.embeddings, source.Rand(s.Seed, d.Name, 0, "clusters"))
	if err != nil {
		return nil, err
	}
	if f.Kept, err = arrays(f.Chosen.Runs[f.Best].ID); err != nil {
		return nil, err
	}
	if err := f.unpack(); err != nil {
		return nil, err
	}
	f.assign()
	if s.Classify {
		draws := source.Rand(s.Seed, d.Name, 0, "classify")
		if f.Classified, err = nested.Classify(ctx, f.Embedding, f.Width, f.Data.Classes, draws, nil); err != nil {
			return nil, classify.NameClass(err, f.Data)
		}
		f.Predicted = f.Data.ClassNames(f.Classified.HeldOut)
	}
	return f, nil
}

// keep clusters the graphs in the embeddings of all repetitions at once, and lets k-means go on from
// there in each repetition. A single repetition often divides one kind of graphs (see
// [eval.SeparateRepeated]). GDL_h has no metric of embeddings: its repetitions have their own
// clusters. The repetition is kept whose clusters leave the smallest share of the dispersion in the
// embeddings of all, and of equal ones the repetition with the lowest mean objective.
func (f *Fit) keep(embeddings [][]float64, rng *rand.Rand) error {
	n, k := len(f.Labels[0]), f.Chosen.Clusters()
	all := joined(embeddings, n)
	restarts, byEmbedding := f.Chosen.Params.Get("kmeans_restarts")
	var start eval.Clustering
	if byEmbedding {
		var err error
		if start, err = eval.KMeans(all, n, len(all)/n, k, &eval.KMeansSettings{Restarts: int(restarts.Number)}, rng); err != nil {
			return err
		}
	}
	least, lowest := math.Inf(1), math.Inf(1)
	for r, labels := range f.Labels {
		if byEmbedding {
			c, err := eval.KMeans(embeddings[r], n, len(embeddings[r])/n, k, &eval.KMeansSettings{Start: start.Labels, Tol: -1}, rng)
			if err != nil {
				return err
			}
			labels = c.Labels
		}
		left, objective := dispersion(all, labels), f.Chosen.Runs[r].Record.Scores[artifact.Objective]
		if left < least || left == least && objective < lowest {
			least, lowest, f.Best, f.Cluster = left, objective, r, labels
		}
	}
	return nil
}

// joined returns the coordinates of n graphs in all embeddings, each embedding with a dispersion of 1.
func joined(embeddings [][]float64, n int) []float64 {
	rows := make([][]float64, n)
	for _, X := range embeddings {
		d, scale := len(X)/n, cmp.Or(math.Sqrt(dispersion(X, make([]int, n))), 1)
		for i, x := range X {
			rows[i/d] = append(rows[i/d], x/scale)
		}
	}
	return slices.Concat(rows...)
}

// dispersion returns the sum of the squared distances of points to the means of their clusters.
func dispersion(points []float64, labels []int) (sum float64) {
	_, squares := means(points, labels)
	for _, x := range squares {
		sum += x
	}
	return sum
}

// means returns the mean of each cluster, and the squared distance of each point to its cluster's.
func means(points []float64, labels []int) (centers, squares []float64) {
	d, sizes := len(points)/len(labels), summary.Sizes(labels)
	centers = make([]float64, d*len(sizes))
	for i, x := range points {
		k := labels[i/d]
		centers[k*d+i%d] += x / float64(sizes[k])
	}
	for i, k := range labels {
		squares = append(squares, vec.SquaredDistance(points[i*d:(i+1)*d], centers[k*d:(k+1)*d]))
	}
	return centers, squares
}

// unpack reads the arrays of the kept run.
func (f *Fit) unpack() error {
	clusters := func(a npz.Array) bool { return a.Name == artifact.Centers } // some may hold no graph
	packed, err := npz.Pack(slices.DeleteFunc(slices.Clone(f.Kept), clusters))
	if err != nil {
		return err
	}
	m, err := embed.Read(packed, nil)
	if err != nil {
		return err
	}
	n, g := len(f.Number), npz.Among(f.Kept, "the kept run")
	f.Width, f.Params, f.Features = m.Dictionary.S, m.Params, m.Features
	f.Weights, f.Reconstruction = g.FloatsOf(artifact.Weights, n, f.Width), g.FloatsOf(artifact.Reconstruction, n)
	if g.Err() == nil {
		f.Rank(f.orders(), f.Reconstruction, m.Rounding())
	}
	// Settings of one number of atoms share their dictionaries, so the embeddings are the kept run's too.
	f.Embedding, f.Mahalanobis = f.embeddings[f.Best], m.Dictionary.H == nil
	if !f.Mahalanobis { // node weights of their own leave no metric
		f.NodeWeights = g.FloatsOf(artifact.NodeWeights, n, f.Width)
	}
	return g.Err()
}

// orders are the numbers of nodes of the graphs.
func (f *Fit) orders() (n []int) {
	for i := range f.Data.Graphs {
		n = append(n, f.Data.Graphs[i].Order())
	}
	return n
}

// assign numbers the clusters by size, and measures the graphs' distances to their centres, the
// means of their embeddings. It drops empty clusters, which occur if fewer embeddings are distinct.
func (f *Fit) assign() {
	labels := f.Cluster
	sizes := summary.Sizes(labels)
	order := slices.DeleteFunc(figures.ByLargest(sizes), func(k int) bool { return sizes[k] == 0 })
	f.Cluster = nil
	for _, old := range labels {
		f.Cluster = append(f.Cluster, slices.Index(order, old))
	}
	f.Found = len(order)
	f.Centers, f.Distance = means(f.Embedding, f.Cluster)
	for i, squared := range f.Distance {
		f.Distance[i] = math.Sqrt(squared)
	}
}

// Write puts the files of the fit into a folder, figures as SVG and PDF: all of them, or none if
// the context ends or something fails before the first is in its place. If it is stopped between
// the first and the last, [UnfinishedFile] stays. Changed files are replaced only with
// force.
func (f *Fit) Write(ctx context.Context, dir string, force bool) error {
	folder := reports.NewFolder(dir)
	page, err := f.HTML(ctx, folder)
	if err != nil {
		return err
	}
	graphs, errGraphs := f.CSV()
	dictionary, errDictionary := f.npz()
	if err := cmp.Or(errGraphs, errDictionary); err != nil {
		return err
	}
	folder.Add(own.GraphsFile, graphs)
	folder.Add(DictionaryFile, dictionary)
	folder.Add(PageFile, page)
	folder.List(force, by(dir))
	folder.Sign(UnfinishedFile, unfinished)
	return folder.Write(ctx)
}

// by names the command that replaces changed files of a folder; "" without a list of them: all may be the user's.
func by(dir string) string { return words.If(reports.Listed(dir), "fit -force") }

// Occupied returns an error if a fit would replace files that no fit wrote, or, without force, changed ones.
func Occupied(dir string, force bool) error {
	names := []string{own.GraphsFile, DictionaryFile, UnfinishedFile}
	for _, figure := range own.Figures {
		for _, ending := range []string{".svg", ".pdf", table.CSVEnding} {
			names = append(names, "figures/"+figure+ending)
		}
	}
	return reports.Occupied(dir, nil, force, by(dir), names...)
}

// npz returns dictionary.npz, which embed reads: the arrays of the kept cell, with clusters
// numbered by size, the verdict on clusters, and warnings.
func (f *Fit) npz() ([]byte, error) {
	n, found := len(f.Number), f.Separate
	if found == 1 {
		found = 0
	}
	said := append(append([]string{}, f.Warnings()...), f.Notes...)
	var arrays []npz.Array
	for _, a := range f.Kept {
		switch a.Name {
		case artifact.Reconstruction, artifact.Centers, artifact.Assignment:
			continue
		case artifact.Method: // the clusters come before it
			if f.Mahalanobis {
				arrays = append(arrays, npz.Array{Name: artifact.Centers, Shape: []int{f.Found, f.Width}, Float: f.Centers})
			}
			arrays = append(arrays, npz.Array{Name: artifact.Assignment, Shape: []int{n}, Int: f.Cluster},
				npz.Array{Name: "graph", Shape: []int{n}, Int: f.Number},
				npz.Array{Name: artifact.DataOrder, Shape: []int{n}, Int: f.orders()},
				npz.Array{Name: artifact.DataErrors, Shape: []int{n}, Float: f.Reconstruction},
				npz.Array{Name: artifact.ClustersFound, Int: []int{found}},
				npz.Array{Name: artifact.Warnings, Shape: []int{len(said)}, Text: said})
		}
		arrays = append(arrays, a)
	}
	return npz.Pack(arrays)
}
