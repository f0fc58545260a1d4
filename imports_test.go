package ogdl_test

import (
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/test/must"
)

const module = "ogdl"

// rooms says which packages of ours each package may import, outside its
// tests, with the reason. The first row whose pattern (as in path.Match)
// fits counts; a package that none fits has no place in the house.
var rooms = []struct {
	pattern string
	may     []string
	why     string
}{
	{".", nil, "the root embeds the sources, and holds tests about the whole"},
	{"ot", []string{"internal/vec"}, "linear transport stands alone, but for loops over vectors"},
	{"ot/gw", []string{"ot", "internal/vec", "internal/parallel"}, "GW is built on linear transport; distances of all pairs are independent tasks"},
	{"ot/ottest", []string{"ot", "internal/test/must"}, "the conformance suite runs any linear solver"},
	{"ot/gw/gwtest", []string{"ot/gw", "datasets", "datasets/loader", "internal/test/must", "internal/sharedtest"}, "graphs for the tests of packages that compare them"},
	{"datasets", []string{"internal/adjacency"}, "data know nothing of numerics"},
	{"datasets/loader", []string{"datasets", "internal/words"}, "a loader fills a Dataset, as image/png fills an image.Image"},
	{"datasets/spaces", []string{"datasets", "ot/gw"}, "graphs of a data set become the spaces that solvers take"},
	{"eval", nil, "scores take labels and vectors, whoever made them"},
	{"eval/svm", []string{"internal/vec"}, "a learner takes kernels and labels, whoever made them"},
	{"eval/nested", []string{"eval/svm"}, "cross-validation of an SVM knows kernels, labels and splits"},
	{"configs", nil, "configurations are text"},
	{"internal/record", []string{"internal/npz", "internal/disk"}, "a record vouches for the npz beside it, and both appear whole"},
	{"internal/ledger", []string{"internal/artifact", "internal/record", "internal/disk"}, "a ledger remembers records, and knows which scores tables read"},
	{"internal/artifact", []string{"internal/npz"}, "what a cell keeps is arrays in an npz file"},
	{"internal/disktest", []string{"internal/disk", "internal/test/must"}, "a disk for tests"},
	{"internal/egotest", []string{"datasets", "internal/test/must"}, "it generates files of graphs"},
	{"internal/fuzztest", []string{"internal/npz", "internal/test/must"}, "fuzz targets mutate what archives are made of"},
	{"internal/test/golden", []string{"internal/test/must"}, "golden files are written and compared in one way"},
	{"internal/test/must", nil, "tests of all packages end at unexpected errors alike"},
	{"internal/sharedtest", []string{"internal/test/must"}, "reference files for tests"},
	{"internal/memo", []string{"internal/guard"}, "a panic in what many ask for is an error of all"},
	{"internal/nn", []string{"internal/optim", "internal/vec"}, "layers are loops over vectors"},
	{"internal/initial", []string{"ot/gw"}, "atoms start from graphs, whoever learns them"},
	{"internal/optim", []string{"internal/vec"}, "a step of an optimizer is a loop over vectors"},
	{"internal/*", nil, "what all may use uses none of them"},
	{"gdl", []string{"ot", "ot/gw", "eval", "internal/initial", "internal/vec", "internal/parallel", "internal/optim", "internal/npz", "internal/disk"}, "the method knows no data set, store or table; its files appear whole"},
	{"baselines/gin", []string{"internal/adjacency", "internal/nn", "internal/optim", "internal/vec"}, "a network knows graphs and numbers alone"},
	{"baselines/pscn", []string{"internal/adjacency", "internal/nn", "internal/optim", "internal/vec"}, "a network knows graphs and numbers alone"},
	{"baselines/gwf", []string{"ot", "ot/gw", "internal/initial", "internal/nn", "internal/vec", "internal/parallel", "internal/optim", "internal/npz"}, "a factorization may have a network on its weights"},
	{"baselines/kernels", []string{"internal/adjacency", "internal/vec", "internal/parallel"}, "graph kernels know graphs alone: no transport, no data set"},
	{"baselines/*", []string{"ot", "ot/gw", "eval", "internal/vec", "internal/parallel", "internal/optim", "internal/npz"}, "a baseline never imports what it is compared with"},
	{"reports", []string{"internal/disk", "internal/guard", "internal/npz", "internal/record", "reports/*"}, "tables and figures come from the store alone, so they re-render without computing"},
	{"reports/table", []string{"internal/words"}, "a table is made of texts and numbers, whatever they mean"},
	{"reports/paper", []string{"reports/table", "internal/artifact", "internal/words"}, "what is printed is there before any record"},
	{"reports/summary", []string{"reports/paper", "reports/table", "internal/artifact", "internal/record", "eval", "internal/words"}, "records are grouped and chosen from once, for all that shows them"},
	{"reports/tables", []string{"reports/summary", "reports/paper", "reports/table", "internal/artifact", "internal/record", "internal/words"}, "tables are made of rows"},
	{"reports/figures", []string{"reports/tables", "reports/summary", "reports/paper", "reports/table", "reports/plots", "internal/artifact", "internal/npz", "internal/record", "eval", "internal/words", "datasets"}, "figures are drawn from rows and from what cells keep; node labels have names"},
	{"reports/reproduction", []string{"reports/plots", "reports/tables", "reports/summary", "reports/paper", "reports/table", "internal/words"}, "what holds is read off rows and what is printed"},
	{"reports/own", []string{"reports", "reports/figures", "reports/page", "reports/paper", "reports/plots", "reports/summary", "reports/table", "datasets", "eval", "eval/nested", "internal/artifact", "internal/npz", "internal/vec", "internal/words"}, "the page of own graphs shows what was chosen, whoever learned it"},
	{"reports/page", []string{"reports/tables", "reports/summary", "reports/paper", "reports/table", "internal/record", "internal/words"}, "the page shows what others made"},
	{"reports/plots", []string{"reports/plots/pdf", "internal/words"}, "figures are made of numbers, whoever computed them"},
	{"reports/plots/pdf", nil, "a canvas takes whatever is drawn"},
	{"examples/*", []string{"datasets", "datasets/spaces", "eval", "gdl", "ot/gw", "reports/plots"}, "a page each, of what users of the library may take"},
	{"experiments/internal/spec", []string{"datasets", "datasets/loader", "internal/record"}, "what a cell and a method are, before anything is computed"},
	{"experiments/internal/grid", []string{"configs", "datasets", "datasets/loader", "internal/disk", "reports/summary", "experiments/internal/spec"}, "a configuration becomes cells, whoever computes them"},
	{"experiments/internal/source", []string{"datasets", "datasets/loader", "datasets/spaces", "ot/gw", "internal/disk", "internal/guard", "internal/memo", "experiments/internal/spec", "internal/words"}, "data know no method"},
	{"experiments/internal/product", []string{"baselines/kernels", "baselines/spectral", "datasets", "datasets/loader", "ot/gw", "internal/guard", "internal/memo", "internal/npz", "internal/record", "internal/usage", "experiments/internal/spec", "experiments/internal/source", "internal/words"}, "what cells share is computed from graphs and spaces, whoever asks"},
	{"experiments/internal/method", []string{"baselines/*", "datasets", "eval", "gdl", "ot/gw", "internal/*", "reports/summary", "experiments/internal/spec", "experiments/internal/source", "experiments/internal/product"}, "methods hand back what they learned, and score nothing"},
	{"experiments/internal/classify", []string{"baselines/*", "datasets", "eval/nested", "gdl", "ot/gw", "internal/*", "reports/summary", "experiments/internal/spec", "experiments/internal/source", "experiments/internal/product", "experiments/internal/method"}, "what classifies takes the dictionaries of other methods, of the split's training part where asked, and scores nothing"},
	{"experiments/internal/protocol", []string{".", "baselines/spectral", "datasets", "datasets/loader", "eval", "eval/*", "internal/*", "experiments/internal/spec", "experiments/internal/source", "experiments/internal/product", "experiments/internal/method", "experiments/internal/classify"}, "a cell is computed and scored, whenever and wherever"},
	{"experiments/internal/fit", []string{"datasets", "eval", "eval/nested", "gdl", "ot/gw", "internal/*", "reports", "reports/*", "experiments/internal/spec", "experiments/internal/source", "experiments/internal/method", "experiments/internal/classify", "experiments/internal/embed"}, "a configuration of own graphs, and the page of its cells, whoever computes them"},
	{"experiments/internal/embed", []string{"datasets", "datasets/loader", "eval", "eval/nested", "gdl", "internal/*", "reports/own", "experiments/internal/spec", "experiments/internal/source", "experiments/internal/method", "experiments/internal/classify"}, "new graphs go into a dictionary that was learned before, whoever learned it"},
	{"experiments/internal/run", []string{"datasets/loader", "internal/*", "reports/summary", "experiments/internal/spec", "experiments/internal/grid", "experiments/internal/source", "experiments/internal/product", "experiments/internal/method", "experiments/internal/protocol"}, "a run computes what a store lacks"},
	{"experiments/internal/plan", []string{"internal/*", "reports/summary", "experiments/internal/spec", "experiments/internal/grid", "experiments/internal/product", "experiments/internal/run"}, "plans read stores and compute nothing"},
	{"experiments/internal/compare", []string{"internal/artifact", "internal/record", "reports/paper", "reports/summary"}, "stores are compared by their records alone"},
	{"experiments/internal/exptest", []string{"datasets/loader", "internal/disktest", "internal/npz", "internal/record", "internal/test/must", "experiments/internal/*"}, "grids and timings for tests, and cells without a run"},
	{"experiments", []string{".", "*", "*/*", "experiments/internal/*"}, "the program brings all together"},
	{"scripts/dev", nil, "scripts are run, not imported"},
	{"scripts/dev/*", []string{"ot", "ot/gw", "gdl", "baselines/*", "eval", "eval/*", "datasets", "datasets/loader", "internal/*"}, "helpers of the scripts measure numerics on data"},
}

