package run

import (
	"context"
	"math"
	"sync"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/protocol"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/disk"
	"ogdl/internal/test/must"
)

// TestOrder: one cell of each kind comes first, then repetition 0 of every configuration, then 1, and so on, within it large data
// sets first, then in the order of the grid. Cells on one matrix of distances are together.
func TestOrder(t *testing.T) {
	t.Parallel()
	const sc = "method = \"SC\"\ngamma = "
	apart := "table = \"clustering\"\n" + exptest.D1(sc+"1\n") + exptest.D1(sc+"1\ngw_tol_rel = 1e-5\n") + exptest.D1(sc+"16\n")
	for name, cells := range map[string][]*spec.Cell{
		"clustering-quick": exptest.Config(t, "clustering-quick").Cells(),
		"rivals":           exptest.Config(t, "rivals").Cells(),
		"a matrix apart":   exptest.Parse(t, apart).Cells(),
	} {
		place, shared, plain := map[*spec.Cell]int{}, map[*spec.Cell]string{}, map[spec.KindKey]bool{}
		for i, x := range cells {
			place[x], shared[x] = i, x.Shared()
			if shared[x] == "" {
				plain[x.Kind()] = true
			}
		}
		got, alone := order(cells)
		if len(got) != len(cells) || len(alone) != 0 {
			t.Fatalf("%s: %d and %d of %d cells", name, len(got), len(alone), len(cells))
		}
		kinds := map[spec.KindKey]bool{}
		for len(kinds) < len(got) && shared[got[len(kinds)]] == "" && !kinds[got[len(kinds)].Kind()] {
			kinds[got[len(kinds)].Kind()] = true
		}
		must.Check(t, len(kinds), len(plain), "%s: kinds ahead of the others", name)
		for _, x := range got[:len(kinds)] {
			must.Check(t, x.Repetition, 0, "%s: repetition of %s, ahead of others", name, x)
		}
		got = got[len(kinds):]
		seen := map[string]bool{}
		for i, x := range got {
			if i == 0 {
				continue
			}
			before := got[i-1]
			matrix := shared[x]
			if matrix != "" && matrix != shared[before] && seen[matrix] {
				t.Fatalf("%s: %s is apart from the others on its matrix", name, x)
			}
			seen[matrix] = true
			switch {
			case matrix != "" || shared[before] != "":
			case x.Repetition < before.Repetition:
				t.Fatalf("%s: %s behind %s", name, x, before)
			case x.Repetition == before.Repetition && spec.Sizes[x.Dataset].Graphs > spec.Sizes[before.Dataset].Graphs:
				t.Fatalf("%s: %s behind %s, on fewer graphs", name, x, before)
			case x.Repetition == before.Repetition && x.Dataset == before.Dataset && place[x] < place[before]:
				t.Fatalf("%s: %s behind %s, which comes later in the grid", name, x, before)
			}
		}
	}
}

// TestOrderOfARun: with one worker a run computes its cells in that order, and whenever it is stopped all configurations
// have nearly the same number of repetitions.
func TestOrderOfARun(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	done := map[string]int{} // repetitions, by configuration
	m := trivial()
	m.Params = []spec.Param{{Name: "size", Kind: spec.Integer, Def: int64(1), Min: 1, Max: 9}}
	fit := m.Fit
	m.Fit = func(ctx context.Context, tk *method.Task) (*method.Result, error) {
		mu.Lock()
		defer mu.Unlock()
		most, least := 0, math.MaxInt
		for _, size := range []int64{1, 2, 3, 4} {
			n := done[spec.Show(size)]
			most, least = max(most, n), min(least, n)
		}
		if most-least > 1 {
			t.Errorf("some configurations have %d repetitions, others %d", most, least)
		}
		if at := spec.Show(tk.Params["size"]); done[at] != tk.Cell.Repetition {
			t.Errorf("repetition %d of size %s comes after %d others", tk.Cell.Repetition, at, done[at])
		}
		done[spec.Show(tk.Params["size"])]++
		return fit(ctx, tk)
	}
	const config = "table = \"runtimes\"\nrepetitions = 5\n[[grid]]\ndataset = \"D1\"\nsbm_graphs = 1\nsbm_order_max = 10\nmethod = \"trivial\"\nsize = [1, 2, 3, 4]\n"
	c := must.Get(grid.Parse([]byte(config), "grid.toml", append(protocol.Methods(), m).Described()))
	run, _ := trivialRun(t, disk.OS{}, 1)
	run.Methods = method.Table{m}
	cells := c.Cells()
	run.Data.Expect(cells)
	if err := run.run(t.Context(), cells); err != nil || len(done) != 4 || done["1"] != 5 {
		t.Errorf("%v done, %v", done, err)
	}
}
