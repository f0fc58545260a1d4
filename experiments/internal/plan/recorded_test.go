package plan

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/protocol"
	"ogdl/experiments/internal/run"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/ledger"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

// TestPlanOfAFinishedGrid: by the timings of a run, in its store or in a ledger, a run of the same grid from nothing is expected to take
// what that took, to 20 %: cells, matrices and all.
func TestPlanOfAFinishedGrid(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"rivals", "clustering-quick"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := exptest.Recorded(t, name)
			cells := r.Of(t, name)
			store := must.Get(record.Open(t.TempDir()))
			want := r.Keep(t, store, cells)
			empty := consulting(t, store, cells)
			var matrices float64
			for _, blocks := range r.Blocks {
				for _, x := range blocks {
					matrices += x
				}
			}
			for _, store := range []*record.Store{store, empty} {
				known := must.Get(Learn(t.Context(), cells, store, protocol.Methods().Described()))
				known.States, known.products = nil, nil // nothing is there but timings
				p := must.Get(MakePlan(t.Context(), nil, cells, known, &run.Confirmation{}))
				t.Logf("%d cells and %d matrices: planned %.1f s, took %.1f s; matrices %.1f s, took %.1f s", len(cells), p.Products.Pending, p.CPUSeconds, want, p.Products.CPUSeconds, matrices)
				if x := p.Products; x.Pending != len(r.Blocks) || p.CPUSeconds < want/1.2 || p.CPUSeconds > 1.2*want || x.CPUSeconds < matrices/1.2 || x.CPUSeconds > 1.2*matrices {
					t.Errorf("not within 20 %%")
				}
				if p.Unmeasured != 0 || (p.DiskBytes > 0) == (store == empty) {
					t.Errorf("%d not measured, %v on disk", p.Unmeasured, p.DiskBytes)
				}
				// Every shard ends within the limit, where no cell is longer.
				for _, limit := range []time.Duration{time.Hour, 10 * time.Minute} {
					if n := p.shardsFor(limit, 2); p.longestShard(n, 2) > limit.Seconds() && float64(n) < 4*p.CPUSeconds/2/limit.Seconds() {
						t.Errorf("%s: of %d shards the longest takes %v s", limit, n, p.longestShard(n, 2))
					}
				}
			}
		})
	}
}

// TestMatricesOfSeveralStarts: by plan a matrix whose pairs are solved from 10 more couplings each takes 11 times as long. The other
// matrix was measured in a store with the record of a cell, in one without, or in a ledger.
func TestMatricesOfSeveralStarts(t *testing.T) {
	t.Parallel()
	block := "[[grid]]\ndataset = \"IMDB-M\"\nmethod = "
	cells := exptest.Parse(t, "table = \"classification\"\n"+block+"\"FGWK\"\n"+block+"\"S-GWK\"\n").Cells()
	matrix := func(c *spec.Cell) string { return c.Products()[0].Label }
	one, several := cells[:len(cells)/2], cells[len(cells)/2:]
	r := exptest.Recording{Blocks: map[string][]float64{matrix(one[0]): {1, 2}, matrix(several[0]): {11, 22}}}
	for _, measured := range [][]*spec.Cell{one, several} {
		whole, bare := must.Get(record.Open(t.TempDir())), must.Get(record.Open(t.TempDir()))
		r.Keep(t, whole, measured[:1])
		r.Keep(t, bare, measured[:1])
		must.Do(t, os.Remove(bare.Path(measured[0].ID)))
		for name, store := range map[string]*record.Store{"store": whole, "products": bare, "ledger": consulting(t, whole, measured[:1])} {
			known := must.Get(Learn(t.Context(), cells, store, protocol.Methods().Described()))
			known.States, known.products = nil, nil // nothing is there but timings
			p := must.Get(MakePlan(t.Context(), nil, cells, known, &run.Confirmation{}))
			if p.Products.Pending != 2 || !(math.Abs(p.Products.CPUSeconds-36) <= 1e-9) {
				t.Errorf("%s, measured %s: %d matrices in %v s, want 2 in 36", name, measured[0], p.Products.Pending, p.Products.CPUSeconds)
			}
		}
	}
}

// consulting is an empty store that consults a ledger of these cells of another store.
func consulting(t *testing.T, store *record.Store, cells []*spec.Cell) *record.Store {
	kept := must.Get(ledger.Open(filepath.Join(t.TempDir(), "ledger")))
	for _, x := range cells {
		must.Get(kept.Add(must.Get(store.Head(x.ID)), nil, must.Get(store.Timing(x.ID)), func(id string) float64 {
			_, cpu, _ := store.ProductCost(must.Get(store.Product(id)))
			return cpu
		}))
	}
	empty := must.Get(record.Open(t.TempDir()))
	empty.Consult(kept)
	return empty
}
