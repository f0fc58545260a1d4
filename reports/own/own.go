// Package own shows a fit of a user's own graphs on a page of its own.
package own

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ogdl/datasets"
	"ogdl/eval"
	"ogdl/eval/nested"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/words"
	"ogdl/reports"
	"ogdl/reports/figures"
	"ogdl/reports/page"
	"ogdl/reports/paper"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Page holds the content of a fit's page. Cluster 0 is the largest.
type Page struct {
	Placed
	Notes []string

	// Balanced is the alpha at which structure and features have equal shares of the mean cost between random pairs
	// of graphs; 0 if alpha is given, 0.5 if there is none.
	Balanced float64

	Seed int64
	// ByClasses: the number of clusters is the number of classes, since the user gave none.
	ByClasses bool
	Params    map[string]any // as resolved; Keys are those that are listed, in their order
	Keys      []string
	// Tried are the settings by atoms and clusters, Chosen is one of them, and Best its run that is
	// kept. Labels has the clusters of each run of Chosen. Found is the number of non-empty
	// clusters of the kept run.
	Tried       []*summary.Config
	Chosen      *summary.Config
	Best, Found int
	Labels      [][]int
	// Separate is the number of separated clusters in the embeddings of the chosen atoms' runs, 1 if a test finds none. HeldOut are the
	// errors of each number of atoms.
	Separate int
	HeldOut  []HeldOut

	Kept     []npz.Array // of the run that is kept
	Arrays   figures.Arrays
	Features *datasets.FeatureMap
	// Embedding has Width numbers for each graph, Centers Width for each cluster. They are
	// Mahalanobis coordinates, or weights for GDL_h.
	Embedding, Centers []float64
	Width              int
	Mahalanobis        bool
	// Classified is how well classes are predicted; nil where nobody asked.
	Classified *nested.Classification
}

// HeldOut is the mean held-out reconstruction error with Atoms atoms.
type HeldOut struct {
	Atoms       int
	Mean, Error float64 // over graphs, with its standard error; NaN where there are none
	Taken       bool
}

// HeldOutOf returns mean and standard error.
func HeldOutOf(atoms int, errs []float64) HeldOut {
	s := paper.StatOf(errs).OrNaN()
	return HeldOut{Atoms: atoms, Mean: s.Mean, Error: s.Std / math.Sqrt(float64(max(len(errs)-1, 1)))}
}

// ByAtoms orders settings by their numbers of atoms, then of clusters.
func ByAtoms(a, b *summary.Config) int {
	return cmp.Or(cmp.Compare(a.Atoms(), b.Atoms()), cmp.Compare(a.Clusters(), b.Clusters()))
}

// found says how many clusters there are.
func (f *Page) found() string {
	switch clusters := words.Plural(f.Found, "cluster", "clusters"); {
	case !f.unseparated():
		return clusters
	case f.Found == 1:
		return "no clusters found, one cluster"
	default:
		return "no clusters found, cut into " + clusters
	}
}

// given says who gave the number of clusters, where the test for separated ones did not choose it.
func (f *Page) given() string {
	switch {
	case f.ByClasses:
		return "the number of classes"
	case f.Tried[0].Clusters() == f.Tried[len(f.Tried)-1].Clusters():
		return "the number that -clusters gives"
	case f.Chosen.Clusters() > 1 && f.unseparated():
		return "the fewest that -clusters allows"
	}
	return ""
}

// unseparated says that the embeddings have no separated clusters.
func (f *Page) unseparated() bool { return f.Separate == 1 }

// verdict says what the test for separated clusters finds.
func (f *Page) verdict() string {
	if !f.unseparated() {
		return " A test of the embeddings alone: " + words.Plural(f.Separate, "cluster", "clusters") + "."
	}
	return " A test of the embeddings alone: no clusters found. The test misses small clusters and clusters that overlap: " +
		"it separates two groups of 60 graphs, four standard deviations apart, in at most one sample of four."
}

// agreement names the stability of the clusters.
func (f *Page) agreement() string {
	return words.If(f.Found != 1 && !f.noClusters(), ", with stability %.2f over %d repetitions", f.Chosen.Stability,
		len(f.Chosen.Runs))
}

// further says that the range of atoms may be too short: its largest number is taken.
func (f *Page) further() string {
	last := len(f.HeldOut) - 1
	if last < 1 || !f.HeldOut[last].Taken || f.HeldOut[last].Atoms >= len(f.Cluster) {
		return ""
	}
	most := f.HeldOut[last].Atoms
	return fmt.Sprintf(" %d is the largest number of atoms tried, so more may be better: -atoms %[1]d..%d.",
		most, min(2*most, len(f.Cluster)))
}

