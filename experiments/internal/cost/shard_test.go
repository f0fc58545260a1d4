package cost

import (
	"fmt"
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
// the order of cells, none holds more than the mean and one portion, and cells of one
// matrix are apart only where they outweigh half of a shard.
func TestSplit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cells := randomGrid(t)
		n := rapid.IntRange(1, 12).Draw(t, "shards")
		at := Split(Burdens(cells, nil), n)
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
		for i, s := range Split(Burdens(mixed, nil), n) {
			if place[mixed[i].ID] != s {
				t.Errorf("%s goes to shard %d, or to %d in another order", mixed[i], place[mixed[i].ID], s)
			}
		}

		costs := Burdens(cells, nil)
		load := make([]int64, n)
		matrices := make([]map[string]int64, n)
		own, apart := map[string]int64{}, map[string]map[int]bool{}
		var whole int64
		for i, b := range costs {
			whole += Microseconds(b.Seconds)
			load[at[i]] += Microseconds(b.Seconds)
			if b.Shared == "" {
				continue
			}
			if apart[b.Shared] == nil {
				apart[b.Shared] = map[int]bool{}
				whole += Microseconds(b.Products())
			}
			if matrices[at[i]] == nil {
				matrices[at[i]] = map[string]int64{}
			}
			own[b.Shared] += Microseconds(b.Seconds)
			apart[b.Shared][at[i]] = true
			matrices[at[i]][b.Shared] = Microseconds(b.Products())
		}
		if n == 1 {
			return
		}
		var charged, largest int64
		for _, p := range portions(costs, n) {
			charged += p.cost
			largest = max(largest, p.cost)
		}
		for i := range load {
			for _, product := range matrices[i] {
				load[i] += product
			}
			if most := charged/int64(n) + largest; load[i] > most {
				t.Errorf("shard %d of %d has %d us of %d, the largest portion %d", i, n, load[i], charged, largest)
			}
		}
		for key, shards := range apart {
			if len(shards) > 1 && own[key] <= whole/int64(2*n) {
				t.Errorf("cells of %s, %d us of %d, are in %d of %d shards", key, own[key], whole, len(shards), n)
			}
		}
	})
}

// TestShardBalance: the loads of the large configurations differ by less than a
// percent, and no matrix is computed twice.
func TestShardBalance(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector, and has nothing for it")
	}
	t.Parallel()
	c := exptest.Config(t, "clustering.toml")
	cells := c.Cells()
	costs := Burdens(cells, nil)
	for _, n := range []int{2, 16, 100} {
		load := make([]int64, n)
		matrices := map[string]int{}
		var most, total int64
		for i, s := range Split(costs, n) {
			b := costs[i]
			load[s] += Microseconds(b.Seconds)
			if b.Shared == "" {
				continue
			}
			if at, ok := matrices[b.Shared]; !ok {
				matrices[b.Shared] = s
				load[s] += Microseconds(b.Products())
			} else if at != s {
				t.Fatalf("%d shards: %s is needed in two", n, b.Shared)
			}
		}
		for _, x := range load {
			most = max(most, x)
			total += x
		}
		if ratio := float64(most) * float64(n) / float64(total); ratio > 1.01 {
			t.Errorf("%d shards: the largest has %.3f of the mean", n, ratio)
		}
	}
}
