package reports

import (
	"fmt"
	"strings"

	"ogdl/internal/record"
)

// onlineTables are the change points of the streams, their alarms, and what was forgotten.
func onlineTables(spec Spec, lines []*line) []Table {
	return []Table{changePoints(spec, lines), streamAlarms(spec, lines), forgetting(spec, lines)}
}

// ended counts the runs of the configuration that ended well.
func ended(c *configuration) (ok int) {
	for _, r := range c.runs {
		if r.Record != nil && r.Record.Status == record.OK {
			ok++
		}
	}
	return ok
}

// segments are the names of a stream's segments, none before a run has ended.
func segmentsOf(c *configuration) []string {
	var out []string
	for i := range 26 {
		name := string(rune('A' + i))
		if c.over("end_"+name).n == 0 {
			break
		}
		out = append(out, name)
	}
	return out
}

// of is "n of m" runs.
func ofEnded(c *configuration, n int) Cell { return Txt(fmt.Sprintf("%d of %d", n, ended(c))) }

// onlineTable has rows of configurations.
func onlineTable(spec Spec, lines []*line, name, what string, columns ...Column) (Table, []string) {
	names := namesOf(lines)
	t := Table{Name: spec.Table + "_" + name, Title: title(spec, what), Columns: []Column{{Name: "data set", Key: true}}}
	for _, p := range paramColumns(lines, names) {
		p.Key = true
		t.Columns = append(t.Columns, p)
	}
	t.Columns = append(t.Columns, columns...)
	return t, names
}

// eachStream calls f with the configurations in order and the beginning of their rows. What has no run
// yet gets one row that says so.
func eachStream(t *Table, lines []*line, names []string, f func(c *configuration, head []Cell)) {
	for _, l := range lines {
		for _, c := range l.configs {
			head := append([]Cell{Txt(l.dataset)}, paramCells(c.params, names)...)
			if len(segmentsOf(c)) > 0 {
				f(c, head[:len(head):len(head)])
				continue
			}
			for len(head) < len(t.Columns) {
				head = append(head, None())
			}
			t.Rows = append(t.Rows, head)
		}
		for _, reason := range unfinished(l) {
			t.Notes = append(t.Notes, l.dataset+": "+reason+".")
		}
	}
}