// stable says whether different repetitions find nearly the same clusters.
func (f *Page) stable() bool { return f.Chosen.Stability >= summary.Unstable }

// noClusters says that most clusterings hold (nearly) all graphs in one cluster, or lack some.
func (f *Page) noClusters() bool {
	return math.IsNaN(f.Chosen.Stability) || 2*f.Chosen.LeftOut() > len(f.Chosen.Runs)
}

// HTML is the page; the figures on it are added to the folder, as SVG and PDF.
func (f *Page) HTML(ctx context.Context, folder *reports.Folder) ([]byte, error) {
	atoms, atomsTable, loss, err := f.drawn()
	if err != nil {
		return nil, err
	}
	at, err := f.axes()
	if err != nil {
		return nil, err
	}
	p, err := f.newPairs()
	if err != nil {
		return nil, err
	}
	lists, drawn, err := p.lists(ctx)
	if err != nil {
		return nil, err
	}
	all := slices.Concat([]plots.Figure{f.embeddingFigure(&at), p.nearestFigure(), atoms}, loss,
		table.When(len(f.HeldOut) > 1, f.heldOutFigure()))
	onPage, err := folder.Draw(ctx, "", all)
	if err != nil {
		return nil, err
	}
	if len(f.Cluster) <= mostPoints {
		if onPage[0].SVG, err = f.points(&at, drawn); err != nil {
			return nil, err
		}
	}
	clusters := []table.Table{f.contents(), f.sizes()}
	if f.Found > 1 {
		baseline, err := f.baseline()
		if err != nil {
			return nil, err
		}
		clusters = append(clusters, baseline)
	}
	choice := append([]table.Table{f.runs()}, table.When(len(f.Tried) > 1, f.tried())...)
	s := page.Sheet{Title: fmt.Sprintf("%s: %s of %s", f.Data.Name, f.found(), words.Plural(len(f.Cluster), "graph", "graphs")),
		Lead: f.Lead(), Warnings: f.Warnings()}
	learning := table.When(len(loss) > 0, page.Section{ID: "loss", Title: "Error in each epoch", Figures: onPage[3 : 3+len(loss)]})
	s.Sections = slices.Concat([]page.Section{
		{ID: "clusters", Title: "Clusters", Figures: onPage[:1], Tables: clusters},
		{ID: "graphs", Title: "Graphs and their models", Text: []string{listText}, Figures: onPage[1:2], Lists: lists},
		{ID: "atoms", Title: "Atoms", Figures: onPage[2:3], Tables: []table.Table{atomsTable}},
		{ID: "stability", Title: "Choice and stability", Text: []string{f.stabilityText()}, Figures: onPage[3+len(loss):], Tables: choice},
	}, learning, []page.Section{
		{ID: "settings", Title: "Settings and files", Text: []string{countedText}, Files: files, Tables: []table.Table{f.settings()}},
	})
	var b bytes.Buffer
	err = s.HTML(&b)
	return b.Bytes(), err
}

// stabilityText says what stability is, and how settings are chosen.
func (f *Page) stabilityText() string {
	text := fmt.Sprintf("Stability is the mean adjusted Rand Index between the clusterings of two of the %d repetitions, over all pairs: 1 "+
		"where every one finds the same clusters, 0 where they agree by chance alone. A low stability makes the clusters doubtful, and a high "+
		"one does not prove them.", len(f.Chosen.Runs))
	if f.ByClasses {
		text += " The number of clusters is the number of classes (-clusters 1..8 lets the test choose it). Nothing else uses the classes."
	} else {
		text += " No classes are used."
	}
	first, last := f.Tried[0], f.Tried[len(f.Tried)-1]
	if first.Atoms() != last.Atoms() {
		text += " The number of atoms is chosen by graphs that the atoms were not learned from: the fewest atoms whose mean reconstruction error exceeds the " +
			"lowest by at most one standard error, paired over graphs."
	}
	if first.Clusters() != last.Clusters() {
		text += " The number of clusters is chosen by a test for separated clusters: the embeddings must have dips (Hartigan's) that clouds and curves " +
			"without clusters rarely have. The gap statistic then counts them. The distance of two graphs is the second smallest of the repetitions, " +
			"and two repetitions must have such dips by themselves."
	}
	varying := f.varying()
	others := slices.DeleteFunc(slices.Clone(varying), func(key string) bool {
		return slices.Contains([]string{"atoms", summary.ParamAlpha, summary.ParamClusters}, key)
	})
	return text + words.If(slices.Contains(varying, summary.ParamAlpha), " The alpha of the lowest mean objective is taken.") +
		words.If(len(others) > 0, " Of settings that differ in %s the most stable one is taken.", strings.Join(others, ", "))
}

// Names of the files next to the page.
const (
	GraphsFile     = "graphs.csv"
	DictionaryFile = "dictionary.npz"
)

