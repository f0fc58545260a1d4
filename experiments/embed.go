package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/eval"
	"ogdl/gdl"
	"ogdl/internal/disk"
	"ogdl/internal/npz"
)

const embedHelp = `-dict and -data are needed. Each graph goes to the nearest of the cell's
clusters; structures, features and settings are those of the cell (under
results/store; clustering_cells names the cells), for a dictionary that gdl's
WriteNPZ has written the defaults of GDL, or of -set. Graphs, clusters and
atoms are counted from 0. Writes NAME.npz and NAME.csv.`

// embedding is what the verb embed was given.
type embedding struct {
	dict, data, out string
	force           bool
	set             settings
	workers         int
}

// embedVerb is the command of that name.
func embedVerb(_ program, f *flag.FlagSet) action {
	var e embedding
	f.StringVar(&e.dict, "dict", "", "`file`: the npz of a finished cell of GDL or GDL_h, or a dictionary that gdl's WriteNPZ has written")
	f.StringVar(&e.data, "data", "", "`folder` of one data set in the TU format")
	f.StringVar(&e.out, "out", "", "`name` of the output without ending, or a folder for it (default: embedding_ and the data set's name)")
	f.BoolVar(&e.force, "force", false, "replace an output that is there")
	f.Var(&e.set, "set", "a `key=value` of a dictionary that is not a cell's, as in representation=shortest_path; again and again (help GDL_h has the keys)")
	f.IntVar(&e.workers, "workers", runtime.GOMAXPROCS(0), "graphs embedded side by side, at most `N`")
	return e.run
}

// run embeds the graphs of a folder and writes what came out.
func (o *embedding) run(ctx context.Context, args []string, stdout io.Writer) (int, error) {
	switch {
	case len(args) > 0:
		return exitFatal, fmt.Errorf("embed: unexpected argument %q", args[0])
	case o.dict == "" || o.data == "":
		return exitFatal, errors.New("embed: -dict FILE.npz and -data DIR are both needed")
	case o.workers < 1:
		return exitFatal, fmt.Errorf("embed: -workers %d: must be at least 1", o.workers)
	}
	src, err := os.ReadFile(o.dict)
	if err != nil {
		return exitFatal, err
	}
	m, err := readModel(src, o.set.values())
	if err != nil {
		return exitFatal, fmt.Errorf("%s: %w", o.dict, err)
	}
	d, err := loader.Options{EdgeWeights: m.params.text(edgeWeightsKey)}.LoadFolder(o.data)
	if err != nil {
		return exitFatal, err
	}
	name := outputName(o.out, d.Name)
	for _, path := range []string{name + ".npz", name + ".csv"} {
		if _, err := os.Lstat(path); !o.force && !errors.Is(err, fs.ErrNotExist) {
			return exitFatal, cmp.Or(err, fmt.Errorf("embed: %s is there already: -force replaces it, -out names another", path))
		}
	}
	e, err := m.embed(ctx, d, o.workers)
	if err != nil {
		return exitFatal, fmt.Errorf("embed: %w", err)
	}
	if err := e.write(name); err != nil {
		return exitFatal, err
	}
	fmt.Fprintf(stdout, "%s of %s embedded over %s, mean reconstruction %s\n", plural(len(e.order), "graph", "graphs"), d.Name, plural(e.width, "atom", "atoms"), short(e.meanReconstruction()))
	switch {
	case e.assignment != nil:
	case m.bare:
		fmt.Fprintf(stdout, "the dictionary is not a cell's: nothing assigned\nsettings: %s (-set changes them)\n", m.settings())
	case m.params.text("cluster_by") == byGWKMeans:
		fmt.Fprintln(stdout, "the cell was clustered by GW k-means, which has no centres among the embeddings: nothing assigned")
	default:
		fmt.Fprintln(stdout, "the cell has no clusters: nothing assigned")
	}
	if d.UnusedEdges {
		fmt.Fprintf(stdout, "%s: %s\n", d.Name, edgesUnused)
	}
	fmt.Fprintf(stdout, "written: %s.npz, %s.csv\n", name, name)
	return exitOK, nil
}

// model is a fitted cell, read back from its npz.
type model struct {
	dictionary *gdl.Dictionary
	bare       bool // the file is no cell's; features are then nil until the data are there
	params     values
	features   *datasets.FeatureMap
	means      [][]float64 // of the weights of each cluster's graphs; nil: the cell was not clustered
}

