package tables

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ogdl/reports/summary"
	"ogdl/reports/table"
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
				k.add(numbers.FindAllString(n, -1))
			}
		}
		for _, text := range slices.Sorted(maps.Keys(kinds)) {
			k := kinds[text]
			notes = append(notes, fmt.Sprintf("%s %s, %s: %s", l.Dataset, l.Method, table.Plural(k.cells, "cell", "cells"), k.text()))
		}
	}
	return notes
}

// noteKind holds the range of every number of a note, as written.
type noteKind struct {
	words    []string // before, between and behind the numbers
	cells    int
	low, top []string
}

func (k *noteKind) add(found []string) {
	if k.low == nil {
		k.low, k.top = slices.Clone(found), slices.Clone(found)
		return
	}
	for i, s := range found {
		if less(s, k.low[i]) {
			k.low[i] = s
		}
		if less(k.top[i], s) {
			k.top[i] = s
		}
	}
}

// less orders numbers by size, then by how they are written.
func less(a, b string) bool {
	x, _ := strconv.ParseFloat(a, 64) // what numbers finds parses
	y, _ := strconv.ParseFloat(b, 64)
	if x != y {
		return x < y
	}
	return a < b
}

// text is the note with the ranges in it.
func (k *noteKind) text() string {
	var b strings.Builder
	for i, low := range k.low {
		b.WriteString(k.words[i] + low)
		if k.top[i] != low {
			b.WriteString(" to " + k.top[i])
		}
	}
	return b.String() + k.words[len(k.low)]
}
