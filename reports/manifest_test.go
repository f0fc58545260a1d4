package reports

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"ogdl/internal/disktest"
	"ogdl/internal/test/must"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// inFolder writes a report of these figures, as of a run, into dir.
func inFolder(t *testing.T, dir string, force bool, names ...string) error {
	t.Helper()
	f := NewFolder(dir)
	f.List(force, ReportForce)
	for _, name := range names {
		f.Add("figures/"+name+".svg", []byte(name))
	}
	return errors.Join(f.Pages(samplePage()), f.Write(t.Context()))
}

func putFile(t *testing.T, path ...string) {
	t.Helper()
	name := filepath.Join(path...)
	must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte("mine"), 0o666)))
}

// TestOthersStay: what no report wrote stays, and what was changed since; what a report wrote goes with the next that does not.
func TestOthersStay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	putFile(t, dir, "figures", "photo.png")
	putFile(t, dir, "clusters", "mine.csv")
	must.Contain(t, Without(dir), SumsFile)
	must.Do(t, inFolder(t, dir, false, "loss", "sweep_alpha"))
	same(t, Without(dir), "")
	putFile(t, dir, "figures", "sweep_alpha.svg") // changed
	must.Do(t, inFolder(t, dir, false))
	files := disktest.Folder(t, dir)
	for _, name := range []string{"figures/photo.png", "clusters/mine.csv", "figures/sweep_alpha.svg"} {
		must.Check(t, files[name], "mine", "%s", name)
	}
	if _, left := files["figures/loss.svg"]; left {
		t.Error("a figure of the report before is left")
	}
	// Without lists all is somebody else's, and stays.
	for _, list := range lists {
		must.Do(t, os.Remove(filepath.Join(dir, list, SumsFile)))
	}
	putFile(t, dir, "figures", "loss.svg")
	must.Fail(t, Occupied(dir, nil, false, ReportForce), "-force")
	must.Do(t, inFolder(t, dir, true))
	if files := disktest.Folder(t, dir); files["figures/loss.svg"] != "mine" {
		t.Error("an old figure is gone")
	}
	// Nor does a list that names files elsewhere remove them.
	putFile(t, filepath.Dir(dir), "x.svg")
	list := filepath.Join(dir, SumsFile)
	text := sumsHead + sumOf([]byte("mine")) + "  ../x.svg\n" + sumOf([]byte("mine")) + "  figures/../../x.svg\n"
	must.Do(t, errors.Join(os.WriteFile(list, []byte(text), 0o666), inFolder(t, dir, true)))
	must.Do(t, must.Err(os.Stat(filepath.Join(dir, "../x.svg"))))
	putFile(t, list)
	if err := inFolder(t, dir, true); err == nil {
		t.Error("somebody else's list was replaced")
	}
}

// TestTwoSums: after an interrupted report a list has two sums of a file. A file with the bytes of one of them is the
// report's, a file with others is somebody else's.
func TestTwoSums(t *testing.T) {
	for content, ours := range map[string]bool{"before": true, "after": true, "mine": false} {
		dir := filepath.Join(t.TempDir(), "run")
		must.Do(t, inFolder(t, dir, false, "loss"))
		list, file := filepath.Join(dir, SumsFile), filepath.Join(dir, "figures", "loss.svg")
		text := string(must.Get(os.ReadFile(list)))
		for _, sum := range []string{sumOf([]byte("after")), sumOf([]byte("before"))} {
			text += sum + "  figures/loss.svg\n"
		}
		must.Do(t, errors.Join(os.WriteFile(list, []byte(text), 0o666), os.WriteFile(file, []byte(content), 0o666)))
		must.Equal(t, Occupied(dir, nil, false, ReportForce) == nil, ours, "%s: free to be replaced", content)
		must.Do(t, inFolder(t, dir, false)) // without the figure
		_, left := disktest.Folder(t, dir)["figures/loss.svg"]
		must.Equal(t, left, !ours, "%s: left by a report without it", content)
	}
}

