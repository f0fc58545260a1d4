package disk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Data is a file: its path and what it holds.
type Data struct {
	Path  string
	Bytes []byte
}

// Put writes files, replaces existing ones, and makes missing folders. All files are written and
// synced under temporary names before the first is renamed, so that a full disk changes nothing.
// Each file appears whole; a stop may leave some renamed and others not. The error names the path;
// temporary files are removed then.
func Put(fsys FS, files ...Data) error { return PutUntil(context.Background(), fsys, false, files...) }

// PutUntil is Put that stops when the context ends before the first rename. It then returns the
// context's error, and no file has changed. Of ordered files later ones vouch for earlier ones: a
// later one never appears, nor survives a power cut, without the earlier ones.
func PutUntil(ctx context.Context, fsys FS, ordered bool, files ...Data) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	last := func(i int) bool { // of the files in a folder that follow each other
		return i+1 == len(files) || filepath.Dir(files[i].Path) != filepath.Dir(files[i+1].Path)
	}
	for i, f := range files {
		if last(i) {
			if err := MakeDir(fsys, filepath.Dir(f.Path)); err != nil {
				return err
			}
		}
	}
	var staged []string
	renamed := 0
	defer func() {
		for _, temp := range staged[renamed:] {
			_ = fsys.Remove(temp) // on the way out of an error; what stays is swept later
		}
	}()
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		temp, err := writeTemp(fsys, filepath.Dir(f.Path), f.Bytes)
		if err != nil {
			return err
		}
		staged = append(staged, temp)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for i, f := range files {
		if err := fsys.Rename(staged[i], f.Path); err != nil {
			return err
		}
		renamed++
		if ordered || last(i) {
			if err := fsys.SyncDir(filepath.Dir(f.Path)); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeTemp writes and syncs data under a temporary name in dir. On failure nothing stays.
func writeTemp(fsys FS, dir string, data []byte) (path string, err error) {
	path = filepath.Join(dir, TempNameOf(os.Getpid()))
	f, err := fsys.Create(path)
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		_ = fsys.Remove(path) // what stays is swept later
		return "", err
	}
	return path, nil
}

// MakeDir is os.MkdirAll that syncs the parent of every folder it creates. The error names the
// path.
func MakeDir(fsys FS, dir string) error {
	info, err := fsys.Stat(dir)
	if err == nil && info.IsDir() {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	parent := filepath.Dir(dir)
	if parent != dir {
		if err := MakeDir(fsys, parent); err != nil {
			return err
		}
	}
	if err := fsys.Mkdir(dir); err != nil {
		// Another process may have been faster.
		if info, statErr := fsys.Stat(dir); statErr != nil || !info.IsDir() {
			return err
		}
	}
	return fsys.SyncDir(parent)
}
