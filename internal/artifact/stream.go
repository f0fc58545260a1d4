package artifact

import "ogdl/internal/npz"

// Trace is what happened along a stream, step by step. One with its Segments alone is the trace before the first step.
type Trace struct {
	Segments   int
	Loss       []float64 // of every step, before its update
	Mean       []float64 // running mean at every step
	HeldStep   []int     // steps made when held-out losses were taken
	HeldLoss   []float64 // len(HeldStep) x Segments: mean loss of the graphs held out of each; while it grows, the last row may not be whole
	AlarmStep  []int     // step that raised an alarm
	AlarmOnset []int     // step at which the change is estimated to have come
	AlarmDown  []int     // 1: the loss has fallen, 0: risen
	AlarmOver  []float64 // the statistic over the detector's threshold
}

const (
	heldStep  = "held_out_step"
	alarmStep = "alarm_step"
)

func (t *Trace) fields(steps, looks, alarms int) []npz.Slot {
	return []npz.Slot{
		npz.SlotOf("stream_loss", &t.Loss, steps), npz.SlotOf("stream_mean", &t.Mean, steps),
		npz.SlotOf(heldStep, &t.HeldStep, looks), npz.SlotOf("held_out_loss", &t.HeldLoss, looks, t.Segments),
		npz.SlotOf(alarmStep, &t.AlarmStep, alarms), npz.SlotOf("alarm_onset", &t.AlarmOnset, alarms),
		npz.SlotOf("alarm_down", &t.AlarmDown, alarms), npz.SlotOf("alarm_statistic", &t.AlarmOver, alarms),
	}
}

// Arrays are the trace's in a cell's npz and in its checkpoint.
func (t *Trace) Arrays() []npz.Array {
	return npz.Arrays(t.fields(len(t.Loss), len(t.HeldStep), len(t.AlarmStep))...)
}

// ReadTrace reads what [Trace.Arrays] wrote after so many steps. f has the errors.
func ReadTrace(f *npz.Fields, segments, steps int) *Trace {
	t := &Trace{Segments: segments}
	f.Fill(t.fields(steps, f.Length(heldStep), f.Length(alarmStep))...)
	return t
}

// Segments say what a stream is made of.
type Segments struct {
	Names  []string // A, B, ...
	Labels []string // the class values of each, as text
	Ends   []int    // steps made when each ends
}

const (
	segmentNames = "segment_names"
	segmentEnds  = "segment_ends"
)

func (s *Segments) fields(n int) []npz.Slot {
	return []npz.Slot{npz.SlotOf(segmentNames, &s.Names, n), npz.SlotOf("segment_labels", &s.Labels, n), npz.SlotOf(segmentEnds, &s.Ends, n)}
}

// Arrays returns the arrays of the segments in a cell's npz.
func (s *Segments) Arrays() []npz.Array { return npz.Arrays(s.fields(len(s.Names))...) }

// ReadStream reads the segments of a finished stream and its trace.
func ReadStream(arrays []npz.Array) (*Segments, *Trace, error) {
	f := npz.Among(arrays, "arrays of a stream")
	n, steps := f.Length(segmentNames), f.Length("stream_loss")
	if n == 0 {
		f.Fail(segmentNames, "is empty")
	}
	s := &Segments{}
	f.Fill(s.fields(n)...)
	t := ReadTrace(f, n, steps)
	before := 0
	for _, end := range s.Ends {
		if end <= before || end > steps {
			f.Fail(segmentEnds, "holds %d after %d of %d steps", end, before, steps)
		}
		before = end
	}
	for _, at := range t.AlarmStep {
		if at < 1 || at > steps {
			f.Fail(alarmStep, "holds %d of %d steps", at, steps)
		}
	}
	return s, t, f.Err()
}

// HeldOutAfter names a score: the held-out loss of one segment's graphs when another has ended.
func HeldOutAfter(of, segment string) string { return "held_out_" + of + "_after_" + segment }

// HeldOutStart names a score: the held-out loss of one segment's graphs before the first step.
func HeldOutStart(of string) string { return "held_out_" + of + "_start" }
