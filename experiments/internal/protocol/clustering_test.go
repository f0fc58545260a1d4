package protocol_test

import (
	"testing"

	"ogdl/experiments/internal/protocol"
	"ogdl/experiments/internal/spec"
)

// TestKMeansTol: kmeans_tol = 0 means that k-means never stops early, and not the default of package eval.
func TestKMeansTol(t *testing.T) {
	for given, want := range map[float64]float64{0: -1, 1e-4: 1e-4} {
		if got := protocol.KMeansSettings(spec.Values{"kmeans_tol": given}).Tol; got != want {
			t.Errorf("kmeans_tol = %v: %v, want %v", given, got, want)
		}
	}
}
