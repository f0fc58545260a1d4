package method

import (
	"fmt"
	"strings"

	"ogdl/gdl"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
)

// event takes note of an event of the learner, in its order.
func (r *onlineRun) event(e gdl.Event) {
	switch tr := r.trace; e.Kind {
	case gdl.StepLoss:
		tr.Loss, tr.Mean = append(tr.Loss, e.Loss), append(tr.Mean, e.Mean)
	case gdl.HeldOutLoss:
		if len(tr.HeldLoss)%tr.Segments == 0 {
			tr.HeldStep = append(tr.HeldStep, int(e.Step))
		}
		tr.HeldLoss = append(tr.HeldLoss, e.Loss)
	case gdl.ChangePoint:
		down := 0
		if e.Down {
			down = 1
		}
		tr.AlarmStep, tr.AlarmOnset = append(tr.AlarmStep, int(e.Step)), append(tr.AlarmOnset, int(e.Onset))
		tr.AlarmDown, tr.AlarmOver = append(tr.AlarmDown, down), append(tr.AlarmOver, e.Statistic)
	}
}

// layout returns the arrays that describe the segments.
func (r *onlineRun) layout() []npz.Array {
	var out artifact.Segments
	for i, s := range r.segments {
		labels := make([]string, len(s.Labels))
		for k, l := range s.Labels {
			labels[k] = fmt.Sprint(l)
		}
		_, steps := r.ends(i)
		out.Names, out.Labels, out.Ends = append(out.Names, s.Name), append(out.Labels, strings.Join(labels, ", ")), append(out.Ends, int(steps))
	}
	return out.Arrays()
}

// scores sum the trace up.
func (r *onlineRun) scores() map[string]float64 {
	tr, v := r.trace, r.t.Params
	steps := len(tr.Loss)
	out := map[string]float64{artifact.Steps: float64(steps), "graphs": float64(r.learner.Graphs()), artifact.Alarms: float64(len(tr.AlarmStep)),
		artifact.FalseAlarmsUp: 0, artifact.FalseAlarmsDown: 0}
	watched := max(0, steps-v.Integer("alarm_burn_in"))
	out[artifact.FalseAlarmBound] = min(1, float64(watched)/(2*v.Number("alarm_run_length")))
	begin, explained := 0, make([]bool, len(tr.AlarmStep))
	for i, s := range r.segments {
		_, last := r.ends(i)
		end := int(last)
		out[artifact.SegmentEnd+s.Name] = float64(end)
		// The mean over a tenth of the segment where it begins and where it ends.
		part := min((end-begin+9)/10, v.Integer("mean_over"))
		out[artifact.SegmentLossIn+s.Name] = meanOf(tr.Loss[begin : begin+part])
		out[artifact.SegmentLossOut+s.Name] = meanOf(tr.Loss[end-part : end])
		for k, at := range tr.HeldStep {
			if at == 0 || at == end {
				for j, of := range r.segments {
					name := artifact.HeldOutAfter(of.Name, s.Name)
					if at == 0 {
						name = artifact.HeldOutStart(of.Name)
					}
					out[name] = tr.HeldLoss[k*tr.Segments+j]
				}
			}
		}
		if i > 0 {
			for k, at := range tr.AlarmStep {
				if at <= begin || at > min(end, begin+v.Integer("alarm_within")) {
					continue
				}
				explained[k] = true
				if _, found := out[artifact.SegmentDelay+s.Name]; !found {
					out[artifact.SegmentDelay+s.Name], out[artifact.SegmentDown+s.Name] = float64(at-begin), float64(tr.AlarmDown[k])
				}
			}
		}
		begin = end
	}
	for k, known := range explained {
		switch {
		case known:
		case tr.AlarmDown[k] == 1:
			out[artifact.FalseAlarmsDown]++
		default:
			out[artifact.FalseAlarmsUp]++
		}
	}
	return out
}

func meanOf(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}
