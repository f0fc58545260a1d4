package grid

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ogdl/configs"
	"ogdl/experiments/internal/protocol"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/fuzztest"
	"ogdl/internal/test/must"
)

// goodConfig is what every bad one is a change of.
const goodConfig = `table = "clustering"
seed = 1
repetitions = 2
timeout = "1m"

[[grid]]
dataset = ["MUTAG", "BZR"]
method = "GDL"
features = "labels"
lambda = [0, 0.01]
alpha = 0.5
atoms = [4, 8]
order = "median"
`

// rejects returns the message about a configuration that must be an *Error of its file with these parts.
func rejects(t *testing.T, src string, parts ...string) string {
	t.Helper()
	_, err := Parse([]byte(src), "bad.toml", protocol.Methods().Described())
	var mistakes *Error
	if !errors.As(err, &mistakes) || !strings.HasPrefix(err.Error(), "bad.toml:") {
		t.Errorf("%T, want an *Error of bad.toml: %v\n%s", err, err, src)
		return ""
	}
	must.Contain(t, err.Error(), parts...)
	return err.Error()
}

func TestBadConfigurations(t *testing.T) {
	if _, err := Parse([]byte(goodConfig), "good.toml", protocol.Methods().Described()); err != nil {
		t.Fatalf("the base of the table must be good: %v", err)
	}
	cases := []struct {
		name     string
		old, new string // a change of goodConfig; old "" replaces all of it
		line     string // ":N:" of the message
		want     []string
	}{
		{"empty file", "", "", "", []string{"table", "missing", `"clustering"`, `"datasets"`}},
		{"no table", "table = \"clustering\"\n", "", "", []string{"table: missing"}},
		{"unknown table", `table = "clustering"`, `table = "clusterng"`, ":1:",
			[]string{`table = "clusterng"`, "; did you mean clustering?",
				`must be "clustering", "clustering_enzymes", "clustering_gw_kmeans", `,
				`"figure_online"`, `or "classification"`}},
		{"table of another type", `table = "clustering"`, `table = 3`, ":1:", []string{"table = 3", "must be"}},
		{"unknown top key", "seed = 1", "sed = 1", ":2:", []string{"sed = 1", "unknown key", "did you mean seed?"}},
		{"parameter at the top", "seed = 1", "batch = 16", ":2:", []string{"batch = 16", "belongs into a [[grid]] block"}},
		{"unknown table section", "[[grid]]", "[grids]\nx = 1\n[[grid]]", ":6:", []string{"grids", "unknown key"}},
		{"duplicate key", "alpha = 0.5", "alpha = 0.5\nalpha = 0.6", ":12:", []string{"alpha", "already"}},
		{"duplicate top key", "seed = 1", "seed = 1\nseed = 2", ":3:", []string{"seed", "already"}},
		{"not TOML", "alpha = 0.5", "alpha = = 5", ":11:", []string{"not valid TOML"}},
		{"unclosed text", `order = "median"`, `order = "median`, ":13:", []string{"not valid TOML"}},
		{"name with a path", "seed = 1", `name = "../up"`, ":2:", []string{`name = "../up"`, "letters"}},
		{"name of the store", "seed = 1", `name = "store"`, ":2:", []string{`name = "store"`}},
		{"name of the file of a fit", "seed = 1", `name = "fit.toml"`, ":2:",
			[]string{`name = "fit.toml"`, `not "store", "index.html" or "fit.toml"`}},
		{"name no text", "seed = 1", `name = 1`, ":2:", []string{"name = 1", "must be a text"}},
		{"title of two lines", "seed = 1", `title = "a\nb"`, ":2:", []string{"title", "one line"}},
		{"seed a real", "seed = 1", "seed = 1.5", ":2:", []string{"seed = 1.5", "integer"}},
		{"seed a text", "seed = 1", `seed = "1"`, ":2:", []string{`seed = "1"`, "integer"}},
		{"seeds twice", "seed = 1", "seed = [1, 1]", ":2:", []string{"seed = 1", "listed twice"}},
		{"no seeds", "seed = 1", "seed = []", ":2:", []string{"seed = []", "empty list"}},
		{"repetitions zero", "repetitions = 2", "repetitions = 0", ":3:", []string{"repetitions = 0", "from 1 to 10000"}},
		{"confirm negative", "repetitions = 2", "repetitions = 2\nconfirm = -1", ":4:", []string{"confirm = -1", "from 0 (none) to 10000"}},
		{"race no truth value", "repetitions = 2", "repetitions = 2\nrace = 1", ":4:", []string{"race = 1", "must be true or false"}},
		{"race without a choice", "table = \"clustering\"", "table = \"datasets\"\nrace = true", "",
			[]string{"race = true", "needs a clustering table"}},
		{"confirm without a choice", "table = \"clustering\"", "table = \"datasets\"\nconfirm = 2", "", []string{"confirm = 2", "needs a clustering table"}},
		{"repetitions a list", "repetitions = 2", "repetitions = [1, 2]", ":3:", []string{"repetitions = [1, 2]", "integer"}},
		{"timeout without unit", `timeout = "1m"`, `timeout = "60"`, ":4:", []string{`timeout = "60"`, `"30m"`}},
		{"timeout a number", `timeout = "1m"`, `timeout = 60`, ":4:", []string{"timeout = 60", "duration"}},
		{"timeout negative", `timeout = "1m"`, `timeout = "-1m"`, ":4:", []string{`timeout = "-1m"`, "at least"}},
		{"no grid", "", "table = \"clustering\"\n", "", []string{"grid: missing", "[[grid]]"}},
		{"grid of one bracket", "[[grid]]", "[grid]", ":6:", []string{"grid", "two brackets"}},
		{"grid a number", "", "table = \"clustering\"\ngrid = 3\n", ":2:", []string{"grid = 3", "[[grid]]"}},
		{"grid empty", "", "table = \"clustering\"\ngrid = []\n", ":2:", []string{"grid = []", "empty list"}},
		{"grid of numbers", "", "table = \"clustering\"\ngrid = [1]\n", ":2:", []string{"grid = 1", "must be a table"}},
		{"no method", "method = \"GDL\"\n", "", ":6:", []string{"method: missing", `"GDL"`}},
		{"method misspelt", "method = \"GDL\"", "metod = \"GDL\"", ":6:", []string{"method: missing", `:8: metod = "GDL": unknown key; did you mean method?`}},
		{"unknown method", `"GDL"`, `"GLD"`, ":8:", []string{`method = "GLD"`, `"GDL"`, "; did you mean GDL?"}},
		{"list of methods", `method = "GDL"`, `method = ["GDL"]`, ":8:", []string{`method = ["GDL"]`, "one block per method"}},
		{"method of another table", `"GDL"`, `"statistics"`, ":8:", []string{`method = "statistics"`, `"datasets"`}},
		{"no data set", "dataset = [\"MUTAG\", \"BZR\"]\n", "", ":6:", []string{"dataset: missing", "MUTAG", `path = "DIR"`}},
		{"unknown data set", `"BZR"`, `"BRZ"`, ":7:", []string{`dataset = "BRZ"`, "unknown data set", "; did you mean BZR?"}},
		{"data set twice", `"BZR"`, `"MUTAG"`, ":7:", []string{`dataset = "MUTAG"`, "listed twice"}},
		{"data set twice under two names", `"MUTAG", "BZR"`, `"PROTEIN", "PROTEINS_full"`, ":7:", []string{`"PROTEINS_full"`, "listed twice"}},
		{"data set a number", `"BZR"`, `7`, ":7:", []string{"dataset = 7", "unknown data set"}},
		{"a stream without end", `"BZR"`, `"TRIANGLES-simulated"`, ":7:", []string{`dataset = "TRIANGLES-simulated"`, "unknown data set"}},
		{"own folder without a name", `dataset = ["MUTAG", "BZR"]`, `path = "x/my graphs"`, ":7:", []string{`path = "x/my graphs"`, "letters, digits"}},
		{"own folder twice", `dataset = ["MUTAG", "BZR"]`, `path = ["a/OWN", "a/./OWN"]`, ":7:", []string{`path = "a/./OWN"`, "listed twice"}},
		{"own folder empty", `dataset = ["MUTAG", "BZR"]`, `path = ""`, ":7:", []string{`path = ""`, "folder"}},
		{"unknown start", "alpha = 0.5", "unmix_starts = [\"product\", \"sortd\"]", ":11:", []string{`unmix_starts = ["product", "sortd"]`, `a list of names that begins with "product", then any of "sorted" or "reverse", each once`, "did you mean sorted?"}},
		{"start twice", "alpha = 0.5", "unmix_starts = [\"product\", \"sorted\", \"sorted\"]", ":11:", []string{"each once"}},
		{"another first start", "alpha = 0.5", "unmix_starts = [[\"product\"], [\"sorted\", \"product\"]]", ":11:", []string{`unmix_starts = ["sorted", "product"]`, `begins with "product"`}},
		{"no starts", "alpha = 0.5", "unmix_starts = []", ":11:", []string{"unmix_starts = []", "empty list"}},
		{"starts twice in another order", "alpha = 0.5", "unmix_starts = [[\"product\", \"sorted\", \"reverse\"], [\"product\", \"reverse\", \"sorted\"]]", ":11:", []string{"listed twice"}},
		{"starts no names", "alpha = 0.5", "unmix_starts = [1, 2]", ":11:", []string{"unmix_starts = [1, 2]", `begins with "product"`}},
		{"unknown parameter", "alpha = 0.5", "alhpa = 0.5", ":11:",
			[]string{"alhpa = 0.5", "unknown key for method GDL", "; did you mean alpha?"}},
		{"lambda negative", "[0, 0.01]", "[0, -0.01]", ":10:", []string{"lambda = -0.01", "from 0"}},
		{"lambda NaN", "[0, 0.01]", "[0, nan]", ":10:", []string{"lambda = NaN", "a number"}},
		{"lambda infinite", "[0, 0.01]", "[0, inf]", ":10:", []string{"lambda = +Inf", "a number"}},
		{"lambda a text", "[0, 0.01]", `[0, "0.01"]`, ":10:", []string{`lambda = "0.01"`, "a number"}},
		{"lambda empty", "[0, 0.01]", "[]", ":10:", []string{"lambda = []", "empty list"}},
		{"lists that advance together", "alpha = 0.5", "alpha = 0.5\npair = [\"lambda\", \"atoms\"]", ":12:",
			[]string{"pair", "unknown key for method GDL"}},
		{"lambda twice", "[0, 0.01]", "[0.01, 0, 0.010]", ":10:", []string{"lambda = 0.01", "listed twice"}},
		{"zero twice", "[0, 0.01]", "[0, -0.0]", ":10:", []string{"lambda = -0", "listed twice"}},
		{"lambda nested", "[0, 0.01]", "[[0], [0.01]]", ":10:", []string{"lambda = [0]", "a number"}},
		{"lambda a table", "[0, 0.01]", "{a = 1}", ":10:", []string{"lambda", "not a table"}},
		{"lambda a date", "[0, 0.01]", "2021-07-18", ":10:", []string{"lambda = a date", "a number"}},
		{"alpha above one", "alpha = 0.5", "alpha = 1.5", ":11:", []string{"alpha = 1.5", "from 0 to 1"}},
		{"alpha without features", `features = "labels"`, `features = "none"`, ":11:", []string{"alpha = 0.5", "must be 1 without node features"}},
		{"atoms zero", "[4, 8]", "[4, 0]", ":12:", []string{"atoms = 0", "from 1"}},
		{"atoms a real", "[4, 8]", "4.0", ":12:", []string{"atoms = 4", "an integer"}},
		{"atoms missing", "atoms = [4, 8]\n", "", ":6:", []string{"atoms: missing", "atoms_per_class"}},
		{"atoms given twice over", "alpha = 0.5", "alpha = 0.5\natoms_per_class = 2", ":13:", []string{"atoms = 4", "cannot be combined with atoms_per_class"}},
		{"order another word", `"median"`, `"mean"`, ":13:", []string{`order = "mean"`, `"median"`}},
		{"order zero", `"median"`, `0`, ":13:", []string{"order = 0", "from 1"}},
		{"dictionary that fills the memory", "atoms = [4, 8]\norder = \"median\"", "atoms = [4, 1000]\norder = 10000", ":13:", []string{"order = 10000", "at most"}},
		{"batch zero", "alpha = 0.5", "alpha = 0.5\nbatch = 0", ":12:", []string{"batch = 0", "an integer from 1"}},
		{"batch negative", "alpha = 0.5", "alpha = 0.5\nbatch = -16", ":12:", []string{"batch = -16", "an integer from 1"}},
		{"epochs zero", "alpha = 0.5", "alpha = 0.5\nepochs = 0", ":12:", []string{"epochs = 0", "an integer from 1"}},
		{"step zero", "alpha = 0.5", "alpha = 0.5\nstep_structure = 0", ":12:", []string{"step_structure = 0", "above 0"}},
		{"step of features without features", "features = \"labels\"\nlambda = [0, 0.01]\nalpha = 0.5", "lambda = 0\nstep_features = 0.1", ":10:", []string{"step_features = 0.1", "needs features"}},
		{"unknown optimizer", "alpha = 0.5", "alpha = 0.5\noptimizer = \"rmsprop\"", ":12:", []string{`optimizer = "rmsprop"`, `"adam" or "sgd"`}},
		{"flag as a text", "alpha = 0.5", "alpha = 0.5\nnon_negative = \"yes\"", ":12:", []string{`non_negative = "yes"`, "true or false"}},
		{"unknown init", "alpha = 0.5", "alpha = 0.5\ninit = \"ramdom\"", ":12:",
			[]string{`init = "ramdom"`, "sample_per_class", "; did you mean random?"}},
		{"heat time without heat kernel", "alpha = 0.5", "alpha = 0.5\nheat_time = 5", ":12:", []string{"heat_time = 5", `representation = "heat_kernel"`}},
		{"unknown representation", "alpha = 0.5", "alpha = 0.5\nrepresentation = \"adj\"", ":12:", []string{`representation = "adj"`, "shortest_path"}},
		{"block model of a read set", "alpha = 0.5", "alpha = 0.5\nsbm_p_in = 0.8", ":12:", []string{"sbm_p_in = 0.8", `"D1" or "D2"`}},
		{"attributes of a set without", `features = "labels"`, `features = "attributes"`, ":9:", []string{`features = "attributes"`, "MUTAG"}},
		{"labels of a set without", `"MUTAG", "BZR"`, `"IMDB-B"`, ":9:", []string{`features = "labels"`, "IMDB-B"}},
		{"restarts zero", "alpha = 0.5", "alpha = 0.5\nkmeans_restarts = 0", ":12:", []string{"kmeans_restarts = 0", "from 1"}},
		{"labels of TRIANGLES", `["MUTAG", "BZR"]`, `"TRIANGLES"`, ":9:", []string{`features = "labels"`, `must be "none", "degree" or "attributes" for TRIANGLES`, "TRIANGLES"}},
		{"classes of D2", `["MUTAG", "BZR"]`, `"D2"`, ":9:", []string{`features = "labels"`, "D2"}},
		{"atoms per class of D2", "", "table=\"clustering\"\n[[grid]]\ndataset=\"D2\"\nmethod=\"GDL\"\natoms_per_class=2\n", ":5:", []string{"atoms_per_class = 2", "no classes"}},
		{"atoms per class of D2, timed", "", "table=\"runtimes\"\n[[grid]]\ndataset=\"D2\"\nmethod=\"GDL-time\"\natoms_per_class=2\n", ":5:", []string{"atoms_per_class = 2", "no classes"}},
		{"orders of D1 upside down", "", "table=\"clustering\"\n[[grid]]\ndataset=\"D1\"\nmethod=\"GDL\"\natoms=3\nsbm_order_min=70\n", "", []string{"sbm_order_max = 60", "at least sbm_order_min = 70"}},
		{"grid over the bound", "seed = 1\nrepetitions = 2", "seed = [1, 2, 3]\nrepetitions = 10000", ":6:", []string{"grid", "more than 200000 cells"}},
		{"statistics with a fit's parameter", "", "table=\"datasets\"\n[[grid]]\ndataset=\"MUTAG\"\nmethod=\"statistics\"\nbatch=16\n", ":5:", []string{"batch = 16", "unknown key for method statistics"}},
		{"error in the second block", "order = \"median\"\n", "order = \"median\"\n[[grid]]\ndataset = \"BZR\"\nmethod = \"GDL\"\natoms = -1\n", ":17:", []string{"atoms = -1"}},
	}
	if len(cases) < 40 {
		t.Fatalf("%d bad configurations, at least 40 are wanted", len(cases))
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			src := c.new
			if c.old != "" {
				if strings.Count(goodConfig, c.old) == 0 {
					t.Fatalf("%q is not in the base", c.old)
				}
				src = strings.Replace(goodConfig, c.old, c.new, 1)
			}
			rejects(t, src, append(c.want, "bad.toml"+c.line)...)
		})
	}
}

