package page

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"ogdl/reports/summary"
	"ogdl/reports/table"
	"ogdl/reports/tables"
)

// latest returns the day of the latest run, 2006-01-02; "" where no time is known.
func latest(f *summary.Frame) string {
	var last time.Time
	for r := range f.All() {
		if r.Timing != nil && r.Timing.Started.After(last) {
			last = r.Timing.Started
		}
	}
	if last.IsZero() {
		return ""
	}
	return last.UTC().Format(time.DateOnly)
}

// provenance returns tables of the code, the methods and the data behind the records.
func provenance(f *summary.Frame) []table.Table {
	right := func(title string) table.Column { return table.Column{Title: title, Right: true} }
	code := tally(f, func(x summary.Run) [4]string {
		p := x.Record.Provenance
		return [4]string{p.Code(), p.Revision, p.GoVersion, p.GOARCH}
	}, table.Table{Name: "provenance", Title: "Code of the runs",
		Columns: table.Columns{{Title: "code", Key: true}, {Title: "revision"}, {Title: "Go"}, {Title: "architecture"}},
		Notes: []string{"Sources are a digest of all code that decides numbers, however the program was built. A revision is known where the " +
			"build was in a checkout; older records have the revision alone."}})
	methods := tally(f, func(x summary.Run) [4]string { return [4]string{x.Method, strconv.Itoa(x.Record.MethodVersion)} },
		table.Table{Name: "methods", Title: "Versions of the methods", Columns: table.Columns{table.Method, right("version")}})
	data := tally(f, func(x summary.Run) [4]string {
		return [4]string{x.Dataset, x.Record.Digest, strconv.Itoa(x.Record.LoaderVersion)}
	}, table.Table{Name: "data", Title: "Data of the runs",
		Columns: table.Columns{table.Dataset, {Title: "digest"}, right("loader version")}})
	return []table.Table{code, methods, data}
}

// tally adds a row to a table for each key of the runs, with their number in a column of its own.
// Columns show as much of the keys.
func tally(f *summary.Frame, key func(summary.Run) [4]string, t table.Table) table.Table {
	runs := map[[4]string]int{}
	for x := range f.All() {
		if x.Record != nil {
			runs[key(x)]++
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(runs), func(a, b [4]string) int { return slices.Compare(a[:], b[:]) }) {
		t.Rows = append(t.Rows, append(table.Map(k[:len(t.Columns)], tables.OrUnknown), table.Int(runs[k])))
	}
	t.Columns = append(t.Columns, table.Column{Title: "runs", Right: true})
	return t
}

// failure is one way in which runs ended without a result.
type failure struct {
	Status, Reason, Stack string
	Cells                 []string // the runs, at most failureCells
	N                     int
}

// More is the number of runs that are not named.
func (f *failure) More() int { return f.N - len(f.Cells) }

const (
	failureKinds = 100
	failureCells = 10
)

// failures groups the runs that ended without a result by status, reason and stack; the most frequent first, at most failureKinds.
func failures(f *summary.Frame) (out []failure) {
	at := map[[3]string]int{}
	for r := range f.All() {
		if r.Record == nil || r.OK() {
			continue
		}
		k := failure{Status: r.Record.Status, Reason: cmp.Or(r.Record.Reason, "no reason recorded"), Stack: r.Record.Stack}
		i, seen := at[[3]string{k.Status, k.Reason, k.Stack}]
		if !seen {
			i, out = len(out), append(out, k)
			at[[3]string{k.Status, k.Reason, k.Stack}] = i
		}
		x := &out[i]
		x.N++
		if len(x.Cells) < failureCells {
			x.Cells = append(x.Cells, fmt.Sprintf("%s: %s %s, seed %d, repetition %d", r.ID, r.Dataset, r.Method, r.BaseSeed, r.Repetition))
		}
	}
	slices.SortFunc(out, func(a, b failure) int {
		return cmp.Or(-cmp.Compare(a.N, b.N), cmp.Compare(a.Status, b.Status), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Stack, b.Stack))
	})
	return out[:min(len(out), failureKinds)]
}