// unfinished says why runs of a line have no result, each reason once.
func unfinished(l *line) []string {
	var out []string
	seen := map[string]bool{}
	for r := range l.runs() {
		text := r.status()
		if text == record.OK || text == missingStatus {
			continue
		}
		if r.Record.Reason != "" {
			text += ": " + strings.TrimSuffix(firstLine(r.Record.Reason), ".")
		}
		if !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}

func changePoints(spec Spec, lines []*line) Table {
	t, names := onlineTable(spec, lines, "change_points", "Switches of the streams: losses and alarms, mean (std) over the runs",
		Column{Name: "switch", Key: true}, Column{Name: "step", Right: true}, Column{Name: "loss before", Right: true, Spread: true},
		Column{Name: "loss after", Right: true, Spread: true}, Column{Name: "change, %", Right: true}, Column{Name: "detected"},
		Column{Name: "as"}, Column{Name: "delay, steps", Right: true, Spread: true}, Column{Name: "largest delay", Right: true})
	eachStream(&t, lines, names, func(c *configuration, head []Cell) {
		segments := segmentsOf(c)
		for i := 1; i < len(segments); i++ {
			from, to := segments[i-1], segments[i]
			before, after := c.over("loss_end_"+from), c.over("loss_begin_"+to)
			delay, down := c.over("delay_"+to), c.over("down_"+to)
			change := Num(100*(after.mean/before.mean-1), 1)
			change.Signed = true
			as, largest := Cell{}, 0.0
			delays := Cell{}
			if delay.n > 0 {
				delays = delay.decimals(0)
				switch down.mean {
				case 0:
					as = Txt("a rise")
				case 1:
					as = Txt("a fall")
				default:
					as = Txt("both")
				}
			}
			for _, r := range c.runs {
				if v, ok := r.score("delay_" + to); ok {
					largest = max(largest, v)
				}
			}
			most := Cell{}
			if delay.n > 0 {
				most = Num(largest, 0)
			}
			t.Rows = append(t.Rows, append(head, Txt(from+" to "+to), c.over("end_"+from).plain(0), before.decimals(4), after.decimals(4), change,
				ofEnded(c, delay.n), as, delays, most))
		}
	})
	t.Notes = append(t.Notes,
		"Losses: means over the tenth of a segment before and after the switch, at most mean_over steps. A switch is detected by the first alarm within alarm_within steps; its delay is the number of steps until then.")
	t.Notes = append(t.Notes, fixedNotes(lines, append(names, paramAtoms))...)
	return t
}

func streamAlarms(spec Spec, lines []*line) Table {
	t, names := onlineTable(spec, lines, "alarms", "Alarms of the streams, mean (std) over the runs",
		Column{Name: "runs", Right: true}, Column{Name: "steps", Right: true}, Column{Name: "alarms", Right: true, Spread: true},
		Column{Name: "false, loss risen", Right: true, Spread: true}, Column{Name: "false, loss fallen", Right: true, Spread: true},
		Column{Name: "bound without a change, %", Right: true})
	eachStream(&t, lines, names, func(c *configuration, head []Cell) {
		bound := c.over("false_alarm_bound")
		t.Rows = append(t.Rows, append(head, Int(ended(c)), c.over("steps").plain(0), c.over("alarms").decimals(1),
			c.over("false_alarms_up").decimals(1), c.over("false_alarms_down").decimals(1), Num(100*bound.mean, 2)))
	})
	t.Notes = append(t.Notes,
		"False alarms are those outside alarm_within steps after a switch. The bound is the stated one, steps after alarm_burn_in / (2 alarm_run_length), on the probability of any alarm in a stream of exchangeable losses. "+
			"Learning makes losses fall within a segment, and alarms at such falls are right about the losses, not about the stream.")
	return t
}

func forgetting(spec Spec, lines []*line) Table {
	most := 0
	for _, l := range lines {
		for _, c := range l.configs {
			most = max(most, len(segmentsOf(c)))
		}
	}
	columns := []Column{{Name: "held out of", Key: true}, {Name: "at the start", Right: true, Spread: true}}
	for i := range most {
		columns = append(columns, Column{Name: "after " + string(rune('A'+i)), Right: true, Spread: true})
	}
	columns = append(columns, Column{Name: "falls in its own segment"}, Column{Name: "rises in the next"})
	t, names := onlineTable(spec, lines, "held_out", "Losses on graphs held out of each segment, mean (std) over the runs", columns...)
	eachStream(&t, lines, names, func(c *configuration, head []Cell) {
		segments := segmentsOf(c)
		for i, of := range segments {
			row := append(head, Txt(of), c.over("held_out_"+of+"_start").decimals(4))
			for k := range most {
				if k >= len(segments) {
					row = append(row, Cell{})
					continue
				}
				row = append(row, c.over(heldOutAfter(of, segments[k])).decimals(4))
			}
			own := heldOutAfter(of, of)
			before := "held_out_" + of + "_start"
			if i > 0 {
				before = heldOutAfter(of, segments[i-1])
			}
			row = append(row, ofEnded(c, above(c, before, own)))
			if i+1 < len(segments) {
				row = append(row, ofEnded(c, above(c, heldOutAfter(of, segments[i+1]), own)))
			} else {
				row = append(row, Cell{})
			}
			t.Rows = append(t.Rows, row)
		}
	})
	t.Notes = append(t.Notes, "The paper says of TRIANGLES that the loss on B decreases during B and increases again during C. The last columns count the runs of which that is true from the end of a segment to the end of the next.")
	return t
}

// above counts the runs in which one score is above the other.
func above(c *configuration, high, low string) int {
	n := 0
	for _, r := range c.runs {
		a, ok := r.score(high)
		b, also := r.score(low)
		if ok && also && a > b {
			n++
		}
	}
	return n
}
