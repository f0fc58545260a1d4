package cost

import (
	"fmt"
	"math"
	"math/rand/v2"
	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/methods"
	"ogdl/experiments/internal/spec"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseShard(t *testing.T) {
	for text, want := range map[string]Shard{"": {0, 1}, "0/1": {0, 1}, "2/3": {2, 3}, "99999/100000": {99999, 100000}} {
		if got, err := ParseShard(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"1", "/", "1/", "/2", "3/3", "-1/3", "0/0", "1/3/5", "a/3", "0/100001", "0x1/3", " 0/3", "+0/3"} {
		if _, err := ParseShard(text); err == nil || !strings.Contains(err.Error(), "must be i/n") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// randomGrid draws a configuration of some blocks.
func randomGrid(t *rapid.T) []*spec.Cell {
	subset := func(label string, from ...string) string {
		n := rapid.IntRange(1, len(from)).Draw(t, label)
		return strings.Join(rapid.Permutation(from).Draw(t, label)[:n], ", ")
	}
	text := fmt.Sprintf("table = \"clustering\"\nrepetitions = %d\n", rapid.IntRange(1, 4).Draw(t, "repetitions"))
	for range rapid.IntRange(1, 4).Draw(t, "blocks") {
		text += "[[grid]]\ndataset = [" + subset("data", `"MUTAG"`, `"PTC-MR"`, `"BZR"`, `"PROTEIN"`) + "]\nfeatures = \"labels\"\nalpha = [" + subset("alpha", "0.5", "0.9", "0.999") + "]\n"
		switch rapid.SampledFrom([]string{"GDL", "GWF-r", "GW-k", "SC"}).Draw(t, "method") {
		case "GDL":
			text += "method = \"GDL\"\nlambda = [" + subset("lambda", "0", "0.01", "0.1") + "]\natoms = [" + subset("atoms", "2", "8", "32") + "]\n"
		case "GWF-r":
			text += "method = \"GWF-r\"\natoms_per_class = [" + subset("atoms", "1", "2", "4") + "]\n"
		case "GW-k":
			text += "method = \"GW-k\"\n"
		case "SC":
			text += "method = \"SC\"\ngamma = [" + subset("gamma", "0.1", "1", "10") + "]\nlabels = [" + subset("labels", `"kmeans"`, `"discretise"`) + "]\n"
		}
	}
	c, err := grid.Parse([]byte(text), "random.toml", methods.All().Described())
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return c.Cells()
}

// TestSplit: shards are disjoint, together they are all cells, they do not depend on
// the order of cells, and cells of one product are together.
func TestSplit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cells := randomGrid(t)
		n := rapid.IntRange(1, 12).Draw(t, "shards")
		at := Split(cells, n)
		seen := map[string]int{}
		for i := range n {
			for _, c := range (Shard{i, n}).Pick(cells) {
				seen[c.ID]++
			}
		}
		if len(seen) != len(cells) {
			t.Errorf("%d shards hold %d of %d cells", n, len(seen), len(cells))
		}
		for i, c := range cells {
			if seen[c.ID] != 1 || at[i] < 0 || at[i] >= n {
				t.Errorf("%s is in %d shards, %d of %d", c, seen[c.ID], at[i], n)
			}
		}

		mixed := slices.Clone(cells)
		rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 0)).Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		place := map[string]int{}
		for i, c := range cells {
			place[c.ID] = at[i]
		}
		for i, s := range Split(mixed, n) {
			if place[mixed[i].ID] != s {
				t.Errorf("%s goes to shard %d, or to %d in another order", mixed[i], place[mixed[i].ID], s)
			}
		}

		of := map[string]int{}
		for i, c := range cells {
			if s, there := of[c.Shared()]; there && c.Shared() != "" && s != at[i] {
				t.Errorf("cells of %s are in shards %d and %d", c.Shared(), s, at[i])
			}
			of[c.Shared()] = at[i]
		}
	})
}

// TestShardsAreAlike: shards have nearly equal numbers of cells of each method on each data set that share nothing.
func TestShardsAreAlike(t *testing.T) {
	t.Parallel()
	cells := slices.DeleteFunc(exptest.Config(t, "clustering.toml").Cells(), func(c *spec.Cell) bool { return c.Method.Products != nil })
	const n = 16
	counts := map[spec.KindKey]*[n]float64{}
	for i, s := range Split(cells, n) {
		k := cells[i].Kind()
		if counts[k] == nil {
			counts[k] = &[n]float64{}
		}
		counts[k][s]++
	}
	for k, of := range counts {
		var mean float64
		for _, x := range of {
			mean += x / n
		}
		for s, x := range of {
			if math.Abs(x-mean) > 5*math.Sqrt(mean)+1 {
				t.Errorf("%v: %v cells in shard %d, %.1f in the mean", k, x, s, mean)
			}
		}
	}
}
