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

// Online draws the paper's Figure 6, one for each configuration of a stream: losses on the left,
// held-out losses on the right. It draws the first finished repetition; the tables hold all
// repetitions.
func Online(f *summary.Frame, arrays Arrays) ([]plots.Figure, []table.Table, error) {
	var figs []plots.Figure
	var problems []error
	for _, t := range unread(f) {
		r, s, err := first(t.Config, artifact.Steps, arrays, readStream)
		problems = append(problems, err)
		if r != nil {
			s.run = r
			figs = append(figs, s.figure(t.row, t.Config))
		}
	}
	number(figs)
	return figs, tables.Online(f), errors.Join(problems...)
}

// stream is what a cell's arrays hold of its stream.
type stream struct {
	run *summary.Run
	*artifact.Segments
	*artifact.Trace
}

func readStream(arrays []npz.Array) (s *stream, err error) {
	s = &stream{}
	s.Segments, s.Trace, err = artifact.ReadStream(arrays)
	return s, err
}

// Colours of the series.
const (
	colourMean   = 1
	colourRisen  = 2
	colourFallen = 5
	colourLoss   = 6
)

// colourHeld are the colours of the held-out losses.
func colourHeld(i int) int { return []int{3, 4, 7, 8}[i%4] }

// drawnSteps is how many steps of a stream are drawn, at most.
const drawnSteps = 3000

