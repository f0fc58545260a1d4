// Package plots draws figures of panels in a grid with gonum/plot, as SVG, PNG and PDF files with the same bytes from run
// to run, and their numbers as CSV. It knows nothing of records: a figure is made of numbers and names.
//
// Colours are Okabe and Ito's, which can be told apart without red and green; shapes and dashes differ as
// well. Values are shown by a map from white to dark blue that is uniform in lightness.
package plots

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"ogdl/reports/plots/pdf"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"ogdl/internal/words"
)

// Figure is a picture of one or several panels in a grid, with the numbers behind it.
type Figure struct {
	// Name of its files: lower-case letters, digits, _ and -.
	Name string
	// Title is above the panels, unless the figure is Untitled: the files still say it.
	Title    string
	Untitled bool
	// Formats of the files: "svg", "pdf", "png"; none: SVG and PDF. A PNG file takes three quarters of the time.
	Formats []string
	// Alt says in words what the picture shows, for those who do not see it and as the
	// caption on the page. Needed.
	Alt string
	// Width of the picture in cm; it is as high as the panels ask for. 0: 16 (10 with a single column). Texts have
	// 8 points whatever the width.
	Width float64
	// Columns are the panels of a row; they are placed row by row, fewer in a row where the width is too
	// small for so many. 0: up to 2.
	Columns int
	Panels  []Panel
	// Data are the numbers behind the picture.
	Data []Data
}

// Data is a CSV file next to the picture.
type Data struct {
	// Name of the file is the figure's name, "-" and this one; the figure's own name where
	// it is "".
	Name   string
	Header []string   // in the file letters and digits alone, with _ between words
	Rows   [][]string // each as long as Header, with fields as Add makes them
}

// Add adds a row: texts as [words.CSV] has them, whole numbers as they are, other numbers with all their digits, NaN as an empty
// field.
func (d *Data) Add(row ...any) {
	texts := make([]string, len(row))
	for i, v := range row {
		texts[i] = words.CSV(fmt.Sprint(v))
		switch f, ok := v.(float64); {
		case ok && math.IsNaN(f):
			texts[i] = ""
		case ok:
			texts[i] = strconv.FormatFloat(f, 'g', -1, 64)
		}
	}
	d.Rows = append(d.Rows, texts)
}

// Panel is one field of a figure: [Graph] or [XY].
type Panel interface {
	// about checks the panel's content, and returns the things around it; with an error only its
	// title.
	about() (about, error)
	// draw draws the content into the field, where there is any.
	draw(c draw.Canvas)
}

// File is one file, such as a figure's.
type File struct {
	Name string // "atoms.svg"
	Data []byte
}

// Files draws the figure: NAME.svg, NAME.pdf and, where it is asked for, NAME.png (300 dots per inch, and saying so), with one CSV file per
// entry of Data. The same figure gives the same bytes: they hold no date, and nothing in them is
// drawn at random.
//
// SVG texts are texts, in the reader's own sans-serif font; the file has the figure's title
// and Alt as <title> and <desc>, a white ground, a style that inverts it for readers who prefer dark pages, and no
// ids, so that several can be in one page. Characters that are none (control characters, bytes that are not
// UTF-8) become U+FFFD. The PDF's fonts hold the letters that are used.
//
// Numbers that cannot be drawn (NaN, infinite, not positive on a logarithmic axis) are omitted, and
// a note below the panel counts them; a panel without numbers has a note too. Errors: names that
// are not file names, no Alt, no panel, lengths that do not fit, no room. Cost: about 12 ms for a small figure, 50 ms with a PNG.
func Files(f Figure) (out []File, err error) {
	w, h, onto, err := f.layout()
	if err != nil {
		return nil, fmt.Errorf("plots: figure %q: %w", f.Name, err)
	}
	formats := f.Formats
	if formats == nil {
		formats = []string{"svg", "pdf"}
	}
	var all []vg.Canvas
	for _, format := range formats {
		switch format {
		case "svg":
			all = append(all, vgsvg.New(w, h))
		case "pdf":
			all = append(all, pdf.New(w, h))
		case "png":
			all = append(all, raster{vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi))}})
		}
	}
	onto(draw.NewCanvas(vg.MultiCanvas(all...), w, h))
	for i, format := range formats {
		var b bytes.Buffer
		if _, err := all[i].(io.WriterTo).WriteTo(&b); err != nil {
			return nil, fmt.Errorf("plots: figure %q as %s: %w", f.Name, format, err)
		}
		file := b.Bytes()
		switch format {
		case "svg":
			file = f.head(file, w, h)
		case "png":
			file = tagged(file)
		}
		out = append(out, File{f.Name + "." + format, file})
	}
	for _, d := range f.Data {
		name := f.Name + words.If(d.Name != "", "-%s", d.Name)
		var b bytes.Buffer // CSV after RFC 4180 with line feeds
		head := make([]string, len(d.Header))
		for i, name := range d.Header {
			head[i] = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), "_")
		}
		if err := csv.NewWriter(&b).WriteAll(slices.Concat([][]string{head}, d.Rows)); err != nil {
			return nil, fmt.Errorf("plots: figure %q: data %q: %w", f.Name, d.Name, err)
		}
		out = append(out, File{name + ".csv", b.Bytes()})
	}
	return out, nil
}

