package source

import (
	"testing"

	"ogdl/datasets"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/test/must"
)

// TestSpacesAreFreed: the last cell that needs a representation frees it.
func TestSpacesAreFreed(t *testing.T) {
	var cells []*spec.Cell
	for repetition := range 4 {
		cells = append(cells, &spec.Cell{Method: &spec.Method{}, Dataset: spec.NameD1, Repetition: repetition, Seed: 1, Params: spec.Values{
			"sbm_order_min": int64(10), "sbm_order_max": int64(15), "sbm_order_step": int64(5), "sbm_graphs": int64(4), "sbm_p_in": 0.9, "sbm_p_out": 0.1,
			"representation": string(datasets.KindAdjacency), "node_weights": string(datasets.KindUniform), "features": string(datasets.KindNone),
		}})
	}
	lib := NewLibrary(t.TempDir(), "")
	lib.Expect(cells)
	d := must.Get(lib.Dataset(cells[0]))
	for i, c := range cells {
		if _, _, err := lib.SpacesOf(c, d.Data); err != nil {
			t.Fatal(err)
		}
		must.Equal(t, lib.spaces.Len(), 1, "sets of spaces for one representation")
		lib.Release(c)
		must.Check(t, lib.spaces.Len() == 0, (i == len(cells)-1), "after cell %d of %d: freed", i+1, len(cells))
	}
}

// TestOneClass: data of one class are reported, since every score of them is the same.
func TestOneClass(t *testing.T) {
	for classes, want := range map[int]int{1: 1, 2: 0} {
		logged := 0
		lib := &Library{Logf: func(string, ...any) { logged++ }}
		lib.look(&spec.Cell{}, &datasets.Dataset{ClassValues: make([]int, classes), Classes: []int{0}})
		must.Check(t, logged, want, "warnings on %d classes", classes)
	}
}

func TestUnplaced(t *testing.T) {
	lib := NewLibrary("/srv/data", "")
	x := &spec.Cell{Dataset: "OWN", Own: &spec.Own{Folder: "/home/me/OWN"}}
	for text, want := range map[string]string{
		"loader: /srv/data/MUTAG: not there; -data /srv/data":       "loader: $OGDL_DATA/MUTAG: not there; -data $OGDL_DATA",
		"loader: /home/me/OWN/OWN_A.txt:3: no edge":                 "loader: OWN/OWN_A.txt:3: no edge",
		"the data set has no classes, 3/4 of /srv/other are labels": "the data set has no classes, 3/4 of /srv/other are labels",
	} {
		if got := lib.Unplaced(x, text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	// Short and relative places are not looked for in words.
	for _, dir := range []string{"", "/", "data", "."} {
		const text = "data set a/b."
		if got := NewLibrary(dir, "").Unplaced(&spec.Cell{Dataset: "OWN", Own: &spec.Own{Folder: "data"}}, text); got != text {
			t.Errorf("-data %q: %q", dir, got)
		}
	}
}
