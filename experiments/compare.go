package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"ogdl/experiments/internal/compare"
	"ogdl/internal/record"
	"ogdl/internal/words"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

const compareHelp = "A and B are folders that runs have had as -out. A row is a method on a data set with one set of parameters. It has moved " +
	"where a cell of one id has other numbers; where another version of the method computed it and the paired interval of B less A, over the " +
	"repetitions that both have, excludes 0 at 5 % shared out among the rows; or where one side lacks it. Exit code 4 if one has, " +
	"or if -bytes finds a difference."

// exitMoved says that a comparison found rows that moved.
const exitMoved = 4

// compareVerb puts two result folders side by side.
func compareVerb(_ program, f *flag.FlagSet) action {
	all := f.Bool("all", false, "list the rows that are the same, too")
	exact := f.Bool("bytes", false, "compare records without provenance, npz and clusters/ byte for byte, up to the first difference")
	return func(ctx context.Context, args []string, stdout io.Writer) (int, error) {
		if len(args) != 2 {
			return exitFatal, fmt.Errorf("compare: give two folders of results, as in compare A B; there are %d", len(args))
		}
		if *exact && *all {
			return exitFatal, errors.New("compare: -all lists rows, and -bytes compares files: give one of them")
		}
		if *exact {
			return sameBytes(ctx, args[0], args[1], stdout)
		}
		var sides [2]*compare.Side
		for i, dir := range args {
			store, err := record.Open(dir)
			if err != nil {
				return exitFatal, fmt.Errorf("compare %s: %w", dir, err)
			}
			if sides[i], err = untilDone(ctx, func() (*compare.Side, error) { return compare.Read(store) }); err != nil {
				return exitFatal, fmt.Errorf("compare %s: %w", dir, err)
			}
		}
		rows := compare.Of(sides[0], sides[1])
		t, moved := compared(rows, *all)
		for i, dir := range args {
			t.Note(fmt.Sprintf("%c: %s, %s", 'A'+i, dir, words.Plural(sides[i].Len(), "record", "records")))
			for _, err := range sides[i].Unreadable {
				t.Note(fmt.Sprintf("left out of %c: %v", 'A'+i, err))
			}
		}
		if t.Len() == 0 {
			t.Columns = nil
		}
		if err := table.Terminal(stdout, t, widthOf(stdout)); err != nil {
			return exitFatal, err
		}
		if moved > 0 {
			return exitMoved, nil
		}
		return exitOK, nil
	}
}

// sameBytes prints the first item that differs between two folders, or the one sum of equal folders.
func sameBytes(ctx context.Context, a, b string, stdout io.Writer) (int, error) {
	code := exitOK
	line, err := untilDone(ctx, func() (string, error) {
		items, sum, difference, err := compare.Bytes(a, b)
		if difference == "" {
			return fmt.Sprintf("the same bytes in %s: SHA-256 %x", words.Plural(items, "item", "items"), sum), err
		}
		code = exitMoved
		return difference, err
	})
	if err != nil {
		return exitFatal, fmt.Errorf("compare -bytes: %w", err)
	}
	fmt.Fprintln(stdout, line)
	return code, nil
}

// compared is the table of a comparison, with the number of rows that moved.
func compared(rows []*compare.Row, all bool) (t table.Table, moved int) {
	t.Columns = table.Columns("*data set", "*method", "outcome", "score", "~A", "~B", "parameters", ">B - A", ">interval", ">repetitions")
	counts := map[compare.Outcome]int{}
	for from, to := 0, 0; from < len(rows); from = to {
		var params []summary.Params
		for to = from; to < len(rows) && rows[to].Dataset == rows[from].Dataset && rows[to].Method == rows[from].Method; to++ {
			params = append(params, rows[to].Params)
		}
		names := summary.Varying(params)
		for _, r := range rows[from:to] {
			counts[r.Outcome]++
			if r.Outcome.Moved() {
				moved++
			}
			if !all && r.Outcome == compare.Same {
				continue
			}
			t.Add(table.Txt(r.Dataset), table.Txt(r.Method+versions(r)), table.Txt(outcome(r)), table.TextOrBlank(r.Score), orBlank(r.A), orBlank(r.B),
				table.Txt(r.Params.Describe(names)), meanDifference(r), interval(r.Difference), table.Int(r.Repetitions))
		}
	}
	var parts []string
	for _, o := range slices.Backward(compare.Outcomes()) {
		if n := counts[o]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, o))
		}
	}
	t.Note(words.Plural(len(rows), "row", "rows") + ": " + strings.Join(parts, ", ") + ".")
	return t, moved
}

// versions says which versions of a method stand behind a row.
func versions(r *compare.Row) string {
	if r.VersionA == r.VersionB || r.VersionA == 0 || r.VersionB == 0 {
		return ""
	}
	return fmt.Sprintf(", version %d -> %d", r.VersionA, r.VersionB)
}

func orBlank(s paper.Stat) table.Cell {
	if s.N == 0 {
		return table.Cell{}
	}
	return s.Cell("")
}

// meanDifference is that of the means, of rows that both sides have.
func meanDifference(r *compare.Row) table.Cell {
	if r.A.N == 0 || r.B.N == 0 {
		return table.Cell{}
	}
	return table.Diff(r.B.Mean - r.A.Mean)
}

func interval(i paper.Interval) table.Cell {
	if !i.Known {
		return table.Cell{}
	}
	return table.Txt(fmt.Sprintf("%+.2f .. %+.2f", i.Low, i.High))
}

// outcome says in words what became of a row.
func outcome(r *compare.Row) string {
	if r.Changed == 0 {
		return r.Outcome.String()
	}
	return fmt.Sprintf("%s: other numbers in %d of %d cells", r.Outcome, r.Changed, r.Repetitions)
}
