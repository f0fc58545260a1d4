package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// checked runs check over the project's manifests after replacing text in them; it must be there.
func checked(t *testing.T, old, new string) error {
	t.Helper()
	dir := t.TempDir()
	files, err := filepath.Glob("../../deploy/kubernetes/*.yaml")
	if err != nil || len(files) != 3 {
		t.Fatalf("manifests %v: %v", files, err)
	}
	var paths []string
	found := false
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		found = found || strings.Contains(string(src), old)
		path := filepath.Join(dir, filepath.Base(f))
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(src), old, new)), 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	if !found {
		t.Fatalf("no manifest holds %q", old)
	}
	return check(paths)
}

// TestManifests checks the manifests as they are, and spoils them, one thing at a time.
func TestManifests(t *testing.T) {
	if err := checked(t, "kind: Job", "kind: Job"); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"completions: 16", "completion: 16", `unknown field "completion"`},
		{"completions: 16", "completions: many", "cannot unmarshal string"},
		{"parallelism: 4", "parallelism: 4\n  parallelism: 5", "already set in map"},
		{"kind: Job", "kind: Jobs", `kind "Jobs"`},
		{"batch/v1", "batch/v1beta1", `"batch/v1beta1"`},
		{"completions: 16", "completions: 17", "-shard=$(JOB_COMPLETION_INDEX)/17"},
		{"$(JOB_COMPLETION_INDEX)", "0", "args must hold"},
		{"claimName: ogdl-results", "claimName: ogdl-result", `no claim "ogdl-result"`},
		{"limits:", "requests:", "already set in map"},
		{"memory: 2Gi", "memory: 0", "limits of cpu and memory"},
		{"memory: 1Gi", "memory: 1GB", "quantities must match"},
		{"runAsNonRoot: true", "runAsNonRoot: false", "not root"},
		{"readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false", "a read-only root"},
		{"resources: &small", "limited: &small", "container report: resources: limits"},
	} {
		if err := checked(t, c.old, c.new); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q in place of %q: %v, want a message that holds %q", c.new, c.old, err, c.want)
		}
	}
	// Mistakes are in the order of the files, containers in theirs.
	text, at := fmt.Sprint(checked(t, "readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false")), 0
	for _, where := range []string{"container report", "container missing", "container experiments"} {
		k := strings.Index(text[at:], where)
		if k < 0 {
			t.Fatalf("%s is not there, or not in its place: %s", where, text)
		}
		at += k
	}
	if check(nil) == nil || check([]string{filepath.Join(t.TempDir(), "none.yaml")}) == nil {
		t.Error("no files, and no error")
	}
}
