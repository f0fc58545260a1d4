package reports

import "ogdl/internal/record"

// Runtimes returns the tables of embedding times.
func Runtimes(spec Spec, recs []record.Record, timings []record.Timing) []Table { return nil }

// RuntimeObjectives returns what is stable about a run that times embeddings.
func RuntimeObjectives(spec Spec, recs []record.Record) []Table { return nil }
