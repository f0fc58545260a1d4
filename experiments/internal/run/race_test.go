package run

import (
	"flag"
	"path/filepath"
	"slices"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/internal/ledger"
	"ogdl/internal/test/must"
	"ogdl/reports/summary"
)

var full = flag.Bool("full", false, "replay the race on all whole rows of the committed ledger, not on two of MUTAG alone")

// committed is the ledger of the published page.
var committed = filepath.Join("..", "..", "..", "docs", "reproduction", "ledger")

// TestRaceOnLedger replays the race on rows that the ledger has whole: the setting selected with labels is the same, and
// in the median row with alphas a third of the cells and of the processor time is spared. With -v it prints the table.
//
//	go test ./experiments/internal/run -run TestRaceOnLedger -full -v
func TestRaceOnLedger(t *testing.T) {
	t.Parallel()
	path, names := filepath.Join(committed, "MUTAG_GDL"+ledger.Ending), []string{"clustering_released"}
	if *full {
		path, names = committed, []string{"clustering", "clustering_enzymes", "clustering_released"}
	}
	l := must.Get(ledger.Open(path))
	var cells, seconds []float64
	rows, same, unlabelled := 0, 0, 0
	for _, name := range names {
		c := exptest.Config(t, name)
		for _, row := range RowsOf(c, c.Cells()) {
			r := replay(l, row)
			if r == nil {
				continue
			}
			rows++
			if r.selected {
				same++
			} else {
				t.Logf("%s %s %s: another setting is selected", name, row.dataset, row.method)
			}
			if r.unlabelled {
				unlabelled++
			}
			if r.alphas {
				cells, seconds = append(cells, r.cells), append(seconds, r.seconds)
			}
			t.Logf("%-19s %-7s %-10s %5d cells, spared %4.1f %% of cells and %4.1f %% of CPU time", name, row.dataset, row.method,
				len(row.cells), 100*r.cells, 100*r.seconds)
		}
	}
	a, b := quartiles(cells), quartiles(seconds)
	t.Logf("%d whole rows, the same setting with labels in %d, without labels in %d", rows, same, unlabelled)
	t.Logf("%d rows with alphas, quartiles of what is spared: cells %.1f, CPU time %.1f %%", len(cells), a, b)
	if rows < 2 || same < rows-1 || !*full && same < rows {
		t.Errorf("the same setting in %d of %d rows", same, rows)
	}
	if *full && (a[1] < 100./3 || b[1] < 100./3) {
		t.Error("less than a third is spared in the median row")
	}
}

// replayed is what a race would have made of a row.
type replayed struct {
	selected, unlabelled bool // as without the race
	alphas               bool
	cells, seconds       float64 // shares that are spared
}

// replay races the cells of a row: each round finds in the ledger what is sure then. It is nil if the ledger lacks some.
func replay(l *ledger.Ledger, row *tableRow) *replayed {
	all, took := make([]summary.Run, len(row.cells)), map[string]float64{}
	products := map[string]bool{}
	shared := 0.0
	alphas := map[string]bool{}
	for i, x := range row.cells {
		r, timing := l.Find(x.ID)
		if r == nil {
			return nil
		}
		all[i] = summary.Run{Expected: Expected(x), Record: r}
		all[i].Race = true
		took[x.ID] = timing.Seconds
		for _, u := range r.Products {
			if !products[u.ID] {
				products[u.ID] = true
				shared += l.ProductSeconds(u.ID)
			}
		}
		alphas[summary.Params(x.Params).At(summary.ParamAlpha).Text()] = true
	}
	choices := func(runs []summary.Run) (*summary.Frame, []string) {
		f := summary.NewFrame(summary.Spec{Table: summary.TableClustering}, runs, nil)
		ids := []string{f.Rows[0].Oracle.Runs[0].ID, ""}
		if free := f.Rows[0].Free; free != nil {
			ids[1] = free.Runs[0].ID
		}
		return f, ids
	}
	_, whole := choices(slices.Clone(all))
	chances, asked := map[string]summary.Chance{}, map[string]bool{}
	for i := range all {
		if all[i].Repetition > 0 {
			chances[all[i].ID] = summary.MayBe
		}
	}
	for {
		runs := slices.Clone(all)
		for i, r := range runs {
			if asked[r.ID] = asked[r.ID] || chances[r.ID] == summary.Sure; !asked[r.ID] {
				runs[i].Record = nil
			}
		}
		f, raced := choices(runs)
		chances = f.Chances()
		if slices.ContainsFunc(all, func(r summary.Run) bool { return !asked[r.ID] && chances[r.ID] == summary.Sure }) {
			continue
		}
		out := &replayed{selected: raced[0] == whole[0], unlabelled: raced[1] == whole[1], alphas: len(alphas) > 1}
		sum, spared := shared, 0.0
		for id, s := range took {
			sum += s
			if !asked[id] {
				spared += s
				out.cells += 1 / float64(len(took))
			}
		}
		out.seconds = spared / sum
		return out
	}
}

// quartiles returns the quartiles in percent.
func quartiles(shares []float64) (out [3]float64) {
	slices.Sort(shares)
	for i := range out {
		out[i] = 100 * shares[(len(shares)-1)*(i+1)/4]
	}
	return out
}
