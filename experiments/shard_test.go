package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseShard(t *testing.T) {
	for text, want := range map[string]shard{"": {0, 1}, "0/1": {0, 1}, "2/3": {2, 3}, "99999/100000": {99999, 100000}} {
		if got, err := parseShard(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"1", "/", "1/", "/2", "3/3", "-1/3", "0/0", "1/3/5", "a/3", "0/100001", "0x1/3", " 0/3", "+0/3"} {
		if _, err := parseShard(text); err == nil || !strings.Contains(err.Error(), "must be i/n") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// randomGrid draws a configuration of some blocks.
func randomGrid(t *rapid.T) []*cell {
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
	c, err := parseConfig([]byte(text), "random.toml", methods().described())
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return c.cells()
}

// TestSplit: shards are disjoint, together they are all cells, they do not depend on
// the order of cells, none holds more than the mean and one portion, and cells of one
// matrix are apart only where they outweigh half of a shard.
func TestSplit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cells := randomGrid(t)
		n := rapid.IntRange(1, 12).Draw(t, "shards")
		at := split(burdens(cells, nil), n)
		seen := map[string]int{}
		for i := range n {
			for _, c := range (shard{i, n}).pick(cells) {
				seen[c.id]++
			}
		}
		if len(seen) != len(cells) {
			t.Errorf("%d shards hold %d of %d cells", n, len(seen), len(cells))
		}
		for i, c := range cells {
			if seen[c.id] != 1 || at[i] < 0 || at[i] >= n {
				t.Errorf("%s is in %d shards, %d of %d", c, seen[c.id], at[i], n)
			}
		}

		mixed := slices.Clone(cells)
		rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 0)).Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		place := map[string]int{}
		for i, c := range cells {
			place[c.id] = at[i]
		}
		for i, s := range split(burdens(mixed, nil), n) {
			if place[mixed[i].id] != s {
				t.Errorf("%s goes to shard %d, or to %d in another order", mixed[i], place[mixed[i].id], s)
			}
		}

		costs := burdens(cells, nil)
		load := make([]int64, n)
		matrices := make([]map[string]int64, n)
		own, apart := map[string]int64{}, map[string]map[int]bool{}
		var whole int64
		for i, b := range costs {
			whole += microseconds(b.seconds)
			load[at[i]] += microseconds(b.seconds)
			if b.shared == "" {
				continue
			}
			if apart[b.shared] == nil {
				apart[b.shared] = map[int]bool{}
				whole += microseconds(b.products())
			}
			if matrices[at[i]] == nil {
				matrices[at[i]] = map[string]int64{}
			}
			own[b.shared] += microseconds(b.seconds)
			apart[b.shared][at[i]] = true
			matrices[at[i]][b.shared] = microseconds(b.products())
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

// TestShardsStay: the split of a configuration is part of what machines agree on. Whoever
// changes it (a coefficient of the model, say) accepts it anew with -update, and says so:
// machines of a run have to be of one revision.
func TestShardsStay(t *testing.T) {
	t.Parallel()
	c := configOf(t, "clustering-quick.toml")
	cells := c.cells()
	var lines []string
	for i, s := range split(burdens(cells, nil), 7) {
		if i%40 == 0 {
			lines = append(lines, fmt.Sprintf("%s %d", cells[i].id, s))
		}
	}
	golden(t, "shards.golden", strings.Join(lines, "\n")+"\n")
}

// TestShardBalance: the loads of the large configurations differ by less than a
// percent, and no matrix is computed twice.
func TestShardBalance(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector, and has nothing for it")
	}
	t.Parallel()
	c := configOf(t, "clustering.toml")
	cells := c.cells()
	costs := burdens(cells, nil)
	for _, n := range []int{2, 16, 100} {
		load := make([]int64, n)
		matrices := map[string]int{}
		var most, total int64
		for i, s := range split(costs, n) {
			b := costs[i]
			load[s] += microseconds(b.seconds)
			if b.shared == "" {
				continue
			}
			if at, ok := matrices[b.shared]; !ok {
				matrices[b.shared] = s
				load[s] += microseconds(b.products())
			} else if at != s {
				t.Fatalf("%d shards: %s is needed in two", n, b.shared)
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

// TestShardsOfARun: shards in any order leave what one run leaves, in one folder or
// copied together, and -report writes the same tables.
func TestShardsOfARun(t *testing.T) {
	t.Parallel()
	whole := newSession(t, tiny)
	whole.run(exitOK)
	want := whole.results()

	together := newSession(t, tiny)
	for _, part := range []string{"2/3", "0/3", "1/3"} {
		together.run(exitOK, "-shard", part)
		together.wantErr("shard "+part+": ", "0 done already")
		together.wantOut("-report writes the tables")
	}
	if _, err := os.Stat(filepath.Join(together.dir, "out", "grid")); err == nil {
		t.Error("a shard has written tables")
	}
	together.run(exitOK, "-report")
	together.same(want)

	// More shards than cells: some have nothing to do, which is no error.
	merged := newSession(t, tiny)
	for i := range 7 {
		one := newSession(t, tiny)
		one.run(exitOK, "-shard", fmt.Sprintf("%d/7", i))
		from := filepath.Join(one.dir, "out", "store")
		// A copy is another file, which no index of its own vouches for.
		if err := os.Remove(filepath.Join(from, "verified")); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if err := os.CopyFS(filepath.Join(merged.dir, "out", "store"), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	merged.run(exitOK, "-report")
	merged.same(want)
	merged.run(exitOK)
	merged.wantErr("4 done already, 0 to compute")
	merged.same(want)
}

func TestShardFlags(t *testing.T) {
	t.Parallel()
	s := newSession(t, tiny)
	for _, bad := range []struct{ args, want string }{
		{"-shard 3/3", "must be i/n"},
		{"-shard 0/3 -report", "-shard: report has no such flag; it belongs to run, list, plan"},
		{"-shard 0/3 -cell 0123", "leave out -filter, -shard"},
		{"-plan -list", "give one of them"},
		{"-plan -report", "give one of them"},
		{"-json", "-json: run has no such flag; it belongs to plan"},
		{"-limit 1h", "belongs to plan"},
		{"-plan -limit -1h", "must be a time above 0"},
		{"-shards 3", "belongs to plan"},
		{"-list -shards 3", "-shards: list has no such flag; it belongs to plan"},
		{"-plan -shards 3 -shard 0/3", "leave out -shard"},
		{"-plan -shards 0", "from 1 to 100000"},
		{"-plan -shards 100001", "from 1 to 100000"},
		{"-plan -shards many", "from 1 to 100000"},
	} {
		s.run(exitFatal, strings.Fields(bad.args)...)
		s.wantErr(bad.want)
	}
	total := 0
	for i := range 3 {
		s.run(exitOK, "-list", "-shard", fmt.Sprintf("%d/3", i), "-filter", "lambda=0,0.01")
		total += strings.Count(s.stdout, "pending  ")
	}
	if total != 4 {
		t.Errorf("the shards list %d cells", total)
	}
}
