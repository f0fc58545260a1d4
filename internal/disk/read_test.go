package disk_test

import (
	"os"
	"path/filepath"
	"testing"

	"ogdl/internal/disk"
	"ogdl/internal/test/must"
)

// TestReadFile: what is no regular file, or too large, is neither waited for nor read.
func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	must.Do(t, os.WriteFile(path, []byte("four"), 0o666))
	if got, err := disk.ReadFile(path, 4); err != nil || string(got) != "four" {
		t.Errorf("%q, %v", got, err)
	}
	for path, want := range map[string]string{path: "4 bytes or more, at most 3 are read", filepath.Dir(path): "not a regular file",
		os.DevNull: "not a regular file", path + "x": "f" + "x"} {
		must.Fail(t, must.Err(disk.ReadFile(path, 3)), want, path)
	}
}

// TestWritable: a folder that is there or not, below one that takes files or a file.
func TestWritable(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o666))
	for path, fine := range map[string]bool{"": true, "a/b": true, "file": false, "file/a": false} {
		if err := disk.Writable(disk.OS{}, filepath.Join(dir, path)); (err == nil) != fine {
			t.Errorf("%q: error %v", path, err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left: %v, %v", left, err)
	}
}
