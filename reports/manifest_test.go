package reports

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"ogdl/internal/disktest"
	"ogdl/internal/test/must"
)

// inFolder writes a report of these figures, as of a run, into dir.
func inFolder(t *testing.T, dir string, force bool, names ...string) error {
	t.Helper()
	f := NewFolder(dir)
	f.List(force)
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
	must.Do(t, inFolder(t, dir, false, "loss", "sweep_alpha"))
	putFile(t, dir, "figures", "sweep_alpha.svg") // changed
	must.Do(t, inFolder(t, dir, false))
	files := disktest.Folder(t, dir)
	for _, name := range []string{"figures/photo.png", "clusters/mine.csv", "figures/sweep_alpha.svg"} {
		must.Check(t, files[name], "mine", "%s", name)
	}
	if _, left := files["figures/loss.svg"]; left {
		t.Error("a figure of the report before is left")
	}
	// Without a list all is somebody else's, and stays.
	must.Do(t, os.Remove(filepath.Join(dir, SumsFile)))
	putFile(t, dir, "figures", "loss.svg")
	must.Fail(t, Occupied(dir, false), "-force")
	must.Do(t, inFolder(t, dir, true))
	if files := disktest.Folder(t, dir); files["figures/loss.svg"] != "mine" {
		t.Error("an old figure is gone")
	}
	// Nor does a list that names files elsewhere remove them.
	putFile(t, filepath.Dir(dir), "x.svg")
	list := filepath.Join(dir, SumsFile)
	for _, name := range []string{"../x.svg", "figures/../../x.svg", "elsewhere/x.svg"} {
		text := sumsHead + sumOf([]byte("mine")) + "  " + name + "\n"
		must.Do(t, os.WriteFile(list, []byte(text), 0o666))
		must.Fail(t, inFolder(t, dir, true), "is not a sum and a name", name)
	}
	must.Do(t, must.Err(os.Stat(filepath.Join(dir, "../x.svg"))))
	putFile(t, list)
	if err := inFolder(t, dir, true); err == nil {
		t.Error("somebody else's list was replaced")
	}
}

// TestOthersAreNotReplaced: a file of somebody else in one of our places is an error, that of a page before anything is computed, and none with force.
func TestOthersAreNotReplaced(t *testing.T) {
	for _, name := range []string{"index.html", "configuration.toml"} {
		dir := t.TempDir()
		putFile(t, dir, name)
		must.Fail(t, Occupied(dir, false), filepath.FromSlash(name), name)
		must.Do(t, Occupied(dir, true))
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
	must.Do(t, errors.Join(Occupied(dir, false), inFolder(t, dir, false, "loss")))
	putFile(t, dir, "index.html") // changed since
	if err := Occupied(dir, false); err == nil {
		t.Error("a changed page would be replaced")
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
		for _, err := range []error{Occupied(dir, true), inFolder(t, dir, true, "loss")} {
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
	if err := Occupied(dir, false); err == nil {
		t.Error("a link in the place of a page is no error")
	}
}
