package tables

import (
	"slices"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/internal/record"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Online are the change points of the streams, their alarms, and what was forgotten.
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

// mean is a score over the runs, with so many decimals.
func (s *stream) mean(score string, decimals int) table.Cell {
	return s.Over(score).Rounded(decimals)
}

// onlineTable has rows of configurations: those that rows adds for each of them in order. What has no run
// yet gets one row that says so.
func onlineTable(f *summary.Frame, name, what string, columns []string, rows func(t *table.Table, s *stream)) table.Table {
	names := namesOf(f.Rows)
	t := table.Table{Name: f.Table + "_" + name, Title: f.Titled(what), Columns: table.Columns("*data set")}
	for _, p := range paramColumns(f.Rows, names) {
		p.Key = true
		t.Columns = append(t.Columns, p)
	}
	t.With(columns...)
	for _, l := range f.Rows {
		for _, c := range l.Configs {
			s := streamOf(c)
			s.head = append([]table.Cell{table.Txt(l.Dataset)}, c.Cells(names)...)
			if len(s.segments) > 0 {
				rows(&t, s)
				continue
			}
			t.AddUpTo(table.None(), s.head...)
		}
		var reported []string // why runs have no result, each reason once
		for r := range l.Runs() {
			text := r.Status()
			if text == record.OK || text == summary.MissingStatus {
				continue
			}
			if r.Record.Reason != "" {
				text += ": " + strings.TrimSuffix(summary.FirstLine(r.Record.Reason), ".")
			}
			if !slices.Contains(reported, text) {
				reported = append(reported, text)
				t.Note(l.Dataset + ": " + text + ".")
			}
		}
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
	t := onlineTable(f, "change_points", "Switches of the streams: losses and alarms, mean (std) over the runs",
		[]string{"*switch", ">step", "~loss before", "~loss after", ">change, %", "/detected", "as|direction", "~delay, steps", ">largest delay"},
		func(t *table.Table, s *stream) {
			for i, to := range s.segments[1:] {
				from := s.segments[i]
				before, after, delay := s.Over(artifact.SegmentLossOut+from), s.Over(artifact.SegmentLossIn+to), s.Over(artifact.SegmentDelay+to)
				change := table.Num(100*(after.Mean/before.Mean-1), 1)
				change.Signed = true
				as, delays, most := table.Cell{}, table.Cell{}, table.Cell{}
				if delay.N > 0 {
					as = table.Txt("both")
					switch s.Over(artifact.SegmentDown + to).Mean {
					case 0:
						as = table.Txt("a rise")
					case 1:
						as = table.Txt("a fall")
					}
					largest := 0.0
					for _, r := range s.Runs {
						if v, ok := r.Score(artifact.SegmentDelay + to); ok {
							largest = max(largest, v)
						}
					}
					delays, most = delay.Rounded(0), table.Num(largest, 0)
				}
				t.Add(slices.Concat(s.head, []table.Cell{table.Txt(from + " to " + to), s.Over(artifact.SegmentEnd + from).Plain(0),
					before.Rounded(4), after.Rounded(4), change,
					s.of(delay.N), as, delays, most})...)
			}
		})
	t.Note("Losses: means over the tenth of a segment before and after the switch, at most mean_over steps. A switch is detected by the first " +
		"alarm within alarm_within steps; its delay is the number of steps until then.")
	t.Note(fixedNotes(f.Rows, append(namesOf(f.Rows), summary.ParamAtoms))...)
	return t
}

func streamAlarms(f *summary.Frame) table.Table {
	t := onlineTable(f, "alarms", "Alarms of the streams, mean (std) over the runs",
		[]string{">runs", ">steps", "~alarms", "~false, loss risen", "~false, loss fallen", ">bound without a change, %"},
		func(t *table.Table, s *stream) {
			t.Add(slices.Concat(s.head, []table.Cell{table.Int(s.Done), s.Over(artifact.Steps).Plain(0), s.mean(artifact.Alarms, 1),
				s.mean(artifact.FalseAlarmsUp, 1), s.mean(artifact.FalseAlarmsDown, 1), table.Num(100*s.Over(artifact.FalseAlarmBound).Mean, 2)})...)
		})
	t.Note("False alarms are those outside alarm_within steps after a switch. The bound is the stated one, steps after alarm_burn_in / (2 " +
		"alarm_run_length), on the probability of any alarm in a stream of exchangeable losses. Learning makes losses fall within a segment, and " +
		"alarms at such falls are right about the losses, not about the stream.")
	return t
}

func forgetting(f *summary.Frame) table.Table {
	most := 0
	for _, l := range f.Rows {
		for _, c := range l.Configs {
			most = max(most, len(streamOf(c).segments))
		}
	}
	columns := []string{"*held out of|segment", "~at the start"}
	for i := range most {
		columns = append(columns, "~after "+string(rune('A'+i)))
	}
	t := onlineTable(f, "held_out", "Losses on graphs held out of each segment, mean (std) over the runs",
		append(columns, "/falls in its own segment|falls", "/rises in the next|rises"), func(t *table.Table, s *stream) {
			for i, of := range s.segments {
				start, own := artifact.HeldOutStart(of), artifact.HeldOutAfter(of, of)
				row := slices.Concat(s.head, []table.Cell{table.Txt(of), s.mean(start, 4)})
				for k := range most {
					after := table.Cell{}
					if k < len(s.segments) {
						after = s.mean(artifact.HeldOutAfter(of, s.segments[k]), 4)
					}
					row = append(row, after)
				}
				before, rises := start, table.Cell{}
				if i > 0 {
					before = artifact.HeldOutAfter(of, s.segments[i-1])
				}
				if i+1 < len(s.segments) {
					rises = s.of(s.above(artifact.HeldOutAfter(of, s.segments[i+1]), own))
				}
				t.Add(append(row, s.of(s.above(before, own)), rises)...)
			}
		})
	t.Note("The paper says of TRIANGLES that the loss on B decreases during B and increases again during C. The last columns count the runs of " +
		"which that is true from the end of a segment to the end of the next.")
	return t
}

// above counts the runs in which one score is above the other.
func (s *stream) above(high, low string) int {
	n := 0
	for _, r := range s.Runs {
		a, ok := r.Score(high)
		b, also := r.Score(low)
		if ok && also && a > b {
			n++
		}
	}
	return n
}
