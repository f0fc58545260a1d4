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

// numbers are what notes of a kind differ in.
var numbers = regexp.MustCompile(`\b\d+(\.\d+)?(e[+-]?\d+)?\b`)

// recordNotes collects what the cells themselves noted. Notes that differ in their
// numbers alone are one, with the range of every number.
func recordNotes(rows []*summary.Row) []string {
	var notes []string
	for _, l := range rows {
		kinds := map[string]*noteKind{}
		for r := range l.All() {
			if r.Record == nil {
				continue
			}
			seen := map[string]bool{} // a cell counts once
			for _, n := range r.Record.Notes {
				words := numbers.Split(n, -1) // around the numbers
				text := fmt.Sprintf("%q", words)
				k := kinds[text]
				if k == nil {
					k = &noteKind{words: words}
					kinds[text] = k
				}
				if !seen[text] {
					seen[text] = true
					k.cells++
				}
				k.found = append(k.found, numbers.FindAllString(n, -1))
			}
		}
		for _, text := range slices.Sorted(maps.Keys(kinds)) {
			k := kinds[text]
			notes = append(notes, fmt.Sprintf("%s %s, %s: %s", l.Dataset, l.Method, words.Plural(k.cells, "cell", "cells"), k.text()))
		}
	}
	return notes
}

// noteKind is a note with the numbers of all cells that left it.
type noteKind struct {
	words []string // before, between and behind the numbers
	cells int
	found [][]string // as written
}

// text is the note with the range of every number in it: by size, then by how they are written.
func (k *noteKind) text() string {
	text := k.words[0]
	for i, word := range k.words[1:] {
		bySize := func(a, b []string) int {
			x, _ := strconv.ParseFloat(a[i], 64) // what numbers finds parses
			y, _ := strconv.ParseFloat(b[i], 64)
			return cmp.Or(cmp.Compare(x, y), cmp.Compare(a[i], b[i]))
		}
		low, top := slices.MinFunc(k.found, bySize)[i], slices.MaxFunc(k.found, bySize)[i]
		if text += low; top != low {
			text += " to " + top
		}
		text += word
	}
	return text
}
