// Command fitbars measures the choices of the verb fit on planted and on empty data: over draws of each family it counts how often the number
// of clusters is right, and takes the mean adjusted Rand Index with what was planted.
//
//	go build -o ogdl ./experiments
//	go run ./scripts/dev/fitbars -program ./ogdl -from 101 -to 120
package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"ogdl/eval"
)

// sample is a graph with the group that it was planted in.
type sample struct {
	group  int
	nodes  int
	edges  [][2]int
	labels []string
}

// family is a kind of data with what fit should find in it.
type family struct {
	name, atoms string
	from, to    int     // clusters that are right
	draws       int     // of 20 that should be right
	ari         float64 // that should be reached; 0: none
	draw        func(rng *rand.Rand) []sample
}

// pairs joins each pair of nodes with the probability that p gives.
func pairs(n int, p func(i, j int) float64, rng *rand.Rand) (edges [][2]int) {
	for i := range n {
		for j := range i {
			if rng.Float64() < p(i, j) {
				edges = append(edges, [2]int{j, i})
			}
		}
	}
	return edges
}

// blocks is a stochastic block model with equal blocks.
func blocks(k, n int, within, between float64, rng *rand.Rand) sample {
	return sample{group: k, nodes: n, edges: pairs(n, func(i, j int) float64 {
		if i*k/n == j*k/n {
			return within
		}
		return between
	}, rng)}
}

// each draws count graphs of each of these groups.
func each(count, groups int, draw func(group int, rng *rand.Rand) sample) func(rng *rand.Rand) []sample {
	return func(rng *rand.Rand) (out []sample) {
		for g := range groups {
			for range count {
				s := draw(g, rng)
				s.group = g
				out = append(out, s)
			}
		}
		return out
	}
}

// random has a number of edges between distinct pairs.
func random(n, edges int, rng *rand.Rand) sample {
	var all [][2]int
	for i := range n {
		for j := range i {
			all = append(all, [2]int{j, i})
		}
	}
	rng.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
	return sample{nodes: n, edges: all[:min(edges, len(all))]}
}

// attached is a Barabasi-Albert graph in which a node joins m others by their degree.
func attached(n, m int, rng *rand.Rand) sample {
	s := sample{nodes: n}
	var ends []int
	for i := m; i < n; i++ {
		to := map[int]bool{}
		for len(to) < m {
			j := rng.IntN(i)
			if len(ends) > 0 {
				j = ends[rng.IntN(len(ends))]
			}
			if !to[j] {
				to[j] = true
				s.edges = append(s.edges, [2]int{j, i})
			}
		}
		for _, e := range s.edges[len(s.edges)-m:] {
			ends = append(ends, e[0], e[1])
		}
	}
	return s
}

// small is a Watts-Strogatz graph: a ring of k neighbours, each edge moved with probability p.
func small(n, k int, p float64, rng *rand.Rand) sample {
	s, have := sample{nodes: n}, map[[2]int]bool{}
	key := func(i, j int) [2]int { return [2]int{min(i, j), max(i, j)} }
	for i := range n {
		for d := 1; d <= k/2; d++ {
			e := key(i, (i+d)%n)
			for rng.Float64() < p || have[e] || e[0] == e[1] {
				if e = key(i, rng.IntN(n)); e[0] != e[1] && !have[e] {
					break
				}
			}
			have[e] = true
			s.edges = append(s.edges, e)
		}
	}
	return s
}

// labelled gives nodes of the first half one label and the others another, or both by chance.
func labelled(s sample, byBlock bool, rng *rand.Rand) sample {
	for i := range s.nodes {
		s.labels = append(s.labels, "ab"[i*2/s.nodes:][:1])
	}
	if !byBlock {
		rng.Shuffle(s.nodes, func(i, j int) { s.labels[i], s.labels[j] = s.labels[j], s.labels[i] })
	}
	return s
}

func order(from, to int, rng *rand.Rand) int { return from + rng.IntN(to-from+1) }

