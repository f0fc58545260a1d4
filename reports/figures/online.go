package figures

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"ogdl/reports/tables"
)

// Online draws the paper's Figure 6, one for each configuration of a stream: losses on the left, held-out
// losses on the right. Of several repetitions the first that is done is drawn; the tables beside it hold
// all.
func Online(f *summary.Frame, arrays Arrays) ([]plots.Figure, []table.Table, error) {
	var figs []plots.Figure
	var problems []error
	for _, l := range f.Rows {
		for _, c := range l.Configs {
			r := firstStream(c)
			if r == nil {
				continue
			}
			s, err := readStream(r, arrays)
			if err != nil {
				problems = append(problems, fmt.Errorf("%s %s: %w", l.Dataset, r.ID, err))
				continue
			}
			figs = append(figs, s.figure(l, c))
		}
	}
	names := make([]string, len(figs))
	for i := range figs {
		names[i] = figs[i].Name
	}
	for i, name := range distinctNames(names) {
		figs[i].Name = name
	}
	return figs, tables.Online(f), errors.Join(problems...)
}

// firstStream is the first run of a configuration that left a stream.
func firstStream(c *summary.Config) *summary.Run {
	for i := range c.Runs {
		if _, ok := c.Runs[i].Score("steps"); ok {
			return &c.Runs[i]
		}
	}
	return nil
}

// stream is what a cell's arrays hold of its stream.
type stream struct {
	run           *summary.Run
	loss, mean    []float64
	names, labels []string // of the segments
	ends          []int
	heldStep      []int
	heldLoss      []float64 // len(heldStep) x len(names)
	alarm, down   []int
}

func readStream(r *summary.Run, arrays Arrays) (*stream, error) {
	all, err := arrays(r.ID)
	if err != nil {
		return nil, err
	}
	f := npz.Among(all, "arrays of a stream")
	length := func(name string) int {
		if a := f.Get(name, 1, false); a != nil && len(a.Shape) == 1 {
			return a.Shape[0]
		}
		return 0
	}
	steps, looks, alarms, segments := length(artifact.ArrayStreamLoss), length(artifact.ArrayHeldOutStep), length(artifact.ArrayAlarmStep), length(artifact.ArraySegmentNames)
	s := &stream{
		run:      r,
		loss:     f.FloatsOf(artifact.ArrayStreamLoss, steps),
		mean:     f.FloatsOf(artifact.ArrayStreamMean, steps),
		ends:     f.IntsOf(artifact.ArraySegmentEnds, segments),
		heldStep: f.IntsOf(artifact.ArrayHeldOutStep, looks),
		heldLoss: f.FloatsOf(artifact.ArrayHeldOutLoss, looks, segments),
		alarm:    f.IntsOf(artifact.ArrayAlarmStep, alarms),
		down:     f.IntsOf(artifact.ArrayAlarmDown, alarms),
	}
	if segments == 0 {
		f.Fail(artifact.ArraySegmentNames, "is empty")
	}
	texts := func(name string) []string {
		a := f.Get(name, 1, false)
		if a == nil {
			return nil
		}
		if len(a.Text) != segments {
			f.Fail(name, "does not hold %d texts", segments)
		}
		return a.Text
	}
	s.names, s.labels = texts(artifact.ArraySegmentNames), texts(artifact.ArraySegmentLabels)
	before := 0
	for _, end := range s.ends {
		if end <= before || end > steps {
			f.Fail(artifact.ArraySegmentEnds, "holds %d after %d of %d steps", end, before, steps)
		}
		before = end
	}
	for _, at := range s.alarm {
		if at < 1 || at > steps {
			f.Fail(artifact.ArrayAlarmStep, "holds %d of %d steps", at, steps)
		}
	}
	return s, f.Err()
}

// Colours of the series.
const (
	colourMean   = 1
	colourRisen  = 2
	colourFallen = 5
	colourLoss   = 6
)

// colourHeld are those of the held-out losses.
func colourHeld(i int) int { return []int{3, 4, 7, 8}[i%4] }

// drawnSteps is how many steps of a stream are drawn, at most.
const drawnSteps = 3000

// figure draws one stream.
func (s *stream) figure(l *summary.Row, c *summary.Config) plots.Figure {
	which, name := "", "online-"+fileWord(l.Dataset)
	if len(l.Configs) > 1 {
		which = ", " + c.Describe(l.Names)
		for _, k := range l.Names {
			name += "-" + fileWord(c.Params.At(k).Text)
		}
	}
	f := plots.Figure{
		Name: name, Title: s.what(l.Dataset) + which, Columns: 2, Width: 24,
		Panels: []plots.Panel{s.losses(), s.heldOut()},
		Data:   []plots.Data{s.stepData(), s.heldOutData()},
	}
	f.Alt = s.alt(l.Dataset + which)
	return f
}

// what names the data set, its segments and the dictionary.
func (s *stream) what(dataset string) string {
	atoms, _ := s.run.Number(summary.ParamAtoms)
	order, _ := s.run.Number("order")
	return fmt.Sprintf("%s, stream %s, %g atoms of %g nodes", dataset, strings.Join(s.names, ", "), atoms, order)
}

// stride is the distance between steps that are drawn.
func (s *stream) stride() int { return max(1, (len(s.loss)+drawnSteps-1)/drawnSteps) }

// switches mark where a segment ends and the next begins.
func (s *stream) switches() []plots.Mark {
	var out []plots.Mark
	for i := 1; i < len(s.names); i++ {
		out = append(out, plots.Mark{X: float64(s.ends[i-1]), Label: s.names[i-1] + " to " + s.names[i]})
	}
	return out
}

