package reproduction

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// rest writes the page of runs: commands, hours, states of the code, then tables and figures.
func (p *Page) rest(b *page, commits map[string]string, fail func(error)) {
	b.w("\nThese commands make the tables from the ledger, and compute nothing. With `run` instead of `report` they compute the missing cells.\n\n```sh\n")
	for _, part := range p.Parts {
		b.w("go run ./experiments report -config %s -ledger %s\n", part.Config, p.Ledger)
	}
	b.w("```\n")
	for _, note := range p.Notes {
		b.w("\n%s\n", note)
	}
	fail(b.show(nil, p.runs()))
	b.w("\n## States of the code\n")
	codes := p.codes(commits)
	var rows [][]string
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		rows = append(rows, []string{code, fmt.Sprint(codes[code])})
	}
	b.grid("state of the code | cells", rows)
	for _, part := range p.Parts {
		if part.Choices || len(part.Tables)+len(part.Figures) == 0 && part.TablesFile == "" {
			continue
		}
		b.w("\n## %s\n", escape(part.Config))
		if part.TablesFile != "" {
			b.w("\n[Tables of %s](%s)\n", escape(part.Config), part.TablesFile)
		}
		fail(b.show(nil, part.Tables...))
		b.w("\n")
		for _, path := range part.Figures {
			b.w("![%s](%s)\n", strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".svg"), path)
		}
	}
}

// runs lists the cells and hours of each configuration.
func (p *Page) runs() table.Table {
	t := table.Table{Columns: table.Columns{
		{Title: "configuration", Key: true}, {Title: "cells", Right: true}, {Title: "done", Right: true},
		{Title: "hours of one core", Right: true}, {Title: "hours left", Right: true},
	}}
	for _, part := range p.Parts {
		done, hours, left := 0, table.Cell{}, table.Cell{}
		if part.Frame != nil {
			var seconds float64
			products := map[string]bool{}
			for r := range part.Frame.All() {
				if !r.OK() {
					continue
				}
				if !r.Confirm {
					done++
				}
				if r.Timing != nil {
					seconds += summary.Processor(r.Timing.CPUSeconds, r.Timing.Seconds)
				}
				for _, u := range r.Record.Products {
					products[u.ID] = true
				}
			}
			_, cpu, _ := part.Frame.ProductCost(products)
			hours = table.Num((seconds+cpu)/3600, 2)
		}
		if done < part.Cells {
			left = table.Num(part.Left, 2)
		}
		t.Add(table.Txt(part.Config), table.Int(part.Cells), table.Int(done), hours, left)
	}
	t.Note("Cells and done are of the grid. Hours are processor time of cells, of re-runs and of shared matrices. Hours " +
		"left are what plan expects of the missing cells.")
	return t
}

// codes counts the cells of each state of the code, by the commit that the file of reasons names
// for the digest of its sources, or that its build knew.
func (p *Page) codes(commits map[string]string) map[string]int {
	codes := map[string]int{}
	for _, part := range p.Parts {
		if part.Frame == nil {
			continue
		}
		for r := range part.Frame.All() {
			if r.OK() {
				by := r.Record.Provenance
				codes[codeOf(cmp.Or(commits[by.Sources], by.Revision), by.Code())]++
			}
		}
	}
	return codes
}

// codeOf names the code of a cell by its commit or, where that is not known, by what else names it.
func codeOf(commit, other string) string {
	commit, modified := strings.CutSuffix(commit, "+modified")
	if commit == "" {
		return cmp.Or(other, "not known")
	}
	commit = "commit " + commit[:min(len(commit), 7)]
	if modified {
		commit += ", changed"
	}
	return commit
}

// missing lists the methods that lack cells, with the data sets on which they do.
func (p *Page) missing() table.Table {
	t := table.Table{Columns: table.Columns{
		{Title: "configuration", Key: true}, table.Method, {Title: "data sets"}, {Title: "cells", Right: true},
		{Title: "missing", Right: true},
	}}
	for _, part := range p.Parts {
		if part.Frame == nil {
			t.Add(table.Txt(part.Config), table.Txt("all"), table.Txt("all"), table.Int(part.Cells), table.Int(part.Cells))
			continue
		}
		type of struct {
			datasets       []string
			cells, missing int
		}
		lacking, methods := map[string]*of{}, []string{}
		for _, row := range part.Frame.Rows {
			cells, missing := 0, 0
			for r := range row.Runs() {
				if cells++; !r.OK() {
					missing++
				}
			}
			if missing == 0 {
				continue
			}
			if lacking[row.Method] == nil {
				lacking[row.Method] = &of{}
				methods = append(methods, row.Method)
			}
			x := lacking[row.Method]
			x.datasets, x.cells, x.missing = append(x.datasets, row.Dataset), x.cells+cells, x.missing+missing
		}
		for _, m := range methods {
			x := lacking[m]
			t.Add(table.Txt(part.Config), table.Txt(m), table.Txt(strings.Join(x.datasets, ", "+
				"")), table.Int(x.cells), table.Int(x.missing))
		}
	}
	return t
}
