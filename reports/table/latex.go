package table

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// longTable is the number of rows, over all blocks, from which LaTeX gets a longtable,
// which breaks over pages, in place of a floating table.
const longTable = 45

// latexSize is a font size with what a character and the gap between two columns take.
type latexSize struct {
	commands  string
	char, gap float64 // points, as Computer Modern's digits
}

// latexSizes are tried in this order. The text of an article at 10 points is
// latexWidth wide.
var latexSizes = []latexSize{
	{"", 5, 12},
	{"\\small\n", 4.63, 12},
	{"\\footnotesize\n\\setlength{\\tabcolsep}{4pt}\n", 4.25, 8},
	{"\\scriptsize\n\\setlength{\\tabcolsep}{3pt}\n", 4, 6},
}

const latexWidth = 345.0

// LaTeX writes the table for the booktabs package (and longtable, where it would
// not fit a page), with caption, a label "tab:NAME" and the notes below. Text is
// escaped; minus signs are mathematical ones. A wide table is set smaller; one
// that is too wide even so wraps long text, and is cut into blocks of columns that
// each begin with the key columns.
func LaTeX(w io.Writer, t Table) error {
	sh := newSheet(t)
	all, _ := sh.ordered()
	size, chars, fits := latexSize{}, 0, false // no limit of characters
	for _, size = range latexSizes {
		if fits = size.char*float64(total(sh.widths, all)-2*(len(all)-1))+size.gap*float64(len(all)-1) <= latexWidth; fits {
			break
		}
	}
	if !fits {
		// Some letters are wider than digits; a gap takes less than the two
		// characters that it counts for.
		chars = int(latexWidth/size.char) - 4
	}
	cut := sh.blocks(chars)
	caption := `\caption{` + latexText(t.Title) + `}`
	label := `\label{tab:` + t.Name + `}`
	long := len(sh.Rows)*len(cut) >= longTable
	var b strings.Builder
	if long {
		b.WriteString("% needs \\usepackage{booktabs,longtable}\n")
		if size.commands != "" {
			b.WriteString("\\begingroup\n" + size.commands)
		}
	} else {
		b.WriteString("% needs \\usepackage{booktabs}\n\\begin{table}[t]\n\\centering\n")
		b.WriteString(caption + "\n" + label + "\n" + size.commands)
	}
	for k, columns := range cut {
		spec, header := latexHeader(t, columns, sh.wrapped(columns, chars), size)
		switch {
		case long:
			if k > 0 {
				b.WriteString("\\addtocounter{table}{-1}\n") // every longtable counts
			}
			b.WriteString(`\begin{longtable}{` + spec + "}\n")
			if k == 0 {
				b.WriteString(caption + label + " \\\\\n")
			}
			b.WriteString("\\toprule\n" + header + "\n\\midrule\n\\endfirsthead\n")
			b.WriteString("\\toprule\n" + header + "\n\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n")
		case k > 0:
			b.WriteString("\n\\medskip\n")
			fallthrough
		default:
			b.WriteString(`\begin{tabular}{` + spec + "}\n\\toprule\n" + header + "\n\\midrule\n")
		}
		for i, row := range sh.Rows {
			for n, j := range columns {
				if n > 0 {
					b.WriteString(" & ")
				}
				cell := latexCell(row[j], n == 0)
				if sh.best(i, j) {
					cell = `\textbf{` + cell + `}`
				}
				b.WriteString(cell)
			}
			b.WriteString(" \\\\\n")
		}
		if long {
			b.WriteString("\\end{longtable}\n")
		} else {
			b.WriteString("\\bottomrule\n\\end{tabular}\n")
		}
	}
	for _, note := range t.Notes {
		b.WriteString("\n{\\footnotesize\\raggedright " + latexText(note) + "\\par}\n")
	}
	switch {
	case !long:
		b.WriteString("\\end{table}\n")
	case size.commands != "":
		b.WriteString("\\endgroup\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// latexHeader is the column specification of a block, and its first line. Columns
// that wrap are paragraphs of the given width in characters.
func latexHeader(t Table, columns []int, wrapped map[int]int, size latexSize) (spec, header string) {
	var names []string
	for _, j := range columns {
		switch width, ok := wrapped[j]; {
		case ok:
			spec += fmt.Sprintf("p{%.0fpt}", float64(width)*size.char)
		case t.Columns[j].Right:
			spec += "r"
		default:
			spec += "l"
		}
		names = append(names, latexText(t.Columns[j].Name))
	}
	return spec, strings.Join(names, " & ") + ` \\`
}

func latexCell(c Cell, first bool) string {
	var s string
	switch c.Kind {
	case Missing:
		s = MissingWord
	case Text:
		s = latexText(c.Text)
		if first && strings.HasPrefix(s, "[") {
			s = "{}" + s // \\ before it would read it as an optional argument
		}
	case Number:
		s = latexNumber(c.signed())
		if c.HasStd {
			s += " (" + latexNumber(c.number(c.Std)) + ")"
		}
	default:
		return "--"
	}
	if c.Mark != "" {
		s += `\textsuperscript{` + escapeLaTeX(c.Mark) + `}`
	}
	return s
}

// best reports whether a cell of a table laid out as the paper's is of the highest mean, as it is shown, of its column among the rows of one
// source, the last key: the paper sets these bold. Equal ones all are.
func (s *sheet) best(i, j int) bool {
	_, keys := s.ordered()
	if c := s.Rows[i][j]; !s.Printed || keys == 0 || !s.Columns[j].Spread || c.Kind != Number {
		return false
	}
	shown := func(c Cell) float64 {
		v, _ := strconv.ParseFloat(c.number(c.Value), 64) // of a formatted number
		return v
	}
	for _, row := range s.Rows {
		if row[keys-1].Text == s.Rows[i][keys-1].Text && row[j].Kind == Number && shown(row[j]) > shown(s.Rows[i][j]) {
			return false
		}
	}
	return true
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
var latexEscapes = map[rune]string{
	'\\': `\textbackslash{}`, '{': `\{`, '}': `\}`, '$': `\$`, '&': `\&`, '%': `\%`,
	'#': `\#`, '_': `\_`, '^': `\textasciicircum{}`, '~': `\textasciitilde{}`,
	'<': `\textless{}`, '>': `\textgreater{}`, '|': `\textbar{}`,
	'`': `\textasciigrave{}`,
}

func escapeLaTeX(s string) string {
	s = visible(s)
	var b strings.Builder
	for i, r := range s {
		if e, ok := latexEscapes[r]; ok {
			b.WriteString(e)
			continue
		}
		b.WriteRune(r)
		// -- and --- are dashes to TeX; keep hyphens apart.
		if next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):]); r == '-' && next == '-' {
			b.WriteString("{}")
		}
	}
	return b.String()
}
