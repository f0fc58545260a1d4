package loader_test

import (
	"archive/zip"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"ogdl/datasets"
	"ogdl/datasets/loader"
)

// shared returns the folder of reference material, or skips the test.
func shared(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("OGDL_SHARED"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		candidate := filepath.Join(dir, "shared")
		if _, err := os.Stat(filepath.Join(candidate, "tudatasets")); err == nil {
			return candidate
		}
		if filepath.Dir(dir) == dir {
			t.Skip("no folder of reference data (OGDL_SHARED, or shared beside the project)")
		}
		dir = filepath.Dir(dir)
	}
}

// archive opens the folder NAME inside the archive NAME.zip.
func archive(t testing.TB, name string) fs.FS {
	t.Helper()
	z, err := zip.OpenReader(filepath.Join(shared(t), "tudatasets", name+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { z.Close() })
	sub, err := fs.Sub(z, name)
	if err != nil {
		t.Fatal(err)
	}
	return sub
}

func real(t testing.TB, name string) *datasets.Dataset {
	t.Helper()
	d, err := loader.Read(archive(t, name), name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestX(t *testing.T) {
	for _, n := range append(datasets.PaperSets(), "TRIANGLES", "twitch_egos_partial") {
		d := real(t, n)
		t.Logf("%+v", d.Statistics())
	}
}
