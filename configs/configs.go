// Package configs carries the experiment configurations inside the binary: one
// TOML file per table or figure of the paper, and smoke.toml, which needs no
// data and ends in seconds.
//
// `experiments -config NAME` finds a file of that name on disk first; the
// embedded one is the fallback, so the program works from any folder.
package configs

import (
	"embed"
	"io/fs"
)

//go:embed *.toml
var files embed.FS

// FS returns the read-only file system that holds every configuration at its
// root, under its file name ("clustering.toml").
func FS() fs.FS { return files }

// Names returns the file names of all embedded configurations, sorted.
func Names() []string {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		// The embedded root is always readable; anything else is a broken build.
		panic("configs: " + err.Error())
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
