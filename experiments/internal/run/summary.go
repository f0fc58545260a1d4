package run

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"ogdl/internal/record"
	"ogdl/internal/usage"
	"ogdl/internal/words"
)

// Summary prints the time, the peak memory, the failures and the skipped cells of a run.
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
	fmt.Fprintf(w, "%s failed, for the reasons above; stacks and parameters are in the store:\n", words.Plural(len(s.Failed), "cell", "cells"))
	failed := map[string][]string{} // ids by reason
	for _, r := range s.Failed {
		kind := fmt.Sprintf("%s on %s, %s", r.Method, r.Dataset, r.Status)
		failed[kind] = append(failed[kind], r.ID)
	}
	const shown = 10
	for _, kind := range slices.Sorted(maps.Keys(failed)) {
		ids, more := slices.Sorted(slices.Values(failed[kind])), ""
		if n := len(ids) - shown; n > 0 {
			ids, more = ids[:shown], fmt.Sprintf(" and %d more", n)
		}
		fmt.Fprintf(w, "  %s: %s%s\n", kind, strings.Join(ids, " "), more)
	}
	fmt.Fprintln(w, "After you fix the cause, the same command computes them again; with -rerun failed it computes no others.")
}
