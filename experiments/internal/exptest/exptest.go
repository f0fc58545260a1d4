// Package exptest has grids, configurations and recorded timings for tests, and computes cells
// without a run.
package exptest

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/csv"
	"io"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/product"
	"ogdl/experiments/internal/protocol"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/disktest"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

// timings are CPU seconds that were measured, by configuration.
//
//go:embed testdata/timings
var timings embed.FS

// Parse is the configuration of that text.
func Parse(t testing.TB, src string) *grid.Config { return parse(t, src, "test.toml") }

func parse(t testing.TB, src, path string) *grid.Config {
	t.Helper()
	return must.Get(grid.Parse([]byte(src), path, protocol.Methods().Described()))
}

// Tiny is a grid of 4 cells that takes well below a second.
const Tiny = `table = "clustering"
repetitions = 2
[[grid]]
dataset = "D1"
sbm_graphs = 4
sbm_order_max = 15
method = "GDL"
lambda = [0, 0.01]
atoms = 3
order = 5
init = "random"
epochs = 2
batch = 4
kmeans_restarts = 4
`

// Config is the configuration of that name, as -config finds it.
func Config(t testing.TB, name string) *grid.Config {
	t.Helper()
	src, source := must.Get2(grid.Open(name))
	return parse(t, string(src), source)
}

// Streams is a grid of two short streams. The second has batches that segments do not fill, and takes held-out losses between their ends.
//
//go:embed testdata/streams.toml
var Streams string

// D1 is a [[grid]] block on 12 graphs of D1, four of each kind.
func D1(lines string) string {
	return "[[grid]]\ndataset = \"D1\"\nsbm_graphs = 4\nsbm_order_max = 15\n" + lines
}

// Computed is a cell that was computed, with its arrays by name.
type Computed struct {
	*record.Record
	Timing *record.Timing
	Arrays map[string]npz.Array
}

// Compute computes the cells of a configuration one after the other, and fails the test unless all
// end well. It looks for folders of graphs in dir. The store, in memory, has the cells' products.
func Compute(t testing.TB, dir, config string) ([]Computed, *record.Store) {
	t.Helper()
	c := parse(t, config, filepath.Join(dir, "test.toml"))
	lib := source.NewLibrary(dir, dir)
	must.Do(t, lib.Know(t.Context(), c.Folders, c.Dir(), true, io.Discard))
	store := must.Get(record.OpenOn(disktest.New(), "/out"))
	cells := c.Cells()
	e := protocol.Env{Methods: protocol.Methods(), Data: lib, Cache: &product.Cache{Store: store}, Store: store}
	lib.Expect(cells)
	e.Cache.Expect(cells)
	var out []Computed
	for _, x := range cells {
		r, timing, packed := e.Compute(t.Context(), x)
		if r.Status != record.OK {
			t.Fatalf("%s: %s, %s\n%s", x, r.Status, r.Reason, r.Stack)
		}
		out = append(out, Computed{r, timing, Arrays(t, packed)})
		lib.Release(x)
		e.Cache.Release(x)
	}
	return out, store
}

// Arrays reads packed arrays.
func Arrays(t testing.TB, packed []byte) map[string]npz.Array {
	t.Helper()
	if packed == nil {
		return nil
	}
	all := must.Get(npz.Read(bytes.NewReader(packed), int64(len(packed))))
	out := map[string]npz.Array{}
	for _, a := range all {
		out[a.Name] = a
	}
	return out
}

// Sc is a grid of 8 cells on one matrix of distances.
const Sc = `table = "clustering"
repetitions = 2
[[grid]]
dataset = "D1"
sbm_graphs = 5
sbm_order_max = 20
method = "SC"
gamma = [1, 16]
labels = ["kmeans", "discretise"]
`

// Mixed is a grid of several methods on simulated data, one with a shared matrix. It takes less
// than a second.
var Mixed = "table = \"clustering\"\nrepetitions = 2\n" + D1(`method = "GDL"
atoms = [2, 3, 4, 5]
order = 5
init = "random"
epochs = 2
batch = 4
kmeans_restarts = 4
`) + D1(`method = "GW-k"
`) + D1(`method = "SC"
gamma = [1, 16]
gw_tol_rel = 1e-5
`)

// Recording holds CPU seconds, measured on a server of 2024, of some or all cells of a
// configuration: of cells by their names, and of blocks of matrices by the matrix's label.
type Recording struct {
	Cells  map[string]float64
	Blocks map[string][]float64
}

// Recorded reads testdata/timings/NAME.csv.gz.
func Recorded(t testing.TB, name string) (out Recording) {
	t.Helper()
	src := must.Get(timings.ReadFile(path.Join("testdata", "timings", name+".csv.gz")))
	z := must.Get(gzip.NewReader(bytes.NewReader(src)))
	out = Recording{map[string]float64{}, map[string][]float64{}}
	lines := must.Get(csv.NewReader(z).ReadAll())
	for _, line := range lines {
		seconds := must.Get(strconv.ParseFloat(line[3], 64))
		if line[0] == "cell" {
			out.Cells[line[1]] = seconds
		} else {
			out.Blocks[line[1]] = append(out.Blocks[line[1]], seconds)
		}
	}
	return out
}

// Of returns the cells of the configuration that were recorded.
func (r Recording) Of(t testing.TB, name string) (cells []*spec.Cell) {
	t.Helper()
	for _, c := range Config(t, name+".toml").Cells() {
		if _, ok := r.Cells[c.String()]; ok {
			cells = append(cells, c)
		}
	}
	if len(cells) != len(r.Cells) {
		t.Fatalf("%d cells of %s were recorded, it has %d of them", len(r.Cells), name, len(cells))
	}
	return cells
}

// Keep stores recorded cells and their matrices as a run does, but without scores and arrays.
func (r Recording) Keep(t testing.TB, store *record.Store, cells []*spec.Cell) (total float64) {
	t.Helper()
	products := map[string]*record.Product{}
	for _, c := range cells {
		rec := Record(c, "")
		for _, needed := range c.Products() {
			label := needed.Label
			p := products[label]
			if p == nil {
				content := needed.Content
				content["digest"] = "x"
				p = record.NewProduct(needed.Kind, content, len(r.Blocks[label]))
				products[label] = p
				must.Do(t, store.PutProduct(p))
				for b, seconds := range r.Blocks[label] {
					total += seconds
					timing := &record.BlockTiming{CPUSeconds: seconds, Seconds: 2 * seconds}
					must.Do(t, store.PutBlock(p.ID, b, nil, record.Provenance{}, timing))
				}
			}
			rec.Products = []record.Used{{ID: p.ID, Kind: p.Kind}}
		}
		seconds := r.Cells[c.String()]
		total += seconds
		must.Do(t, store.Put(rec, &record.Timing{CPUSeconds: seconds, Seconds: 2 * seconds}, nil))
	}
	return total
}

// Live returns the bytes of the heap that are in use.
func Live() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Record is the record of a cell that ended well, on these data.
func Record(x *spec.Cell, digest string) *record.Record {
	r := x.Record()
	r.Status, r.Digest = record.OK, digest
	return r
}
