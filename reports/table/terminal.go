package table

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

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
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(visible(t.Title) + "\n\n")
	}
	if len(t.Columns) > 0 {
		s := newSheet(t)
		for k, block := range s.blocks(width) {
			if k > 0 {
				b.WriteString("\n")
			}
			b.WriteString(s.render(block, width))
		}
		if len(t.Notes) > 0 {
			b.WriteString("\n")
		}
	}
	for _, note := range t.Notes {
		note = visible(note)
		if width > 0 {
			note = text.WrapSoft(note, width)
		}
		for line := range strings.SplitSeq(note, "\n") {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Brief returns the table with the columns that a command shows: those that [Table.Terminal] counts, as far as a line of width columns holds
// them without wrapping. Key columns and the first other one always stay.
func Brief(t Table, width int) Table {
	t = t.Whole()
	s := newSheet(t)
	shown, last := []int{}, cmp.Or(t.Terminal, len(t.Columns))
	all, keys := s.ordered()
	for _, j := range all {
		if len(shown) <= keys || j < last && total(s.widths, append(slices.Clone(shown), j)) <= width {
			shown = append(shown, j)
		}
	}
	columns, rows := make([]Column, len(shown)), make([][]Cell, len(t.Rows))
	for k, j := range shown {
		columns[k] = t.Columns[j]
		for i, row := range t.Rows {
			rows[i] = append(rows[i], row[j])
		}
	}
	t.Columns, t.Rows = columns, rows
	return t
}

// sheet is a table as it is laid out: its cells as they are shown, without control characters, and the widths of its columns.
type sheet struct {
	Table
	plain  [][]string
	widths []int
	wraps  []bool // columns that may be broken over several lines: text that has spaces to break at, never a number and never an id
}

func newSheet(t Table) *sheet {
	t = t.Whole()
	t.Check()
	s := &sheet{t, make([][]string, len(t.Rows)), make([]int, len(t.Columns)), make([]bool, len(t.Columns))}
	for j, c := range t.Columns {
		s.widths[j] = text.StringWidth(visible(c.Name))
	}
	for i, row := range t.Rows {
		s.plain[i] = make([]string, len(row))
		for j, c := range row {
			s.plain[i][j] = visible(c.Plain())
			s.widths[j] = max(s.widths[j], text.StringWidth(s.plain[i][j]))
			s.wraps[j] = s.wraps[j] || !t.Columns[j].Right && c.Kind == Text && strings.Contains(c.Text, " ")
		}
	}
	return s
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

// render writes some of the columns.
func (s *sheet) render(columns []int, width int) string {
	tw := table.NewWriter()
	tw.SetStyle(style())
	header, configs := make(table.Row, len(columns)), make([]table.ColumnConfig, len(columns))
	narrow := s.wrapped(columns, width)
	for k, j := range columns {
		header[k] = visible(s.Columns[j].Name)
		align := text.AlignLeft
		if s.Columns[j].Right {
			align = text.AlignRight
		}
		configs[k] = table.ColumnConfig{Number: k + 1, Align: align, AlignHeader: align}
		if at, ok := narrow[j]; ok {
			configs[k].WidthMax, configs[k].WidthMaxEnforcer = at, text.WrapSoft
		}
	}
	tw.AppendHeader(header)
	tw.SetColumnConfigs(configs)
	for _, row := range s.plain {
		r := make(table.Row, len(columns))
		for k, j := range columns {
			r[k] = row[j]
		}
		tw.AppendRow(r)
	}
	var b strings.Builder
	rule := false
	for line := range strings.SplitSeq(tw.Render(), "\n") {
		if !rule && len(line) > 2 && strings.Trim(line, "-") == "" {
			rule = true
			line = line[2:] // the last column needs no gap behind it
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// wrapped gives the columns that must be broken over lines, and their width then, for
// these columns to fit the width side by side (0: no limit), as far as they can.
func (s *sheet) wrapped(columns []int, width int) map[int]int {
	out := map[int]int{}
	if width == 0 {
		return out
	}
	excess := total(s.widths, columns) - width
	for _, j := range columns {
		if give := min(s.widths[j]-narrowest, excess); give > 0 && s.wraps[j] {
			out[j] = s.widths[j] - give
			excess -= give
		}
	}
	return out
}

// total is the width of the given columns side by side, two spaces between.
func total(widths []int, columns []int) int {
	sum := -2
	for _, j := range columns {
		sum += widths[j] + 2
	}
	return sum
}

// ordered are the columns, those of keys in front, and how many these are.
func (s *sheet) ordered() (all []int, keys int) {
	for _, key := range []bool{true, false} {
		for j, c := range s.Columns {
			if c.Key == key {
				all = append(all, j)
			}
		}
		if key {
			keys = len(all)
		}
	}
	return all, keys
}

// blocks cuts the columns into groups that fit the width, each with the key
// columns in front. One column beyond the keys is the least a block holds.
func (s *sheet) blocks(width int) [][]int {
	all, n := s.ordered()
	widths := slices.Clone(s.widths)
	for j := range widths {
		if s.wraps[j] {
			widths[j] = min(widths[j], narrowest)
		}
	}
	if width <= 0 || n == len(all) || total(widths, all) <= width {
		return [][]int{all}
	}
	var out [][]int
	block := slices.Clone(all[:n])
	for _, j := range all[n:] {
		if len(block) > n && total(widths, block)+2+widths[j] > width {
			out = append(out, block)
			block = slices.Clone(all[:n])
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
