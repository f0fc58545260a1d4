package dev

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/internal/test/must"
)

var full = flag.Bool("full", false, "also build a renamed copy of the module, and stop and kill reproduce.sh at work")

// copyTree copies what git would commit.
func copyTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	list := exec.Command("git", "ls-files", "-co", "--exclude-standard")
	list.Dir = "../.."
	out, err := list.Output()
	if err != nil {
		t.Skipf("git ls-files: %v", err) // no checkout
	}
	for name := range strings.Lines(string(out)) {
		name = strings.TrimSuffix(name, "\n")
		data, err := os.ReadFile(filepath.Join("../..", name))
		if os.IsNotExist(err) {
			continue // removed, and not yet so in git
		}
		if err == nil {
			err = os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// in runs a command in a folder and returns what it prints.
func in(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// TestRenameModule renames a copy, whose every package, tests too, then finds what it imports, and builds it.
func TestRenameModule(t *testing.T) {
	if !*full {
		t.Skip("builds everything under another path, which takes 10 s: run with -full")
	}
	dir := copyTree(t)
	in(t, dir, "bash", "scripts/dev/rename_module.sh", "example.org/you/graphs")
	must.Check(t, in(t, dir, "go", "list", "-m"), "example.org/you/graphs\n", "the module")
	if broken := in(t, dir, "go", "list", "-e", "-test", "-f", "{{if .Error}}{{.ImportPath}}: {{.Error}}{{end}}{{range .DepsErrors}}{{.}}{{end}}", "./..."); strings.TrimSpace(broken) != "" {
		t.Errorf("imports that are not there:\n%s", broken)
	}
	if left := in(t, dir, "go", "list", "-f", `{{range .Imports}}{{.}} {{end}}{{range .TestImports}}{{.}} {{end}}{{range .XTestImports}}{{.}} {{end}}`, "./..."); strings.Contains(left, " ogdl") {
		t.Error("an import of ogdl is left")
	}
	must.Check(t, in(t, dir, "gofmt", "-l", "."), "", "files that are not formatted")
	in(t, dir, "go", "build", "-trimpath", "-o", t.TempDir(), "./experiments")
	in(t, dir, "go", "vet", "-trimpath", ".")
	for _, path := range []string{"", "-x", "a b", "a//b", "/a"} {
		cmd := exec.Command("bash", "scripts/dev/rename_module.sh", path)
		cmd.Dir = dir
		if err := cmd.Run(); err == nil {
			t.Errorf("%q was taken for a module path", path)
		}
	}
}

// TestOtherModule uses the library from another module in either of the ways of docs/library.md.
func TestOtherModule(t *testing.T) {
	root := must.Get(filepath.Abs("../.."))
	page := must.Get(os.ReadFile("../../docs/library.md"))
	ways := 0
	const program = `package main

import (
	"context"
	"fmt"

	"ogdl/ot/gw"
)

func main() {
	r, err := gw.Solve(context.Background(), [][]float64{{0, 1}, {1, 0}}, [][]float64{{0}}, nil, nil, nil)
	fmt.Println(r.Value, err)
}
`
	for line := range strings.Lines(string(page)) {
		if !strings.HasPrefix(line, "go work ") && !strings.HasPrefix(line, "go mod ") {
			continue
		}
		ways++
		dir := t.TempDir()
		must.Do(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(program), 0o644))
		in(t, dir, "go", "mod", "init", "example.org/other")
		words := strings.Fields(strings.ReplaceAll(line, "../ogdl", root))
		in(t, dir, words[0], words[1:]...)
		if words[1] == "mod" {
			in(t, dir, "go", "mod", "tidy")
		}
		must.Check(t, in(t, dir, "go", "run", "."), "0.5 <nil>\n", "%s", line)
	}
	must.Check(t, ways, 2, "ways on the page, a workspace and a replacement")
}
