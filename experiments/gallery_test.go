package main

import (
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"testing"

	"ogdl/internal/test/must"
)

// TestGallery: docs/gallery/README.md shows every picture in its folder and runs every configuration there, and pictures are those that the program
// draws. Those that take seconds are left to scripts/dev/gallery.sh; on other processors than the one they were drawn on, numbers may differ.
func TestGallery(t *testing.T) {
	t.Parallel()
	folder := filepath.Join("..", "docs", "gallery")
	page := read(t, filepath.Join(folder, "README.md"))
	match := func(pattern string) (out []string) {
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(page, -1) {
			out = append(out, m[1])
		}
		slices.Sort(out)
		return out
	}
	there := func(pattern string) (out []string) {
		files, _ := filepath.Glob(filepath.Join(folder, pattern))
		for _, f := range files {
			out = append(out, filepath.Base(f))
		}
		return out
	}
	if shown, files := match(`\]\(([^)/]*\.svg)\)`), there("*.svg"); !slices.Equal(shown, files) {
		t.Errorf("the page shows %q, the folder has %q", shown, files)
	}
	if run, files := match(`-config docs/gallery/(\S*)`), there("*.toml"); !slices.Equal(run, files) {
		t.Errorf("the page runs %q, the folder has %q", run, files)
	}
	for _, name := range []string{"atoms", "distances", "classification"} {
		s := newSession(t, read(t, filepath.Join(folder, name+".toml")))
		s.run(exitOK)
		drawn := s.files("out/grid/figures/*.svg")
		if len(drawn) == 0 {
			t.Errorf("%s draws nothing", name)
		}
		for _, f := range drawn {
			got, want := read(t, f), read(t, filepath.Join(folder, filepath.Base(f)))
			if runtime.GOARCH == "amd64" && got != want {
				t.Errorf("docs/gallery/%s is not what %s.toml draws now: run scripts/dev/gallery.sh", filepath.Base(f), name)
			}
		}
		for _, f := range s.files("out/grid/timings/figures/*.svg") {
			must.Contain(t, page, "("+filepath.Base(f)+")")
		}
	}
}
