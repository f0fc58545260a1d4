package reports

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// FindFigures reads the figures of a folder: dir/*.svg and dir/figures/*.svg, in the order
// of their names. A figure's title and the words for those who do not see it are the
// file's own <title> and <desc> below <svg>; without them, its name. A folder that is not
// there holds none.
func FindFigures(dir string) ([]Figure, error) {
	var paths []string
	for _, at := range []string{dir, filepath.Join(dir, "figures")} {
		entries, err := os.ReadDir(at)
		if err != nil {
			if os.IsNotExist(err) {
				continue
			}
			return nil, fmt.Errorf("reports: %w", err)
		}
		for _, e := range entries {
			if e.Type().IsRegular() && filepath.Ext(e.Name()) == ".svg" && !strings.HasPrefix(e.Name(), ".") {
				paths = append(paths, filepath.Join(at, e.Name()))
			}
		}
	}
	slices.SortFunc(paths, func(a, b string) int {
		name := func(path string) string { return strings.TrimSuffix(filepath.Base(path), ".svg") } // "a" before "a-2"
		return cmp.Or(cmp.Compare(name(a), name(b)), cmp.Compare(a, b))
	})
	var out []Figure
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("reports: %w", err)
		}
		var own struct {
			Title string `xml:"title"`
			Desc  string `xml:"desc"`
		}
		if err := xml.Unmarshal(text, &own); err != nil {
			return nil, fmt.Errorf("reports: %s: not SVG: %w", path, err)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".svg")
		out = append(out, Figure{
			Title: cmp.Or(strings.TrimSpace(own.Title), name),
			Alt:   cmp.Or(strings.TrimSpace(own.Desc), "Picture "+name+"."),
			SVG:   string(text),
		})
	}
	return out, nil
}
