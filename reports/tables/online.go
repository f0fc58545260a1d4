package tables

import (
	"fmt"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/internal/record"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// OnlineTables are the change points of the streams, their alarms, and what was forgotten.
func OnlineTables(spec summary.Spec, lines []*summary.Row) []table.Table {
	return []table.Table{changePoints(spec, lines), streamAlarms(spec, lines), forgetting(spec, lines)}
}

// ended counts the runs of the configuration that ended well.
func ended(c *summary.Config) (ok int) {
	for _, r := range c.Runs {
		if r.Record != nil && r.Record.Status == record.OK {
			ok++
		}
	}
	return ok
}

// segments are the names of a stream's segments, none before a run has ended.
func segmentsOf(c *summary.Config) []string {
	var out []string
	for i := range 26 {
		name := string(rune('A' + i))
		if c.Over("end_"+name).N == 0 {
			break
		}
		out = append(out, name)
	}
	return out
}

// of is "n of m" runs.
func ofEnded(c *summary.Config, n int) table.Cell {
	return table.Txt(fmt.Sprintf("%d of %d", n, ended(c)))
}

// onlineTable has rows of configurations.
func onlineTable(spec summary.Spec, lines []*summary.Row, name, what string, columns ...table.Column) (table.Table, []string) {
	names := namesOf(lines)
	t := table.Table{Name: spec.Table + "_" + name, Title: summary.Title(spec, what), Columns: []table.Column{{Name: "data set", Key: true}}}
	for _, p := range paramColumns(lines, names) {
		p.Key = true
		t.Columns = append(t.Columns, p)
	}
	t.Columns = append(t.Columns, columns...)
	return t, names
}

// eachStream calls f with the configurations in order and the beginning of their rows. What has no run
// yet gets one row that says so.
func eachStream(t *table.Table, lines []*summary.Row, names []string, f func(c *summary.Config, head []table.Cell)) {
	for _, l := range lines {
		for _, c := range l.Configs {
			head := append([]table.Cell{table.Txt(l.Dataset)}, paramCells(c.Params, names)...)
			if len(segmentsOf(c)) > 0 {
				f(c, head[:len(head):len(head)])
				continue
			}
			for len(head) < len(t.Columns) {
				head = append(head, table.None())
			}
			t.Rows = append(t.Rows, head)
		}
		for _, reason := range unfinished(l) {
			t.Notes = append(t.Notes, l.Dataset+": "+reason+".")
		}
	}
}

// unfinished says why runs of a line have no result, each reason once.
func unfinished(l *summary.Row) []string {
	var out []string
	seen := map[string]bool{}
	for r := range l.Runs() {
		text := r.Status()
		if text == record.OK || text == summary.MissingStatus {
			continue
		}
		if r.Record.Reason != "" {
			text += ": " + strings.TrimSuffix(summary.FirstLine(r.Record.Reason), ".")
		}
		if !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}

func changePoints(spec summary.Spec, lines []*summary.Row) table.Table {
	t, names := onlineTable(spec, lines, "change_points", "Switches of the streams: losses and alarms, mean (std) over the runs",
		table.Column{Name: "switch", Key: true}, table.Column{Name: "step", Right: true}, table.Column{Name: "loss before", Right: true, Spread: true},
		table.Column{Name: "loss after", Right: true, Spread: true}, table.Column{Name: "change, %", Right: true}, table.Column{Name: "detected"},
		table.Column{Name: "as"}, table.Column{Name: "delay, steps", Right: true, Spread: true}, table.Column{Name: "largest delay", Right: true})
	eachStream(&t, lines, names, func(c *summary.Config, head []table.Cell) {
		segments := segmentsOf(c)
		for i := 1; i < len(segments); i++ {
			from, to := segments[i-1], segments[i]
			before, after := c.Over("loss_end_"+from), c.Over("loss_begin_"+to)
			delay, down := c.Over("delay_"+to), c.Over("down_"+to)
			change := table.Num(100*(after.Mean/before.Mean-1), 1)
			change.Signed = true
			as, largest := table.Cell{}, 0.0
			delays := table.Cell{}
			if delay.N > 0 {
				delays = delay.Decimals(0)
				switch down.Mean {
				case 0:
					as = table.Txt("a rise")
				case 1:
					as = table.Txt("a fall")
				default:
					as = table.Txt("both")
				}
			}
			for _, r := range c.Runs {
				if v, ok := r.Score("delay_" + to); ok {
					largest = max(largest, v)
				}
			}
			most := table.Cell{}
			if delay.N > 0 {
				most = table.Num(largest, 0)
			}
			t.Rows = append(t.Rows, append(head, table.Txt(from+" to "+to), c.Over("end_"+from).Plain(0), before.Decimals(4), after.Decimals(4), change,
				ofEnded(c, delay.N), as, delays, most))
		}
	})
	t.Notes = append(t.Notes,
		"Losses: means over the tenth of a segment before and after the switch, at most mean_over steps. A switch is detected by the first alarm within alarm_within steps; its delay is the number of steps until then.")
	t.Notes = append(t.Notes, fixedNotes(lines, append(names, summary.ParamAtoms))...)
	return t
}

func streamAlarms(spec summary.Spec, lines []*summary.Row) table.Table {
	t, names := onlineTable(spec, lines, "alarms", "Alarms of the streams, mean (std) over the runs",
		table.Column{Name: "runs", Right: true}, table.Column{Name: "steps", Right: true}, table.Column{Name: "alarms", Right: true, Spread: true},
		table.Column{Name: "false, loss risen", Right: true, Spread: true}, table.Column{Name: "false, loss fallen", Right: true, Spread: true},
		table.Column{Name: "bound without a change, %", Right: true})
	eachStream(&t, lines, names, func(c *summary.Config, head []table.Cell) {
		bound := c.Over("false_alarm_bound")
		t.Rows = append(t.Rows, append(head, table.Int(ended(c)), c.Over("steps").Plain(0), c.Over("alarms").Decimals(1),
			c.Over("false_alarms_up").Decimals(1), c.Over("false_alarms_down").Decimals(1), table.Num(100*bound.Mean, 2)))
	})
	t.Notes = append(t.Notes,
		"False alarms are those outside alarm_within steps after a switch. The bound is the stated one, steps after alarm_burn_in / (2 alarm_run_length), on the probability of any alarm in a stream of exchangeable losses. "+
			"Learning makes losses fall within a segment, and alarms at such falls are right about the losses, not about the stream.")
	return t
}

func forgetting(spec summary.Spec, lines []*summary.Row) table.Table {
	most := 0
	for _, l := range lines {
		for _, c := range l.Configs {
			most = max(most, len(segmentsOf(c)))
		}
	}
	columns := []table.Column{{Name: "held out of", Key: true}, {Name: "at the start", Right: true, Spread: true}}
	for i := range most {
		columns = append(columns, table.Column{Name: "after " + string(rune('A'+i)), Right: true, Spread: true})
	}
	columns = append(columns, table.Column{Name: "falls in its own segment"}, table.Column{Name: "rises in the next"})
	t, names := onlineTable(spec, lines, "held_out", "Losses on graphs held out of each segment, mean (std) over the runs", columns...)
	eachStream(&t, lines, names, func(c *summary.Config, head []table.Cell) {
		segments := segmentsOf(c)
		for i, of := range segments {
			row := append(head, table.Txt(of), c.Over("held_out_"+of+"_start").Decimals(4))
			for k := range most {
				if k >= len(segments) {
					row = append(row, table.Cell{})
					continue
				}
				row = append(row, c.Over(artifact.HeldOutAfter(of, segments[k])).Decimals(4))
			}
			own := artifact.HeldOutAfter(of, of)
			before := "held_out_" + of + "_start"
			if i > 0 {
				before = artifact.HeldOutAfter(of, segments[i-1])
			}
			row = append(row, ofEnded(c, above(c, before, own)))
			if i+1 < len(segments) {
				row = append(row, ofEnded(c, above(c, artifact.HeldOutAfter(of, segments[i+1]), own)))
			} else {
				row = append(row, table.Cell{})
			}
			t.Rows = append(t.Rows, row)
		}
	})
	t.Notes = append(t.Notes, "The paper says of TRIANGLES that the loss on B decreases during B and increases again during C. The last columns count the runs of which that is true from the end of a segment to the end of the next.")
	return t
}

// above counts the runs in which one score is above the other.
func above(c *summary.Config, high, low string) int {
	n := 0
	for _, r := range c.Runs {
		a, ok := r.Score(high)
		b, also := r.Score(low)
		if ok && also && a > b {
			n++
		}
	}
	return n
}