func (s *stream) losses() plots.XY {
	stride := s.stride()
	loss := plots.Series{Name: "loss of a step", Style: plots.Points, Colour: colourLoss}
	mean := plots.Series{Name: "running mean", Style: plots.Line, Colour: colourMean}
	for k := 0; k < len(s.loss); k += stride {
		x := float64(k + 1)
		loss.X, loss.Y = append(loss.X, x), append(loss.Y, s.loss[k])
		mean.X, mean.Y = append(mean.X, x), append(mean.Y, s.mean[k])
	}
	x := plots.XY{Title: "Loss of every step", XLabel: "step", YLabel: "loss", LogY: true, Marks: s.switches(), Aspect: 0.7,
		Series: []plots.Series{loss, mean}}
	for _, side := range []struct {
		name   string
		down   int
		colour int
	}{{"alarm: risen", 0, colourRisen}, {"alarm: fallen", 1, colourFallen}} {
		alarms := plots.Series{Name: side.name, Style: plots.Points, Colour: side.colour}
		for k, at := range s.alarm {
			if s.down[k] == side.down {
				alarms.X, alarms.Y = append(alarms.X, float64(at)), append(alarms.Y, s.mean[at-1])
			}
		}
		if len(alarms.X) > 0 {
			x.Series = append(x.Series, alarms)
		}
	}
	if stride > 1 {
		x.Note = fmt.Sprintf("One step in %d is drawn.", stride)
	}
	return x
}

func (s *stream) heldOut() plots.XY {
	x := plots.XY{Title: "Mean loss of graphs held out of each segment", XLabel: "step", YLabel: "mean loss", LogY: true, Marks: s.switches(), Aspect: 0.7}
	var of, start []string
	for i, name := range s.names {
		h := plots.Series{Name: "held out of " + name, Style: plots.LinePoints, Colour: colourHeld(i)}
		for k, at := range s.heldStep {
			if at == 0 {
				// Atoms drawn at random are so far off that the rest would be a flat line.
				start = append(start, fmt.Sprintf("%.3g", s.heldLoss[k*len(s.names)+i]))
				continue
			}
			h.X, h.Y = append(h.X, float64(at)), append(h.Y, s.heldLoss[k*len(s.names)+i])
		}
		x.Series = append(x.Series, h)
		of = append(of, name+" = {"+s.labels[i]+"}")
	}
	x.Note = "Classes: " + strings.Join(of, ", ") + "."
	if len(start) > 0 {
		x.Note += " Losses before the first step: " + strings.Join(start, ", ") + "."
	}
	return x
}

// stepData are the losses of all steps: means of as many steps as one that is drawn stands for.
func (s *stream) stepData() plots.Data {
	d := plots.Data{Header: []string{"step", "segment", "loss", "mean_loss_since", "lowest_since", "highest_since", "running_mean", "alarm"}}
	stride, segment, alarm := s.stride(), 0, 0
	for from := 0; from < len(s.loss); from += stride {
		to := min(from+stride, len(s.loss))
		sum, low, high := 0.0, s.loss[from], s.loss[from]
		for _, v := range s.loss[from:to] {
			sum, low, high = sum+v, min(low, v), max(high, v)
		}
		for segment+1 < len(s.ends) && to > s.ends[segment] {
			segment++
		}
		raised := ""
		for ; alarm < len(s.alarm) && s.alarm[alarm] <= to; alarm++ {
			raised = strconv.Itoa(s.alarm[alarm])
		}
		d.Add(to, s.names[segment], s.loss[to-1], sum/float64(to-from), low, high, s.mean[to-1], raised)
	}
	return d
}

func (s *stream) heldOutData() plots.Data {
	d := plots.Data{Name: "held_out", Header: []string{"step"}}
	for _, name := range s.names {
		d.Header = append(d.Header, "loss_"+name)
	}
	for k, at := range s.heldStep {
		row := []any{at}
		for i := range s.names {
			row = append(row, s.heldLoss[k*len(s.names)+i])
		}
		d.Add(row...)
	}
	return d
}

// alt says what is to be seen.
func (s *stream) alt(what string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d steps, base seed %d, repetition %d. Left, the losses of the steps with their running mean, vertical lines at the switches and signs at the alarms of the detector of change points;",
		what, len(s.loss), s.run.BaseSeed, s.run.Repetition)
	b.WriteString(" right, the mean loss of graphs held out of each segment.")
	score := s.run.Record.Scores
	for i := 1; i < len(s.names); i++ {
		from, to := s.names[i-1], s.names[i]
		fmt.Fprintf(&b, " Where %s follows %s (step %d) the mean loss goes from %.3g to %.3g, ", to, from, s.ends[i-1], score["loss_end_"+from], score["loss_begin_"+to])
		if delay, ok := score["delay_"+to]; ok {
			fmt.Fprintf(&b, "which raises an alarm after %g steps.", delay)
		} else {
			b.WriteString("which raises no alarm in time.")
		}
	}
	last := s.names[len(s.names)-1]
	for _, of := range s.names[:len(s.names)-1] {
		own, end := score[artifact.HeldOutAfter(of, of)], score[artifact.HeldOutAfter(of, last)]
		fmt.Fprintf(&b, " Held out of %s: %.3g when its segment ends, %.3g at the end of %s.", of, own, end, last)
	}
	return b.String()
}
