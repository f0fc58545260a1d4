package plan

import (
	"fmt"
	"io"
	"ogdl/experiments/internal/cost"
	"ogdl/experiments/internal/run"
	"ogdl/internal/words"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// WriteText prints the plan for people.
func (p *Plan) WriteText(w io.Writer, name string, workers int, limit time.Duration, further *run.Confirmation) {
	fmt.Fprintf(w, "%s: %s, %d done, %d to compute", name, words.Plural(p.Cells, "cell", "cells"), p.Done, p.Pending)
	if p.Failed > 0 {
		fmt.Fprintf(w, " (%d of them failed before)", p.Failed)
	}
	if len(further.Open) > 0 {
		fmt.Fprintf(w, ", %s when their rows are whole, to confirm them (at most %s of CPU time, not in the sums)",
			further, Duration(p.ToBeChosen.CPUSeconds))
	}
	fmt.Fprint(w, "\n\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "method\tcells\tdone\tto compute\tCPU time\tdisk\ttimings\textrapolated\tmeasured / estimated\t")
	of := map[string]int{cost.FromKind: 0}
	for _, m := range p.methods() {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%s\t%s\t%d\t%d\t%s\t\n",
			m.Method, m.Cells, m.Done, m.Pending, Duration(m.CPUSeconds), m.DiskBytes, m.Timings, m.extrapolated, m.seconds.Spread())
	}
	if x := p.Products; x.Pending > 0 {
		fmt.Fprintf(t, "shared products\t\t\t%d\t%s\t%s\t%d\t\t%s\t\n",
			x.Pending, Duration(x.CPUSeconds), x.DiskBytes, x.Timings, x.basis.Spread())
	}
	fmt.Fprintf(t, "total\t%d\t%d\t%d\t%s\t%s\t\t\t\t\n", p.Cells, p.Done, p.Pending, Duration(p.CPUSeconds), p.DiskBytes)
	t.Flush()
	if p.Pending == 0 {
		return
	}
	var times []string
	for _, n := range coreCounts(workers) {
		text := fmt.Sprintf(" on %s %s", words.Plural(n, "core", "cores"), Duration(p.WallSeconds[strconv.Itoa(n)]))
		if n == workers {
			text += " (-workers)"
		}
		times = append(times, text)
	}
	fmt.Fprintf(w, "\nTime%s.\nThe longest cell takes %s: %s.\n", strings.Join(times, ","), Duration(p.LongestCellSeconds), p.longestCell)
	if x := p.Products; x.longest > 0 {
		fmt.Fprintf(w, "The longest shared product takes %s of one core, which the workers divide.\n", Duration(x.longest))
	}
	if limit > 0 {
		n, longest := p.ShardsForLimit, Duration(p.LongestShardSeconds)
		on := words.Plural(workers, "core", "cores")
		if p.LongestShardSeconds > limit.Seconds() {
			fmt.Fprintf(w, "No number of shards ends within %s on %s: of %d the longest takes %s.\n"+
				"What is not done when a shard is stopped, the next run goes on with.\n",
				limit, on, n, longest)
		} else {
			fmt.Fprintf(w, "Shards that each end within %s on %s: %d; the longest takes %s.\n", limit, on, n, longest)
		}
	}
	p.writeParts(w, workers)
	fmt.Fprint(w, "\nTimes are a model of parameters and data, scaled by the timings of these cells where three are\n"+
		"done, else of like ones in the store. Measured / estimated: 10th and 90th percentile of cells.\n"+
		"Extrapolated: without timings of their method on their data set.\n")
	for _, k := range p.Kinds {
		of[k.From] += k.Pending
	}
	switch unknown := of[cost.FromOthers] + of[cost.FromNone]; {
	case unknown > 0:
		fmt.Fprintf(w, "%s of methods without timings (plan -calibrate runs a few of each kind first).\n",
			words.Plural(unknown, "cell is", "cells are"))
	case of[cost.FromMethod] > 0:
		fmt.Fprintf(w, "%s on timings of other data sets (plan -calibrate runs a few of each kind first).\n",
			words.Plural(of[cost.FromMethod], "cell rests", "cells rest"))
	}
}

// writeParts lists the shards that have something to compute.
func (p *Plan) writeParts(w io.Writer, cores int) {
	if len(p.Shards) == 0 {
		return
	}
	some := slices.DeleteFunc(slices.Clone(p.Shards), func(x part) bool { return x.Pending == 0 })
	fmt.Fprintf(w, "Of %s %s something to compute:\n\n", words.Plural(len(p.Shards), "shard", "shards"), words.Plural(len(some), "has", "have"))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "shard\tto compute\ttime with -workers %d\t\n", cores)
	for _, x := range some {
		fmt.Fprintf(t, "%s\t%d\t%s\t\n", cost.Shard{Index: x.Shard, Of: len(p.Shards)}, x.Pending, Duration(x.Seconds))
	}
	t.Flush()
}

// methods sums the kinds up by method, whose timings are those of its own.
func (p *Plan) methods() (out []planKind) {
	for _, k := range p.Kinds {
		i := slices.IndexFunc(out, func(m planKind) bool { return m.Method == k.Method })
		if i < 0 {
			i = len(out)
			out = append(out, planKind{Method: k.Method})
		}
		m := &out[i]
		m.Cells += k.Cells
		m.Done += k.Done
		m.Pending += k.Pending
		m.CPUSeconds += k.CPUSeconds
		m.DiskBytes += k.DiskBytes
		if k.From != cost.FromKind {
			m.extrapolated += k.Pending
			continue
		}
		if m.Timings == 0 {
			m.seconds = k.seconds
		}
		m.Timings += k.Timings
		m.seconds.Low, m.seconds.High = min(m.seconds.Low, k.seconds.Low), max(m.seconds.High, k.seconds.High)
	}
	return out
}

// Duration writes seconds in the unit that suits them.
func Duration(seconds float64) string {
	switch {
	case seconds >= 100*3600:
		return fmt.Sprintf("%.0f h", seconds/3600)
	case seconds >= 2*3600:
		return fmt.Sprintf("%.1f h", seconds/3600)
	case seconds >= 120:
		return fmt.Sprintf("%.1f min", seconds/60)
	case seconds >= 10:
		return fmt.Sprintf("%.0f s", seconds)
	}
	return fmt.Sprintf("%.2f s", seconds)
}

// String writes them in the unit that suits them.
func (b DiskBytes) String() string {
	switch {
	case b >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(b/1e9))
	case b >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(b/1e6))
	}
	return fmt.Sprintf("%.0f kB", float64(b/1e3))
}
