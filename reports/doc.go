// Package reports turns the records of a run into tables, figures and pages.
//
// The way through is
//
//	[summary.Spec] and []summary.Run -> [summary.NewFrame] -> [Render] -> [Folder.Write]
//
// and nothing on it computes numerics anew: a table holds means and standard
// deviations over repetitions, adjusted Rand Indices between the clusterings of two
// repetitions, and the numbers that the paper prints (printed.toml). Tables depend
// on the set of records only: the order in which they come changes no byte.
//
// Three rules hold throughout. What a configuration asks for and has no run behind
// it reads "missing" and is never a number; what it does not ask for is not listed,
// and one line counts the paper's numbers among it. A mean over fewer repetitions
// than were asked for carries the mark [table.MarkFewer], and a choice among part of a
// grid [table.MarkGrid]. A doubt about all numbers of a table is a note that starts with "Warning:".
//
// Standard deviations are over the population (divided by the number of
// repetitions, not by one less), as numpy.std computes them by default: the released
// code, and so the paper, print these.
//
// What a kind of tables or figures consists of is one row of kindOf; the scores that it reads are its family's
// [summary.Metric]. Tables with durations differ from run to run and are kept
// apart. Each table is written as text, Markdown, CSV and LaTeX; lists of cells as CSV alone, tables laid out as the paper's without.
package reports
