package reports

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ogdl/internal/disk"
	"ogdl/reports/plots"
	"ogdl/reports/table"
)

// SumsFile lists the files that a report wrote into its folder, with the SHA-256 of each. The files of the folder timings are listed there: they
// differ from run to run.
const SumsFile = "files.sum"

// sumsHead tells the list from one that somebody else made.
const sumsHead = "# Files of a report. Another report replaces and removes them while they have these SHA-256 sums.\n"

// entry is a file of reports: its name, relative to the folder and with slashes, and the sum that a report gave it.
type entry struct{ name, sum string }

// sums are the entries of a folder's lists. While a report is written they have the files of the report before and of the
// new one, so that a file can have two sums.
type sums map[entry]bool

// sorted returns the entries by name, and of one name by sum.
func (s sums) sorted() []entry {
	return slices.SortedFunc(maps.Keys(s), func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.sum, b.sum))
	})
}

// lists are where a folder has its lists. The last decides whether there are any.
var lists = []string{TimingsFolder, ""}

// listed returns the folder, relative to the report's, whose list has the file.
func listed(name string) string {
	if strings.HasPrefix(name, TimingsFolder+"/") {
		return TimingsFolder
	}
	return ""
}

// text returns a list, sorted by name.
func (s sums) text(list string) []byte {
	b := bytes.NewBufferString(sumsHead)
	for _, e := range s.sorted() {
		if listed(e.name) == list {
			fmt.Fprintf(b, "%s  %s\n", e.sum, strings.TrimPrefix(strings.TrimPrefix(e.name, list), "/"))
		}
	}
	return b.Bytes()
}

// folders are those that a report writes to, relative to its own.
var folders = []string{"", figuresFolder, ClustersFolder, TimingsFolder, TimingsFolder + "/" + figuresFolder}

var sumsLine = regexp.MustCompile(`^([0-9a-f]{64})  (.+)$`)

// readSums reads the lists of a folder. A list that no report wrote is an error.
func readSums(fsys disk.FS, dir string) (sums, error) {
	s := sums{}
	for _, list := range lists {
		path := filepath.Join(dir, list, SumsFile)
		text, err := contentOf(fsys, path, math.MaxInt64)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("reports: %w", err)
		}
		lines, ours := strings.CutPrefix(string(text), sumsHead)
		if !ours {
			return nil, fmt.Errorf("reports: %s is not a list of files of a report: move it away", path)
		}
		for line := range strings.Lines(lines) {
			found := sumsLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
			if found == nil {
				return nil, fmt.Errorf("reports: %s: the line %q is not a sum and a name: move the file away", path, strings.TrimSpace(line))
			}
			name := strings.TrimPrefix(list+"/"+found[2], "/")
			if folder, file := filepath.Split(filepath.FromSlash(name)); filepath.IsLocal(file) &&
				slices.Contains(folders, strings.TrimSuffix(filepath.ToSlash(folder), "/")) && listed(name) == list {
				s[entry{name, found[1]}] = true
			}
		}
	}
	return s, nil
}

