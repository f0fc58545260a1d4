package protocol_test

import (
	"testing"

	"ogdl/experiments/internal/protocol"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/test/must"
)

// TestKMeansTol: kmeans_tol = 0 means that k-means never stops early, and not the default of package eval.
func TestKMeansTol(t *testing.T) {
	for given, want := range map[float64]float64{0: -1, 1e-4: 1e-4} {
		must.Check(t, protocol.KMeansSettings(spec.Values{"kmeans_tol": given}).Tol, want, "kmeans_tol = %v", given)
	}
}
