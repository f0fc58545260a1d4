package plots

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Figure is a picture of one or several panels in a grid, with the numbers behind it.
type Figure struct {
	// Name of its files: lower-case letters, digits, _ and -.
	Name string
	// Title stands above the panels.
	Title string
	// Alt says in words what the picture shows, for those who do not see it and as the
	// caption on the page. Needed.
	Alt string
	// Width and Height of the picture in cm. 0: 16 wide (10 with a single column), and as
	// high as the panels ask for.
	Width, Height float64
	// Columns are the panels of a row; they are placed row by row. 0: up to 2 where there
	// is an [XY], else up to 3.
	Columns int
	Panels  []Panel
	// Data are the numbers behind the picture.
	Data []Data
}

// Data is one CSV file beside the picture.
type Data struct {
	// Name of the file is the figure's name, "-" and this one; the figure's own name where
	// it is "".
	Name   string
	Header []string
	Rows   [][]string // each as long as Header
}

// Add adds a row: texts and whole numbers as they are, other numbers with all their digits.
func (d *Data) Add(row ...any) {
	texts := make([]string, len(row))
	for i, v := range row {
		texts[i] = fmt.Sprint(v)
		if f, ok := v.(float64); ok {
			texts[i] = strconv.FormatFloat(f, 'g', -1, 64)
		}
	}
	d.Rows = append(d.Rows, texts)
}

// Panel is one field of a figure: [Matrix], [Graph], [XY] or [Simplex].
type Panel interface {
	// check says what is wrong with the panel's content; nil where it can be drawn.
	check() error
	// prepared is the panel with what all files share worked out.
	prepared() drawable
	// aspect is the height of the panel without titles, legends and notes over its width.
	aspect() float64
	// heading is the panel's title.
	heading() string
	// notes are the remarks below the panel: its own, and what was left out.
	notes() []string
	// keys are the panel's entries for a legend.
	keys() []key
}

// drawable is a panel that is prepared.
type drawable interface {
	Panel
	// draw draws the panel's content into the field.
	draw(p *pen, at field)
}

// File is one file of a figure.
type File struct {
	Name string // "atoms.svg"
	Data []byte
}

// Files draws the figure: NAME.svg, NAME.png (150 dots per inch), NAME.pdf, and one CSV file per
// entry of Data. The same figure gives the same bytes: they hold no date, and nothing in them is
// drawn at random but the layout of a [Graph], from its own seed.
//
// SVG texts are texts, in the reader's own sans-serif font; the file has the figure's title
// and Alt as <title> and <desc>, a white ground (it stays readable on a dark page), and no
// ids, so that several can stand in one page. Characters that are none (control characters, bytes that are not
// UTF-8) become U+FFFD; those that Windows-1252 lacks are spelled out in the PDF.
//
// Numbers that cannot be drawn (NaN, infinite, not positive on a logarithmic axis) are left out, and
// a note below the panel counts them; a panel without any says so. Errors: names that are no
// file names or come twice, no Alt, no panel, lengths that do not fit, negative or unusable
// sizes. Cost: about 50 ms for a small figure, most of it for the PNG. Lines and clouds of more points than can be told apart,
// and large matrices and graphs, are thinned, so that a panel takes no more than 1 MB of any file.
func Files(f Figure) ([]File, error) {
	p := newPen()
	f, l, err := p.prepare(f)
	if err != nil {
		return nil, fmt.Errorf("plots: figure %q: %w", f.Name, err)
	}
	var out []File
	for _, format := range []struct {
		ending string
		render func(*pen, Figure, plan) ([]byte, error)
	}{{"svg", svg}, {"png", raster}, {"pdf", pdf}} {
		data, err := format.render(p, f, l)
		if err != nil {
			return nil, fmt.Errorf("plots: figure %q as %s: %w", f.Name, format.ending, err)
		}
		out = append(out, File{f.Name + "." + format.ending, data})
	}
	for _, d := range f.Data {
		data, err := table(d)
		if err != nil {
			return nil, fmt.Errorf("plots: figure %q: data %q: %w", f.Name, d.Name, err)
		}
		out = append(out, File{d.file(f.Name), data})
	}
	return out, nil
}

// prepare checks a figure and works out what all its files share.
func (p *pen) prepare(f Figure) (Figure, plan, error) {
	if err := f.check(); err != nil {
		return f, plan{}, err
	}
	f.Panels = slices.Clone(f.Panels)
	for i, x := range f.Panels {
		f.Panels[i] = x.prepared()
	}
	l := p.plan(f)
	if l.cell < leastCell || slices.Min(l.rows) < leastCell {
		return f, l, fmt.Errorf("%v x %v cm leave no room for its panels", f.Width, f.Height)
	}
	return f, l, nil
}

// file is the name of the CSV file.
func (d Data) file(figure string) string {
	if d.Name == "" {
		return figure + ".csv"
	}
	return figure + "-" + d.Name + ".csv"
}

// maxSide bounds a picture, in cm; maxPanels the panels in it.
const (
	maxSide   = 200
	maxPanels = 100
)

func (f Figure) check() error {
	if !FileName(f.Name) {
		return errors.New("name: want lower-case letters, digits, _ and -")
	}
	if strings.TrimSpace(f.Alt) == "" {
		return errors.New("no Alt: a figure says in words what it shows")
	}
	if len(f.Panels) == 0 {
		return errors.New("no panels")
	}
	if !(f.Width >= 0 && f.Width <= maxSide && f.Height >= 0 && f.Height <= maxSide) {
		return fmt.Errorf("size %v x %v cm: want 0 (default) to %d", f.Width, f.Height, maxSide)
	}
	if f.Columns < 0 {
		return fmt.Errorf("%d columns", f.Columns)
	}
	if len(f.Panels) > maxPanels {
		return fmt.Errorf("%d panels: want at most %d", len(f.Panels), maxPanels)
	}
	for i, p := range f.Panels {
		if p == nil {
			return fmt.Errorf("panel %d is nil", i+1)
		}
		if err := p.check(); err != nil {
			return fmt.Errorf("panel %d (%q): %w", i+1, p.heading(), err)
		}
	}
	var names []string
	for _, d := range f.Data {
		if d.Name != "" && !FileName(d.Name) {
			return fmt.Errorf("data %q: want lower-case letters, digits, _ and -", d.Name)
		}
		if slices.Contains(names, d.Name) {
			return fmt.Errorf("two data are named %q", d.Name)
		}
		names = append(names, d.Name)
		for i, r := range d.Rows {
			if len(r) != len(d.Header) {
				return fmt.Errorf("data %q: row %d has %d fields, the header %d", d.Name, i+1, len(r), len(d.Header))
			}
		}
	}
	return nil
}

// FileName reports whether s can name the files of a figure or a table: up to 100 lower-case letters, digits,
// _ and -, not beginning with -.
func FileName(s string) bool {
	if s == "" || len(s) > 100 || s[0] == '-' {
		return false
	}
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' && r != '-' {
			return false
		}
	}
	return true
}
