package table

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ogdl/internal/words"
)

// Terminal writes the table as aligned text, each row on one line, with title and notes of at most width columns a line (0: a line each).
// Characters that would steer a terminal are shown escaped.
func Terminal(w io.Writer, t Table, width int) error {
	t = t.Whole()
	var b strings.Builder
	b.WriteString(words.If(t.Title != "", "%s\n\n", words.Wrap(visible(t.Title), width)))
	if len(t.Columns) > 0 {
		widths, header := t.widths(), Map(t.Columns, func(c Column) string { return c.Title })
		b.WriteString(t.line(header, widths) + strings.Repeat("-", total(widths)) + "\n")
		for _, row := range t.Rows {
			b.WriteString(t.line(Map(row, Cell.Plain), widths))
		}
		b.WriteString(words.If(len(t.Notes) > 0, "\n"))
	}
	for _, note := range t.Notes {
		b.WriteString(words.Wrap(visible(note), width) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// widths are how many characters each column takes.
func (t Table) widths() []int {
	widths := make([]int, len(t.Columns))
	for j, c := range t.Columns {
		widths[j] = utf8.RuneCountInString(visible(c.Title))
		for _, row := range t.Rows {
			widths[j] = max(widths[j], utf8.RuneCountInString(visible(row[j].Plain())))
		}
	}
	return widths
}

// total is the width of columns side by side, two spaces between.
func total(widths []int) int {
	sum := -2
	for _, w := range widths {
		sum += w + 2
	}
	return sum
}

// line is a line of the table.
func (t Table) line(texts []string, widths []int) string {
	var b strings.Builder
	for j, text := range texts {
		format := "%-*s  "
		if t.Columns[j].Numeric() {
			format = "%*s  "
		}
		fmt.Fprintf(&b, format, widths[j], visible(text))
	}
	return strings.TrimRight(b.String(), " ") + "\n"
}

// Brief returns the table with the columns that a command shows: those that [Table.Terminal] counts, as far as a line of width columns holds
// them. Key columns and the first other one always stay.
func Brief(t Table, width int) Table {
	t = t.Filled()
	var taken []int
	widths, last := t.widths(), cmp.Or(t.Terminal, len(t.Columns))
	return t.of(func(j int) bool {
		first := j == 0 || t.Columns[j-1].Key // key columns, and the one behind them
		with := append(slices.Clone(taken), widths[j])
		shown := t.Columns[j].Key || first || j < last && total(with) <= width
		if shown {
			taken = with
		}
		return shown
	})
}

// visible shows control characters (which could move the cursor or hide
// text) as Go escapes; everything printable stays.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		q := fmt.Sprintf("%q", r)
		b.WriteString(q[1 : len(q)-1])
	}
	return b.String()
}
