package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"
)

// planJSON is what -plan -json prints, for scripts that size a job by it. Its keys
// stay.
type planJSON struct {
	Cells          int     `json:"cells"`
	Done           int     `json:"done"`
	Pending        int     `json:"pending"` // cells that a run would compute: failed ones too
	Failed         int     `json:"failed"`
	CPUSeconds     float64 `json:"cpu_seconds"`
	DiskBytes      int64   `json:"disk_bytes"`
	ShardsForLimit int     `json:"shards_for_limit"` // 0 without -limit, and when nothing is pending

	LongestShardSeconds float64            `json:"longest_shard_seconds"` // of those shards
	LongestCellSeconds  float64            `json:"longest_cell_seconds"`
	WallSeconds         map[string]float64 `json:"wall_seconds"` // by number of cores
	Shards              []shardJSON        `json:"shards"`       // of -shards, by number; empty without it
	Products            productsJSON       `json:"products"`
	ToBeChosen          chosenJSON         `json:"to_be_chosen"` // by confirm; in no other number
	Kinds               []kindJSON         `json:"kinds"`
}

type shardJSON struct {
	Shard   int     `json:"shard"`
	Pending int     `json:"pending"` // as above
	Seconds float64 `json:"seconds"` // on -workers cores
}

type chosenJSON struct {
	Least      int     `json:"least"` // cells: if the choices with labels and without agree
	Most       int     `json:"most"`
	CPUSeconds float64 `json:"cpu_seconds"` // of the most
}

type productsJSON struct {
	Pending    int     `json:"pending"`
	CPUSeconds float64 `json:"cpu_seconds"`
	DiskBytes  int64   `json:"disk_bytes"`
	Timings    int     `json:"timings"`
}

type kindJSON struct {
	Method     string  `json:"method"`
	Dataset    string  `json:"dataset"`
	Cells      int     `json:"cells"`
	Done       int     `json:"done"`
	Pending    int     `json:"pending"`
	CPUSeconds float64 `json:"cpu_seconds"`
	DiskBytes  int64   `json:"disk_bytes"`
	Timings    int     `json:"timings"`
	From       string  `json:"from"` // whose timings: kind, method (on other data), others, none
}

// coreCounts are the numbers of cores that a plan tells times for.
func coreCounts(workers int) []int {
	out := []int{1, 2, 8, 64, workers}
	slices.Sort(out)
	return slices.Compact(out)
}

// writeJSON prints the plan for scripts.
func (p *plan) writeJSON(w io.Writer, workers, shards int, longest float64) error {
	bytes := func(x float64) int64 { return int64(math.Ceil(x)) }
	out := planJSON{
		Cells: p.cells, Done: p.done, Pending: len(p.pending), Failed: p.failed,
		CPUSeconds: p.seconds, DiskBytes: bytes(p.bytes), ShardsForLimit: shards,
		LongestShardSeconds: longest, LongestCellSeconds: p.longest, WallSeconds: map[string]float64{},
		Products: productsJSON{p.products, p.productSeconds, bytes(p.productBytes), p.productTimings},
		Shards:   []shardJSON{}, Kinds: []kindJSON{},
		ToBeChosen: chosenJSON{p.further.least, p.further.most, p.furtherSeconds},
	}
	for _, n := range coreCounts(workers) {
		out.WallSeconds[strconv.Itoa(n)] = wall(p.pending, p.productSeconds, n)
	}
	for i, x := range p.parts {
		out.Shards = append(out.Shards, shardJSON{i, x.pending, x.seconds})
	}
	for _, r := range p.rows {
		out.Kinds = append(out.Kinds, kindJSON{r.method, r.dataset, r.cells, r.done, r.missing(), r.seconds, bytes(r.bytes), r.basis.n, r.basis.source()})
	}
	text, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}

// source names where a factor comes from.
func (b basis) source() string {
	switch {
	case b.n == 0:
		return "none"
	case b.from == fromKind:
		return "kind"
	case b.from == fromMethod:
		return "method"
	}
	return "others"
}

