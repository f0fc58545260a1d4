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
	"ogdl/internal/test/must"
	"ogdl/reports/page"
	"ogdl/reports/table"
)

// TestCrashPoints: whatever goes wrong while tables, pages and figures are written, each file is as
// it was or as it will be.
func TestCrashPoints(t *testing.T) {
	const dir = "/out/grid"
	tab := func(title string) []table.Table {
		t := table.Table{Name: "sample", Columns: table.Columns{{Title: "a"}}, Rows: [][]table.Cell{{table.Txt("b")}}}
		t.Title = title
		return []table.Table{t}
	}
	shownPage := func(title string) page.Page {
		p := samplePage()
		p.Config = title
		return p
	}
	const photo, edited = dir + "/figures/photo.png", dir + "/figures/edited.svg"
	for name, render := range map[string]func(f *Folder, version string) error{
		"tables": func(f *Folder, version string) error { return f.Tables("", tab(version)) },
		"pages":  func(f *Folder, version string) error { return f.Pages(shownPage(version)) },
		"figures": func(f *Folder, version string) error {
			for name, text := range map[string]string{"same": "same", "changed": version, version: version} { // version takes another's place
				f.Add("figures/"+name+".svg", []byte(text))
			}
			if version == "old" {
				f.Add("figures/edited.svg", nil)
			}
			f.List(false, "")
			f.Add("timings/figures/"+version+".svg", nil)
			return nil
		},
	} {
		folders := map[string]*Folder{"old": NewFolder(dir), "new": NewFolder(dir), "third": NewFolder(dir)}
		for version, f := range folders {
			must.Do(t, render(f, version))
		}
		write := func(fsys disk.FS, version string) error { return folders[version].writeOn(t.Context(), fsys) }
		for _, there := range []bool{false, true} {
			// What each file holds in either version, undisturbed.
			holds := func(version string) map[string]string {
				d := disktest.New()
				must.Do(t, write(d, version))
				files := d.Files()
				for _, list := range lists { // those of an interrupted report have the files before too
					delete(files, filepath.Join(dir, list, SumsFile))
				}
				return files
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
				if there {
					for _, path := range []string{photo, edited} {
						if got, err := content(fsys, path); got != "user" {
							return fmt.Errorf("%s of the user: %q, %v", path, got, err)
						}
					}
				}
				for path := range old {
					if _, err := content(fsys, path); done && now[path] == "" && path != edited && err == nil && name == "figures" {
						return fmt.Errorf("%s is left", path)
					}
				}
				if d := fsys.(*disktest.Disk).Clone(); folders["new"].listed { // another report takes nothing of ours for somebody else's
					if err := write(d, "third"); err != nil {
						return err
					}
					if got, _ := content(d, photo); there && got != "user" {
						return fmt.Errorf("%s of the user was removed by another report", photo)
					}
				}
				return nil
			}
			tr := disktest.Trial{
				Before: func(fsys disk.FS) error {
					err := disk.Put(fsys, disk.Data{Path: filepath.Join(dir, disk.TempNameOf(1<<30))}) // of a killed run
					if there {
						err = errors.Join(err, write(fsys, "old"), disk.Put(fsys, disk.Data{Path: photo, Bytes: []byte("user")},
							disk.Data{Path: edited, Bytes: []byte("user")}))
					}
					return err
				},
				Do:    func(fsys disk.FS) error { return write(fsys, "new") },
				Check: func(fsys disk.FS) error { return check(fsys, false) },
				After: func(fsys disk.FS) error { return check(fsys, true) },
				Tidy:  func(fsys disk.FS) error { return sweep(fsys, dir) },
			}
			tr.Run(t)
		}
	}
}

// TestSign: whatever goes wrong, all files are as they were, or as they will be, or the sign is there; and it is not when all went well.
func TestSign(t *testing.T) {
	const dir = "/out/fit"
	write := func(fsys disk.FS, version string) error {
		f := NewFolder(dir)
		for _, name := range []string{"graphs.csv", "figures/a.svg", "dictionary.npz"} {
			f.Add(name, []byte(version+name))
		}
		f.List(false, "")
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
		Tidy: func(fsys disk.FS) error { return sweep(fsys, dir) },
	}
	tr.Run(t)
	t.Log(states)
	d := disktest.New()
	must.Do(t, errors.Join(write(d, "old"), write(d, "new")))
	if files := d.Files(); len(files) != 5 || files[filepath.Join(dir, "SIGN")] != "" {
		t.Errorf("%d files: %v", len(files), files)
	}
	if len(states) < 4 {
		t.Errorf("states %v, want mixtures too", states)
	}
}

// sweep removes the temporary files of a report.
func sweep(fsys disk.FS, dir string) (err error) {
	for _, folder := range []string{"", TimingsFolder, figuresFolder, "timings/figures"} {
		_, swept := disk.Sweep(fsys, filepath.Join(dir, folder), disk.Temporary)
		err = errors.Join(err, swept)
	}
	return err
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
