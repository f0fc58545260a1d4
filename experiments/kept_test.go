package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/internal/test/must"
	"ogdl/reports"
)

// TestFolderOfAFit: a run does not write its tables into the folder of a fit, nor a fit into the folder of a run, or over a
// fit.toml of somebody else.
func TestFolderOfAFit(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Tiny)
	s.run(exitOK)
	graphs, tables := s.writeLines("d1.jsonl", 2, false), filepath.Join(s.dir, "out", "grid")
	s.verb(exitFatal, "fit", "-graphs", graphs, "-atoms", "2", "-out", tables, "-force").wantErr("has the tables of a run")
	s.run(exitOK).wantErr("4 done already")
	must.Do(t, os.RemoveAll(tables))
	s.verb(exitOK, "fit", "-graphs", graphs, "-atoms", "2", "-set", "epochs=1", "-out", tables)
	for _, force := range [][]string{nil, {"-force"}} {
		s.run(exitFatal, force...).wantErr("out/grid holds a fit (fit.toml)")
	}
	s.verb(exitOK, "embed", "-from", tables, "-data", graphs, "-out", filepath.Join(s.dir, "new"))
	s.write("mine/fit.toml", "z\n")
	mine := filepath.Join(s.dir, "mine")
	s.verb(exitFatal, "fit", "-graphs", graphs, "-atoms", "2", "-out", mine, "-force").wantErr("no fit wrote ")
	must.Check(t, read(t, filepath.Join(mine, "fit.toml")), "z\n", "the file of somebody else")
}

// TestFolderOfAnotherConfiguration: two files of one name do not replace each other's tables unasked, be it
// that one has more; a grid whose values are edited goes on.
func TestFolderOfAnotherConfiguration(t *testing.T) {
	s := newSession(t, exptest.Tiny)
	s.run(exitOK)
	want := s.results()
	kept := filepath.Join(s.dir, "out", "grid", reports.ConfigFile)
	must.Same(t, read(t, kept), exptest.Tiny, "%s holds", kept)
	gwk := exptest.Tiny[:strings.Index(exptest.Tiny, "method =")] + "method = \"GW-k\"\norder = 5\n"
	for _, c := range []struct{ name, text, say string }{
		{"table", strings.NewReplacer(`"clustering"`, `"clustering_gw_kmeans"`, "kmeans_restarts = 4\n", "cluster_by = \"gw_kmeans\"\n").Replace(exptest.Tiny), "table clustering (here clustering_gw_kmeans)"},
		{"data set", strings.Replace(exptest.Tiny, `"D1"`, `"D2"`, 1), "data sets D1 (here D2)"},
		{"data set in a list", strings.NewReplacer("[[grid]]", "[lists]\nsets = [\"D2\"]\n\n[[grid]]", `"D1"`, `"@sets"`).Replace(exptest.Tiny),
			"data sets D1 (here D2)"},
		{"one more data set", strings.Replace(exptest.Tiny, `"D1"`, `["D1", "D2"]`, 1), "data sets D1 (here D1, D2)"},
		{"method", gwk, "methods GDL (here GW-k)"},
		{"one more method", killable, "methods GDL (here GDL, GW-k"},
	} {
		s.write("other/grid.toml", c.text)
		for _, args := range [][]string{nil, {"-report"}} {
			s.run(exitFatal, append([]string{"-config", filepath.Join(s.dir, "other", "grid.toml")}, args...)...)
			s.wantErr("another configuration named grid", c.say, "-out", "-force")
			s.same(want)
		}
	}
	// Nothing is written by these, and the way on is open.
	s.run(exitOK, "-config", filepath.Join(s.dir, "other", "grid.toml"), "-list")
	s.run(exitOK, "-config", filepath.Join(s.dir, "other", "grid.toml"), "-plan")
	s.run(exitOK, "-config", filepath.Join(s.dir, "other", "grid.toml"), "-out", filepath.Join(s.dir, "elsewhere"))
	s.same(want)
	s.write("grid.toml", strings.Replace(exptest.Tiny, "lambda = [0, 0.01]", "lambda = [0, 0.02]", 1))
	s.run(exitOK).wantErr("2 done already, 2 to compute")
	s.write("grid.toml", killable) // more methods
	s.run(exitOK, "-report", "-force")
	s.run(exitOK, "-filter", "method=GW-k repetition=0")
	s.write("grid.toml", gwk)
	s.run(exitFatal, "-report")
	s.run(exitOK, "-force")
	must.Same(t, read(t, kept), gwk, "%s holds", kept)
	s.run(exitOK)
	// What the tables were made from is not guessed.
	s.write("out/grid/"+reports.ConfigFile, "table = \n")
	s.run(exitFatal).wantErr(reports.ConfigFile, "cannot be read", "line 1", "-out", "-force")
	must.Same(t, read(t, kept), "table = \n", "%s holds", kept)
	s.run(exitOK, "-report", "-force")
	s.run(exitOK)
	// A folder of an older program has no text.
	must.Do(t, os.Remove(kept))
	s.write("grid.toml", exptest.Tiny)
	s.run(exitOK)
}
