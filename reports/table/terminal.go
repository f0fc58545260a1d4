package table

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// narrowest is the width below which a text column is not wrapped further.
const narrowest = 24

// Terminal writes the table as aligned text of at most width columns (0: as
// wide as it takes). Long text wraps; a table that is still too wide is cut into
// blocks of columns, each beginning with the key columns. Characters that
// would steer a terminal are shown escaped.
func Terminal(w io.Writer, t Table, width int) error {
	t = t.Whole()
	t.Check()
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(visible(t.Title))
		b.WriteString("\n\n")
	}
	plain := plainCells(t)
	for k, block := range blocks(t, plain, width) {
		if k > 0 {
			b.WriteString("\n")
		}
		b.WriteString(renderBlock(t, plain, block, width))
	}
	if len(t.Notes) > 0 {
		b.WriteString("\n")
	}
	for _, note := range t.Notes {
		s := visible(note)
		if width > 0 {
			s = text.WrapSoft(s, width)
		}
		for _, line := range strings.Split(s, "\n") {
			b.WriteString(strings.TrimRight(line, " "))
			b.WriteString("\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// plainCells are the cells as they are shown, without control characters.
func plainCells(t Table) [][]string {
	plain := make([][]string, len(t.Rows))
	for i, row := range t.Rows {
		plain[i] = make([]string, len(row))
		for j, c := range row {
			plain[i][j] = visible(c.Plain())
		}
	}
	return plain
}

// style has no frame: a rule below the header, two spaces between columns.
// It is ASCII, so that the bytes do not depend on the locale's idea of wide
// characters.
func style() table.Style {
	s := table.StyleDefault
	s.Name = "ogdl"
	s.Box.PaddingLeft, s.Box.PaddingRight = "", "  "
	s.Box.MiddleHorizontal = "-"
	s.Options = table.OptionsNoBorders
	s.Options.SeparateColumns = false
	s.Options.SeparateHeader = true
	s.Format.Header = text.FormatDefault
	return s
}

func renderBlock(t Table, plain [][]string, columns []int, width int) string {
	tw := table.NewWriter()
	tw.SetStyle(style())
	header := make(table.Row, len(columns))
	for k, j := range columns {
		header[k] = visible(t.Columns[j].Name)
	}
	tw.AppendHeader(header)
	for _, row := range plain {
		r := make(table.Row, len(columns))
		for k, j := range columns {
			r[k] = row[j]
		}
		tw.AppendRow(r)
	}
	narrow := wrapped(t, columnWidths(t, plain), columns, width)
	configs := make([]table.ColumnConfig, 0, len(columns))
	for k, j := range columns {
		align := text.AlignLeft
		if t.Columns[j].Right {
			align = text.AlignRight
		}
		cfg := table.ColumnConfig{Number: k + 1, Align: align, AlignHeader: align}
		if at, ok := narrow[j]; ok {
			cfg.WidthMax, cfg.WidthMaxEnforcer = at, text.WrapSoft
		}
		configs = append(configs, cfg)
	}
	tw.SetColumnConfigs(configs)
	var b strings.Builder
	rule := false
	for _, line := range strings.Split(tw.Render(), "\n") {
		if !rule && len(line) > 2 && strings.Trim(line, "-") == "" {
			rule = true
			line = line[2:] // the last column needs no gap behind it
		}
		b.WriteString(strings.TrimRight(line, " "))
		b.WriteString("\n")
	}
	return b.String()
}

// wrapped gives the columns that must be broken over lines, and their width then, for
// these columns to fit the width side by side (0: no limit), as far as they can.
func wrapped(t Table, widths []int, columns []int, width int) map[int]int {
	out := map[int]int{}
	if width == 0 {
		return out
	}
	excess := total(widths, columns) - width
	for _, j := range columns {
		if give := min(widths[j]-narrowest, excess); give > 0 && wraps(t, j) {
			out[j] = widths[j] - give
			excess -= give
		}
	}
	return out
}

// wraps reports whether column j may be broken over several lines: text that
// has spaces to break at, never a number and never an id.
func wraps(t Table, j int) bool {
	if t.Columns[j].Right {
		return false
	}
	for _, row := range t.Rows {
		if row[j].Kind == Text && strings.Contains(row[j].Text, " ") {
			return true
		}
	}
	return false
}

// stringWidth is the width of printable text on a terminal; of ASCII, at once.
func stringWidth(s string) int {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return text.StringWidth(s)
		}
	}
	return len(s)
}

func columnWidths(t Table, plain [][]string) []int {
	widths := make([]int, len(t.Columns))
	for j, c := range t.Columns {
		widths[j] = stringWidth(visible(c.Name))
		for _, row := range plain {
			widths[j] = max(widths[j], stringWidth(row[j]))
		}
	}
	return widths
}

// total is the width of the given columns side by side, two spaces between.
func total(widths []int, columns []int) int {
	sum := -2
	for _, j := range columns {
		sum += widths[j] + 2
	}
	return sum
}

// allColumns are the columns with the key columns in front.
func allColumns(t Table) []int {
	var keys, rest []int
	for j, c := range t.Columns {
		if c.Key {
			keys = append(keys, j)
		} else {
			rest = append(rest, j)
		}
	}
	return append(keys, rest...)
}

// blocks cuts the columns into groups that fit the width, each with the key
// columns in front. One column beyond the keys is the least a block holds.
func blocks(t Table, plain [][]string, width int) [][]int {
	all := allColumns(t)
	n := 0
	for n < len(all) && t.Columns[all[n]].Key {
		n++
	}
	keys, rest := all[:n:n], all[n:]
	widths := columnWidths(t, plain)
	for j := range widths {
		if wraps(t, j) {
			widths[j] = min(widths[j], narrowest)
		}
	}
	if width <= 0 || len(rest) == 0 || total(widths, all) <= width {
		return [][]int{all}
	}
	var out [][]int
	block := append([]int{}, keys...)
	for _, j := range rest {
		if len(block) > len(keys) && total(widths, append(append([]int{}, block...), j)) > width {
			out = append(out, block)
			block = append([]int{}, keys...)
		}
		block = append(block, j)
	}
	return append(out, block)
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