// figure draws one stream.
func (s *stream) figure(l *summary.Row, c *summary.Config) plots.Figure {
	which, name := "", "online-"+plots.FileWord(l.Dataset)
	if len(l.Configs) > 1 {
		which = ", " + c.Describe(l.Names)
		for _, k := range l.Names {
			name += "-" + plots.FileWord(c.Params.At(k).Text())
		}
	}
	f := plots.Figure{
		Name: name, Title: s.what(l.Dataset) + which, Columns: 2,
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
	return fmt.Sprintf("%s, stream %s, %g atoms of %g nodes", dataset, strings.Join(s.Names, ", "), atoms, order)
}

// stride is the distance between steps that are drawn.
func (s *stream) stride() int { return max(1, (len(s.Loss)+drawnSteps-1)/drawnSteps) }

// switches mark where a segment ends and the next begins.
func (s *stream) switches() []plots.Mark {
	var out []plots.Mark
	for i := 1; i < len(s.Names); i++ {
		out = append(out, plots.Mark{X: float64(s.Ends[i-1]), Label: s.Names[i-1] + " to " + s.Names[i]})
	}
	return out
}

// span returns the span of the steps: one axis for both panels.
func (s *stream) span() [2]float64 { return [2]float64{0, float64(len(s.Loss))} }

func (s *stream) losses() plots.XY {
	stride := s.stride()
	loss := plots.Series{Name: "loss of a step", Style: plots.Points, Colour: colourLoss}
	mean := plots.Series{Name: "running mean", Style: plots.Line, Colour: colourMean}
	for k := 0; k < len(s.Loss); k += stride {
		x := float64(k + 1)
		loss.X, loss.Y = append(loss.X, x), append(loss.Y, s.Loss[k])
		mean.X, mean.Y = append(mean.X, x), append(mean.Y, s.Mean[k])
	}
	x := plots.XY{Title: "Loss of every step", XLabel: "step", YLabel: "loss", LogY: true, Marks: s.switches(), Span: s.span(), Aspect: 0.9,
		Series: []plots.Series{loss, mean}}
	for down, alarms := range []plots.Series{{Name: "alarm: risen", Style: plots.Points, Colour: colourRisen},
		{Name: "alarm: fallen", Style: plots.Points, Colour: colourFallen}} {
		for k, at := range s.AlarmStep {
			if s.AlarmDown[k] == down {
				alarms.X, alarms.Y = append(alarms.X, float64(at)), append(alarms.Y, s.Mean[at-1])
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
	x := plots.XY{Title: "Mean loss of graphs held out of each segment", XLabel: "step", YLabel: "mean loss", LogY: true,
		Marks: s.switches(), Span: s.span(), Aspect: 0.9}
	var of, start []string
	for i, name := range s.Names {
		h := plots.Series{Name: "held out of " + name, Style: plots.LinePoints, Colour: colourHeld(i)}
		for k, at := range s.HeldStep {
			if at == 0 {
				// Atoms drawn at random are so far off that the rest would be a flat line.
				start = append(start, fmt.Sprintf("%.3g", s.HeldLoss[k*len(s.Names)+i]))
				continue
			}
			h.X, h.Y = append(h.X, float64(at)), append(h.Y, s.HeldLoss[k*len(s.Names)+i])
		}
		x.Series = append(x.Series, h)
		of = append(of, name+" = {"+s.Labels[i]+"}")
	}
	x.Note = "Classes: " + strings.Join(of, ", ") + "."
	if len(start) > 0 {
		x.Note += " Losses before the first step: " + strings.Join(start, ", ") + "."
	}
	return x
}

// stepData returns the losses of all steps: means of as many steps as one point of the picture.
func (s *stream) stepData() plots.Data {
	d := plots.Data{Header: []string{"step", "segment", "loss", "mean_loss_since", "lowest_since", "highest_since", "running_mean", "alarm"}}
	stride, segment, alarm := s.stride(), 0, 0
	for from := 0; from < len(s.Loss); from += stride {
		to := min(from+stride, len(s.Loss))
		sum, low, high := 0.0, s.Loss[from], s.Loss[from]
		for _, v := range s.Loss[from:to] {
			sum, low, high = sum+v, min(low, v), max(high, v)
		}
		for segment+1 < len(s.Ends) && to > s.Ends[segment] {
			segment++
		}
		raised := ""
		for ; alarm < len(s.AlarmStep) && s.AlarmStep[alarm] <= to; alarm++ {
			raised = strconv.Itoa(s.AlarmStep[alarm])
		}
		d.Add(to, s.Names[segment], s.Loss[to-1], sum/float64(to-from), low, high, s.Mean[to-1], raised)
	}
	return d
}

func (s *stream) heldOutData() plots.Data {
	d := plots.Data{Name: "held_out", Header: []string{"step"}}
	for _, name := range s.Names {
		d.Header = append(d.Header, "loss_"+name)
	}
	for k, at := range s.HeldStep {
		row := []any{at}
		for i := range s.Names {
			row = append(row, s.HeldLoss[k*len(s.Names)+i])
		}
		d.Add(row...)
	}
	return d
}

// alt describes the picture.
func (s *stream) alt(what string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d steps, base seed %d, repetition %d. Left, the losses of the steps with their running mean, vertical lines at the "+
		"switches and signs at the alarms of the detector of change points;",
		what, len(s.Loss), s.run.BaseSeed, s.run.Repetition)
	b.WriteString(" right, the mean loss of graphs held out of each segment.")
	score := s.run.Record.Scores
	for i := 1; i < len(s.Names); i++ {
		from, to := s.Names[i-1], s.Names[i]
		fmt.Fprintf(&b, " Where %s follows %s (step %d) the mean loss goes from %.3g to %.3g, ", to, from, s.Ends[i-1],
			score[artifact.SegmentLossOut+from], score[artifact.SegmentLossIn+to])
		if delay, ok := score[artifact.SegmentDelay+to]; ok {
			fmt.Fprintf(&b, "which raises an alarm after %g steps.", delay)
		} else {
			b.WriteString("which raises no alarm in time.")
		}
	}
	last := s.Names[len(s.Names)-1]
	for _, of := range s.Names[:len(s.Names)-1] {
		own, end := score[artifact.HeldOutAfter(of, of)], score[artifact.HeldOutAfter(of, last)]
		fmt.Fprintf(&b, " Held out of %s: %.3g when its segment ends, %.3g at the end of %s.", of, own, end, last)
	}
	return b.String()
}
