package plots_test

import (
	"bytes"
	"testing"
	"time"

	"ogdl/reports/plots"
)

// TestSameBytes draws every figure twice, in different seconds: PDFs would hold the date.
func TestSameBytes(t *testing.T) {
	var first []plots.File
	draw := func() (out []plots.File) {
		for _, f := range samples() {
			files, err := plots.Files(f)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, files...)
		}
		return out
	}
	first = draw()
	time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(time.Second)))
	for i, f := range draw() {
		if f.Name != first[i].Name || !bytes.Equal(f.Data, first[i].Data) {
			t.Errorf("%s differs between two drawings", f.Name)
		}
	}
}
