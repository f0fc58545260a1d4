package source

import (
	"encoding/json"
	"errors"
	"os"

	"ogdl/experiments/internal/spec"
	"ogdl/internal/disk"
)

// Classes returns the class of every graph with nodes in a cell's data, as the files write it; nil
// if the data have no classes. digest is the digest of the data that the cell was computed on:
// other data are an error. Classes that were read once are kept in the store, next to the digests,
// so that tables do not change when the data go.
func (l *Library) Classes(c *spec.Cell, digest string) ([]string, error) {
	var kept struct {
		Classes []string `json:"classes"`
	}
	path := ""
	if l.out != "" && isDigest(digest) && !spec.IsSimulated(c.Dataset) {
		path = l.kept("classes-" + digest + ".json")
		if text, err := os.ReadFile(path); err == nil && json.Unmarshal(text, &kept) == nil {
			return kept.Classes, nil
		}
	}
	d, err := l.Dataset(c)
	if err != nil {
		return nil, err
	}
	if d.Full.Digest != digest {
		return nil, errors.New("the data are not those of its cells")
	}
	classes := d.Data.ClassNames(d.Data.Classes)
	kept.Classes = classes
	if text, err := json.Marshal(kept); err == nil && path != "" {
		_ = disk.Put(disk.OS{}, disk.Data{Path: path, Bytes: append(text, '\n')}) // else the data are read again
	}
	return classes, nil
}
