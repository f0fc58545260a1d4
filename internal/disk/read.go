package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ReadFile returns the bytes of a regular file that has at most most of them. Anything else is an error that names the path: a pipe
// would block, and a device never end.
func ReadFile(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(src)) > most {
		return nil, fmt.Errorf("%s: %d bytes or more, at most %d are read", path, max(info.Size(), most+1), most)
	}
	return src, err
}

// Writable returns an error where no file could be written into a folder, which need not be there yet. Nothing stays of the attempt.
func Writable(fsys FS, dir string) error {
	info, err := fsys.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && filepath.Dir(dir) != dir:
		return Writable(fsys, filepath.Dir(dir))
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s: not a folder", dir)
	}
	path, err := writeTemp(fsys, dir, []byte("x")) // a full disk may take an empty file
	if err != nil {
		return err
	}
	return fsys.Remove(path)
}
