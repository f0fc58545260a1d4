package npz_test

import (
	"bytes"
	"fmt"
	"maps"
	"strings"
	"testing"

	"ogdl/internal/npz"
	"ogdl/internal/test/must"

	"pgregory.net/rapid"
)

func fields(t rapid.TB, arrays ...npz.Array) *npz.Fields {
	t.Helper()
	file := write(t, arrays)
	return must.Get(npz.Open(bytes.NewReader(file), int64(len(file)), "x: reading a thing"))
}

// TestNilSlots: a nil slice is written as an empty array.
func TestNilSlots(t *testing.T) {
	var floats []float64
	var ints []int
	var texts []string
	arrays := npz.Arrays(npz.SlotOf("f", &floats, 0), npz.SlotOf("i", &ints, 0, 3), npz.SlotOf("t", &texts, 0))
	packed := must.Get(npz.Pack(arrays))
	got := must.Get(read(packed))
	if len(got) != 3 || got[0].Float == nil || got[1].Int == nil || got[2].Text == nil {
		t.Errorf("%+v", got)
	}
}

func TestFields(t *testing.T) {
	f := fields(t, npz.Array{Name: "schema", Int: []int{2}},
		npz.Array{Name: "c", Shape: []int{2, 1}, Float: []float64{3, 4}},
		npz.Array{Name: "k", Shape: []int{3}, Int: []int{5, 6, 7}})
	f.Schema(2)
	if !f.Has("c") || f.Has("d") {
		t.Error("Has does not tell what there is")
	}
	if a := f.Get("k", 1, false); a == nil || a.Int[2] != 7 {
		t.Errorf("Get = %v", a)
	}
	if a := f.Floats("d", 2, true); a != nil {
		t.Errorf("Floats = %v of an array that is not there", a)
	}
	must.Same(t, f.FloatsOf("c", 2, 1), []float64{3, 4}, "FloatsOf")
	must.Same(t, f.IntsOf("k", 3), []int{5, 6, 7}, "IntsOf")
	if m := f.Meta(); m == nil || len(m) != 0 {
		t.Errorf("Meta = %v without metadata", m)
	}
	if f.Err() != nil {
		t.Error(f.Err())
	}
}

func TestFieldsMistakes(t *testing.T) {
	good := []npz.Array{
		{Name: "schema", Int: []int{2}},
		{Name: "c", Shape: []int{2, 1}, Float: []float64{3, 4}},
		{Name: "k", Shape: []int{3}, Int: []int{5, 6, 7}},
		{Name: "meta_keys", Shape: []int{2}, Text: []string{"a", "b"}},
		{Name: "meta_values", Shape: []int{1}, Text: []string{"A"}},
	}
	for what, c := range map[string]struct {
		ask  func(f *npz.Fields) (nothing bool)
		want string
	}{
		"version":        {func(f *npz.Fields) bool { f.Schema(1); return true }, `array "schema": expected the integer 1`},
		"missing":        {func(f *npz.Fields) bool { return f.Get("d", 1, false) == nil }, `array "d": is missing`},
		"dimensions":     {func(f *npz.Fields) bool { f.Get("c", 1, true); return true }, `array "c": has 2 dimensions, expected 1`},
		"no floats":      {func(f *npz.Fields) bool { f.Floats("k", 1, false); return true }, `array "k": does not hold floats`},
		"floats missing": {func(f *npz.Fields) bool { return f.FloatsOf("d", 1) == nil }, `array "d": is missing`},
		"floats' shape":  {func(f *npz.Fields) bool { return f.FloatsOf("c", 1, 2) == nil }, `array "c": has shape [2 1], expected [1 2]`},
		"no integers":    {func(f *npz.Fields) bool { return f.IntsOf("c", 2, 1) == nil }, `array "c": does not hold integers`},
		"ints missing":   {func(f *npz.Fields) bool { return f.IntsOf("d", 1) == nil }, `array "d": is missing`},
		"ints' shape":    {func(f *npz.Fields) bool { return f.IntsOf("k", 4) == nil }, `array "k": has shape [3], expected [4]`},
		"metadata":       {func(f *npz.Fields) bool { return len(f.Meta()) == 0 }, `array "meta_keys": does not pair with meta_values`},
		"own":            {func(f *npz.Fields) bool { f.Fail("c", "is %d too long", 3); return true }, `array "c": is 3 too long`},
	} {
		f := fields(t, good...)
		if !c.ask(f) {
			t.Errorf("%s: a mistake gives something", what)
		}
		first := f.Err()
		if want := "x: reading a thing: " + c.want; first == nil || !strings.HasPrefix(first.Error(), want) {
			t.Errorf("%s: error %v, want %q", what, first, want)
		}
		// The first mistake stays, and nothing comes after it.
		f.Fail("other", "is late")
		if x := f.FloatsOf("c", 2, 1); x != nil || f.Err() != first {
			t.Errorf("%s: then %v, %v", what, x, f.Err())
		}
	}
	_, err := npz.Open(strings.NewReader("no archive"), 10, "x: reading a thing")
	if err == nil || !strings.HasPrefix(err.Error(), "x: reading a thing: npz: ") {
		t.Errorf("error %v", err)
	}
}

// TestMeta: metadata come back as they were, and equal ones give equal arrays.
func TestMeta(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-zé\n]{0,5}`)
		meta := rapid.MapOf(text, text).Draw(t, "meta")
		if got := fields(t, npz.Meta(meta)...).Meta(); !maps.Equal(got, meta) {
			t.Fatalf("%v came back as %v", meta, got)
		}
		if a, b := fmt.Sprint(npz.Meta(meta)), fmt.Sprint(npz.Meta(maps.Clone(meta))); a != b {
			t.Fatalf("%s and %s", a, b)
		}
	})
	if got := fields(t, npz.Meta(nil)...).Meta(); len(got) != 0 {
		t.Errorf("nil came back as %v", got)
	}
}
