package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/ot/gw"
)

// opened is a data set that is read, or drawn, graph by graph; shared by all cells.
type opened struct {
	mu     sync.Mutex // held while it is opened
	done   bool
	files  *loader.Stream // nil for a set that is drawn
	digest string
	notes  []string // for every record
	err    error
}

// open returns what a cell's graphs are streamed from, opening it on the first call. It returns
// at once when the context ends; what was not opened by then is left to the next call.
func (l *library) open(ctx context.Context, c *cell) (*opened, error) {
	l.mu.Lock()
	at := c.source()
	o := l.opened[at]
	if o == nil {
		o = &opened{}
		l.opened[at] = o
	}
	l.mu.Unlock()
	ready := make(chan error, 1)
	go func() { // files of some hundred megabytes are read meanwhile
		o.mu.Lock()
		defer o.mu.Unlock()
		if !o.done {
			err := o.begin(ctx, l.dir, c)
			if err != nil && ctx.Err() != nil {
				ready <- err
				return
			}
			if err == nil {
				o.notes = l.judge(c, o.digest)
				if o.files != nil {
					o.notes = append(o.notes, l.unused(c, o.files.Head())...)
				}
			}
		}
		ready <- o.err
	}()
	select {
	case err := <-ready:
		return o, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// begin opens the data set and takes its digest.
func (o *opened) begin(ctx context.Context, dir string, c *cell) (err error) {
	defer func() {
		// What was opened in vain is closed; ended says that nothing is wrong with it.
		if ended := err != nil && ctx.Err() != nil; !ended {
			o.done, o.err = true, err
		}
		if err != nil && o.files != nil {
			err = errors.Join(err, o.files.Close())
			o.files = nil
		}
	}()
	defer caught(&err)
	switch {
	case c.dataset == nameDrawn:
		o.digest, err = drawnDigest()
		return err
	case c.own != nil:
		if err = c.own.missing; err == nil {
			o.files, err = loader.OpenStream(c.own.folder)
		}
	default:
		o.files, err = loader.OpenNamed(dir, c.dataset)
	}
	if err == nil {
		o.digest, err = o.files.Digest(ctx)
	}
	return err
}

// digest returns the digest of a cell's data set, as a record has it.
func (l *library) digest(ctx context.Context, c *cell) (string, error) {
	if c.method.input == inputStream {
		o, err := l.open(ctx, c)
		if err != nil {
			return "", err
		}
		return o.digest, nil
	}
	d := l.dataset(c)
	if d.err != nil {
		return "", d.err
	}
	return d.full.Digest, nil
}

// drawnDigest stands for all that the generator of triangle graphs can draw: it is the
// digest of some graphs of each label.
func drawnDigest() (string, error) {
	head := &datasets.Dataset{Name: nameDrawn, AttributeDim: 1}
	var graphs []*datasets.Graph
	for label := 1; label <= 10; label++ {
		for k := range 4 {
			g, err := drawTriangles([]int{label}, rng(0, nameDrawn, k, fmt.Sprint("digest ", label)))
			if err != nil {
				return "", err
			}
			graphs = append(graphs, g)
		}
	}
	d := datasets.NewDigester(head, len(graphs))
	for _, g := range graphs {
		d.Add(g)
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

// segment is a stretch of a stream whose graphs are of the same classes.
type segment struct {
	name   string // A, B, C, ...
	labels []int  // class values
	graphs int    // how many are streamed
	// at is graph k of the segment: any k at any time, always the same graph.
	at func(k int) (*datasets.Graph, error)
	// held are graphs of these classes that are not streamed.
	held []*datasets.Graph
}

// maxSegments is the number of letters.
const maxSegments = 26

// segmentClasses are the classes of the segments: those of the paper for TRIANGLES, class by class
// for the others.
func segmentClasses(dataset string, classValues []int) [][]int {
	if dataset == nameTriangles || dataset == nameDrawn {
		return [][]int{{4, 5, 6, 7}, {8, 9, 10}, {1, 2, 3}}
	}
	var out [][]int
	for _, v := range classValues {
		out = append(out, []int{v})
	}
	return out
}

// wordClass asks for segments as long as their classes.
const wordClass = "class"

// segments lays out a cell's stream: which graphs, in which order, and which are held out. rng returns the cell's
// random stream of a stage.
func (o *opened) segments(c *cell, rng func(stage string) *rand.Rand) ([]segment, error) {
	if o.files == nil {
		return drawnSegments(c.params, rng)
	}
	return o.fileSegments(c, rng)
}

// drawnSegments draw each graph when it is asked for.
func drawnSegments(v values, rng func(stage string) *rand.Rand) ([]segment, error) {
	var out []segment
	for i, labels := range segmentClasses(nameDrawn, nil) {
		s := segment{name: segmentName(i), labels: labels, graphs: v.integer("segment_graphs")}
		draw := func(part string, k int) (*datasets.Graph, error) {
			return drawTriangles(labels, rng(fmt.Sprintf("%s %s %d", part, s.name, k)))
		}
		s.at = func(k int) (*datasets.Graph, error) { return draw("stream", k) }
		for k := range v.integer("held_out_graphs") {
			g, err := draw("held out", k)
			if err != nil {
				return nil, err
			}
			s.held = append(s.held, g)
		}
		out = append(out, s)
	}
	return out, nil
}

// fileSegments deal the graphs of the files. TRIANGLES streams its training part and
// holds out graphs of its validation part; of other sets graphs of each class are held
// out at random. A segment longer than its supply is drawn with replacement.
func (o *opened) fileSegments(c *cell, rng func(stage string) *rand.Rand) ([]segment, error) {
	files, name, v := o.files, c.dataset, c.params
	head := files.Head()
	if head.NumClasses() == 0 {
		return nil, fmt.Errorf("data set %s has no classes, of which the segments of its stream could be made", name)
	}
	train, validation := datasets.Range{End: files.Len()}, datasets.Range{End: files.Len()}
	ownPart := name == nameTriangles
	if ownPart {
		split := (*datasets.TriangleSettings)(nil).Split()
		if files.Len() != split.TestLarge.End {
			return nil, fmt.Errorf("data set %s has %d graphs, expected %d", name, files.Len(), split.TestLarge.End)
		}
		train, validation = split.Train, split.Validation
	}
	all := segmentClasses(name, head.ClassValues)
	if len(all) > maxSegments {
		return nil, fmt.Errorf("data set %s has %d classes, a stream has at most %d segments", name, len(all), maxSegments)
	}
	heldOut, stream := rng("held out"), rng("stream")
	var out []segment
	for i, labels := range all {
		s := segment{name: segmentName(i), labels: labels}
		pool := members(files, validation, labels)
		heldOut.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
		n := v.integer("held_out_graphs")
		if least := n + 1; len(pool) < n || !ownPart && len(pool) < least {
			return nil, fmt.Errorf("held_out_graphs = %d: classes %v of %s have %d graphs", n, labels, name, len(pool))
		}
		for _, k := range pool[:n] {
			g, err := files.At(int(k))
			if err != nil {
				return nil, err
			}
			s.held = append(s.held, g)
		}
		supply := pool[n:]
		if ownPart {
			supply = members(files, train, labels)
		}
		slices.Sort(supply) // the order of the stream is its own
		order := ordered(v, supply, stream)
		s.graphs = len(order)
		s.at = func(k int) (*datasets.Graph, error) { return files.At(int(order[k])) }
		out = append(out, s)
	}
	return out, nil
}

// ordered draws the graphs of a segment: without replacement where there are enough.
func ordered(v values, supply []int32, r *rand.Rand) []int32 {
	n := len(supply)
	if v.text("segment_graphs") != wordClass {
		n = v.integer("segment_graphs")
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

// featureMap fits the map of node features, which needs no graph.
func (o *opened) featureMap(v values) (*datasets.FeatureMap, error) {
	head := &datasets.Dataset{Name: nameDrawn, AttributeDim: 1}
	if o.files != nil {
		head = o.files.Head()
	}
	return datasets.Features{Kind: v.text("features")}.Fit(head)
}

// space turns one graph of a stream into a space.
func (o *opened) space(c *cell, features *datasets.FeatureMap, g *datasets.Graph) (*gw.Space, error) {
	one := &datasets.Dataset{Name: c.dataset, Graphs: []datasets.Graph{*g}}
	if o.files == nil {
		one.AttributeDim = 1
	} else {
		one.AttributeDim = o.files.Head().AttributeDim
	}
	rows, err := features.Apply(one)
	if err != nil {
		return nil, err
	}
	if rows == nil {
		rows = [][]float64{nil}
	}
	return buildSpace(g, rows[0], features.Dim, c.params)
}
