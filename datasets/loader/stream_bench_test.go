package loader_test

import (
	"testing"

	"ogdl/datasets/loader"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"
)

func BenchmarkOpenStream(b *testing.B) {
	dir := sharedtest.Data(b, "TRIANGLES")
	b.ReportAllocs()
	for b.Loop() {
		s := must.Get(loader.OpenNamed(dir, "TRIANGLES"))
		s.Close()
	}
}

// BenchmarkStreamAt reads graphs of TRIANGLES (21 nodes, 65 lines of edges in
// the mean) all over the files.
func BenchmarkStreamAt(b *testing.B) {
	s := must.Get(loader.OpenNamed(sharedtest.Data(b, "TRIANGLES"), "TRIANGLES"))
	defer s.Close()
	b.ReportAllocs()
	k := 0
	for b.Loop() {
		must.Get(s.At(k))
		k = (k + 17_777) % s.Len()
	}
}
