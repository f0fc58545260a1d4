// Package configs carries the experiment configurations inside the binary: one TOML file per table or figure of the paper, small grids
// (quick), choices that the paper leaves open (choices), and smoke.toml, which needs no data and ends in seconds.
//
// `experiments -config NAME` finds a file of that name on disk first; the embedded one is the fallback, so the program works from any folder.
package configs

import (
	"embed"
	"io/fs"
	"path"
	"slices"
)

//go:embed *.toml */*.toml
var files embed.FS

// paths returns the place of each configuration by its file name: no two folders hold files of one name.
func paths() map[string]string {
	out := map[string]string{}
	err := fs.WalkDir(files, ".", func(place string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			out[path.Base(place)] = place
		}
		return err
	})
	if err != nil {
		panic("configs: " + err.Error()) // embedded files are always readable
	}
	return out
}

// Names returns the file names of all embedded configurations ("clustering.toml"), sorted, whatever folder they are in.
func Names() []string {
	var names []string
	for name := range paths() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Read returns the text of the embedded configuration of that file name. The error wraps fs.ErrNotExist where there is none.
func Read(name string) ([]byte, error) {
	place, ok := paths()[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return files.ReadFile(place)
}
