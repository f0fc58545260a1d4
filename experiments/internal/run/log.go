package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"ogdl/internal/record"
)

// Log appends a line of JSON for each cell that a run finishes to a file, for programs that watch it.
type Log struct {
	mu   sync.Mutex
	file *os.File
	err  error // the first one of the file
}

// logged is such a line.
type logged struct {
	Time          time.Time          `json:"time"`
	ID            string             `json:"id"`
	Status        string             `json:"status"`
	Reason        string             `json:"reason,omitempty"`
	Method        string             `json:"method"`
	MethodVersion int                `json:"method_version"`
	Dataset       string             `json:"dataset"`
	Parameters    map[string]any     `json:"parameters"`
	Seed          int64              `json:"seed"`
	Repetition    int                `json:"repetition"`
	Scores        map[string]float64 `json:"scores"`
	Seconds       float64            `json:"seconds"`
	CPUSeconds    float64            `json:"cpu_seconds"`
}

// OpenLog opens a file to append to, made where it is not there.
func OpenLog(path string) (*Log, error) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, fmt.Errorf("-log: %w", err)
	}
	return &Log{file: f}, nil
}

// add appends a cell's line in one write: processes may share a file. Numbers are safe in the store, so that a log that
// cannot be written stops nothing; Close returns the error.
func (l *Log) add(r *record.Record, t *record.Timing) {
	if l == nil {
		return
	}
	line, _ := json.Marshal(logged{time.Now().UTC(), r.ID, r.Status, r.Reason, r.Method, r.MethodVersion, r.Dataset, r.Params, r.BaseSeed,
		r.Repetition, r.Scores, t.Seconds, t.CPUSeconds}) // a record that the store has taken has a JSON form
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		_, l.err = l.file.Write(append(line, '\n'))
	}
}

// Close closes the file, and returns the first error of its lines.
func (l *Log) Close() error {
	if err := errors.Join(l.err, l.file.Close()); err != nil {
		return fmt.Errorf("-log: %w", err)
	}
	return nil
}