// TestBadMethodBlocks: rules between a method's keys, and between keys and the table.
// A block begins in line 2.
func TestBadMethodBlocks(t *testing.T) {
	const gdl, gwf = "method = \"GDL\"\natoms = 3\n", "method = \"GWF-r\"\natoms = 3\n"
	cases := []struct {
		name, table, block string
		line               int
		want               []string
	}{
		{"embeddings in the table of GW k-means", "clustering_gw_kmeans", gdl, 2, []string{`cluster_by = "embedding"`, `must be "gw_kmeans" in the table "clustering_gw_kmeans"`}},
		{"one of two in the table of GW k-means", "clustering_gw_kmeans", gwf + "cluster_by = [\"gw_kmeans\", \"embedding\"]\n", 6, []string{`cluster_by = "embedding"`, `must be "gw_kmeans"`}},
		{"GW k-means in the main table", "clustering", gdl + "cluster_by = \"gw_kmeans\"\n", 6, []string{`cluster_by = "gw_kmeans"`, `must be "embedding", or another k-means of embeddings, in the table "clustering"`}},
		{"GW k-means in the table of ENZYMES", "clustering_enzymes", gdl + "cluster_by = \"gw_kmeans\"\n", 6, []string{`cluster_by = "gw_kmeans"`, `must be "embedding", or another k-means of embeddings, in the table "clustering_enzymes"`}},
		{"another grouping", "clustering", gdl + "cluster_by = \"kmeans\"\n", 6, []string{`cluster_by = "kmeans"`, `"embedding", "weights", "scaled_weights", "gw_kmeans" or "none"`}},
		{"embeddings of GDL_h", "clustering_gw_kmeans", "method = \"GDL_h\"\natoms = 3\ncluster_by = \"embedding\"\n", 6, []string{`cluster_by = "embedding"`, `must be "gw_kmeans"`}},
		{"GDL_h in the main table", "clustering", "method = \"GDL_h\"\natoms = 3\n", 4, []string{`method = "GDL_h"`, `fills the table "clustering_gw_kmeans"`, `not "clustering"`, `"GWF-f"`}},
		{"SC in the table of GW k-means", "clustering_gw_kmeans", "method = \"SC\"\n", 4, []string{`method = "SC"`, `fills the table "clustering", not "clustering_gw_kmeans"`, `"GDL_h"`}},
		{"a clustering in the table of times", "runtimes", gwf, 4, []string{`method = "GWF-r"`, `"GDL-time" or "GWF-time"`}},
		{"k-means beside GW k-means", "clustering_gw_kmeans", gdl + "cluster_by = \"gw_kmeans\"\nkmeans_restarts = 3\n", 7, []string{"kmeans_restarts = 3", `needs cluster_by = "embedding"`}},
		{"GW k-means beside k-means", "clustering", gdl + "centroid_weights = \"mean\"\n", 6, []string{`centroid_weights = "mean"`, `needs cluster_by = "gw_kmeans"`}},
		{"weights of GWF under GW k-means", "clustering_gw_kmeans", gwf + "cluster_by = \"gw_kmeans\"\nweights = \"after\"\n", 7, []string{`weights = "after"`, `needs cluster_by = "embedding"`}},
		{"mean weights of GWF's graphs", "clustering_gw_kmeans", gwf + "cluster_by = \"gw_kmeans\"\ncentroid_weights = [\"uniform\", \"mean\"]\n", 7, []string{`centroid_weights = "mean"`, `must be "uniform"`, "own order"}},
		{"order of GWF-r", "clustering", gwf + "order = 5\n", 6, []string{"order = 5", "unknown key for method GWF-r"}},
		{"order of atoms of any order", "runtimes", "method = \"GWF-time\"\natoms = 3\norder = 5\n", 6, []string{"order = 5", `needs init = "fixed"`}},
		{"weights where nothing is clustered", "runtimes", "method = \"GWF-time\"\natoms = 3\nweights = \"after\"\n", 6, []string{`weights = "after"`, "unknown key for method GWF-time"}},
		{"clusters where nothing is clustered", "runtimes", "method = \"GDL-time\"\natoms = 3\nclusters = 2\n", 6, []string{"clusters = 2", "unknown key for method GDL-time"}},
		{"precision zero", "runtimes", "method = \"GDL-time\"\natoms = 3\ntime_precision = 0\n", 6, []string{"time_precision = 0", "above 0, at most 1"}},
		{"steps of the barycentre that is one step", "clustering", gwf + "barycentre_steps = 5\n", 6, []string{"barycentre_steps = 5", `needs barycentre = "full"`}},
		{"gamma zero", "clustering", gwf + "gamma = [0.1, 0]\n", 6, []string{"gamma = 0", "above 0"}},
		{"GWF without atoms", "clustering", "method = \"GWF-f\"\n", 2, []string{"atoms: missing", "atoms_per_class"}},
		{"GWF's alpha without features", "clustering", gwf + "alpha = 0.5\n", 6, []string{"alpha = 0.5", "must be 1 without node features"}},
		{"GW-k's alpha without features", "clustering", "method = \"GW-k\"\nalpha = 0.5\n", 5, []string{"alpha = 0.5", "must be 1 without node features"}},
		{"GW-k with k-means", "clustering", "method = \"GW-k\"\nkmeans_restarts = 5\n", 5, []string{"kmeans_restarts = 5", "unknown key for method GW-k", "gwk_restarts"}},
		{"SC's alpha without features", "clustering", "method = \"SC\"\nalpha = 0.5\n", 5, []string{"alpha = 0.5", "must be 1 without node features"}},
		{"SC's gamma zero", "clustering", "method = \"SC\"\ngamma = 0\n", 5, []string{"gamma = 0", "above 0"}},
		{"SC's labels", "clustering", "method = \"SC\"\nlabels = [\"kmeans\", \"qr\"]\n", 5, []string{`labels = "qr"`, `"kmeans", "kmeans_unit" or "discretise"`}},
		{"k-means of labels without", "clustering", "method = \"SC\"\nlabels = \"discretise\"\nkmeans_restarts = 5\n", 6, []string{"kmeans_restarts = 5", `labels = "kmeans" or "kmeans_unit"`}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			src := "table = \"" + c.table + "\"\n[[grid]]\ndataset = \"D1\"\n" + c.block
			message := rejects(t, src, append(c.want, fmt.Sprintf("bad.toml:%d: ", c.line))...)
			must.Check(t, strings.Count(message, "bad.toml"), 1, "mistakes")
		})
	}
}

