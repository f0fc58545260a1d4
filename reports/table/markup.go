package table

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"ogdl/internal/words"
)

// Markdown writes the table as a GitHub-flavoured pipe table below a heading. Text is escaped so
// that it reads as written: no markup, HTML or column break comes out of a name.
func Markdown(w io.Writer, t Table) error {
	t = t.Whole()
	var b strings.Builder
	b.WriteString(words.If(t.Title != "", "### %s\n\n", escapeMarkdown(t.Title)))
	head, rule := "|", "|"
	for _, c := range t.Columns {
		head += " " + escapeMarkdown(c.Title) + " |"
		rule += map[bool]string{false: "---|", true: "---:|"}[c.Numeric()]
	}
	b.WriteString(head + "\n" + rule + "\n")
	for _, row := range t.Rows {
		b.WriteString("|")
		for _, c := range row {
			b.WriteString(" " + escapeMarkdown(c.Plain()) + " |")
		}
		b.WriteString("\n")
	}
	for _, note := range t.Notes {
		b.WriteString("\n" + escapeMarkdown(note) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "~", `\~`,
	"[", `\[`, "]", `\]`, "#", `\#`, "$", `\$`, "!", `\!`,
	"&", "&amp;", "<", "&lt;", ">", "&gt;")

func escapeMarkdown(s string) string { return markdownEscapes.Replace(visible(s)) }

// CSV writes the table as RFC 4180 for programs: one header line, columns of
// numbers or of texts, which [Column] says; numbers with all their digits, without signs and marks;
// empty fields for missing or blank values; each row on one line, control characters escaped.
// Parameters come last. There is no title and no note.
func CSV(w io.Writer, t Table) error {
	order, fields := make([]int, len(t.Columns)), make([][]string, len(t.Columns))
	for j, c := range t.Columns {
		order[j], fields[j] = j, c.fields()
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(t.Columns[a].Params), len(t.Columns[b].Params)) })
	for j, c := range t.Columns {
		if !c.Listed || c.Hidden {
			continue
		}
		for row := range t.rows() {
			for n := len(fields[j]); n < len(row[j].Parts); n++ {
				fields[j] = append(fields[j], fmt.Sprintf("%s_%d", c.csvName(), n+1))
			}
		}
	}
	out := csv.NewWriter(w)
	line := make([]string, 0, len(t.Columns))
	for _, j := range order {
		line = append(line, fields[j]...)
	}
	if err := out.Write(line); err != nil {
		return err
	}
	for row := range t.rows() {
		t.checkRow(row)
		line = line[:0]
		for _, j := range order {
			at := len(line)
			line = slices.Grow(line, len(fields[j]))[:at+len(fields[j])]
			clear(line[at:])
			row[j].csv(t.Columns[j], line[at:])
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// csv puts the cell into its fields, which are empty.
func (c Cell) csv(column Column, fields []string) {
	switch {
	case len(fields) == 0:
	case c.Parts != nil:
		if len(c.Parts) <= len(fields) { // else the row sums up rows that have one each
			for i, p := range c.Parts {
				p.csv(Column{}, fields[i:i+1])
			}
		}
	case c.Kind == Text && !column.Numeric():
		fields[0] = words.CSV(visible(c.Text))
	case c.Kind == Number:
		fields[0] = Exact(c.Value)
		if column.Spread && c.HasStd {
			fields[1] = Exact(c.Std)
		}
		if column.Spread && c.N > 0 {
			fields[2] = strconv.Itoa(c.N)
		}
	}
}

// fields are what the column is called in CSV.
func (c Column) fields() []string {
	name := c.csvName()
	switch {
	case c.NoCSV || c.Listed || c.Hidden:
		return nil
	case c.Params != nil:
		return c.Params
	case c.Spread:
		return []string{name + "_mean", name + "_std", name + "_n"}
	case c.Counted:
		return []string{name, name + "_asked"}
	}
	return []string{name}
}

// words are what names hold that is no word.
var escapes = strings.NewReplacer("data set", "dataset", " - ", " minus ", " / ", " over ", "%", " percent ", "²", "2")

// csvName is what CSV calls a column, or the beginning of it.
func (c Column) csvName() string {
	if c.CSV != "" {
		return c.CSV
	}
	return strings.Join(strings.FieldsFunc(escapes.Replace(strings.ToLower(visible(c.Title))), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), "_")
}
