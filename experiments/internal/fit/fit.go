// Package fit learns dictionaries of a user's own graphs. It writes the configuration of the fit,
// selects a setting among its cells, and writes graphs.csv, dictionary.npz and a page.
package fit

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ogdl/datasets"
	"ogdl/eval/nested"
	"ogdl/experiments/internal/classify"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/gdl"
	"ogdl/internal/record"
	"ogdl/internal/words"
	"ogdl/ot/gw"
	"ogdl/reports/own"

	"github.com/BurntSushi/toml"
)

// fewestGraphs is the least number of graphs of a fit.
const fewestGraphs = 2

// Repetitions is the number of repetitions of a setting. Each holds out another part of the graphs.
const Repetitions = method.Folds

// Atoms have as many nodes as the median graph, but for graphs of a median above medianNodes: their atoms have nodesOfLarge nodes. Atoms of 30 nodes
// instead of 41 raise the objective on COX2 by 29 %, and instead of 50 on sparse random graphs of 300 to 1,000 nodes by less than 1 %.
const (
	medianNodes  = 50
	nodesOfLarge = 25
)

// mostClusters bounds the numbers of clusters to try if neither -clusters nor classes give one.
const mostClusters = 8

// list returns several numbers as a configuration has them, and one number as it is.
func list(numbers []int) any {
	if len(numbers) == 1 {
		return numbers[0]
	}
	return numbers
}

// Settings are the flags of a fit.
type Settings struct {
	Method          string // GDL or GDL_h
	Atoms, Clusters []int  // to choose from, ascending; without Clusters the number of classes, and 1 to 8 where there are none
	// Given are parameters of the method, as -set has them, instead of the defaults here. A list asks for all its values.
	Given    map[string]any
	Seed     int64
	Classify bool // predict the class of every graph from the classes of the others

	balanced float64 // the alpha that Configuration found, where the user gave none
}

// Methods returns the names of the methods that fit can use, in the order of the table.
func Methods(table method.Table) (names []string) {
	for _, r := range table {
		if r.Parameter(method.ShareKey) != nil {
			names = append(names, r.Name)
		}
	}
	return names
}

// hidden lists the parameters that -set rejects: flags give them, or they do not apply to a fit.
var hidden = []string{"atoms", "atoms_per_class", "clusters", "cluster_by", "keep_graphs", "centroid_weights", method.ShareKey, method.HeldOutKey}

// FlagOf returns the flag that gives a parameter: its own, or -set.
func FlagOf(key string) string {
	if slices.Contains([]string{"atoms", "clusters", "order", "alpha", "lambda", "features"}, key) {
		return "-" + key
	}
	return "-set " + key
}

// keys lists the parameters of a method that may be given.
func keys(row *spec.Method) []string {
	return slices.DeleteFunc(row.Names(), func(key string) bool { return slices.Contains(hidden, key) || strings.HasPrefix(key, "sbm_") })
}

