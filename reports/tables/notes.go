package tables

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"ogdl/internal/record"
	"ogdl/internal/words"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// degenerateNotes names selected settings whose score is (nearly) the score of one single cluster.
// Where the classes are unequal, this can be the highest of all.
func degenerateNotes(rows []*summary.Row) (notes []string) {
	for _, s := range rows {
		if c := s.Oracle; c != nil && c.Degenerate() {
			notes = append(notes, fmt.Sprintf("%s %s: the selected setting puts %.1f %% of the graphs into one cluster.",
				s.Dataset, s.Method, 100*c.Largest))
		}
	}
	return notes
}

// incompleteNotes names settings that would have been selected but for their missing repetitions.
func incompleteNotes(m *summary.Metric, rows []*summary.Row) (notes []string) {
	for _, s := range rows {
		if s.Oracle == nil {
			continue
		}
		fewer := func(c *summary.Config) float64 {
			if c.Done < s.Oracle.Done && c.RuledOut() == 0 {
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

// rowNotes returns the notes on races, unfinished cells, seeds and warnings of rows.
func rowNotes(rows []*summary.Row) []string {
	return slices.Concat(raceNotes(rows), statusNotes(rows), seedNotes(rows), warnings(rows))
}

// raceNotes count the settings that races have ruled out, by the repetitions after which they were.
func raceNotes(rows []*summary.Row) (notes []string) {
	for _, s := range rows {
		after, out := map[int]int{}, 0
		for _, c := range s.Configs {
			if k := c.RuledOut(); k > 0 {
				after[k]++
				out++
			}
		}
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(after)) {
			parts = append(parts, fmt.Sprintf("%d after %s", after[k], words.Plural(k, "repetition", "repetitions")))
		}
		if out > 0 {
			notes = append(notes, fmt.Sprintf("%s %s: %d of %d settings have all repetitions, a race ruled out %d (%s).",
				s.Dataset, s.Method, s.Complete, len(s.Configs), out, strings.Join(parts, ", ")))
		}
	}
	return notes
}

// statusNotes returns the notes of [unfinished] for each row.
func statusNotes(rows []*summary.Row) (notes []string) {
	for _, s := range rows {
		notes = append(notes, unfinished(s.Dataset+" "+s.Method+", ", s.All(), "a "+s.Metric.Label, func(r summary.Run) bool {
			_, ok := r.Score(s.Metric.Score)
			return ok || s.Unlabelled()
		})...)
	}
	return notes
}

// unfinished counts the cells that are not done, with one reason for each status, and the finished cells that lack a result; no note
// where there are none.
func unfinished(of string, runs iter.Seq[summary.Run], result string, has func(summary.Run) bool) []string {
	counts, reasons := map[string]int{}, map[string]string{}
	without, cells := 0, 0
	for r := range runs {
		cells++
		st := r.Status()
		counts[st]++
		if r.OK() && !has(r) {
			without++
		}
		// The smallest reason: the same one for any order of the cells.
		if r.Record != nil && r.Record.Reason != "" && (reasons[st] == "" || r.Record.Reason < reasons[st]) {
			reasons[st] = r.Record.Reason
		}
	}
	var parts []string
	for _, st := range Statuses() {
		part := fmt.Sprintf("%d %s", counts[st], st)
		if reasons[st] != "" {
			part += " (" + summary.FirstLine(reasons[st]) + ")"
		}
		parts = append(parts, table.When(counts[st] > 0, part)...)
	}
	parts = append(parts, table.When(without > 0, fmt.Sprintf("%d ok without %s", without, result))...)
	return table.When(len(parts) > 0, fmt.Sprintf("%sof %s: %s.", of, words.Plural(cells, "cell", "cells"), strings.Join(parts, ", ")))
}

// seedNotes names the base seeds that means are over, where there are several.
func seedNotes(rows []*summary.Row) []string {
	seeds := map[string]bool{}
	for _, s := range rows {
		for _, c := range s.Configs {
			of := map[string]bool{}
			for _, r := range c.Runs {
				if r.OK() {
					of[fmt.Sprint(r.BaseSeed)] = true
				}
			}
			if len(of) > 1 {
				maps.Copy(seeds, of)
			}
		}
	}
	return table.When(len(seeds) > 0, fmt.Sprintf("Means are over %d base seeds (%s) and the repetitions of each.", len(seeds), List(seeds)))
}

// warnings names the differences, other than repetitions, over which the means of a row average.
func warnings(rows []*summary.Row) (notes []string) {
	warn := func(holds bool, format string, values ...any) {
		notes = append(notes, table.When(holds, fmt.Sprintf("Warning: "+format, values...))...)
	}
	codes := map[string]bool{}
	for _, s := range rows {
		versions := map[string]map[string]bool{"method versions": {}, "loader versions": {}, "data set digests": {}}
		twice, lengths := 0, map[int]bool{}
		digests := map[int64]string{}
		for _, c := range s.Configs {
			seen, length := map[[2]int64]bool{}, map[int]bool{}
			for r := range c.Everything() {
				if !r.OK() {
					continue
				}
				at := [2]int64{r.BaseSeed, int64(r.Repetition)}
				if seen[at] {
					twice++
				}
				seen[at] = true
				versions["method versions"][fmt.Sprint(r.Record.MethodVersion)] = true
				versions["loader versions"][fmt.Sprint(r.Record.LoaderVersion)] = true
				// Simulated sets are drawn anew for every base seed.
				if d, ok := digests[r.BaseSeed]; ok && d != r.Record.Digest {
					versions["data set digests"][d], versions["data set digests"][r.Record.Digest] = true, true
				}
				digests[r.BaseSeed] = r.Record.Digest
				if code := r.Record.Provenance.Code(); code != "" {
					codes[code] = true
				}
				if n := r.Graphs(); n > 0 {
					length[n] = true
				}
			}
			if len(length) > 1 {
				lengths = length
			}
		}
		at := s.Dataset + " " + s.Method
		for _, kind := range []string{"method versions", "loader versions", "data set digests"} {
			of := versions[kind]
			warn(len(of) > 1, "%s averages over or compares %d %s: %s.", at, len(of), kind, List(of))
		}
		warn(twice > 0, "%s has %s parameters, seed and repetition with another: its means average over something that the table does not name.",
			at, words.Plural(twice, "cell that shares", "cells that share"))
		warn(len(lengths) > 1, "%s has clusterings of different numbers of graphs; there is no stability for them.", at)
	}
	warn(len(codes) > 1, "computed by %d versions of the code; the page lists them.", len(codes))
	return append(notes, table.When(len(codes) > 1, "Versions of the code: "+List(codes)+".")...)
}

// List returns the members of a set, sorted and joined by commas.
func List(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), ", ") }

// Statuses returns all statuses but ok, in the order in which notes name them.
func Statuses() []string {
	return append(record.Statuses()[1:], summary.MissingStatus, summary.RuledOutStatus)
}

// CellsSentence returns how the cells of a frame ended: "12 cells: 10 ok, 2 timeout.".
func CellsSentence(f *summary.Frame) string {
	counts, n := map[string]int{}, 0
	for r := range f.All() {
		counts[r.Status()]++
		n++
	}
	var parts []string
	for _, s := range append([]string{record.OK}, Statuses()...) {
		parts = append(parts, table.When(counts[s] > 0, fmt.Sprintf("%d %s", counts[s], s))...)
	}
	return fmt.Sprintf("%s: %s.", words.Plural(n, "cell", "cells"), strings.Join(parts, ", "))
}