// readModel reads the npz of a cell, or a dictionary alone, whose settings may be given.
func readModel(src []byte, given map[string]any) (*model, error) {
	r := bytes.NewReader(src)
	f, err := npz.Open(r, int64(len(src)), "not the file of a finished cell")
	if err != nil {
		return nil, err
	}
	if a := f.Get(arrayMethod, 0, true); a != nil && !slices.Contains([]string{"GDL", "GDL_h"}, strings.Join(a.Text, "")) {
		return nil, fmt.Errorf("a cell of %s; expected one of GDL or GDL_h, whose dictionaries graphs can be embedded in", strings.Join(a.Text, ""))
	}
	m := &model{features: &datasets.FeatureMap{}}
	if m.dictionary, _, err = gdl.ReadNPZ(r, int64(len(src))); err != nil {
		return nil, err
	}
	row := gdlMethod()
	if m.dictionary.H != nil {
		row = gdlhMethod()
	}
	if !f.Has(arrayMethod) && !f.Has(arrayParams) && !f.Has(arrayFeatures) {
		m.bare = true
		m.params, err = bareParams(&row.method, given)
		return m, err
	}
	if len(given) > 0 {
		return nil, errors.New("the file is of a cell, which has its settings: leave out -set")
	}
	unpack := func(name string, into any) {
		if a := f.Get(name, 0, false); a != nil {
			if err := json.Unmarshal([]byte(strings.Join(a.Text, "")), into); err != nil {
				f.Fail(name, "%v", err)
			}
		}
	}
	var params map[string]any
	unpack(arrayParams, &params)
	unpack(arrayFeatures, m.features)
	if f.Err() != nil {
		return nil, f.Err()
	}
	if m.params, err = readParams(&row.method, params); err != nil {
		return nil, err
	}
	if m.features.Dim != m.dictionary.D {
		f.Fail(arrayFeatures, "%d features per node, the dictionary has %d", m.features.Dim, m.dictionary.D)
	}
	if err := m.features.Check(); err != nil {
		f.Fail(arrayFeatures, "%v", err)
	}
	if m.dictionary.H == nil {
		m.means = clusterMeans(f, m.dictionary.S)
	}
	return m, f.Err()
}

// clusterMeans are the mean weights, over s atoms, of the graphs of each cluster; nil where there are none. Centres follow
// from them in the coordinates of today's metric; those of the file are in the
// coordinates of the version that wrote it.
func clusterMeans(f *npz.Fields, s int) [][]float64 {
	centres := f.Floats(arrayCenters, 2, true)
	if centres == nil || f.Err() != nil {
		return nil
	}
	k := centres.Shape[0]
	if k < 1 || centres.Shape[1] != s {
		f.Fail(arrayCenters, "expected clusters x %d reals", s)
	}
	var weights []float64
	a := f.Get(arrayAssignment, 1, false)
	if f.Err() == nil {
		weights = f.FloatsOf(arrayWeights, len(a.Int), s)
	}
	if f.Err() != nil {
		return nil
	}
	means, count := make([][]float64, k), make([]float64, k)
	for c := range means {
		means[c] = make([]float64, s)
	}
	for i, c := range a.Int {
		if c < 0 || c >= k {
			f.Fail(arrayAssignment, "graph %d is in cluster %d, expected 0..%d", i, c, k-1)
			return nil
		}
		count[c]++
		for j, x := range weights[i*s : (i+1)*s] {
			means[c][j] += x
		}
	}
	for c, mean := range means {
		if count[c] == 0 {
			f.Fail(arrayAssignment, "cluster %d has no graphs", c)
		}
		for j := range mean {
			mean[j] /= count[c]
		}
	}
	return means
}

// readParams checks stored parameters against the table of its method and gives the
// numbers their own types back, which JSON does not keep.
func readParams(row *method, raw map[string]any) (values, error) {
	v := values{}
	for _, q := range row.parameters() {
		x, ok := raw[q.name]
		if !ok {
			continue
		}
		parsed, ok := q.parse(q.restored(x))
		if !ok {
			return nil, fmt.Errorf("array %q: %s = %s: must be %s", arrayParams, q.name, show(x), q.allowed())
		}
		v[q.name] = parsed
	}
	for _, name := range []string{"representation", "node_weights", "features", "lambda", "unmix_rounds", "unmix_tol", "w_step"} {
		if !v.has(name) {
			return nil, fmt.Errorf("array %q: %s is missing", arrayParams, name)
		}
	}
	return v, nil
}

// embedKeys are the settings that embedding in a given dictionary uses.
func embedKeys() []string {
	return append(slices.Clone(dataKeys), "lambda", "mu", "unmix_rounds", "unmix_tol", "unmix_starts", "w_step", "w_steps", "gw_tol_rel", "gw_tol_abs", "gw_iterations")
}

// bareParams are the defaults of a method with what -set gives.
func bareParams(row *method, given map[string]any) (values, error) {
	v := values{}
	params := row.parameters()
	for _, key := range slices.Sorted(maps.Keys(given)) {
		i := slices.IndexFunc(params, func(q param) bool { return q.name == key })
		if i < 0 || !slices.Contains(embedKeys(), key) {
			var known []string
			for _, q := range params {
				if slices.Contains(embedKeys(), q.name) {
					known = append(known, q.name)
				}
			}
			return nil, fmt.Errorf("-set %s: unknown key; allowed: %s%s", key, strings.Join(known, ", "), didYouMean(key, known))
		}
		x, ok := params[i].parse(given[key])
		if !ok {
			return nil, fmt.Errorf("-set %s=%v: must be %s%s", key, given[key], params[i].allowed(), params[i].suggest(given[key]))
		}
		v[key] = x
	}
	v, unused := row.complete(v)
	for _, q := range unused {
		return nil, fmt.Errorf("-set %s: has a meaning only with %s", q.name, q.condition)
	}
	return v, nil
}

