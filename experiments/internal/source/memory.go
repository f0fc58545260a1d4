package source

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"ogdl/experiments/internal/spec"
	"ogdl/internal/disk"
)

// remembered is the digest that was last read in a user's folder. They are kept in the file digests.json of the store, by the
// folder's path from the result folder, so that finished cells count when the data are gone. It is not a result, and its bytes may differ
// between equal runs.
type remembered struct {
	Digest string `json:"digest"`
}

// kept returns the path of a file in the store of the result folder.
func (l *Library) kept(name string) string { return filepath.Join(l.out, "store", name) }

// memory returns the digests of users' folders. A file that is not there or damaged has none.
func (l *Library) memory() map[string]remembered {
	digests := map[string]remembered{}
	src, err := os.ReadFile(l.kept("digests.json"))
	if err != nil || json.Unmarshal(src, &digests) != nil || digests == nil {
		return map[string]remembered{}
	}
	return digests
}

// place names a folder and its edge weights. The path is relative to the result folder, so it is
// valid on other machines too, if both folders were copied together.
func (l *Library) place(o *spec.Own) string {
	return strings.TrimSpace(Relative(l.out, o.Folder) + " " + o.Weights)
}

// Relative returns a path from a folder, with slashes; the path itself where there is no way.
func Relative(folder, path string) string {
	from, err1 := filepath.Abs(folder)
	to, err2 := filepath.Abs(path)
	rel, err := filepath.Rel(from, to)
	if err1 != nil || err2 != nil || err != nil {
		rel = path
	}
	return filepath.ToSlash(rel)
}

// Know finds users' folders, next to the configuration or among the data sets, and the digests of
// their graphs. A run keeps the graphs for its cells; the other verbs need only the digest. Missing data
// take the digest that was last read there. Messages about unknown folders go to w.
func (l *Library) Know(ctx context.Context, folders []*spec.Own, configDir string, run bool, w io.Writer) error {
	for _, x := range folders {
		x.Find(configDir, l.dir)
		unknown := x.Missing // why the digest is not known
		switch {
		case x.Missing != nil:
			x.Digest = l.recall(x, configDir)
		case run:
			read := &spec.Method{Input: spec.InputStream} // one by one where no method needs all of them
			if x.Loaded {
				read.Input = spec.InputSpaces
			}
			x.Digest, unknown = l.Digest(ctx, &spec.Cell{Method: read, Dataset: x.Name, Own: x})
		default:
			x.Digest, unknown = x.ReadDigest(ctx)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if unknown != nil && !run { // the cells of a run tell it themselves
			fmt.Fprintf(w, "%s: %v\n", x.Name, unknown)
		}
	}
	return nil
}

// recall returns the digest that was last read in a folder that is gone, next to the configuration or among the data sets; "" if none
// was. A relative folder of a configuration's copy in the result folder may be anywhere: there the only digest of a folder of its name counts.
func (l *Library) recall(o *spec.Own, configDir string) (digest string) {
	memory, among := l.memory(), *o
	among.Folder = filepath.Join(l.dir, o.Written)
	for _, x := range []*spec.Own{o, &among} {
		if digest = memory[l.place(x)].Digest; isDigest(digest) {
			return digest
		}
	}
	if strings.HasPrefix(Relative(l.out, configDir)+"/", "../") {
		return "" // no copy
	}
	name := filepath.ToSlash(filepath.Clean(o.Written))
	for strings.HasPrefix(name, "../") {
		name = name[len("../"):]
	}
	found := map[string]bool{}
	for place, of := range memory {
		if isDigest(of.Digest) && strings.HasSuffix("/"+place, strings.TrimSpace("/"+name+" "+o.Weights)) {
			digest, found[of.Digest] = of.Digest, true
		}
	}
	if len(found) != 1 {
		return ""
	}
	return digest
}

// Remember keeps the digests of folders in a store that is there. Where that fails they count as unknown when the data are gone.
func (l *Library) Remember(folders []*spec.Own) {
	digests, changed := l.memory(), false
	for _, x := range folders {
		if now := (remembered{x.Digest}); x.Digest != "" && digests[l.place(x)] != now {
			digests[l.place(x)], changed = now, true
		}
	}
	if info, err := os.Stat(l.kept("")); !changed || err != nil || !info.IsDir() {
		return
	}
	src, err := json.MarshalIndent(digests, "", "\t")
	if err == nil {
		_ = disk.Put(disk.OS{}, disk.Data{Path: l.kept("digests.json"), Bytes: append(src, '\n')})
	}
}

// isDigest reports whether a text can be a digest.
var isDigest = regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString

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
