package source

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"ogdl/experiments/internal/spec"
	"ogdl/internal/disk"
)

// memory remembers the digests of users' folders from one run to the next, so that list, plan and
// report need not read them: in the file digests.json of the store, by the folder's path from the
// result folder and by the names, sizes and times of its files. Losing the file costs only time. It
// is not a result, and its bytes may differ between equal runs.
type memory struct {
	out     string
	folders map[string]remembered
	changed bool
}

// remembered is the digest that was last read in a folder, with the files' stamp.
type remembered struct {
	Stamp  string `json:"stamp"` // see loader.Stamp
	Digest string `json:"digest"`
}

// OpenMemory reads the memory of a result folder. One that is not there or damaged is empty.
func OpenMemory(out string) *memory {
	m := &memory{out: out, folders: map[string]remembered{}}
	src, err := os.ReadFile(m.path())
	if err != nil || json.Unmarshal(src, &m.folders) != nil || m.folders == nil {
		m.folders = map[string]remembered{}
	}
	return m
}

func (m *memory) path() string { return filepath.Join(m.out, "store", "digests.json") }

// key names a folder and its edge weights. The path is relative to the result folder, so it is
// valid on other machines too, if both folders were copied together.
func (m *memory) key(o *spec.Own) string {
	return strings.TrimSpace(Relative(m.out, o.Folder) + " " + o.Weights)
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

// get returns the digest of a folder whose files still have this stamp. For the stamp "" it returns
// the last digest read there. It returns "" if the digest is not known.
func (m *memory) get(o *spec.Own, stamp string) string {
	if r := m.folders[m.key(o)]; (stamp == "" || r.Stamp == stamp) && isDigest(r.Digest) {
		return r.Digest
	}
	return ""
}

// put remembers a digest.
func (m *memory) put(o *spec.Own, stamp, digest string) {
	now := remembered{stamp, digest}
	if k := m.key(o); m.folders[k] != now {
		m.folders[k] = now
		m.changed = true
	}
}

// Save writes the memory into a store that is there. Where that fails the next run reads anew.
func (m *memory) Save() {
	if info, err := os.Stat(filepath.Dir(m.path())); !m.changed || err != nil || !info.IsDir() {
		return
	}
	src, err := json.MarshalIndent(m.folders, "", "\t")
	if err == nil && disk.Put(disk.OS{}, disk.Data{Path: m.path(), Bytes: append(src, '\n')}) == nil {
		m.changed = false
	}
}

// isDigest reports whether a text can be a digest.
var isDigest = regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString
