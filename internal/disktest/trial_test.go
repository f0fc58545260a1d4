package disktest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"testing"

	"ogdl/internal/disk"
	"ogdl/internal/test/must"
)

// recorder takes a trial's complaints.
type recorder struct {
	testing.TB
	errors int
}

func (r *recorder) Errorf(string, ...any) { r.errors++ }

// content reads a file, "" if it is not there.
func content(fsys disk.FS, path string) (string, error) {
	f, err := fsys.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	return string(b), err
}

// write writes a file in steps that can be left out.
func write(fsys disk.FS, path, text string, sync, beside, syncDir bool) error {
	at := path
	if beside {
		at = filepath.Join(filepath.Dir(path), disk.TempNameOf(1<<30))
	}
	if !beside {
		if err := fsys.Remove(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	f, err := fsys.Create(at)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, text)
	if sync && err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if beside && err == nil {
		err = fsys.Rename(at, path)
	}
	if syncDir && err == nil {
		err = fsys.SyncDir(filepath.Dir(path))
	}
	if err != nil && beside {
		_ = fsys.Remove(at)
	}
	return err
}

// TestTrialFindsWhatIsWrong: writers that leave out a step are caught, one that does not is not.
func TestTrialFindsWhatIsWrong(t *testing.T) {
	const first, second = "/first", "/second"
	type writer func(fsys disk.FS, path, text string) error
	// second vouches for first: it must never say "new" where first does not.
	run := func(w writer) int {
		r := &recorder{TB: t}
		tr := Trial{
			Before: func(fsys disk.FS) error {
				return disk.Put(fsys, disk.Data{Path: first, Bytes: []byte("old1")}, disk.Data{Path: second, Bytes: []byte("old2")})
			},
			Do: func(fsys disk.FS) error {
				if err := w(fsys, first, "new1"); err != nil {
					return err
				}
				return w(fsys, second, "new2")
			},
			Check: func(fsys disk.FS) error {
				a, errA := content(fsys, first)
				b, errB := content(fsys, second)
				switch {
				case errA != nil || errB != nil:
					return errors.Join(errA, errB)
				case a == "old1" && b == "old2", a == "new1" && b == "old2", a == "new1" && b == "new2":
					return nil
				}
				return fmt.Errorf("%q and %q", a, b)
			},
			After: func(fsys disk.FS) error {
				if b, err := content(fsys, second); b != "new2" || err != nil {
					return fmt.Errorf("%q, %v", b, err)
				}
				return nil
			},
			Tidy: func(fsys disk.FS) error { _, err := disk.Sweep(fsys, "/", disk.Temporary); return err },
		}
		tr.Run(r)
		return r.errors
	}
	for name, c := range map[string]struct {
		sync, beside, syncDir bool
		good                  bool
	}{
		"all steps":         {true, true, true, true},
		"in place":          {true, false, true, false},
		"file not synced":   {false, true, true, false},
		"folder not synced": {true, true, false, false},
	} {
		n := run(func(fsys disk.FS, path, text string) error {
			return write(fsys, path, text, c.sync, c.beside, c.syncDir)
		})
		must.Check(t, n == 0, c.good, "%s: %d complaints", name, n)
	}
	for name, w := range map[string]writer{
		"silent": func(fsys disk.FS, path, text string) error {
			_ = write(fsys, path, text, true, true, true)
			return nil
		},
		"no path": func(fsys disk.FS, path, text string) error {
			err := write(fsys, path, text, true, true, true)
			for errors.Unwrap(err) != nil {
				err = errors.Unwrap(err)
			}
			return err
		},
	} {
		if run(w) == 0 {
			t.Errorf("%s: no complaint", name)
		}
	}
}

// TestPowerCuts: what is durable stays, of the rest every subset comes up.
func TestPowerCuts(t *testing.T) {
	d := New()
	must.Do(t, disk.Put(d, disk.Data{Path: "/a/kept", Bytes: []byte("1234")}))
	put := func(path, text string, sync bool) {
		t.Helper()
		f := must.Get(d.Create(path))
		must.Do(t, must.Err(io.WriteString(f, text)))
		if sync {
			must.Do(t, f.Sync())
		}
	}
	put("/a/new", "abcd", true)
	must.Do(t, d.Rename("/a/new", "/a/kept"))
	must.Do(t, d.Mkdir("/b"))
	put("/b/torn", "wxyz", false)
	seen := map[string]bool{}
	for c := range d.PowerCuts() {
		seen[fmt.Sprint(c.Files())] = true
	}
	want := []string{
		"map[/a/kept:1234]", "map[/a/kept:1234 /a/new:abcd]", "map[/a/kept:abcd]",
	}
	for _, torn := range []string{"wxyz", "", "wx", "wx\x00\x00"} {
		for _, a := range want[:3] {
			want = append(want, a[:len(a)-1]+" /b/torn:"+torn+"]")
		}
	}
	for _, w := range want {
		if !seen[w] {
			t.Errorf("%q did not come up", w)
		}
		delete(seen, w)
	}
	for s := range seen {
		t.Errorf("%q cannot be", s)
	}
	if d.Settle(); len(d.Files()) != 2 {
		t.Errorf("settled: %q", d.Files())
	}
}
