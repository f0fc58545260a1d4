package tables

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"

	"ogdl/internal/words"
	"ogdl/reports/summary"
)

// numbers matches the numbers in a note; notes that are equal without them are merged.
var numbers = regexp.MustCompile(`\b\d+(\.\d+)?(e[+-]?\d+)?\b`)

// noteKind is a kind of notes: one of them, how many cells left it, and the range of each number in it.
type noteKind struct {
	example   string
	cells     int
	low, high []string // as written
}

// bySize orders numbers by size, then by how they are written.
func bySize(a, b string) int {
	x, _ := strconv.ParseFloat(a, 64) // what numbers finds parses
	y, _ := strconv.ParseFloat(b, 64)
	return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
}

// recordNotes collects what the cells themselves noted. Notes that differ in their
// numbers alone are one, with the range of every number.
func recordNotes(rows []*summary.Row) []string {
	var notes []string
	for _, l := range rows {
		kinds := map[string]*noteKind{} // by the words around the numbers
		for r := range l.All() {
			if r.Record == nil {
				continue
			}
			seen := map[*noteKind]bool{} // a cell counts once
			for _, n := range r.Record.Notes {
				key, found := fmt.Sprintf("%q", numbers.Split(n, -1)), numbers.FindAllString(n, -1)
				k := kinds[key]
				if k == nil {
					k = &noteKind{example: n, low: slices.Clone(found), high: slices.Clone(found)}
					kinds[key] = k
				}
				if !seen[k] {
					seen[k] = true
					k.cells++
				}
				for i, x := range found {
					k.low[i] = slices.MinFunc([]string{k.low[i], x}, bySize)
					k.high[i] = slices.MaxFunc([]string{k.high[i], x}, bySize)
				}
			}
		}
		for _, key := range slices.Sorted(maps.Keys(kinds)) {
			k, i := kinds[key], -1
			text := numbers.ReplaceAllStringFunc(k.example, func(string) string {
				if i++; k.low[i] == k.high[i] {
					return k.low[i]
				}
				return k.low[i] + " to " + k.high[i]
			})
			notes = append(notes, fmt.Sprintf("%s %s, %s: %s", l.Dataset, l.Method, words.Plural(k.cells, "cell", "cells"), text))
		}
	}
	return notes
}
