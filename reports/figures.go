package reports

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"ogdl/internal/disk"
	"ogdl/internal/npz"
	"ogdl/reports/plots"
)

// Figures turns what the cells of a run left into the figures of its kind, and into tables of what
// the figures show (correlations, delays). arrays gives what a cell stored beside its record, by the record's id; it
// is asked only for cells that a figure draws. The figures depend on records and arrays alone: the same
// ones give the same bytes. Where a cell is missing the figure says so in a note, or is left out. Errors:
// arrays that cannot be read or are not what the figure's method writes; the
// figures and tables that can be drawn all the same are returned beside the error.
func Figures(f *Frame, arrays func(id string) ([]npz.Array, error)) (stable []plots.Figure, tables []Table, err error) {
	switch f.Table {
	case FigureAtoms:
		return atomsFigures(f, arrays)
	case FigureSimplex:
		return simplexFigures(f, arrays)
	case FigureInterpolation:
		return interpolationFigures(f, arrays)
	case FigureDistances:
		return distancesFigures(f, arrays)
	case FigureWeights:
		return weightsFigures(f, arrays)
	case FigureOnline:
		stable, tables, err = onlineFigures(f, arrays)
	case TableRuntimes, TableDatasets:
	default:
		stable = sweepFigures(f.lines)
	}
	return stable, tables, err
}

// TimedFigures are the figures that hold durations: they differ from run to run and belong
// into a folder of their own.
func TimedFigures(f *Frame) []plots.Figure {
	switch f.Table {
	case TableRuntimes, TableDatasets:
		return nil
	}
	if IsFigure(f.Table) {
		return nil
	}
	return timeFigures(f)
}

// figuresFolder is where the figures of a folder of tables are.
const figuresFolder = "figures"

// figureEndings are those of the files that [Folder.Draw] writes and clears away.
func figureEndings() []string { return []string{".svg", ".png", ".pdf", ".csv"} }

// Draw adds the figures in the folder figures of sub, as [plots.Files] says; the files of figures
// that are no longer drawn will be removed from there. Without figures the folder is not made. It returns the figures for the page. A figure
// that cannot be drawn is an error, after the others have been added. The end of the context is an error too.
func (f *Folder) Draw(ctx context.Context, sub string, figures []plots.Figure) (page []Figure, err error) {
	dir := filepath.Join(f.dir, sub, figuresFolder)
	f.drawn = append(f.drawn, dir)
	var problems []error
	written := map[string]bool{}
	for _, figure := range figures {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
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
			if x.Name == figure.Name+".svg" {
				page = append(page, Figure{Title: figure.Title, Alt: figure.Alt, SVG: string(x.Data)})
			}
			f.files = append(f.files, disk.Data{Path: filepath.Join(dir, x.Name), Bytes: x.Data})
		}
	}
	return page, errors.Join(problems...)
}

// otherFigures lists the figures in a folder that are not of this report.
func (f *Folder) otherFigures(fsys disk.FS, dir string) (others []string, err error) {
	_, _ = disk.Sweep(fsys, dir) // what cannot be removed is in nobody's way
	entries, err := fsys.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reports: %w", err)
	}
	for _, e := range entries {
		path, ending := filepath.Join(dir, e.Name()), filepath.Ext(e.Name())
		if e.Type().IsRegular() && slices.Contains(figureEndings(), ending) && plots.FileName(strings.TrimSuffix(e.Name(), ending)) &&
			!slices.ContainsFunc(f.files, func(x disk.Data) bool { return x.Path == path }) {
			others = append(others, path)
		}
	}
	return others, nil
}
