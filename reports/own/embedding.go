package own

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

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
	noise      = 1e-9 // of the variance: an axis with less shows rounding; of an embedding: distances below are none
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
		if axis < len(variances) && total > noise*noise {
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
