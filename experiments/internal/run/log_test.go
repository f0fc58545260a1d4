//go:build unix

package run

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

// TestLogOfAReaderThatStops: a pipe that nobody opens, and one whose reader stops, hold up nobody, and lines that are lost are counted.
func TestLogOfAReaderThatStops(t *testing.T) {
	t.Parallel()
	long := &record.Record{ID: strings.Repeat("x", 1<<17)} // more than a pipe holds
	for _, reads := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "pipe")
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skip("no pipes here:", err)
		}
		l := must.Get(OpenLog(path))
		if reads {
			f := must.Get(os.Open(path))
			defer f.Close()
			l.add(&record.Record{ID: "first"}, &record.Timing{})
			if line, err := bufio.NewReaderSize(f, 16).ReadString('\n'); err != nil || !strings.Contains(line, `"first"`) {
				t.Errorf("%q, %v", line, err)
			}
		}
		begin := time.Now()
		const few, many = 3, maxWaiting
		for range few { // what a pipe does not hold counts as lost, however little waits
			l.add(long, &record.Timing{})
		}
		for range many {
			l.add(&record.Record{}, &record.Timing{})
		}
		err := l.Close(false, 50*time.Millisecond)
		if took := time.Since(begin); took > time.Minute {
			t.Errorf("it took %s", took)
		}
		if want := fmt.Sprintf("%d lines were dropped", few+many); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestLogOfAFile: a regular file loses no line, however many come at once.
func TestLogOfAFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must.Fail(t, must.Err(OpenLog(dir)), "-log: open")
	path := filepath.Join(dir, "log")
	must.Do(t, os.WriteFile(path, []byte(`{"id":`), 0o666)) // cut off: the next line is whole
	l := must.Get(OpenLog(path))
	const n = maxWaiting + 10
	for range n {
		l.add(&record.Record{}, &record.Timing{})
	}
	must.Do(t, l.Close(false, 0))
	text, err := os.ReadFile(path)
	if got := strings.Count(string(text), "\n{"); got != n || err != nil {
		t.Errorf("%d of %d lines, %v", got, n, err)
	}
}
