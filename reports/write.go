package reports

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"

	"ogdl/internal/disk"
	"ogdl/reports/plots"
)

// textWidth is the line width of the text files, which unlike a terminal's is
// fixed: the same records give the same bytes.
const textWidth = 120

// Folder is what the report of a run will leave in a folder: all files, in memory, until [Folder.Write] puts them
// there. The same tables, figures and pages give the same bytes.
type Folder struct {
	dir   string
	files []disk.Data
	stale []string // files of earlier reports that are no part of this one
	drawn []string // folders of figures, whose other figures go
	// There may be no file twice, nor a table.
	tables map[string]bool
}

// NewFolder begins a report in the folder dir, which need not be there.
func NewFolder(dir string) *Folder { return &Folder{dir: dir, tables: map[string]bool{}} }

// Tables adds every table in the folder sub ("" for the report's own) as NAME.txt, NAME.md, NAME.csv and NAME.tex; a list (see
// [Table]) as NAME.csv alone, other forms of it from an earlier report being removed. Names
// that could leave the folder, or come twice, are errors.
func (f *Folder) Tables(sub string, tables []Table) error {
	for _, t := range tables {
		if !plots.FileName(t.Name) {
			return fmt.Errorf("reports: table name %q: want lower-case letters, digits, _ and -", t.Name)
		}
		base := filepath.Join(f.dir, sub, t.Name)
		if f.tables[base] {
			return fmt.Errorf("reports: two tables are named %q", t.Name)
		}
		f.tables[base] = true
		for _, form := range forms() {
			if t.List && form.ending != csvEnding {
				f.stale = append(f.stale, base+form.ending)
				continue
			}
			var b bytes.Buffer
			if err := form.render(&b, t); err != nil {
				return fmt.Errorf("reports: table %s as %s: %w", t.Name, form.ending[1:], err)
			}
			f.files = append(f.files, disk.Data{Path: base + form.ending, Bytes: b.Bytes()})
		}
	}
	return nil
}

// Write puts the files into their places. Each is written beside its place, synced and renamed into it, the
// first when all are written: a reader never meets half a file, and neither a full disk nor the end of the context
// touches the old report; once the first file is in its place the context plays no part. Figures that are there already are
// let be; figures and forms of tables that are no part of this report are removed, as are temporary
// files that killed processes have left.
// Errors: those of the file system and the context's.
func (f *Folder) Write(ctx context.Context) error { return f.writeOn(ctx, disk.OS{}) }

func (f *Folder) writeOn(ctx context.Context, fsys disk.FS) error {
	files := slices.Clone(f.files)
	slices.SortStableFunc(files, func(a, b disk.Data) int { return cmp.Compare(filepath.Dir(a.Path), filepath.Dir(b.Path)) })
	for i, x := range files {
		if dir := filepath.Dir(x.Path); i == 0 || dir != filepath.Dir(files[i-1].Path) {
			_, _ = disk.Sweep(fsys, dir) // what cannot be removed is in nobody's way
		}
	}
	there := func(x disk.Data) bool { return slices.Contains(f.drawn, filepath.Dir(x.Path)) && holds(fsys, x) }
	if err := disk.PutUntil(ctx, fsys, slices.DeleteFunc(files, there)...); err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	var problems []error
	stale := slices.Clone(f.stale)
	for _, dir := range f.drawn {
		others, err := f.otherFigures(fsys, dir)
		stale, problems = append(stale, others...), append(problems, err)
	}
	for _, path := range stale {
		if err := fsys.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			problems = append(problems, fmt.Errorf("reports: %w", err))
		}
	}
	return errors.Join(problems...)
}

// holds tells whether the file is there already.
func holds(fsys disk.FS, f disk.Data) bool {
	file, err := fsys.Open(f.Path)
	if err != nil {
		return false
	}
	defer file.Close()
	old, err := io.ReadAll(file)
	return err == nil && bytes.Equal(old, f.Bytes)
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

// exact is the shortest decimal that reads back as v.
func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