// ParseWidth reads the width of a figure, such as 8.25cm, 80mm, 3.25in or 234pt, as cm.
func ParseWidth(text string) (cm float64, err error) {
	const least, most = 4, 100 // what any figure can be drawn in
	for unit, long := range map[string]float64{"cm": 1, "mm": 0.1, "in": 2.54, "pt": 2.54 / 72} {
		if number, ok := strings.CutSuffix(text, unit); ok {
			cm, err = strconv.ParseFloat(number, 64)
			if cm *= long; err == nil && cm >= least && cm <= most {
				return cm, nil
			}
		}
	}
	return 0, fmt.Errorf("must be a number with its unit (cm, mm, in, pt), from %dcm to %dcm", least, most)
}

// ParseFormats reads a list of formats, such as svg,pdf,png.
func ParseFormats(text string) ([]string, error) {
	formats := strings.Split(text, ",")
	for i, name := range formats {
		if !slices.Contains([]string{"svg", "pdf", "png"}, name) || slices.Contains(formats[:i], name) {
			return nil, errors.New("must be a list of svg, pdf and png, each once")
		}
	}
	return formats, nil
}

// check returns an error for a bad figure, and the things around its panels.
func (f Figure) check() (panels []about, err error) {
	switch {
	case !FileName(f.Name):
		return nil, errors.New("name: want lower-case letters, digits, _ and -")
	case strings.TrimSpace(f.Alt) == "":
		return nil, errors.New("no Alt: a figure says in words what it shows")
	case len(f.Panels) == 0:
		return nil, errors.New("no panels")
	}
	for i, p := range f.Panels {
		a, err := p.about()
		if err != nil {
			return nil, fmt.Errorf("panel %d (%q): %w", i+1, a.title, err)
		}
		panels = append(panels, a)
	}
	for _, d := range f.Data {
		if d.Name != "" && !FileName(d.Name) {
			return nil, fmt.Errorf("data %q: want lower-case letters, digits, _ and -", d.Name)
		}
		for i, r := range d.Rows {
			if len(r) != len(d.Header) {
				return nil, fmt.Errorf("data %q: row %d has %d fields, the header %d", d.Name, i+1, len(r), len(d.Header))
			}
		}
	}
	return panels, nil
}

var fileName = regexp.MustCompile(`^[a-z0-9_][a-z0-9_-]{0,99}$`)

// FileName reports whether s can name the files of a figure or a table: up to 100 lower-case letters, digits,
// _ and -, not beginning with -.
func FileName(s string) bool { return fileName.MatchString(s) }

// DistinctNames cuts names to what a file's name may have ([FileName]), and numbers those that come again.
func DistinctNames(names []string) []string {
	const long = 80
	used := map[string]bool{}
	out := make([]string, len(names))
	for i, n := range names {
		n = n[:min(len(n), long)]
		out[i] = n
		for k := 2; used[out[i]]; k++ {
			out[i] = n + "-" + strconv.Itoa(k)
		}
		used[out[i]] = true
	}
	return out
}

// FileWord is a data set's name, or a parameter's value, as a part of a file's name.
func FileWord(s string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '-'
	}, strings.ToLower(s[:min(len(s), 60)])), "-")
}
