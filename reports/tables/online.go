package tables

import (
	"cmp"
	"slices"

	"ogdl/internal/artifact"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Online returns the tables of streams: change points, alarms and held-out losses.
func Online(f *summary.Frame) []table.Table {
	return []table.Table{changePoints(f), streamAlarms(f), forgetting(f)}
}

// stream is a configuration of a stream.
type stream struct {
	*summary.Config
	head     []table.Cell // the beginning of its rows
	segments []string     // their names, none before a run has ended
}

// of is "n of m" runs that ended well.
func (s *stream) of(n int) table.Cell { return table.Count(n, s.Done) }

// onlineTable returns a table to which rows adds the rows of each configuration. A configuration
// without a finished run gets one row of missing values.
func onlineTable(f *summary.Frame, name, what string, columns table.Columns, rows func(t *table.Table, s *stream)) table.Table {
	names, params := paramColumns(f.Rows)
	t := table.Table{Name: f.Table + "_" + name, Title: f.Titled(what),
		Columns: slices.Concat(table.Columns{table.Dataset}, params, columns)}
	for _, l := range f.Rows {
		for _, c := range l.Configs {
			s := streamOf(c)
			s.head = table.Cells(l.Dataset, c.Cells(names))
			if len(s.segments) > 0 {
				rows(&t, s)
				continue
			}
			t.AddUpTo(table.None(), s.head)
		}
		t.Note(unfinished(l.Dataset, l.Runs())...)
	}
	return t
}

func streamOf(c *summary.Config) *stream {
	s := &stream{Config: c}
	for i := range 26 {
		name := string(rune('A' + i))
		if c.Over(artifact.SegmentEnd+name).N == 0 {
			break
		}
		s.segments = append(s.segments, name)
	}
	return s
}

func changePoints(f *summary.Frame) table.Table {
	t := onlineTable(f, "change_points", "Switches of the streams: losses and alarms, mean (std) over the runs", table.Columns{
		{Title: "switch", Key: true}, {Title: "step", Right: true}, {Title: "loss before", Spread: true}, {Title: "loss after", Spread: true},
		{Title: "change, %", Right: true}, {Title: "detected", Counted: true}, {Title: "as", CSV: "direction"},
		{Title: "delay, steps", Spread: true}, {Title: "largest delay", Right: true},
	}, func(t *table.Table, s *stream) {
		for i, to := range s.segments[1:] {
			from := s.segments[i]
			before, after, delay := s.Over(artifact.SegmentLossOut+from), s.Over(artifact.SegmentLossIn+to), s.Over(artifact.SegmentDelay+to)
			change := table.Num(100*(after.Mean/before.Mean-1), 1)
			change.Signed = true
			as, delays, most := "", table.Cell{}, table.Cell{}
			if delay.N > 0 {
				as = cmp.Or(map[float64]string{0: "a rise", 1: "a fall"}[s.Over(artifact.SegmentDown+to).Mean], "both")
				delays, most = delay.Rounded(0), table.Num(slices.Max(summary.Values(s.Runs, artifact.SegmentDelay+to, 1)), 0)
			}
			t.Add(s.head, from+" to "+to, s.Over(artifact.SegmentEnd+from).Plain(0), before.Rounded(4), after.Rounded(4), change,
				s.of(delay.N), as, delays, most)
		}
	})
	t.Note("Losses: means over the tenth of a segment before and after the switch, at most mean_over steps. A switch is detected by the first " +
		"alarm within alarm_within steps; its delay is the number of steps until then.")
	return t
}

func streamAlarms(f *summary.Frame) table.Table {
	t := onlineTable(f, "alarms", "Alarms of the streams, mean (std) over the runs", table.Columns{
		{Title: "runs", Right: true}, {Title: "steps", Right: true}, {Title: "alarms", Spread: true}, {Title: "false, loss risen", Spread: true},
		{Title: "false, loss fallen", Spread: true}, {Title: "bound without a change, %", Right: true},
	}, func(t *table.Table, s *stream) {
		t.Add(s.head, s.Done, s.Over(artifact.Steps).Plain(0), s.Over(artifact.Alarms).Rounded(1), s.Over(artifact.FalseAlarmsUp).Rounded(1),
			s.Over(artifact.FalseAlarmsDown).Rounded(1), table.Num(100*s.Over(artifact.FalseAlarmBound).Mean, 2))
	})
	t.Note("An alarm is false if no switch is within alarm_within steps before it. The bound, steps after alarm_burn_in / (2 " +
		"alarm_run_length), holds for the probability of any alarm in a stream of exchangeable losses. Learning makes losses fall within a " +
		"segment. Alarms at such falls detect a change of the losses, not of the stream.")
	return t
}

func forgetting(f *summary.Frame) table.Table {
	most := 0
	for _, c := range summary.Configs(f.Rows) {
		most = max(most, len(streamOf(c).segments))
	}
	columns := table.Columns{{Title: "held out of", CSV: "segment", Key: true}, {Title: "at the start", Spread: true}}
	for i := range most {
		columns = append(columns, table.Column{Title: "after " + string(rune('A'+i)), Spread: true})
	}
	columns = append(columns, table.Columns{
		{Title: "falls in its own segment", CSV: "falls", Counted: true}, {Title: "rises in the next", CSV: "rises", Counted: true},
	}...)
	t := onlineTable(f, "held_out", "Losses on graphs held out of each segment, mean (std) over the runs", columns,
		func(t *table.Table, s *stream) {
			for i, of := range s.segments {
				before, own := artifact.HeldOutStart(of), artifact.HeldOutAfter(of, of)
				start, after, rises := s.Over(before).Rounded(4), make([]table.Cell, most), table.Cell{}
				for k, segment := range s.segments {
					after[k] = s.Over(artifact.HeldOutAfter(of, segment)).Rounded(4)
				}
				if i > 0 {
					before = artifact.HeldOutAfter(of, s.segments[i-1])
				}
				if i+1 < len(s.segments) {
					rises = s.of(s.above(artifact.HeldOutAfter(of, s.segments[i+1]), own))
				}
				t.Add(s.head, of, start, after, s.of(s.above(before, own)), rises)
			}
		})
	t.Note("The paper says of TRIANGLES that the loss on B decreases during B and increases again during C. The last columns count the runs of " +
		"which this is true from the end of a segment to the end of the next.")
	return t
}

// above counts the runs in which one score is above the other.
func (s *stream) above(high, low string) int {
	return len(summary.Pick(s.Runs, func(r summary.Run) bool {
		a, ok := r.Score(high)
		b, also := r.Score(low)
		return ok && also && a > b
	}))
}
