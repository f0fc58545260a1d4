package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/run"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/ledger"
	"ogdl/internal/words"
	"ogdl/reports"
	"ogdl/reports/plots"
	"ogdl/reports/reproduction"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"ogdl/reports/tables"
)

// published returns the configurations of the page on the paper. If two fill one table, the first
// is used once it is complete.
func published() (parts []reproduction.Part) {
	for _, x := range []struct {
		part  reproduction.Part
		names string
	}{
		{reproduction.Part{Scores: true}, "clustering clustering_enzymes clustering_gw_kmeans classification classification_gin"},
		{reproduction.Part{Scores: true, Small: true}, "clustering-quick clustering_enzymes-quick clustering_gw_kmeans-quick classification-quick"},
		{reproduction.Part{}, "datasets runtimes figure_atoms figure_simplex figure_interpolation figure_distances figure_weights figure_online figure_sweeps"},
		{reproduction.Part{Choices: true}, "clustering_choices clustering_attributes_choices clustering_enzymes_choices clustering_paths_choices " +
			"clustering_rivals_choices clustering_gw_kmeans_choices classification_alpha_choices classification_gin_choices classification_gwf_choices classification_pscn_choices"},
		{reproduction.Part{Commands: true}, "clustering_released clustering_batches clustering_batches_text clustering_enzymes_batches"},
	} {
		for name := range strings.FieldsSeq(x.names) {
			x.part.Config = name
			parts = append(parts, x.part)
		}
	}
	return parts
}

// Names in the folder of a reproduction.
const (
	reproductionFolder = "reproduction"
	reasonsFile        = "reasons.toml"
	figurePrefix       = "figure_"      // of the names of configurations of figures
	tablesFile         = "tables.md"    // its tables
	cellsFile          = "cells.sum"    // the cells that it was drawn of, with the sums of their arrays
	authorsFile        = "released.csv" // runs of the authors' code
)

// verdictsVerb writes the comparison with the paper.
func verdictsVerb(p program, f *flag.FlagSet) action {
	o := newOptions("verdicts")
	docs := f.String("docs", "docs", "`folder` of reproduction.md, and of the folder reproduction")
	f.StringVar(&o.out, "out", o.out, "`folder` of a store that may have more than the ledger")
	o.add(f)
	return func(ctx context.Context, _ []string) error { return p.reproduce(ctx, o, *docs) }
}

// reproduce compares store and ledger with the paper. It writes reproduction.md to the folder docs,
// and tables and figures to docs/reproduction.
func (p program) reproduce(ctx context.Context, o *options, docs string) error {
	folder := filepath.Join(docs, reproductionFolder)
	for _, name := range reproduction.Pages() {
		page := filepath.Join(docs, filepath.FromSlash(name))
		if text, err := os.ReadFile(page); err == nil && !bytes.Contains(text, []byte(reproduction.Mark)) {
			return fmt.Errorf("%s: verdicts has not written this page, and would replace it: move it away, or give another -docs", page)
		}
	}
	o.ledger = cmp.Or(o.ledger, filepath.Join(folder, "ledger"))
	texts := map[string][]byte{}
	for _, name := range []string{reasonsFile, authorsFile} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		texts[name] = text
	}
	whole := reproduction.Page{Ledger: filepath.ToSlash(o.ledger), Reasons: string(texts[reasonsFile]), Authors: texts[authorsFile],
		ReasonsFile: filepath.ToSlash(filepath.Join(folder, reasonsFile))}
	kept, err := ledger.Open(o.ledger)
	if err != nil {
		return err
	}
	if kept.Len() == 0 {
		return fmt.Errorf("-ledger %s: no ledger there, or an empty one; ogdl ledger add %s %s makes one", o.ledger,
			words.Shell(o.out), words.Shell(o.ledger))
	}
	var written []*reports.Report
	for _, part := range published() {
		one := *o
		one.config, one.ledger = grid.Embedded+part.Config, ""
		j, err := p.open(&one)
		if err != nil {
			return err
		}
		grid := j.config.Cells()
		var added run.Added
		if err := added.Add(ctx, kept, j.config, grid, j.store); err != nil {
			return err
		}
		if err := errors.Join(added.Conflicts...); err != nil || added.Cells > 0 {
			return cmp.Or(err, fmt.Errorf("%s has %s of %s that the ledger lacks: ogdl ledger add %s %s comes first", j.store.Dir(),
				words.Plural(added.Cells, "cell", "cells"), part.Config, words.Shell(o.out), words.Shell(o.ledger)))
		}
		isFigure := strings.HasPrefix(j.config.Table, figurePrefix)
		remembered := isFigure && slices.ContainsFunc(grid, func(x *spec.Cell) bool { // by the ledger alone
			own, _ := j.store.Head(x.ID)
			return own == nil && kept.Has(x.ID)
		})
		j.store.Consult(kept)
		r, err := j.fill(ctx, &part, grid, folder)
		if err == nil && r != nil && isFigure {
			r, err = drawn(r, kept, grid, filepath.Join(folder, part.Config, cellsFile), remembered, p.stderr)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", part.Config, err)
		}
		whole.Parts = append(whole.Parts, part)
		if r != nil {
			written = append(written, r)
		}
	}
	if _, err := whole.Make(); err != nil { // before anything is written
		return err
	}
	for _, r := range written {
		if err := r.Write(ctx); err != nil {
			return err
		}
	}
	// Link the files in the folders: figures that need arrays may be from an earlier run.
	for i := range whole.Parts {
		part := &whole.Parts[i]
		paths, err := filepath.Glob(filepath.Join(folder, part.Config, "figures", "*.svg"))
		if err != nil {
			return err
		}
		for _, path := range paths {
			part.Figures = append(part.Figures, part.Config+"/figures/"+filepath.Base(path))
		}
		if grid.IsFile(filepath.Join(folder, part.Config, tablesFile)) {
			part.TablesFile = part.Config + "/" + tablesFile
		}
	}
	made, err := whole.Make()
	if err != nil {
		return err
	}
	f := reports.NewFolder(docs)
	for _, x := range made.Files {
		f.Add(x.Name, x.Data)
	}
	for _, t := range made.Tables {
		if err := f.AddTable(filepath.Join(reproductionFolder, t.Name+table.CSVEnding), table.AsCSV(), t); err != nil {
			return err
		}
	}
	for _, picture := range made.Pictures {
		drawn, err := plots.Files(picture)
		if err != nil {
			return err
		}
		for _, x := range drawn {
			f.Add(filepath.Join(reproductionFolder, x.Name), x.Data)
		}
	}
	if err := f.Write(ctx); err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "rest: tables and figures in %s\npage: %s\n", folder, filepath.Join(docs, reproductionFolder+".md"))
	return err
}

