package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folder holds the manifests of the project.
const folder = "../../deploy/kubernetes"

// checked runs check over the project's manifests after replacing text in them; it must be there.
func checked(t *testing.T, old, new string) (out string, err error) {
	t.Helper()
	dir := t.TempDir()
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no manifests in %s: %v", folder, err)
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
	var w strings.Builder
	err = check(paths, &w)
	return w.String(), err
}

func TestManifests(t *testing.T) {
	out, err := checked(t, "kind: Job", "kind: Job")
	if err != nil {
		t.Error(err)
	}
	for _, want := range []string{"Job ogdl-grid", "Job ogdl-collect", "PersistentVolumeClaim ogdl-results"} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is not among what was checked:\n%s", want, out)
		}
	}
}

// TestMistakes spoils the manifests, one thing at a time.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"completions: 16", "completion: 16", `unknown field "completion"`},
		{"completions: 16", "completions: many", "cannot unmarshal string"},
		{"parallelism: 4", "parallelism: 4\n  parallelism: 5", "already set in map"},
		{"parallelism: 4", "parallelism: -1", "must not be negative"},
		{"kind: Job", "kind: Jobs", `kind "Jobs"`},
		{"batch/v1", "batch/v1beta1", `apiVersion "batch/v1beta1"`},
		{"completionMode: Indexed", "completionMode: indexed", "must be Indexed or NonIndexed"},
		{"completionMode: Indexed", "completionMode: NonIndexed", "only with completionMode Indexed"},
		{"completions: 16", "parallelism: 16", "already set in map"},
		{"completions: 16", "completions: 17", "-shard=$(JOB_COMPLETION_INDEX)/17"},
		{"$(JOB_COMPLETION_INDEX)", "0", "args must hold"},
		{"backoffLimitPerIndex: 3", "backoffLimit: 3", "FailIndex only with backoffLimitPerIndex"},
		{"maxFailedIndexes: 16", "maxFailedIndexes: 17", "at most completions"},
		{"restartPolicy: Never", "restartPolicy: OnFailure", "podFailurePolicy: only with restartPolicy Never"},
		{"restartPolicy: Never", "restartPolicy: Always", "must be Never or OnFailure"},
		{"podReplacementPolicy: Failed", "podReplacementPolicy: TerminatingOrFailed", "must be Failed"},
		{"values: [130]", "values: [0]", "exit code 0 is no failure"},
		{"values: [130]", "values: [130, 3]", "in order"},
		{"values: [130]", "values: []", "0 exit codes"},
		{"operator: In", "operator: Is", "must be In or NotIn"},
		{"action: FailIndex", "action: Fail", `action "Fail"`},
		{"containerName: experiments", "containerName: program", "no such container"},
		{"onPodConditions:\n          - type: DisruptionTarget\n            status: \"True\"", "", "exactly one of"},
		{"status: \"True\"", "status: \"Yes\"", "status True, False or Unknown"},
		{"claimName: ogdl-results", "claimName: ogdl-result", `no claim "ogdl-result"`},
		{"mountPath: /results", "mountPath: results", "must be absolute"},
		{"- name: results\n              mountPath", "- name: result\n              mountPath", "no such volume"},
		{"memory: 1Gi", "memory: 3Gi", "a limit that is no lower"},
		{"memory: 1Gi", "memory: 1GB", "quantities must match"},
		{"name: ogdl-grid", "name: OGDL_grid", "metadata.name"},
		{"runAsNonRoot: true", "runAsNonRoot: false", "not root"},
		{"readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false", "read-only root"},
		{"image: ogdl:latest", "image: \"\"", "image is missing"},
		{"storage: 20Gi", "storage: \"0\"", "must be above 0"},
		{"[ReadWriteMany]", "[ReadWriteOnce]", "need ReadWriteMany"},
	} {
		if _, err := checked(t, c.old, c.new); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q in place of %q: %v, want a message that holds %q", c.new, c.old, err, c.want)
		}
	}
	if err := check(nil, os.Stdout); err == nil {
		t.Error("no files, and no error")
	}
	if err := check([]string{filepath.Join(t.TempDir(), "none.yaml")}, os.Stdout); err == nil {
		t.Error("no such file, and no error")
	}
}
