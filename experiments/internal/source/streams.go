package source

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/guard"
	"ogdl/internal/words"
	"ogdl/ot/gw"
)

// Stream is a data set that is read, or drawn, graph by graph; shared by all cells.
type Stream struct {
	files  *loader.Stream // nil for a set that is drawn
	Digest string
	Notes  []string // for every record
}

// head returns the data set without its graphs.
func (o *Stream) head() *datasets.Dataset {
	if o.files == nil {
		return &datasets.Dataset{Name: spec.NameDrawn, AttributeDim: 1}
	}
	return o.files.Head()
}

// Open returns the stream of a cell's graphs, opened on the first call. A context that ends stops the digest of the
// graphs, and the next call opens the stream.
func (l *Library) Open(ctx context.Context, c *spec.Cell) (*Stream, error) {
	return l.opened.Get(ctx, c.Source(), func() (*Stream, error) { return l.begin(ctx, c) })
}

// begin opens the data set and takes its digest.
func (l *Library) begin(ctx context.Context, c *spec.Cell) (o *Stream, err error) {
	o = &Stream{}
	defer func() {
		if err != nil && o.files != nil { // opened for nothing
			err = errors.Join(err, o.files.Close())
		}
	}()
	defer guard.Caught(&err)
	if err = ctx.Err(); err != nil {
		return o, err
	}
	switch {
	case c.Dataset == spec.NameDrawn:
		o.Digest, err = drawnDigest()
	case c.Own != nil:
		if err = c.Own.Missing; err == nil {
			o.files, err = loader.OpenStream(c.Own.Folder)
		}
	default:
		o.files, err = loader.OpenNamed(l.dir, c.Dataset)
	}
	if err == nil && o.files != nil {
		o.Digest, err = o.files.Digest(ctx)
	}
	if err != nil {
		return o, err
	}
	o.Notes = l.judge(c, o.Digest)
	if o.files != nil {
		o.Notes = append(o.Notes, l.look(c, o.files.Head())...)
	}
	return o, nil
}

// Digest returns the digest of a cell's data set, as a record has it.
func (l *Library) Digest(ctx context.Context, c *spec.Cell) (string, error) {
	if c.Method.Input == spec.InputStream {
		o, err := l.Open(ctx, c)
		if err != nil {
			return "", err
		}
		return o.Digest, nil
	}
	d, err := l.Dataset(c)
	if err != nil {
		return "", err
	}
	return d.Full.Digest, nil
}

// drawnDigest identifies the generator of triangle graphs by some drawn graphs of each label.
func drawnDigest() (string, error) {
	const labels, each = 10, 4
	d := datasets.NewDigester((&Stream{}).head(), labels*each)
	for label := 1; label <= labels; label++ {
		for k := range each {
			g, err := drawTriangles([]int{label}, Rand(0, spec.NameDrawn, k, fmt.Sprint("digest ", label)))
			if err != nil {
				return "", err
			}
			d.Add(g)
		}
	}
	return d.Sum(), nil
}

// drawTriangles draws one graph whose number of triangles is one of the labels.
func drawTriangles(labels []int, r *rand.Rand) (*datasets.Graph, error) {
	s, err := datasets.NewTriangleStream(&datasets.TriangleSettings{Labels: labels}, r)
	if err != nil {
		return nil, err
	}
	g, _, err := s.Next()
	return g, err
}

// Segment is a stretch of a stream whose graphs are of the same classes.
type Segment struct {
	Name   string // A, B, C, ...
	Labels []int  // class values
	Graphs int    // how many are streamed
	// At is graph k of the segment: any k at any time, always the same graph.
	At func(k int) (*datasets.Graph, error)
	// Held are graphs of these classes that are not streamed.
	Held []*datasets.Graph
}

// maxSegments is the number of letters.
const maxSegments = 26

// SegmentClasses returns the classes of each segment: the paper's for TRIANGLES, one class a
// segment for other sets.
func SegmentClasses(dataset string, classValues []int) [][]int {
	if dataset == spec.NameTriangles || dataset == spec.NameDrawn {
		return [][]int{{4, 5, 6, 7}, {8, 9, 10}, {1, 2, 3}}
	}
	var out [][]int
	for _, v := range classValues {
		out = append(out, []int{v})
	}
	return out
}

// WordClass asks for segments as long as their classes.
const WordClass = "class"

