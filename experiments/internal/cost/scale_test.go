package cost

import (
	"math"
	"ogdl/experiments/internal/spec"
	"testing"
)

func TestScales(t *testing.T) {
	s := Scales{Half: 10}
	k, other, elsewhere := spec.KindKey{Method: "GDL", Dataset: "MUTAG"}, spec.KindKey{Method: "GDL", Dataset: "BZR"}, spec.KindKey{Method: "SC", Dataset: "BZR"}
	if b := s.Basis(k); b.Ratio != 1 || b.N != 0 || b.From != FromNone {
		t.Errorf("%+v", b)
	}
	s.Add(k, 2, 1)
	s.Add(k, 0, 1) // says nothing
	s.Add(k, 2, 1)
	if b := s.Basis(k); b.Ratio != 2 || b.N != 2 || s.Speaks(k) {
		t.Errorf("its own timings: %+v", b)
	}
	s.Add(k, 8, 1)
	if b := s.Basis(k); b.Ratio != 4 || b.From != FromKind || b.N != 3 || b.Low != 0.5 || b.High != 2 {
		t.Errorf("total over total: %+v", b)
	}
	// What is nearer counts alone, once there is enough of it.
	var near, far Scales
	for n := range Enough {
		far = Scales{Kinds: map[spec.KindKey]*scale{k: s.Kinds[k]}}
		if far.Prefer(&near); far.Basis(k).Ratio != 4 {
			t.Errorf("%d near timings: %+v", n, far.Basis(k))
		}
		near.Add(k, 3, 1)
	}
	if far.Prefer(&near); far.Basis(k).Ratio != 3 || far.Basis(k).N != Enough {
		t.Errorf("near timings: %+v", far.Basis(k))
	}
	// 12 s are 12/22 of a vote, beside one for the model; and in the method again, beside one for all.
	vote := 12.0 / 22
	all := vote * math.Log(4) / (vote + 1)
	if b := s.Basis(elsewhere); math.Abs(b.Ratio-math.Exp(all)) > 1e-12 || b.From != FromOthers || b.N != 3 {
		t.Errorf("other methods: %+v", b)
	}
	if b := s.Basis(other); math.Abs(b.Ratio-math.Exp((vote*math.Log(4)+all)/(vote+1))) > 1e-12 || b.From != FromMethod || b.N != 3 {
		t.Errorf("other data: %+v", b)
	}
	// However long and far off, no kind has more than a vote: the second method draws at most by the fifth root.
	for _, name := range []string{"A", "B", "C"} {
		s.Add(spec.KindKey{Method: "GWF-r", Dataset: name}, 1e6, 1e6)
	}
	s.Add(k, 1e12, 1)
	if b := s.Basis(elsewhere); b.Ratio > math.Pow(s.Kinds[k].total.ratio(), 1.0/5)*1.01 {
		t.Errorf("one kind decides: %+v", b)
	}
}
