package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"

	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/ot/gw"
)

// rng is the random stream of one stage of a cell: SHA-256 of base seed, data set,
// repetition and stage into a PCG. Hyper-parameters stay out, so methods and
// configurations are compared on paired draws.
func rng(seed int64, dataset string, repetition int, stage string) *rand.Rand {
	h := sha256.Sum256(fmt.Appendf(nil, "ogdl seed\n%d\n%q\n%d\n%q\n", seed, dataset, repetition, stage))
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(h[:8]), binary.LittleEndian.Uint64(h[8:16])))
}

// library loads data sets and turns them into spaces, each once, shared read-only
// by all cells. Safe for concurrent use.
type library struct {
	dir    string  // the folder that holds the TU data sets
	memory *memory // of the digests of users' folders
	// logf is told what a user should know of the data; nil where nobody listens.
	logf func(format string, args ...any)

	mu     sync.Mutex
	opened map[source]*opened
	data   map[source]*loadedData
	spaces map[string]*loadedSpaces
	left   map[string]int // cells that still need a key
}

type loadedData struct {
	once sync.Once
	full *datasets.Dataset // as the files have it
	data *datasets.Dataset // without graphs of order 0
	// proportions of the blocks, of D2 (whose graphs all have nodes)
	proportions []float64
	notes       []string // for every record
	empty       string   // for records of fits
	err         error
}

type loadedSpaces struct {
	once     sync.Once
	spaces   []*gw.Space
	features *datasets.FeatureMap
	err      error
}

func newLibrary(dir string) *library {
	return &library{dir: dir, opened: map[source]*opened{}, data: map[source]*loadedData{}, spaces: map[string]*loadedSpaces{}, left: map[string]int{}}
}

// expect says which cells will need their graphs: spaces are freed when the last
// of them has released its own.
func (l *library) expect(cells []*cell) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range cells {
		l.left[c.spacesKey()]++
	}
}

// release says that a cell needs its graphs no more.
func (l *library) release(c *cell) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := c.spacesKey()
	if l.left[key]--; l.left[key] <= 0 {
		delete(l.spaces, key)
	}
}

// dataset returns what a cell's graphs were read or drawn from, loading it on the
// first call.
func (l *library) dataset(c *cell) *loadedData {
	l.mu.Lock()
	at := c.source()
	e := l.data[at]
	if e == nil {
		e = &loadedData{}
		l.data[at] = e
	}
	l.mu.Unlock()
	e.once.Do(func() {
		defer caught(&e.err)
		if e.full, e.proportions, e.err = l.load(c); e.err != nil {
			return
		}
		e.notes = l.judge(c, e.full.Digest)
		e.notes = append(e.notes, l.unused(c, e.full)...)
		var empty int
		if e.data, empty = e.full.WithoutEmpty(); empty > 0 {
			e.empty = plural(empty, "graph", "graphs") + " without nodes left out"
		}
		if len(e.data.Graphs) == 0 {
			e.err = fmt.Errorf("data set %s has no graphs with nodes", c.dataset)
		}
	})
	return e
}

// judge compares the digest of data known by name with that of the published ones, and returns
// what records have to say about it.
func (l *library) judge(c *cell, digest string) []string {
	if c.own != nil || isSimulated(c.dataset) || c.dataset == nameDrawn {
		return nil
	}
	say := l.logf
	if say == nil {
		say = func(string, ...any) {}
	}
	published := datasets.PublishedDigest(c.dataset)
	switch published {
	case digest:
		return nil
	case "":
		say("%s: taken as it is, since no digest of the published data is known to compare with", c.dataset)
		return nil
	}
	text := fmt.Sprintf("not the published data (digest %s, that of the published %s is %s)", digest, c.dataset, published)
	say("Warning: %s: %s; its cells are marked and do not stand beside the paper's numbers", c.dataset, text)
	return []string{text}
}

// placeOfData stands in records for the absolute path of the data folder.
const placeOfData = "$OGDL_DATA"

// unplaced is a text without the absolute paths of the run: records are the same wherever the data and the
// results are.
func (l *library) unplaced(c *cell, text string) string {
	replace := func(place, name string) {
		if filepath.IsAbs(place) && len(filepath.Clean(place)) > 1 {
			text = strings.ReplaceAll(text, filepath.Clean(place), name)
		}
	}
	if c.own != nil {
		replace(c.own.folder, c.dataset)
	}
	replace(l.dir, placeOfData)
	if l.memory != nil {
		replace(l.memory.out, "$OUT")
	}
	return text
}