// contentOf returns the first bytes of a file, not more than most.
func contentOf(fsys disk.FS, path string, most int64) ([]byte, error) {
	f, err := fsys.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

func sumOf(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

// there returns the checksum of the file at a path: "" without a file, "-" for anything but a
// regular file.
func there(fsys disk.FS, path string) (sum string, err error) {
	info, err := fsys.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "-", nil
	}
	data, err := contentOf(fsys, path, math.MaxInt64)
	if err != nil {
		return "", err
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

// Listed reports whether a folder has a list of files of reports.
func Listed(dir string) bool {
	_, err := disk.OS{}.Stat(filepath.Join(dir, SumsFile))
	return err == nil
}

// Without says of a folder that holds files, but no list of files of reports, that they stay: "" of other folders.
func Without(dir string) string {
	if entries, _ := (disk.OS{}).ReadDir(dir); Listed(dir) || len(entries) == 0 {
		return ""
	}
	return fmt.Sprintf("%s has no %s, which says what reports wrote there: no file is removed from it", dir, SumsFile)
}

// ReportForce is the command that replaces any file that a report writes.
const ReportForce = "report -force"

// Occupied returns an error if a report might overwrite files in the folder dir that no report
// wrote, or that were changed since. The error names the files. Call it before computing anything.
// A symbolic link instead of a folder of the report is an error too, even with force. rows are the
// data sets of the report with their methods. by is the command that replaces the files, for the
// error; "" if none does. names are files that are written next to a report's own.
func Occupied(dir string, rows [][2]string, force bool, by string, names ...string) error {
	fsys := disk.OS{}
	if err := unlinked(fsys, dir); err != nil {
		return err
	}
	s, err := readSums(fsys, dir)
	if err != nil || force {
		return err
	}
	var found []string
	for _, folder := range folders {
		entries, err := fsys.ReadDir(filepath.Join(dir, filepath.FromSlash(folder)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("reports: %w", err)
		}
		for _, e := range entries {
			name := strings.TrimPrefix(folder+"/"+e.Name(), "/")
			if slices.Contains(folders, name) && e.IsDir() || !mayWrite(folder, e.Name(), rows) && !slices.Contains(names, name) {
				continue
			}
			sum, err := there(fsys, filepath.Join(dir, filepath.FromSlash(name)))
			if err != nil {
				return fmt.Errorf("reports: %w", err)
			}
			if !s[entry{name, sum}] {
				found = append(found, name)
			}
		}
	}
	return occupied(dir, found, by)
}

// occupied is the error about files of somebody else; nil without any.
func occupied(dir string, names []string, by string) error {
	if len(names) == 0 {
		return nil
	}
	text := filepath.Join(dir, filepath.FromSlash(names[0]))
	if n := len(names) - 1; n > 0 {
		text += fmt.Sprintf(" and %d more files there", n)
	}
	wayOn := "move it away, or give another -out"
	if by != "" {
		wayOn += ", or replace it by " + by
	}
	return fmt.Errorf("reports: no report wrote %s as it is now, and this one would replace it: %s", text, wayOn)
}

// Names of files of reports without their endings. A figure's name may go on after a -, with a data set or a parameter.
var (
	tableNames = regexp.MustCompile(`^(timings|timing_cells|atoms|atoms_repetitions|simplex|interpolation|distances|weights|` +
		`weights_graphs|runtimes_machine|(clustering(_enzymes|_gw_kmeans)?|classification|datasets|runtimes|figure_[a-z]+)` +
		`(_(choices|configurations|cells|careful|convergence|layout|unlabelled|pairs|no_attributes|discrete_attributes|` +
		`vectorial_attributes|change_points|alarms|held_out))?)$`)
	figureNames = regexp.MustCompile(`^(atoms|dictionary|paper|distances|weights|interpolation|simplex|online|inner_accuracy|split_by_split|time_accuracy|` +
		`time_quality|loss|sweep_[a-z0-9_]+|stability_[a-z0-9_]+)(-.*)?$`)
)

// mayWrite reports whether a report of these data sets and methods may write a file of that name into one of its folders.
func mayWrite(folder, name string, rows [][2]string) bool {
	ending := filepath.Ext(name)
	base := strings.TrimSuffix(name, ending)
	switch {
	case filepath.Base(folder) == figuresFolder:
		return slices.Contains([]string{".svg", ".png", ".pdf", table.CSVEnding}, ending) && figureNames.MatchString(base)
	case folder == ClustersFolder:
		return ending == table.CSVEnding && slices.ContainsFunc(rows, func(of [2]string) bool {
			set, method := plots.FileWord(of[0]), plots.FileWord(of[1])
			return set != "" && strings.HasPrefix(base, set+"-") || set == "" && strings.Contains("-"+base, "-"+method)
		})
	case name == IndexPage, folder == "" && name == ConfigFile:
		return true
	}
	return slices.Contains([]string{".txt", ".md", table.CSVEnding, ".tex"}, ending) && tableNames.MatchString(base)
}

// putSums writes the lists where they are not there already.
func putSums(fsys disk.FS, dir string, s sums) error {
	var files []disk.Data
	for _, list := range lists {
		x := disk.Data{Path: filepath.Join(dir, list, SumsFile), Bytes: s.text(list)}
		if list == "" || len(x.Bytes) > len(sumsHead) {
			files = append(files, x)
		}
	}
	return disk.PutUntil(context.Background(), fsys, true, slices.DeleteFunc(files, func(x disk.Data) bool { return holds(fsys, x) })...)
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
	var found []string
	both := sums{}
	for _, x := range f.files {
		sum := sumOf(x.Bytes)
		both[entry{x.Path, sum}] = true
		now, err := there(fsys, f.path(x.Path))
		if err != nil {
			return nil, fmt.Errorf("reports: %w", err)
		}
		if now != "" && now != sum && !before[entry{x.Path, now}] {
			found = append(found, x.Path)
		}
	}
	if err := occupied(f.dir, found, f.by); err != nil && !f.force {
		return nil, err
	}
	maps.Copy(both, before)
	if err := putSums(fsys, f.dir, both); err != nil {
		return nil, fmt.Errorf("reports: %w", err)
	}
	return before, nil
}

// end removes old files that are not part of the report and that nobody has changed, and then
// writes the lists of the report's files.
func (f *Folder) end(fsys disk.FS, before sums) error {
	now, named := sums{}, map[string]bool{}
	for _, x := range f.files {
		if x.Path != f.sign { // which does not stay
			now[entry{x.Path, sumOf(x.Bytes)}], named[x.Path] = true, true
		}
	}
	var touched []string
	for _, e := range before.sorted() {
		if named[e.name] {
			continue
		}
		path := f.path(e.name)
		sum, err := there(fsys, path)
		if err == nil && sum == e.sum {
			err, touched = fsys.Remove(path), append(touched, filepath.Dir(path))
		}
		if err != nil {
			return fmt.Errorf("reports: %w", err)
		}
	}
	for _, dir := range slices.Compact(touched) { // else a power cut may bring a file back that no list has
		if err := fsys.SyncDir(dir); err != nil {
			return fmt.Errorf("reports: %w", err)
		}
	}
	if err := putSums(fsys, f.dir, now); err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	return nil
}
