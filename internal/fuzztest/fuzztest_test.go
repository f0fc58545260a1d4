package fuzztest_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ogdl/internal/fuzztest"
	"ogdl/internal/npz"
	"ogdl/internal/test/must"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func read(recipe string) ([]npz.Array, error) {
	archive := fuzztest.Archive([]byte(recipe))
	return npz.Read(bytes.NewReader(archive), int64(len(archive)))
}

func TestArchive(t *testing.T) {
	got := must.Get(read("C f 2 2: 0 1 1e-3 -inf\nsays nothing\nk i: 7\nmeta s 2: \"a b\" \"\"\nones f 3: 1\nnone i 0:\nwrong i 2: x 99999999999999999999\n"))
	want := []npz.Array{
		{Name: "C", Shape: []int{2, 2}, Float: []float64{0, 1, 1e-3, math.Inf(-1)}},
		{Name: "k", Shape: []int{}, Int: []int{7}},
		{Name: "meta", Shape: []int{2}, Text: []string{"a b", ""}},
		{Name: "ones", Shape: []int{3}, Float: []float64{1, 1, 1}},
		{Name: "none", Shape: []int{0}, Int: []int{}},
		{Name: "wrong", Shape: []int{2}, Int: []int{0, math.MaxInt64}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"C f 2: 1 2 3", "C f 99999999: 1", "C f -1: 1", "C <f4 1: 1", "C f 1: 1\nC f 1: 1", "C f x: 1", "C f 2:", "../C f: 1"} {
		if _, err := read(bad); !errors.Is(err, npz.ErrFormat) {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}

// TestRecipe: an archive and the archive of its recipe hold the same.
func TestRecipe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		extents := rapid.SliceOfN(rapid.IntRange(0, 3), 0, 3).Draw(t, "shape")
		n := 1
		for _, e := range extents {
			n *= e
		}
		arrays := []npz.Array{
			{Name: "f", Shape: extents, Float: rapid.SliceOfN(rapid.Float64(), n, n).Draw(t, "floats")},
			{Name: "i", Shape: extents, Int: rapid.SliceOfN(rapid.Int(), n, n).Draw(t, "ints")},
			{Name: "s", Shape: extents, Text: rapid.SliceOfN(rapid.StringMatching(`[a-zé"\\ \n]{0,4}`), n, n).Draw(t, "texts")},
		}
		var file bytes.Buffer
		must.Do(t, npz.Write(&file, arrays))
		recipe := must.Get(fuzztest.Recipe(file.Bytes()))
		got, err := read(string(recipe))
		if err != nil {
			t.Fatalf("%v of the recipe\n%s", err, recipe)
		}
		if diff := cmp.Diff(arrays, got); diff != "" {
			t.Fatalf("%s of the recipe\n%s", diff, recipe)
		}
	})
	if _, err := fuzztest.Recipe([]byte("no archive")); err == nil {
		t.Error("no error")
	}
}

// recorder is a test that only notes what is said of it.
type recorder struct {
	testing.TB
	said []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

func TestSeeds(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, content string) {
		t.Helper()
		dir := filepath.Join("testdata", "fuzz", "FuzzX")
		must.Do(t, os.MkdirAll(dir, 0o777))
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666))
	}
	check := func(want ...string) {
		t.Helper()
		r := &recorder{TB: t}
		fuzztest.Seeds(r, "FuzzX", func(args []string) error {
			if !slices.Equal(args, []string{"good\n", "1"}) {
				return errors.New("not good")
			}
			return nil
		})
		if diff := cmp.Diff(want, r.said); diff != "" {
			t.Error(diff)
		}
	}
	write("valid", "go test fuzz v1\nstring(\"good\\n\")\n[]byte(`1`)\n")
	write("hostile-1", "go test fuzz v1\nstring(\"\")\n[]byte(\"\\xff\")\n")
	write("0123456789abcdef", "go test fuzz v1\nstring(\"what failed once\")\n")
	check("FuzzX has no seed cut-*")
	write("cut-1", "go test fuzz v1\n[]byte(\"goo\")\n")
	check()
	write("cut-2", "go test fuzz v1\nstring(\"good\\n\")\nstring(\"1\")\n")
	write("hostile-2", "go test fuzz v2\n")
	write("hostile-3", "go test fuzz v1\nint(1)\n")
	check("FuzzX: cut-2: error <nil>", `FuzzX: hostile-2: begins with "go test fuzz v2"`, `FuzzX: hostile-3: "int(1)" is no []byte and no string`)
}
