package spec

import "testing"

// TestSizes: every data set that is not drawn has its size in the table, so that rules between
// parameters and data are checked before any are opened.
func TestSizes(t *testing.T) {
	for _, name := range KnownDatasets() {
		if s, ok := Sizes[name]; !ok && !IsSimulated(name) {
			t.Errorf("no size of %s", name)
		} else if ok && (s.Graphs < 100 || s.Classes < 2) {
			t.Errorf("%s: %+v", name, s)
		}
	}
}
