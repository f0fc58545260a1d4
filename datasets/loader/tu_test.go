package loader_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"
)

// measured reads the table of shared/tudatasets/README.md.
func measured(t *testing.T) map[string][]string {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join(sharedtest.Dir(t), "tudatasets", "README.md")))
	rows := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 9 || strings.Contains(line, "---") || strings.Contains(line, "mean n") {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows[cells[0]] = cells[1:]
	}
	return rows
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	return must.Get(strconv.ParseFloat(s, 64))
}

// attributeCell words labels and attributes as the table does.
func attributeCell(s datasets.Statistics) string {
	switch {
	case s.AttributeDim > 0:
		return fmt.Sprintf("R^%d", s.AttributeDim)
	case len(s.LabelCounts) == 1:
		return fmt.Sprintf("%d node labels", s.LabelCounts[0])
	}
	return "none"
}

// TestStatistics holds every set to the measured table, and the eight of the
// paper to the inputs of the reference values: counts and the sum of the
// shortest-path matrices of the first 20 graphs. It holds some to what else is counted of them.
func TestStatistics(t *testing.T) {
	rows := measured(t)
	must.Equal(t, len(rows), 10, "rows of the table")
	var names []string
	for name := range rows {
		names = append(names, name)
	}
	dir := sharedtest.Data(t, names...)
	var misc struct {
		Inputs map[string]struct {
			Graphs          int     `json:"graphs"`
			Nodes           int     `json:"nodes"`
			UndirectedEdges int     `json:"undirected_edges"`
			SPSumFirst20    float64 `json:"sp_sum_first20"`
		} `json:"inputs"`
	}
	sharedtest.JSON(t, "misc.json", &misc)
	must.Equal(t, len(misc.Inputs), 8, "inputs of misc.json")
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			d := loaded(t, dir, name)
			must.Check(t, d.Digest, datasets.PublishedDigest(name), "digest, and the published one")
			s := d.Statistics()
			lo, hi, _ := strings.Cut(row[3], "-")
			for _, c := range []struct {
				what  string
				got   float64
				want  string
				digit float64 // half a unit of the last digit
			}{
				{"graphs", float64(s.Graphs), row[0], 0},
				{"classes", float64(s.Classes), row[1], 0},
				{"mean order", s.MeanOrder, row[2], 5e-4},
				{"min order", float64(s.MinOrder), lo, 0},
				{"max order", float64(s.MaxOrder), hi, 0},
				{"median order", s.MedianOrder, row[4], 0},
				{"mean edges", s.MeanEdges, row[5], 5e-3},
				{"connectivity", s.Connectivity, row[6], 5e-4},
			} {
				must.Within(t, c.got, number(t, c.want), c.digit+1e-9, "%s", c.what)
			}
			if got := attributeCell(s); !strings.HasPrefix(row[7], got) {
				t.Errorf("attributes %q, want %q", got, row[7])
			}
			must.Check(t, int(math.Floor(number(t, row[4]))), d.MedianOrder(), "median order rounded down")
			if odd, ok := oddities[name]; ok {
				got := odd
				got.isolated, got.disconnected, got.labels = s.IsolatedNodes, s.Disconnected, 0
				got.firstClass, got.secondClass = d.ClassValues[0], d.ClassValues[1]
				for _, n := range s.LabelCounts {
					got.labels += n
				}
				if got != odd {
					t.Errorf("%+v, want %+v", got, odd)
				}
			}
			for k := range d.Graphs {
				check(t, d, k)
			}
			key := name
			if name == "PROTEINS_full" {
				key = "PROTEINS"
			}
			in, ok := misc.Inputs[key]
			if !ok {
				return
			}
			nodes, edges, sum := 0, 0, 0.0
			for k := range d.Graphs {
				nodes += d.Graphs[k].Order()
				edges += d.Graphs[k].Edges()
				if k >= 20 {
					continue
				}
				m := must.Get(datasets.Structure{Kind: datasets.KindShortestPath}.Matrix(&d.Graphs[k]))
				for _, x := range m {
					sum += x
				}
			}
			if s.Graphs != in.Graphs || nodes != in.Nodes || edges != in.UndirectedEdges || sum != in.SPSumFirst20 {
				t.Errorf("%d graphs, %d nodes, %d edges, paths that sum to %v; want %+v", s.Graphs, nodes, edges, sum, in)
			}
		})
	}
}

// oddities are what shared/tudatasets/README.md counts beside its table.
var oddities = map[string]struct {
	isolated, disconnected  int
	labels                  int
	firstClass, secondClass int
}{
	"ENZYMES":       {106, 31, 3, 1, 2},
	"PROTEINS_full": {5, 46, 3, 1, 2},
	"BZR":           {0, 0, 10, -1, 1},
	"COX2":          {0, 0, 8, -1, 1},
	"MUTAG":         {0, 0, 7, -1, 1},
	"IMDB-BINARY":   {0, 0, 0, 0, 1},
	"TRIANGLES":     {34870, 19096, 0, 1, 2},
}

var loads = map[string]*datasets.Dataset{}

// loaded is a data set, read once for all tests that only look at it.
func loaded(t *testing.T, dir, name string) *datasets.Dataset {
	t.Helper()
	if loads[name] == nil {
		d := must.Get(loader.Load(dir, name))
		loads[name] = d
	}
	return loads[name]
}

// TestPaperNames loads a set by the paper's name.
func TestPaperNames(t *testing.T) {
	dir := sharedtest.Data(t, "PTC_MR")
	d := must.Get(loader.Load(dir, "PTC-MR"))
	must.Check(t, d.Name, "PTC_MR", "name")
}
