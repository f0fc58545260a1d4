package tables

import (
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"

	"ogdl/internal/record"
	"ogdl/internal/words"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// CellsSentence returns how the cells of a frame ended: "12 cells: 10 ok, 2 timeout.".
func CellsSentence(f *summary.Frame) string { return ended(f.All(), false) }

// ended counts cells by status, if asked to with one reason for each: the smallest, which is the same for any order of the cells.
func ended(runs iter.Seq[summary.Run], why bool) string {
	cells, counts, reasons := 0, map[string]int{}, map[string]string{}
	for r := range runs {
		cells++
		status := r.Status()
		counts[status]++
		if why && r.Record != nil && r.Record.Reason != "" && (reasons[status] == "" || r.Record.Reason < reasons[status]) {
			reasons[status] = r.Record.Reason
		}
	}
	var parts []string
	for _, status := range append(record.Statuses(), summary.MissingStatus, summary.RuledOutStatus) {
		reason := reasons[status]
		part := fmt.Sprintf("%d %s", counts[status], status) + words.If(reason != "", " (%s)", summary.FirstLine(reason))
		parts = append(parts, table.When(counts[status] > 0, part)...)
	}
	return fmt.Sprintf("%s: %s.", words.Plural(cells, "cell", "cells"), strings.Join(parts, ", "))
}

// unfinished is a note on how cells ended, with reasons; none where all ended well but those that a race has ruled out.
func unfinished(of string, runs iter.Seq[summary.Run]) []string {
	for r := range runs {
		if !r.OK() && r.Chance != summary.RuledOut {
			return []string{of + ", " + ended(runs, true)}
		}
	}
	return nil
}

// rowNotes are the notes on unfinished cells of rows, and a warning where several versions of the code have computed the frame.
func rowNotes(f *summary.Frame, rows []*summary.Row) (notes []string) {
	for _, s := range rows {
		of, raced := s.Dataset+" "+s.Method, s.Raced()
		notes = append(append(notes, unfinished(of, s.All())...), table.When(raced != "", of+": "+raced+".")...)
	}
	codes := map[string]bool{}
	for r := range f.All() {
		if r.OK() {
			codes[r.Record.Provenance.Code()] = true
		}
	}
	delete(codes, "") // not known
	return append(notes, table.When(len(codes) > 1,
		fmt.Sprintf("Warning: computed by %d versions of the code; the page lists them.", len(codes)))...)
}

// unknownPairs is a note on rows whose choices without labels rest on part of the pairs of repetitions.
func unknownPairs(rows []*summary.Row) []string {
	var parts []string
	for _, s := range rows {
		parts = append(parts, table.When(s.Unpaired > 0,
			fmt.Sprintf("%s %s (%s)", s.Dataset, s.Method, words.Plural(s.Unpaired, "setting", "settings")))...)
	}
	return table.When(len(parts) > 0, "The ledger does not know how all repetitions of a setting agree, so that stability is over a part "+
		"of the pairs: "+strings.Join(parts, ", ")+".")
}

// numbers matches the numbers in a note. Notes of cells that are equal without them are one.
var numbers = regexp.MustCompile(`\d+(\.\d+)?(e[+-]?\d+)?`)

// recordNotes are the notes of the cells themselves. Of those that differ in their numbers alone the first in order is an example.
func recordNotes(rows []*summary.Row) (notes []string) {
	for _, s := range rows {
		examples, cells := map[string]string{}, map[string]int{}
		for r := range s.All() {
			if r.Record == nil {
				continue
			}
			seen := map[string]bool{} // a cell counts once
			for _, note := range r.Record.Notes {
				key := numbers.ReplaceAllString(note, "0")
				if examples[key] == "" || note < examples[key] {
					examples[key] = note
				}
				if !seen[key] {
					seen[key] = true
					cells[key]++
				}
			}
		}
		for _, key := range slices.Sorted(maps.Keys(examples)) {
			notes = append(notes, fmt.Sprintf("%s %s, %s, such as: %s", s.Dataset, s.Method, words.Plural(cells[key], "cell", "cells"), examples[key]))
		}
	}
	return notes
}
