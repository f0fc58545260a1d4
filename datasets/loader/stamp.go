package loader

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// suffixes are the files of a data set that are read.
var suffixes = []string{"_A.txt", "_graph_indicator.txt", "_graph_labels.txt", "_node_labels.txt", "_node_attributes.txt", edgeAttributes}

// Stamp describes the files that LoadFolder would read, without opening them: the loader's version,
// and the name, size and time of last change of each. As long as it is the same, the digest of the
// data set most likely is. The error is LoadFolder's for a folder that is missing or does not hold
// exactly one data set.
func Stamp(path string) (string, error) {
	src, files := source{name: filepath.Base(path), folder: filepath.Dir(path)}, []string{""}
	if !isLines(path) {
		var err error
		if src, err = only(path); err != nil {
			return "", err
		}
		files = suffixes
	}
	var b strings.Builder
	fmt.Fprintf(&b, "loader %d", Version)
	for _, suffix := range files {
		info, err := os.Stat(filepath.Join(src.folder, src.name+suffix))
		switch {
		case isMissing(err):
		case err != nil:
			return "", fmt.Errorf("loader: %w", err)
		default:
			fmt.Fprintf(&b, "; %s %d %d", src.name+suffix, info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String(), nil
}
