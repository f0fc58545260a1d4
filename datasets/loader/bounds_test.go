package loader_test

import (
	"errors"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"ogdl/datasets/loader"
	"ogdl/internal/fuzztest"
	"ogdl/internal/test/must"
)

// within reports a call that allocates more than limit bytes in all: that is more than it ever holds at once.
func within(t *testing.T, what string, limit int, call func() error) error {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := call()
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > uint64(limit) {
		t.Errorf("%s allocated %d bytes, more than %d (error %v)", what, bytes, limit, err)
	}
	return err
}

// slack is what reading allocates whatever the size of the input, the window of 64 KB among it.
const slack = 160 << 10

// hostile are files that promise much and hold little.
func hostile() map[string]files {
	const k = 50_000
	repeat := strings.Repeat
	ids := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strconv.Itoa(i+1) + "\n")
		}
		return b.String()
	}
	return map[string]files{
		"huge graph id":          {"A": "", "graph_indicator": "2147483647\n"},
		"huge graph id, classes": {"A": "", "graph_indicator": "2147483647\n", "graph_labels": "1\n"},
		"huge node id":           {"A": "1, 2147483647\n", "graph_indicator": "1\n"},
		"nodes only":             {"A": "", "graph_indicator": repeat("1\n", k)},
		"a graph per node":       {"A": "", "graph_indicator": ids(k)},
		"a graph per node, all files": {"A": "", "graph_indicator": ids(k), "graph_labels": repeat("1\n", k),
			"node_labels": repeat("1\n", k), "node_attributes": repeat("1\n", k)},
		"empty graphs":           {"A": "", "graph_indicator": "1\n", "graph_labels": repeat("1\n", k)},
		"distinct classes":       {"A": "", "graph_indicator": "1\n", "graph_labels": ids(k)},
		"empty graphs, columns":  {"A": "", "graph_indicator": "1\n", "graph_labels": repeat("1\n", k), "node_labels": repeat("1,", k) + "1\n", "node_attributes": repeat("1,", k) + "1\n"},
		"nodes, columns":         {"A": "", "graph_indicator": repeat("1\n", k), "node_labels": repeat("1,", k) + "1\n"},
		"nodes, attributes":      {"A": "", "graph_indicator": repeat("1\n", k), "node_attributes": repeat("1,", k) + "1\n"},
		"columns":                {"A": "", "graph_indicator": "1\n", "node_labels": repeat("1,", k) + "1\n"},
		"columns of few graphs":  {"A": "", "graph_indicator": "1\n2\n3\n", "node_labels": repeat(repeat("1,", k)+"1\n", 3)},
		"empty fields":           {"A": "", "graph_indicator": "1\n", "node_labels": repeat(",", k)},
		"repeated edges":         {"A": repeat("1,2\n", k), "graph_indicator": "1\n1\n"},
		"blank lines":            {"A": repeat("\n", k), "graph_indicator": "1\n" + repeat("\n", k), "graph_labels": "1\n" + repeat("\n", k), "node_labels": "1\n" + repeat("\n", k)},
		"one long line":          {"A": repeat("1", k), "graph_indicator": "1\n", "node_attributes": repeat("1", k)},
		"long line of attribute": {"A": "", "graph_indicator": "1\n", "node_attributes": repeat("z", k)},
		"descending ids":         {"A": "", "graph_indicator": "3\n2\n1\n" + repeat("2\n1\n", k)},
		"edges apart":            {"A": repeat("1,2\n3,4\n", k), "graph_indicator": "1\n1\n2\n2\n"},
		"nodes apart, all files": {"A": "", "graph_indicator": repeat("2\n1\n", k), "graph_labels": "1\n2\n", "node_labels": repeat("1\n", 2*k), "node_attributes": repeat("1\n", 2*k)},
		"distinct labels":        {"A": "", "graph_indicator": repeat("1\n", k), "node_labels": ids(k)},
	}
}

// TestMemory reads files that promise much and hold little.
func TestMemory(t *testing.T) {
	for name, f := range hostile() {
		t.Run(name, func(t *testing.T) {
			fsys := f.fsys()
			_ = within(t, "reading", 64*f.size()+slack, func() error { return must.Err(loader.Read(fsys, "X")) })
		})
	}
}

// FuzzRead: no input panics, takes more than its share of memory, or leaves a
// data set that breaks the promises of its types.
func FuzzRead(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, indicator, graphLabels, nodeLabels, attributes []byte) {
		x := fuzzed(a, indicator, graphLabels, nodeLabels, attributes)
		fsys := x.fsys()
		err := within(t, "reading", 64*x.size()+slack, func() error { return must.Err(loader.Read(fsys, "X")) })
		d, again := loader.Read(fsys, "X")
		must.Check(t, again == nil, err == nil, "whether the same input reads again: %v, %v", err, again)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "loader: ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q", err)
			}
			return
		}
		if d.Classes != nil && len(d.Classes) != len(d.Graphs) {
			t.Errorf("%d classes of %d graphs", len(d.Classes), len(d.Graphs))
		}
		for _, c := range d.Classes {
			if c < 0 || c >= d.NumClasses() {
				t.Errorf("class %d of %d", c, d.NumClasses())
			}
		}
		for k := range d.Graphs {
			check(t, d, k)
		}
	})
}

// fuzzed are the files of a target's arguments; an empty one is not there, but for the two that
// must be.
func fuzzed[S string | []byte](a, indicator, graphLabels, nodeLabels, attributes S) files {
	x := files{"A": string(a), "graph_indicator": string(indicator)}
	for suffix, data := range map[string]S{
		"graph_labels": graphLabels, "node_labels": nodeLabels, "node_attributes": attributes,
	} {
		if len(data) > 0 {
			x[suffix] = string(data)
		}
	}
	return x
}

func TestSeeds(t *testing.T) {
	fuzztest.Seeds(t, "FuzzEdgeWeights", func(args []string) error {
		return must.Err(loader.Options{EdgeWeights: args[3]}.Read(weightedFiles(args[0], args[1], args[2]).fsys(), "X"))
	})
	fuzztest.Seeds(t, "FuzzRead", func(args []string) error {
		d, err := loader.Read(fuzzed(args[0], args[1], args[2], args[3], args[4]).fsys(), "X")
		if err == nil && d.LabelProblem+d.AttributeProblem != "" {
			return errors.New(d.LabelProblem + d.AttributeProblem)
		}
		return err
	})
}
