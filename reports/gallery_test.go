package reports

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/reports/summary"
)

// TestGalleryHasEveryKind: for every kind that draws, docs/gallery has a configuration.
func TestGalleryHasEveryKind(t *testing.T) {
	files, err := filepath.Glob("../docs/gallery/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	text := ""
	for _, f := range files {
		b := must.Get(os.ReadFile(f))
		text += string(b)
	}
	all := kinds()
	all[summary.TableClustering] = kindOf(summary.TableClustering)
	for name, k := range all {
		if draws := k.figures != nil || k.timedFigures != nil; draws && !strings.Contains(text, "table = \""+name+"\"") {
			t.Errorf("no configuration in docs/gallery is of the kind %q", name)
		}
	}
}
