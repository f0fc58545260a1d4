package protocol_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/protocol"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/test/golden"
	"ogdl/internal/test/must"
)

// defaultsOf are the lines of a method in the golden file of defaults.
func defaultsOf(m *spec.Method) []string {
	lines := []string{fmt.Sprintf("%s version %d", m.Name, m.Version)}
	for _, q := range m.Parameters() {
		if q.Def != nil {
			lines = append(lines, fmt.Sprintf("\t%s = %s", q.Name, q.Show(q.Def)))
		}
	}
	return lines
}

// forgotten compares defaults with those that were written down: problems that writing them down anew must
// not hide, and whether there is anything new at all.
func forgotten(old, now string) (problems []string, changed bool) {
	was := map[string][]string{}
	version := map[string]string{}
	name := ""
	for _, line := range strings.Split(old, "\n") {
		if m, v, ok := strings.Cut(line, " version "); ok && !strings.HasPrefix(line, "\t") {
			name, version[m] = m, v
		}
		was[name] = append(was[name], line)
	}
	for _, line := range strings.Split(now, "\n") {
		if m, v, ok := strings.Cut(line, " version "); ok && !strings.HasPrefix(line, "\t") {
			if name = m; version[m] != "" && version[m] != v {
				version[m] = "raised"
			}
			continue
		}
		if version[name] == "" || version[name] == "raised" {
			continue
		}
		key, _, _ := strings.Cut(line, " = ")
		for _, before := range was[name] {
			if k, _, ok := strings.Cut(before, " = "); ok && k == key && before != line {
				problems = append(problems, fmt.Sprintf("the default %q of %s is now %q, and its version is still %s: "+
					"records of the old default would be taken for the new one. Raise the version in the method's row, then run this test with -update",
					strings.TrimSpace(before), name, strings.TrimSpace(line), version[name]))
			}
		}
	}
	return problems, old != now
}

// TestDefaultsAndVersions: whoever changes a default raises the method's version.
func TestDefaultsAndVersions(t *testing.T) {
	var lines []string
	for _, m := range protocol.Methods().Described() {
		lines = append(lines, defaultsOf(&m)...)
	}
	now := strings.Join(lines, "\n") + "\n"
	path := filepath.Join("testdata", "defaults.golden")
	old, err := os.ReadFile(path)
	if err != nil && !golden.Update() {
		t.Fatal(err)
	}
	problems, changed := forgotten(string(old), now)
	for _, p := range problems {
		t.Error(p)
	}
	switch {
	case len(problems) > 0 || !changed:
	case golden.Update():
		must.Do(t, os.WriteFile(path, []byte(now), 0o644))
	default:
		t.Errorf("%s is not what the methods say: a version was raised, or a parameter came or went. If the default of a new parameter leaves "+
			"numbers as they were, and a version was raised where it does not, run this test with -update. Now:\n%s", path, now)
	}
}

// TestForgottenVersion: a changed default is found, with or without -update, unless the version is raised.
func TestForgottenVersion(t *testing.T) {
	const old = "A version 1\n\tx = 1\n\ty = 2\nB version 1\n\tx = 1\n"
	for changedTable, want := range map[string]int{
		old: 0,
		"A version 1\n\tx = 5\n\ty = 2\nB version 1\n\tx = 1\n":          1,
		"A version 2\n\tx = 5\n\ty = 2\nB version 1\n\tx = 1\n":          0,
		"A version 1\n\tx = 1\n\ty = 2\n\tz = 0\nB version 1\n\tx = 1\n": 0,
		"A version 2\n\tx = 5\n\ty = 2\nB version 1\n\tx = 3\n":          1,
		"A version 1\n\tx = 1\n\ty = 2\nC version 1\n\tx = 3\n":          0,
	} {
		problems, changed := forgotten(old, changedTable)
		if len(problems) != want || changed != (changedTable != old) {
			t.Errorf("%q: %q, changed %v", changedTable, problems, changed)
		}
	}
}

// TestIdentitiesOfKnownData: cells on published and simulated data keep their ids, byte for byte, so that stores
// of earlier revisions are read. Versions of methods are those of the time when the ids
// were written down; a version that is raised changes ids, and is meant to.
func TestIdentitiesOfKnownData(t *testing.T) {
	versions := map[string]int{"GDL": 2, "GWF-r": 2, "GWF-f": 2, "GDL_h": 2, "GW-k": 1, "SC": 1, "GDL-distances": 1,
		"GDL-time": 1, "GWF-time": 1, "GDL-online": 1, "statistics": 1}
	table := protocol.Methods().Described()
	for i := range table {
		v, ok := versions[table[i].Name]
		if !ok {
			continue // a new method
		}
		table[i].Version = v
	}
	var b strings.Builder
	for _, name := range []string{"smoke", "rivals", "mutag-check", "clustering-quick", "runtimes-quick", "datasets"} {
		src, source := must.Get2(grid.Open(name))
		c := must.Get(grid.Parse(src, source, table))
		ids := map[string][]string{}
		for _, x := range c.Cells() {
			of := fmt.Sprintf("%s version %d", x.Method.Name, x.Method.Version)
			ids[of] = append(ids[of], x.ID)
		}
		for _, of := range slices.Sorted(maps.Keys(ids)) {
			slices.Sort(ids[of])
			fmt.Fprintf(&b, "%s: %s: %d cells, SHA-256 of the sorted ids %x\n", name, of, len(ids[of]), sha256.Sum256([]byte(strings.Join(ids[of], "\n"))))
			if name == "smoke" {
				fmt.Fprintln(&b, strings.Join(ids[of], "\n"))
			}
		}
	}
	golden.Check(t, "testdata/identities.golden", b.String())
}

// TestWorkIsPositive: every cell that ships has some work.
func TestWorkIsPositive(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"clustering-quick", "clustering_gw_kmeans", "runtimes", "rivals", "datasets", "classification-quick", "figure_online"} {
		for _, x := range exptest.Config(t, name).Cells() {
			if w := x.Work(); !(w > 0 && w < 1e9) {
				t.Errorf("%s: %v", x, w)
			}
		}
	}
}

// reads is a read of a parameter by its name in the program's text.
var reads = regexp.MustCompile(`\.(Number|Integer|Text|Flag|List|Has)\("(\w+)"\)`)

// TestReadsNameParameters holds that each read of a parameter names a parameter of some method, by
// its type. A misspelt name would read as 0, and so would an integer that is read as a number.
func TestReadsNameParameters(t *testing.T) {
	may := map[string]bool{"Text dataset": true}
	for _, m := range protocol.Methods() {
		for _, q := range m.Parameters() {
			may["Has "+q.Name], may["Text "+q.Name] = true, may["Text "+q.Name] || len(q.Words) > 0
			may["Number "+q.Name] = may["Number "+q.Name] || q.Kind == spec.Number
			may["Integer "+q.Name] = may["Integer "+q.Name] || q.Kind == spec.Integer
			may["Flag "+q.Name] = may["Flag "+q.Name] || q.Kind == spec.Boolean
			may["List "+q.Name] = may["List "+q.Name] || q.Numbers
		}
	}
	found := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range reads.FindAllStringSubmatch(string(text), -1) {
			if found++; !may[m[1]+" "+m[2]] {
				t.Errorf("%s reads %s: no method has such a parameter", path, m[0])
			}
		}
		return err
	})
	if err != nil || found < 100 {
		t.Errorf("%d reads, %v", found, err)
	}
}