// Figures are the names of the figures that no other report has.
var Figures = []string{"embedding", "graphs", "held_out"}

var files = []page.File{
	{Name: GraphsFile, Holds: "has every graph with its cluster, its distance to the centre, its reconstruction error and its weights."},
	{Name: DictionaryFile, Holds: "has the atoms, the weights and all that embed needs for new graphs."},
}

var listText = fmt.Sprintf("Each link below the picture opens a graph with its model, its weights over the atoms (numbered as in their "+
	"figure) and its reconstruction error. Graphs of more than %d nodes are not drawn.", largestDrawn)

const countedText = "Graphs, clusters and atoms are counted from 0 in files; figures number the atoms that they draw " +
	"from 1, the densest first, and the table of atoms has the column of each atom in graphs.csv."

// Lead says what was done and what came out, a paragraph each.
func (f *Page) Lead() []string {
	c := f.Chosen
	how := "structure alone"
	if f.Features.Dim > 0 {
		how = fmt.Sprintf("structure and %s, %s of %s (alpha %v)", words.Plural(f.Features.Dim, "feature", "features"), f.Features.Kind,
			"the nodes", f.Params["alpha"])
	}
	fall := map[bool]string{false: "fall", true: "are cut"}[f.unseparated() && f.Found > 1]
	out := fmt.Sprintf("%s of %s, embedded over %s of order %v by %s, %s into %s", words.Plural(len(f.Cluster), "graph", "graphs"), f.Data.Name,
		words.Plural(c.Atoms(), "atom", "atoms"), f.Params["order"], how, fall, words.Plural(f.Found, "cluster", "clusters"))
	given := f.given()
	out += words.If(given != "" && f.Found > 1 && f.Found == c.Clusters(), ", %s", given) + f.agreement() + "." + f.verdict()
	out += fmt.Sprintf(" The mean reconstruction error is %.4g.", f.run().Record.Scores[artifact.Reconstruction]) + f.further()
	if f.Data.NumClasses() > 1 {
		known := map[bool]string{false: "do not know the classes", true: "know only the number of classes"}[f.ByClasses]
		out += fmt.Sprintf(" The adjusted Rand Index with the %d classes is %.2f. The clusters %s.",
			f.Data.NumClasses(), eval.AdjustedRandIndex(f.Data.Classes, f.Cluster), known)
	}
	if c := f.Classified; c != nil {
		out += fmt.Sprintf(" An SVM on the embeddings predicts %.1f %% of the classes from other graphs' (95 %% interval %.1f to %.1f, %d folds; "+
			"the largest class has %.1f %%); the atoms were learned from all graphs, without classes.",
			100*c.Accuracy, 100*c.Low, 100*c.High, c.Folds, 100*c.Majority)
	}
	return append([]string{out}, f.Notes...)
}

// Warnings are what a user must know before reading the clusters.
func (f *Page) Warnings() []string {
	out := append(slices.Clone(f.Data.Doubts), f.doubts()...)
	if f.Classified != nil {
		for _, name := range f.Data.ClassNames(f.Classified.Rare) {
			out = append(out, fmt.Sprintf("Class %q has fewer than 4 graphs: some folds are without it.", name))
		}
	}
	return out
}

// doubts are those about the clusters.
func (f *Page) doubts() []string {
	last, asked := f.Tried[len(f.Tried)-1], f.Chosen.Clusters()
	switch {
	case last.Clusters() > 1 && f.Found == 1 && slices.Max(f.Distance) <= f.rounding():
		return []string{"The graphs cannot be told apart: over these atoms all have the same embedding. There is one cluster."}
	case asked == 1:
		return nil
	case f.Found < asked:
		return []string{fmt.Sprintf("%d clusters cannot be told apart: the graphs have only %d different embeddings.", asked, f.Found)}
	case f.noClusters():
		return []string{"In most repetitions one cluster holds 95 % of the graphs or more, so the clusters separate nearly nothing."}
	case f.unseparated() && f.stable():
		return []string{fmt.Sprintf("No clusters found: the %d clusters, %s, cut graphs that the test does not separate.", f.Found, f.given())}
	case !f.stable():
		return []string{fmt.Sprintf("At %s the clusterings of the repetitions do not agree: stability %.2f (mean adjusted Rand Index), below %v. "+
			"Other clusterings are equally justified.",
			f.setting(), f.Chosen.Stability, summary.Unstable)}
	}
	return nil
}

// setting names the chosen setting by its atoms, its clusters and the other parameters that were tried.
func (f *Page) setting() string {
	text := words.Plural(f.Chosen.Atoms(), "atom", "atoms") + " and " + words.Plural(f.Chosen.Clusters(), "cluster", "clusters")
	others := slices.DeleteFunc(f.varying(), func(key string) bool { return key == "atoms" || key == summary.ParamClusters })
	return text + words.If(len(others) > 0, " (%s)", f.Chosen.Params.Describe(others))
}