const drawAgain = "run the configuration without -ledger, then report again with its -out"

// drawn adds cells.sum, the list of a figure's cells, to its report. It returns nil, and the files
// stay, if only the ledger has some of the cells. It returns an error if the files were drawn from
// other cells than the ledger's.
func drawn(r *reports.Report, kept *ledger.Ledger, grid []*spec.Cell, path string, remembered bool, stderr io.Writer) (*reports.Report, error) {
	var list []string
	for _, x := range grid {
		if c, _ := kept.Find(x.ID); c != nil {
			list = append(list, c.Kept.NPZ+"  "+x.ID+"\n")
		}
	}
	slices.Sort(list)
	text := strings.Join(list, "")
	if !remembered {
		r.Add(cellsFile, []byte(text))
		return r, nil
	}
	before, err := os.ReadFile(path)
	switch _, absent := os.Stat(filepath.Dir(path)); {
	case errors.Is(absent, fs.ErrNotExist):
		fmt.Fprintf(stderr, "Warning: %s has no figure: the ledger has its cells, but not their arrays: %s\n", filepath.Base(filepath.Dir(path)), drawAgain)
		return nil, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && string(before) != text:
		err = fmt.Errorf("%s: the figure was drawn of other cells than the ledger has: %s", path, drawAgain)
	}
	return nil, err
}

// fill adds the results of a configuration to its part, and returns its report; nil where nothing of it has run.
func (j *job) fill(ctx context.Context, part *reproduction.Part, grid []*spec.Cell, folder string) (*reports.Report, error) {
	part.Cells = len(grid)
	var messages bytes.Buffer
	frame, warnings, err := frameOf(ctx, j.config, grid, j.store, &messages)
	nothing := errors.Is(err, errNothing)
	if err != nil && !nothing {
		return nil, err
	}
	if nothing || slices.ContainsFunc(frame.Rows, func(l *summary.Row) bool { return !l.Settled() }) {
		further := &run.Confirmation{}
		if !nothing {
			further.Chances = frame.Chances()
		} else if further, err = run.ConfirmationOf(ctx, j.config, run.RowsOf(j.config, grid), j.store, nil, nil); err != nil {
			return nil, err
		}
		rest, err := j.missing(ctx, &run.Selection{Cells: grid, Further: further})
		if err != nil {
			return nil, err
		}
		part.Left, part.MayBe = rest.CPUSeconds/3600, rest.MayBe.CPUSeconds/3600
	}
	if nothing {
		return nil, nil
	}
	if _, err := messages.WriteTo(j.stderr); err != nil {
		return nil, err
	}
	if part.Frame = frame; part.Commands {
		return nil, nil
	}
	if part.Choices {
		t := tables.Choices(frame)
		t.Name = part.Config // before the table is copied
		part.Tables = []table.Table{t}
		return nil, nil
	}
	r, err := reports.Render(ctx, filepath.Join(folder, part.Config), frame, reports.Options{Title: j.config.Title, Warnings: warnings, Arrays: j.arrays})
	if err != nil {
		return nil, err
	}
	part.Tables = r.Chief()
	// Of clusterings the paper's grid has the figures.
	figured, markdown := !part.Small || frame.Table == summary.TableClassification, ""
	if strings.HasPrefix(part.Config, figurePrefix) {
		part.Tables = nil
	}
	if strings.HasPrefix(frame.Table, figurePrefix) {
		markdown = tablesFile
	}
	return r, r.Reduce(figured, markdown)
}
