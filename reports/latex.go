package reports

import (
	"io"
	"strings"
	"unicode/utf8"
)

// longTable is the number of rows from which LaTeX gets a longtable, which
// breaks over pages, in place of a floating table.
const longTable = 45

// LaTeX writes the table for the booktabs package (and longtable, from 45
// rows on), with caption, a label "tab:NAME" and the notes below. Text is
// escaped; minus signs are mathematical ones.
func LaTeX(w io.Writer, t Table) error {
	t.check()
	var b strings.Builder
	var spec, header strings.Builder
	for j, c := range t.Columns {
		if c.Right {
			spec.WriteByte('r')
		} else {
			spec.WriteByte('l')
		}
		if j > 0 {
			header.WriteString(" & ")
		}
		header.WriteString(escapeLaTeX(c.Name))
	}
	header.WriteString(` \\`)
	caption := `\caption{` + escapeLaTeX(t.Title) + `}`
	label := `\label{tab:` + t.Name + `}`
	long := len(t.Rows) >= longTable
	if long {
		b.WriteString("% needs \\usepackage{booktabs,longtable}\n")
		b.WriteString(`\begin{longtable}{` + spec.String() + "}\n")
		b.WriteString(caption + label + " \\\\\n\\toprule\n" + header.String() + "\n\\midrule\n\\endfirsthead\n")
		b.WriteString("\\toprule\n" + header.String() + "\n\\midrule\n\\endhead\n")
		b.WriteString("\\bottomrule\n\\endfoot\n")
	} else {
		b.WriteString("% needs \\usepackage{booktabs}\n\\begin{table}[t]\n\\centering\n")
		b.WriteString(caption + "\n" + label + "\n")
		b.WriteString(`\begin{tabular}{` + spec.String() + "}\n\\toprule\n" + header.String() + "\n\\midrule\n")
	}
	for _, row := range t.Rows {
		for j, c := range row {
			if j > 0 {
				b.WriteString(" & ")
			}
			b.WriteString(latexCell(c, j == 0))
		}
		b.WriteString(" \\\\\n")
	}
	if long {
		b.WriteString("\\end{longtable}\n")
	} else {
		b.WriteString("\\bottomrule\n\\end{tabular}\n")
	}
	for _, note := range t.Notes {
		b.WriteString("\n{\\footnotesize " + escapeLaTeX(note) + "\\par}\n")
	}
	if !long {
		b.WriteString("\\end{table}\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func latexCell(c Cell, first bool) string {
	var s string
	switch c.Kind {
	case Missing:
		s = missingWord
	case Text:
		s = escapeLaTeX(c.Text)
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

// latexNumber sets signs in mathematics and 1.2e-05 as a power of ten.
func latexNumber(s string) string {
	mantissa, exponent, ok := strings.Cut(s, "e")
	if ok {
		sign := ""
		if strings.HasPrefix(exponent, "-") {
			sign = "-"
		}
		digits := strings.TrimLeft(exponent, "+-0")
		return "$" + mantissa + `\cdot 10^{` + sign + digits + "}$"
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
