//go:build unix

package run

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ogdl/internal/record"
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
		l, err := OpenLog(path)
		if err != nil {
			t.Fatal(err)
		}
		if reads {
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			l.add(&record.Record{ID: "first"}, &record.Timing{})
			if line, err := bufio.NewReaderSize(f, 16).ReadString('\n'); err != nil || !strings.Contains(line, `"first"`) {
				t.Errorf("%q, %v", line, err)
			}
		}
		begin := time.Now()
		for range maxWaiting + 7 {
			l.add(&record.Record{}, &record.Timing{})
		}
		for range 3 {
			l.add(long, &record.Timing{})
		}
		err = l.Close(false, 50*time.Millisecond)
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("it took %s", took)
		}
		if err == nil || !strings.Contains(err.Error(), "lines were dropped") {
			t.Error(err)
		}
	}
}

// TestLogOfAFile: a regular file loses no line, however many come at once.
func TestLogOfAFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	l, err := OpenLog(path)
	if err != nil {
		t.Fatal(err)
	}
	const n = maxWaiting + 10
	for range n {
		l.add(&record.Record{}, &record.Timing{})
	}
	if err := l.Close(false, 0); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if got := strings.Count(string(text), "\n"); got != n || err != nil {
		t.Errorf("%d of %d lines, %v", got, n, err)
	}
}
