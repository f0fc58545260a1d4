package main

import (
	"strings"
	"testing"

	"ogdl/internal/record"
)

// keep stores recorded cells and their matrices as a run does, but for what is in them.
func (r recording) keep(t *testing.T, store *record.Store, cells []*cell) (total float64) {
	t.Helper()
	products := map[string]*record.Product{}
	for _, c := range cells {
		rec := &record.Record{ID: c.id, Status: record.OK, Method: c.method.name, MethodVersion: c.method.version, Dataset: c.dataset,
			Params: c.params, BaseSeed: c.seed, Repetition: c.repetition, LoaderVersion: 1}
		for _, needed := range c.products() {
			label := needed.Label()
			p := products[label]
			if p == nil {
				content := needed.Content()
				content["digest"] = "x"
				p = record.NewProduct(kindDistances, content, len(r.blocks[label]))
				products[label] = p
				if err := store.PutProduct(p); err != nil {
					t.Fatal(err)
				}
				for b, seconds := range r.blocks[label] {
					total += seconds
					if err := store.PutBlock(p.ID, b, nil, record.Provenance{}, &record.BlockTiming{CPUSeconds: seconds, Seconds: 2 * seconds}); err != nil {
						t.Fatal(err)
					}
				}
			}
			rec.Products = []record.Used{{ID: p.ID, Kind: kindDistances}}
		}
		seconds := r.cells[c.String()]
		total += seconds
		if err := store.Put(rec, &record.Timing{CPUSeconds: seconds, Seconds: 2 * seconds}, nil); err != nil {
			t.Fatal(err)
		}
	}
	return total
}

// TestPlanOfAFinishedGrid: by the timings of a run, a run of the same grid from nothing is expected to take
// what that took, to 20 %: cells, matrices and all.
func TestPlanOfAFinishedGrid(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"rivals", "clustering-quick"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := recorded(t, name)
			cells := r.of(t, name)
			store, err := record.Open(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			want := r.keep(t, store, cells)
			known, err := learn(t.Context(), cells, store, methods().described())
			if err != nil {
				t.Fatal(err)
			}
			var matrices float64
			for _, blocks := range r.blocks {
				for _, x := range blocks {
					matrices += x
				}
			}
			known.states, known.products = nil, nil // nothing is there but timings
			p, err := makePlan(t.Context(), cells, known)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d cells and %d matrices: planned %.1f s, took %.1f s; matrices %.1f s, took %.1f s", len(cells), p.Products.Pending, p.CPUSeconds, want, p.Products.CPUSeconds, matrices)
			if x := p.Products; x.Pending != len(r.blocks) || p.CPUSeconds < want/1.2 || p.CPUSeconds > 1.2*want || x.CPUSeconds < matrices/1.2 || x.CPUSeconds > 1.2*matrices {
				t.Errorf("not within 20 %%")
			}
			if p.Products.Timings != len(r.blocks) {
				t.Errorf("%d timings of %d matrices", p.Products.Timings, len(r.blocks))
			}
			for kind, x := range known.seconds.kinds {
				if n := len(x.ratios); kind.method == kindDistances && strings.Contains(name, "rivals") && n != 1 {
					t.Errorf("%v: %d timings", kind, n)
				}
			}
		})
	}
}
