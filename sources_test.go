package ogdl

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shows reports whether a package of the program, by its folder, decides no number.
func shows(dir string) bool { return dir == "configs" || strings.HasPrefix(dir+"/", "reports/") }

// TestSourceFiles: the digest covers all that the program is made of and decides numbers, on
// any system, and nothing else.
func TestSourceFiles(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,Standard,GoFiles,CgoFiles,IgnoredGoFiles,SFiles,HFiles,EmbedFiles", "./experiments")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"go.mod", "go.sum"}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath                                                    string
			GoFiles, CgoFiles, IgnoredGoFiles, SFiles, HFiles, EmbedFiles []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
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
	got := SourceFiles()
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

// TestSourcesOfBuilds: go run and binaries built in any way say the same digest.
func TestSourcesOfBuilds(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program in several ways")
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
		if want := "\nsources " + Sources() + "\n"; !strings.Contains(string(out), want) {
			t.Errorf("%v lacks %q:\n%s", c, want, out)
		}
	}
}

// TestWhatCounts: comments, constraints and layout do not change the digest of a file, code does.
func TestWhatCounts(t *testing.T) {
	sum := func(name, src string) string {
		h := sha256.New()
		addFile(h, name, []byte(src))
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
	if len(Sources()) != 16 {
		t.Errorf("digest %q", Sources())
	}
}