// TestBadClassifications: what cannot be classified is told before anything runs, with key and data set.
func TestBadClassifications(t *testing.T) {
	for block, want := range map[string]string{
		`"D2"` + "\nmethod = \"FGWK\"":                                `:3: dataset = "D2": D2 has no classes`,
		`"D1"` + "\nsbm_graphs = 10\nmethod = \"GK\"":                 `:3: dataset = "D1": D1 has 10 graphs of each class, of which a training part may have 9: must be one at least for each of the 10 inner folds`,
		`"D1"` + "\nsbm_graphs = 10\nmethod = \"GIN-0\"":              `:3: dataset = "D1": D1 has 10 graphs of each class`,
		`["MUTAG", "IMDB-B"]` + "\nmethod = \"WLK\"":                  `:3: dataset = "IMDB-B": IMDB-B has no node labels, which WLK compares`,
		`"IMDB-M"` + "\nmethod = \"RWK\"":                             `:3: dataset = "IMDB-M": IMDB-M has no node labels, which RWK compares`,
		`["BZR", "MUTAG"]` + "\nmethod = \"PROPAK\"":                  `:3: dataset = "MUTAG": MUTAG has no real attributes of nodes, which PROPAK compares`,
		`"PTC-MR"` + "\nmethod = \"HOPPERK\"":                         `:3: dataset = "PTC-MR": PTC-MR has no real attributes of nodes, which HOPPERK compares`,
		`"MUTAG"` + "\nmethod = \"RWK\"\nwalk_lambda = [0.1, 0.2]":    ":5: walk_lambda = 0.2: must be at most 0.139 for MUTAG",
		`"MUTAG"` + "\nmethod = \"FGWK\"\nC = [1, 0]":                 ":5: C = [1, 0]: must be a list of different numbers, each a number from 1e-50",
		`"MUTAG"` + "\nmethod = \"GK\"\ngamma = 1":                    "unknown key for method GK",
		`"MUTAG"` + "\nmethod = \"GIN-0\"\ninputs = \"attributes\"":   ":5: inputs = \"attributes\": ",
		`"MUTAG"` + "\nmethod = \"GIN-0\"\ninputs = \"colours\"":      "labels_or_degrees",
		`"MUTAG"` + "\nmethod = \"GIN-0\"\nscaling = \"standardise\"": `inputs = "attributes"`,
		`"MUTAG"` + "\nmethod = \"GIN-0\"\nfolds = \"some\"":          "partition",
		`"MUTAG"` + "\nmethod = \"GIN-0\"\nbatches_per_epoch = 0":     "one_pass",
	} {
		rejects(t, "table = \"classification\"\n[[grid]]\ndataset = "+block, want)
	}
}

