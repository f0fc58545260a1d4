package plan

import (
	"testing"
	"time"

	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/protocol"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

// TestPlanOfAFinishedGrid: by the timings of a run, a run of the same grid from nothing is expected to take
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
			known := must.Get(Learn(t.Context(), cells, store, protocol.Methods().Described()))
			var matrices float64
			for _, blocks := range r.Blocks {
				for _, x := range blocks {
					matrices += x
				}
			}
			known.States, known.products = nil, nil // nothing is there but timings
			p := must.Get(MakePlan(t.Context(), cells, known, nil))
			t.Logf("%d cells and %d matrices: planned %.1f s, took %.1f s; matrices %.1f s, took %.1f s", len(cells), p.Products.Pending, p.CPUSeconds, want, p.Products.CPUSeconds, matrices)
			if x := p.Products; x.Pending != len(r.Blocks) || p.CPUSeconds < want/1.2 || p.CPUSeconds > 1.2*want || x.CPUSeconds < matrices/1.2 || x.CPUSeconds > 1.2*matrices {
				t.Errorf("not within 20 %%")
			}
			if p.Unmeasured != 0 || p.DiskBytes <= 0 {
				t.Errorf("%d not measured, %v on disk", p.Unmeasured, p.DiskBytes)
			}
			// Few shards take longer than the limit.
			for _, limit := range []time.Duration{time.Hour, 10 * time.Minute} {
				n, longer := p.shardsFor(limit, 2), 0
				for _, x := range p.splitInto(n, 2) {
					if x.Seconds > limit.Seconds() {
						longer++
					}
				}
				t.Logf("%s: %d shards, of which %d take longer", limit, n, longer)
				if longer > n/10 {
					t.Errorf("%s: %d of %d shards take longer", limit, longer, n)
				}
			}
		})
	}
}
