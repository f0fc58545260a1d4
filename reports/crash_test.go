package reports

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"testing"

	"ogdl/internal/disk"
	"ogdl/internal/disktest"
	"ogdl/reports/page"
	"ogdl/reports/table"
)

// TestCrashPoints: whatever goes wrong while tables, pages and figures are written, each file is as
// it was or as it will be.
func TestCrashPoints(t *testing.T) {
	const dir = "/out/grid"
	tab := func(title string) []table.Table {
		t := table.Table{Name: "sample", Columns: []table.Column{{Name: "a"}}, Rows: [][]table.Cell{{table.Txt("b")}}}
		t.Title = title
		return []table.Table{t}
	}
	shownPage := func(title string) page.Page {
		p := samplePage()
		p.Config = title
		return p
	}
	figs := func(version string) []disk.Data { // one stays as it is, one changes, one takes another's place
		var files []disk.Data
		for name, text := range map[string]string{"same": "same", "changed": version, version: version} {
			files = append(files, disk.Data{Path: filepath.Join(dir, figuresFolder, name+".svg"), Bytes: []byte(text)})
		}
		return files
	}
	var total disktest.Counts
	for name, render := range map[string]func(f *Folder, version string) error{
		"tables": func(f *Folder, version string) error { return f.Tables("", tab(version)) },
		"pages":  func(f *Folder, version string) error { return f.Pages(shownPage(version)) },
		"figures": func(f *Folder, version string) error {
			f.files, f.owned = figs(version), []string{filepath.Join(dir, figuresFolder)}
			return nil
		},
	} {
		folders := map[string]*Folder{"old": NewFolder(dir), "new": NewFolder(dir)}
		for version, f := range folders {
			if err := render(f, version); err != nil {
				t.Fatal(err)
			}
		}
		write := func(fsys disk.FS, version string) error { return folders[version].writeOn(t.Context(), fsys) }
		for _, there := range []bool{false, true} {
			// What each file holds in either version, undisturbed.
			holds := func(version string) map[string]string {
				d := disktest.New()
				if err := write(d, version); err != nil {
					t.Fatal(err)
				}
				return d.Files()
			}
			old, now := holds("old"), holds("new")
			check := func(fsys disk.FS, done bool) error {
				for path, want := range now {
					got, err := content(fsys, path)
					switch {
					case err == nil && got == want:
					case done:
						return fmt.Errorf("%s is not the new one: %v", path, err)
					case there && err == nil && got == old[path]:
					case (!there || old[path] == "") && errors.Is(err, fs.ErrNotExist):
					default:
						return fmt.Errorf("%s is neither the old one nor the new one: %v", path, err)
					}
				}
				return nil
			}
			tr := disktest.Trial{
				Before: func(fsys disk.FS) error {
					err := disk.Put(fsys, disk.Data{Path: filepath.Join(dir, disk.TempNameOf(1<<30))}) // of a killed run
					if there {
						err = errors.Join(err, write(fsys, "old"))
					}
					return err
				},
				Do:    func(fsys disk.FS) error { return write(fsys, "new") },
				Check: func(fsys disk.FS) error { return check(fsys, false) },
				After: func(fsys disk.FS) error { return check(fsys, true) },
				Tidy: func(fsys disk.FS) error {
					_, err := disk.Sweep(fsys, dir)
					_, errTimings := disk.Sweep(fsys, filepath.Join(dir, "timings"))
					_, errFigures := disk.Sweep(fsys, filepath.Join(dir, figuresFolder))
					return errors.Join(err, errTimings, errFigures)
				},
			}
			n := tr.Run(t)
			t.Logf("%s, there before: %v: %v", name, there, n)
			total.Add(n)
		}
	}
	t.Log("crash points of tables, pages and figures:", total)
}

// TestSign: whatever goes wrong, all files are as they were, or as they will be, or the sign is there; and it is not when all went well.
func TestSign(t *testing.T) {
	const dir = "/out/fit"
	write := func(fsys disk.FS, version string) error {
		f := NewFolder(dir)
		for _, name := range []string{"graphs.csv", "figures/a.svg", "dictionary.npz"} {
			f.Add(name, []byte(version+name))
		}
		f.owned = []string{filepath.Join(dir, figuresFolder)}
		f.Add("figures/"+version+".svg", nil)
		f.Sign("SIGN", "sign")
		return f.writeOn(t.Context(), fsys)
	}
	states := map[string]int{}
	state := func(fsys disk.FS) string {
		text := ""
		for _, name := range []string{"graphs.csv", "figures/a.svg", "dictionary.npz"} {
			got, _ := content(fsys, filepath.Join(dir, name))
			text += got[:min(3, len(got))] + " "
		}
		return text
	}
	tr := disktest.Trial{
		Before: func(fsys disk.FS) error { return write(fsys, "old") },
		Do:     func(fsys disk.FS) error { return write(fsys, "new") },
		Check: func(fsys disk.FS) error {
			_, err := content(fsys, filepath.Join(dir, "SIGN"))
			found := state(fsys)
			states[found]++
			if err != nil && found != "old old old " && found != "new new new " {
				return fmt.Errorf("%s without a sign", found)
			}
			return nil
		},
		After: func(fsys disk.FS) error {
			if state(fsys) != "new new new " { // a power cut may bring back the sign
				return fmt.Errorf("%s", state(fsys))
			}
			return nil
		},
		Tidy: func(fsys disk.FS) error {
			_, err := disk.Sweep(fsys, dir)
			_, errFigures := disk.Sweep(fsys, filepath.Join(dir, figuresFolder))
			return errors.Join(err, errFigures)
		},
	}
	t.Log(tr.Run(t), states)
	d := disktest.New()
	if err := errors.Join(write(d, "old"), write(d, "new")); err != nil {
		t.Fatal(err)
	}
	if files := d.Files(); len(files) != 4 || files[filepath.Join(dir, "SIGN")] != "" {
		t.Errorf("%d files: %v", len(files), files)
	}
	if len(states) < 4 {
		t.Errorf("states %v, want mixtures too", states)
	}
}

func content(fsys disk.FS, path string) (string, error) {
	f, err := fsys.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var b bytes.Buffer
	_, err = io.Copy(&b, f)
	return b.String(), err
}
