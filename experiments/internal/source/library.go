// Package source provides graphs: data sets that are read, drawn or streamed, and their
// representations as spaces. It also has users' folders, the memory of their digests, and the
// random streams of cells.
package source

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/datasets/spaces"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/memo"
	"ogdl/internal/words"
	"ogdl/ot/gw"
)

// Rand is the random stream of one stage of a cell: SHA-256 of base seed, data set,
// repetition and stage into a PCG. Hyper-parameters stay out, so methods and
// configurations are compared on paired draws.
func Rand(seed int64, dataset string, repetition int, stage string) *rand.Rand {
	h := sha256.Sum256(fmt.Appendf(nil, "ogdl seed\n%d\n%q\n%d\n%q\n", seed, dataset, repetition, stage))
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(h[:8]), binary.LittleEndian.Uint64(h[8:16])))
}

// Library loads data sets and turns them into spaces, each once, shared read-only
// by all cells. Safe for concurrent use.
type Library struct {
	dir string // the folder that holds the TU data sets
	out string // the result folder, whose store remembers digests and classes; "": nothing does
	// Logf logs messages for the user about data and checkpoints.
	Logf func(format string, args ...any)

	opened memo.Memo[spec.Source, *Stream]
	data   memo.Memo[spec.Source, *loaded]
	spaces memo.Memo[string, *represented]
}

// loaded is a data set.
type loaded struct {
	Full *datasets.Dataset // as the files have it
	Data *datasets.Dataset // without graphs of order 0
	// Proportions of the blocks, of D2 (whose graphs all have nodes)
	Proportions []float64
	Notes       []string // for every record
	Empty       string   // for records of fits
}

// represented are the graphs of a data set as spaces.
type represented struct {
	spaces   []*gw.Space
	features *datasets.FeatureMap
}

// NewLibrary is a library of the data sets in a folder, for a result folder. It tells nobody of the data.
func NewLibrary(dir, out string) *Library {
	return &Library{dir: dir, out: out, Logf: func(string, ...any) {}}
}

// Expect says which cells will need their graphs: spaces are freed when the last of them has
// released its own.
func (l *Library) Expect(cells []*spec.Cell) {
	for _, c := range cells {
		l.spaces.Expect(c.SpacesKey())
	}
}

// Release says that a cell needs its graphs no more.
func (l *Library) Release(c *spec.Cell) { l.spaces.Release(c.SpacesKey()) }

// Dataset returns the data set of a cell, read or drawn on the first call.
func (l *Library) Dataset(c *spec.Cell) (*loaded, error) {
	return l.data.Get(context.Background(), c.Source(), func() (e *loaded, err error) {
		e = &loaded{}
		if e.Full, e.Proportions, err = l.load(c); err != nil {
			return nil, err
		}
		e.Notes = append(l.judge(c, e.Full.Digest), l.look(c, e.Full)...)
		var empty int
		if e.Data, empty = e.Full.WithoutEmpty(); empty > 0 {
			e.Empty = words.Plural(empty, "graph", "graphs") + " without nodes left out"
		}
		if len(e.Data.Graphs) == 0 {
			return nil, fmt.Errorf("data set %s has no graphs with nodes", c.Dataset)
		}
		return e, nil
	})
}

// judge compares the digest of data known by name with the published one, and returns notes.
func (l *Library) judge(c *spec.Cell, digest string) []string {
	if c.Own != nil || spec.IsSimulated(c.Dataset) || c.Dataset == spec.NameDrawn {
		return nil
	}
	published := datasets.PublishedDigest(c.Dataset)
	switch published {
	case digest:
		return nil
	case "":
		l.Logf("%s: taken as it is, since no digest of the published data is known to compare with", c.Dataset)
		return nil
	}
	text := fmt.Sprintf("not the published data (digest %s, that of the published %s is %s)", digest, c.Dataset, published)
	l.Logf("Warning: %s: %s; its cells are marked and not compared with the paper", c.Dataset, text)
	return []string{text}
}

// look reports probable mistakes in the files, and attributes of edges that nobody reads. It
// returns the notes on these attributes for the records.
func (l *Library) look(c *spec.Cell, d *datasets.Dataset) (notes []string) {
	name := c.Dataset
	if c.Own != nil {
		name = c.Own.Written // two folders may have one name
	}
	if d.UnusedEdges {
		notes = []string{EdgesUnused}
		l.Logf("%s: %s", name, EdgesUnused)
	}
	if d.NumClasses() == 1 {
		l.Logf("%s: Warning: all graphs have one class, so no score says anything", name)
	}
	for _, line := range d.Doubts {
		l.Logf("%s: Warning: %s", name, line)
	}
	return notes
}

