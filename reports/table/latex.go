package table

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ogdl/internal/words"
)

// longTable is the number of rows up to which a table is one piece in LaTeX: the paper's largest has 46. A longer one breaks over pages.
const longTable = 60

// manyColumns is the number of columns from which a table spans both columns of a page that has two.
const manyColumns = 7

// longCell is the number of letters from which the texts of a column are paragraphs in LaTeX.
const longCell = 40

// LaTeX writes the table for the booktabs and graphicx packages: small, scaled down to the text where it is larger, with caption, a label
// "tab:NAME" and the notes below; a table of more than 60 rows for booktabs and longtable. Text is escaped; minus signs are mathematical
// ones. Rows that share their first keys have these once. In one of the paper's tables ([Table.Printed]) the highest means are bold.
func LaTeX(w io.Writer, t Table) error {
	t = t.Whole()
	float, long := "table"+words.If(len(t.Columns) >= manyColumns, "*"), len(t.Rows) > longTable
	caption, columns := `\caption{`+latexText(t.Title)+`}\label{tab:`+t.Name+`}`, t.latexColumns()
	titles := Map(t.Columns, func(c Column) string { return latexText(c.Title) })
	head := "\\toprule\n" + strings.Join(titles, " & ") + " \\\\\n\\midrule\n"
	begin := "% needs \\usepackage{booktabs,graphicx}\n\\begin{" + float + "}[tp]\n\\centering\n\\small\n" + caption + "\n" +
		"\\resizebox*{!}{\\ifdim\\totalheight>.7\\textheight .7\\textheight\\else\\totalheight\\fi}{%\n" +
		"\\resizebox{\\ifdim\\width>\\linewidth \\linewidth\\else\\width\\fi}{!}{%\n\\begin{tabular}{" + columns + "}\n" + head
	end, after := "\\bottomrule\n\\end{tabular}}}\n", "\\end{"+float+"}\n"
	if long {
		begin = "% needs \\usepackage{booktabs,longtable}\n\\begingroup\n\\small\n\\begin{longtable}{" + columns + "}\n" +
			caption + " \\\\\n" + head + "\\endfirsthead\n" + head + "\\endhead\n\\bottomrule\n\\endfoot\n"
		end, after = "\\end{longtable}\n", "\\endgroup\n"
	}
	b := bytes.NewBufferString(begin)
	keys := len(slices.DeleteFunc(slices.Clone(t.Columns), func(c Column) bool { return !c.Key }))
	for i, row := range t.Rows {
		changed := 0 // the first key that differs from the row above
		for changed < keys-1 && i > 0 && !long && row[changed].Plain() == t.Rows[i-1][changed].Plain() {
			changed++
		}
		switch {
		case i == 0 || long || changed >= keys-1:
		case changed < keys-2:
			b.WriteString("\\midrule\n")
		default:
			b.WriteString("\\addlinespace[2pt]\n")
		}
		cells := make([]string, len(row))
		for j, c := range row {
			switch cell := latexCell(c, j == 0); {
			case j < changed, j < keys && c.Kind == Blank:
			case t.best(keys, i, j):
				cells[j] = `\textbf{` + cell + `}`
			default:
				cells[j] = cell
			}
		}
		b.WriteString(strings.Join(cells, " & ") + " \\\\\n")
	}
	b.WriteString(end)
	for _, note := range t.Notes {
		b.WriteString("\n{\\footnotesize\\raggedright " + latexText(note) + "\\par}\n")
	}
	b.WriteString(after)
	_, err := b.WriteTo(w)
	return err
}

// latexColumns returns the alignment of the columns. Columns of sentences are paragraphs.
func (t Table) latexColumns() (spec string) {
	for j, c := range t.Columns {
		long := func(row []Cell) bool { return len(row[j].Text) > longCell }
		switch {
		case c.Numeric():
			spec += "r"
		case slices.ContainsFunc(t.Rows, long):
			spec += "p{4cm}"
		default:
			spec += "l"
		}
	}
	return spec
}

func latexCell(c Cell, first bool) string {
	var s string
	switch c.Kind {
	case Missing:
		s = MissingWord
	case Text:
		s = latexText(c.Text)
		if first && (strings.HasPrefix(s, "[") || strings.HasPrefix(s, "*")) {
			s = "{}" + s // \\ before it would read it as its argument, or its star
		}
	case Number:
		s = latexNumber(c.signed()) + words.If(c.deviates(), " (%s)", latexNumber(c.number(c.Std)))
	default:
		return "--"
	}
	return s + words.If(c.Mark != "", `\textsuperscript{%s}`, escapeLaTeX(c.Mark))
}

// best reports whether a cell of one of the paper's tables has the highest mean, as it is shown, of its column among the rows of one
// source, the last key: the paper sets these bold. Equal ones all are.
func (t Table) best(keys, i, j int) bool {
	c := t.Rows[i][j]
	if !t.Printed || keys == 0 || !t.Columns[j].Spread || c.Kind != Number {
		return false
	}
	shown := func(c Cell) float64 {
		v, _ := strconv.ParseFloat(c.number(c.Value), 64) // of a formatted number
		return v
	}
	return !slices.ContainsFunc(t.Rows, func(row []Cell) bool {
		return row[keys-1].Text == t.Rows[i][keys-1].Text && row[j].Kind == Number && shown(row[j]) > shown(c)
	})
}

// methodNames are the methods whose names have an index, escaped.
var methodNames = regexp.MustCompile(`\bGDL(\\_h)?(\\_lambda)?\b`)

// latexText is text with the methods' names as the paper sets them.
func latexText(s string) string {
	return methodNames.ReplaceAllStringFunc(escapeLaTeX(s), func(name string) string {
		index := strings.NewReplacer(`GDL`, ``, `\_h\_lambda`, `h,\lambda`, `\_h`, `h`, `\_lambda`, `\lambda`).Replace(name)
		if index == "" {
			return name
		}
		return `$\mathrm{GDL}_{` + index + `}$`
	})
}

// latexNumber sets signs in mathematics and 1.2e-05 as a power of ten.
func latexNumber(s string) string {
	if mantissa, exponent, ok := strings.Cut(s, "e"); ok {
		n, _ := strconv.Atoi(exponent) // of a formatted number
		return fmt.Sprintf(`$%s\cdot 10^{%d}$`, mantissa, n)
	}
	if strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") {
		return "$" + s + "$"
	}
	return s
}

// latexEscapes covers TeX's ten special characters and those that a font in
// the old encoding would print as something else.
var latexEscapes = strings.NewReplacer(
	`\`, `\textbackslash{}`, `{`, `\{`, `}`, `\}`, `$`, `\$`, `&`, `\&`, `%`, `\%`, `#`, `\#`, `_`, `\_`, `^`, `\textasciicircum{}`,
	`~`, `\textasciitilde{}`, `<`, `\textless{}`, `>`, `\textgreater{}`, `|`, `\textbar{}`, "`", `\textasciigrave{}`)

// escapeLaTeX escapes a text, and keeps hyphens apart: -- and --- are dashes to TeX.
func escapeLaTeX(s string) string {
	s = strings.ReplaceAll(latexEscapes.Replace(visible(s)), "--", "-{}-")
	return strings.ReplaceAll(s, "--", "-{}-") // of three hyphens two are still together
}
