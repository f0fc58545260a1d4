package embed

import (
	"bytes"
	"math"
	"os"
	"slices"
	"testing"

	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/test/must"
)

// TestModelOfAlteredFile: whatever stands in the file, it is rejected with a
// message or used, never a panic.
func TestModelOfAlteredFile(t *testing.T) {
	t.Parallel()
	whole := must.Get(os.ReadFile("../../testdata/fit_bcf26da/dictionary.npz"))
	arrays := must.Get(npz.Read(bytes.NewReader(whole), int64(len(whole))))
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
		return must.Get(npz.Pack(list))
	}
	if _, err := Read(alter("nothing", nil), nil); err != nil {
		t.Fatalf("the whole file: %v", err)
	}
	weights := func(x float64) *npz.Array {
		at := slices.IndexFunc(arrays, func(a npz.Array) bool { return a.Name == artifact.Weights })
		a := arrays[at]
		a.Float = make([]float64, len(a.Float))
		for i := range a.Float {
			a.Float[i] = x
		}
		return &a
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
		"weights of NaN":                {artifact.Weights, weights(math.NaN()), "\"weights\": weight 0 of graph 0 is NaN"},
		"weights of 5":                  {artifact.Weights, weights(5), "\"weights\": weight 0 of graph 0 is 5"},
		"weights of 0":                  {artifact.Weights, weights(0), "sum to 0, expected 1"},
		"no dictionary":                 {"C", nil, `"C"`},
	} {
		must.Fail(t, must.Err(Read(alter(c.array, c.with), nil)), c.want, name)
	}
}
