//go:build unix

package dev

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"ogdl/internal/test/must"
)

// TestFetchInterrupted presses Ctrl-C in the middle of a download.
func TestFetchInterrupted(t *testing.T) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt) // else the script would ignore it, as it must where the tests do: nohup, & in a script
	defer signal.Stop(signals)
	arrived, done := make(chan bool, 1), make(chan bool)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("PK"))
		w.(http.Flusher).Flush()
		select {
		case arrived <- true:
		default: // another try
		}
		<-done
	}))
	defer server.Close()
	defer close(done)
	data := filepath.Join(t.TempDir(), "data")
	cmd := exec.Command(bash(t), "../fetch_tudatasets.sh", "-data", data, "--from", server.URL, "MUTAG")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	must.Do(t, cmd.Start())
	select {
	case <-arrived:
	case <-time.After(20 * time.Second):
		t.Error("no download")
	}
	if len(tree(t, data)) == 0 {
		t.Error("no temporary folder while downloading")
	}
	must.Do(t, syscall.Kill(-cmd.Process.Pid, syscall.SIGINT))
	cmd.Wait()
	must.Check(t, cmd.ProcessState.ExitCode(), 130, "exit status")
	wantTree(t, data, nil)
}
