package reports

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

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
	case FigureSimplex:
	case FigureInterpolation:
	case FigureDistances:
	case FigureWeights:
	case FigureOnline:
	case TableRuntimes, TableDatasets:
	default:
		stable = sweepFigures(spec, recs)
	}
	return stable, tables, err
}

// TimedFigures are the figures that hold durations: they differ from run to run and belong
// into a folder of their own.
func TimedFigures(spec Spec, recs []record.Record, timings []record.Timing) []plots.Figure {
	switch spec.Table {
	case TableRuntimes, TableDatasets:
		return nil
	}
	if IsFigure(spec.Table) {
		return nil
	}
	return timeFigures(spec, recs, timings)
}

// figuresFolder is where the figures of a folder of tables are.
const figuresFolder = "figures"

// figureEndings are those of the files that [WriteFigures] writes and clears away.
func figureEndings() []string { return []string{".svg", ".png", ".pdf", ".csv"} }

// WriteFigures draws the figures into dir/figures, as [plots.Files] says, and removes from there the
// files of figures that are no longer drawn; without figures the folder is not made. Files appear whole, as with
// [Write]. A figure that cannot be drawn is an error, after the others have been written.
func WriteFigures(dir string, figures []plots.Figure) error {
	dir = filepath.Join(dir, figuresFolder)
	var problems []error
	written := map[string]bool{}
	for _, f := range figures {
		files, err := plots.Files(f)
		if err != nil {
			problems = append(problems, fmt.Errorf("reports: %w", err))
			continue
		}
		for _, x := range files {
			if written[x.Name] {
				problems = append(problems, fmt.Errorf("reports: two figures write %s", x.Name))
				continue
			}
			written[x.Name] = true
			if err := os.MkdirAll(dir, 0o777); err != nil {
				return fmt.Errorf("reports: %w", err)
			}
			path := filepath.Join(dir, x.Name)
			if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, x.Data) {
				continue
			}
			if err := replace(path, x.Data); err != nil {
				return fmt.Errorf("reports: %w", err)
			}
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reports: %w", err)
	}
	for _, e := range entries {
		ending := filepath.Ext(e.Name())
		if !e.Type().IsRegular() || written[e.Name()] || !slices.Contains(figureEndings(), ending) ||
			!plots.FileName(e.Name()[:len(e.Name())-len(ending)]) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
			problems = append(problems, fmt.Errorf("reports: %w", err))
		}
	}
	return errors.Join(problems...)
}