// TestBadStreams: rules between the keys of streams.
func TestBadStreams(t *testing.T) {
	good := must.Get(os.ReadFile("../exptest/testdata/streams.toml"))
	for _, c := range []struct {
		old, new string
		want     []string
	}{
		{`"TRIANGLES-simulated"`, `"D1"`, []string{`dataset = "D1"`, "unknown data set", "TRIANGLES-simulated", "TWITCH-EGOS"}},
		{"GDL-online", "GDL", []string{`method = "GDL"`, `allowed here: `, `"GDL-online"`}},
		{"atoms = 2\n", "", []string{"atoms: missing", "a stream"}},
		{"order = 6\n", "", []string{"order: missing"}},
		{"order = 6\n", "order = \"median\"\n", []string{`order = "median"`, "an integer"}},
		{"= 600", `= "class"`, []string{`segment_graphs = "class"`, "must be a number for TRIANGLES-simulated"}},
		{"alarm_window = 40", "alarm_window = 41", []string{"alarm_window = 41", "must be even"}},
		{"features = \"attributes\"\n", "", []string{"step_features = 0.1", "needs"}},
		{"atoms = 2", "atoms = 2\nedge_weights = \"attribute\"", []string{`edge_weights = "attribute"`, `must be "none"`}},
		{"alarm_burn_in = 30", "scaling = \"standardise\"", []string{"scaling", "unknown key for method GDL-online"}},
	} {
		rejects(t, strings.Replace(string(good), c.old, c.new, 1), c.want...)
	}
}

