package reports

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"

	"ogdl/internal/disk"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/reports/plots"
)

// Figures turns the records of a run into the figures of its kind, and into tables of what
// the figures show (correlations, delays). arrays gives what a cell stored beside its record, by the record's id; it
// is asked only for cells that a figure draws. The figures depend on records and arrays alone: the same
// ones give the same bytes. Where a cell is missing the figure says so in a note, or is left out. Errors:
// arrays that cannot be read or are not what the figure's method writes; the
// figures and tables that can be drawn all the same are returned beside the error.
func Figures(spec Spec, recs []record.Record, arrays func(id string) ([]npz.Array, error)) (stable []plots.Figure, tables []Table, err error) {
	switch spec.Table {
	case FigureAtoms:
		return atomsFigures(spec, recs, arrays)
	case FigureSimplex:
		return simplexFigures(spec, recs, arrays)
	case FigureInterpolation:
		return interpolationFigures(spec, recs, arrays)
	case FigureDistances:
		return distancesFigures(spec, recs, arrays)
	case FigureWeights:
		return weightsFigures(spec, recs, arrays)
	case FigureOnline:
		stable, tables, err = onlineFigures(spec, recs, arrays)
	case TableRuntimes, TableDatasets:
	default:
		stable = sweepFigures(spec, recs)
	}
	return stable, tables, err
}

// TimedFigures are the figures that hold durations: they differ from run to run and belong
// into a folder of their own. blocks are what the products cost that the records rest on.
func TimedFigures(spec Spec, recs []record.Record, timings []record.Timing, blocks []record.BlockTiming) []plots.Figure {
	switch spec.Table {
	case TableRuntimes, TableDatasets:
		return nil
	}
	if IsFigure(spec.Table) {
		return nil
	}
	return timeFigures(spec, recs, timings, blocks)
}

// figuresFolder is where the figures of a folder of tables are.
const figuresFolder = "figures"

// figureEndings are those of the files that [WriteFigures] writes and clears away.
func figureEndings() []string { return []string{".svg", ".png", ".pdf", ".csv"} }

// WriteFigures draws the figures into dir/figures, as [plots.Files] says, and removes from there the
// files of figures that are no longer drawn; without figures the folder is not made. Files appear whole, as with
// [Write]. It returns the figures for the page. A figure that cannot be drawn is an error, after the others have been written.
func WriteFigures(dir string, figures []plots.Figure) (page []Figure, err error) {
	dir = filepath.Join(dir, figuresFolder)
	var files []disk.Data
	var problems []error
	written := map[string]bool{}
	for _, f := range figures {
		drawn, err := plots.Files(f)
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
			if x.Name == f.Name+".svg" {
				page = append(page, Figure{Title: f.Title, Alt: f.Alt, SVG: string(x.Data)})
			}
			files = append(files, disk.Data{Path: filepath.Join(dir, x.Name), Bytes: x.Data})
		}
	}
	return page, errors.Join(append(problems, putFigures(disk.OS{}, dir, files))...)
}

// putFigures makes these the figures of the folder dir.
func putFigures(fsys disk.FS, dir string, files []disk.Data) error {
	names := map[string]bool{}
	for _, f := range files {
		names[filepath.Base(f.Path)] = true
	}
	_, _ = disk.Sweep(fsys, dir) // what cannot be removed is in nobody's way
	if err := put(fsys, slices.DeleteFunc(files, func(f disk.Data) bool { return holds(fsys, f) })); err != nil {
		return err
	}
	entries, err := fsys.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reports: %w", err)
	}
	var problems []error
	for _, e := range entries {
		ending := filepath.Ext(e.Name())
		if !e.Type().IsRegular() || names[e.Name()] || !slices.Contains(figureEndings(), ending) ||
			!plots.FileName(e.Name()[:len(e.Name())-len(ending)]) {
			continue
		}
		if err := fsys.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
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
