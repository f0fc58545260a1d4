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
	"ogdl/reports/page"
	"ogdl/reports/plots"
	"ogdl/reports/table"
)

// Folder is what the report of a run will leave in a folder: all files, in memory, until [Folder.Write] puts them
// there. The same tables, figures and pages give the same bytes.
type Folder struct {
	dir   string
	files []disk.Data
	sign  string // see [Folder.Sign]
	// listed folders have a [SumsFile]; with force files of others are replaced.
	listed, force bool
	// There may be no file twice, nor a table.
	named map[string]bool
}

// NewFolder begins a report in the folder dir, which need not be there.
func NewFolder(dir string) *Folder { return &Folder{dir: dir, named: map[string]bool{}} }

// Tables adds every table in the folder sub ("" for the report's own) as NAME.txt, NAME.md, NAME.csv and NAME.tex; a list (see
// [Table]) as NAME.csv alone. Names that could leave the folder, or come twice, are errors.
func (f *Folder) Tables(sub string, tabs []table.Table) error {
	for _, t := range tabs {
		if !plots.FileName(t.Name) {
			return fmt.Errorf("reports: table name %q: want lower-case letters, digits, _ and -", t.Name)
		}
		base := filepath.Join(f.dir, sub, t.Name)
		if f.named[base] {
			return fmt.Errorf("reports: two tables are named %q", t.Name)
		}
		f.named[base] = true
		for _, form := range table.Forms() {
			if t.List && form.Ending != table.CSVEnding {
				continue
			}
			var b bytes.Buffer
			if err := form.Render(&b, t); err != nil {
				return fmt.Errorf("reports: table %s as %s: %w", t.Name, form.Ending[1:], err)
			}
			f.files = append(f.files, disk.Data{Path: base + form.Ending, Bytes: b.Bytes()})
		}
	}
	return nil
}

// AddCSV adds a table as CSV by its name in the folder; one that comes twice is an error.
func (f *Folder) AddCSV(name string, t table.Table) error {
	if f.named[name] {
		return fmt.Errorf("reports: two tables are named %q", name)
	}
	f.named[name] = true
	var b bytes.Buffer
	if err := table.CSV(&b, t); err != nil {
		return fmt.Errorf("reports: table %s: %w", t.Name, err)
	}
	f.Add(name, b.Bytes())
	return nil
}

// Add adds a file by its name in the folder.
func (f *Folder) Add(name string, data []byte) {
	f.files = append(f.files, disk.Data{Path: filepath.Join(f.dir, name), Bytes: data})
}

// Sign adds a file that is in the folder from before the first of the others takes its place until the last has: where a kill, or an
// error, comes between, it stays, and tells that the files may not belong together.
func (f *Folder) Sign(name, text string) {
	f.sign = filepath.Join(f.dir, name)
	f.files = slices.Insert(f.files, 0, disk.Data{Path: f.sign, Bytes: []byte(text)})
}

// List makes the folder keep a [SumsFile]. Files of the last report that are not part of this one,
// and that nobody has changed, are removed. If a file of other origin has the name of a file of
// this report, [Folder.Write] returns an error or, with force, replaces it. Without List nothing is
// removed, and every file is replaced.
func (f *Folder) List(force bool) { f.listed, f.force = true, force }

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
	var before sums
	if f.listed {
		var err error
		if before, err = f.begin(fsys); err != nil {
			return err
		}
	}
	files := slices.Clone(f.files)
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
		if err := fsys.Remove(f.sign); err != nil {
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
	old, err := contentOf(fsys, f.Path)
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
		f.files = append(f.files, disk.Data{Path: filepath.Join(f.dir, x.sub, IndexPage), Bytes: b.Bytes()})
	}
	f.files = append(f.files, disk.Data{Path: filepath.Join(f.dir, ConfigFile), Bytes: []byte(p.Config)})
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

// Draw adds the figures in the folder figures of sub, as [plots.Files] says. Without figures the folder is not made. It returns the figures for the page. A figure
// that cannot be drawn is an error, after the others have been added. The end of the context is an error too.
func (f *Folder) Draw(ctx context.Context, sub string, figs []plots.Figure) (shownPage []page.Figure, err error) {
	dir := filepath.Join(f.dir, sub, figuresFolder)
	var problems []error
	written := map[string]bool{}
	for _, figure := range figs {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var names []string
		drawn, err := plots.Files(figure)
		if err != nil {
			problems = append(problems, fmt.Errorf("reports: %w", err))
			continue
		}
		for _, x := range drawn {
			if written[x.Name] {
				problems = append(problems, fmt.Errorf("reports: two figures write %s", x.Name))
				continue
			}
			written[x.Name] = true
			names = append(names, figuresFolder+"/"+x.Name)
			if x.Name == figure.Name+".svg" {
				shownPage = append(shownPage, page.Figure{Title: figure.Title, Alt: figure.Alt, SVG: template.HTML(x.Data)})
			}
			f.files = append(f.files, disk.Data{Path: filepath.Join(dir, x.Name), Bytes: x.Data})
		}
		if n := len(shownPage); n > 0 && shownPage[n-1].Files == nil {
			shownPage[n-1].Files = names
		}
	}
	return shownPage, errors.Join(problems...)
}

// figuresFolder is where the figures of a folder of tables are.
const figuresFolder = "figures"
