package run

import (
	"encoding/json"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"ogdl/internal/record"
	"ogdl/internal/words"
)

// Log appends a line of JSON for each cell that a run finishes to a file, for programs that watch it. One goroutine writes: a
// reader that stops holds up no cell. A regular file loses no line unless its disk hangs at an interrupt. Of other files, such as pipes,
// maxWaiting lines wait at most, and further ones are dropped and counted.
type Log struct {
	regular        bool
	lines          chan []byte
	added, written atomic.Int64
	done           chan struct{} // closed when the goroutine has ended
	broken         error         // the first one of the file, to be read then
}

// maxWaiting bounds the lines that wait for a reader.
const maxWaiting = 100_000

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

// OpenLog opens a file to append to, made where it is not there; without a path there is no log. A
// file that is not regular is not waited for: a pipe opens when it has a reader.
func OpenLog(path string) (*Log, error) {
	if path == "" {
		return nil, nil
	}
	info, err := os.Stat(path)
	l := &Log{regular: err != nil || info.Mode().IsRegular() || info.IsDir(), lines: make(chan []byte, maxWaiting), done: make(chan struct{})}
	opened := make(chan error, 1)
	go l.write(path, opened)
	if l.regular {
		if err := <-opened; err != nil {
			return nil, fmt.Errorf("-log: %w", err)
		}
	}
	return l, nil
}

// write writes the lines until the log is closed, each line in one write: processes may share a file.
func (l *Log) write(path string, opened chan<- error) {
	defer close(l.done)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if opened <- err; err != nil {
		l.broken = err
		return
	}
	if l.regular && torn(path) {
		_, l.broken = f.WriteString("\n")
	}
	for line := range l.lines {
		if l.broken == nil {
			_, l.broken = f.Write(line)
		}
		if l.broken == nil {
			l.written.Add(1)
		}
	}
	if err := f.Close(); l.broken == nil {
		l.broken = err
	}
}

// torn reports whether a file ends within a line, as after a full disk.
func torn(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	last := []byte("\n")
	if info, err := f.Stat(); err == nil && info.Size() > 0 {
		_, _ = f.ReadAt(last, info.Size()-1)
	}
	return last[0] != '\n'
}

// add appends a cell's line. Numbers are safe in the store, so that a log that
// cannot be written stops nothing; Close returns the error.
func (l *Log) add(r *record.Record, t *record.Timing) {
	if l == nil {
		return
	}
	line, _ := json.Marshal(logged{time.Now().UTC(), r.ID, r.Status, r.Reason, r.Method, r.MethodVersion, r.Dataset, r.Params, r.BaseSeed,
		r.Repetition, r.Scores, t.Seconds, t.CPUSeconds}) // a record that the store has taken has a JSON form
	line = append(line, '\n')
	l.added.Add(1)
	if l.regular {
		l.lines <- line
		return
	}
	select {
	case l.lines <- line:
	default: // dropped
	}
}

// Close writes the waiting lines and closes the file. If the file is not regular, or the run was
// interrupted, it waits for patience at most, and then counts the lines that were not written. It
// returns the first error of the lines.
func (l *Log) Close(interrupted bool, patience time.Duration) error {
	if l == nil {
		return nil
	}
	close(l.lines)
	var late <-chan time.Time // never, of a regular file
	if !l.regular || interrupted {
		late = time.After(patience)
	}
	select {
	case <-l.done:
		if l.broken != nil {
			return fmt.Errorf("-log: %w", l.broken)
		}
	case <-late:
	}
	if lost := int(l.added.Load() - l.written.Load()); lost > 0 {
		return fmt.Errorf("-log: %s dropped: its reader takes no more", words.Plural(lost, "line was", "lines were"))
	}
	return nil
}