// placed is the reason of a record as this run's messages say it.
func (l *library) placed(reason string) string { return strings.ReplaceAll(reason, placeOfData, l.dir) }

// unused returns what records have to say of attributes of edges that nobody reads.
func (l *library) unused(c *cell, d *datasets.Dataset) []string {
	if !d.UnusedEdges {
		return nil
	}
	if l.logf != nil {
		name := c.dataset
		if c.own != nil {
			name = c.own.written // two folders may have one name
		}
		l.logf("%s: %s", name, edgesUnused)
	}
	return []string{edgesUnused}
}

// edgesUnused is the note on a data set with more in its files than is read.
const edgesUnused = `its edges have attributes, which are not used (edge_weights = "none")`

// find says whether a cell's data are there, without opening them: nil, or an error that wraps
// loader.ErrMissing or says what else is wrong with the place.
func (l *library) find(c *cell) error {
	switch {
	case isSimulated(c.dataset) || c.dataset == nameDrawn:
		return nil
	case c.own != nil:
		return c.own.missing
	}
	return loader.Find(l.dir, c.dataset)
}

func (l *library) load(c *cell) (d *datasets.Dataset, proportions []float64, err error) {
	switch {
	case isSimulated(c.dataset):
		return simulate(c)
	case c.own != nil:
		if err = c.own.missing; err == nil {
			d, err = c.own.load()
		}
	default:
		d, err = loader.Load(l.dir, c.dataset)
	}
	return d, nil, err
}

// simulate draws D1, or D2 with the proportions of its blocks.
func simulate(c *cell) (d *datasets.Dataset, proportions []float64, err error) {
	set := &datasets.SimulationSettings{
		MinOrder: c.params.integer("sbm_order_min"), MaxOrder: c.params.integer("sbm_order_max"),
		Step: c.params.integer("sbm_order_step"), Graphs: c.params.integer("sbm_graphs"),
		Model: &datasets.BlockModel{Within: c.params.number("sbm_p_in"), Between: c.params.number("sbm_p_out")},
	}
	r := rng(c.seed, c.dataset, 0, "data")
	if c.dataset == nameD1 {
		d, err = datasets.D1(set, r)
		return d, nil, err
	}
	return datasets.D2(set, r)
}

// spacesOf returns the cell's graphs as gw.Spaces, and the map its features went through.
func (l *library) spacesOf(c *cell, d *datasets.Dataset) ([]*gw.Space, *datasets.FeatureMap, error) {
	l.mu.Lock()
	key := c.spacesKey()
	e := l.spaces[key]
	if e == nil {
		e = &loadedSpaces{}
		l.spaces[key] = e
	}
	l.mu.Unlock()
	e.once.Do(func() {
		defer caught(&e.err)
		if e.features, e.err = featuresOf(c.params).Fit(d); e.err != nil {
			return
		}
		e.spaces, e.err = buildSpaces(d, c.params, e.features)
	})
	return e.spaces, e.features, e.err
}

func featuresOf(v values) datasets.Features {
	return datasets.Features{Kind: v.text("features"), Scaling: v.text("scaling")}
}

// buildSpaces turns graphs into spaces under the data parameters of v.
func buildSpaces(d *datasets.Dataset, v values, features *datasets.FeatureMap) ([]*gw.Space, error) {
	if d.ZeroWeight != "" && v.text("representation") == datasets.KindShortestPath {
		return nil, fmt.Errorf("%s; as the length of an edge it must be above 0", d.ZeroWeight)
	}
	rows, err := features.Apply(d)
	if err != nil {
		return nil, err
	}
	spaces := make([]*gw.Space, len(d.Graphs))
	for i := range d.Graphs {
		var row []float64
		if rows != nil {
			row = rows[i]
		}
		s, err := buildSpace(&d.Graphs[i], row, features.Dim, v)
		if err != nil {
			return nil, fmt.Errorf("data set %s, graph %d (from 0): %w", d.Name, i, err)
		}
		spaces[i] = s
	}
	return spaces, nil
}

// buildSpace turns one graph with its features into a space.
func buildSpace(g *datasets.Graph, row []float64, dim int, v values) (*gw.Space, error) {
	structure := datasets.Structure{Kind: v.text("representation"), Unreachable: v.text("unreachable"), Time: v.number("heat_time")}
	weights := datasets.Weights{Kind: v.text("node_weights"), A: v.number("weight_a"), B: v.number("weight_b")}
	m, err := structure.Matrix(g)
	if err != nil {
		return nil, err
	}
	p, err := weights.Of(g)
	if err != nil {
		return nil, err
	}
	return gw.NewSpace(m, row, g.Order(), dim, p)
}
