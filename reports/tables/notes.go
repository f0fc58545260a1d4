package tables

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"ogdl/internal/record"
	"ogdl/internal/words"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// degenerateNotes names choices whose score is that of (nearly) one cluster:
// where the classes are unequal this can be the highest of all.
func degenerateNotes(rows []*summary.Row) []string {
	var notes []string
	for _, s := range rows {
		if c := s.Oracle; c != nil && c.Degenerate() {
			notes = append(notes, fmt.Sprintf("%s %s: the selected setting puts %.1f %% of the graphs into one cluster.",
				s.Dataset, s.Method, 100*c.Largest))
		}
	}
	return notes
}

// incompleteNotes names configurations that would have been chosen but for
// their missing repetitions.
func incompleteNotes(m *summary.Metric, rows []*summary.Row) []string {
	var notes []string
	for _, s := range rows {
		if s.Oracle == nil {
			continue
		}
		fewer := func(c *summary.Config) float64 {
			if c.Done < s.Oracle.Done {
				return m.Mean(c)
			}
			return math.NaN()
		}
		if higher, _ := summary.Best(s.Configs, fewer); higher != nil && m.Mean(higher) > m.Mean(s.Oracle) {
			notes = append(notes, fmt.Sprintf("%s %s: %s has a higher mean, %.2f, but over %d of %d %s only; it was not selected.",
				s.Dataset, s.Method, higher.Describe(s.Names), m.Shown(higher), higher.Done, len(higher.Runs), m.Repetitions()))
		}
	}
	return notes
}

// rowNotes say what to know of rows: the cells that are not done, the seeds, and what means average over.
func rowNotes(rows []*summary.Row) []string {
	return slices.Concat(statusNotes(rows), seedNotes(rows), warnings(rows))
}

// statusNotes counts the cells that are not done, with one reason each.
func statusNotes(rows []*summary.Row) []string {
	var notes []string
	for _, s := range rows {
		counts, reasons := map[string]int{}, map[string]string{}
		unscored, cells := 0, 0
		for r := range s.All() {
			cells++
			st := r.Status()
			counts[st]++
			if _, ok := r.Score(s.Metric.Score); !ok && r.OK() && !s.Unlabelled() {
				unscored++
			}
			// The smallest reason: the same one for any order of the cells.
			if r.Record != nil && r.Record.Reason != "" && (reasons[st] == "" || r.Record.Reason < reasons[st]) {
				reasons[st] = r.Record.Reason
			}
		}
		var parts []string
		for _, st := range Statuses() {
			if counts[st] == 0 {
				continue
			}
			part := fmt.Sprintf("%d %s", counts[st], st)
			if reasons[st] != "" {
				part += " (" + summary.FirstLine(reasons[st]) + ")"
			}
			parts = append(parts, part)
		}
		if unscored > 0 {
			parts = append(parts, fmt.Sprintf("%d ok without a %s", unscored, s.Metric.Label))
		}
		if len(parts) > 0 {
			notes = append(notes, fmt.Sprintf("%s %s, of %s: %s.", s.Dataset, s.Method, words.Plural(cells, "cell", "cells"),
				strings.Join(parts, ", ")))
		}
	}
	return notes
}

// seedNotes names the base seeds that means are over, where there are several.
func seedNotes(rows []*summary.Row) []string {
	seeds := make([]string, len(rows)) // "" where there are fewer than two
	for i, s := range rows {
		several := map[string]bool{}
		for _, c := range s.Configs {
			of := map[string]bool{}
			for _, r := range c.Runs {
				if r.OK() {
					of[fmt.Sprint(r.BaseSeed)] = true
				}
			}
			if len(of) > 1 {
				maps.Copy(several, of)
			}
		}
		if len(several) > 0 {
			seeds[i] = fmt.Sprintf("over %d base seeds (%s) and the repetitions of each", len(several), List(several))
		}
	}
	if len(seeds) > 0 && seeds[0] != "" && len(slices.Compact(slices.Clone(seeds))) == 1 {
		return []string{"Means are " + seeds[0] + "."}
	}
	var notes []string
	for i, s := range rows {
		if seeds[i] != "" {
			notes = append(notes, fmt.Sprintf("%s %s: means are %s.", s.Dataset, s.Method, seeds[i]))
		}
	}
	return notes
}

// warnings names what the means of a row average over besides repetitions and
// repetitions.
func warnings(rows []*summary.Row) []string {
	var notes []string
	codes := map[string]bool{}
	for _, s := range rows {
		found := map[string]map[string]bool{"method versions": {}, "loader versions": {}, "data set digests": {}}
		twice, lengths := 0, false
		digests := map[int64]string{}
		for _, c := range s.Configs {
			seen, length := map[[2]int64]bool{}, -1
			for r := range c.Everything() {
				if !r.OK() {
					continue
				}
				at := [2]int64{r.BaseSeed, int64(r.Repetition)}
				if seen[at] {
					twice++
				}
				seen[at] = true
				found["method versions"][fmt.Sprint(r.Record.MethodVersion)] = true
				found["loader versions"][fmt.Sprint(r.Record.LoaderVersion)] = true
				// Simulated sets are drawn anew for every base seed.
				if d, ok := digests[r.BaseSeed]; ok && d != r.Record.Digest {
					found["data set digests"][d], found["data set digests"][r.Record.Digest] = true, true
				}
				digests[r.BaseSeed] = r.Record.Digest
				if code := r.Record.Provenance.Code(); code != "" {
					codes[code] = true
				}
				if n := r.Graphs(); n > 0 {
					lengths = lengths || length >= 0 && n != length
					length = n
				}
			}
		}
		at := s.Dataset + " " + s.Method
		for _, what := range []string{"method versions", "loader versions", "data set digests"} {
			if len(found[what]) > 1 {
				notes = append(notes, fmt.Sprintf("Warning: %s averages over or compares %d %s: %s.", at, len(found[what]), what, List(found[what])))
			}
		}
		notes = slices.Concat(notes,
			table.When(twice > 0, fmt.Sprintf("Warning: %s has %s parameters, seed and repetition with another: "+
				"its means average over something that the table does not name.", at, words.Plural(twice, "cell that shares", "cells that share"))),
			table.When(lengths, fmt.Sprintf("Warning: %s has clusterings of different numbers of graphs; there is no stability for them.", at)))
	}
	return append(notes, table.When(len(codes) > 1,
		fmt.Sprintf("Warning: the cells were computed by %d states of the code: %s.", len(codes), List(codes)))...)
}

// List names the members of a set in order.
func List(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), ", ") }

// Statuses in the order in which notes name them.
func Statuses() []string { return append(record.Statuses()[1:], summary.MissingStatus) }

// CellsSentence is "12 cells: 10 ok, 2 timeout.": how the cells of a frame ended.
func CellsSentence(f *summary.Frame) string {
	counts, n := map[string]int{}, 0
	for r := range f.All() {
		counts[r.Status()]++
		n++
	}
	var parts []string
	for _, s := range append([]string{record.OK}, Statuses()...) {
		if counts[s] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[s], s))
		}
	}
	return fmt.Sprintf("%s: %s.", words.Plural(n, "cell", "cells"), strings.Join(parts, ", "))
}
