package plots_test

import (
	"strings"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/reports/plots"
)

// TestCut holds that a text of a megabyte takes no longer than what is drawn of it: 200,000 letters took hours.
func TestCut(t *testing.T) {
	long := strings.Repeat("W", 1<<20)
	f := plots.Figure{Name: "x", Alt: "x", Panels: []plots.Panel{plots.XY{Title: long, XLabel: long, YLabel: strings.Repeat("a b ", 1<<18),
		Series: []plots.Series{{Name: long, X: []float64{1, 2}, Y: []float64{1, 2}}}}}}
	files := must.Get(plots.Files(f))
	for _, x := range files {
		if len(x.Data) > 1<<18 {
			t.Errorf("%s has %d bytes", x.Name, len(x.Data))
		}
	}
}
