package reports

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"ogdl/internal/disk"
	"ogdl/reports/plots"
)

// textWidth is the line width of the text files, which unlike a terminal's is
// fixed: the same records give the same bytes.
const textWidth = 120

// Write puts every table into the folder dir (made if it is not there) as
// NAME.txt, NAME.md, NAME.csv and NAME.tex; a list (see [Table]) as NAME.csv alone, other
// forms of it from an earlier run being removed. Each file is written beside its
// place, synced and renamed into it, the first when all are written: a reader never
// meets half a table, and a full disk leaves the old ones. Temporary files that killed
// processes left in the folder are removed. The same tables give the same bytes. Names
// that could leave the folder, or come twice, are errors, found before anything is written.
func Write(dir string, tables []Table) error {
	files, err := tableFiles(dir, tables)
	if err != nil {
		return err
	}
	if err := put(disk.OS{}, files); err != nil {
		return err
	}
	for _, t := range tables {
		for _, f := range forms() {
			if t.List && f.ending != csvEnding {
				if err := os.Remove(filepath.Join(dir, t.Name+f.ending)); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return fmt.Errorf("reports: %w", err)
				}
			}
		}
	}
	return nil
}

// form is one way to write a table.
type form struct {
	ending string
	render func(io.Writer, Table) error
}

const csvEnding = ".csv"

func forms() []form {
	return []form{
		{".txt", func(w io.Writer, t Table) error { return Terminal(w, t, textWidth) }},
		{".md", Markdown},
		{csvEnding, CSV},
		{".tex", LaTeX},
	}
}

// tableFiles are the files of tables in the folder dir.
func tableFiles(dir string, tables []Table) ([]disk.Data, error) {
	seen := map[string]bool{}
	for _, t := range tables {
		if !plots.FileName(t.Name) {
			return nil, fmt.Errorf("reports: table name %q: want lower-case letters, digits, _ and -", t.Name)
		}
		if seen[t.Name] {
			return nil, fmt.Errorf("reports: two tables are named %q", t.Name)
		}
		seen[t.Name] = true
	}
	var files []disk.Data
	for _, t := range tables {
		for _, f := range forms() {
			if t.List && f.ending != csvEnding {
				continue
			}
			var b bytes.Buffer
			if err := f.render(&b, t); err != nil {
				return nil, fmt.Errorf("reports: table %s as %s: %w", t.Name, f.ending[1:], err)
			}
			files = append(files, disk.Data{Path: filepath.Join(dir, t.Name+f.ending), Bytes: b.Bytes()})
		}
	}
	return files, nil
}

// put puts files in their places and removes what killed runs have left beside them.
func put(fsys disk.FS, files []disk.Data) error {
	for i, f := range files {
		if dir := filepath.Dir(f.Path); i == 0 || dir != filepath.Dir(files[i-1].Path) {
			_, _ = disk.Sweep(fsys, dir) // what cannot be removed is in nobody's way
		}
	}
	if err := disk.Put(fsys, files...); err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	return nil
}

// exact is the shortest decimal that reads back as v.
func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
