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
