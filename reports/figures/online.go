package figures

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/words"
	"ogdl/reports/paper"
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
	return plots.Figure{Name: name, Title: s.what(l.Dataset) + which, Columns: 2, Alt: s.alt(l.Dataset + which),
		Panels: []plots.Panel{s.losses(), s.heldOut()}, Data: []plots.Data{s.stepData(), s.heldOutData()}}
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
func (s *stream) switches() []plots.Tick {
	var out []plots.Tick
	for i := 1; i < len(s.Names); i++ {
		out = append(out, plots.Tick{Value: float64(s.Ends[i-1]), Label: s.Names[i-1] + " to " + s.Names[i]})
	}
	return out
}

func (s *stream) losses() plots.XY {
	stride := s.stride()
	loss := plots.Series{Name: "loss of a step", Style: plots.Points, Colour: 6}
	mean := plots.Series{Name: "running mean", Style: plots.Line, Colour: 1}
	for k := 0; k < len(s.Loss); k += stride {
		x := float64(k + 1)
		loss.Put(x, s.Loss[k])
		mean.Put(x, s.Mean[k])
	}
	alarms := []plots.Series{{Name: "alarm: risen", Colour: 2}, {Name: "alarm: fallen", Colour: 5}}
	for k, at := range s.AlarmStep {
		a := &alarms[0]
		if s.AlarmDown[k] > 0 {
			a = &alarms[1]
		}
		a.Put(float64(at), s.Mean[at-1])
	}
	x := plots.XY{Title: "Loss of every step", XLabel: "step", YLabel: "loss", LogY: true, Marks: s.switches(), Aspect: 0.9,
		Series: []plots.Series{loss, mean}, Note: words.If(stride > 1, "One step in %d is drawn.", stride)}
	x.Add(alarms[0])
	x.Add(alarms[1])
	return x
}

func (s *stream) heldOut() plots.XY {
	x := plots.XY{Title: "Mean loss of graphs held out of each segment", XLabel: "step", YLabel: "mean loss", LogY: true,
		Marks: s.switches(), Aspect: 0.9}
	var of []string
	for i, name := range s.Names {
		h := plots.Series{Name: "held out of " + name, Style: plots.LinePoints, Colour: []int{3, 4, 7, 8}[i%4]}
		for k, at := range s.HeldStep {
			if at > 0 { // atoms drawn at random are so far off that the rest would be a flat line
				h.Put(float64(at), s.HeldLoss[k*len(s.Names)+i])
			}
		}
		x.Series = append(x.Series, h)
		of = append(of, name+" = {"+s.Labels[i]+"}")
	}
	x.Note = "Classes: " + strings.Join(of, ", ") + "."
	return x
}

// stepData returns the losses of all steps: means of as many steps as one point of the picture.
func (s *stream) stepData() plots.Data {
	d := plots.Data{Header: []string{"step", "segment", "loss", "mean_loss_since", "lowest_since", "highest_since", "running_mean", "alarm"}}
	stride, segment := s.stride(), 0
	alarms := s.AlarmStep
	for from := 0; from < len(s.Loss); from += stride {
		losses := s.Loss[from:min(from+stride, len(s.Loss))]
		to := from + len(losses)
		for segment+1 < len(s.Ends) && to > s.Ends[segment] {
			segment++
		}
		raised := ""
		for ; len(alarms) > 0 && alarms[0] <= to; alarms = alarms[1:] {
			raised = strconv.Itoa(alarms[0])
		}
		d.Add(to, s.Names[segment], losses[len(losses)-1], paper.StatOf(losses).Mean, slices.Min(losses), slices.Max(losses), s.Mean[to-1],
			raised)
	}
	return d
}

func (s *stream) heldOutData() plots.Data {
	losses := table.Map(s.Names, func(name string) string { return "loss_" + name })
	d := plots.Data{Name: "held_out", Header: append([]string{"step"}, losses...)}
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
	text := fmt.Sprintf("%s, %d steps, base seed %d, repetition %d. Left, the losses of the steps with their running mean, vertical lines "+
		"at the switches and signs at the alarms of the detector of change points; right, the mean loss of graphs held out of each segment.",
		what, len(s.Loss), s.run.BaseSeed, s.run.Repetition)
	score := s.run.Record.Scores
	for i, to := range s.Names[1:] {
		from, alarm := s.Names[i], "no alarm in time"
		if delay, ok := score[artifact.SegmentDelay+to]; ok {
			alarm = fmt.Sprintf("an alarm after %g steps", delay)
		}
		text += fmt.Sprintf(" Where %s follows %s (step %d) the mean loss goes from %.3g to %.3g, which raises %s.", to, from,
			s.Ends[i], score[artifact.SegmentLossOut+from], score[artifact.SegmentLossIn+to], alarm)
	}
	return text
}
