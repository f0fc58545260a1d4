package embed

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/datasets"
	"ogdl/experiments/internal/fit"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
)

// TestModelOfAlteredFile: whatever stands in the file, it is rejected with a
// message or used, never a panic.
func TestModelOfAlteredFile(t *testing.T) {
	t.Parallel()
	d, err := datasets.D1(&datasets.SimulationSettings{MinOrder: 6, MaxOrder: 8, Graphs: 3}, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	given := map[string]any{"epochs": int64(2), "kmeans_restarts": int64(4)}
	f, err := fit.Run(t.Context(), d, fit.Settings{Atoms: fit.Range{From: 3, To: 3}, Given: given, Seed: 1, Workers: 1})
	dir := t.TempDir()
	if err == nil {
		err = f.Write(t.Context(), dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(filepath.Join(dir, fit.DictionaryFile))
	if err != nil {
		t.Fatal(err)
	}
	arrays, err := npz.Read(bytes.NewReader(whole), int64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	alter := func(name string, a *npz.Array) []byte {
		var list []npz.Array
		for _, x := range arrays {
			if x.Name != name {
				list = append(list, x)
			}
		}
		if a != nil {
			list = append(list, *a)
		}
		b, err := npz.Pack(list)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if _, err := Read(alter("nothing", nil), nil); err != nil {
		t.Fatalf("the whole file: %v", err)
	}
	scalar := func(name, text string) *npz.Array { a := npz.Scalar(name, text); return &a }
	for name, c := range map[string]struct {
		array string
		with  *npz.Array
		want  string
	}{
		"no parameters":                 {artifact.Params, nil, "not the file of a finished cell"},
		"parameters no JSON":            {artifact.Params, scalar(artifact.Params, "{"), artifact.Params},
		"parameter unknown":             {artifact.Params, scalar(artifact.Params, `{"lambda": -1}`), "lambda = -1: must be"},
		"parameters missing":            {artifact.Params, scalar(artifact.Params, `{"lambda": 0}`), "is missing"},
		"features of another dimension": {artifact.Features, scalar(artifact.Features, `{"Kind": "labels", "Dim": 3}`), "3 features per node"},
		"centres of another width":      {artifact.Centers, &npz.Array{Name: artifact.Centers, Shape: []int{2, 2}, Float: make([]float64, 4)}, "clusters x 3"},
		"no dictionary":                 {"C", nil, `"C"`},
	} {
		if _, err := Read(alter(c.array, c.with), nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
