package disktest

import (
	"io/fs"
	"os"
	"testing"

	"ogdl/internal/test/must"
)

// Folder returns what the files of a real folder hold, by name, files of its subfolders with slashes.
func Folder(t testing.TB, dir string) map[string]string {
	t.Helper()
	out, root := map[string]string{}, os.DirFS(dir)
	must.Do(t, fs.WalkDir(root, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, path)
		out[path] = string(data)
		return err
	}))
	return out
}