// objective names what learning lowers: without a penalty it is the reconstruction error.
func (f *Page) objective() string {
	for _, penalty := range []string{"lambda", "mu"} {
		if x, ok := f.Params[penalty]; ok && fmt.Sprint(x) != "0" {
			return "penalised reconstruction error"
		}
	}
	return "reconstruction error"
}

// run is the run that is kept.
func (f *Page) run() summary.Run { return f.Chosen.Runs[f.Best] }

// drawn are the figures that reports have too: the atoms, with their table, and the loss.
func (f *Page) drawn() (atoms plots.Figure, rows table.Table, loss []plots.Figure, err error) {
	frame := summary.NewFrame(summary.Spec{Table: summary.FigureAtoms}, slices.Clone(f.Chosen.Runs), nil)
	figs, tabs, err := figures.Atoms(summary.NewFrame(frame.Spec, []summary.Run{f.run()}, nil), f.Arrays)
	if err != nil {
		return atoms, rows, loss, err
	}
	if len(figs) != 1 {
		return atoms, rows, nil, fmt.Errorf("fit: %d figures of atoms", len(figs))
	}
	figs[0].Name, figs[0].Alt = "atoms", strings.ReplaceAll(figs[0].Alt, "mean objective", "mean "+f.objective())
	loss = figures.Loss(frame) // none of one epoch
	for i := range loss {
		loss[i].Title = "Mean " + f.objective() + " in each epoch of learning"
		loss[i].Alt = fmt.Sprintf("Mean %s of the graphs in each epoch of learning: mean over the %d repetitions, with a band of one "+
			"standard deviation.", f.objective(), len(f.Chosen.Runs))
	}
	rows = tabs[0].Without("data set", "parameters", "mean weight by class")
	rows.Title = "Atoms of the kept dictionary, from the densest to the sparsest"
	if at := slices.IndexFunc(rows.Columns, func(c table.Column) bool { return c.Title == "place in the file" }); at >= 0 {
		rows.Columns[at].Title = "weights in " + GraphsFile
		for _, row := range rows.Rows {
			row[at] = table.Txt("w" + row[at].Plain())
		}
	}
	return figs[0], rows, loss, nil
}

// metric names the distance that pictures and tables show.
func (f *Page) metric() string {
	if f.Mahalanobis {
		return "the Mahalanobis metric, in whose distance the graphs were clustered"
	}
	return "the weights (the graphs were clustered by the distances of their models)"
}

// short cuts a title to 18 letters.
func short(text string) string {
	if r := []rune(text); len(r) > 18 {
		return string(r[:17]) + "…"
	}
	return text
}

// scaled are weights over top, or over the largest of them where that is above.
func scaled(w []float64, top float64) []float64 {
	out := make([]float64, len(w))
	for _, x := range w {
		top = max(top, x)
	}
	for i, x := range w {
		out[i] = x / top
	}
	return out
}

// heldOutFigure draws the reconstruction errors of graphs that atoms were not learned from.
func (f *Page) heldOutFigure() plots.Figure {
	panel := plots.XY{XLabel: "atoms", YLabel: "mean reconstruction error"}
	curve, taken := plots.Series{Style: plots.LinePoints, Name: "mean, one standard error", Whiskers: true}, plots.Series{Style: plots.Points, Name: "taken", Colour: 2}
	data := plots.Data{Header: []string{"atoms", "mean", "standard_error", "taken"}}
	said := ""
	for _, h := range f.HeldOut {
		data.Add(h.Atoms, h.Mean, h.Error, fmt.Sprint(h.Taken))
		if h.Taken {
			said = fmt.Sprintf("%d are taken", h.Atoms)
		}
		if math.IsNaN(h.Mean) {
			continue
		}
		x := float64(h.Atoms)
		panel.XTicks = append(panel.XTicks, plots.Tick{Value: x, Label: strconv.Itoa(h.Atoms)})
		curve.Put(x, h.Mean, h.Mean-h.Error, h.Mean+h.Error)
		if h.Taken {
			taken.Put(x, h.Mean)
		}
	}
	panel.Series = []plots.Series{curve, taken}
	return plots.Figure{Name: "held_out", Title: "Reconstruction error of held-out graphs", Width: 12, Columns: 1,
		Panels: []plots.Panel{panel}, Data: []plots.Data{data},
		Alt: "Mean reconstruction error, with one standard error, of graphs over atoms that were learned from the other four fifths of the graphs, " +
			"against the number of atoms: " + said + "."}
}
