package own

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"unicode/utf8"

	"ogdl/internal/words"
	"ogdl/reports/plots"
)

// mostPoints bounds the points that the page has one by one.
const mostPoints = 10000

// shades are the colours of errors: shades[k] for percentiles up to bounds[k], the last one above.
var (
	shades = []string{"#d6e6f4", "#8fc1de", "#3f8fc5", "#0f5aa5", "#08306b", "#d55e00"}
	bounds = []float64{25, 50, 75, 90, unlike}
)

// colouring is a way to colour the points.
type colouring struct {
	Name, class string
	colours     []string
	names       []string // of the colours
	of          func(i int) int
	Keys        []key
}

// key is an entry of the legend.
type key struct{ Class, Name string }

// colourings are by cluster, by class where there are classes, and by error.
func (f *Page) colourings() []colouring {
	var palette, clusters []string
	for k := range plots.Colours {
		palette = append(palette, plots.Hex(k+1))
	}
	for c := range f.Found {
		clusters = append(clusters, fmt.Sprintf("cluster %d", c))
	}
	out := []colouring{{Name: "cluster", class: "k", colours: palette, names: clusters,
		of: func(i int) int { return f.Cluster[i] }}}
	if f.Data.Classes != nil {
		out = append(out, colouring{Name: "class", class: "c", colours: palette, names: f.Data.ClassNames(f.classes()),
			of: func(i int) int { return f.Data.Classes[i] }})
	}
	return append(out, colouring{Name: "error", class: "e", colours: shades,
		names: []string{"to percentile 25", "to 50", "to 75", "to 90", "to 99", "above 99"},
		of: func(i int) int {
			k, _ := slices.BinarySearch(bounds, f.Percentile[i])
			return k
		}})
}

// Sizes of the picture of points, in units of an eighth of a letter's height.
const pointsWidth, pointsTop, underAxis, letter = 800, 10, 40, 8

// point is a graph in the picture of points.
type point struct {
	Class, X, Y, Title string
	Link               string // to the graph where it is drawn; else ""
}

// strip is the name of a row of points.
type strip struct {
	Name string
	Y    int
}

// pointsView is what its template shows.
type pointsView struct {
	Ways                                                          []colouring
	Style                                                         template.CSS
	Points                                                        []point
	Strips                                                        []strip
	XLabel, YLabel                                                string
	Width, Height, Left, Top, Bottom, Middle, Half, Under, Radius int
}

//go:embed points.html
var pointsText string

var pointsTemplate = template.Must(template.New("points").Parse(pointsText))

// points is the picture of the embedding in which every point says which graph it is, with buttons for what the colours mean. Points of
// graphs that are drawn one by one lead there.
func (f *Page) points(at *places, drawn map[int]bool) (template.HTML, error) {
	v := pointsView{Ways: f.colourings(), Width: pointsWidth, Left: 40, Top: pointsTop, Bottom: 500, Radius: 5}
	if v.XLabel, v.YLabel = at.labels(); at.strips != nil {
		v.YLabel, v.Bottom = "", min(500, 70+100*len(at.strips))
	}
	if len(f.Cluster) > 400 {
		v.Radius = 3
	}
	height := float64(v.Bottom - v.Top)
	toY := scale(at.graphs[1], float64(v.Bottom), -height)
	if at.strips != nil {
		toY = scale([]float64{-0.5, float64(len(at.strips)) - 0.5}, float64(v.Bottom), -height)
		for k, name := range at.strips {
			name = short(name)
			v.Left = max(v.Left, 2*letter+letter*utf8.RuneCountInString(name))
			v.Strips = append(v.Strips, strip{name, int(toY(float64(len(at.strips)-1-k))) + letter/2})
		}
	}
	toX := scale(at.graphs[0], float64(v.Left), float64(v.Width-v.Left))
	v.Middle, v.Half, v.Under, v.Height = (v.Left+v.Width)/2, (v.Top+v.Bottom)/2, v.Bottom+underAxis-10, v.Bottom+underAxis
	var style strings.Builder
	for k := range v.Ways {
		w := &v.Ways[k]
		on := "#by-" + w.Name + ":checked ~ "
		fmt.Fprintf(&style, "%s.key-%s{display:block}", on, w.Name)
		for k, colour := range w.colours {
			fmt.Fprintf(&style, "%s* .%s%d{fill:%[4]s;background:%[4]s}", on, w.class, k, colour)
		}
		if len(w.names) > len(w.colours) {
			continue // colours come again: they name nothing
		}
		for k, name := range w.names {
			w.Keys = append(w.Keys, key{fmt.Sprint(w.class, k), short(name)})
		}
	}
	v.Style = template.CSS(style.String())
	for i, c := range f.Cluster {
		p := point{X: fmt.Sprintf("%.1f", toX(at.graphs[0][i])), Y: fmt.Sprintf("%.1f", toY(at.graphs[1][i])),
			Title: "graph " + words.Clean(f.called(i))}
		if f.Class != nil {
			p.Title += ", class " + words.Clean(f.Class[i])
		}
		p.Title += fmt.Sprintf(", cluster %d, error %.3g, percentile %.0f", c, f.Reconstruction[i], f.Percentile[i])
		if drawn[i] {
			p.Link = f.anchor(i)
		}
		for _, w := range v.Ways {
			p.Class += fmt.Sprintf(" %s%d", w.class, w.of(i)%len(w.colours))
		}
		v.Points = append(v.Points, p)
	}
	var b bytes.Buffer
	err := pointsTemplate.Execute(&b, v)
	return template.HTML(b.String()), err
}

// scale maps values between the ends of an axis.
func scale(values []float64, from, size float64) func(v float64) float64 {
	const margin = 0.03 // of the axis
	low := slices.Min(values)
	span := max(slices.Max(values)-low, noise)
	return func(v float64) float64 { return from + float64(size*(margin+float64((1-2*margin)*(v-low)/span))) }
}
