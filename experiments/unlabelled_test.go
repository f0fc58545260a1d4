package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/internal/test/must"
)

// TestClusteringWithoutClasses: a user's folder without graph labels, by every clustering method: the
// tables show what was computed, and "missing" nowhere.
func TestClusteringWithoutClasses(t *testing.T) {
	const models = "atoms = 2\norder = \"median\"\ninit = \"sample\"\nepochs = 1\n"
	blocks := func(clusters, by string, methods ...string) string {
		text := "repetitions = 2\n"
		for i := 0; i < len(methods); i += 2 {
			text += "[[grid]]\npath = \"OWN\"\nmethod = \"" + methods[i] + "\"\n" + methods[i+1] + clusters
			if by != "" {
				text += "cluster_by = \"" + by + "\"\n"
			}
		}
		return text
	}
	all := []string{"GDL", models + "lambda = [0, 0.01]\n", "GWF-r", "atoms = 2\nepochs = 1\n", "GWF-f", "atoms = 2\norder = \"median\"\nepochs = 1\n"}
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"clustering", "table = \"clustering\"\n" + blocks("clusters = 2\n", "", append(all, "GW-k", "order = \"median\"\n", "SC", "gamma = [1, 4]\n")...), nil},
		{"clustering_gw_kmeans", "table = \"clustering_gw_kmeans\"\n" + blocks("clusters = 2\n", "gw_kmeans", append(all, "GDL_h", models)...), nil},
		{"clustering", "table = \"clustering\"\n" + blocks("", "", all...), []string{"not clustered", "clusters = N"}},
	} {
		s := newSession(t, c.text)
		s.writeUnlabelled()
		s.run(exitOK)
		for _, path := range s.files("out/grid/*") {
			text, _ := os.ReadFile(path) // a folder has none
			if strings.Contains(string(text), "missing") && !strings.HasSuffix(path, ".html") || strings.Contains(string(text), ">missing<") {
				t.Errorf("%s says missing", filepath.Base(path))
			}
		}
		table := s.reported(c.name + "_unlabelled.txt")
		must.Contain(t, table, append(c.want, "GDL_lambda", "GWF-r", "GWF-f")...)
		must.Contain(t, s.stdout, "selected without labels")
	}
	// Methods that do nothing but cluster say what they need, before a cell begins.
	for _, method := range []string{"GW-k", "SC"} {
		s := newSession(t, "table = \"clustering\"\n[[grid]]\npath = \"OWN\"\nmethod = \""+method+"\"\n")
		s.writeUnlabelled()
		s.run(exitFatal)
		must.Contain(t, s.stderr, `grid.toml:2: clusters = "classes": OWN has no classes; must be a number`)
	}
	for key, want := range map[string]string{"atoms_per_class = 2": "give atoms", "atoms = 2\ninit = \"sample_per_class\"": `must be "sample" or "random"`} {
		s := newSession(t, "table = \"clustering\"\n[[grid]]\npath = \"OWN\"\nmethod = \"GDL\"\n"+key+"\n")
		s.writeUnlabelled()
		s.run(exitFatal)
		must.Contain(t, s.stderr, ": OWN has no classes; "+want)
	}
}

// writeUnlabelled writes the data set OWN without graph labels.
func (s *session) writeUnlabelled() {
	s.t.Helper()
	s.writeTU("OWN", 1, 3)
	must.Do(s.t, os.Remove(filepath.Join(s.dir, "OWN", "OWN_graph_labels.txt")))
}