// Configuration returns the text of the fit's configuration, and notes on its defaults. path is the
// path of the graphs relative to the configuration. usable returns the values of edge_weights that
// the graphs can be read with.
func (s *Settings) Configuration(row *spec.Method, d *datasets.Dataset, path string,
	usable func(zero bool) (names []string, why string)) (text []byte, notes []string, err error) {
	p := own.Place(d)
	n := len(p.Data.Graphs)
	most := n - (n+method.Folds-1)/method.Folds // atoms that start from the graphs that are not held out
	switch {
	case n < fewestGraphs:
		return nil, nil, fmt.Errorf("a fit needs at least %d graphs with nodes: %s has %d", fewestGraphs, d.Name, n)
	case len(s.Atoms) > 1 && row.Parameter(method.HeldOutKey) == nil:
		return nil, nil, fmt.Errorf("-atoms: -method %s takes one number: held-out graphs, which choose among several, are GDL's", row.Name)
	case len(s.Atoms) > 1 && n < method.Folds:
		return nil, nil, fmt.Errorf("-atoms: one number for %d graphs: held-out graphs, which choose, need %d", n, method.Folds)
	case len(s.Atoms) > 1 && slices.Max(s.Atoms) > most && s.Given["init"] != string(gdl.RandomInit):
		return nil, nil, fmt.Errorf("-atoms: one number, or several up to %d: held-out graphs choose among several, "+
			"and atoms start from the other %d of the %d graphs", most, most, n)
	case s.Classify && p.Data.Classes == nil:
		return nil, nil, fmt.Errorf("-classify: %s has no classes", d.Name)
	case len(s.Clusters) > 0 && slices.Max(s.Clusters) > n:
		return nil, nil, fmt.Errorf("-clusters %d: there are %s", slices.Max(s.Clusters), words.Plural(n, "graph", "graphs"))
	}
	if s.Classify {
		if _, err := nested.Classes(p.Data.Classes); err != nil {
			return nil, nil, fmt.Errorf("-classify: %w", classify.NameClass(err, p.Data))
		}
	}
	known := keys(row)
	for _, key := range slices.Sorted(maps.Keys(s.Given)) {
		switch {
		case key == "atoms" || key == "clusters":
			return nil, nil, fmt.Errorf("-set %s: it has a flag of its own, -%[1]s", key)
		case !slices.Contains(known, key):
			return nil, nil, fmt.Errorf("-set %s: not a key here%s", key, spec.Expected(key, known))
		case strings.Contains(fmt.Sprint(s.Given[key]), string(gdl.SamplePerClassInit)):
			return nil, nil, fmt.Errorf("-set %s=%v: a fit learns without classes", key, s.Given[key])
		}
	}
	if p.LeftOut != "" {
		notes = append(notes, p.LeftOut)
	}
	block, more, err := s.defaults(row, p.Data)
	if err != nil {
		return nil, nil, err
	}
	notes = append(notes, more...)
	if d.UnusedEdges {
		weights, why := usable(block["representation"] != string(datasets.KindShortestPath))
		note := fmt.Sprintf("Edges have attributes that are not used, and cannot weigh edges: %s.", why)
		if len(weights) > 0 {
			note = fmt.Sprintf("Edges have attributes that are not used: -set edge_weights=%s weighs edges by them.", strings.Join(weights, " or "))
		}
		notes = append(notes, note)
	}
	clusters := s.Clusters
	switch {
	case len(clusters) > 0:
	case s.byClasses(p.Data):
		clusters = []int{p.Data.NumClasses()}
	default:
		for k := range min(mostClusters, n) {
			clusters = append(clusters, k+1)
		}
	}
	maps.Copy(block, map[string]any{"path": path, "method": row.Name, "atoms": list(s.Atoms), "clusters": list(clusters), method.ShareKey: true})
	if len(s.Atoms) > 1 {
		block[method.HeldOutKey] = true
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, ConfigHead+" Whatever changes here is another fit.\n\ntable = %q\nseed = %d\nrepetitions = %d\ntimeout = \"87600h\"\n\n",
		row.Tables[0], s.Seed, Repetitions)
	e := toml.NewEncoder(&b)
	e.Indent = ""
	err = e.Encode(map[string]any{"grid": []map[string]any{block}})
	return b.Bytes(), notes, err
}

// byClasses reports whether the number of clusters is the number of classes: the user gave none.
func (s *Settings) byClasses(d *datasets.Dataset) bool {
	return len(s.Clusters) == 0 && d.NumClasses() > 1
}

