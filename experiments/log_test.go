package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

// TestLog: a line for each cell that a run computes, with what the store says of it, appended; none for what was there.
func TestLog(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Tiny)
	path := filepath.Join(s.dir, "cells.jsonl")
	must.Do(t, os.WriteFile(path, []byte("{\"before\":true}\n"), 0o666))
	s.run(exitOK, "-log", path)
	s.run(exitOK, "-log", path)
	f := must.Get(os.Open(path))
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Scan()
	must.Check(t, lines.Text(), `{"before":true}`, "the first line is now")
	stored := map[string]*record.Record{}
	for _, r := range s.records() {
		stored[r.ID] = r
	}
	for lines.Scan() {
		var got struct {
			ID, Status, Method string
			Parameters         map[string]any
			Scores             map[string]float64
			Seconds            float64
		}
		if err := json.Unmarshal(lines.Bytes(), &got); err != nil {
			t.Fatalf("%v: %s", err, lines.Text())
		}
		r := stored[got.ID]
		if r == nil || got.Status != r.Status || got.Method != "GDL" || got.Scores["ri"] != r.Scores["ri"] || got.Seconds <= 0 ||
			got.Parameters["lambda"] != r.Params["lambda"] {
			t.Errorf("%s stands for %+v", lines.Text(), r)
		}
		delete(stored, got.ID)
	}
	if len(stored) > 0 {
		t.Errorf("%d cells have no line", len(stored))
	}
	s.run(exitFatal, "-log", filepath.Join(s.dir, "absent", "cells.jsonl")).wantErr("-log", "absent")
}

// broken is a writer on a full disk.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestOutputThatIsLost: a verb whose output cannot be written fails.
func TestOutputThatIsLost(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, args := range [][]string{{"list", "-out", dir}, {"plan", "-out", dir}, {"help"}, {"version"}} {
		var stderr strings.Builder
		must.Check(t, execute(t.Context(), args, broken{}, &stderr), exitFatal, "exit code of %s", args)
		must.Contain(t, stderr.String(), "no space left")
	}
}
