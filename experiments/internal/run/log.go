package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"ogdl/internal/record"
	"ogdl/internal/words"
)

// Log appends a line of JSON for each cell that a run finishes to a file, for programs that watch it. One goroutine writes: a
// reader that stops holds up no cell. A regular file loses no line unless its disk hangs at an interrupt; of what is not one, such as a pipe, maxWaiting lines wait at most,
// and further ones are dropped and counted.
type Log struct {
	regular bool
	wake    chan struct{} // there is something to write, or the log is closed
	done    chan struct{} // the goroutine has ended

	mu      sync.Mutex
	waiting [][]byte
	flying  int // lines that the goroutine has taken and not yet written
	dropped int
	closed  bool
	broken  error
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

// OpenLog opens a file to append to, made where it is not there. A file that is not regular is opened by the goroutine that writes:
// a pipe waits for its reader.
func OpenLog(path string) (*Log, error) {
	open := func() (*os.File, error) { return os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666) }
	l := &Log{wake: make(chan struct{}, 1), done: make(chan struct{})}
	info, err := os.Stat(path)
	if l.regular = errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular(); l.regular || err != nil {
		f, err := open()
		if err != nil {
			return nil, fmt.Errorf("-log: %w", err)
		}
		go l.write(f)
		return l, nil
	}
	go func() {
		f, err := open()
		if err != nil {
			l.fail(err)
			close(l.done)
			return
		}
		l.write(f)
	}()
	return l, nil
}

func (l *Log) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken == nil {
		l.broken = err
	}
}

// write writes what waits until the log is closed, each line in one write: processes may share a file.
func (l *Log) write(f *os.File) {
	defer close(l.done)
	for range l.wake {
		for {
			l.mu.Lock()
			lines, closed := l.waiting, l.closed
			l.waiting, l.flying = nil, len(lines)
			l.mu.Unlock()
			for _, line := range lines {
				if _, err := f.Write(line); err != nil {
					l.fail(err)
					break
				}
				l.mu.Lock()
				l.flying--
				l.mu.Unlock()
			}
			if len(lines) > 0 {
				continue
			}
			if closed {
				if err := f.Close(); err != nil {
					l.fail(err)
				}
				return
			}
			break
		}
	}
}

// add appends a cell's line. Numbers are safe in the store, so that a log that
// cannot be written stops nothing; Close returns the error.
func (l *Log) add(r *record.Record, t *record.Timing) {
	if l == nil {
		return
	}
	line, err := json.Marshal(logged{time.Now().UTC(), r.ID, r.Status, r.Reason, r.Method, r.MethodVersion, r.Dataset, r.Params, r.BaseSeed,
		r.Repetition, r.Scores, t.Seconds, t.CPUSeconds})
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err != nil:
		l.broken = err
	case l.broken != nil:
		return
	case !l.regular && l.flying+len(l.waiting) >= maxWaiting:
		l.dropped++
	default:
		l.waiting = append(l.waiting, append(line, '\n'))
	}
	l.signal()
}

func (l *Log) signal() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Close writes what waits and closes the file. Of a file that is not regular, or where the run was interrupted, it waits for patience at most,
// and then counts what was not written. It returns the first error of the lines.
func (l *Log) Close(interrupted bool, patience time.Duration) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	l.closed = true
	l.signal()
	l.mu.Unlock()
	if l.regular && !interrupted {
		<-l.done
	} else {
		select {
		case <-l.done:
		case <-time.After(patience):
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	lost := l.dropped + l.flying + len(l.waiting)
	if lost > 0 && l.broken == nil {
		l.broken = fmt.Errorf("%s dropped: its reader takes no more", words.Plural(lost, "line was", "lines were"))
	}
	if l.broken != nil {
		return fmt.Errorf("-log: %w", l.broken)
	}
	return nil
}
