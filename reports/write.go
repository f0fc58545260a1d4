package reports

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"slices"

	"ogdl/internal/disk"
	"ogdl/internal/guard"
	"ogdl/reports/page"
	"ogdl/reports/plots"
	"ogdl/reports/table"
)

// Folder is what the report of a run will leave in a folder: all files, in memory, until [Folder.Write] puts them
// there. The same tables, figures and pages give the same bytes.
type Folder struct {
	dir   string
	files []disk.Data // with their names in the folder as paths, with slashes
	sign  string      // the name of one, see [Folder.Sign]
	// listed folders have a [SumsFile]; with force files of others are replaced.
	listed, force bool
	by            string
}

// NewFolder begins a report in the folder dir, which need not be there.
func NewFolder(dir string) *Folder { return &Folder{dir: dir} }

// Add adds a file by its name in the folder. [Folder.Write] returns an error if two files have one name.
func (f *Folder) Add(name string, data []byte) {
	f.files = append(f.files, disk.Data{Path: filepath.ToSlash(filepath.Clean(name)), Bytes: data})
}

// path returns where a file is, by its name in the folder.
func (f *Folder) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

// Tables adds every table in the folder sub ("" for the report's own) in all of its forms, such as NAME.txt and NAME.csv. Names that
// could leave the folder are errors.
func (f *Folder) Tables(sub string, tabs []table.Table) error {
	for _, t := range tabs {
		if !plots.FileName(t.Name) {
			return fmt.Errorf("reports: table name %q: want lower-case letters, digits, _ and -", t.Name)
		}
		for _, form := range t.Forms() {
			if err := f.AddTable(filepath.Join(sub, t.Name+form.Ending), form, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// AddTable adds a table in one form, by the name of the file in the folder.
func (f *Folder) AddTable(name string, as table.Form, t table.Table) error {
	var b bytes.Buffer
	if err := as.Render(&b, t); err != nil {
		return fmt.Errorf("reports: table %s: %w", name, err)
	}
	f.Add(name, b.Bytes())
	return nil
}

// Sign adds a file that is in the folder from before the first of the others takes its place until the last has: where a kill, or an
// error, comes between, it stays, and tells that the files may not belong together.
func (f *Folder) Sign(name, text string) {
	f.sign = name
	f.files = slices.Insert(f.files, 0, disk.Data{Path: name, Bytes: []byte(text)})
}

// List makes the folder keep a [SumsFile]. Files of the last report that are not part of this one,
// and that nobody has changed, are removed. If a file of other origin has the name of a file of
// this report, [Folder.Write] returns an error or, with force, replaces it. by is the command with force, for
// the error. Without List nothing is removed, and every file is replaced.
func (f *Folder) List(force bool, by string) { f.listed, f.force, f.by = true, force, by }

// Write writes the files. Each is written under a temporary name and synced; when all are written,
// they are renamed. So a reader never sees half a file, and a full disk or the end of the context
// leaves the old report unchanged. After the first rename the context has no effect. Existing
// figures and clusters that are equal are not written again. Temporary files that killed processes
// have left are removed. Errors come from [Folder.List], the file system and the context.
func (f *Folder) Write(ctx context.Context) error { return f.writeOn(ctx, disk.OS{}) }

func (f *Folder) writeOn(ctx context.Context, fsys disk.FS) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	files, names := slices.Clone(f.files), map[string]bool{}
	for i, x := range f.files {
		if files[i].Path = f.path(x.Path); names[x.Path] {
			return fmt.Errorf("reports: two files are named %s", files[i].Path)
		}
		names[x.Path] = true
	}
	var before sums
	if f.listed {
		var err error
		if before, err = f.begin(fsys); err != nil {
			return err
		}
	}
	slices.SortStableFunc(files, func(a, b disk.Data) int { return cmp.Compare(filepath.Dir(a.Path), filepath.Dir(b.Path)) })
	for i, x := range files {
		if dir := filepath.Dir(x.Path); i == 0 || dir != filepath.Dir(files[i-1].Path) {
			_, _ = disk.Sweep(fsys, dir, disk.Abandoned) // what cannot be removed is in nobody's way
		}
	}
	same := func(x disk.Data) bool {
		folder := filepath.Base(filepath.Dir(x.Path))
		return (folder == figuresFolder || folder == ClustersFolder) && holds(fsys, x)
	}
	if err := disk.PutUntil(ctx, fsys, f.sign != "", slices.DeleteFunc(files, same)...); err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	if f.sign != "" {
		if err := fsys.Remove(f.path(f.sign)); err != nil {
			return fmt.Errorf("reports: %w", err)
		}
	}
	if f.listed {
		return f.end(fsys, before)
	}
	return nil
}

// holds reports whether the file is there already.
func holds(fsys disk.FS, f disk.Data) bool {
	old, err := contentOf(fsys, f.Path, int64(len(f.Bytes))+1)
	return err == nil && bytes.Equal(old, f.Bytes)
}

// Pages adds the run's page, index.html, the page of its durations, timings/index.html, and the
// configuration's text. Each page is one file that needs no other file and no network. The first
// depends only on the configuration, the records and the figures, so equal ones give equal bytes.
// All durations are on the second.
func (f *Folder) Pages(p page.Page) error {
	for _, x := range []struct {
		sub    string
		render func(io.Writer, page.Page) error
	}{{"", page.HTML}, {TimingsFolder, page.TimingsHTML}} {
		var b bytes.Buffer
		if err := x.render(&b, p); err != nil {
			return err
		}
		f.Add(filepath.Join(x.sub, IndexPage), b.Bytes())
	}
	f.Add(ConfigFile, []byte(p.Config))
	return nil
}

// IndexPage is the name of both pages that [Folder.Pages] adds, in the folder and
// in its folder timings.
const IndexPage = "index.html"

// TimingsFolder is the folder of all files with durations, in a report's folder. They differ from
// run to run; the files outside it are equal byte for byte.
const TimingsFolder = "timings"

// ConfigFile is where [Folder.Pages] keeps the text of the configuration, in the folder.
const ConfigFile = "configuration.toml"

// Draw adds the figures in the folder figures of sub, as [plots.Files] says. Without figures the folder is not made. It returns the figures
// for the page. A figure that cannot be drawn is an error, after the others have been added. The end of the context and a panic are errors too.
func (f *Folder) Draw(ctx context.Context, sub string, figs []plots.Figure) (onPage []page.Figure, err error) {
	defer guard.Shown(&err)
	var problems []error
	for _, figure := range figs {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		drawn, err := plots.Files(figure)
		if err != nil {
			problems = append(problems, fmt.Errorf("reports: %w", err))
			continue
		}
		shown := page.Figure{Title: figure.Title, Alt: figure.Alt}
		for _, x := range drawn {
			name := figuresFolder + "/" + x.Name
			if shown.Files = append(shown.Files, name); filepath.Ext(name) == ".svg" {
				shown.SVG = template.HTML(x.Data)
			}
			f.Add(filepath.Join(sub, name), x.Data)
		}
		onPage = append(onPage, shown)
	}
	return onPage, errors.Join(problems...)
}

// figuresFolder is where the figures of a folder of tables are.
const figuresFolder = "figures"