// forTestsAlone may be imported by test files only.
var forTestsAlone = []string{"internal/nntest", "internal/fuzztest", "internal/sharedtest", "internal/disktest",
	"internal/egotest", "internal/test/must", "internal/test/golden", "ot/ottest", "ot/gw/gwtest", "experiments/internal/exptest"}

// room is the path of one of our packages below the module's root.
func room(importPath string) (string, bool) {
	if importPath == module {
		return ".", true
	}
	return strings.CutPrefix(importPath, module+"/")
}

// violations lists what the packages import against the table.
func violations(pkgs []pkg) []string {
	var out []string
	for _, p := range pkgs {
		name, ours := room(p.ImportPath)
		if !ours {
			continue
		}
		row := slices.IndexFunc(rooms, func(r struct {
			pattern string
			may     []string
			why     string
		}) bool {
			return matches(r.pattern, name)
		})
		if row < 0 {
			out = append(out, name+" has no row in the table of imports")
			continue
		}
		for _, i := range p.Imports {
			imported, ours := room(i)
			if !ours {
				continue
			}
			switch {
			case imported == "experiments" || strings.HasPrefix(imported, "experiments/") && !strings.HasPrefix(name, "experiments"):
				out = append(out, name+" imports "+imported+": nobody imports the program")
			case slices.Contains(forTestsAlone, imported) && !slices.Contains(forTestsAlone, name):
				out = append(out, name+" imports "+imported+", which is for tests")
			case !slices.ContainsFunc(rooms[row].may, func(pattern string) bool { return matches(pattern, imported) }):
				out = append(out, name+" imports "+imported+": "+rooms[row].why)
			}
		}
	}
	return out
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	if err != nil {
		panic("imports_test: pattern " + pattern + ": " + err.Error())
	}
	return ok
}