// TestOthersAreNotReplaced: a file of somebody else in one of our places is an error before anything is computed, and none with force.
func TestOthersAreNotReplaced(t *testing.T) {
	for _, name := range []string{"index.html", "timings/index.html", "configuration.toml", "clustering_careful.md", "figures/loss.svg",
		"figures/online-my-set-degree.png", "timings/timings.txt", "clusters/my-set-gwf-r-without_labels-2.csv"} {
		dir := t.TempDir()
		putFile(t, dir, name)
		rows := [][2]string{{"A", "GDL"}, {"My set", "GWF-r"}}
		must.Fail(t, Occupied(dir, rows, false, ""), filepath.FromSlash(name), name)
		must.Do(t, Occupied(dir, rows, true, ""))
	}
	dir := t.TempDir()
	for _, name := range []string{"notes.md", "figures/photo.png", "clusters/other.csv", "timings/mine.txt", "clustering_notes.md"} {
		putFile(t, dir, name)
	}
	putFile(t, dir, "figures", "loss.svg")
	must.Fail(t, inFolder(t, dir, false, "loss"), "loss.svg")
	if files := disktest.Folder(t, dir); len(files) != 6 || files["figures/loss.svg"] != "mine" {
		t.Errorf("%d files, %q", len(files), files["figures/loss.svg"])
	}
	must.Do(t, inFolder(t, dir, true, "loss"))
	if files := disktest.Folder(t, dir); files["figures/loss.svg"] != "loss" || files["clustering_notes.md"] != "mine" {
		t.Error("force did not replace the one file")
	}
	must.Do(t, errors.Join(Occupied(dir, nil, false, ReportForce), inFolder(t, dir, false, "loss")))
	putFile(t, dir, "index.html") // changed since
	if err := Occupied(dir, nil, false, ReportForce); err == nil {
		t.Error("a changed page would be replaced")
	}
}

// TestClustersOfNamelessData: files of a data set whose name has no letter from a to z and no digit are known by their method.
func TestClustersOfNamelessData(t *testing.T) {
	dir, rows := t.TempDir(), [][2]string{{"数据", "GDL"}}
	putFile(t, dir, "clusters", "mine.csv")
	must.Do(t, Occupied(dir, rows, false, ""))
	for _, name := range []string{"gdl_lambda-without_labels.csv", "0123abcd-gdl.csv"} { // the second has the beginning of a digest
		dir := t.TempDir()
		putFile(t, dir, "clusters", name)
		must.Fail(t, Occupied(dir, rows, false, ""), name)
	}
}

// TestLinkedFolder: nothing is written through a link in the place of a folder of ours.
func TestLinkedFolder(t *testing.T) {
	for _, name := range []string{"figures", "clusters", "timings", "timings/figures"} {
		dir, elsewhere := t.TempDir(), t.TempDir()
		putFile(t, elsewhere, "loss.svg")
		must.Do(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
		if err := os.Symlink(elsewhere, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
		for _, err := range []error{Occupied(dir, nil, true, ""), inFolder(t, dir, true, "loss")} {
			must.Fail(t, err, "is a link", name)
		}
		if files := disktest.Folder(t, elsewhere); len(files) != 1 || files["loss.svg"] != "mine" {
			t.Errorf("%s: written through: %d files", name, len(files))
		}
	}
	dir := t.TempDir()
	putFile(t, dir, "elsewhere")
	if err := os.Symlink("elsewhere", filepath.Join(dir, "index.html")); err != nil {
		t.Skip(err)
	}
	if err := Occupied(dir, nil, false, ReportForce); err == nil {
		t.Error("a link in the place of a page is no error")
	}
}

// TestPlaces: every file of a report has a name that is looked for before anything is computed.
func TestPlaces(t *testing.T) {
	frames := map[string]*summary.Frame{"clustering": sixMethods().frame()}
	for name := range kinds() {
		g := sixMethods()
		g.spec.Table = name
		frames[name] = g.frame()
	}
	for name, f := range frames {
		stable, timed := tablesOf(f)
		for folder, tabs := range map[string][]table.Table{"": stable, TimingsFolder: timed} {
			for _, tab := range tabs {
				if !mayWrite(folder, tab.Name+".csv", nil) {
					t.Errorf("%s: table %s is not looked for", name, tab.Name)
				}
			}
		}
	}
	for _, g := range []*grid{sixMethods(), mutag()} {
		figs := must.First(drawnOf(g.frame(), nil))
		for _, fig := range append(timedFiguresOf(g.frame()), figs...) {
			if !mayWrite(figuresFolder, fig.Name+".svg", nil) {
				t.Errorf("figure %s is not looked for", fig.Name)
			}
		}
	}
}
