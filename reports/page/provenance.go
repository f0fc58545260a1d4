package page

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"ogdl/internal/record"
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

// arraysOf are the archives of a row's selected setting, repetition by repetition.
type arraysOf struct {
	Row   string
	Files []string
}

// arrays lists the archives with their paths from the page.
func arrays(f *summary.Frame) (out []arraysOf) {
	for _, row := range f.Rows {
		a := arraysOf{Row: row.Dataset + " " + row.Method}
		for r := range row.Shown().Each() {
			if r.Record != nil && r.Record.NPZFile() != "" {
				a.Files = append(a.Files, "../"+record.Folder+"/"+r.Record.NPZFile())
			}
		}
		if len(a.Files) > 0 {
			out = append(out, a)
		}
	}
	return out
}

// provenance returns tables of the code, the methods and the data behind the records.
func provenance(f *summary.Frame) []table.Table {
	code := table.Table{Name: "provenance", Title: "Code of the runs",
		Columns: table.Columns{
			{Title: "code", Key: true}, {Title: "revision"}, {Title: "Go"}, {Title: "architecture"},
			{Title: "runs", Right: true},
		},
		Notes: []string{"Sources are a digest of all code that decides numbers, however the program was built. A revision is known where the " +
			"build was in a checkout; older records have the revision alone."}}
	methods := table.Table{Name: "methods", Title: "Versions of the methods", Columns: table.Columns{
		table.Method, {Title: "version", Right: true}, {Title: "runs", Right: true},
	}}
	data := table.Table{Name: "data", Title: "Data of the runs",
		Columns: table.Columns{
			table.Dataset, {Title: "digest"}, {Title: "loader version", Right: true}, {Title: "runs", Right: true},
		}}
	type built [3]string // code, Go, architecture
	type set struct {
		name, digest string
		version      int
	}
	byCode, byData, revisions := map[built]int{}, map[set]int{}, map[built]map[string]bool{}
	byMethod := map[set]int{} // without a digest
	for x := range f.All() {
		r := x.Record
		if r == nil {
			continue
		}
		b := built{r.Provenance.Code(), r.Provenance.GoVersion, r.Provenance.GOARCH}
		byCode[b]++
		if revisions[b] == nil {
			revisions[b] = map[string]bool{}
		}
		if r.Provenance.Revision != "" {
			revisions[b][r.Provenance.Revision] = true
		}
		byData[set{x.Dataset, r.Digest, r.LoaderVersion}]++
		byMethod[set{x.Method, "", r.MethodVersion}]++
	}
	for _, b := range slices.SortedFunc(maps.Keys(byCode), func(a, b built) int { return slices.Compare(a[:], b[:]) }) {
		code.Add(tables.OrUnknown(b[0]), tables.OrUnknown(tables.List(revisions[b])), tables.OrUnknown(b[1]), tables.OrUnknown(b[2]),
			table.Int(byCode[b]))
	}
	compare := func(a, b set) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.digest, b.digest), cmp.Compare(a.version, b.version))
	}
	for _, s := range slices.SortedFunc(maps.Keys(byData), compare) {
		data.Add(table.Txt(s.name), tables.OrUnknown(s.digest), table.Int(s.version), table.Int(byData[s]))
	}
	for _, m := range slices.SortedFunc(maps.Keys(byMethod), compare) {
		methods.Add(table.Txt(m.name), table.Int(m.version), table.Int(byMethod[m]))
	}
	return []table.Table{code, methods, data}
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

// failures groups the runs that ended without a result by status, reason and stack; the
// most frequent first. more counts the omitted kinds.
func failures(f *summary.Frame) (out []failure, more int) {
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
	kept := min(len(out), failureKinds)
	return out[:kept], len(out) - kept
}
