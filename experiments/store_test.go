package main

import (
	"os"
	"path/filepath"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

// arraysOf reads what a cell has learned.
func (s *session) arraysOf(r *record.Record) map[string]npz.Array {
	s.t.Helper()
	return readArrays(s.t, s.store().NPZPath(r))
}

func (s *session) store() *record.Store {
	s.t.Helper()
	return must.Get(record.Open(filepath.Join(s.dir, "out")))
}

// scBlocks is the number of blocks of its matrix, far more than its size suggests.
const scBlocks = 10

// Blocks lists the blocks of distances in the session's store.
func (s *session) blocks() []string {
	s.t.Helper()
	return s.stored("products/*/*/*.npz")
}

// readArrays reads a file of arrays.
func readArrays(t *testing.T, path string) map[string]npz.Array {
	t.Helper()
	return exptest.Arrays(t, must.Get(os.ReadFile(path)))
}
