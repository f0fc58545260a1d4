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

// Metric is what a family of tables compares configurations by. Whoever chooses by a score or shows one takes it from here: a family
// that is judged by another score is another value of this type.
type Metric struct {
	Measure         // decides, and is what the paper prints
	Beside  Measure // is shown beside it
	// Scale takes both to what is shown; Unit and Sign name that.
	Scale      float64
	Unit, Sign string
	// Trivial are levels that take no knowledge of the data; Label says what reaches them.
	Trivial []Measure
	// VariesWith names a parameter that the last of these levels hangs on: a grid that varies it has no one level.
	VariesWith string
	// Repetition is what means are over.
	Repetition string
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
		VariesWith: paramClusters, Repetition: "repetition",
	}
}

// Repetitions are what means are over, of which there are several.
func (m *Metric) Repetitions() string { return m.Repetition + "s" }

// Mean is the mean of the score that decides over a configuration's repetitions, NaN where there is none.
func (m *Metric) Mean(c *Config) float64 { return c.Mean(m.Score) }

// Shown is that mean as it is shown.
func (m *Metric) Shown(c *Config) float64 { return m.Scale * m.Mean(c) }

// Of sums up a measure over runs, as it is shown.
func (m *Metric) Of(x Measure, runs []Run) paper.Stat { return StatOver(runs, x.Score, m.Scale) }

// Each sums up a measure over the runs that have it, be it all that ended well or not.
func (m *Metric) Each(x Measure, runs []Run) paper.Stat { return statOfSome(runs, x.Score, m.Scale) }
