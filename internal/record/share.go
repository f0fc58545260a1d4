package record

import (
	"maps"
	"reflect"
	"slices"
)

// Share lets r hold what it says the same as another record once for both, and sheds what its lists were
// read into beyond their lengths: the repetitions of a configuration differ in little. What r says stays as it is,
// and neither may be changed in place afterwards.
func (r *Record) Share(other *Record) {
	shareTexts([]sharing{
		{&r.Status, &other.Status}, {&r.Method, &other.Method}, {&r.Dataset, &other.Dataset}, {&r.Digest, &other.Digest},
		{&r.Provenance.Sources, &other.Provenance.Sources}, {&r.Provenance.Revision, &other.Provenance.Revision},
		{&r.Provenance.GoVersion, &other.Provenance.GoVersion}, {&r.Provenance.GOARCH, &other.Provenance.GOARCH},
	})
	r.EpochLoss = slices.Clone(r.EpochLoss)
	if maps.EqualFunc(r.Params, other.Params, func(a, b any) bool { return reflect.DeepEqual(a, b) }) {
		r.Params = other.Params
	}
}

// Share is [Record.Share] of timings.
func (t *Timing) Share(other *Timing) {
	shareTexts([]sharing{{&t.Host, &other.Host}, {&t.CPU, &other.CPU}, {&t.Kernels, &other.Kernels}})
}

// sharing is two texts that are often equal.
type sharing struct{ own, other *string }

func shareTexts(texts []sharing) {
	for _, s := range texts {
		if *s.own == *s.other {
			*s.own = *s.other
		}
	}
}
