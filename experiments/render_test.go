package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/source"
	"ogdl/internal/disk"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

// badArrays are files of which arrays cannot be read without a panic.
type badArrays struct{ disk.OS }

func (f badArrays) Open(path string) (io.ReadCloser, error) {
	if filepath.Ext(path) == ".npz" {
		panic("arrays of another world")
	}
	return f.OS.Open(path)
}

// TestPanicInFigures: whatever goes wrong in a figure, the tables and the page are written.
func TestPanicInFigures(t *testing.T) {
	s := newSession(t, "table = \"figure_atoms\"\n[[grid]]\ndataset = \"D1\"\nsbm_graphs = 3\nsbm_order_max = 15\nmethod = \"GDL\"\natoms = 2\norder = 5\n"+
		"init = \"random\"\nepochs = 1\ncluster_by = \"none\"\n")
	s.run(exitOK)
	dir := filepath.Join(s.dir, "out")
	must.Do(t, os.RemoveAll(filepath.Join(dir, "grid")))
	path := filepath.Join(s.dir, "grid.toml")
	src := must.Get(os.ReadFile(path))
	c := must.Get(grid.Parse(src, path, s.methods.Described()))
	store := must.Get(record.OpenOn(badArrays{}, dir))
	var out, errs bytes.Buffer
	j := &job{o: &options{config: path, out: dir}, config: c, lib: source.NewLibrary(dir, ""), store: store, program: program{stdout: &out, stderr: &errs}}
	must.Do(t, j.render(t.Context(), c.Cells()))
	if !strings.Contains(errs.String(), "left out of the figures: ") || !strings.Contains(errs.String(), "arrays of another world") {
		t.Errorf("stderr %q", errs.String())
	}
	for _, name := range []string{"figure_atoms_cells.csv", "index.html"} {
		must.Do(t, must.Err(os.Stat(filepath.Join(dir, "grid", name))))
	}
}

// TestConfigurationOfThePage: the page shows the text that was run, whatever becomes of the file meanwhile.
func TestConfigurationOfThePage(t *testing.T) {
	for name, meddle := range map[string]func(path string) error{
		"deleted": os.Remove,
		"edited":  func(path string) error { return os.WriteFile(path, []byte("not = TOML # edited"), 0o666) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, exptest.Tiny+"# as it was read\n")
			for i := range s.methods {
				if m := &s.methods[i]; m.Name == "GDL" {
					fit := m.Fit
					m.Fit = func(ctx context.Context, t *method.Task) (*method.Result, error) {
						if err := meddle(filepath.Join(s.dir, "grid.toml")); err != nil && !os.IsNotExist(err) {
							return nil, err
						}
						return fit(ctx, t)
					}
				}
			}
			s.run(exitOK)
			page := s.reported("index.html")
			if !strings.Contains(page, "# as it was read") || strings.Contains(page, "# edited") {
				t.Error("the page does not show the configuration that was run")
			}
		})
	}
}

// TestFigureFlags: report draws every figure as wide as asked for, and without its title.
func TestFigureFlags(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Tiny)
	s.run(exitOK)
	where := []string{"-config", filepath.Join(s.dir, "grid.toml"), "-out", filepath.Join(s.dir, "out")}
	find := func() map[string]string {
		found := map[string]string{}
		for _, pattern := range []string{"out/grid/figures/*.svg", "out/grid/timings/figures/*.svg"} {
			for _, f := range s.files(pattern) {
				found[f] = read(t, f)
			}
		}
		return found
	}
	own := find()
	s.verb(exitOK, "report", append(where, "-figure-width", "8.25cm", "-figure-titles=false")...)
	narrow := find()
	if len(narrow) < 2 || len(narrow) != len(own) {
		t.Fatalf("%d figures, were %d", len(narrow), len(own))
	}
	for name, text := range narrow {
		title := regexp.MustCompile("<title>([^<]*)</title>").FindStringSubmatch(text)[1]
		if !strings.Contains(text, `width="233.86pt"`) || strings.Contains(own[name], `width="233.86pt"`) {
			t.Errorf("%s: not 8.25 cm wide, or as a rule", name)
		}
		if !strings.Contains(text, "<text") || strings.Contains(strings.ReplaceAll(text, "<title>"+title, ""), ">"+title+"<") {
			t.Errorf("%s: has its title %q", name, title)
		}
	}
}
