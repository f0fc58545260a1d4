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

// latexSizes are tried in this order.
var latexSizes = []latexSize{
	{"", 5, 12},
	{"\\small\n", 4.63, 12},
	{"\\footnotesize\n\\setlength{\\tabcolsep}{4pt}\n", 4.25, 8},
	{"\\scriptsize\n\\setlength{\\tabcolsep}{3pt}\n", 4, 6},
}

// How wide the text of an article at 10 points is, and a column of one that has two.
const latexWidth, latexColumn = 345.0, 229.0

// wholeRows is up to how many rows a table of the paper's is one piece: its largest has 46.
const wholeRows = 60

// LaTeX writes the table for the booktabs package (and longtable, where it would
// not fit a page), with caption, a label "tab:NAME" and the notes below. Text is
// escaped; minus signs are mathematical ones. A wide table is set smaller; one
// that is too wide even so wraps long text, and is cut into blocks of columns that
// each begin with the key columns. One of the paper's ([Table.Printed]) stays in one piece: it spans both columns of a page that has two,
// says what its rows are about once, and is scaled (by graphicx) to the text where it is larger.
func LaTeX(w io.Writer, t Table) error {
	sh := newSheet(t)
	if whole := sh.whole(); whole != "" {
		_, err := io.WriteString(w, whole)
		return err
	}
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
		for _, row := range sh.Rows {
			for n, j := range columns {
				if n > 0 {
					b.WriteString(" & ")
				}
				b.WriteString(latexCell(row[j], n == 0))
			}
			b.WriteString(" \\\\\n")
		}
		if long {
			b.WriteString("\\end{longtable}\n")
		} else {
			b.WriteString("\\bottomrule\n\\end{tabular}\n")
		}
	}
	b.WriteString(latexNotes(t, `\footnotesize`))
	switch {
	case !long:
		b.WriteString("\\end{table}\n")
	case size.commands != "":
		b.WriteString("\\endgroup\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// latexNotes are the notes, a paragraph each.
func latexNotes(t Table, size string) string {
	var b strings.Builder
	for _, note := range t.Notes {
		b.WriteString("\n{" + size + "\\raggedright " + latexText(note) + "\\par}\n")
	}
	return b.String()
}

// whole is a table of the paper's in one float, scaled to the width of the text and seven tenths of its height where it is larger; "" for others.
func (s *sheet) whole() string {
	if !s.Printed || len(s.Rows) > wholeRows {
		return ""
	}
	columns, keys := s.ordered()
	size, float := latexSize{"\\small\n\\setlength{\\tabcolsep}{4pt}\n", 4.63, 8}, "table"
	if size.char*float64(total(s.widths, columns)-2*(len(columns)-1))+size.gap*float64(len(columns)) > latexColumn {
		float = "table*"
	}
	spec, header := latexHeader(s.Table, columns, nil, size)
	var b strings.Builder
	b.WriteString("% needs \\usepackage{booktabs,graphicx}\n\\begin{" + float + "}[tp]\n\\centering\n" +
		"\\caption{" + latexText(s.Title) + "}\n\\label{tab:" + s.Name + "}\n" + size.commands +
		"\\resizebox*{!}{\\ifdim\\totalheight>.7\\textheight .7\\textheight\\else\\totalheight\\fi}{%\n" +
		"\\resizebox{\\ifdim\\width>\\linewidth \\linewidth\\else\\width\\fi}{!}{%\n\\begin{tabular}{" + spec + "}\n\\toprule\n" +
		s.over(columns) + header + "\n\\midrule\n")
	for i, row := range s.Rows {
		changed := 0 // the first key that differs from that of the row above
		for changed < keys-1 && i > 0 && row[columns[changed]].Plain() == s.Rows[i-1][columns[changed]].Plain() {
			changed++
		}
		switch {
		case i == 0 || changed == keys-1:
		case changed < keys-2:
			b.WriteString("\\midrule\n")
		default:
			b.WriteString("\\addlinespace[2pt]\n")
		}
		for n, j := range columns {
			cell := latexCell(row[j], n == 0)
			switch {
			case n < changed, n < keys && row[j].Kind == Blank:
				cell = ""
			case s.best(i, j):
				cell = `\textbf{` + cell + `}`
			}
			if n > 0 {
				b.WriteString(" & ")
			}
			b.WriteString(cell)
		}
		b.WriteString(" \\\\\n")
	}
	b.WriteString("\\bottomrule\n\\end{tabular}}}\n" + latexNotes(s.Table, `\scriptsize`) + "\\end{" + float + "}\n")
	return b.String()
}

// over is the line of headings over several columns, with a rule below each; "" without any.
func (s *sheet) over(columns []int) string {
	var cells, rules []string
	for n := 0; n < len(columns); {
		heading, from := s.Columns[columns[n]].Over, n
		for n++; heading != "" && n < len(columns) && s.Columns[columns[n]].Over == heading; n++ {
		}
		if heading == "" {
			cells = append(cells, "")
			continue
		}
		cells = append(cells, fmt.Sprintf(`\multicolumn{%d}{c}{%s}`, n-from, latexText(heading)))
		rules = append(rules, fmt.Sprintf(`\cmidrule(lr){%d-%d}`, from+1, n))
	}
	if rules == nil {
		return ""
	}
	return strings.Join(cells, " & ") + " \\\\\n" + strings.Join(rules, " ") + "\n"
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
		if first && (strings.HasPrefix(s, "[") || strings.HasPrefix(s, "*")) {
			s = "{}" + s // \\ before it would read it as its argument, or its star
		}
	case Number:
		s = latexNumber(c.signed())
		if c.deviates() {
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