// TestImports holds every package to the table. Test files may import freely.
func TestImports(t *testing.T) {
	all := must.Get(packages())
	for _, must := range []string{"ot", "ot/gw", "gdl", "datasets", "eval", "reports", "experiments"} {
		if _, there := all[module+"/"+must]; !there {
			t.Errorf("go list does not know %s/%s", module, must)
		}
	}
	for _, v := range violations(slices.Collect(maps.Values(all))) {
		t.Error(v)
	}
}

// TestImportTable sees the table reject what it must.
func TestImportTable(t *testing.T) {
	for _, c := range []struct {
		from, to string
		ok       bool
	}{
		{"ot/gw", "ot", true}, {"ot", "ot/gw", false}, {"ot", "gonum", true}, {"gdl", "datasets", false}, {"gdl", "reports/plots", false},
		{"baselines/gwf", "gdl", false}, {"baselines/kernels", "datasets", false}, {"eval/nested", "eval/svm", true}, {"eval/svm", "eval/nested", false},
		{"reports", "gdl", false}, {"reports/tables", "reports/figures", false}, {"internal/npz", "internal/record", false},
		{"experiments", "reports", true}, {"experiments", "baselines/gwf", true}, {"reports", "experiments", false}, {"scripts/dev/x", "experiments", false},
		{"gdl", "internal/sharedtest", false}, {"experiments", "internal/sharedtest", false}, {"internal/egotest", "datasets", true},
		{"experiments/internal/classify", "experiments/internal/method", true}, {"experiments/internal/method", "experiments/internal/classify", false},
		{"attic", "ot", false}, {"attic", "gonum", false},
	} {
		to := module + "/" + c.to
		if c.to == "gonum" {
			to = "gonum.org/v1/gonum/mat"
		}
		v := violations([]pkg{{ImportPath: module + "/" + c.from, Imports: []string{to}}})
		if ok := len(v) == 0; ok != c.ok {
			t.Errorf("%s -> %s: allowed %v, want %v %v", c.from, c.to, ok, c.ok, v)
		}
	}
}
