package disk_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ogdl/internal/disk"
	"ogdl/internal/disktest"
	"ogdl/internal/test/must"
)

func content(fsys disk.FS, path string) (string, error) {
	f, err := fsys.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	return string(b), err
}

func data(path, text string) disk.Data { return disk.Data{Path: path, Bytes: []byte(text)} }

// TestPutSurvives: whatever goes wrong, every file is as it was or as it will be, and in order
// where that is asked for.
func TestPutSurvives(t *testing.T) {
	const a, b, c = "/x/y/a", "/x/y/b", "/x/z/c"
	for _, ordered := range []bool{false, true} {
		for _, there := range []bool{false, true} {
			tr := disktest.Trial{
				Do: func(fsys disk.FS) error {
					return disk.PutUntil(t.Context(), fsys, ordered, data(a, "new a"), data(b, "new b"), data(c, "new c"))
				},
				Check: func(fsys disk.FS) error {
					old := 0
					for _, path := range []string{a, b, c} {
						switch text, err := content(fsys, path); {
						case there && err == nil && text == "old "+filepath.Base(path), !there && errors.Is(err, fs.ErrNotExist):
							old++
						case err == nil && text == "new "+filepath.Base(path):
							if old > 0 && ordered {
								return fmt.Errorf("%s before an earlier one", path)
							}
						default:
							return fmt.Errorf("%s: %q, %v", path, text, err)
						}
					}
					return nil
				},
				After: func(fsys disk.FS) error {
					for _, path := range []string{a, b, c} {
						if text, err := content(fsys, path); text != "new "+filepath.Base(path) {
							return fmt.Errorf("%s: %q, %v", path, text, err)
						}
					}
					return nil
				},
				Tidy: func(fsys disk.FS) error {
					for _, dir := range []string{"/x/y", "/x/z"} {
						if _, err := disk.Sweep(fsys, dir, disk.Temporary); err != nil {
							return err
						}
					}
					return nil
				},
			}
			if there {
				tr.Before = func(fsys disk.FS) error { return disk.Put(fsys, data(a, "old a"), data(b, "old b"), data(c, "old c")) }
			}
			tr.Run(t)
		}
	}
}

// TestOS: the real file system does what the simulated one does.
func TestOS(t *testing.T) {
	for name, c := range map[string]struct {
		fsys disk.FS
		root string
	}{"system": {disk.OS{}, t.TempDir()}, "simulated": {disktest.New(), "/root"}} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(c.root, "a", "b")
			path := filepath.Join(dir, "file")
			for _, text := range []string{"one", "another"} {
				must.Do(t, disk.Put(c.fsys, data(path, text)))
				if got, err := content(c.fsys, path); got != text || err != nil {
					t.Errorf("%q, %v", got, err)
				}
			}
			must.Do(t, disk.Writable(c.fsys, dir))
			entries, err := c.fsys.ReadDir(dir)
			if err != nil || len(entries) != 1 || entries[0].Name() != "file" {
				t.Errorf("%v, %v", entries, err)
			}
			info, err := c.fsys.Stat(path)
			if err != nil || info.Size() != 7 || info.IsDir() || time.Since(info.ModTime()) > time.Minute || info.Name() != "file" {
				t.Errorf("%v, %v", info, err)
			}
			// Obstacles.
			if _, err := c.fsys.Create(path); !errors.Is(err, fs.ErrExist) {
				t.Error("created twice: ", err)
			}
			if err := disk.Put(c.fsys, data(filepath.Join(path, "below"), "x")); err == nil {
				t.Error("a file below a file")
			}
			if err := disk.Put(c.fsys, data(dir, "x")); err == nil {
				t.Error("a file in a folder's place")
			}
			if err := c.fsys.Remove(dir); err == nil {
				t.Error("a folder that holds something was removed")
			}
			for what, err := range map[string]error{
				"open":    func() error { _, err := c.fsys.Open(dir + "x"); return err }(),
				"stat":    func() error { _, err := c.fsys.Lstat(dir + "x"); return err }(),
				"readdir": func() error { _, err := c.fsys.ReadDir(dir + "x"); return err }(),
				"rename":  c.fsys.Rename(dir+"x", dir+"y"),
				"remove":  c.fsys.Remove(dir + "x"),
				"syncdir": c.fsys.SyncDir(dir + "x"),
				"create":  func() error { _, err := c.fsys.Create(filepath.Join(dir+"x", "y")); return err }(),
			} {
				if !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s of what is not there: %v", what, err)
				}
			}
			if entries, err := c.fsys.ReadDir(dir); len(entries) != 1 || err != nil {
				t.Errorf("left %v, %v", entries, err)
			}
		})
	}
}

// TestSweep removes what dead processes left, and nothing else.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	mine, dead := disk.TempNameOf(os.Getpid()), disk.TempNameOf(1<<30) // above any pid
	for _, name := range []string{mine, dead, "table.txt", disk.TempPrefix + "x", disk.TempPrefix + "far-away.0.A"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), nil, 0o666))
	}
	if n, err := disk.Sweep(disk.OS{}, dir, disk.Abandoned); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := os.Stat(filepath.Join(dir, dead)); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the dead process's file is still there")
	}
	if n, err := disk.Sweep(disk.OS{}, dir, disk.Temporary); n != 1 || err != nil {
		t.Errorf("for one that is alone: %d, %v", n, err)
	}
	if n, err := disk.Sweep(disk.OS{}, filepath.Join(dir, "none"), disk.Abandoned); n != 0 || err != nil {
		t.Errorf("no folder: %d, %v", n, err)
	}
}

// ending is a disk whose user's context ends at an operation.
type ending struct {
	disk.FS
	at     string // "create" or "rename"
	n      int    // how many of them come first
	cancel context.CancelFunc
}

func (e *ending) count(operation string) {
	if operation == e.at {
		if e.n--; e.n < 0 {
			e.cancel()
		}
	}
}

func (e *ending) Create(name string) (disk.File, error) {
	e.count("create")
	return e.FS.Create(name)
}

func (e *ending) Rename(from, to string) error {
	e.count("rename")
	return e.FS.Rename(from, to)
}

// TestPutUntil: a context that ends leaves everything as it was, or nothing out.
func TestPutUntil(t *testing.T) {
	paths := []string{"/x/y/a", "/x/y/b", "/x/z/c"}
	for _, at := range []string{"before", "create", "rename"} {
		for n := range paths {
			d := disktest.New()
			for _, p := range paths {
				must.Do(t, disk.Put(d, data(p, "old")))
			}
			before := d.Files()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if at == "before" {
				cancel()
			}
			var files []disk.Data
			for _, p := range paths {
				files = append(files, data(p, "new"))
			}
			err := disk.PutUntil(ctx, &ending{d, at, n, cancel}, false, files...)
			if at == "rename" {
				for _, p := range paths {
					if got := d.Files()[p]; got != "new" || err != nil {
						t.Errorf("%s %d: %s holds %q, %v", at, n, p, got, err)
					}
				}
				continue
			}
			if got := d.Files(); !errors.Is(err, context.Canceled) || !maps.Equal(got, before) {
				t.Errorf("%s %d: %v, %v", at, n, got, err)
			}
		}
	}
}
