package loader_test

import (
	"testing"

	"ogdl/datasets/loader"
	"ogdl/internal/sharedtest"
)

func BenchmarkOpenStream(b *testing.B) {
	dir := sharedtest.Data(b, "TRIANGLES")
	b.ReportAllocs()
	for b.Loop() {
		s, err := loader.OpenNamed(dir, "TRIANGLES")
		if err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}

// BenchmarkStreamAt reads graphs of TRIANGLES (21 nodes, 65 lines of edges in
// the mean) all over the files.
func BenchmarkStreamAt(b *testing.B) {
	s, err := loader.OpenNamed(sharedtest.Data(b, "TRIANGLES"), "TRIANGLES")
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	b.ReportAllocs()
	k := 0
	for b.Loop() {
		if _, err := s.At(k); err != nil {
			b.Fatal(err)
		}
		k = (k + 17_777) % s.Len()
	}
}