// drawnSegments draw each graph when it is asked for.
func drawnSegments(v spec.Values, rng func(stage string) *rand.Rand) ([]Segment, error) {
	var out []Segment
	for i, labels := range SegmentClasses(spec.NameDrawn, nil) {
		s := Segment{Name: segmentName(i), Labels: labels, Graphs: v.Integer("segment_graphs")}
		draw := func(part string, k int) (*datasets.Graph, error) {
			return drawTriangles(labels, rng(fmt.Sprintf("%s %s %d", part, s.Name, k)))
		}
		s.At = func(k int) (*datasets.Graph, error) { return draw("stream", k) }
		for k := range v.Integer("held_out_graphs") {
			g, err := draw("held out", k)
			if err != nil {
				return nil, err
			}
			s.Held = append(s.Held, g)
		}
		out = append(out, s)
	}
	return out, nil
}

// Segments lays out a cell's stream: which graphs, in which order, and which are held out. rng returns the cell's
// random stream of a stage. TRIANGLES streams its training part and holds out graphs of its validation part. Of other
// files graphs of each class are held out at random. A segment longer than its supply is drawn with replacement.
func (o *Stream) Segments(c *spec.Cell, rng func(stage string) *rand.Rand) ([]Segment, error) {
	if o.files == nil {
		return drawnSegments(c.Params, rng)
	}
	files, name, v := o.files, c.Dataset, c.Params
	head := files.Head()
	if head.NumClasses() == 0 {
		return nil, fmt.Errorf("data set %s has no classes, of which the segments of its stream could be made", name)
	}
	train, validation := datasets.Range{End: files.Len()}, datasets.Range{End: files.Len()}
	ownPart := name == spec.NameTriangles
	if ownPart {
		if files.Len() != datasets.TrianglesTestLarge.End {
			return nil, fmt.Errorf("data set %s has %d graphs, expected %d", name, files.Len(), datasets.TrianglesTestLarge.End)
		}
		train, validation = datasets.TrianglesTrain, datasets.TrianglesValidation
	}
	all := SegmentClasses(name, head.ClassValues)
	if len(all) > maxSegments {
		return nil, fmt.Errorf("data set %s has %d classes, a stream has at most %d segments", name, len(all), maxSegments)
	}
	heldOut, stream := rng("held out"), rng("stream")
	var out []Segment
	for i, labels := range all {
		s := Segment{Name: segmentName(i), Labels: labels}
		pool := members(files, validation, labels)
		heldOut.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
		n := v.Integer("held_out_graphs")
		if len(pool) < n || !ownPart && len(pool) == n {
			return nil, fmt.Errorf("held_out_graphs = %d: classes %v of %s have %s", n, labels, name, words.Plural(len(pool), "graph", "graphs"))
		}
		for _, k := range pool[:n] {
			g, err := files.At(int(k))
			if err != nil {
				return nil, err
			}
			s.Held = append(s.Held, g)
		}
		supply := pool[n:]
		if ownPart {
			supply = members(files, train, labels)
		}
		slices.Sort(supply) // the order of the stream is its own
		order := ordered(v, supply, stream)
		s.Graphs = len(order)
		s.At = func(k int) (*datasets.Graph, error) { return files.At(int(order[k])) }
		out = append(out, s)
	}
	return out, nil
}

// ordered draws the graphs of a segment: without replacement where there are enough.
func ordered(v spec.Values, supply []int32, r *rand.Rand) []int32 {
	n := len(supply)
	if v.Text("segment_graphs") != WordClass {
		n = v.Integer("segment_graphs")
	}
	order := make([]int32, n)
	if n > len(supply) {
		for k := range order {
			order[k] = supply[r.IntN(len(supply))]
		}
		return order
	}
	for k := range order {
		j := k + r.IntN(len(supply)-k)
		supply[k], supply[j] = supply[j], supply[k]
		order[k] = supply[k]
	}
	return order
}

// members lists the graphs of a range that are of these classes and have nodes.
func members(files *loader.Stream, part datasets.Range, labels []int) []int32 {
	values := files.Head().ClassValues
	var out []int32
	for k := part.First; k < part.End; k++ {
		if slices.Contains(labels, values[files.Class(k)]) && files.Order(k) > 0 {
			out = append(out, int32(k))
		}
	}
	return out
}

func segmentName(i int) string { return string(rune('A' + i)) }

// FeatureMap fits the map of node features, which needs no graph.
func (o *Stream) FeatureMap(v spec.Values) (*datasets.FeatureMap, error) {
	return datasets.Features{Kind: datasets.FeatureKind(v.Text("features"))}.Fit(o.head())
}

// Space turns one graph of a stream into a space.
func (o *Stream) Space(c *spec.Cell, features *datasets.FeatureMap, g *datasets.Graph) (*gw.Space, error) {
	one := o.head()
	one.Name, one.Graphs = c.Dataset, []datasets.Graph{*g}
	rows, err := features.Apply(one)
	if err != nil {
		return nil, err
	}
	if rows == nil {
		rows = [][]float64{nil}
	}
	return representation(c.Params, features).Space(g, rows[0])
}
