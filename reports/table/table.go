// Package table holds tables of typed cells, and writes them as text, Markdown, CSV and LaTeX.
package table

import (
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"ogdl/internal/words"
)

// Marks after a number, explained in the notes of the table that uses them.
const (
	// MarkFewer marks a mean over fewer repetitions than were asked for.
	MarkFewer = "*"
	// MarkGrid marks a selection from part of the grid, because some of its settings have not
	// finished.
	MarkGrid = "#"
)

// Table is a rectangle of typed cells. Every row has one cell per column.
type Table struct {
	Name    string // file name without ending: lower-case letters, digits, _ and -
	Title   string
	Columns Columns
	Rows    [][]Cell
	Notes   []string // one paragraph each, below the table
	// List is set for a table with a row per cell or setting, and so perhaps many thousand rows. It
	// is written only as CSV, which the page links to.
	List bool
	// Printed is set for a table with the paper's layout. It is the first on the page, and one
	// piece in LaTeX.
	Printed bool
	// Main is set for the main table of further data sets, which is shown with the first table.
	Main bool
	// Terminal is how many of the first columns a command shows, 0 for all. Files have every column.
	Terminal int
	// Each yields the rows of a list of cells instead of Rows, which is nil then. Rows are made
	// while the list is written, each time anew, and never all held at once.
	Each iter.Seq[[]Cell]
	// Yields is the number of rows of Each.
	Yields int
	// Laid is set for a table with methods down and data sets across. It has no CSV: another table has its numbers for programs.
	Laid bool
}

// rows yields the rows, wherever they come from.
func (t Table) rows() iter.Seq[[]Cell] {
	if t.Each == nil {
		return slices.Values(t.Rows)
	}
	return t.Each
}

// Whole returns the table with its rows in Rows, without hidden columns. It panics if a row does not fit the columns.
func (t Table) Whole() Table {
	if t.Each != nil {
		t.Rows, t.Each, t.Yields = slices.Collect(t.rows()), nil, 0
	}
	for _, row := range t.Rows {
		t.checkRow(row)
	}
	return t.of(func(int) bool { return true })
}

// Filled is the whole table without the columns that are blank in every row.
func (t Table) Filled() Table {
	t = t.Whole()
	return t.of(func(j int) bool {
		return len(t.Rows) == 0 || slices.ContainsFunc(t.Rows, func(row []Cell) bool { return row[j].Kind != Blank })
	})
}

// Without returns the whole table without the columns of these titles.
func (t Table) Without(titles ...string) Table {
	t = t.Whole()
	return t.of(func(j int) bool { return !slices.Contains(titles, t.Columns[j].Title) })
}

// of returns the table with those columns that are not hidden and that keep selects, by their numbers.
func (t Table) of(keep func(j int) bool) Table {
	out := t
	out.Columns, out.Rows, out.Terminal = nil, make([][]Cell, len(t.Rows)), 0
	for j, c := range t.Columns {
		if c.Hidden || !keep(j) {
			continue
		}
		if j < t.Terminal {
			out.Terminal++
		}
		out.Columns = append(out.Columns, c)
		for i, row := range t.Rows {
			out.Rows[i] = append(out.Rows[i], row[j])
		}
	}
	return out
}

// Len is the number of rows.
func (t Table) Len() int { return len(t.Rows) + t.Yields }

// Holds reports whether a cell of the table is that text, or the name of a column.
func (t Table) Holds(text string) bool {
	for c := range t.shown() {
		if c.Text == text {
			return true
		}
	}
	return slices.ContainsFunc(t.Columns, func(c Column) bool { return !c.Hidden && c.Title == text })
}

// shown yields the cells of all columns that are not hidden, row by row.
func (t Table) shown() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		for row := range t.rows() {
			for j, c := range row {
				if !t.Columns[j].Hidden && !yield(c) {
					return
				}
			}
		}
	}
}

// Columns are the columns of a table, from left to right.
type Columns []Column

