package own

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"ogdl/internal/words"
	"ogdl/reports/plots"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// places are the points of the graphs and of the centres in a picture.
type places struct {
	graphs, centers [2][]float64
	share           [2]float64 // of the variance that an axis holds
	// strips name the rows of a picture with one axis, from the top; nil: there are two axes.
	strips []string
}

// Bounds on axes and strips.
const (
	noise      = 1e-9 // of the variance: an axis with less shows rounding
	mostStrips = 12
)

// axes places the graphs along the two principal axes of the embedding in the Mahalanobis metric. Where the second one holds nothing
// but rounding, they are spread in strips, one a class.
func (f *Page) axes() (p places, err error) {
	s := f.Width
	var components stat.PC
	if !components.PrincipalComponents(mat.NewDense(len(f.Cluster), s, f.Embedding), nil) {
		return p, fmt.Errorf("fit: the principal axes of the embedding did not converge")
	}
	variances := components.VarsTo(nil)
	total := floats.Sum(variances)
	var v mat.Dense
	components.VectorsTo(&v)
	for axis := range 2 {
		direction := make([]float64, s)
		if axis < len(variances) && total > f.rounding()*f.rounding() {
			p.share[axis] = variances[axis] / total
			mat.Col(direction, axis, &v)
		}
		// The largest entry decides the sign.
		far := slices.MaxFunc(direction, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
		floats.Scale(math.Copysign(1, far), direction)
		project := func(points []float64) (out []float64) {
			for row := range slices.Chunk(points, s) {
				out = append(out, floats.Dot(direction, row))
			}
			return out
		}
		p.graphs[axis], p.centers[axis] = project(f.Embedding), project(f.Centers)
		middle := stat.Mean(p.graphs[axis], nil)
		floats.AddConst(-middle, p.graphs[axis])
		floats.AddConst(-middle, p.centers[axis])
	}
	if p.share[1] < noise {
		f.spread(&p)
	}
	return p, nil
}

// rounding is the distance of embeddings that says nothing.
func (f *Page) rounding() float64 { return noise * floats.Norm(f.Embedding, math.Inf(1)) }

// classes are the numbers of all classes.
func (f *Page) classes() (all []int) {
	for k := range f.Data.NumClasses() {
		all = append(all, k)
	}
	return all
}

// spread puts the graphs into strips, by class as far as these are few.
func (f *Page) spread(p *places) {
	p.strips = []string{""}
	byClass := f.Data.Classes != nil && f.Data.NumClasses() <= mostStrips
	if byClass {
		p.strips = f.Data.ClassNames(f.classes())
	}
	const golden = 0.6180339887498949 // its multiples are spread evenly
	for i := range p.graphs[1] {
		row := len(p.strips) - 1
		if byClass {
			row -= f.Data.Classes[i]
		}
		_, jitter := math.Modf(golden * float64(i+1))
		p.graphs[1][i] = float64(row) + float64(0.7*(jitter-0.5))
	}
}

// labels name the axes.
func (p *places) labels() (x, y string) {
	axis := func(k int) string { return fmt.Sprintf("axis %d (%.0f %% of the variance)", k+1, 100*p.share[k]) }
	switch {
	case p.strips == nil:
		return axis(0), axis(1)
	case len(p.strips) > 1:
		return axis(0), "class"
	}
	return axis(0), ""
}

func (f *Page) embeddingFigure(at *places) plots.Figure {
	panel := plots.XY{Aspect: 0.7}
	panel.XLabel, panel.YLabel = at.labels()
	second := at.graphs[1]
	if at.strips != nil {
		second = make([]float64, len(f.Cluster)) // the jitter is no coordinate
		panel.Aspect = min(0.7, 0.15+0.15*float64(len(at.strips)))
		for k, name := range at.strips {
			panel.YTicks = append(panel.YTicks, plots.Tick{Value: float64(len(at.strips) - 1 - k), Label: short(name)})
		}
	}
	var where []string
	for c := range f.Found {
		s := plots.Series{Style: plots.Points, Colour: c + 1}
		if f.Found <= plots.Colours { // more could not be told apart
			s.Name = fmt.Sprintf("cluster %d", c)
		}
		panel.Series = append(panel.Series, s)
		text := fmt.Sprintf("%d at (%.2g, %.2g)", c, at.centers[0][c], at.centers[1][c])
		if at.strips != nil {
			text = fmt.Sprintf("%d at %.2g", c, at.centers[0][c])
		}
		where = append(where, text)
	}
	data := plots.Data{Header: []string{"graph", "name", "cluster", "axis1", "axis2"}}
	for i, c := range f.Cluster {
		panel.Series[c].Put(at.graphs[0][i], at.graphs[1][i])
		data.Add(f.Number[i], f.Name[i], c, at.graphs[0][i], second[i])
	}
	title := "The graphs in two dimensions"
	along := fmt.Sprintf("along the two principal axes of %s: the distance of two points is at most that of the two embeddings. "+
		"The axes hold %.0f %% and %.0f %% of the variance.", f.metric(), 100*at.share[0], 100*at.share[1])
	if at.strips != nil {
		title = "The graphs along one axis"
		along = fmt.Sprintf("along the only axis on which they differ, in %s. Heights mean nothing but the class: points are spread apart "+
			"to be seen.", f.metric())
	}
	return plots.Figure{Name: "embedding", Title: title, Width: 14, Columns: 1, Panels: []plots.Panel{panel},
		Data: []plots.Data{data},
		Alt:  fmt.Sprintf("Every graph by its weights over the atoms, %s Centres of the clusters: %s.", along, strings.Join(where, ", "))}
}

// mostPoints bounds the points that the page has one by one.
const mostPoints = 10000

// shades are the colours of errors: shades[k] for percentiles up to bounds[k], the last one above.
var (
	shades = []string{"#d6e6f4", "#8fc1de", "#3f8fc5", "#0f5aa5", "#08306b", "#d55e00"}
	bounds = []float64{25, 50, 75, 90, Unlike}
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
	span := cmp.Or(slices.Max(values)-low, 1)
	return func(v float64) float64 { return from + float64(size*(margin+float64((1-2*margin)*(v-low)/span))) }
}
