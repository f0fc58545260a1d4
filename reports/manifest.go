package reports

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ogdl/internal/disk"
)

// SumsFile lists the files that a report wrote into its folder, with the SHA-256 of each. Files of the folder timings, which differ from
// run to run, have "-" instead.
const SumsFile = "files.sum"

// sumsHead tells the list from one that somebody else made.
const sumsHead = "# Files of a report. Another report replaces and removes them while they have these SHA-256 sums.\n"

// sums are files of reports by their names, relative to the folder and with slashes, with the sums that the report gave them. While a report is
// being written they belong to the report before and to the new one.
type sums map[string][]string

// add adds the sum of a file.
func (s sums) add(name, sum string) {
	if inTimings(name) {
		sum = "-"
	}
	if !slices.Contains(s[name], sum) {
		s[name] = append(s[name], sum)
	}
}

// ours reports whether a report may replace a file with this sum, as [there] has it: it is not there, or a report has written it as it is.
func (s sums) ours(name, sum string) bool {
	return sum == "" || sum != "-" && (inTimings(name) || slices.Contains(s[name], sum))
}

func inTimings(name string) bool { return strings.HasPrefix(name, TimingsFolder+"/") }

// folders are those that a report writes to, relative to its own.
var folders = []string{".", figuresFolder, ClustersFolder, TimingsFolder, TimingsFolder + "/" + figuresFolder}

// readSums reads the list of a folder. A list that no report wrote is an error.
func readSums(fsys disk.FS, dir string) (sums, error) {
	s, list := sums{}, filepath.Join(dir, SumsFile)
	text, err := contentOf(fsys, list)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reports: %w", err)
	}
	lines, ours := strings.CutPrefix(string(text), sumsHead)
	if !ours {
		return nil, fmt.Errorf("reports: %s is not a list of files of a report: move it away", list)
	}
	for line := range strings.Lines(lines) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !ok || !filepath.IsLocal(filepath.FromSlash(name)) || !slices.Contains(folders, path.Dir(name)) {
			return nil, fmt.Errorf("reports: %s: the line %q is not a sum and a name: move the file away", list, strings.TrimSpace(line))
		}
		s.add(name, sum)
	}
	return s, nil
}

// put writes the list where it is not there already.
func (s sums) put(fsys disk.FS, dir string) error {
	var b bytes.Buffer
	b.WriteString(sumsHead)
	for _, name := range slices.Sorted(maps.Keys(s)) {
		for _, sum := range slices.Sorted(slices.Values(s[name])) {
			fmt.Fprintf(&b, "%s  %s\n", sum, name)
		}
	}
	list := disk.Data{Path: filepath.Join(dir, SumsFile), Bytes: b.Bytes()}
	if holds(fsys, list) {
		return nil
	}
	if err := disk.PutUntil(context.Background(), fsys, true, list); err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	return nil
}

func contentOf(fsys disk.FS, path string) ([]byte, error) {
	f, err := fsys.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

func sumOf(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

// there returns the checksum of a file of the folder: "" without a file, "-" for anything but a regular file.
func there(fsys disk.FS, dir, name string) (sum string, err error) {
	at := filepath.Join(dir, filepath.FromSlash(name))
	info, err := fsys.Lstat(at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("reports: %w", err)
	case !info.Mode().IsRegular():
		return "-", nil
	}
	data, err := contentOf(fsys, at)
	if err != nil {
		return "", fmt.Errorf("reports: %w", err)
	}
	return sumOf(data), nil
}

// unlinked returns an error if a folder that a report writes to is a link: its files would go somewhere else.
func unlinked(fsys disk.FS, dir string) error {
	for _, folder := range folders[1:] {
		path := filepath.Join(dir, filepath.FromSlash(folder))
		if info, err := fsys.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("reports: %s is a link: a report does not write through it; move it away, or give another -out", path)
		}
	}
	return nil
}

// Occupied returns an error, which names the files, if somebody changed files of the last report in the folder dir, or if a page or a
// configuration is there that no report wrote. Call it before computing anything; [Folder.Write] looks at all files. A symbolic link
// instead of a folder of the report is an error too, even with force.
func Occupied(dir string, force bool) error {
	fsys := disk.OS{}
	if err := unlinked(fsys, dir); err != nil {
		return err
	}
	s, err := readSums(fsys, dir)
	if err != nil || force {
		return err
	}
	var found []string
	for _, name := range append(slices.Sorted(maps.Keys(s)), IndexPage, ConfigFile) {
		sum, err := there(fsys, dir, name)
		if err != nil {
			return err
		}
		if !s.ours(name, sum) {
			found = append(found, name)
		}
	}
	return occupied(dir, found)
}

// occupied is the error about files of somebody else; nil without any.
func occupied(dir string, names []string) error {
	if len(names) == 0 {
		return nil
	}
	text := filepath.Join(dir, filepath.FromSlash(names[0]))
	if n := len(names) - 1; n > 0 {
		text += fmt.Sprintf(" and %d more files there", n)
	}
	return fmt.Errorf("reports: no report wrote %s as it is now, and this one would replace it: move it away, give another -out, or replace it by "+
		"report -force", text)
}

// sums returns the sums of the files but the sign, which does not stay.
func (f *Folder) sums() sums {
	out := sums{}
	for _, x := range f.files {
		if name, err := filepath.Rel(f.dir, x.Path); err == nil && x.Path != f.sign {
			out.add(filepath.ToSlash(name), sumOf(x.Bytes))
		}
	}
	return out
}

// begin checks the paths of the files. It then lists the old files and the new ones together, so
// that after any interruption the next report knows which files come from reports. It returns the
// old files.
func (f *Folder) begin(fsys disk.FS) (before sums, err error) {
	if err := unlinked(fsys, f.dir); err != nil {
		return nil, err
	}
	before, err = readSums(fsys, f.dir)
	if err != nil {
		return nil, err
	}
	both := f.sums()
	var found []string
	for _, name := range slices.Sorted(maps.Keys(both)) {
		now, err := there(fsys, f.dir, name)
		if err != nil {
			return nil, err
		}
		if !before.ours(name, now) && !both.ours(name, now) {
			found = append(found, name)
		}
	}
	if err := occupied(f.dir, found); err != nil && !f.force {
		return nil, err
	}
	for name, all := range before {
		for _, sum := range all {
			both.add(name, sum)
		}
	}
	return before, both.put(fsys, f.dir)
}

// end removes old files that are not part of the report and that nobody has changed, and then
// writes the list of the report's files.
func (f *Folder) end(fsys disk.FS, before sums) error {
	now := f.sums()
	var touched []string
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if now[name] != nil {
			continue
		}
		sum, err := there(fsys, f.dir, name)
		if err != nil {
			return err
		}
		if sum == "" || !before.ours(name, sum) {
			continue
		}
		path := filepath.Join(f.dir, filepath.FromSlash(name))
		if err := fsys.Remove(path); err != nil {
			return fmt.Errorf("reports: %w", err)
		}
		touched = append(touched, filepath.Dir(path))
	}
	for _, dir := range slices.Compact(touched) { // else a power cut may bring a file back that no list has
		if err := fsys.SyncDir(dir); err != nil {
			return fmt.Errorf("reports: %w", err)
		}
	}
	return now.put(fsys, f.dir)
}
