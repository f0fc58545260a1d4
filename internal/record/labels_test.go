package record

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
)

// TestLabels: labels read what encoding/json reads, and what is no label is an error.
func TestLabels(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"[]", "[0]", "[0,1,65535,12]", "[ 1, 2 ]", "null", "[65536]", "[100000]", "[-1]", "[1,]", "[1.5]", "7", `["a"]`, "[[1]]"} {
		var got Labels
		var want []uint16
		err, wanted := json.Unmarshal([]byte(text), &got), json.Unmarshal([]byte(text), &want)
		if (err == nil) != (wanted == nil) || err == nil && !slices.Equal([]uint16(got), want) {
			t.Errorf("%s: %v, %v; encoding/json %v, %v", text, got, err, want, wanted)
		}
	}
	if l, err := LabelsOf([]int{3, 0, 65535}); err != nil || !slices.Equal(l, Labels{3, 0, 65535}) {
		t.Errorf("%v, %v", l, err)
	}
	for _, bad := range [][]int{{-1}, {65536}} {
		if l, err := LabelsOf(bad); err == nil {
			t.Errorf("%v gives %v", bad, l)
		}
	}
}

// TestShare: a record says the same after it has shared, and holds the parameters of the other.
func TestShare(t *testing.T) {
	t.Parallel()
	one := func(alpha float64) *Record {
		return &Record{ID: "aaaaaaaa", Status: OK, Params: map[string]any{"alpha": alpha, "init": "sample"}, EpochLoss: []float64{2, 1}, Assignment: Labels{0, 1}}
	}
	a, b, c := one(0.5), one(0.5), one(0.25)
	b.Share(a)
	c.Share(a)
	if !reflect.DeepEqual(b, one(0.5)) || !reflect.DeepEqual(c, one(0.25)) {
		t.Errorf("%+v, %+v", b, c)
	}
	at := func(r *Record) uintptr { return reflect.ValueOf(r.Params).Pointer() }
	if at(b) != at(a) || at(c) == at(a) {
		t.Error("equal parameters are shared, others are not")
	}
}