// A list of starts is one value: the default, written, is the cell that it was, and other starts are other cells.
func TestStartsAreOneValue(t *testing.T) {
	cells := func(starts string) []*spec.Cell {
		config := strings.Replace(goodConfig, "alpha = 0.5", "alpha = 0.5\n"+starts, 1)
		c := must.Get(Parse([]byte(config), "good.toml", protocol.Methods().Described()))
		return c.Cells()
	}
	plain, product := cells(""), cells(`unmix_starts = ["product"]`)
	sorted, both := cells(`unmix_starts = ["product", "sorted"]`), cells(`unmix_starts = [["product"], ["product", "sorted"]]`)
	if len(product) != len(plain) || len(sorted) != len(plain) || len(both) != 2*len(plain) {
		t.Fatalf("%d, %d, %d and %d cells, expected as many three times and twice as many", len(plain), len(product), len(sorted), len(both))
	}
	for i, c := range plain {
		if product[i].ID != c.ID || sorted[i].ID == c.ID {
			t.Errorf("cell %s: %s with its start named, %s with another", c, product[i].ID, sorted[i].ID)
		}
		if s := sorted[i].String(); !strings.Contains(s, "unmix_starts=product+sorted") {
			t.Errorf("%s does not name its starts", s)
		}
	}
}