// placeOfData replaces the absolute path of the data folder in records.
const placeOfData = "$OGDL_DATA"

// Unplaced is a text without the absolute paths of the run: records are the same wherever the data and the
// results are.
func (l *Library) Unplaced(c *spec.Cell, text string) string {
	replace := func(place, name string) {
		if filepath.IsAbs(place) && len(filepath.Clean(place)) > 1 {
			text = strings.ReplaceAll(text, filepath.Clean(place), name)
		}
	}
	if c.Own != nil {
		replace(c.Own.Folder, c.Dataset)
	}
	replace(l.dir, placeOfData)
	replace(l.out, "$OUT")
	return text
}

// Placed is the reason of a record as this run's messages say it.
func (l *Library) Placed(reason string) string { return strings.ReplaceAll(reason, placeOfData, l.dir) }

// EdgesUnused is the note on a data set with more in its files than is read.
const EdgesUnused = `its edges have attributes, which are not used (edge_weights = "none")`

// Find checks that a cell's data are there, without opening them. It returns nil, an error that
// wraps loader.ErrMissing, or another error about the path.
func (l *Library) Find(c *spec.Cell) error {
	switch {
	case spec.IsSimulated(c.Dataset) || c.Dataset == spec.NameDrawn:
		return nil
	case c.Own != nil:
		return c.Own.Missing
	}
	return loader.Find(l.dir, c.Dataset)
}

func (l *Library) load(c *spec.Cell) (d *datasets.Dataset, proportions []float64, err error) {
	switch {
	case spec.IsSimulated(c.Dataset):
		return simulate(c)
	case c.Own != nil:
		if err = c.Own.Missing; err == nil {
			d, err = c.Own.Load()
		}
	default:
		d, err = loader.Load(l.dir, c.Dataset)
	}
	return d, nil, err
}

// simulate draws D1, or D2 with the proportions of its blocks.
func simulate(c *spec.Cell) (d *datasets.Dataset, proportions []float64, err error) {
	set := &datasets.SimulationSettings{
		MinOrder: c.Params.Integer("sbm_order_min"), MaxOrder: c.Params.Integer("sbm_order_max"),
		Step: c.Params.Integer("sbm_order_step"), Graphs: c.Params.Integer("sbm_graphs"),
		Model: &datasets.BlockModel{Within: c.Params.Number("sbm_p_in"), Between: c.Params.Number("sbm_p_out")},
	}
	r := Rand(c.Seed, c.Dataset, 0, "data")
	if c.Dataset == spec.NameD1 {
		d, err = datasets.D1(set, r)
		return d, nil, err
	}
	return datasets.D2(set, r)
}

// SpacesOf returns the cell's graphs as gw.Spaces, and the map its features went through.
func (l *Library) SpacesOf(c *spec.Cell, d *datasets.Dataset) ([]*gw.Space, *datasets.FeatureMap, error) {
	e, err := l.spaces.Get(context.Background(), c.SpacesKey(), func() (e *represented, err error) {
		e = &represented{}
		if e.features, err = FeaturesOf(c.Params).Fit(d); err == nil {
			e.spaces, _, err = BuildSpaces(d, c.Params, e.features) // a map knows all labels that it was fitted on
		}
		return e, err
	})
	if err != nil {
		return nil, nil, err
	}
	return e.spaces, e.features, nil
}

// FeaturesOf returns the settings of node features that the parameters give.
func FeaturesOf(v spec.Values) datasets.Features {
	return datasets.Features{Kind: datasets.FeatureKind(v.Text("features")), Scaling: datasets.Scaling(v.Text("scaling"))}
}

// BuildSpaces turns graphs into spaces under the data parameters of v. unseen are the labels that the features do not
// know: their nodes have zeros.
func BuildSpaces(d *datasets.Dataset, v spec.Values, features *datasets.FeatureMap) ([]*gw.Space, []datasets.Unseen, error) {
	return spaces.Of(d, representation(v, features))
}

// representation is how the data parameters of v turn a graph into a space.
func representation(v spec.Values, features *datasets.FeatureMap) *spaces.Settings {
	return &spaces.Settings{
		Structure: datasets.Structure{Kind: datasets.StructureKind(v.Text("representation")),
			Unreachable: datasets.Unreachable(v.Text("unreachable")), Time: v.Number("heat_time")},
		Weights:  datasets.Weights{Kind: datasets.WeightKind(v.Text("node_weights")), A: v.Number("weight_a"), B: v.Number("weight_b")},
		Features: features,
	}
}
