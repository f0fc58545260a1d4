package reports

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/internal/test/must"
)

// TestList: every run of the folder with what its page says of itself; nothing else.
func TestList(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"one", "two", "long"} {
		p := samplePage()
		p.Config = "# A < B in " + name + ". More."
		if name == "long" {
			p.Config = strings.Repeat("# one sentence without an end\n", 200)
		}
		p.Figures[0].Files = []string{"figures/atoms.svg"}
		f := NewFolder(filepath.Join(dir, name))
		must.Do(t, errors.Join(f.Pages(p), f.Write(t.Context())))
	}
	must.Do(t, errors.Join(os.Mkdir(filepath.Join(dir, "store"), 0o777), os.Mkdir(filepath.Join(dir, "other"), 0o777),
		os.WriteFile(filepath.Join(dir, "other", IndexPage), []byte("<html>"), 0o666), os.MkdirAll(filepath.Join(dir, "folder", IndexPage), 0o777)))
	for range 2 {
		must.Do(t, List(t.Context(), dir, io.Discard))
	}
	text := must.Get(os.ReadFile(filepath.Join(dir, IndexPage)))
	checkMarkup(t, string(text))
	for _, name := range []string{"one", "two"} {
		want := `<div class="run"><img src="` + name + `/figures/atoms.svg" alt="" loading="lazy">
<div><h2><a href="` + name + `/index.html">` + name + `</a> <time>1970-01-01</time></h2>
<p>A &lt; B in ` + name + `. Of 3 values of the paper: 1 agrees, 1 higher, 1 missing. 12 runs: 10 ok, 1 failed, 1 missing.</p></div></div>`
		must.Contain(t, string(text), want)
	}
	must.Contain(t, string(text), "without an ... Of 3 values")
	same(t, strings.Count(string(text), "<a "), 3)
	own := "<!DOCTYPE html>\n<title>Results</title>"
	must.Do(t, os.WriteFile(filepath.Join(dir, IndexPage), []byte(own), 0o666))
	var notes strings.Builder
	must.Do(t, List(t.Context(), dir, &notes))
	must.Contain(t, notes.String(), "is no list of runs and stays")
	same(t, string(must.Get(os.ReadFile(filepath.Join(dir, IndexPage)))), own)
}
