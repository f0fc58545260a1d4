package summary

import (
	"ogdl/internal/artifact"
	"ogdl/reports/paper"
)

// Measure is a score of records, with the names that it has in tables and figures.
type Measure struct {
	Score string // among a record's scores
	Label string // in sentences and on axes
	Short string // in the heads of columns
}

// Metric describes the scores of a family of tables: the deciding score, the scale, the trivial
// levels and the sampling.
type Metric struct {
	Measure         // decides; the paper's tables have it
	Beside  Measure // the second score of the tables
	// Also are further scores in the list of cells; labels may give their names in CSV, as titles
	// of columns do.
	Also []Measure
	// Scale multiplies both scores for display, in Unit ("percent") with Sign ("%").
	Scale      float64
	Unit, Sign string
	// Trivial are levels that need no knowledge of the data; Label names the labellings that reach
	// them.
	Trivial []Measure
	// TrivialScores names, in remarks, the labelling that scores such a level.
	TrivialScores string
	// Repetition is the word for the units that means are over.
	Repetition string
	// Sampling says how the numbers behind the means on a data set, the paper's and ours, were drawn.
	Sampling func(dataset string) paper.Sampling
	// Nested is set if every split selects its setting by its training part, as for accuracies.
	// Rows then have [Row.Nested] and no selection without labels.
	Nested bool
}

// RandIndex is the metric of the clustering tables.
func RandIndex() *Metric {
	return &Metric{
		Measure: Measure{artifact.RI, "Rand Index", "RI"}, Beside: Measure{artifact.ARI, "adjusted Rand Index", "ARI"},
		Scale: 100, Unit: "percent", Sign: "%",
		Trivial: []Measure{
			{artifact.TrivialOne, "putting all graphs into one cluster", "RI one cluster"},
			{artifact.TrivialIndependent, "independent random labels", "RI random"},
		},
		TrivialScores: "a trivial clustering", Repetition: "repetition",
		Sampling: func(string) paper.Sampling { return paper.Sampling{Printed: 5, Widest: paper.WidestRandIndex} },
	}
}

// Accuracy is the metric of the classification tables.
func Accuracy(printed paper.Printed) *Metric {
	return &Metric{
		Measure: Measure{artifact.Accuracy, "accuracy", "accuracy"}, Beside: Measure{artifact.InnerAccuracy, "inner accuracy", "inner accuracy"},
		Also: []Measure{{Score: artifact.ChosenC, Label: "chosen C"}, {Score: artifact.ChosenGamma, Label: "chosen gamma"},
			{Score: artifact.ChosenAlpha, Label: "chosen alpha"}, {Score: artifact.Fits, Label: "fits"},
			{Score: artifact.CappedFits, Label: "capped fits"}, {Score: artifact.LeastEigenvalue, Label: "least eigenvalue"}},
		Scale: 100, Unit: "percent", Sign: "%",
		Trivial:       []Measure{{artifact.MajorityAll, "naming the largest class", "majority"}},
		TrivialScores: "naming the largest class", Repetition: "split", Nested: true,
		Sampling: func(dataset string) paper.Sampling {
			// How many graphs other data sets have is in no record. A tenth of them, rounded up, over the rest is at least 1/9, and above it
			// by 1 over the number of training graphs at most.
			s := paper.Sampling{Printed: 10, Overlap: 1.0 / 9, Widest: paper.WidestAccuracy}
			if d, ok := printed.Dataset(dataset); ok {
				s.Overlap = paper.Overlap(d.Graphs)
			}
			return s
		},
	}
}

// Repetitions returns the plural of Repetition.
func (m *Metric) Repetitions() string { return m.Repetition + "s" }

// Mean is the mean of the score that decides over a configuration's repetitions, NaN where there is none.
func (m *Metric) Mean(c *Config) float64 { return c.Mean(m.Score) }

// Of sums up a measure over runs, as it is shown.
func (m *Metric) Of(x Measure, runs []Run) paper.Stat { return StatOver(runs, x.Score, m.Scale) }

// Sample is [Metric.Of] with the number of repetitions behind it: the same splits under another base seed are no more of them.
func (m *Metric) Sample(x Measure, runs []Run) paper.Stat {
	of := m.Of(x, runs)
	if m.Nested {
		scored := Pick(runs, func(r Run) bool { return r.Has(x.Score) })
		of.N = len(Groups(scored, func(r Run) int { return r.Repetition }))
	}
	return of
}