// writeText prints the plan for people.
func (p *plan) writeText(w io.Writer, workers int, limit time.Duration, name string, shards int, longest float64) {
	fmt.Fprintf(w, "%s: %s, %d done, %d to compute", name, plural(p.cells, "cell", "cells"), p.done, len(p.pending))
	if p.failed > 0 {
		fmt.Fprintf(w, " (%d of them failed before)", p.failed)
	}
	if len(p.further.open) > 0 {
		fmt.Fprintf(w, ", %s when all cells of their rows are done (confirm; at most about %s of CPU time, which the sums leave out)", p.further, duration(p.furtherSeconds))
	}
	fmt.Fprint(w, "\n\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "method\tcells\tdone\tto compute\tCPU time\tdisk\ttimings\textrapolated\tmeasured / estimated\t")
	for _, m := range p.methods() {
		spread := "-"
		if m.timings > 0 {
			spread = fmt.Sprintf("%.2f to %.2f", m.low, m.high)
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%s\t%s\t%d\t%d\t%s\t\n", m.name, m.cells, m.done, m.missing, duration(m.seconds), byteText(m.bytes), m.timings, m.extrapolated, spread)
	}
	if p.products > 0 {
		spread := "-"
		if b := p.productBasis; b.n > 0 && b.from == fromKind {
			spread = fmt.Sprintf("%.2f to %.2f", b.low, b.high)
		}
		fmt.Fprintf(t, "matrices of distances\t\t\t%d\t%s\t%s\t%d\t\t%s\t\n", p.products, duration(p.productSeconds), byteText(p.productBytes), p.productTimings, spread)
	}
	fmt.Fprintf(t, "total\t%d\t%d\t%d\t%s\t%s\t\t\t\t\n", p.cells, p.done, len(p.pending), duration(p.seconds), byteText(p.bytes))
	t.Flush()
	if len(p.pending) == 0 {
		return
	}
	fmt.Fprint(w, "\nTime")
	for i, n := range coreCounts(workers) {
		if i > 0 {
			fmt.Fprint(w, ",")
		}
		fmt.Fprintf(w, " on %s %s", plural(n, "core", "cores"), duration(wall(p.pending, p.productSeconds, n)))
		if n == workers {
			fmt.Fprint(w, " (-workers)")
		}
	}
	fmt.Fprintf(w, ". The longest cell takes %s: %s.\n", duration(p.longest), p.longestCell)
	if limit > 0 {
		fmt.Fprintf(w, "Shards that each end within %s on %s: %d; the longest takes %s.\n", limit, plural(workers, "core", "cores"), shards, duration(longest))
		if longest > limit.Seconds() {
			fmt.Fprintln(w, "No number of shards is within the limit: what is not done when a shard is stopped, the next run goes on with.")
		}
	}
	p.writeParts(w, workers)
	fmt.Fprintln(w, "\nTimes are a model of the parameters and the sizes of the data sets, scaled by the timings of like cells in the store, of the machines that computed them.\n"+
		"The last column has the 10th and 90th percentile of single cells; extrapolated cells have no timings of their method on their data set;\n"+
		"like cells may have had other parameters, for which the model answers.")
	switch {
	case p.unknown > 0:
		fmt.Fprintf(w, "%s of methods without timings (-plan -calibrate runs a few of each kind first).\n", plural(p.unknown, "cell is", "cells are"))
	case p.nearby > 0:
		fmt.Fprintf(w, "%s on timings of other data sets (-plan -calibrate runs a few of each kind first).\n", plural(p.nearby, "cell rests", "cells rest"))
	}
}

// writeParts lists the shards that have something to compute.
func (p *plan) writeParts(w io.Writer, cores int) {
	if p.parts == nil {
		return
	}
	some := 0
	for _, x := range p.parts {
		if x.pending > 0 {
			some++
		}
	}
	fmt.Fprintf(w, "Of %s %s something to compute:\n\n", plural(len(p.parts), "shard", "shards"), plural(some, "has", "have"))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "shard\tto compute\ttime with -workers %d\t\n", cores)
	for i, x := range p.parts {
		if x.pending > 0 {
			fmt.Fprintf(t, "%s\t%d\t%s\t\n", shard{i, len(p.parts)}, x.pending, duration(x.seconds))
		}
	}
	t.Flush()
}

// methodSum is a line of the plan's table.
type methodSum struct {
	name                 string
	cells, done, missing int
	seconds, bytes       float64
	timings              int // of the method's own
	extrapolated         int // missing cells without timings of their method on their data
	low, high            float64
}

// methods sums the rows up by method.
func (p *plan) methods() []methodSum {
	var out []methodSum
	for _, r := range p.rows {
		i := slices.IndexFunc(out, func(m methodSum) bool { return m.name == r.method })
		if i < 0 {
			i = len(out)
			out = append(out, methodSum{name: r.method})
		}
		m := &out[i]
		m.cells += r.cells
		m.done += r.done
		m.missing += r.missing()
		m.seconds += r.seconds
		m.bytes += r.bytes
		if r.basis.from != fromKind {
			m.extrapolated += r.missing()
			continue
		}
		if m.timings == 0 {
			m.low, m.high = r.basis.low, r.basis.high
		}
		m.timings += r.basis.n
		m.low, m.high = min(m.low, r.basis.low), max(m.high, r.basis.high)
	}
	return out
}

// duration writes seconds in the unit that suits them.
func duration(seconds float64) string {
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

func byteText(n float64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", n/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", n/1e6)
	}
	return fmt.Sprintf("%.0f kB", n/1e3)
}