// TestAllMistakesAtOnce: one look tells everything that is wrong, in file order.
func TestAllMistakesAtOnce(t *testing.T) {
	src := strings.NewReplacer("repetitions = 2", "repetitions = -2", "alpha = 0.5", "alpha = 5", "[4, 8]", "[]").Replace(goodConfig)
	lines := strings.Split(rejects(t, src), "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], "repetitions") || !strings.Contains(lines[1], "alpha") || !strings.Contains(lines[2], "atoms") {
		t.Errorf("want repetitions, alpha, atoms on a line each: %q", lines)
	}
}

func TestEmbeddedConfigurations(t *testing.T) {
	// No two files below configs/ have one name: all of them are embedded by it.
	files := 0
	err := filepath.WalkDir(filepath.Join("..", "..", "..", "configs"), func(path string, e os.DirEntry, err error) error {
		if strings.HasSuffix(path, ".toml") {
			files++
		}
		return err
	})
	if names := configs.Names(); err != nil || len(names) != files {
		t.Errorf("%d names of %d files, %v", len(names), files, err)
	}
	t.Parallel()
	page := string(must.Get(os.ReadFile(filepath.Join("..", "..", "..", "docs", "configurations.md"))))
	listed := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([\\w-]+\\.toml)` \\|[^|]*\\| ([\\d,]+) cells").FindAllStringSubmatch(page, -1) {
		listed[m[1]] = strings.ReplaceAll(m[2], ",", "")
	}
	// GDL: 2 sets without features x 4 atoms x 4 lambdas x 5; 6 sets x 30 alphas x 4 x 4 x 5.
	// GWF-r and GWF-f: gamma in place of lambda. GW-k: alpha alone. SC: 21 gammas x 2 labels.
	must.Equal(t, listed["clustering.toml"], fmt.Sprint(3*(160+14400)+(2*5+6*30*5)+(2*42*5+6*30*42*5)), "cells of the paper's grid")
	for _, name := range configs.Names() {
		src := must.Get(configs.Read(name))
		c, err := Parse(src, "embedded "+name, protocol.Methods().Described())
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		must.Check(t, fmt.Sprint(len(c.Cells())), listed[name], "cells of %s, in the program and in docs/configurations.md", name)
		must.Check(t, c.Name+".toml", name, "a name")
		delete(listed, name)
	}
	must.Check(t, len(listed), 0, "configurations that the program lacks: %v", listed)
}

func TestPaperGrid(t *testing.T) {
	t.Parallel()
	src := must.Get(configs.Read("clustering.toml"))
	c := must.Get(Parse(src, "clustering.toml", protocol.Methods().Described()))
	for _, b := range c.blocks {
		for _, a := range b.axes {
			if a.key != "alpha" {
				continue
			}
			must.Equal(t, len(a.values), 30, "alphas")
			for i := range 15 {
				lo, hi := a.values[i].(float64), a.values[29-i].(float64)
				if !(lo < 0.5) || lo+hi < 1-1e-12 || lo+hi > 1+1e-12 {
					t.Errorf("alpha %v and %v are no mirror images", lo, hi)
				}
				if i > 0 {
					ratio := lo / a.values[i-1].(float64)
					if ratio < 2.39 || ratio > 2.41 {
						t.Errorf("alpha %v: %v times the one before, want even steps in the logarithm", lo, ratio)
					}
				}
			}
		}
	}
}

// TestLists: a list that is named gives the cells of the list written out; names that are none, and lists that are none, are told.
func TestLists(t *testing.T) {
	const head, tail = "table = \"clustering\"\n", "[[grid]]\ndataset = \"D1\"\nmethod = \"GDL\"\natoms = 2\n"
	cells := func(text string) (ids []string) {
		c := must.Get(Parse([]byte(text), "lists.toml", protocol.Methods().Described()))
		for _, x := range c.Cells() {
			ids = append(ids, x.ID)
		}
		return ids
	}
	want := cells(head + tail + "lambda = [0, 0.1]\n" + tail + "lambda = [0, 0.1]\nepochs = 3")
	if got := cells(head + "[lists]\nls = [0, 0.1]\n" + tail + "lambda = \"@ls\"\n" + tail + "lambda = \"@ls\"\nepochs = 3"); !slices.Equal(got, want) || len(want) != 20 {
		t.Errorf("%d cells, want %d: %v", len(got), len(want), got)
	}
	for text, want := range map[string]string{
		head + tail + `lambda = "@ls"`:                                     `lists.toml:6: lambda = "@ls": no such list; [lists] has none`,
		head + "[lists]\nlambdas = [0, 1]\n" + tail + `lambda = "@lamdas"`: `lists.toml:8: lambda = "@lamdas": no such list; [lists] has lambdas; did you mean lambdas?`,
		head + "[lists]\nls = []\n" + tail:                                 "lists.toml:3: ls = []: must be a list of one value at least",
		head + "[lists]\nls = 3\n" + tail:                                  "lists.toml:3: ls = 3: must be a list",
		"lists = [1]\n" + head + tail:                                      "lists.toml:1: lists = [1]: must be a table of lists",
		head + "[lists]\nls = [-1]\n" + tail + `lambda = "@ls"`:            "lists.toml:8: lambda = -1: must be",
	} {
		must.Fail(t, must.Err(Parse([]byte(text), "lists.toml", protocol.Methods().Described())), want, text)
	}
}

// TestDeepTOML: what nests deeper than a configuration does is refused at once.
func TestDeepTOML(t *testing.T) {
	for name, text := range map[string]string{
		"brackets": "x = " + strings.Repeat("[", 100_000),
		"braces":   "x = " + strings.Repeat("{a = ", 50_000),
		"key":      "\n" + strings.Repeat("a . ", 50_000) + "a = 1",
		"quoted":   strings.Repeat(`"". `, 50_000) + "a = 1",
		"header":   "[" + strings.Repeat("a.", 50_000) + "a]",
	} {
		line := 1 + strings.Count(text, "\n")
		_, err := Parse([]byte(text), "deep.toml", nil)
		if want := fmt.Sprintf("deep.toml:%d: nested too deeply", line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
}

func TestOpenConfigOrder(t *testing.T) {
	t.Chdir(t.TempDir())
	src, source, err := Open("smoke")
	if err != nil || source != "embedded smoke.toml" || len(src) == 0 {
		t.Fatalf("%q, %v", source, err)
	}
	must.Do(t, os.Mkdir("configs", 0o755))
	write := func(path, text string) {
		t.Helper()
		must.Do(t, os.WriteFile(path, []byte(text), 0o644))
	}
	write(filepath.Join("configs", "smoke.toml"), "a")
	if _, source, _ := Open("smoke.toml"); source != filepath.Join("configs", "smoke.toml") {
		t.Errorf("under ./configs: %q", source)
	}
	write("smoke.toml", "b")
	if _, source, _ := Open("smoke.toml"); source != "smoke.toml" {
		t.Errorf("as a path: %q", source)
	}
	if src, source, _ := Open("embedded smoke"); source != "embedded smoke.toml" || len(src) < 10 {
		t.Errorf("the program's: %q of %q", src, source)
	}
	must.Fail(t, must.Err2(Open("nothing")), "clustering, ")
	write("large.toml", strings.Repeat("#", maxConfigBytes+1))
	must.Fail(t, must.Err2(Open("large.toml")), "at most")
	// Below ./configs at any depth, with and without the ending; two of one name are told.
	must.Do(t, os.MkdirAll(filepath.Join("configs", "a", "b"), 0o755))
	write(filepath.Join("configs", "a", "b", "deep.toml"), "d")
	for _, name := range []string{"deep.toml", "deep"} {
		if src, source, err := Open(name); err != nil || string(src) != "d" || source != filepath.Join("configs", "a", "b", "deep.toml") {
			t.Errorf("%s: %q of %q, %v", name, src, source, err)
		}
	}
	write(filepath.Join("configs", "a", "deep.toml"), "d")
	must.Fail(t, must.Err2(Open("deep")), `several configurations "deep": `)
	if _, source, err := Open("clustering-quick.toml"); err != nil || source != "embedded clustering-quick.toml" {
		t.Errorf("embedded below a folder: %q, %v", source, err)
	}
	must.Fail(t, must.Err2(Open(os.DevNull)), "not a regular file")
}

func FuzzConfig(f *testing.F) {
	table := protocol.Methods().Described()
	f.Fuzz(func(t *testing.T, src []byte) {
		c, err := Parse(src, "fuzz.toml", table)
		if (c == nil) == (err == nil) {
			t.Fatalf("config %v, error %v", c, err)
		}
		if err != nil || len(src) > 4096 {
			return
		}
		seen := map[string]bool{}
		for _, x := range c.Cells() {
			if seen[x.ID] {
				t.Fatalf("cell %s twice", x.ID)
			}
			seen[x.ID] = true
		}
		if len(seen) == 0 || len(seen) > maxCells {
			t.Fatalf("%d cells", len(seen))
		}
	})
}

func TestSeeds(t *testing.T) {
	fuzztest.Seeds(t, "FuzzConfig", func(args []string) error {
		_, err := Parse([]byte(args[0]), "seed.toml", protocol.Methods().Described())
		return err
	})
	keys := FilterKeys(protocol.Methods().Described())
	fuzztest.Seeds(t, "FuzzFilter", func(args []string) error {
		_, err := ParseFilter(args[0], keys)
		return err
	})
}

// BenchmarkManyBlocks reads a configuration of 3,000 blocks: the place of each was searched from the beginning.
func BenchmarkManyBlocks(b *testing.B) {
	text := "table = \"clustering\"\n" + strings.Repeat("[[grid]]\ndataset = \"D1\"\nmethod = \"GDL\"\natoms = 3\n", 3000)
	for b.Loop() {
		must.Do(b, must.Err(Parse([]byte(text), "x.toml", protocol.Methods().Described())))
	}
}
