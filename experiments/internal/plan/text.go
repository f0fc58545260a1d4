package plan

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"ogdl/experiments/internal/run"
	"ogdl/internal/words"
)

// textWidth is the width of sentences in a plan.
const textWidth = 120

// WriteText prints the plan for people.
func (p *Plan) WriteText(w io.Writer, name string, workers int, limit time.Duration, further *run.Confirmation) {
	text := fmt.Sprintf("%s: %s, %d done, %d to compute", name, words.Plural(p.Cells, "cell", "cells"), p.Done, p.Pending) +
		words.If(p.Failed > 0, " (%d of them failed before)", p.Failed) +
		words.If(p.MayBe.Cells > 0 || p.RuledOut > 0,
			", %d more unless a race rules them out (at most %s of CPU time, not in the sums), %d ruled out",
			p.MayBe.Cells, Duration(p.MayBe.CPUSeconds), p.RuledOut) +
		words.If(len(further.Open) > 0, ", %s when their rows are whole, to confirm them (at most %s of CPU time, not in the sums)",
			further, Duration(p.ToBeChosen.CPUSeconds)) +
		words.If(p.Unmeasured > 0, ". No total is known: %d of %d cells and products have no measured time", p.Unmeasured,
			p.Pending+p.Products.Pending)
	fmt.Fprintf(w, "%s\n\n", words.Wrap(text, textWidth))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "method\tcells\tdone\tto compute\tCPU time\tdisk\tnot measured\t")
	first := func(k *kind) int {
		return slices.IndexFunc(p.Kinds, func(x *kind) bool { return x.Method == k.Method })
	}
	byMethod := func(a, b *kind) int { return first(a) - first(b) }
	for _, m := range slices.SortedStableFunc(slices.Values(p.Kinds), byMethod) {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%s\t%s\t%d\t\n", m.Method+" on "+m.Dataset, m.Cells, m.Done, m.Pending, Duration(m.CPUSeconds), m.DiskBytes, m.Unmeasured)
	}
	if x := p.Products; x.Pending > 0 {
		fmt.Fprintf(t, "shared products\t\t\t%d\t%s\t%s\t%d\t\n", x.Pending, Duration(x.CPUSeconds), x.DiskBytes, x.Unmeasured)
	}
	fmt.Fprintf(t, "total\t%d\t%d\t%d\t%s\t%s\t%d\t\n", p.Cells, p.Done, p.Pending, Duration(p.CPUSeconds), p.DiskBytes, p.Unmeasured)
	t.Flush()
	if p.Pending == 0 {
		return
	}
	least := words.If(p.Unmeasured > 0 && p.WallSeconds > 0, "at least ")
	takes := cmp.Or(words.If(p.Unmeasured > 0 && p.WallSeconds == 0, "not known"), Duration(p.WallSeconds))
	fmt.Fprintf(w, "\nTime with -workers %d: %s%s.\n", workers, least, takes)
	if n := p.ShardsForLimit; n > 0 {
		fmt.Fprintf(w, "Shards that each end within %s with -workers %d: %s%d; the longest takes %s%s.\n", limit, workers, least, n,
			least, Duration(p.longestShard(n, workers)))
	} else if limit > 0 {
		fmt.Fprintf(w, "The number of shards for %s is not known: nothing was measured.\n", limit)
	}
	if p.Unmeasured > 0 {
		text := fmt.Sprintf("%d cells and products have no time, since none like them has run, and count as 0. run -for 5m computes one of each kind "+
			"first; -ledger docs/reproduction/ledger takes the runs of this repository as done, and their times for the others.", p.Unmeasured)
		fmt.Fprintln(w, words.Wrap(text, textWidth))
	}
	if len(p.Shards) == 0 {
		return
	}
	some := slices.DeleteFunc(slices.Clone(p.Shards), func(x part) bool { return x.Pending == 0 })
	fmt.Fprintf(w, "Of %s %s something to compute:\n\n", words.Plural(len(p.Shards), "shard", "shards"), words.Plural(len(some), "has", "have"))
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "shard\tto compute\ttime with -workers %d\t\n", workers)
	for _, x := range some {
		fmt.Fprintf(t, "%s\t%d\t%s\t\n", run.Shard{Index: x.Shard, Of: len(p.Shards)}, x.Pending, Duration(x.Seconds))
	}
	t.Flush()
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
