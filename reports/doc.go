// Package reports turns the records of a run into tables.
//
// The way through is
//
//	Spec (the cells that a grid asks for) + []record.Record -> []Table -> Write
//
// and nothing on it computes numerics anew: a table holds means and standard
// deviations over seeds, adjusted Rand Indices between the clusterings of two
// seeds, and the numbers that the paper prints (printed.toml). Tables depend
// on the set of records only: the order in which they come changes no byte.
//
// Three rules hold throughout. What a configuration asks for and has no run behind
// it reads "missing" and is never a number; what it does not ask for is not listed,
// and one line counts the paper's numbers among it. A mean over fewer seeds
// than were asked for carries the mark [MarkSeeds], and a choice among part of a
// grid [MarkGrid]. What a table averages over without naming it is said in a
// note that starts with "Warning:".
//
// Standard deviations are those of the population (divided by the number of
// seeds, not by one less), as numpy.std computes them by default: the released
// code, and so the paper, print these.
//
// [Tables] gives all tables of a configuration, by its kind. [Clustering] writes
// those of clustering runs: the paper's main table with its six methods, and the
// supplement's two. [Runtimes] writes embedding times beside the paper's, [Datasets] the statistics of data sets, [Timings] and [TimingMethods]
// durations and memory. Tables with durations differ from run to run and are kept
// apart. A [Table] renders as terminal text, Markdown, CSV and LaTeX; [Write]
// puts all four into a folder, and of lists of cells the CSV alone.
package reports
