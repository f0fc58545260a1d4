// Package golden serves tests alone: it compares texts with files, which `go test -update` writes anew.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"ogdl/internal/test/must"
)

var update = flag.Bool("update", false, "write golden files anew")

// Update reports whether the tests run with -update.
func Update() bool { return *update }

// Want returns the text of the file at path. With -update it writes got there first.
func Want(t testing.TB, path, got string) string {
	t.Helper()
	if *update {
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Do(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	return string(want)
}

// Check reports got unless it is the text of the file at path, with what differs.
func Check(t testing.TB, path, got string) {
	t.Helper()
	must.Same(t, got, Want(t, path, got), "%s", path)
}