func families() []family {
	sbm := func(g int, rng *rand.Rand) sample { return blocks(g+1, order(20, 50, rng), .8, .05, rng) }
	labels := func(g, n int, rng *rand.Rand) sample { return labelled(blocks(2, n, .8, .1, rng), g == 0, rng) }
	structures := func(g, n int, rng *rand.Rand) sample { return labelled(blocks(1+g, n, .7, .1, rng), true, rng) }
	anyOrder := func(draw func(int, int, *rand.Rand) sample) func(int, *rand.Rand) sample {
		return func(g int, rng *rand.Rand) sample { return draw(g, order(20, 30, rng), rng) }
	}
	evenOrder := func(draw func(int, int, *rand.Rand) sample) func(int, *rand.Rand) sample {
		return func(g int, rng *rand.Rand) sample { return draw(g, 2*order(10, 15, rng), rng) }
	}
	return []family{
		{"sbm5", "2..10", 4, 8, 16, .85, each(40, 5, sbm)},
		{"sbm3", "2..6", 3, 3, 17, .97, each(40, 3, func(g int, rng *rand.Rand) sample { return blocks(g+1, order(15, 30, rng), .9, .1, rng) })},
		{"erbaws", "2..6", 3, 3, 13, .75, each(60, 3, func(g int, rng *rand.Rand) sample {
			n := order(25, 40, rng)
			switch g {
			case 0:
				return random(n, 3*n, rng)
			case 1:
				return attached(n, 3, rng)
			}
			return small(n, 6, .1, rng)
		})},
		{"edges90", "2..6", 1, 1, 16, 0, each(150, 1, func(_ int, rng *rand.Rand) sample { return random(order(25, 44, rng), 90, rng) })},
		{"er40", "2..6", 1, 1, 16, 0, each(40, 1, func(_ int, rng *rand.Rand) sample { return blocks(1, 30, .2, 0, rng) })},
		{"trees", "2..6", 1, 1, 16, 0, each(100, 1, func(_ int, rng *rand.Rand) sample { return attached(order(15, 30, rng), 1, rng) })},
		{"onesbm", "2..6", 1, 1, 16, 0, each(100, 1, func(_ int, rng *rand.Rand) sample { return blocks(3, order(20, 50, rng), .8, .05, rng) })},
		{"density", "2..6", 2, 2, 16, .9, each(50, 2, func(g int, rng *rand.Rand) sample { return blocks(1, 50, .2+.1*float64(g), 0, rng) })},
		// In odd orders one label has a node more, so each group has two kinds, which fit may find. In even orders it has one.
		{"labels", "2..6", 2, 2, 16, 0, each(50, 2, anyOrder(labels))},
		{"structures", "2..6", 2, 2, 16, 0, each(50, 2, anyOrder(structures))},
		{"labels_even", "2..6", 2, 2, 16, 0, each(50, 2, evenOrder(labels))},
		{"structures_even", "2..6", 2, 2, 16, 0, each(50, 2, evenOrder(structures))},
	}
}

func main() {
	program := flag.String("program", "ogdl", "the program")
	from, to := flag.Uint64("from", 1, "first draw"), flag.Uint64("to", 20, "last draw")
	only := flag.String("only", "", "families, with commas between them; all where it is empty")
	dir := flag.String("dir", "", "folder to keep the fits in; a temporary one where it is empty")
	flag.Parse()
	if err := measure(*program, *dir, *only, *from, *to); err != nil {
		fmt.Fprintln(os.Stderr, "fitbars:", err)
		os.Exit(1)
	}
}

func measure(program, dir, only string, from, to uint64) error {
	if dir == "" {
		d, err := os.MkdirTemp("", "fitbars")
		if err != nil {
			return err
		}
		defer os.RemoveAll(d)
		dir = d
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	fmt.Println("| data | clusters right | wanted | mean ARI | wanted | clusters found | CPU s a fit |\n|---|---|---|---|---|---|---|")
	for at, f := range families() {
		if only != "" && !slices.Contains(strings.Split(only, ","), f.name) {
			continue
		}
		right, sum, cpu, found := 0, 0.0, time.Duration(0), ""
		for draw := from; draw <= to; draw++ {
			k, ari, used, err := f.fit(program, filepath.Join(dir, fmt.Sprintf("%s_%d", f.name, draw)), rand.New(rand.NewPCG(draw, uint64(at))))
			if err != nil {
				return fmt.Errorf("%s, draw %d: %w", f.name, draw, err)
			}
			if k >= f.from && k <= f.to {
				right++
			}
			sum, cpu, found = sum+ari, cpu+used, found+fmt.Sprint(" ", k)
		}
		n := float64(to - from + 1)
		fmt.Printf("| %s | %d of %d | %d of 20 | %.3f | %.2f |%s | %.1f |\n", f.name, right, int(n), f.draws, sum/n, f.ari, found, cpu.Seconds()/n)
	}
	return nil
}

// fit runs the program on a draw, and returns the number of clusters and their adjusted Rand Index with the groups.
func (f *family) fit(program, dir string, rng *rand.Rand) (clusters int, ari float64, cpu time.Duration, err error) {
	graphs := f.draw(rng)
	var b bytes.Buffer
	var groups []int
	for _, s := range graphs {
		groups = append(groups, s.group)
		line := map[string]any{"edges": s.edges, "nodes": s.nodes}
		if s.edges == nil {
			line["edges"] = [][2]int{}
		}
		if s.labels != nil {
			line["labels"] = s.labels
		}
		if err := json.NewEncoder(&b).Encode(line); err != nil {
			return 0, 0, 0, err
		}
	}
	if err := os.WriteFile(dir+".jsonl", b.Bytes(), 0o666); err != nil {
		return 0, 0, 0, err
	}
	c := exec.Command(program, "fit", "-graphs", dir+".jsonl", "-atoms", f.atoms, "-out", dir, "-force", "-workers", "1")
	if text, err := c.CombinedOutput(); err != nil {
		return 0, 0, 0, fmt.Errorf("%w\n%s", err, text)
	}
	file, err := os.Open(filepath.Join(dir, "graphs.csv"))
	if err != nil {
		return 0, 0, 0, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return 0, 0, 0, err
	}
	var labels []int
	at := slices.Index(rows[0], "cluster")
	for _, row := range rows[1:] {
		k, err := strconv.Atoi(row[at])
		if err != nil {
			return 0, 0, 0, err
		}
		labels, clusters = append(labels, k), max(clusters, k+1)
	}
	return clusters, eval.AdjustedRandIndex(groups, labels), c.ProcessState.UserTime(), nil
}