// Column describes one column.
type Column struct {
	Title string
	// Right aligns the column to the right: set for numbers. CSV has nothing else in it.
	Right bool
	// Key columns say what a row is about. They come first.
	Key bool
	// Spread columns hold means with a standard deviation: in CSV NAME_mean, NAME_std and NAME_n.
	Spread bool
	// Counted columns hold "3 of 5" (see [Count]): in CSV NAME and NAME_asked.
	Counted bool
	// Listed columns hold lists (see [List]): in CSV NAME_1, NAME_2 and so on, as many as the longest has.
	Listed bool
	// NoCSV columns are omitted in CSV: sentences, and what other columns say in numbers.
	NoCSV bool
	// Hidden columns are omitted in every form of the table, with their cells. Rows have a cell for each of them.
	Hidden bool
	// CSV is the NAME there; "": Title in lower case, words joined by _.
	CSV string
	// Params are the parameters in the cells of [Settings]. In CSV each has a column, after all
	// others.
	Params []string
}

// Dataset and Method are the key columns of most tables.
var Dataset, Method = Column{Title: "data set", Key: true}, Column{Title: "method", Key: true}

// Numeric reports whether the column is aligned to the right, and has only numbers in CSV.
func (c Column) Numeric() bool { return c.Right || c.Spread || c.Counted }

// If returns the column, hidden unless it is shown.
func (c Column) If(shown bool) Column {
	c.Hidden = !shown
	return c
}

// Add adds a row: of a text or a whole number its cell, a cell, or several cells.
func (t *Table) Add(values ...any) { t.Rows = append(t.Rows, Cells(values...)) }

// Cells returns a cell for each value: a text, a whole number, a cell, or a slice of them. An empty
// text is blank.
func Cells(values ...any) []Cell {
	out := make([]Cell, 0, len(values))
	for _, v := range values {
		switch v := v.(type) {
		case Cell:
			out = append(out, v)
		case []Cell:
			out = append(out, v...)
		case string:
			out = append(out, TextOrBlank(v))
		case int:
			out = append(out, Int(v))
		case int64:
			out = append(out, Int(v))
		default:
			panic(fmt.Sprintf("reports: a cell of %T", v))
		}
	}
	return out
}

// AddUpTo adds a row whose last cells are all alike.
func (t *Table) AddUpTo(end Cell, values ...any) {
	row := Cells(values...)
	t.Rows = append(t.Rows, append(row, slices.Repeat([]Cell{end}, len(t.Columns)-len(row))...))
}

// When returns the notes, or whatever belongs to a table under a condition; nothing where it does not hold.
func When[T any](holds bool, what ...T) []T {
	if !holds {
		return nil
	}
	return what
}

// Map returns a value for each element of a list.
func Map[T, U any](list []T, of func(T) U) []U {
	out := make([]U, len(list))
	for i, x := range list {
		out[i] = of(x)
	}
	return out
}

// Note adds paragraphs below the table.
func (t *Table) Note(notes ...string) { t.Notes = append(t.Notes, notes...) }

// Fewer is the mark of a mean over so many repetitions of those that were asked for.
func Fewer(done, of int) string { return words.If(done < of, MarkFewer) }

// Kind is the type of a cell.
type Kind int

// The kinds of cells.
const (
	Blank   Kind = iota // nothing belongs here: the paper prints no value
	Missing             // a value belongs here, but no run has it
	Text
	Number
)

// Cell is one typed entry of a table. The constructors below are the usual way to
// make one; the zero value is blank.
type Cell struct {
	Kind Kind
	Text string // of a Text cell

	Value    float64 // of a Number cell; finite
	Std      float64 // standard deviation, where HasStd is set
	HasStd   bool
	N        int  // how many values it is the mean of; 0: not known
	Decimals int  // digits after the point; -1: three significant digits; AsGiven
	Signed   bool // print a plus sign before positive values
	Mark     string
	Class    string // of the cell's style on a page; other forms do not show it
	// Parts replace the text in CSV, column by column; nil: the cell itself.
	Parts []Cell
}

// AsGiven are the decimals of a number that is shown to its last digit.
const AsGiven = -2

// Txt returns a text cell.
func Txt(s string) Cell { return Cell{Kind: Text, Text: s} }

// Int returns a cell with a whole number.
func Int[T ~int | ~int64](v T) Cell { return Cell{Kind: Number, Value: float64(v)} }

// Num returns a number with so many decimals (-1: three significant digits).
// A value that is not finite has nothing to show for itself: it is missing.
func Num(v float64, decimals int) Cell {
	return Cell{Kind: Number, Value: v, Decimals: decimals}.Known(!math.IsNaN(v) && !math.IsInf(v, 0))
}

// MeanStd returns "mean (std)" with two decimals.
func MeanStd(mean, std float64) Cell {
	c := Num(mean, 2)
	if c.Kind == Number && !math.IsNaN(std) && !math.IsInf(std, 0) {
		c.Std, c.HasStd = std, true
	}
	return c
}

