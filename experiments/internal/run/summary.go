package run

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"ogdl/internal/record"
	"ogdl/internal/usage"
	"ogdl/internal/words"
)

// Summary ends a run: time, peak memory, failures and what was skipped.
func (s *Run) Summary(w io.Writer, took time.Duration) {
	fmt.Fprintf(w, "computed %s in %s", words.Plural(s.Counts[record.OK], "cell", "cells"), took.Round(10*time.Millisecond))
	if rss := usage.PeakRSS(); rss > 0 {
		fmt.Fprintf(w, ", peak memory %d MB", rss>>20)
	}
	fmt.Fprintln(w)
	fmt.Fprint(w, s.Cache.Summary())
	for _, reason := range slices.Sorted(maps.Keys(s.skipped)) {
		fmt.Fprintf(w, "skipped %s: %s\n", words.Plural(s.skipped[reason], "cell", "cells"), s.Data.Placed(reason))
	}
	if len(s.Failed) == 0 {
		return
	}
	slices.SortFunc(s.Failed, func(a, b *record.Record) int {
		return cmp.Or(cmp.Compare(a.Dataset, b.Dataset), cmp.Compare(a.Method, b.Method), cmp.Compare(a.Status, b.Status), cmp.Compare(a.ID, b.ID))
	})
	fmt.Fprintf(w, "%s failed, for the reasons above; stacks and parameters are in the store:\n", words.Plural(len(s.Failed), "cell", "cells"))
	const shown = 10
	kindOf := func(r *record.Record) string { return fmt.Sprintf("%s on %s, %s", r.Method, r.Dataset, r.Status) }
	for left := s.Failed; len(left) > 0; {
		kind, n := kindOf(left[0]), 0
		line := "  " + kind + ":"
		for ; n < len(left) && kindOf(left[n]) == kind; n++ {
			if n < shown {
				line += " " + left[n].ID
			}
		}
		if n > shown {
			line += fmt.Sprintf(" and %d more", n-shown)
		}
		fmt.Fprintln(w, line)
		left = left[n:]
	}
	fmt.Fprintln(w, "after mending the cause the same command computes them again, with -rerun failed no others")
}