// settings names the settings that decide what graphs become.
func (m *model) settings() string {
	var out []string
	for _, key := range embedKeys() {
		if m.params.has(key) {
			out = append(out, fmt.Sprintf("%s=%v", key, m.params[key]))
		}
	}
	return strings.Join(out, " ")
}

// outputName is where embed writes, without ending: NAME, or a name of its own in the folder of that name.
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

// embedded is what the command writes.
type embedded struct {
	order          []int // number of the graph in its data set, counted from 0
	width          int
	weights        []float64
	nodeWeights    []float64 // of GDL_h: graphs x atoms, on the simplex; nil for the others
	reconstruction []float64
	assignment     []int     // nil without clusters
	distance       []float64 // to the nearest centre, Mahalanobis
}

// embed unmixes every graph and finds its nearest centre.
func (m *model) embed(ctx context.Context, d *datasets.Dataset, workers int) (*embedded, error) {
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
	if m.bare {
		features, err := featuresOf(m.params).Fit(d)
		if err != nil {
			return nil, err
		}
		if m.features = features; features.Dim != m.dictionary.D {
			return nil, fmt.Errorf("%d features per node, the dictionary has %d; -set features=... says which ones it was learnt on", features.Dim, m.dictionary.D)
		}
	}
	spaces, err := buildSpaces(d, m.params, m.features)
	if err != nil {
		return nil, err
	}
	set := unmixSettings(m.params)
	embeddings, err := m.dictionary.Embed(ctx, spaces, &set, workers)
	if err != nil {
		return nil, err
	}
	out := &fitted{scores: map[string]float64{}}
	if e.weights, e.nodeWeights, err = out.embed(m.dictionary, embeddings); err != nil {
		return nil, err
	}
	for _, x := range embeddings {
		e.reconstruction = append(e.reconstruction, x.Reconstruction)
	}
	if m.means == nil {
		return e, nil
	}
	root, err := metricRoot(m.dictionary)
	if err != nil {
		return nil, err
	}
	c := eval.Clustering{K: len(m.means), D: m.dictionary.S}
	for _, mean := range m.means {
		c.Centers = append(c.Centers, gdl.Apply(root, mean, nil)...)
	}
	e.assignment = c.Assign(out.embedding, len(embeddings))
	for i, k := range e.assignment {
		e.distance = append(e.distance, distance(out.embedding[i*c.D:(i+1)*c.D], c.Centers[k*c.D:(k+1)*c.D]))
	}
	return e, nil
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
		{Name: arrayWeights, Shape: []int{n, e.width}, Float: e.weights},
		{Name: "reconstruction", Shape: []int{n}, Float: e.reconstruction},
	}
	if e.nodeWeights != nil {
		arrays = append(arrays, npz.Array{Name: arrayNodeWeights, Shape: []int{n, e.width}, Float: e.nodeWeights})
	}
	if e.assignment != nil {
		arrays = append(arrays, npz.Array{Name: arrayAssignment, Shape: []int{n}, Int: e.assignment},
			npz.Array{Name: "distance", Shape: []int{n}, Float: e.distance})
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

// csv has one line per graph: its number, cluster, distance, reconstruction, weights.
func (e *embedded) csv() ([]byte, error) {
	lines := [][]string{{"graph (from 0)", "cluster (from 0)", "distance", "reconstruction"}}
	all := [][]float64{e.weights}
	if e.nodeWeights != nil {
		all = append(all, e.nodeWeights)
	}
	for k := range all {
		for s := range e.width {
			lines[0] = append(lines[0], "wv"[k:k+1]+strconv.Itoa(s))
		}
	}
	for i, number := range e.order {
		line := []string{strconv.Itoa(number), "", "", short(e.reconstruction[i])}
		if e.assignment != nil {
			line[1], line[2] = strconv.Itoa(e.assignment[i]), short(e.distance[i])
		}
		for _, weights := range all {
			for _, x := range weights[i*e.width : (i+1)*e.width] {
				line = append(line, short(x))
			}
		}
		lines = append(lines, line)
	}
	var b bytes.Buffer
	err := csv.NewWriter(&b).WriteAll(lines)
	return b.Bytes(), err
}

// distance is the Euclidean distance of two points.
func distance(x, y []float64) float64 {
	sum := 0.0
	for i := range x {
		d := x[i] - y[i]
		sum += float64(d * d)
	}
	return math.Sqrt(sum)
}
