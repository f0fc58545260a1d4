package record

import (
	"maps"
	"reflect"
	"slices"
)

// Share replaces equal texts and parameters of r by the ones in other, to save memory, and trims
// the capacity of its list of losses. The content of r does not change, and neither may be changed
// in place afterwards.
func (r *Record) Share(other *Record) {
	p, q := &r.Provenance, &other.Provenance
	share(&r.Status, &other.Status, &r.Method, &other.Method, &r.Dataset, &other.Dataset, &r.Digest, &other.Digest,
		&p.Sources, &q.Sources, &p.Revision, &q.Revision, &p.GoVersion, &q.GoVersion, &p.GOARCH, &q.GOARCH)
	r.EpochLoss = slices.Clone(r.EpochLoss)
	if maps.EqualFunc(r.Params, other.Params, func(a, b any) bool { return reflect.DeepEqual(a, b) }) {
		r.Params = other.Params
	}
}

// Share is [Record.Share] of timings.
func (t *Timing) Share(other *Timing) {
	share(&t.Host, &other.Host, &t.CPU, &other.CPU, &t.Kernels, &other.Kernels)
}

// share lets the first of each two texts be held once with the second, where they are equal.
func share(texts ...*string) {
	for two := range slices.Chunk(texts, 2) {
		if *two[0] == *two[1] {
			*two[0] = *two[1]
		}
	}
}
