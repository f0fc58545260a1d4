// Package sharedtest finds what some tests need and not every machine has, the reference values
// and data sets, or a Python with numpy, and skips those tests where it is not at hand.
package sharedtest

import (
	"archive/zip"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/internal/test/must"
)

// Dir returns the folder of shared references: $OGDL_SHARED, or the folder "shared" next to the
// project. Without one the test is skipped.
func Dir(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("OGDL_SHARED"); dir != "" {
		return dir
	}
	dir := must.Get(os.Getwd())
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			dir = filepath.Join(filepath.Dir(dir), "shared")
			if _, err := os.Stat(filepath.Join(dir, "reference")); err == nil {
				return dir
			}
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	t.Skip("no shared references: set OGDL_SHARED or put the folder shared beside the project")
	return ""
}

// JSON decodes the reference file of the given name into v.
func JSON(t testing.TB, name string, v any) {
	t.Helper()
	data := must.Get(os.ReadFile(filepath.Join(Dir(t), "reference", name)))
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// Data unpacks the TU data sets of the given names into a temporary folder and
// returns it: the folder then holds NAME/NAME_A.txt and so on.
func Data(t testing.TB, names ...string) string {
	t.Helper()
	src, dst := filepath.Join(Dir(t), "tudatasets"), t.TempDir()
	for _, name := range names {
		z := must.Get(zip.OpenReader(filepath.Join(src, name+".zip")))
		for _, f := range z.File {
			if !strings.HasSuffix(f.Name, ".txt") || !filepath.IsLocal(f.Name) {
				continue
			}
			unpack(t, f, filepath.Join(dst, f.Name))
		}
		z.Close()
	}
	return dst
}

func unpack(t testing.TB, f *zip.File, path string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
	r := must.Get(f.Open())
	defer r.Close()
	w := must.Get(os.Create(path))
	defer w.Close()
	must.Do(t, must.Err(io.Copy(w, r)))
}

// NumPy returns the name of a Python that has numpy, or skips the test.
func NumPy(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import numpy").Run() == nil {
			return name
		}
	}
	t.Skip("no python3 with numpy")
	return ""
}