// defaults returns the values of a fit. Some differ from a grid's: the steps are the released
// code's, and k-means has fewer runs. Several values of features, or a wrong one, stay as given.
func (s *Settings) defaults(row *spec.Method, d *datasets.Dataset) (v map[string]any, notes []string, err error) {
	v = map[string]any{"step_structure": 0.01}
	if row.Parameter("kmeans_restarts") != nil {
		v["kmeans_restarts"] = 20
	}
	if median := d.MedianOrder(); median > medianNodes && s.Given["order"] == nil {
		v["order"] = nodesOfLarge
		notes = append(notes, fmt.Sprintf("Atoms have %d nodes, fewer than the median graph, which has %d: -order changes it.", nodesOfLarge, median))
	}
	largest := slices.MaxFunc(d.Graphs, func(a, b datasets.Graph) int { return a.Order() - b.Order() })
	if order, ok := s.Given["order"].(int64); ok && order > int64(largest.Order()) {
		notes = append(notes, fmt.Sprintf("Atoms have %d nodes, more than the largest graph, which has %d: they only take longer.", order, largest.Order()))
	}
	kind := datasets.KindNone
	switch {
	case d.AttributeDim > 0:
		kind = datasets.KindAttributes
	case len(d.LabelValues) > 0:
		kind = datasets.KindLabels
	}
	fixed := s.Given["step_structure"] != nil || s.Given["representation"] == string(datasets.KindHeatKernel)
	if step := record.Rounded(min(0.01*meanWeight(d), 1e6), 'g', 2); step > 0 && step != 0.01 && !fixed {
		v["step_structure"] = step
		notes = append(notes, fmt.Sprintf("The step_structure is %v, one hundredth of the mean weight of the edges.", step))
	}
	features, isGiven := s.Given["features"]
	_, isList := features.([]any)
	parsed, one := row.Parameter("features").Parse(features)
	switch problem := cmp.Or(d.AttributeProblem, d.LabelProblem); {
	case one:
		kind = datasets.FeatureKind(parsed.(string))
		if _, err := (datasets.Features{Kind: kind}).Fit(d); err != nil {
			return nil, nil, fmt.Errorf("-features %s: %w", kind, err)
		}
	case isList && s.Given["alpha"] == nil:
		return nil, nil, fmt.Errorf("-features %s: one kind, or -alpha too: at its default of 1 features have no weight", spec.Show(features))
	case isGiven:
		maps.Copy(v, s.Given)
		return v, notes, nil
	case problem != "" && d.AttributeDim == 0:
		return nil, nil, fmt.Errorf("%s; -features none fits without features of the nodes", problem)
	case d.AttributeDim > 0 && len(d.LabelValues) > 0:
		notes = append(notes, "Nodes have labels and attributes: the attributes are the features; -features labels takes the labels.")
	}
	v["features"] = string(kind)
	if kind != datasets.KindNone {
		v["step_features"] = 0.01
	}
	if kind == datasets.KindAttributes {
		v["scaling"] = string(datasets.ScalingStandardise)
	}
	maps.Copy(v, s.Given)
	if kind != datasets.KindNone && s.Given["alpha"] == nil {
		if s.balanced, err = balanced(row, d, v); err != nil {
			return nil, nil, err
		}
		v["alpha"] = 0.5
	}
	return v, notes, nil
}

// meanWeight returns the mean weight of the edges; 0 where they have none.
func meanWeight(d *datasets.Dataset) float64 {
	sum, n := 0.0, 0
	for i := range d.Graphs {
		for _, weights := range d.Graphs[i].Weights {
			for _, w := range weights {
				sum, n = sum+w, n+1
			}
		}
	}
	return sum / float64(max(n, 1))
}

// pairsToBalance is how many random pairs of graphs are looked at.
const pairsToBalance = 60

// balanced returns the alpha, in four digits, at which structure and features have the same share of the mean cost between random pairs of graphs.
// Couplings are solved at alpha = 0.5. values say how graphs become spaces. It returns 0.5 where one of the costs is 0 or not defined.
func balanced(row *spec.Method, d *datasets.Dataset, values map[string]any) (float64, error) {
	v := spec.Values{}
	for _, q := range row.Parameters() {
		v[q.Name] = q.Def
		if value, ok := q.Parse(values[q.Name]); ok { // a list is not
			v[q.Name] = value
		}
	}
	features, err := source.FeaturesOf(v).Fit(d)
	if err != nil {
		return 0, err
	}
	rng, some := source.Rand(0, d.Name, 0, "alpha"), *d
	some.Graphs = nil
	for range 2 * pairsToBalance {
		some.Graphs = append(some.Graphs, d.Graphs[rng.IntN(len(d.Graphs))])
	}
	spaces, _, err := source.BuildSpaces(&some, v, features)
	if err != nil {
		return 0, err
	}
	structure, feature := 0.0, 0.0
	for pair := range slices.Chunk(spaces, 2) {
		r, err := gw.SolveSpaces(context.Background(), pair[0], pair[1], 0.5, nil)
		if err != nil {
			return 0, err
		}
		structure += gw.Objective(pair[0], pair[1], 1, r.T)
		feature += gw.Objective(pair[0], pair[1], 0, r.T)
	}
	alpha := record.Rounded(feature/(structure+feature), 'g', 4)
	if !(alpha > 0 && alpha < 1) {
		return 0.5, nil
	}
	return alpha, nil
}
