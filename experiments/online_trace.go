package main

import (
	"fmt"

	"ogdl/gdl"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
)

// trace is what happened along a stream, step by step.
type trace struct {
	streams    int
	loss, mean []float64 // of every step
	heldStep   []int     // when held-out losses were taken
	heldLoss   []float64 // len(heldStep) x streams, the last row perhaps not yet whole
	alarmStep  []int
	alarmOnset []int
	alarmDown  []int // 1: the loss has fallen
	alarmOver  []float64
}

func newTrace(streams int) *trace {
	return &trace{streams: streams, loss: []float64{}, mean: []float64{}, heldStep: []int{}, heldLoss: []float64{},
		alarmStep: []int{}, alarmOnset: []int{}, alarmDown: []int{}, alarmOver: []float64{}}
}

// event takes note of an event of the learner, in its order.
func (tr *trace) event(e gdl.Event) {
	switch e.Kind {
	case gdl.StepLoss:
		tr.loss, tr.mean = append(tr.loss, e.Loss), append(tr.mean, e.Mean)
	case gdl.HeldOutLoss:
		if len(tr.heldLoss)%tr.streams == 0 {
			tr.heldStep = append(tr.heldStep, int(e.Step))
		}
		tr.heldLoss = append(tr.heldLoss, e.Loss)
	case gdl.ChangePoint:
		down := 0
		if e.Down {
			down = 1
		}
		tr.alarmStep, tr.alarmOnset = append(tr.alarmStep, int(e.Step)), append(tr.alarmOnset, int(e.Onset))
		tr.alarmDown, tr.alarmOver = append(tr.alarmDown, down), append(tr.alarmOver, e.Statistic)
	}
}

// lastHeld is the step of the last held-out losses, -1 without any.
func (tr *trace) lastHeld() int64 {
	if len(tr.heldStep) == 0 {
		return -1
	}
	return int64(tr.heldStep[len(tr.heldStep)-1])
}

// arrays are the trace's in the cell's npz and in its checkpoint.
func (tr *trace) arrays() []npz.Array {
	return []npz.Array{
		{Name: artifact.ArrayStreamLoss, Shape: []int{len(tr.loss)}, Float: tr.loss},
		{Name: artifact.ArrayStreamMean, Shape: []int{len(tr.mean)}, Float: tr.mean},
		{Name: artifact.ArrayHeldOutStep, Shape: []int{len(tr.heldStep)}, Int: tr.heldStep},
		{Name: artifact.ArrayHeldOutLoss, Shape: []int{len(tr.heldStep), tr.streams}, Float: tr.heldLoss},
		{Name: artifact.ArrayAlarmStep, Shape: []int{len(tr.alarmStep)}, Int: tr.alarmStep},
		{Name: artifact.ArrayAlarmOnset, Shape: []int{len(tr.alarmOnset)}, Int: tr.alarmOnset},
		{Name: artifact.ArrayAlarmDown, Shape: []int{len(tr.alarmDown)}, Int: tr.alarmDown},
		{Name: artifact.ArrayAlarmStatistic, Shape: []int{len(tr.alarmOver)}, Float: tr.alarmOver},
	}
}

// restore reads what arrays wrote after so many steps.
func (tr *trace) restore(arrays []npz.Array, steps int64) error {
	f := npz.Among(arrays, "the trace of a checkpoint")
	// length is that of an array, whatever it is: its companions must have it too.
	length := func(name string) int {
		if a := f.Get(name, 1, false); a != nil && len(a.Shape) == 1 {
			return a.Shape[0]
		}
		return 0
	}
	looks, alarms := length(artifact.ArrayHeldOutStep), length(artifact.ArrayAlarmStep)
	got := trace{
		streams:    tr.streams,
		loss:       f.FloatsOf(artifact.ArrayStreamLoss, int(steps)),
		mean:       f.FloatsOf(artifact.ArrayStreamMean, int(steps)),
		heldStep:   f.IntsOf(artifact.ArrayHeldOutStep, looks),
		heldLoss:   f.FloatsOf(artifact.ArrayHeldOutLoss, looks, tr.streams),
		alarmStep:  f.IntsOf(artifact.ArrayAlarmStep, alarms),
		alarmOnset: f.IntsOf(artifact.ArrayAlarmOnset, alarms),
		alarmDown:  f.IntsOf(artifact.ArrayAlarmDown, alarms),
		alarmOver:  f.FloatsOf(artifact.ArrayAlarmStatistic, alarms),
	}
	if f.Err() != nil {
		return f.Err()
	}
	*tr = got
	return nil
}

// layout are the arrays that say what the segments are.
func (r *onlineRun) layout() []npz.Array {
	names, labels := make([]string, len(r.segments)), make([]string, len(r.segments))
	var ends []int
	for i, s := range r.segments {
		names[i] = s.name
		for k, l := range s.labels {
			if k > 0 {
				labels[i] += ", "
			}
			labels[i] += fmt.Sprint(l)
		}
		_, steps := r.ends(i)
		ends = append(ends, int(steps))
	}
	n := []int{len(names)}
	return []npz.Array{
		{Name: artifact.ArraySegmentNames, Shape: n, Text: names},
		{Name: artifact.ArraySegmentLabels, Shape: n, Text: labels},
		{Name: artifact.ArraySegmentEnds, Shape: n, Int: ends},
	}
}

// scores sum the trace up.
func (r *onlineRun) scores() map[string]float64 {
	tr, v := r.trace, r.t.params
	steps := len(tr.loss)
	out := map[string]float64{"steps": float64(steps), "graphs": float64(r.learner.Graphs()), "alarms": float64(len(tr.alarmStep))}
	watched := max(0, steps-v.integer("alarm_burn_in"))
	out["false_alarm_bound"] = min(1, float64(watched)/(2*v.number("alarm_run_length")))
	begin, explained := 0, make([]bool, len(tr.alarmStep))
	for i, s := range r.segments {
		_, last := r.ends(i)
		end := int(last)
		out["end_"+s.name] = float64(end)
		// The mean over a tenth of the segment where it begins and where it ends.
		part := min((end-begin+9)/10, v.integer("mean_over"))
		out["loss_begin_"+s.name] = meanOf(tr.loss[begin : begin+part])
		out["loss_end_"+s.name] = meanOf(tr.loss[end-part : end])
		for k, at := range tr.heldStep {
			if at == 0 || at == end {
				for j, of := range r.segments {
					name := "held_out_" + of.name + "_after_" + s.name
					if at == 0 {
						name = "held_out_" + of.name + "_start"
					}
					out[name] = tr.heldLoss[k*tr.streams+j]
				}
			}
		}
		if i > 0 {
			first := true
			for k, at := range tr.alarmStep {
				if at <= begin || at > min(end, begin+v.integer("alarm_within")) {
					continue
				}
				explained[k] = true
				if first {
					first = false
					out["delay_"+s.name], out["down_"+s.name] = float64(at-begin), float64(tr.alarmDown[k])
				}
			}
		}
		begin = end
	}
	up, down := 0, 0
	for k := range explained {
		switch {
		case explained[k]:
		case tr.alarmDown[k] == 1:
			down++
		default:
			up++
		}
	}
	out["false_alarms_up"], out["false_alarms_down"] = float64(up), float64(down)
	return out
}

func meanOf(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}
