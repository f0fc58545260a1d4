package method

import (
	"testing"

	"ogdl/experiments/internal/spec"
	"ogdl/internal/test/must"
)

// TestGWFDefaults: what depends on the features, and a tolerance of 0, which means none.
func TestGWFDefaults(t *testing.T) {
	t.Parallel()
	for features, want := range map[string]int{"none": 10, "labels": 20, "attributes": 20} {
		v := spec.Values{"atoms": int64(3), "epochs": wordByFeatures, "features": features}
		if err := resolveGWF(v, nil); err != nil || v.Integer("epochs") != want {
			t.Errorf("features %s: %d epochs, want %d; %v", features, v.Integer("epochs"), want, err)
		}
	}
	if got := transport(spec.Values{"prox_tol": 0.0}).Tol; got >= 0 {
		t.Errorf("tolerance %v for none", got)
	}
	must.Check(t, transport(spec.Values{"prox_tol": 1e-3}).Tol, 1e-3, "tolerance")
}
