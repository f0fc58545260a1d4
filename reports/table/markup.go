package table

import (
	"encoding/csv"
	"io"
	"strings"
)

// Markdown writes the table as a GitHub-flavoured pipe table below a heading.
// Text is escaped so that it reads as written: no markup, HTML or column
// break comes out of a name.
func Markdown(w io.Writer, t Table) error {
	t = t.Whole()
	t.Check()
	var b strings.Builder
	if t.Title != "" {
		b.WriteString("### " + escapeMarkdown(t.Title) + "\n\n")
	}
	head, rule := "|", "|"
	for _, c := range t.Columns {
		head += " " + escapeMarkdown(c.Name) + " |"
		rule += map[bool]string{false: "---|", true: "---:|"}[c.Right]
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

// CSV writes the table as RFC 4180 with a header line, for programs: numbers at
// full precision, a deviation in a column of its own, a mark (see the
// constants) in a column "NAME mark" where any row has one. A missing value
// reads "missing", a blank one is empty. Every row is one line: control
// characters are shown escaped. Title and notes are left out.
func CSV(w io.Writer, t Table) error {
	marked := make([]bool, len(t.Columns))
	for row := range t.rows() {
		t.checkRow(row)
		for j, c := range row {
			marked[j] = marked[j] || c.Mark != ""
		}
	}
	out := csv.NewWriter(w)
	var line []string
	for j, c := range t.Columns {
		name := visible(c.Name)
		line = append(line, name)
		if c.Spread {
			line = append(line, name+" std")
		}
		if marked[j] {
			line = append(line, name+" mark")
		}
	}
	if err := out.Write(line); err != nil {
		return err
	}
	for row := range t.rows() {
		line = line[:0]
		for j, c := range row {
			value, std := csvFields(c)
			line = append(line, value)
			if t.Columns[j].Spread {
				line = append(line, std)
			}
			if marked[j] {
				line = append(line, c.Mark)
			}
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func csvFields(c Cell) (value, std string) {
	switch c.Kind {
	case Missing:
		return MissingWord, MissingWord
	case Text:
		return visible(c.Text), ""
	case Number:
		if c.HasStd {
			std = Exact(c.Std)
		}
		return Exact(c.Value), std
	}
	return "", ""
}