// Diff returns a difference with two decimals and its sign.
func Diff(v float64) Cell {
	c := Num(v, 2)
	c.Signed = true
	return c
}

// None returns the cell of a run that is not there.
func None() Cell { return Cell{Kind: Missing} }

// If returns the cell where that holds, else a blank one.
func (c Cell) If(holds bool) Cell {
	if !holds {
		return Cell{}
	}
	return c
}

// Known returns the cell where its value is known, else a missing one.
func (c Cell) Known(is bool) Cell {
	if !is {
		return None()
	}
	return c
}

// MissingWord is what every renderer prints for a Missing cell.
const MissingWord = "missing"

// number formats v as this cell asks, without mark or deviation.
func (c Cell) number(v float64) string {
	if c.Decimals == AsGiven {
		return Exact(v)
	}
	s := strconv.FormatFloat(v, 'f', c.Decimals, 64)
	if c.Decimals < 0 {
		s = strconv.FormatFloat(v, 'g', 3, 64)
	}
	if strings.HasPrefix(s, "-") && strings.Trim(s, "-0.") == "" {
		s = s[1:] // "-0.00" would claim a sign that the digits do not show
	}
	return s
}

// signed is number with the plus sign where one is asked for.
func (c Cell) signed() string {
	s := c.number(c.Value)
	if c.Signed && !strings.HasPrefix(s, "-") && strings.Trim(s, "0.") != "" {
		s = "+" + s
	}
	return s
}

// deviates reports whether people are shown a deviation: a single value has none, though its CSV has the 0 of its population.
func (c Cell) deviates() bool { return c.HasStd && c.N != 1 }

// Plain is the cell as unescaped text: "71.75 (0.83)*", "missing", "-".
func (c Cell) Plain() string {
	switch c.Kind {
	case Missing:
		return MissingWord
	case Text:
		return c.Text + c.Mark
	case Number:
		return c.signed() + words.If(c.deviates(), " (%s)", c.number(c.Std)) + c.Mark
	}
	return "-"
}

// checkRow panics on a row that does not fit the columns.
func (t Table) checkRow(row []Cell) {
	if len(row) != len(t.Columns) {
		panic("reports: a row of table " + t.Name + " has " + strconv.Itoa(len(row)) +
			" cells for " + strconv.Itoa(len(t.Columns)) + " columns")
	}
}

// Exact is the shortest decimal that reads back as v, whole numbers without an exponent.
func Exact(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// MarkNotes explains the marks that a table uses.
func MarkNotes(t Table, repetitions string) []string {
	fewer, grid := false, false
	for c := range t.shown() {
		fewer, grid = fewer || strings.Contains(c.Mark, MarkFewer), grid || strings.Contains(c.Mark, MarkGrid)
	}
	return slices.Concat(When(fewer, MarkFewer+" a mean over fewer "+repetitions+" than the configuration asks for."),
		When(grid, MarkGrid+" selected before all settings of the grid had finished."))
}

// TextOrBlank returns a text cell, blank without a text.
func TextOrBlank(s string) Cell { return Txt(s).If(s != "") }

// Count returns "3 of 5".
func Count(done, of int) Cell { return List(fmt.Sprintf("%d of %d", done, of), Int(done), Int(of)) }

// List returns a text with what programs have in its place.
func List(text string, parts ...Cell) Cell { return Cell{Kind: Text, Text: text, Parts: parts} }

// Form is one way to write a table.
type Form struct {
	Ending string
	Render func(io.Writer, Table) error
}

// CSVEnding ends the names of CSV files.
const CSVEnding = ".csv"

// AsCSV is the form for programs.
func AsCSV() Form { return Form{CSVEnding, CSV} }

// Forms are the ways to write the table, text first: a list as CSV alone, a table that is laid out without.
func (t Table) Forms() []Form {
	text := func(w io.Writer, t Table) error { return Terminal(w, t, textWidth) }
	if t.List {
		return []Form{AsCSV()}
	}
	return slices.Concat([]Form{{".txt", text}, {".md", Markdown}}, When(!t.Laid, AsCSV()), []Form{{".tex", LaTeX}})
}

// textWidth is the line width of the text files, which unlike a terminal's is
// fixed: the same records give the same bytes.
const textWidth = 120
