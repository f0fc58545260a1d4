package reports

import (
	"ogdl/internal/record"
	"ogdl/reports/plots"
)

func sweepFigures(spec Spec, recs []record.Record) []plots.Figure { return nil }

func timeFigures(spec Spec, recs []record.Record, timings []record.Timing) []plots.Figure { return nil }
