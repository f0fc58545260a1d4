package ogdl_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"ogdl"
	"ogdl/internal/test/must"
)

var full = flag.Bool("full", false, "also compare go run with binaries that are built in several ways")

// pkg is a package, ours or of others, as go list names it. Dependencies are those of its own, without tests.
type pkg struct {
	ImportPath                                                    string
	Imports, Deps                                                 []string
	GoFiles, CgoFiles, IgnoredGoFiles, SFiles, HFiles, EmbedFiles []string
	Module                                                        *struct {
		Path, Version string
		Main          bool
	}
}

// packages are all that the module is built of, by import path: its packages and what they import.
var packages = sync.OnceValues(func() (map[string]pkg, error) {
	cmd := exec.Command("go", "list", "-e", "-deps",
		"-json=ImportPath,Imports,Deps,Module,GoFiles,CgoFiles,IgnoredGoFiles,SFiles,HFiles,EmbedFiles", "./...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	all := map[string]pkg{}
	for d := json.NewDecoder(strings.NewReader(string(out))); err == nil; {
		var p pkg
		if err = d.Decode(&p); err == nil {
			all[p.ImportPath] = p
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return all, err
})

// ofProgram returns the packages that the program is built of.
func ofProgram(t *testing.T) (out []pkg) {
	t.Helper()
	all := must.Get(packages())
	for _, path := range append(all["ogdl/experiments"].Deps, "ogdl/experiments") {
		out = append(out, all[path])
	}
	if len(out) < 100 {
		t.Fatalf("go list names %d packages", len(out))
	}
	return out
}

// shows reports whether a package of the program, by its folder, decides no number.
func shows(dir string) bool { return dir == "configs" || strings.HasPrefix(dir+"/", "reports/") }

// TestSourceFiles: the digest covers all that the program is made of and decides numbers, on
// any system, and nothing else.
func TestSourceFiles(t *testing.T) {
	want := []string{"go.mod", "go.sum"}
	for _, p := range ofProgram(t) {
		dir, ours := strings.CutPrefix(p.ImportPath, "ogdl/")
		if !ours || shows(dir) {
			continue
		}
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.IgnoredGoFiles, p.SFiles, p.HFiles, p.EmbedFiles) {
			if !strings.HasSuffix(name, "_test.go") {
				want = append(want, path.Join(dir, name))
			}
		}
	}
	got := ogdl.SourceFiles()
	for _, name := range want {
		if !slices.Contains(got, name) {
			t.Errorf("%s decides numbers and is not in the digest: add it to the lines of go:embed in sources.go", name)
		}
	}
	for _, name := range got {
		if !slices.Contains(want, name) {
			t.Errorf("%s is in the digest and not in the program", name)
		}
	}
	if len(want) < 100 {
		t.Errorf("go list names %d files", len(want))
	}
}

// TestSources: the program names the digest.
func TestSources(t *testing.T) {
	if out, ok := program(t, "version"); !ok || !strings.Contains(out, "\nsources "+ogdl.Sources()+"\n") {
		t.Errorf("version lacks %q:\n%s", ogdl.Sources(), out)
	}
}

// TestSourcesOfBuilds: go run and binaries built in any way say the same digest.
func TestSourcesOfBuilds(t *testing.T) {
	if !*full {
		t.Skip("builds the program in several ways: go test -run SourcesOfBuilds . -full")
	}
	dir := t.TempDir()
	commands := [][]string{{"go", "run", "./experiments", "version"}}
	for i, flags := range [][]string{nil, {"-buildvcs=false", "-trimpath"}} {
		exe := filepath.Join(dir, string(rune('a'+i)))
		build := exec.Command("go", slices.Concat([]string{"build", "-o", exe}, flags, []string{"./experiments"})...)
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		commands = append(commands, []string{exe, "version"})
	}
	for _, c := range commands {
		out, err := exec.Command(c[0], c[1:]...).Output()
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		if want := "\nsources " + ogdl.Sources() + "\n"; !strings.Contains(string(out), want) {
			t.Errorf("%v lacks %q:\n%s", c, want, out)
		}
	}
}

// TestWhatCounts: comments, constraints and layout do not change the digest of a file, code does.
func TestWhatCounts(t *testing.T) {
	sum := func(name, src string) string {
		h := sha256.New()
		ogdl.AddFile(h, name, []byte(src))
		return string(h.Sum(nil))
	}
	const plain = "package p\n\nfunc f() float64 { return 1 }\n"
	for _, c := range []struct {
		src  string
		same bool
	}{
		{"//go:build linux\n\n// Package p is something.\npackage p\n\n// f is one.\nfunc f() float64 { return 1 } // one\n", true},
		{"package p\r\n\r\nfunc f() float64 {\r\n\treturn 1\r\n}\r\n", false}, // a line end is a token there
		{"package p\r\n\r\nfunc f() float64 { return 1 }\r\n", true},
		{"package p\n\nfunc f() float64 { return 2 }\n", false},
		{"package p\n\nfunc f() float32 { return 1 }\n", false},
		{"package p\n\nfunc f() float64 { return -1 }\n", false},
	} {
		if same := sum("a.go", c.src) == sum("a.go", plain); same != c.same {
			t.Errorf("the same digest: %v, want %v\n%s", same, c.same, c.src)
		}
	}
	if sum("go.mod", "go 1.26\n") == sum("go.mod", "go 1.27\n") || sum("go.mod", "go 1.26\r\n") != sum("go.mod", "go 1.26\n") {
		t.Error("go.mod does not count as it should")
	}
	must.Check(t, len(ogdl.Sources()), 16, "length of digest %q", ogdl.Sources())
}
