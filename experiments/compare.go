package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"ogdl/experiments/internal/compare"
	"ogdl/internal/record"
	"ogdl/internal/words"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

const compareHelp = "A and B are result folders. A row is a method on a data set with one set of parameters. It has moved " +
	"if the same cell has other numbers in B. It has also moved if another version of the method computed it and the means differ: the paired " +
	"interval over shared repetitions excludes 0, at 5 % shared out among the rows. -by epochs pairs rows that differ in epochs, if each folder " +
	"has one value. Rows of one folder alone are listed and do not count. Exit code 4: a row moved, or -bytes found a difference. Exit code 1: no " +
	"row is in both folders, or records cannot be used."

// compareVerb puts two result folders side by side.
func compareVerb(p program, f *flag.FlagSet) action {
	all := f.Bool("all", false, "list the rows that are the same, too")
	exact := f.Bool("bytes", false, "compare records without provenance, npz and clusters/ byte for byte, up to the first difference")
	across := f.String("by", "", "pair rows that differ in these `KEYS`, such as epochs, and show what the change does")
	return func(_ context.Context, args []string) error {
		if *exact && (*all || *across != "") {
			return errors.New("compare: -bytes compares files; it cannot be combined with -all or -by, which compare rows")
		}
		if *exact {
			items, sum, difference, err := compare.Bytes(args[0], args[1])
			switch {
			case err != nil:
				return fmt.Errorf("compare -bytes: %w", err)
			case difference != "":
				fmt.Fprintln(p.stdout, difference)
				return ended(exitMoved)
			}
			_, err = fmt.Fprintf(p.stdout, "the same bytes in %s: SHA-256 %x\n", words.Plural(items, "item", "items"), sum)
			return err
		}
		var sides [2]*compare.Side
		for i, dir := range args {
			store, err := record.Open(dir)
			if err == nil {
				sides[i], err = compare.Read(store)
			}
			if err != nil {
				return fmt.Errorf("compare %s: %w", dir, err)
			}
		}
		var by []string
		if *across != "" {
			by = strings.Split(*across, ",")
		}
		rows, err := compare.Of(sides[0], sides[1], by...)
		if err != nil {
			return fmt.Errorf("compare: %w", err)
		}
		t, moved := compared(rows, *across, *all)
		for i, dir := range args {
			t.Note(fmt.Sprintf("%c: %s, %s", 'A'+i, dir, words.Plural(sides[i].Len(), "record", "records")))
			for _, err := range sides[i].Unreadable {
				t.Note(fmt.Sprintf("left out of %c: %v", 'A'+i, err))
			}
		}
		if err := table.Terminal(p.stdout, t, widthOf(p.stdout)); err != nil {
			return err
		}
		switch {
		case moved:
			return ended(exitMoved)
		case !slices.ContainsFunc(rows, func(r *compare.Row) bool { return !r.Outcome.Missing() }):
			return errors.New("compare: no row is in both folders")
		case len(sides[0].Unreadable)+len(sides[1].Unreadable) > 0:
			return errors.New("compare: records that cannot be used are left out")
		}
		return nil
	}
}

// compared returns the table of a comparison across the keys of by, and whether a row moved.
func compared(rows []*compare.Row, by string, all bool) (t table.Table, moved bool) {
	t.Columns = table.Columns{
		table.Dataset, table.Method, {Title: by, Hidden: by == ""}, {Title: "outcome"}, {Title: "score"}, {Title: "A", Spread: true},
		{Title: "B", Spread: true}, {Title: "parameters"}, {Title: "B - A", Right: true}, {Title: "interval", Right: true},
		{Title: "repetitions", Right: true},
	}
	counts := map[compare.Outcome]int{}
	for from, to := 0, 0; from < len(rows); from = to {
		var params []summary.Params
		for to = from; to < len(rows) && rows[to].Dataset == rows[from].Dataset && rows[to].Method == rows[from].Method; to++ {
			params = append(params, rows[to].Params)
		}
		names := summary.Varying(params)
		for _, r := range rows[from:to] {
			counts[r.Outcome]++
			moved = moved || r.Outcome == compare.Moved
			if !all && r.Outcome == compare.Same {
				continue
			}
			v, a, b, difference := r.Version, r.Stats[0], r.Stats[1], table.Cell{}
			if a.N > 0 && b.N > 0 {
				difference = table.Diff(b.Mean - a.Mean)
			}
			method := r.Method + words.If(v[0] > 0 && v[1] > 0 && v[0] != v[1], ", version %d -> %d", v[0], v[1])
			outcome := r.Outcome.String() + words.If(r.Changed > 0, ": other numbers in %d of %d cells", r.Changed, r.Repetitions)
			interval := words.If(r.Difference.Known, "%+.2f .. %+.2f", r.Difference.Low, r.Difference.High)
			t.Add(r.Dataset, method, r.By[0]+" -> "+r.By[1], outcome, r.Score, a.Cell(""), b.Cell(""), r.Params.Describe(names), difference,
				interval, r.Repetitions)
		}
	}
	var parts []string
	for o := compare.OnlyB; o >= compare.Same; o-- {
		if n := counts[o]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, o))
		}
	}
	t.Note(words.Plural(len(rows), "row", "rows") + ": " + strings.Join(parts, ", ") + ".")
	if len(t.Rows) == 0 {
		t.Columns = nil
	}
	return t, moved
}
